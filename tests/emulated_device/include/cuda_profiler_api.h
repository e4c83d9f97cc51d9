// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for the CUDA toolkit's header of this name: no profiler is attached.
#pragma once

#include <cuda_runtime_api.h>

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
