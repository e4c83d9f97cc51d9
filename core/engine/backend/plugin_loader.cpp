// SPDX-License-Identifier: GPL-3.0-or-later
#include <dlfcn.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/backend/plugin.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/image/texts.hpp"

namespace parallax {

namespace fs = std::filesystem;

std::vector<std::string> defaultPluginFolders() {
    std::vector<std::string> folders;
    const auto add = [&](std::string folder) {
        if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(std::move(folder));
    };
    if (const char* path = std::getenv("PARALLAX_PLUGIN_PATH")) {
        const std::string all(path);
        for (std::size_t start = 0; start <= all.size();) {
            std::size_t end = all.find(':', start);
            if (end == std::string::npos) end = all.size();
            if (end > start) add(all.substr(start, end - start));
            start = end + 1;
        }
    }
    std::error_code error;
    if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
        add((program.parent_path() / ".." / "lib" / "parallax").lexically_normal().string());
    // Beside this library: valid for every install layout, such as lib/x86_64-linux-gnu/parallax.
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&defaultPluginFolders), &info) && info.dli_fname)
        add((fs::absolute(info.dli_fname, error).parent_path() / "parallax").lexically_normal().string());
    return folders;
}

std::shared_ptr<Backend> loadBackendPlugin(const std::string& id, const std::string& title, const std::vector<std::string>& folders) {
    const std::string file = "libparallax_backend_" + id + ".so";
    const auto unavailable = [&](std::string reason, std::string whatToDo) {
        return makeUnavailableBackend(id, title, {false, std::move(reason), std::move(whatToDo)});
    };
    // OpenCV loads OpenBLAS, which starts a thread for each core. No operation uses them, and when memory is short they wait for it
    // forever.
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    for (const std::string& folder : folders) {
        const fs::path path = fs::path(folder) / file;
        std::error_code error;
        if (!fs::exists(path, error)) continue;
        void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return unavailable(std::string("Its plug-in cannot be loaded: ") + dlerror(),
                               "Install the library that it names, or install Parallax again");
        const auto entryFunction = reinterpret_cast<ParallaxPluginEntryFunction>(dlsym(library, "parallaxPluginEntry"));
        // Never unloaded, since threads and devices of a backend may outlive all other objects.
        if (!entryFunction) return unavailable(path.string() + " is not a Parallax plug-in", "Reinstall Parallax");
        const PluginEntry* entry = entryFunction();
        if (!entry || !entry->buildStamp || entry->buildStamp != buildInfo().stamp)
            return unavailable(path.string() + " belongs to another build (" +
                                   (entry && entry->buildStamp ? entry->buildStamp : "unknown") + ", this is " + buildInfo().stamp + ")",
                               "Reinstall or rebuild Parallax");
        try {
            const std::shared_ptr<Backend> backend(entry->create());
            if (!backend) return unavailable("Its plug-in created no backend", "Reinstall Parallax");
            // Targets name backends by id(), so ids must be unique.
            if (backend->id() != id)
                return unavailable(path.string() + " calls its backend '" + backend->id() + "'",
                                   "Let Backend::id() be '" + id + "', or reinstall Parallax if the plug-in is not your own");
            return backend;
        } catch (const std::exception& e) {
            return unavailable(std::string("Its plug-in failed to start: ") + e.what(), {});
        } catch (...) {
            return unavailable("Its plug-in failed to start without giving a reason", {});
        }
    }
    return unavailable(
        "Its plug-in " + file + " was not built or not installed" + (folders.empty() ? "" : " (searched in " + joined(folders) + ")"),
        "Build Parallax on a machine where its requirements are installed");
}

}  // namespace parallax
