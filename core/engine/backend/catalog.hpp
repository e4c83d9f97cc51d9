// SPDX-License-Identifier: GPL-3.0-or-later
// All operations and backends of this process. Explicit lists: core/operations/catalog.cpp names the operations,
// core/backends/known_backends.cpp the backends, one catalog.cpp per backend its implementations.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// "openmp", or "cuda.tiled" with a variant, or "cuda.tiled+pinned" with modes, plus where.
struct Target {
    std::string backend;
    std::string variant;  ///< empty: the backend's default for the problem
    int device = 0;
    int threads = 0;                   ///< 0: all
    std::vector<std::string> modes{};  ///< in alphabetical order, each once; empty: the backend's plain way
    std::string label() const;
    bool has(std::string_view mode) const { return std::find(modes.begin(), modes.end(), mode) != modes.end(); }
    friend bool operator==(const Target&, const Target&) = default;
};
/// "cuda.tiled+pinned" -> {cuda, tiled, {pinned}}; modes in any order. Throws Error(usage) for what is no such name.
Target parseTarget(std::string_view name);

/// What a target means for a problem.
struct Selection {
    const Implementation* implementation = nullptr;
    std::string reason;  ///< why this one: kAskedFor, kFirstListed, or what its preference says
};
inline constexpr const char* kAskedFor = "asked for by name";
inline constexpr const char* kFirstListed = "the first of its backend that can do this";

class Catalog {
public:
    Catalog(std::vector<std::unique_ptr<Operation>> operations, std::vector<std::shared_ptr<Backend>> backends);

    const std::vector<std::unique_ptr<Operation>>& operations() const { return operations_; }
    const std::vector<std::shared_ptr<Backend>>& backends() const { return backends_; }
    /// Throw Error(usage) that lists the known names.
    const Operation& operation(std::string_view id) const;
    const Backend& backend(std::string_view id) const;
    /// Throws Error(usage) that lists what there is if the backend does not have the target's modes, or not together. A backend that
    /// could not be loaded has said nothing about its modes: then nothing is thrown.
    void checkModes(const Target& target) const;
    /// Implementations of an operation on a backend as its catalog lists them; empty if the backend is unavailable. Which one is taken
    /// where none is named follows from Implementation::preference(): see select().
    std::vector<const Implementation*> implementations(std::string_view operation, std::string_view backend) const;
    /// The one that a target means for a problem, and why. Throws Error(unavailable) with the reason (backend not available,
    /// not implemented, problem not supported) or Error(usage) for an unknown name. Never another one in its place.
    Selection select(const Operation& operation, const Problem& problem, const Target& target) const;

private:
    std::vector<std::unique_ptr<Operation>> operations_;
    std::vector<std::shared_ptr<Backend>> backends_;
};

/// The catalog of this process: built on first use, plug-ins are searched in PARALLAX_PLUGIN_PATH (colon separated), in ../lib/parallax
/// beside the program and in parallax beside this library. A backend that cannot be loaded stays listed, unavailable with the reason.
const Catalog& processCatalog();

/// A backend that is not there, with the reason.
std::shared_ptr<Backend> makeUnavailableBackend(std::string id, std::string title, Availability reason);
/// Loads libparallax_backend_<id>.so from the first folder that has it.
std::shared_ptr<Backend> loadBackendPlugin(const std::string& id, const std::string& title, const std::vector<std::string>& folders);
std::vector<std::string> defaultPluginFolders();

}  // namespace parallax
