// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/tone_mapping/host_execution.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/operations/tone_mapping/transfer_curve.hpp"

namespace parallax {

void HostToneMapping::run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) {
    image_ = inputs[0].shape;
    communicator_ = nullptr;
    runOperator(inputs[0], outputs[0], context);
}

void HostToneMapping::runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                              RunContext& context) {
    image_ = part.image;
    communicator_ = &communicator;
    runOperator(input, output, context);
}

Distribution HostToneMapping::distribution(const Problem& problem) {
    const ToneOperator op = problem.parameters.as<ToneMappingParameters>().op;
    if (op == ToneOperator::gradient) return {.halo = StripSupport::withoutHalo(), .phases = true};
    // Blocks of statistics are not divided.
    Distribution distribution{
        .halo = StripSupport::withoutHalo(), .phases = true, .unit = RowBlocks(problem.shape.height, problem.shape.width).rowsOfBlock()};
    if (op == ToneOperator::local) distribution.halo.above = distribution.halo.below = planToneMapping(problem).scales.back().radius;
    return distribution;
}

void HostToneMapping::runOperator(const Input& in, const Output& out, RunContext& context) {
    statistics_.clear();
    curve_ = {};
    copyChannels(in, out, context);
    switch (plan_.parameters.op) {
        case ToneOperator::global: runGlobal(in, out, context); break;
        case ToneOperator::local: runLocal(in, out, context); break;
        case ToneOperator::photoreceptor: runPhotoreceptor(in, out, context); break;
        case ToneOperator::histogram: runHistogram(in, out, context); break;
        case ToneOperator::gradient: throw Error(ErrorCode::failed, "The gradient operator has an execution of its own");
    }
}

std::uint64_t HostToneMapping::bytes(const ToneMappingPlan& plan, const Shape& shape, int workers) {
    const auto blocks = static_cast<std::uint64_t>(RowBlocks(shape.height, shape.width).count());
    const auto bins = static_cast<std::uint64_t>(plan.parameters.op == ToneOperator::histogram ? plan.parameters.bins : 0);
    // A worker has a histogram, and tables of its own loops that are as large.
    return blocks * (sizeof(ToneStatistics) + sizeof(std::int64_t)) +
           bins * (2 * static_cast<std::uint64_t>(workers) * sizeof(std::uint64_t) + 4 * sizeof(double));
}

void HostToneMapping::advance(const RunContext& context, std::int64_t rows, std::int64_t pass, std::int64_t passes) const {
    const std::int64_t all = rows * plan_.channels();
    if (context.progress) context.progress->add(all * (pass + 1) / passes - all * pass / passes);
}

void HostToneMapping::copyChannels(const Input& in, const Output& out, RunContext& context) {
    const RowBlocks blocks(in.shape.height, in.shape.width);
    forEach(context, blocks.count() * static_cast<std::int64_t>(plan_.copied.size()), [&](std::int64_t task, int) {
        const int c = plan_.copied[static_cast<std::size_t>(task / blocks.count())];
        const RowRange rows = blocks[task % blocks.count()];
        for (std::int64_t y = rows.first; y < rows.last; ++y) std::copy_n(in.row(y, 0, c), in.shape.width, out.row(y, 0, c));
        if (context.progress) context.progress->add(rows.count());
    });
}

ToneStatistics HostToneMapping::gatherStatistics(const Input& in, RunContext& context, const ToneConstants& constants, int pass, int passes,
                                                 bool ofSamples) {
    const RowBlocks blocks(in.shape.height, in.shape.width);
    std::vector<ToneStatistics> partial(static_cast<std::size_t>(blocks.count()));
    forEach(context, blocks.count(), [&](std::int64_t task, int) {
        ToneStatistics& mine = partial[static_cast<std::size_t>(task)];
        if (ofSamples) addSamples(in, blocks[task], mine);
        else addLuminance(in, blocks[task], constants, mine);
        advance(context, blocks[task].count(), pass, passes);
    });
    ToneStatistics all;
    for (const ToneStatistics& s : ofAllParts(std::move(partial))) all.merge(s);
    return all;
}

