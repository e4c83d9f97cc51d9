// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / cuda / direct, separable, naive with axes=xyz.
#include "gpu/operations/convolution/volume/convolution.hpp"

#include <algorithm>
#include <optional>

#include "core/operations/convolution/volume/plan.hpp"
#include "gpu/operations/convolution/kernels/tuning.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/operations/convolution/volume/launchers.hpp"
#include "gpu/operations/convolution/volume/slabs.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch_pacer.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

struct VolumeFunctions {
    VolumeVariant variant;
    const char* name;
    const char* summary;
    void (*launch)(const VolumeLaunch&, cudaStream_t);
    void (*preload)(const VolumeLaunch&);
};
constexpr VolumeFunctions kVolumeVariants[] = {
    {VolumeVariant::direct, "direct",
     "blocks march along z, with the sums of unfinished slices in registers and cubes up to 7 unrolled; else four slices a thread",
     &launchVolumeDirect, &preloadVolumeDirect},
    {VolumeVariant::separable, "separable",
     "for products of three factors, cubes up to 9 in one pass: blocks march along z, filter slices in shared memory while the next ones "
     "are copied there, and keep unfinished slices in registers; else a pass along each axis",
     &launchVolumeSeparable, &preloadVolumeSeparable},
    {VolumeVariant::naive, "naive", "textbook: one thread per voxel, every sample from global memory", &launchVolumeNaive,
     &preloadVolumeNaive}};

/// Rows of a volume that a grid of blocks of eight rows covers.
constexpr std::int64_t kMaxRows = std::int64_t{65535} * 8;
/// Samples of a slice, which are counted in 32 bits, with the padding of its rows.
constexpr std::int64_t kMaxSamples = (std::int64_t{1} << 32) - 1, kMaxPadding = 128;

VolumeWindow windowOf(const Kernel3d& k) {
    return {.width = k.size[0],
            .height = k.size[1],
            .depth = k.size[2],
            .anchorX = k.anchor[0],
            .anchorY = k.anchor[1],
            .anchorZ = k.anchor[2]};
}

bool needsRoom(VolumeVariant variant, const Kernel3d& k) { return variant == VolumeVariant::separable && !hasFusedKernel(windowOf(k)); }

/// Multiply-adds of a slice of one channel.
double workOfSlice(VolumeVariant variant, const Kernel3d& k, const Shape& shape) {
    const double window = variant == VolumeVariant::separable ? k.size[0] + k.size[1] + k.size[2] : static_cast<double>(k.taps());
    return window * static_cast<double>(shape.width) * static_cast<double>(shape.height);
}

class VolumeConvolutionExecution final : public Execution {
public:
    VolumeConvolutionExecution(const VolumeFunctions& functions, const Problem& problem, VolumePlan plan, const CudaSession& session)
        : functions_(functions),
          shape_(problem.shape),
          plan_(std::move(plan)),
          hostWeights_(plan_.kernel->floatWeights()),
          hostFactors_(functions.variant == VolumeVariant::separable ? factorsOf(plan_) : std::vector<float>()),
          weights_(session.allocator(), std::span<const float>(hostWeights_), session.stream()),
          factors_(session.allocator(), std::span<const float>(hostFactors_), session.stream()) {
        if (needsRoom(functions.variant, *plan_.kernel))
            filtered_ = DeviceBuffer<float>(session.allocator(), static_cast<std::size_t>(problem.shape.pixels()));
        functions_.preload(makeLaunch(problem.shape, session.device()));
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        copyChannels(plan_.copied, in, out, session.stream(), context);
        for (const int c : plan_.filtered) {
            VolumeLaunch launch = makeLaunch(in.shape, session.device());
            setChannel(launch.slices, in.channel(c), out.channel(c));
            launchAll(launch, context, context.progress);
        }
    }

    StripPlan prepareSlabs(const StripLimits& limits, std::uint64_t memory, RunContext&) override {
        slabs_ = planVolumeSlabs(shape_, plan_, limits, memory);
        slabs_.strips.ownBytes = (hostWeights_.size() + hostFactors_.size()) * sizeof(float);
        return slabs_.strips;
    }

