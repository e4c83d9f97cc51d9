// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/solvers/compact_system.hpp"
#include "core/solvers/grid_part.hpp"
#include "core/solvers/lap_clock.hpp"
#include "core/solvers/reporting.hpp"
#include "core/solvers/stencil.hpp"

namespace parallax::solvers {

class GhostRows;

/// Adds a lap for each level of a V-cycle, counted from `first` on, and returns their indices.
inline std::vector<std::size_t> addCycleLaps(LapClock& clock, std::size_t levels, std::size_t first = 0) {
    std::vector<std::size_t> laps;
    for (std::size_t l = 0; l < levels; ++l) laps.push_back(clock.add(kLapCycle, "level " + std::to_string(first + l)));
    return laps;
}

/// A symmetric positive definite approximation of the inverse of A, in single precision.
class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    /// The rows or slices beyond its own ones that a part keeps of f and z.
    virtual std::int64_t reach() const { return 1; }
    /// z = approximately the solution of A z = f, dense. Returns f.z, the same for any number of threads. On parts, f and z begin with the
    /// first sample that is kept; f is exchanged, and z computed in the own rows or slices and those next to them.
    virtual double apply(const RunContext& context, float* f, float* z) = 0;
};

/// A V-cycle over coarser grids, for constant weights. Method: README.md. `clock` gets a lap for each level, and outlives the result.
std::unique_ptr<Preconditioner> makeGridMultigrid(const Stencil& stencil, const GridPart& part, LapClock& clock);
std::uint64_t gridMultigridBytes(const Shape& shape);

/// A V-cycle over aggregates of strongly coupled samples, for edges with weights of their own. Method: README.md. `clock` as above.
std::unique_ptr<Preconditioner> makeAggregationMultigrid(const Stencil& stencil, const GridPart& part, const RunContext& context,
                                                         LapClock& clock);
/// `unknowns`: those of the system; `communicator`: null for one part.
std::unique_ptr<Preconditioner> makeAggregationMultigrid(const CompactSystem& system, const GhostRows& unknowns, Communicator* communicator,
                                                         const RunContext& context, LapClock& clock);
/// About what it takes, which depends on the weights.
std::uint64_t aggregationMultigridBytes(const Shape& shape);

}  // namespace parallax::solvers
