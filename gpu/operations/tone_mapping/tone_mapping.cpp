// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / cuda / fused, textbook, primitives, cub: statistics, constants and mapping follow each other in the session's stream. Nothing
// is downloaded before the statistics are requested, except on several devices: there the host combines what each pass found. In strips,
// each one adds to the statistics of those before it.
#include "gpu/operations/tone_mapping/tone_mapping.hpp"

#include <algorithm>
#include <optional>

#include "core/engine/parts/part_execution.hpp"
#include "core/operations/tone_mapping/gradient_plan.hpp"
#include "core/operations/tone_mapping/histogram_adjustment.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "core/operations/tone_mapping/transfer_curve.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/tone_mapping/launchers.hpp"
#include "gpu/operations/tone_mapping/local_plan.hpp"
#include "gpu/operations/tone_mapping/slabs.hpp"
#include "gpu/parallel/local_part.hpp"
#include "gpu/parallel/session_group.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch_pacer.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

struct VariantFacts {
    const char* name;
    const char* summary;
    std::optional<TonePrimitives> primitives;
};

/// In the order of ToneVariant.
const VariantFacts kVariants[] = {
    {"fused",
     "One pass over the image for all statistics of the next one, with several 16-byte loads in flight per thread; "
     "logarithms of products instead of sums of logarithms; the last block computes the constants, so that nothing waits for the "
     "host. Local operator: separable Gaussians with their windows in registers",
     std::nullopt},
    {"textbook",
     "Statistics by the textbook primitives: one plane per statistic, reduced by "
     "trees in shared memory, counted by "
     "atomic additions in global memory, scanned by sweeps up and down a tree",
     TonePrimitives{ReductionVariant::tree, HistogramVariant::globalAtomics, ScanVariant::blelloch}},
    {"primitives",
     "Statistics by the tuned primitives: one plane per statistic, reduced by warps in one launch, counted in "
     "private histograms, scanned by up-sweep and down-sweep of a tree",
     TonePrimitives{ReductionVariant::warp, HistogramVariant::privatised, ScanVariant::blelloch}},
    {"cub", "Statistics by CUB: one plane per statistic, then DeviceReduce, DeviceHistogram and DeviceScan",
     TonePrimitives{ReductionVariant::cub, HistogramVariant::cub, ScanVariant::cub}}};

/// Device memory besides that of LocalPlan and of the primitives.
std::uint64_t sharedBytes(const ToneMappingPlan& plan, std::int64_t blocks) {
    const auto bins = static_cast<std::uint64_t>(plan.parameters.op == ToneOperator::histogram ? plan.parameters.bins : 0);
    return sizeof(ToneState) + static_cast<std::uint64_t>(blocks) * sizeof(TonePart) + (bins + 2) * 2 * sizeof(std::uint64_t) +
           (bins + 1) * sizeof(float) + sizeof(unsigned);
}

