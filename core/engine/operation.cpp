// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/engine/operation.hpp"

namespace parallax {

Problem makeProblem(const Image& image, ParameterBlock parameters, const SampleStatistics& statistics) {
    return {.shape = image.shape(),
            .channelNames = image.channelNames(),
            .alphaChannel = image.alphaChannel(),
            .statistics = statistics,
            .parameters = std::move(parameters)};
}

Problem makeProblem(const Image& image, ParameterBlock parameters) {
    return makeProblem(image, std::move(parameters), computeStatistics(image));
}

void applyPreset(ParameterBlock& parameters, const ParameterPreset& preset) {
    ParameterBlock changed = parameters;
    for (const auto& [key, value] : preset.values) changed.setText(key, value);
    parameters = std::move(changed);
}

}  // namespace parallax
