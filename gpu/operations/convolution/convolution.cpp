// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / cuda / direct, tiled, naive.
#include "parallax/gpu/operations/convolution/convolution.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>

#include "parallax/gpu/operations/convolution/launchers.hpp"
#include "parallax/gpu/operations/convolution/tuning.hpp"
#include "parallax/gpu/runtime/cuda_check.hpp"
#include "parallax/gpu/runtime/device.hpp"
#include "parallax/gpu/runtime/device_buffer.hpp"
#include "parallax/gpu/runtime/pinned_allocator.hpp"
#include "parallax/gpu/session.hpp"
#include "parallax/operations/convolution/kernel.hpp"

namespace parallax::gpu {
namespace {

struct VariantFunctions {
    const char* name;
    const char* summary;
    void (*launch)(const ConvolutionLaunch&, cudaStream_t);
    void (*preload)(const ConvolutionLaunch&);
};

const VariantFunctions& functionsOf(ConvolutionVariant variant) {
    static constexpr VariantFunctions direct{"direct",
                                             "Each thread makes 4 x 4 pixels from 16-byte loads through L1; weights in the constant bank, "
                                             "everything unrolled for odd squares up to 15; from shared memory where that is faster",
                                             &launchDirect, &preloadDirect};
    static constexpr VariantFunctions tiled{"tiled", "As a textbook has it: 16 x 16 tiles with a halo in shared memory, a thread a pixel",
                                            &launchTiled, &preloadTiled};
    static constexpr VariantFunctions naive{"naive", "As a textbook has it: a thread a pixel, every sample from global memory",
                                            &launchNaive, &preloadNaive};
    switch (variant) {
        case ConvolutionVariant::direct: return direct;
        case ConvolutionVariant::tiled: return tiled;
        case ConvolutionVariant::naive: return naive;
    }
    return direct;
}

/// What stands for indices just outside of an axis, on the host: before, then after (EdgeTable).
std::vector<int> edgeTable(std::int64_t n, BorderRule rule) {
    std::vector<int> table;
    table.reserve(2 * kEdgeReach);
    for (std::int64_t i = 0; i < kEdgeReach; ++i) table.push_back(static_cast<int>(borderIndex(-1 - i, n, rule)));
    for (std::int64_t i = 0; i < kEdgeReach; ++i) table.push_back(static_cast<int>(borderIndex(n + i, n, rule)));
    return table;
}

/// Keeps few launches in flight, so that a cancel need not wait for hours of enqueued work.
class LaunchPacer {
public:
    explicit LaunchPacer(cudaStream_t stream) : stream_(stream) {}
    void launched() {
        if (reserve_.empty()) reserve_.emplace_back(Event::Kind::ordering);
        inFlight_.push_back(std::move(reserve_.back()));
        reserve_.pop_back();
        inFlight_.back().record(stream_);
        if (inFlight_.size() <= static_cast<std::size_t>(kLaunchesInFlight)) return;
        inFlight_.front().wait();
        reserve_.push_back(std::move(inFlight_.front()));
        inFlight_.pop_front();
    }

private:
    cudaStream_t stream_;
    std::deque<Event> inFlight_, reserve_;
};

class ConvolutionExecution final : public Execution {
public:
    ConvolutionExecution(const VariantFunctions& functions, const Problem& problem, ConvolutionPlan plan, const CudaSession& session)
        : functions_(functions),
          plan_(std::move(plan)),
          hostWeights_(plan_.kernel.floatWeights()),
          weights_(session.allocator(), std::span<const float>(hostWeights_), session.stream()),
          columns_(session.allocator(), std::span<const int>(edgeTable(problem.shape.width, plan_.border)), session.stream()),
          rows_(session.allocator(), std::span<const int>(edgeTable(problem.shape.height, plan_.border)), session.stream()) {
        multiprocessors_ = deviceLimits(session.device()).multiprocessors;
        ConvolutionLaunch launch = makeLaunch(problem.shape);
        launch.planes.depth = static_cast<int>(launchPlanes(problem.shape));
        functions_.preload(launch);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        for (const int c : plan_.copied) copyChannel(in.channel(c), out.channel(c), session.stream(), context);

        ConvolutionLaunch launch = makeLaunch(in.shape);
        launch.streaming = 8 * static_cast<std::uint64_t>(in.shape.samples()) > deviceLimits(session.device()).cacheBytes;
        // A launch cannot be stopped: very long ones are cut into bands of rows.
        const double rowWork = static_cast<double>(in.shape.width) * static_cast<double>(launchPlanes(in.shape)) * plan_.kernel.taps();
        const int band = static_cast<int>(std::clamp(kLaunchMultiplyAdds / rowWork / kBandRounding, 1.0, 1e6)) * kBandRounding;
        const double work = static_cast<double>(in.shape.pixels()) * static_cast<double>(plan_.filtered.size()) * plan_.kernel.taps();
        const bool paced = work > kLaunchMultiplyAdds;
        std::optional<LaunchPacer> pacer;
        if (paced) pacer.emplace(session.stream());
        for (const PlaneGroup& group : planeGroups(in, out)) {
            Planes& p = launch.planes;
            p.in = in.row(0, 0, group.channel);
            p.out = out.row(0, 0, group.channel);
            p.inRowStride = in.rowStride;
            p.inSliceStride = group.inStride;
            p.outRowStride = out.rowStride;
            p.outSliceStride = group.outStride;
            p.depth = group.planes;
            const int height = static_cast<int>(in.shape.height);
            for (int row = 0; row < height; row += std::min(band, height - row)) {
                context.throwIfStopped();
                p.rowBegin = row;
                p.rowEnd = row + std::min(band, height - row);
                functions_.launch(launch, session.stream());
                if (pacer) pacer->launched();
                if (context.progress) context.progress->add(std::int64_t{p.rowEnd - p.rowBegin} * p.depth);
            }
        }
    }

private:
    static constexpr int kBandRounding = 64;  ///< a multiple of every kernel's block height