class ToneMappingExecution final : public Execution, public PartExecution {
public:
    ToneMappingExecution(const VariantFacts& facts, std::uint64_t bandBytes, const Problem& problem, const CudaSession& session)
        : facts_(facts),
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
        if (facts_.primitives) {
            primitiveMemory_ = tonePrimitiveBytes(*facts_.primitives, pixels_, isHistogram() ? setup_.bins : 0);
            plane_ = {session.allocator(), static_cast<std::size_t>(pixels_)};
            results_ = {session.allocator(), kTonePrimitiveResultBytes};
            primitiveMemory_.plane = plane_.data();
            primitiveMemory_.results = results_.data();
            Workspace* const workspaces[] = {&primitiveMemory_.reduction, &primitiveMemory_.histogram, &primitiveMemory_.scan};
            for (int i = 0; i < 3; ++i) {
                workspaces_[i] = {session.allocator(), workspaces[i]->bytes};
                workspaces[i]->data = workspaces_[i].data();
            }
            initialiseTonePrimitives(*facts_.primitives, primitiveMemory_, stream);
            preloadTonePrimitives(*facts_.primitives, setup_);
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

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
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
            if (facts_.primitives) launchTonePassByPrimitives(which, planes, setup_, *facts_.primitives, memory, primitiveMemory_, stream);
            else launchTonePass(which, planes, setup_, memory, multiprocessors_, backwards(), stream);
            done();
        }
        if (isLocal()) return runLocal(planes, {0, planes.height}, context, stream);
        if (isHistogram()) {
            if (facts_.primitives) {
                launchToneCountsByPrimitives(planes, setup_, *facts_.primitives, memory, primitiveMemory_, stream);
                launchToneCurveByPrimitives(setup_, *facts_.primitives, memory, primitiveMemory_, stream);
            } else {
                launchToneCounts(planes, setup_, memory, multiprocessors_, backwards(), stream);
                launchToneCurve(setup_, memory, stream);
            }
            done();
        }
        launchToneMapping(planes, setup_, memory, multiprocessors_, backwards(), stream);
        advance(context, in.shape.height, pass, passes);
    }

    void runPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& communicator,
                 RunContext& context) override {
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

    StripPlan prepareSlabs(const StripLimits& limits, std::uint64_t memory, RunContext& context) override {
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

    void runStrip(const StripPlan&, const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& given) override {
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

    std::vector<Statistic> statistics(RunContext& context) override {
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

    /// Known once the statistics of the run are.
    double dataTolerance() const override { return dataTolerance_; }

    TransferCurve transferCurve(RunContext& context) override {
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

private:
    /// What one part of a run on several devices found, and where its state is.
    struct OfPart {
        TonePart statistics;
        const ToneState* state;
        int device;
    };
    static constexpr int kLocalPasses = 8;  // most of the work is in the Gaussians

    bool isHistogram() const { return setup_.op == ToneOperator::histogram; }
    bool isLocal() const { return setup_.op == ToneOperator::local; }

    /// Makes weights and memory for bands of an image of this shape.
    void makeLocal(const Shape& shape, std::uint64_t bandBytes, const CudaSession& session) {
        local_.emplace(plan_, shape, bandBytes);
        weights_ = {session.allocator(), std::span<const float>(local_->weights), session.stream()};
        filtered_ = {session.allocator(), local_->floats()};
        local_->band.weights = weights_.data();
        local_->band.filtered = filtered_.data();
    }

    template <class T>
    static void clear(DeviceBuffer<T>& buffer, cudaStream_t stream) {
        check(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream), "The memory of tone mapping could not be cleared");
    }
    template <class T>
    static void upload(DeviceBuffer<T>& buffer, const T* values, std::size_t count, cudaStream_t stream) {
        check(cudaMemcpyAsync(buffer.data(), values, count * sizeof(T), cudaMemcpyHostToDevice, stream),
              "Statistics could not be uploaded");
    }
    template <class T>
    static void download(RunContext& context, T* to, const T* from, std::size_t count) {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        check(cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost, session.stream()), "Statistics could not be downloaded");
        check(cudaStreamSynchronize(session.stream()), "Statistics could not be downloaded");
    }
    /// Counts pixels brighter than white on other ranks, whose states this one cannot read later.
    void shareBrighter(Communicator& communicator, RunContext& context) {
        if (!cudaSession(context).group()->isOnRanks()) return;
        ofParts_.clear();
        ToneState own;
        download(context, &own, state_.data(), 1);
        std::int64_t all[] = {static_cast<std::int64_t>(own.brighter)};
        communicator.allReduce(all);
        brighterOnOthers_ = static_cast<unsigned long long>(all[0]) - own.brighter;
    }
    /// Downloads the state of the last run: the host sees nothing of recorded runs. Pixels brighter than white are those of all parts.
    ToneState found(RunContext& context) {
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

    ToneMemory memory() {
        return {.state = state_.data(),
                .parts = parts_.data(),
                .ticket = ticket_.data(),
                .counts = counts_.data(),
                .fixed = fixed_.data(),
                .cumulative = cumulative_.data()};
    }

    TonePlanes planesOf(const View<const float>& in, const View<float>& out) const {
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
    void findAlignment(TonePlanes& p) const {
        const auto isAligned = [](const float* row) { return reinterpret_cast<std::uintptr_t>(row) % (4 * sizeof(float)) == 0; };
        const bool dense = p.inRowStride == p.width && p.outRowStride == p.width;
        p.padded = !dense && (p.inRowStride | p.outRowStride) % 4 == 0;
        p.aligned = dense || p.padded;
        for (int i = 0; i < setup_.channels; ++i) p.aligned = p.aligned && isAligned(p.in[i]) && isAligned(p.out[i]);
        p.padded = p.padded && p.aligned;
    }

    /// The rows of a strip's input, in its buffer or among the kept ones. Row i of the result is that of row i of the input.
    TonePlanes planesOf(const ToneSlab& slab, const View<const float>& in, const View<float>& out) const {
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
    /// Copies the channels behind the colours of a strip.
    void copyOthers(const ToneSlab& slab, const View<const float>& in, const View<float>& out, cudaStream_t stream) const {
        const std::int64_t rows = slabs_.channelSamples(slab.rows.count());
        const std::int64_t before = slab.kept ? 0 : setup_.channels * slabs_.channelSamples(slab.input.count());
        if (plan_.copied.empty()) return;
        check(cudaMemcpyAsync(out.data + setup_.channels * rows, in.data + before,
                              plan_.copied.size() * static_cast<std::size_t>(rows) * sizeof(float), cudaMemcpyDeviceToDevice, stream),
              "Channels could not be copied");
    }
    /// Copies the colours of a strip for the passes that follow.
    void keep(const ToneSlab& slab, const View<const float>& in, cudaStream_t stream) {
        const auto bytes = [](std::int64_t samples) { return static_cast<std::size_t>(samples) * sizeof(float); };
        check(cudaMemcpy2DAsync(kept_.data() + slab.rows.first * shape_.width, bytes(slabs_.channelSamples(slabs_.keptRows)), in.data,
                                bytes(slabs_.channelSamples(slab.rows.count())), bytes(slab.rows.count() * shape_.width),
                                static_cast<std::size_t>(setup_.channels), cudaMemcpyDeviceToDevice, stream),
              "Rows could not be kept on the device");
    }

    void advance(const RunContext& context, std::int64_t rows, std::int64_t pass, std::int64_t passes) const {
        const std::int64_t all = rows * setup_.channels;
        if (context.progress) context.progress->add(all * (pass + 1) / passes - all * pass / passes);
    }

    /// `rows`: to compute; the others are only read.
    void runLocal(const TonePlanes& planes, const PartRange& rows, const RunContext& context, cudaStream_t stream) {
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

    /// The local operator on a part. Rows that need no other part are computed while the edges are exchanged.
    void runLocalPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& communicator,
                      const RunContext& context, CudaSession& session) {
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

    const VariantFacts& facts_;
    std::uint64_t bandBytes_;
    Shape shape_;
    ToneMappingPlan plan_;
    ToneSetup setup_;
    double dataTolerance_ = 0;
    std::int64_t pixels_;
    int multiprocessors_;
    DeviceBuffer<ToneState> state_;
    DeviceBuffer<unsigned> ticket_;
    DeviceBuffer<TonePart> total_;  // of the part of this device, in page-locked memory
    std::vector<OfPart> ofParts_;   // of a run on several devices of this process
    unsigned long long brighterOnOthers_ = 0;
    std::optional<LocalPart> part_;  // of the local operator there
    DeviceBuffer<TonePart> parts_;
    DeviceBuffer<std::uint64_t> counts_, fixed_;
    DeviceBuffer<float> cumulative_;
    TonePrimitiveMemory primitiveMemory_;
    DeviceBuffer<float> plane_;
    DeviceBuffer<unsigned char> results_, workspaces_[3];
    std::optional<LocalPlan> local_;
    DeviceBuffer<float> weights_, filtered_;

    // In strips.
    ToneSlabs slabs_;
    DeviceBuffer<TonePart> accumulated_;  // statistics of the strips of a pass so far
    DeviceBuffer<float> kept_;            // the first rows of all colours
};

class ToneMapping final : public Implementation {
public:
    ToneMapping(ToneVariant variant, std::uint64_t bandBytes) : facts_(kVariants[static_cast<int>(variant)]), bandBytes_(bandBytes) {}
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return facts_.name; }
    std::string summary() const override { return facts_.summary; }
    Support supports(const Problem& problem) const override {
        if (const Support support = supportsPointwise(planToneMapping(problem)); !support) return support;
        return axesFit(problem.shape);
    }

    MemoryEstimate estimate(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const std::int64_t pixels = problem.shape.pixels();
        int multiprocessors = 1;
        for (int device = 0; device < deviceCount(); ++device)
            multiprocessors = std::max(multiprocessors, deviceLimits(device).multiprocessors);
        MemoryEstimate e{.host = stagingBytes() + sizeof(ToneState), .device = sharedBytes(plan, toneBlocks(pixels, multiprocessors))};
        if (plan.parameters.op == ToneOperator::local) {
            e.device += LocalPlan(plan, problem.shape, bandBytes_).bytes();
        }
        if (facts_.primitives) {
            const bool histogram = plan.parameters.op == ToneOperator::histogram;
            const TonePrimitiveMemory own = tonePrimitiveBytes(*facts_.primitives, pixels, histogram ? plan.parameters.bins : 0);
            e.device += static_cast<std::uint64_t>(pixels) * sizeof(float) + kTonePrimitiveResultBytes + own.reduction.bytes +
                        own.histogram.bytes + own.scan.bytes;
        }
        return e;
    }

    RowPadding acceptsPadding(const Problem& problem) const override {
        const bool isLocal = planToneMapping(problem).parameters.op == ToneOperator::local;
        const bool fast = isLocal || problem.shape.width >= kNarrowestPaddedRow;
        return {fast, fast};
    }
    Support slabs(const Problem&) const override { return facts_.primitives ? Support::no(kNeedWhole) : Support{}; }
    Distribution distribution(const Problem& problem) const override {
        if (facts_.primitives) return {.halo = StripSupport::no(kNeedWhole)};
        Distribution distribution{.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = false};
        const ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::local) distribution.halo.above = distribution.halo.below = plan.scales.back().radius;
        return distribution;
    }
    Support recording(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        if (plan.parameters.op == ToneOperator::local && LocalPlan(plan, problem.shape, bandBytes_).bands(problem.shape.height) > 1)
            return Support::no("The run is too long to be recorded, since it could not be cancelled");
        return {};
    }

    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<ToneMappingExecution>(facts_, bandBytes_, problem, session);
    }

private:
    static constexpr const char* kNeedWhole = "The primitives gather statistics of a whole image";
    const VariantFacts& facts_;
    std::uint64_t bandBytes_;
};

}  // namespace

ToneSetup toneSetup(const ToneMappingPlan& plan, std::int64_t pixels) {
    const ToneMappingParameters& p = plan.parameters;
    ToneSetup s;
    static_cast<ToneControls&>(s) = plan.controls;
    for (int i = 0; i < 3; ++i) s.weights.c[i] = static_cast<float>(plan.weights.c[i]);
    s.op = p.op;
    s.delta = p.delta;
    s.light = p.light;
    s.displayRange = p.displayRange;
    s.coding = ToneCoding::of(p.encoding, p.gamma);
    s.pixels = pixels;
    s.saturation = static_cast<float>(p.saturation);
    s.epsilon = static_cast<float>(p.epsilon);
    s.largestRatio = static_cast<float>(plan.largestRatio);
    s.bins = p.bins;
    s.ceiling = p.ceiling;
    s.showScale = p.output == ToneOutput::scale;
    return s;
}

TonePlanes flattened(const TonePlanes& planes) {
    if (planes.inRowStride != planes.width || planes.outRowStride != planes.width) return planes;
    TonePlanes row = planes;
    row.width = planes.width * planes.height;
    row.height = 1;
    row.inRowStride = row.outRowStride = row.width;
    return row;
}

std::int64_t toneBlocks(std::int64_t pixels, int multiprocessors, const ToneMapTuning& tuning) {
    // 32-bit counters and sums of exponents suffice for 2^23 pixels per block.
    return std::max<std::int64_t>(std::int64_t{tuning.blocks} * std::max(multiprocessors, 1), (pixels >> 23) + 1);
}

std::unique_ptr<Implementation> makeToneMapping(ToneVariant variant, std::uint64_t bandBytes) {
    return std::make_unique<ToneMapping>(variant, bandBytes);
}

}  // namespace parallax::gpu