std::int64_t HostToneMapping::mapAll(const Input& in, const Output& out, RunContext& context, const ToneConstants& constants,
                                     const AdjustmentCurve* curve, int pass, int passes) {
    const RowBlocks blocks(in.shape.height, in.shape.width);
    std::vector<std::int64_t> brighter(static_cast<std::size_t>(blocks.count()));
    forEach(context, blocks.count(), [&](std::int64_t task, int) {
        brighter[static_cast<std::size_t>(task)] = map(in, out, blocks[task], constants, curve);
        advance(context, blocks[task].count(), pass, passes);
    });
    std::int64_t all[] = {std::reduce(brighter.begin(), brighter.end())};
    sumOverParts(all);
    return all[0];
}

void HostToneMapping::foundBrighterThanWhite(std::int64_t pixels) {
    found("brighter", 100.0 * static_cast<double>(pixels) / static_cast<double>(image_.pixels()));
}

void HostToneMapping::applied(const ToneConstants& constants, const Reduction& luminance, const AdjustmentCurve* curve) {
    if (luminance.empty()) return;
    std::optional<AdjustmentCurve> kept;
    if (curve) kept = *curve;
    curve_ = [this, constants, kept, smallest = luminance.minimum, largest = luminance.maximum] {
        return toneTransferCurve(plan_, constants, kept ? &*kept : nullptr, smallest, largest);
    };
}

void HostToneMapping::runGlobal(const Input& in, const Output& out, RunContext& context) {
    const ToneStatistics all = gatherStatistics(in, context, {}, 0, 2, false);
    const ToneConstants constants = toneConstants(plan_, all);
    const std::int64_t brighter = mapAll(in, out, context, constants, nullptr, 1, 2);
    applied(constants, all.luminance);
    found("log-average", constants.logAverage);
    found("largest", constants.largest);
    found("white", constants.white);
    foundBrighterThanWhite(brighter);
}

/// Rows that the surrounds of a part reach may be those of several parts.
void HostToneMapping::exchangeLuminance(const Partition& rows, std::int64_t reach) {
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    const int rank = communicator_->rank();
    for (int to = 0; to < rows.parts(); ++to) {
        if (rows[to].empty()) continue;
        for (const PartRange& needed : {PartRange{rows[to].first - reach, rows[to].first}, PartRange{rows[to].last, rows[to].last + reach}})
            for (int from = 0; from < rows.parts(); ++from) {
                const std::int64_t first = std::max(needed.first, rows[from].first), last = std::min(needed.last, rows[from].last);
                if (first >= last || (from != rank && to != rank)) continue;
                const View<float> samples = luminanceRows(first - rows[rank].first, last - first);
                if (from == rank) sends.push_back({to, samples});
                else receives.push_back({from, samples});
            }
    }
    if (!sends.empty() || !receives.empty()) communicator_->startExchange(std::move(sends), std::move(receives))->finish();
    localReceived();
}

