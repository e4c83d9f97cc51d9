// SPDX-License-Identifier: GPL-3.0-or-later
// In place of gpu/runtime/shared_library.cpp: libraries of the toolkit would look for a real device.
#include "parallax/gpu/runtime/shared_library.hpp"

namespace parallax::gpu {

void* openToolkitLibrary(std::initializer_list<const char*> names, std::string& reason) {
    reason = std::string(*names.begin()) + " is not used with an emulated device";
    return nullptr;
}

void* toolkitFunction(void*, const char*, std::string&) { return nullptr; }

}  // namespace parallax::gpu
