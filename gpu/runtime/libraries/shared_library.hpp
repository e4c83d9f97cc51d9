// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries of the CUDA toolkit that are used only if they are there.
#pragma once

#include <initializer_list>
#include <string>

namespace parallax::gpu {

/// Opens the first of `names` that the loader finds, or that lies in the toolkit's folder: $CUDA_HOME, $CUDA_PATH, the usual places.
/// Never closed: CUDA libraries do not survive being unloaded. nullptr if there is none; `reason` then says so.
void* openToolkitLibrary(std::initializer_list<const char*> names, std::string& reason);

/// Address of a function; nullptr with the reason if the library does not have it.
void* toolkitFunction(void* library, const char* name, std::string& reason);

}  // namespace parallax::gpu
