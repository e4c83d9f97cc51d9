// SPDX-License-Identifier: GPL-3.0-or-later
// Marks functions that device code may call; empty for a host compiler.
#pragma once

#if defined(__CUDACC__)
#define PARALLAX_HOST_DEVICE __host__ __device__
#else
#define PARALLAX_HOST_DEVICE
#endif
