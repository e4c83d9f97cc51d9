// SPDX-License-Identifier: GPL-3.0-or-later
// Strips of an image that the device cannot hold: each one adds to the statistics of those before it.
#include <algorithm>

#include "gpu/operations/tone_mapping/execution.hpp"

namespace parallax::gpu {

StripPlan ToneMappingExecution::prepareSlabs(const StripLimits& limits, std::uint64_t memory, RunContext& context) {
    const CudaSession& session = cudaSession(context);
    const CurrentDevice current(session.device());
    kept_ = {};
    filtered_ = {};
    local_.reset();
    accumulated_ = {session.allocator(), 1};
    const std::uint64_t shared = sharedBytes(plan_, static_cast<std::int64_t>(parts_.size())) + sizeof(TonePart);
    // A quarter of the memory, since strips of a few rows read their halos again and again.
    const std::uint64_t bandBytes = std::min(bandBytes_, memory / 4);
    slabs_ = planToneSlabs(plan_, shape_, limits, memory, shared + (isLocal() ? LocalPlan(plan_, shape_, bandBytes).bytes() : 0));
    if (isLocal()) makeLocal({shape_.width, slabs_.rows, 1, shape_.channels}, bandBytes, session);
    kept_ = {session.allocator(), static_cast<std::size_t>(setup_.channels * slabs_.channelSamples(slabs_.keptRows))};
    slabs_.strips.ownBytes = shared + (isLocal() ? local_->bytes() : 0) + kept_.size() * sizeof(float);
    return slabs_.strips;
}

void ToneMappingExecution::runStrip(const StripPlan&, const Strip& strip, const View<const float>& in, const View<float>& out,
                                    RunContext& given) {
    RunContext context = given;
    context.progress = nullptr;  // counts whole strips
    const CudaSession& session = cudaSession(context);
    const CurrentDevice current(session.device());
    const cudaStream_t stream = session.stream();
    const ToneSlab& slab = slabs_.slabs[static_cast<std::size_t>(strip.plane)];
    const TonePlanes planes = planesOf(slab, in, out);
    ToneMemory memory = this->memory();
    memory.total = accumulated_.data();
    memory.continues = !slab.begins;
    switch (slab.kind) {
        case ToneSlab::Kind::gather: launchTonePass(slab.pass, planes, setup_, memory, multiprocessors_, false, stream); break;
        case ToneSlab::Kind::count:
            launchToneCounts(planes, setup_, memory, multiprocessors_, false, stream);
            if (slab.ends) launchToneCurve(setup_, memory, stream);
            break;
        case ToneSlab::Kind::map:
            if (isLocal()) runLocal(planes, {slab.rows.first - slab.input.first, slab.rows.last - slab.input.first}, context, stream);
            else launchToneMapping(planes, setup_, memory, multiprocessors_, false, stream);
            copyOthers(slab, in, out, stream);
            break;
    }
    if (slab.keeps) keep(slab, in, stream);
}

TonePlanes ToneMappingExecution::planesOf(const ToneSlab& slab, const View<const float>& in, const View<float>& out) const {
    TonePlanes p;
    p.width = p.inRowStride = p.outRowStride = shape_.width;
    p.height = slab.input.count();
    for (int i = 0; i < setup_.channels; ++i) {
        p.in[i] = slab.kept ? kept_.data() + i * slabs_.channelSamples(slabs_.keptRows) + slab.input.first * shape_.width
                            : in.data + i * slabs_.channelSamples(slab.input.count());
        if (slab.kind == ToneSlab::Kind::map)
            p.out[i] = out.data + i * slabs_.channelSamples(slab.rows.count()) - (slab.rows.first - slab.input.first) * shape_.width;
    }
    findAlignment(p);
    return p;
}

void ToneMappingExecution::copyOthers(const ToneSlab& slab, const View<const float>& in, const View<float>& out,
                                      cudaStream_t stream) const {
    const std::int64_t rows = slabs_.channelSamples(slab.rows.count());
    const std::int64_t before = slab.kept ? 0 : setup_.channels * slabs_.channelSamples(slab.input.count());
    if (plan_.copied.empty()) return;
    check(cudaMemcpyAsync(out.data + setup_.channels * rows, in.data + before,
                          plan_.copied.size() * static_cast<std::size_t>(rows) * sizeof(float), cudaMemcpyDeviceToDevice, stream),
          "Channels could not be copied");
}

void ToneMappingExecution::keep(const ToneSlab& slab, const View<const float>& in, cudaStream_t stream) {
    const auto bytes = [](std::int64_t samples) { return static_cast<std::size_t>(samples) * sizeof(float); };
    check(cudaMemcpy2DAsync(kept_.data() + slab.rows.first * shape_.width, bytes(slabs_.channelSamples(slabs_.keptRows)), in.data,
                            bytes(slabs_.channelSamples(slab.rows.count())), bytes(slab.rows.count() * shape_.width),
                            static_cast<std::size_t>(setup_.channels), cudaMemcpyDeviceToDevice, stream),
          "Rows could not be kept on the device");
}

}  // namespace parallax::gpu
