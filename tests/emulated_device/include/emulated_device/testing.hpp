// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of the emulation itself.
#pragma once

#include <string>

namespace emulatedDevice {

/// What went wrong since the last call, or an empty text. The device can be used again; what its streams held is dropped.
std::string takeFault();

}  // namespace emulatedDevice
