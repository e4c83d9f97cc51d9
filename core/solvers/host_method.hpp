// SPDX-License-Identifier: GPL-3.0-or-later
// A solver in host memory with its loops: what the implementations of `reference` and `openmp` differ in.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/solvers/array.hpp"
#include "core/solvers/grid_part.hpp"
#include "core/solvers/solve.hpp"
#include "core/solvers/solve_progress.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// Kept between runs, with its workspace.
class HostMethod {
public:
    virtual ~HostMethod() = default;
    /// Calls body(row) for all rows, by threads or in order. Throws Error(cancelled).
    virtual void forEachRow(const RunContext& context, std::int64_t rows, const std::function<void(std::int64_t)>& body) const = 0;
    /// See conjugateGradients(). `part`: the rows to work on; with several ranks, all of them call it. `f` and `u` hold the rows that it
    /// keeps, channel after channel, of which its own ones are read and written. Pointers of `stencil` are those of the first sample of
    /// the grid, though arrays have the kept rows only.
    virtual SolveHistory solve(const Stencil& stencil, const GridPart& part, std::int64_t channels, const double* f, double* u,
                               const SolveOptions& options, const RunContext& context, SolveProgress& progress) = 0;
};

/// A variant of a backend: makes methods, and says what they need.
struct HostMethodKind {
    std::string variant, summary;
    std::function<std::unique_ptr<HostMethod>()> make;
    /// Bytes besides f and u. `weighted`: edges have weights of their own.
    std::function<std::uint64_t(const Shape& shape, std::int64_t channels, bool weighted)> bytes;
    std::function<Support(bool weighted)> supports = [](bool) { return Support{}; };
    Preference preference{};
    bool weightedBitsFollowParts = false;  ///< the bits of systems with a weight for each edge depend on the number of parts
    /// The distribution of a system with constant weights, or with a weight for each edge.
    Distribution distribution(bool weighted) const {
        return {.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = !(weighted && weightedBitsFollowParts)};
    }
};

/// Serial conjugate gradients to kReferenceTolerance.
HostMethodKind referenceMethod();
/// Serial cosine transforms by their definition: images with constant weights and Neumann borders only.
HostMethodKind referenceDirectMethod();

}  // namespace parallax::solvers
