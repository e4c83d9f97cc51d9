// SPDX-License-Identifier: GPL-3.0-or-later
// A part of an image on each of several devices: the host combines what each pass found.
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/tone_mapping/execution.hpp"
#include "gpu/parallel/session_group.hpp"

namespace parallax::gpu {

void ToneMappingExecution::runPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& communicator,
                                   RunContext& context) {
    CudaSession& session = cudaSession(context);
    const CurrentDevice current(session.device());
    const cudaStream_t stream = session.stream();
    if (isLocal() && !local_) makeLocal(shape_, bandBytes_, session);
    const bool any = !part.range.empty();
    if (any) copyChannels(plan_.copied, in, out, stream, context);
    const TonePlanes planes = any ? planesOf(in, out) : TonePlanes();
    const std::vector<TonePass> gathered = passesOf(setup_.op);
    const int passes = isLocal() ? kLocalPasses : static_cast<int>(gathered.size()) + (isHistogram() ? 2 : 1);
    int pass = 0;
    const auto backwards = [&] { return pass % 2 == 1; };
    const auto done = [&] {
        advance(context, part.range.count(), pass++, passes);
        context.throwIfStopped();
    };
    context.throwIfStopped();
    ToneMemory memory = this->memory();
    memory.total = total_.data();
    ToneState state{};
    for (const TonePass which : gathered) {
        if (any) launchTonePass(which, planes, setup_, memory, multiprocessors_, backwards(), stream);
        check(cudaStreamSynchronize(stream), "The statistics of tone mapping failed");
        const OfPart own{any ? *total_.data() : TonePart(), state_.data(), session.device()};
        ofParts_ = gatherBlocks<OfPart>(communicator, {&own, 1});
        TonePart all;
        for (const OfPart& found : ofParts_) all.merge(found.statistics);
        concludePass(which, setup_, all, state);
        upload(state_, &state, 1, stream);
        done();
    }
    if (isLocal()) {
        runLocalPart(part, in, out, communicator, context, session);
        return shareBrighter(communicator, context);
    }
    if (isHistogram()) {
        if (!any) clear(counts_, stream);  // a pass over the image clears them
        else launchToneCounts(planes, setup_, memory, multiprocessors_, backwards(), stream);
        std::vector<std::int64_t> counts(counts_.size());
        download(context, counts.data(), reinterpret_cast<const std::int64_t*>(counts_.data()), counts.size());
        communicator.allReduce(counts);
        upload(counts_, reinterpret_cast<const std::uint64_t*>(counts.data()), counts.size(), stream);
        launchToneCurve(setup_, memory, stream);
        done();
    }
    if (any) launchToneMapping(planes, setup_, memory, multiprocessors_, backwards(), stream);
    advance(context, part.range.count(), pass, passes);
    shareBrighter(communicator, context);
}

void ToneMappingExecution::runLocalPart(const ImagePart& part, const View<const float>& in, const View<float>& out,
                                        Communicator& communicator, const RunContext& context, CudaSession& session) {
    if (!part_) part_.emplace(part, plan_.scales.back().radius, plan_.colour, session);
    const auto exchange = part_->startExchange(in, communicator);
    const auto ofPart = [&](const PartRange& rows, std::int64_t first) { return PartRange{rows.first - first, rows.last - first}; };
    if (!part_->interior().empty()) runLocal(planesOf(in, out), ofPart(part_->interior(), part.range.first), context, session.stream());
    exchange->finish();
    for (const LocalPart::Edge& edge : part_->edges()) {
        TonePlanes planes = planesOf(in, out);
        planes.height = edge.needed.count();
        planes.inRowStride = planes.width;
        planes.aligned = planes.aligned && planes.width % 4 == 0;
        planes.padded = false;
        for (int c = 0; c < setup_.channels; ++c) {
            planes.in[c] = edge.input.view<float>().row(0, 0, c);
            planes.out[c] += (edge.needed.first - part.range.first) * planes.outRowStride;
        }
        runLocal(planes, ofPart(edge.rows, edge.needed.first), context, session.stream());
    }
}

void ToneMappingExecution::shareBrighter(Communicator& communicator, RunContext& context) {
    if (!cudaSession(context).group()->isOnRanks()) return;
    ofParts_.clear();
    ToneState own;
    download(context, &own, state_.data(), 1);
    std::int64_t all[] = {static_cast<std::int64_t>(own.brighter)};
    communicator.allReduce(all);
    brighterOnOthers_ = static_cast<unsigned long long>(all[0]) - own.brighter;
}

}  // namespace parallax::gpu
