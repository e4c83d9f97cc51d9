// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/execution.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/tone_mapping/histogram_adjustment.hpp"
#include "core/operations/tone_mapping/transfer_curve.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/runtime/launch_pacer.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"

namespace parallax::gpu {

std::uint64_t ToneMappingExecution::sharedBytes(const ToneMappingPlan& plan, std::int64_t blocks) {
    const auto bins = static_cast<std::uint64_t>(plan.parameters.op == ToneOperator::histogram ? plan.parameters.bins : 0);
    return sizeof(ToneState) + static_cast<std::uint64_t>(blocks) * sizeof(TonePart) + (bins + 2) * 2 * sizeof(std::uint64_t) +
           (bins + 1) * sizeof(float) + sizeof(unsigned);
}

ToneMappingExecution::ToneMappingExecution(const std::optional<TonePrimitives>& primitives, std::uint64_t bandBytes, const Problem& problem,
                                           const CudaSession& session)
    : primitives_(primitives),
      bandBytes_(bandBytes),
      shape_(problem.shape),
      plan_(planToneMapping(problem)),
      setup_(toneSetup(plan_, problem.shape.pixels())),
      pixels_(problem.shape.pixels()),
      multiprocessors_(deviceLimits(session.device()).multiprocessors),
      state_(session.allocator(), 1),
      ticket_(session.allocator(), 1),
      total_(pinnedAllocator(session.device()), 1),
      parts_(session.allocator(), static_cast<std::size_t>(toneBlocks(pixels_, multiprocessors_))) {
    const cudaStream_t stream = session.stream();
    clear(state_, stream);
    clear(ticket_, stream);
    if (isHistogram()) {
        const auto bins = static_cast<std::size_t>(setup_.bins);
        counts_ = {session.allocator(), bins + kHistogramExtraCounts};
        fixed_ = {session.allocator(), bins + 1};
        cumulative_ = {session.allocator(), bins + 1};
        clear(counts_, stream);
    }
    if (primitives_) {
        primitiveMemory_ = tonePrimitiveBytes(*primitives_, pixels_, isHistogram() ? setup_.bins : 0);
        plane_ = {session.allocator(), static_cast<std::size_t>(pixels_)};
        results_ = {session.allocator(), kTonePrimitiveResultBytes};
        primitiveMemory_.plane = plane_.data();
        primitiveMemory_.results = results_.data();
        Workspace* const workspaces[] = {&primitiveMemory_.reduction, &primitiveMemory_.histogram, &primitiveMemory_.scan};
        for (int i = 0; i < 3; ++i) {
            workspaces_[i] = {session.allocator(), workspaces[i]->bytes};
            workspaces[i]->data = workspaces_[i].data();
        }
        initialiseTonePrimitives(*primitives_, primitiveMemory_, stream);
        preloadTonePrimitives(*primitives_, setup_);
    }
    preloadTonePasses(setup_);
    if (isHistogram()) preloadToneHistogram(setup_);
    if (!isLocal()) return;
    preloadToneBand(setup_);
    // If the whole does not fit, the engine will ask for strips.
    const std::uint64_t whole =
        LocalPlan(plan_, shape_, bandBytes_).bytes() + 2 * static_cast<std::uint64_t>(shape_.samples()) * sizeof(float);
    if (whole <= freeDeviceMemory(session.device())) makeLocal(shape_, bandBytes_, session);
}

void ToneMappingExecution::makeLocal(const Shape& shape, std::uint64_t bandBytes, const CudaSession& session) {
    local_.emplace(plan_, shape, bandBytes);
    weights_ = {session.allocator(), std::span<const float>(local_->weights), session.stream()};
    filtered_ = {session.allocator(), local_->floats()};
    local_->band.weights = weights_.data();
    local_->band.filtered = filtered_.data();
}

void ToneMappingExecution::run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) {
    const View<const float>& in = inputs[0];
    const View<float>& out = outputs[0];
    const CudaSession& session = cudaSession(context);
    const CurrentDevice current(session.device());
    const cudaStream_t stream = session.stream();
    copyChannels(plan_.copied, in, out, stream, context);
    if (isLocal() && !local_) makeLocal(shape_, bandBytes_, session);
    const TonePlanes planes = planesOf(in, out);
    const ToneMemory memory = this->memory();
    const std::vector<TonePass> gathered = passesOf(setup_.op);
    const int passes = isLocal() ? kLocalPasses : static_cast<int>(gathered.size()) + (isHistogram() ? 2 : 1);
    int pass = 0;
    // Each pass begins where the previous one ended, which the level-2 cache still holds.
    const auto backwards = [&] { return pass % 2 == 1; };
    const auto done = [&] {
        advance(context, in.shape.height, pass, passes);
        ++pass;
        context.throwIfStopped();
    };
    context.throwIfStopped();
    for (const TonePass which : gathered) {
        if (primitives_) launchTonePassByPrimitives(which, planes, setup_, *primitives_, memory, primitiveMemory_, stream);
        else launchTonePass(which, planes, setup_, memory, multiprocessors_, backwards(), stream);
        done();
    }
    if (isLocal()) return runLocal(planes, {0, planes.height}, context, stream);
    if (isHistogram()) {
        if (primitives_) {
            launchToneCountsByPrimitives(planes, setup_, *primitives_, memory, primitiveMemory_, stream);
            launchToneCurveByPrimitives(setup_, *primitives_, memory, primitiveMemory_, stream);
        } else {
            launchToneCounts(planes, setup_, memory, multiprocessors_, backwards(), stream);
            launchToneCurve(setup_, memory, stream);
        }
        done();
    }
    launchToneMapping(planes, setup_, memory, multiprocessors_, backwards(), stream);
    advance(context, in.shape.height, pass, passes);
}

