// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/operation/capabilities.hpp"

#include "core/image/error.hpp"

namespace parallax {

void applyPreset(ParameterBlock& parameters, const ParameterPreset& preset) {
    ParameterBlock changed = parameters;
    for (const auto& [key, value] : preset.values) changed.setText(key, value);
    parameters = std::move(changed);
}

std::vector<ParameterPreset> presetsOf(const Operation& operation) {
    const auto* has = capability<HasPresets>(operation);
    return has ? has->presets() : std::vector<ParameterPreset>{};
}

std::vector<StatisticInfo> statisticsOf(const Operation& operation) {
    const auto* has = capability<HasStatistics>(operation);
    return has ? has->statistics() : std::vector<StatisticInfo>{};
}

std::optional<TransferInfo> transferInfoOf(const Operation& operation) {
    const auto* has = capability<HasTransferCurve>(operation);
    return has ? std::optional(has->transferInfo()) : std::nullopt;
}

std::vector<Region> regionsOf(const Operation& operation, const Problem& problem) {
    const auto* has = capability<HasRegions>(operation);
    return has ? has->regions(problem) : std::vector<Region>{};
}

std::string regionStepOf(const Operation& operation, const ParameterBlock& parameters) {
    const auto* works = capability<WorksInRegions>(operation);
    return works ? works->regionStep(parameters) : std::string();
}

std::vector<std::string> notesOn(const Operation& operation, const Problem& problem) {
    const auto* has = capability<HasNotes>(operation);
    return has ? has->notes(problem) : std::vector<std::string>{};
}

std::vector<Fact> outputFactsOf(const Operation& operation, const Problem& problem) {
    if (const auto* changes = capability<ChangesFacts>(operation)) return changes->outputFacts(problem);
    return operation.outputShape(problem) == problem.shape ? problem.facts : std::vector<Fact>{};
}

double pickedValueOf(const Operation& operation, const Problem& problem, std::string_view key, std::span<const float> samples) {
    const auto* picks = capability<PicksParameters>(operation);
    const int index = operation.parameters().find(key);
    if (!picks || index < 0 || !operation.parameters().infos()[static_cast<std::size_t>(index)].pickable)
        throw Error(ErrorCode::usage, "Parameter '" + std::string(key) + "' of " + operation.id() + " cannot be picked from an image");
    return picks->pickedValue(problem, key, samples);
}

Image sampleInputOf(const Operation& operation, const ParameterBlock& parameters, Image image) {
    if (const auto* makes = capability<MakesSampleInput>(operation)) return makes->sampleInput(parameters, std::move(image));
    return image;
}

}  // namespace parallax
