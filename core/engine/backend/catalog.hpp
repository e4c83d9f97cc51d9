// SPDX-License-Identifier: GPL-3.0-or-later
// All operations and backends of this process, from explicit lists: core/operations/catalog.cpp, core/backends/known_backends.cpp, and
// one catalog.cpp for each backend.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax {

/// Parts of a target.
constexpr int kMaxParts = 1024;

/// A backend with variant, modes, parts and device: "openmp", "cuda.tiled", "cuda.tiled+pinned", "openmp@2".
struct Target {
    std::string backend;
    std::string variant;  ///< empty: the backend's default for the problem
    int device = 0;
    int threads = 0;                   ///< 0: all
    std::vector<std::string> modes{};  ///< in alphabetical order, each once
    int parts = 1;                     ///< bands of an image or slabs of a volume that are computed at the same time
    std::vector<int> otherDevices{};   ///< of the parts after the first; empty: those that follow `device`
    /// The device of a part, for backends that have some of their own.
    int deviceOf(int part) const {
        return part == 0 || otherDevices.empty() ? device + part : otherDevices[static_cast<std::size_t>(part) - 1];
    }
    /// Without devices and threads.
    std::string label() const;
    bool has(std::string_view mode) const { return std::find(modes.begin(), modes.end(), mode) != modes.end(); }
    friend bool operator==(const Target&, const Target&) = default;
};
/// "cuda.tiled+pinned@2" -> {cuda, tiled, {pinned}, 2 parts}; modes in any order. Throws Error(usage) for other texts.
Target parseTarget(std::string_view name);

/// The implementation that a target stands for.
struct Selection {
    const Implementation* implementation = nullptr;
    std::string reason;  ///< kAskedFor, kFirstListed, or the reason of its preference
};
inline constexpr const char* kAskedFor = "asked for by name";
inline constexpr const char* kFirstListed = "the first of its backend that can do this";

class Catalog {
public:
    Catalog(std::vector<std::unique_ptr<Operation>> operations, std::vector<std::shared_ptr<Backend>> backends);

    const std::vector<std::unique_ptr<Operation>>& operations() const { return operations_; }
    const std::vector<std::shared_ptr<Backend>>& backends() const { return backends_; }
    /// Both throw Error(usage) that lists the known names.
    const Operation& operation(std::string_view id) const;
    const Backend& backend(std::string_view id) const;
    /// Throws Error(unavailable) with the reason besides.
    const Backend& availableBackend(std::string_view id) const;
    /// Throws Error(usage) that lists the modes if the backend does not have those of the target, or not together. Accepts every mode of a
    /// backend that could not be loaded.
    void checkModes(const Target& target) const;
    /// Implementations of an operation in the order of the backend's list; none if the backend is unavailable. See select() for the
    /// default.
    std::vector<const Implementation*> implementations(std::string_view operation, std::string_view backend) const;
    /// Selects the implementation that a target stands for; never another one in its place. Throws Error(unavailable) with the reason
    /// (backend not available, not implemented, problem not supported) or Error(usage) for an unknown name.
    Selection select(const Operation& operation, const Problem& problem, const Target& target) const;

private:
    std::vector<std::unique_ptr<Operation>> operations_;
    std::vector<std::shared_ptr<Backend>> backends_;
};

/// The catalog of this process, built on first use. Plug-ins are searched in PARALLAX_PLUGIN_PATH (colon separated), in ../lib/parallax
/// beside the program and in parallax beside this library. A backend that cannot be loaded is listed as unavailable with the reason.
const Catalog& processCatalog();

/// A backend that is unavailable for a reason.
std::shared_ptr<Backend> makeUnavailableBackend(std::string id, std::string title, Availability reason);
/// Loads libparallax_backend_<id>.so from the first folder that has it.
std::shared_ptr<Backend> loadBackendPlugin(const std::string& id, const std::string& title, const std::vector<std::string>& folders);
std::vector<std::string> defaultPluginFolders();

}  // namespace parallax
