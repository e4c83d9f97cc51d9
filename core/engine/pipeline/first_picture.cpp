// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pipeline/first_picture.hpp"

#include <algorithm>

#include "core/engine/operation/refines.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

std::optional<Pipeline> firstPictureOf(const Pipeline& pipeline) {
    Pipeline first = pipeline;
    bool any = false;
    for (Step& step : first.steps) {
        const auto* refines = step.enabled ? capability<Refines>(*step.operation) : nullptr;
        if (!refines) continue;
        if (auto parameters = refines->firstPicture(step.parameters)) {
            step.parameters = std::move(*parameters);
            any = true;
        }
    }
    return any ? std::optional(std::move(first)) : std::nullopt;
}

std::optional<double> residualOf(const Pipeline& pipeline, std::span<const StatisticRecord> statistics) {
    std::optional<double> largest;
    int index = 0;  // among the enabled steps
    for (const Step& step : pipeline.steps) {
        if (!step.enabled) continue;
        if (const auto* refines = capability<Refines>(*step.operation))
            for (const StatisticRecord& statistic : statistics)
                if (statistic.step == index && statistic.key == refines->residualKey())
                    largest = std::max(largest.value_or(statistic.value), statistic.value);
        ++index;
    }
    return largest;
}

}  // namespace parallax