    void runStrip(const StripPlan&, const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const VolumeSlab& slab = slabs_.slabs[static_cast<std::size_t>(strip.plane)];
        const Shape result{shape_.width, shape_.height, slab.slices, 1};
        if (!slab.filtered) {
            check(cudaMemcpyAsync(out.data, in.data, static_cast<std::size_t>(result.pixels()) * sizeof(float), cudaMemcpyDeviceToDevice,
                                  session.stream()),
                  "A channel could not be copied");
            return;
        }
        // The slab comes with its halo, so it is a volume of which the middle is computed, and no window leaves it along z.
        Shape input = result;
        const std::int64_t before = plan_.kernel->before(2);
        input.depth += before + plan_.kernel->after(2);
        VolumeLaunch launch = makeLaunch(input, session.device());
        View<float> shifted = denseView(out.data, result);
        shifted.data -= before * shifted.sliceStride;
        setChannel(launch.slices, denseView(in.data, input), shifted);
        launch.slices.zBegin = static_cast<int>(before);
        launch.slices.zEnd = static_cast<int>(before + slab.slices);
        launchAll(launch, context, nullptr);
    }

private:
    /// Enqueues all slices of a launch.
    void launchAll(VolumeLaunch launch, RunContext& context, Progress* progress) const {
        VolumeSlices& s = launch.slices;
        const Shape slice{s.width, s.height, 1, 1};
        const auto fitting = static_cast<std::int64_t>(kLaunchMultiplyAdds / workOfSlice(functions_.variant, *plan_.kernel, slice));
        // A launch cannot be cancelled, so very long ones are cut into some slices; passes along axes are short, and need all of them.
        const int begin = s.zBegin, end = s.zEnd;
        const int slices = filtered_.size() > 0 ? end - begin : static_cast<int>(std::clamp<std::int64_t>(fitting, 1, end - begin));
        const cudaStream_t stream = cudaSession(context).stream();
        std::optional<LaunchPacer> pacer;
        if (slices < end - begin) pacer.emplace(stream);
        for (int z = begin; z < end; z += slices) {
            context.throwIfStopped();
            s.zBegin = z;
            s.zEnd = std::min(z + slices, end);
            functions_.launch(launch, stream);
            if (pacer) pacer->launched();
            if (progress) progress->add(std::int64_t{s.height} * (s.zEnd - s.zBegin));
        }
    }

    static std::vector<float> factorsOf(const VolumePlan& plan) {
        std::vector<float> all;
        for (const std::vector<double>& factor : (*plan.factors)->factors) all.insert(all.end(), factor.begin(), factor.end());
        return all;
    }

    static void setChannel(VolumeSlices& s, const View<const float>& in, const View<float>& out) {
        s.in = in.data;
        s.out = out.data;
        s.inRowStride = in.rowStride;
        s.inSliceStride = in.sliceStride;
        s.outRowStride = out.rowStride;
        s.outSliceStride = out.sliceStride;
        s.vectors = in.rowStride % 4 == 0 && in.sliceStride % 4 == 0 && out.rowStride % 4 == 0 && out.sliceStride % 4 == 0 &&
                    reinterpret_cast<std::uintptr_t>(in.data) % 16 == 0 && reinterpret_cast<std::uintptr_t>(out.data) % 16 == 0;
    }

    VolumeLaunch makeLaunch(const Shape& shape, int device) {
        const DeviceLimits& limits = deviceLimits(device);
        VolumeLaunch launch;
        launch.slices = {.width = static_cast<int>(shape.width),
                         .height = static_cast<int>(shape.height),
                         .depth = static_cast<int>(shape.depth),
                         .zEnd = static_cast<int>(shape.depth),
                         .border = plan_.border,
                         .borderValue = plan_.borderValue,
                         .offset = plan_.offset,
                         .streaming = 2 * sizeof(float) * static_cast<std::uint64_t>(shape.samples()) > limits.cacheBytes};
        launch.window = windowOf(*plan_.kernel);
        launch.window.weights = weights_.data();
        launch.window.hostWeights = hostWeights_.data();
        launch.window.factors = factors_.data();
        launch.window.hostFactors = hostFactors_.data();
        launch.multiprocessors = limits.multiprocessors;
        launch.filtered = filtered_.data();
        return launch;
    }

