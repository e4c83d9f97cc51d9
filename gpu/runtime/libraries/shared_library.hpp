// SPDX-License-Identifier: GPL-3.0-or-later
// Optional libraries of the CUDA toolkit.
#pragma once

#include <initializer_list>
#include <string>

namespace parallax::gpu {

/// Opens the first of `names` that is found by the loader or in the toolkit's folder ($CUDA_HOME, $CUDA_PATH, default locations).
/// Returns nullptr and sets `reason` if there is none. Never closed, since CUDA libraries do not survive being unloaded.
void* openToolkitLibrary(std::initializer_list<const char*> names, std::string& reason);

/// Returns the address of a function, or nullptr and the reason if the library lacks it.
void* toolkitFunction(void* library, const char* name, std::string& reason);

}  // namespace parallax::gpu
