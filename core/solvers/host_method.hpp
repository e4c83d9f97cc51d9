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
    /// See conjugateGradients().
    virtual SolveHistory solve(const Stencil& stencil, std::int64_t channels, const double* f, double* u, const SolveOptions& options,
                               const RunContext& context, SolveProgress& progress) = 0;
    /// The same for the rows of one of several ranks, which all call it; `f` and `u` hold these rows, `stencil` has constant weights. Only
    /// if HostMethodKind::onParts.
    virtual SolveHistory solvePart(const Stencil& /*stencil*/, const GridPart& /*part*/, std::int64_t /*channels*/, const double* /*f*/,
                                   double* /*u*/, const SolveOptions& /*options*/, const RunContext& /*context*/,
                                   SolveProgress& /*progress*/) {
        throw Error(ErrorCode::failed, "This method does not work on parts");
    }
};

/// A variant of a backend: makes methods, and says what they need.
struct HostMethodKind {
    std::string variant, summary;
    std::function<std::unique_ptr<HostMethod>()> make;
    /// Bytes besides f and u. `weighted`: edges have weights of their own.
    std::function<std::uint64_t(const Shape& shape, std::int64_t channels, bool weighted)> bytes;
    std::function<Support(bool weighted)> supports = [](bool) { return Support{}; };
    Preference preference{};
    bool onParts = false;  ///< with the same bits for any number of parts
    /// The distribution of a system with constant weights, or with a weight for each edge.
    Distribution distribution(bool weighted) const {
        if (!onParts) return {.halo = StripSupport::no("Only 'cg' solves on parts")};
        if (weighted) return {.halo = StripSupport::no("Systems with a weight for each edge are not solved on parts")};
        return {.halo = StripSupport::withoutHalo(), .phases = true};
    }
};

/// Serial conjugate gradients to kReferenceTolerance.
HostMethodKind referenceMethod();
/// Serial cosine transforms by their definition: images with constant weights and Neumann borders only.
HostMethodKind referenceDirectMethod();

}  // namespace parallax::solvers