void HostToneMapping::runLocal(const Input& in, const Output& out, RunContext& context) {
    constexpr int kPasses = 8;  // most of the work lies in the Gaussians
    const std::int64_t reach = plan_.scales.back().radius;
    SurroundRows surround{.own = in.shape.samples() == 0 ? 0 : in.shape.height, .reach = reach};
    Partition parts;
    if (communicator_) {
        parts = placesOf(*communicator_, static_cast<std::size_t>(surround.own));
        const PartRange own = parts[communicator_->rank()];
        if (!own.empty()) {
            surround.above = std::min(reach, own.first);
            surround.below = std::min(reach, parts.units() - own.last);
        }
    }
    localRowsAre(surround);
    const ToneStatistics statistic = gatherStatistics(in, context, {}, 0, kPasses, false);
    const ToneConstants constants = toneConstants(plan_, statistic);
    localBegins(in, constants, context);
    if (communicator_) exchangeLuminance(parts, reach);
    const std::int64_t each = localRows(), bands = divideUp(in.shape.height, each);
    std::vector<std::int64_t> brighter(static_cast<std::size_t>(bands));
    forEach(context, bands, [&](std::int64_t task, int worker) {
        const RowRange rows{task * each, std::min(in.shape.height, (task + 1) * each)};
        brighter[static_cast<std::size_t>(task)] = mapLocal(in, out, rows, constants, worker, context);
        for (int pass = 1; pass < kPasses; ++pass) advance(context, rows.count(), pass, kPasses);
    });
    applied(constants, statistic.luminance);
    found("log-average", constants.logAverage);
    found("largest", constants.largest);
    if (plan_.parameters.output != ToneOutput::image) return;
    std::int64_t all[] = {std::reduce(brighter.begin(), brighter.end())};
    sumOverParts(all);
    foundBrighterThanWhite(all[0]);
}

void HostToneMapping::runPhotoreceptor(const Input& in, const Output& out, RunContext& context) {
    const ToneStatistics ofSamples = gatherStatistics(in, context, {}, 0, 4, true);
    ToneConstants constants = photoreceptorRange(plan_, ofSamples);
    photoreceptorAdaptation(plan_, gatherStatistics(in, context, constants, 1, 4, false), constants);
    const RowBlocks blocks(in.shape.height, in.shape.width);
    std::vector<Reduction> mapped(static_cast<std::size_t>(blocks.count()));
    forEach(context, blocks.count(), [&](std::int64_t task, int) {
        addMapped(in, blocks[task], constants, mapped[static_cast<std::size_t>(task)]);
        advance(context, blocks[task].count(), 2, 4);
    });
    photoreceptorOutput(combine(ofAllParts(std::move(mapped))), constants);
    dataTolerance_ = roundingOfScaledOutput(plan_, constants);
    const std::int64_t brighter = mapAll(in, out, context, constants, nullptr, 3, 4);
    applied(constants, ofSamples.luminance);
    found("largest", constants.largest);
    found("contrast", constants.m);
    foundBrighterThanWhite(brighter);
}

void HostToneMapping::runHistogram(const Input& in, const Output& out, RunContext& context) {
    const ToneStatistics all = gatherStatistics(in, context, {}, 0, 3, false);
    const ToneConstants constants = toneConstants(plan_, all);
    const BinScale<double> scale = adjustmentScale(plan_, all);
    std::vector<Histogram> partial(static_cast<std::size_t>(workers(context)), Histogram(plan_.parameters.bins));
    const RowBlocks blocks(in.shape.height, in.shape.width);
    forEach(context, blocks.count(), [&](std::int64_t task, int worker) {
        addBrightness(in, blocks[task], scale, partial[static_cast<std::size_t>(worker)]);
        advance(context, blocks[task].count(), 1, 3);
    });
    for (std::size_t i = 1; i < partial.size(); ++i) partial.front().merge(partial[i]);
    std::vector<std::int64_t> counts(partial.front().counts().begin(), partial.front().counts().end());
    sumOverParts(counts);
    Histogram histogram(plan_.parameters.bins);
    for (int bin = 0; bin < plan_.parameters.bins; ++bin)
        histogram.add(bin, static_cast<std::uint64_t>(counts[static_cast<std::size_t>(bin)]));
    const AdjustmentCurve curve = adjustmentCurve(plan_, all, histogram);
    const std::int64_t brighter = mapAll(in, out, context, constants, &curve, 2, 3);
    applied(constants, all.luminance, &curve);
    found("log-average", constants.logAverage);
    found("largest", constants.largest);
    found("trimmed", 100 * curve.trimmed);
    foundBrighterThanWhite(brighter);
}

}  // namespace parallax
