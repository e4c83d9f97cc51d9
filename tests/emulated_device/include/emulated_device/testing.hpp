// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of the emulation, and for tests that need what only an emulated device does.
#pragma once

#include <string>

namespace emulatedDevice {

inline constexpr int kMaxDevices = 8;

/// Returns the errors since the last call, or an empty text, drops the work of all streams and makes the devices usable again.
std::string takeFault();
/// Sets the number of devices, 1 to kMaxDevices; PARALLAX_EMULATED_DEVICES is the first one. To be called before memory is allocated.
void setDeviceCount(int count);
/// Makes a kernel of a device fail, after a number of others.
void failKernelAfter(int device, int kernels);

}  // namespace emulatedDevice
