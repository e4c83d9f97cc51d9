// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for the CUDA toolkit's header of this name: asynchronous copies into shared memory.
#pragma once

#include "tests/emulated_device/include/emulated_device/kernel.hpp"

#define __pipeline_memcpy_async(to, from, ...) (::emulatedDevice::asyncCopy(PARALLAX_EMULATED_PLACE, to, from, __VA_ARGS__))
#define __pipeline_commit() (::emulatedDevice::pipelineCommit())
#define __pipeline_wait_prior(n) (::emulatedDevice::pipelineWait(static_cast<unsigned>(n)))

namespace emulatedDevice {
/// `zeros` of the bytes, the last ones, are not read but set to 0.
inline void asyncCopy(Place place, void* to, const void* from, std::size_t bytes, std::size_t zeros = 0) {
    pipelineCopy(to, from, bytes, zeros, place);
}
}  // namespace emulatedDevice
