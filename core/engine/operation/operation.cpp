// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/operation/operation.hpp"

#include <algorithm>

#include "core/engine/operation/plan_cache.hpp"
#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax {

Problem makeProblem(const Image& image, ParameterBlock parameters, const SampleStatistics& statistics) {
    std::vector<Fact> facts;
    for (const MetadataEntry& e : image.metadata)
        if (e.name.starts_with(kFactPrefix)) facts.push_back({e.name, e.text});
    return {.shape = image.shape(),
            .channelNames = image.channelNames(),
            .alphaChannel = image.alphaChannel(),
            .statistics = statistics,
            .parameters = std::move(parameters),
            .spacing = image.isVolume() && image.geometry ? image.geometry->spacing : std::array<double, 3>{1, 1, 1},
            .facts = std::move(facts),
            .plans = std::make_shared<PlanCache>()};
}

Problem makeProblem(const Image& image, ParameterBlock parameters) {
    return makeProblem(image, std::move(parameters), computeStatistics(image));
}

std::vector<int> namedChannels(const Problem& problem, std::string_view names) {
    std::vector<bool> chosen(problem.channelNames.size(), names == "all");
    for (std::size_t start = 0; names != "all" && start <= names.size();) {
        const std::size_t end = std::min(names.find(',', start), names.size());
        std::string_view name = names.substr(start, end - start);
        start = end + 1;
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        const auto it = std::find(problem.channelNames.begin(), problem.channelNames.end(), name);
        if (it == problem.channelNames.end())
            throw Error(ErrorCode::usage, "The image has no channel '" + std::string(name) + "'",
                        "its channels are " + joined(problem.channelNames), "Give names from this list, or 'all'");
        chosen[static_cast<std::size_t>(it - problem.channelNames.begin())] = true;
    }
    std::vector<int> indices;
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (chosen[i]) indices.push_back(static_cast<int>(i));
    return indices;
}

std::vector<int> remainingChannels(const Problem& problem, const std::vector<int>& chosen) {
    std::vector<int> remaining;
    for (int c = 0; c < static_cast<int>(problem.shape.channels); ++c)
        if (std::find(chosen.begin(), chosen.end(), c) == chosen.end()) remaining.push_back(c);
    return remaining;
}

}  // namespace parallax
