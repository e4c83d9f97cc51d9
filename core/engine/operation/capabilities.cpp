// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/operation/capabilities.hpp"

#include "core/image/error.hpp"

namespace parallax {
namespace {

/// The answer of a capability; an empty one from operations without it.
template <class T, class Answer, class... Arguments>
Answer ask(const Operation& operation, Answer (T::*question)(Arguments...) const, const std::type_identity_t<Arguments>&... arguments) {
    const auto* has = capability<T>(operation);
    return has ? (has->*question)(arguments...) : Answer{};
}

}  // namespace

void applyPreset(ParameterBlock& parameters, const ParameterPreset& preset) {
    ParameterBlock changed = parameters;
    for (const auto& [key, value] : preset.values) changed.setText(key, value);
    parameters = std::move(changed);
}

std::vector<ParameterPreset> presetsOf(const Operation& operation) { return ask(operation, &HasPresets::presets); }
std::vector<StatisticInfo> statisticsOf(const Operation& operation) { return ask(operation, &HasStatistics::statistics); }
std::vector<RunSeriesInfo> seriesOf(const Operation& operation) { return ask(operation, &HasSeries::series); }
std::vector<RunLapInfo> lapsOf(const Operation& operation) { return ask(operation, &HasLaps::laps); }
double referenceFlopsOf(const Operation& operation, const Problem& problem) {
    const auto* estimates = capability<EstimatesReference>(operation);
    return estimates ? estimates->referenceFlops(problem) : operation.work(problem).flops;
}
bool changesQuantity(const Operation& operation, const ParameterBlock& parameters) {
    return ask(operation, &ChangesQuantity::changesQuantity, parameters);
}
std::vector<Region> regionsOf(const Operation& operation, const Problem& problem) { return ask(operation, &HasRegions::regions, problem); }
std::vector<std::string> notesOn(const Operation& operation, const Problem& problem) { return ask(operation, &HasNotes::notes, problem); }
std::string regionStepOf(const Operation& operation, const ParameterBlock& parameters) {
    return ask(operation, &WorksInRegions::regionStep, parameters);
}

std::optional<TransferInfo> transferInfoOf(const Operation& operation) {
    const auto* has = capability<HasTransferCurve>(operation);
    return has ? std::optional(has->transferInfo()) : std::nullopt;
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
