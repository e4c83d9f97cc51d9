// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/libraries/shared_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace parallax::gpu {

void* openToolkitLibrary(std::initializer_list<const char*> names, std::string& reason) {
    std::vector<std::string> folders{""};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* folder = std::getenv(variable); folder && *folder) folders.push_back(std::string(folder) + "/lib64/");
    folders.insert(folders.end(), {"/usr/local/cuda/lib64/", "/opt/cuda/lib64/"});
    for (const std::string& folder : folders)
        for (const char* name : names)
            if (void* library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    reason = std::string(*names.begin()) + " was not found on the library path, in CUDA_HOME or in /usr/local/cuda";
    return nullptr;
}

void* toolkitFunction(void* library, const char* name, std::string& reason) {
    void* function = dlsym(library, name);
    if (!function && reason.empty()) reason = std::string("the library has no function ") + name;
    return function;
}

}  // namespace parallax::gpu