void ToneMappingExecution::runLocal(const TonePlanes& planes, const PartRange& rows, const RunContext& context, cudaStream_t stream) {
    std::optional<LaunchPacer> pacer;
    if (local_->bands(rows.count()) > 1) pacer.emplace(stream);
    for (std::int64_t begin = rows.first; begin < rows.last; begin += local_->bandRows) {
        context.throwIfStopped();
        const ToneBand band = local_->bandAt(begin, rows.last);
        launchToneRows(planes, setup_, band, local_->argument, memory(), stream);
        launchToneColumns(planes, setup_, band, local_->argument, memory(), stream);
        if (pacer) pacer->launched();
        for (int pass = 1; pass < kLocalPasses; ++pass) advance(context, band.end - band.begin, pass, kLocalPasses);
    }
}

void ToneMappingExecution::advance(const RunContext& context, std::int64_t rows, std::int64_t pass, std::int64_t passes) const {
    const std::int64_t all = rows * setup_.channels;
    if (context.progress) context.progress->add(all * (pass + 1) / passes - all * pass / passes);
}

ToneMemory ToneMappingExecution::memory() {
    return {.state = state_.data(),
            .parts = parts_.data(),
            .ticket = ticket_.data(),
            .counts = counts_.data(),
            .fixed = fixed_.data(),
            .cumulative = cumulative_.data()};
}

TonePlanes ToneMappingExecution::planesOf(const View<const float>& in, const View<float>& out) const {
    TonePlanes p;
    p.width = in.shape.width;
    p.height = in.shape.height;
    p.inRowStride = in.rowStride;
    p.outRowStride = out.rowStride;
    for (int i = 0; i < setup_.channels; ++i) {
        p.in[i] = in.row(0, 0, plan_.colour[static_cast<std::size_t>(i)]);
        p.out[i] = out.row(0, 0, plan_.colour[static_cast<std::size_t>(i)]);
    }
    findAlignment(p);
    return p;
}

void ToneMappingExecution::findAlignment(TonePlanes& p) const {
    const auto isAligned = [](const float* row) { return reinterpret_cast<std::uintptr_t>(row) % (4 * sizeof(float)) == 0; };
    const bool dense = p.inRowStride == p.width && p.outRowStride == p.width;
    p.padded = !dense && (p.inRowStride | p.outRowStride) % 4 == 0;
    p.aligned = dense || p.padded;
    for (int i = 0; i < setup_.channels; ++i) p.aligned = p.aligned && isAligned(p.in[i]) && isAligned(p.out[i]);
    p.padded = p.padded && p.aligned;
}

std::vector<Statistic> ToneMappingExecution::statistics(RunContext& context) {
    const ToneState s = found(context);
    const double brighter = 100.0 * static_cast<double>(s.brighter) / static_cast<double>(pixels_);
    switch (setup_.op) {
        case ToneOperator::global:
            return {{"log-average", s.logAverage}, {"largest", s.largest}, {"white", s.white}, {"brighter", brighter}};
        case ToneOperator::local:
            if (setup_.showScale) return {{"log-average", s.logAverage}, {"largest", s.largest}};
            return {{"log-average", s.logAverage}, {"largest", s.largest}, {"brighter", brighter}};
        case ToneOperator::photoreceptor: return {{"largest", s.largest}, {"contrast", s.m}, {"brighter", brighter}};
        case ToneOperator::histogram:
            return {{"log-average", s.logAverage}, {"largest", s.largest}, {"trimmed", 100 * s.trimmed}, {"brighter", brighter}};
        case ToneOperator::gradient: break;  // GradientExecution
    }
    return {};
}

TransferCurve ToneMappingExecution::transferCurve(RunContext& context) {
    const ToneState s = found(context);
    if (s.count == 0) return {};
    std::optional<AdjustmentCurve> curve;
    if (isHistogram()) {
        curve.emplace();
        curve->scale = {s.first, s.perUnit, setup_.bins};
        curve->logRange = std::log(setup_.displayRange);
        curve->perRange = 1 / (setup_.displayRange - 1);
        curve->trimmed = s.trimmed;
        curve->linear = s.linear;
        if (s.linear == 0) {
            std::vector<float> edges(static_cast<std::size_t>(setup_.bins) + 1);
            download(context, edges.data(), cumulative_.data(), edges.size());
            curve->cumulative.assign(edges.begin(), edges.end());
        }
    }
    return toneTransferCurve(plan_, s, curve ? &*curve : nullptr, s.smallest, s.largest);
}

ToneState ToneMappingExecution::found(RunContext& context) {
    ToneState state;
    download(context, &state, state_.data(), 1);
    state.brighter += brighterOnOthers_;
    for (const OfPart& other : ofParts_) {
        if (other.state == state_.data()) continue;
        const CurrentDevice current(other.device);
        ToneState of;
        check(cudaMemcpy(&of, other.state, sizeof of, cudaMemcpyDeviceToHost), "Statistics could not be downloaded");
        state.brighter += of.brighter;
    }
    if (setup_.op == ToneOperator::photoreceptor) dataTolerance_ = roundingOfScaledOutput(plan_, state);
    return state;
}

}  // namespace parallax::gpu
