// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for the CUDA toolkit's header of this name, which nvcc includes into every .cu file: the language of device code.
#pragma once

#include <cuda_runtime_api.h>

#include "tests/emulated_device/include/emulated_device/intrinsics.hpp"
#include "tests/emulated_device/include/emulated_device/kernel.hpp"
#include "tests/emulated_device/include/emulated_device/launch.hpp"
