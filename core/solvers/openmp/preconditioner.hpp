// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

#include "core/engine/run/run_context.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

/// A symmetric positive definite approximation of the inverse of A, in single precision.
class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    /// z = approximately the solution of A z = f, dense.
    virtual void apply(const RunContext& context, const float* f, float* z) = 0;
};

/// A V-cycle over coarser grids, for constant weights. Method: README.md.
std::unique_ptr<Preconditioner> makeGridMultigrid(const Stencil& stencil);
std::uint64_t gridMultigridBytes(const Shape& shape);

/// A V-cycle over aggregates of strongly coupled samples, for edges with weights of their own. Method: README.md.
std::unique_ptr<Preconditioner> makeAggregationMultigrid(const Stencil& stencil, const RunContext& context);
std::unique_ptr<Preconditioner> makeAggregationMultigrid(const CompactSystem& system, const RunContext& context);
/// About what it takes, which depends on the weights.
std::uint64_t aggregationMultigridBytes(const Shape& shape);

}  // namespace parallax::solvers
