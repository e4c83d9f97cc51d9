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
};

/// A variant of a backend: makes methods, and says what they need.
struct HostMethodKind {
    std::string variant, summary;
    std::function<std::unique_ptr<HostMethod>()> make;
    /// Bytes besides f and u. `weighted`: edges have weights of their own.
    std::function<std::uint64_t(const Shape& shape, std::int64_t channels, bool weighted)> bytes;
    std::function<Support(bool weighted)> supports = [](bool) { return Support{}; };
    Preference preference{};
};

/// Serial conjugate gradients to kReferenceTolerance.
HostMethodKind referenceMethod();
/// Serial cosine transforms by their definition: images with constant weights and Neumann borders only.
HostMethodKind referenceDirectMethod();

}  // namespace parallax::solvers
