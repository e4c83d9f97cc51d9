// SPDX-License-Identifier: GPL-3.0-or-later
// For tests of the emulation itself.
#pragma once

#include <string>

namespace emulatedDevice {

/// Returns the errors since the last call, or an empty text, drops the work of all streams and makes the device usable again.
std::string takeFault();

}  // namespace emulatedDevice
