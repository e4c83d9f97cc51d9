// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/library_module.hpp"

#include <dlfcn.h>

#include <filesystem>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/image/error.hpp"

namespace parallax {

const ModuleHead* loadModule(const std::string& name) {
    const std::string file = "libparallax_module_" + name + ".so";
    const auto fail = [&](const std::string& why, const std::string& advice) {
        throw Error(ErrorCode::unavailable, "Cannot load " + file, why, advice);
    };
    std::string searched;
    for (const std::string& folder : defaultPluginFolders()) {
        const std::filesystem::path path = std::filesystem::path(folder) / file;
        std::error_code error;
        if (!std::filesystem::exists(path, error)) {
            searched += (searched.empty() ? "" : ", ") + folder;
            continue;
        }
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) fail(dlerror(), "Install the library that it names");
        const auto entry = reinterpret_cast<const ModuleHead* (*)()>(dlsym(library, "parallaxModule"));
        const ModuleHead* const head = entry ? entry() : nullptr;
        if (!head || head->buildStamp != buildInfo().stamp)
            fail(path.string() + " belongs to another build", "Reinstall or rebuild Parallax");
        return head;
    }
    fail("it was not found in " + searched, "Reinstall Parallax");
    return nullptr;
}

}  // namespace parallax
