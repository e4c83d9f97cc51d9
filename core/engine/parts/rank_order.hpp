// SPDX-License-Identifier: GPL-3.0-or-later
// Orders of rank 0 to the other ranks, as bytes. All ranks have the same build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/operation/operation.hpp"

namespace parallax {

struct RankOrder {
    enum class Kind : std::uint8_t {
        prepare,  ///< plan and prepare a run
        run,      ///< one that was prepared
        release,  ///< free what it keeps
        job       ///< work of another layer, which ends with the order
    };
    Kind kind = Kind::run;
    std::int64_t id = 0;           ///< of the prepared run
    std::string layer{};           ///< of a job
    std::vector<std::byte> job{};  ///< what that layer sends
    // For `prepare`: the pipeline, its first problem, and what rank 0 selected.
    std::string build{};  ///< BuildInfo::stamp
    Target target{};
    std::vector<std::string> steps{};            ///< as toText(Step)
    std::vector<std::string> implementations{};  ///< StepPlan::implementation
    Problem problem{};                           ///< without parameters and plans

    std::vector<std::byte> bytes() const;
    /// Throws Error(failed) for other bytes.
    static RankOrder of(std::span<const std::byte> bytes);
};

}  // namespace parallax