    /// Planes that one launch works on: all slices of a channel or, in an image, channels that follow each other, since one
    /// channel of a small image leaves most of a large GPU idle.
    struct PlaneGroup {
        int channel = 0;  ///< the first
        int planes = 0;
        std::int64_t inStride = 0, outStride = 0;
    };
    std::vector<PlaneGroup> planeGroups(const View<const float>& in, const View<float>& out) const {
        std::vector<PlaneGroup> groups;
        for (const int c : plan_.filtered) {
            if (in.shape.depth > 1) groups.push_back({c, static_cast<int>(in.shape.depth), in.sliceStride, out.sliceStride});
            else if (!groups.empty() && groups.back().channel + groups.back().planes == c) ++groups.back().planes;
            else groups.push_back({c, 1, in.channelStride, out.channelStride});
        }
        return groups;
    }
    std::int64_t launchPlanes(const Shape& shape) const {
        return shape.depth > 1 ? shape.depth : static_cast<std::int64_t>(plan_.filtered.size());
    }

    ConvolutionLaunch makeLaunch(const Shape& shape) const {
        ConvolutionLaunch l;
        l.planes.width = static_cast<int>(shape.width);
        l.planes.height = static_cast<int>(shape.height);
        l.planes.depth = static_cast<int>(shape.depth);
        l.planes.rowEnd = l.planes.height;
        l.kernelWidth = plan_.kernel.width;
        l.kernelHeight = plan_.kernel.height;
        l.anchorX = plan_.kernel.anchorX;
        l.anchorY = plan_.kernel.anchorY;
        l.rule = plan_.border;
        l.borderValue = plan_.borderValue;
        l.offset = plan_.offset;
        l.columns = {columns_.data(), columns_.data() + kEdgeReach, l.planes.width};
        l.rows = {rows_.data(), rows_.data() + kEdgeReach, l.planes.height};
        l.weights = weights_.data();
        l.hostWeights = hostWeights_.data();
        l.multiprocessors = multiprocessors_;
        return l;
    }

    static void copyChannel(const View<const float>& in, const View<float>& out, cudaStream_t stream, RunContext& context) {
        const auto width = static_cast<std::size_t>(in.shape.width) * sizeof(float);
        for (std::int64_t z = 0; z < in.shape.depth; ++z)
            check(cudaMemcpy2DAsync(out.row(0, z), static_cast<std::size_t>(out.rowStride) * sizeof(float), in.row(0, z),
                                    static_cast<std::size_t>(in.rowStride) * sizeof(float), width,
                                    static_cast<std::size_t>(in.shape.height), cudaMemcpyDeviceToDevice, stream),
                  "A channel could not be copied");
        if (context.progress) context.progress->add(in.shape.height * in.shape.depth);
    }

    const VariantFunctions& functions_;
    ConvolutionPlan plan_;
    std::vector<float> hostWeights_;
    DeviceBuffer<float> weights_;
    DeviceBuffer<int> columns_, rows_;
    int multiprocessors_ = 1;
};

class Convolution final : public Implementation {
public:
    explicit Convolution(ConvolutionVariant variant) : functions_(functionsOf(variant)) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return functions_.name; }
    std::string summary() const override { return functions_.summary; }

    Support supports(const Problem& problem) const override {
        constexpr std::int64_t most = std::numeric_limits<int>::max() - 4096;
        if (problem.shape.width > most || problem.shape.height > most || problem.shape.depth > most)
            return Support::no("an axis has more than " + std::to_string(most) + " samples");
        return {};
    }

    MemoryEstimate estimate(const Problem& problem) const override {
        const auto taps = static_cast<std::uint64_t>(planConvolution(problem).kernel.taps());
        return {.host = taps * (sizeof(float) + sizeof(double)) +
                        2 * static_cast<std::uint64_t>(kStagingTuning.maximumLanes) * kStagingTuning.largestPiece,
                .device = taps * sizeof(float) + std::uint64_t{4} * kEdgeReach * sizeof(int)};
    }

    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<ConvolutionExecution>(functions_, problem, planConvolution(problem), session);
    }

private:
    const VariantFunctions& functions_;
};

}  // namespace

std::unique_ptr<Implementation> makeConvolution(ConvolutionVariant variant) { return std::make_unique<Convolution>(variant); }

}  // namespace parallax::gpu
