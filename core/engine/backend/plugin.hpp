// SPDX-License-Identifier: GPL-3.0-or-later
// The C entry of a backend plug-in. A plug-in exports exactly one symbol, parallaxPluginEntry.
#pragma once

#include "core/engine/backend/backend.hpp"

namespace parallax {

struct PluginEntry {
    const char* buildStamp;  ///< must equal buildInfo().stamp of the program
    Backend* (*create)();    ///< called once; the backend lives until the process ends; refused if null or if it throws
};

}  // namespace parallax

extern "C" {
using ParallaxPluginEntryFunction = const parallax::PluginEntry* (*)();
}

/// Use once in the plug-in: PARALLAX_PLUGIN_ENTRY(createBackend) with Backend* createBackend().
/// The stamp is taken at compile time of the plug-in (PARALLAX_BUILD_STAMP comes from the build).
#define PARALLAX_PLUGIN_ENTRY(create)                                                                      \
    extern "C" __attribute__((visibility("default"))) const parallax::PluginEntry* parallaxPluginEntry() { \
        static const parallax::PluginEntry entry{PARALLAX_BUILD_STAMP, &(create)};                         \
        return &entry;                                                                                     \
    }