    const VolumeFunctions& functions_;
    Shape shape_;
    VolumePlan plan_;
    VolumeSlabs slabs_;
    std::vector<float> hostWeights_, hostFactors_;
    DeviceBuffer<float> weights_, factors_, filtered_;
};

class VolumeConvolution final : public Implementation {
public:
    explicit VolumeConvolution(const VolumeFunctions& functions) : functions_(functions) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return functions_.name; }
    std::string summary() const override { return functions_.summary; }

    Support supports(const Problem& problem) const override {
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        if (problem.shape.height > kMaxRows) return Support::no("The slices have more than " + std::to_string(kMaxRows) + " rows");
        if ((problem.shape.width + kMaxPadding) * problem.shape.height > kMaxSamples)
            return Support::no("The slices have more than " + std::to_string(kMaxSamples) + " samples");
        const VolumePlan plan = planVolumeConvolution(problem);
        return functions_.variant == VolumeVariant::separable ? separableInVolume(problem, plan) : weightsFitFloat(plan);
    }

    Preference preference(const Problem& problem, int) const override {
        if (functions_.variant == VolumeVariant::naive) return {};
        const VolumePlan plan = planVolumeConvolution(problem);
        const auto& size = plan.kernel->size;
        const std::string taps = std::to_string(plan.kernel->taps()) + (plan.kernel->taps() == 1 ? " tap" : " taps");
        const bool separable = bool{separableInVolume(problem, plan)} && size[0] + size[1] + size[2] < plan.kernel->taps();
        if (separable != (functions_.variant == VolumeVariant::separable)) return {};
        if (!separable) return {1, taps + ": the window is not separable, or factors save nothing"};
        return {1, "separable: " + std::to_string(size[0] + size[1] + size[2]) + " instead of " + taps + " a voxel"};
    }

    MemoryEstimate estimate(const Problem& problem) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        const Kernel3d& k = *plan.kernel;
        auto weights = static_cast<std::uint64_t>(k.taps());
        if (functions_.variant == VolumeVariant::separable) weights += static_cast<std::uint64_t>(k.size[0] + k.size[1] + k.size[2]);
        const std::uint64_t room = needsRoom(functions_.variant, k) ? static_cast<std::uint64_t>(problem.shape.pixels()) : 0;
        return {.host = weights * (sizeof(float) + sizeof(double)) + stagingBytes(), .device = (weights + room) * sizeof(float)};
    }

    RowPadding acceptsPadding(const Problem&) const override { return {true, true}; }

    Support slabs(const Problem& problem) const override {
        if (needsRoom(functions_.variant, *planVolumeConvolution(problem).kernel))
            return Support::no("Passes along each axis need the whole volume; 'direct' and windows of 3, 5, 7 and 9 do not");
        return {};
    }

    Support recording(const Problem& problem) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        const double all = workOfSlice(functions_.variant, *plan.kernel, problem.shape) * static_cast<double>(problem.shape.depth);
        if (all > kLaunchMultiplyAdds) return Support::no("The run is too long to be recorded, since it could not be cancelled");
        return {};
    }

    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<VolumeConvolutionExecution>(functions_, problem, planVolumeConvolution(problem), session);
    }

private:
    const VolumeFunctions& functions_;
};

}  // namespace

std::unique_ptr<Implementation> makeVolumeConvolution(VolumeVariant variant) {
    return std::make_unique<VolumeConvolution>(*std::ranges::find(kVolumeVariants, variant, &VolumeFunctions::variant));
}

}  // namespace parallax::gpu
