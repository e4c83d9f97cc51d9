// SPDX-License-Identifier: GPL-3.0-or-later
// Several passes over the rows (or slices) of a grid in one: a later stage follows closely behind, so that rows are still in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/backends/openmp/parallel.hpp"

namespace parallax::solvers {

/// Calls body(stage, unit) for all stages and all units in [0, units). Stage k of a unit is called after stage k - 1 of the units up to
/// reach[k] - reach[k - 1] away from it, and before stage k - 1 sees its result anywhere: the result is that of one stage after another,
/// for any number of threads. `reach` ascends from 0. `samples`: of a unit; few of them are not worth a thread.
template <std::size_t kStages, class Body>
void runStages(const RunContext& context, std::int64_t units, std::int64_t samples, const std::array<int, kStages>& reach,
               const Body& body) {
    constexpr std::int64_t kSamplesOfThread = 8192;
    const std::int64_t furthest = reach[kStages - 1];
    const std::int64_t most = std::max<std::int64_t>(units / std::max<std::int64_t>(2 * furthest + 1, 4), 1);
    const std::int64_t worth = std::max<std::int64_t>(units * samples / kSamplesOfThread, 1);
    const std::int64_t chunks = std::min({static_cast<std::int64_t>(effectiveThreads(context)), most, worth});
    const auto begin = [&](std::int64_t chunk) { return units * chunk / chunks; };
    parallelTasks(context, chunks, static_cast<int>(chunks), [&](std::int64_t chunk, int) {
        const std::int64_t a = begin(chunk), b = begin(chunk + 1);
        for (std::int64_t t = a; t < b + furthest; ++t) {
            if (context.stopped()) return;
            for (std::size_t k = 0; k < kStages; ++k) {
                const std::int64_t unit = t - reach[k];
                // What needs units of the next chunk comes last.
                if (unit >= (a == 0 ? 0 : a + reach[k]) && unit < (b == units ? units : b - reach[k])) body(static_cast<int>(k), unit);
            }
        }
    });
    if (chunks == 1 || furthest == 0) return;
    parallelTasks(context, chunks - 1, static_cast<int>(chunks), [&](std::int64_t boundary, int) {
        const std::int64_t b = begin(boundary + 1);
        for (std::size_t k = 1; k < kStages; ++k)
            for (std::int64_t unit = b - reach[k]; unit < b + reach[k]; ++unit) body(static_cast<int>(k), unit);
    });
}

}  // namespace parallax::solvers
