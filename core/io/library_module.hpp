// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that need heavy libraries (OpenCV and cairo link to X11 and OpenGL) are modules in lib/parallax, loaded at their first use.
#pragma once

#include <string>

namespace parallax {

/// Base of the table T that the entry point `extern "C" const ModuleHead* parallaxModule()` of a module returns.
struct ModuleHead {
    const char* buildStamp;  ///< must equal buildInfo().stamp
};

/// Loads libparallax_module_NAME.so from the plug-in folders; it stays loaded. Throws Error(unavailable) if it is missing, cannot be
/// loaded or belongs to another build.
const ModuleHead* loadModule(const std::string& name);

/// Loaded once for each T; thread-safe.
template <class T>
const T& libraryModule(const std::string& name) {
    static const auto* const module = static_cast<const T*>(loadModule(name));
    return *module;
}

}  // namespace parallax

#define PARALLAX_MODULE_ENTRY(table) \
    extern "C" __attribute__((visibility("default"))) const parallax::ModuleHead* parallaxModule() { return &(table); }
