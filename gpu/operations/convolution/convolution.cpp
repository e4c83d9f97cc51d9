// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / cuda / direct, separable, tiled, naive: the variants with one CUDA kernel.
#include "gpu/operations/convolution/convolution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/operations/convolution/kernel_analysis.hpp"
#include "core/operations/convolution/strips.hpp"
#include "gpu/operations/convolution/choice.hpp"
#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "gpu/operations/convolution/kernels/tuning.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/launch_pacer.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

struct VariantFunctions {
    ConvolutionVariant variant;
    const char* name;
    const char* summary;
    void (*launch)(const ConvolutionLaunch&, cudaStream_t);
    void (*preload)(const ConvolutionLaunch&);
    bool needsFactors = false;  ///< only for kernels of rank 1
};
// `fft` has its own implementation: fft.cpp.
constexpr VariantFunctions kVariants[] = {
    {ConvolutionVariant::direct, "direct",
     "Each thread computes 4 x 4 pixels from 16-byte loads through L1; weights in the constant bank, "
     "loops unrolled for odd squares up to 15; samples from shared memory where that is faster",
     &launchDirect, &preloadDirect},
    {ConvolutionVariant::separable, "separable",
     "For kernels of rank 1 (column times row): each warp walks down 128 columns, filters each row as it arrives and keeps "
     "the rows that a column needs in registers: one pass over memory",
     &launchSeparable, &preloadSeparable, true},
    {ConvolutionVariant::tiled, "tiled", "Textbook: 16 x 16 tiles with a halo in shared memory, one thread per pixel", &launchTiled,
     &preloadTiled},
    {ConvolutionVariant::naive, "naive", "Textbook: one thread per pixel, every sample from global memory", &launchNaive, &preloadNaive}};

constexpr const char* kNotRankOne = "The kernel is not separable (its rank is not 1)";

double multiplyAdds(const Kernel& kernel, const Shape& shape, const std::vector<int>& filtered) {
    return static_cast<double>(shape.pixels()) * static_cast<double>(filtered.size()) * kernel.taps();
}

class ConvolutionExecution final : public Execution {
public:
    ConvolutionExecution(const VariantFunctions& functions, const Problem& problem, ConvolutionPlan plan, const CudaSession& session)
        : functions_(functions),
          plan_(std::move(plan)),
          hostWeights_(plan_.kernel.floatWeights()),
          hostFactors_(functions.needsFactors ? factorsOf(plan_.kernel) : std::vector<float>()),
          weights_(session.allocator(), std::span<const float>(hostWeights_), session.stream()),
          factors_(session.allocator(), std::span<const float>(hostFactors_), session.stream()),
          edges_(problem.shape, plan_.border, session) {
        ConvolutionLaunch launch = makeLaunch(problem.shape, session);
        launch.planes.width = static_cast<int>(problem.shape.width);
        launch.planes.rowEnd = static_cast<int>(problem.shape.height);
        launch.planes.depth = static_cast<int>(launchPlanes(problem.shape, plan_.filtered));
        functions_.preload(launch);
        // Strips and bands of long runs are smaller launches, for which other kernels may be chosen: load those of every size down to a
        // row.
        for (int* size : {&launch.planes.depth, &launch.planes.rowEnd})
            while (*size > 1) {
                *size /= 2;
                functions_.preload(launch);
            }
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        copyChannels(plan_.copied, in, out, session.stream(), context);

        launchAll(makeLaunch(in.shape, session), in, out, plan_.filtered, 0, in.shape.height, context, context.progress);
    }

    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                  RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const StripPlanes planes = planesOf(plan_, plan.shape, strip);
        for (const int p : planes.copied) copyPlane(in.row(strip.whole ? 0 : plan.above, 0, p), out.channel(p), session);
        ConvolutionLaunch launch = makeLaunch(in.shape, session);
        if (strip.whole) return launchAll(launch, in, out, planes.filtered, 0, in.shape.height, context, nullptr);
        // The strip comes with its halo, so it is an image of which the middle is computed. Only threads without outputs read beyond it.
        launch.rows = EdgeTable::unbounded(static_cast<int>(in.shape.height));
        View<float> shifted = out;
        shifted.data -= plan.above * out.rowStride;
        launchAll(launch, in, shifted, planes.filtered, plan.above, plan.above + strip.rows, context, nullptr);
    }

private:
    /// Enqueues the output rows begin .. end of some channels.
    void launchAll(ConvolutionLaunch launch, const View<const float>& in, const View<float>& out, const std::vector<int>& filtered,
                   std::int64_t begin, std::int64_t end, RunContext& context, Progress* progress) const {
        // A launch cannot be cancelled, so very long ones are cut into bands of rows.
        const double rowWork =
            static_cast<double>(in.shape.width) * static_cast<double>(launchPlanes(in.shape, filtered)) * plan_.kernel.taps();
        const auto band = static_cast<std::int64_t>(std::clamp(kLaunchMultiplyAdds / rowWork / kBandRounding, 1.0, 1e6)) * kBandRounding;
        const cudaStream_t stream = cudaSession(context).stream();
        std::optional<LaunchPacer> pacer;
        if (multiplyAdds(plan_.kernel, in.shape, filtered) > kLaunchMultiplyAdds) pacer.emplace(stream);
        for (const Planes& group : planeGroups(filtered, in, out)) {
            launch.planes = group;
            for (std::int64_t row = begin; row < end; row += band) {
                context.throwIfStopped();
                launch.planes.rowBegin = static_cast<int>(row);
                launch.planes.rowEnd = static_cast<int>(std::min(row + band, end));
                functions_.launch(launch, stream);
                if (pacer) pacer->launched();
                if (progress) progress->add(std::int64_t{launch.planes.rowEnd - launch.planes.rowBegin} * group.depth);
            }
        }
    }

    static void copyPlane(const float* from, const View<float>& to, const CudaSession& session) {
        check(cudaMemcpyAsync(to.data, from, static_cast<std::size_t>(to.shape.samples()) * sizeof(float), cudaMemcpyDeviceToDevice,
                              session.stream()),
              "A channel could not be copied");
    }

    /// The row, then the column.
    static std::vector<float> factorsOf(const Kernel& kernel) {
        const auto rank = rankOne(kernel);
        if (!rank) throw Error(ErrorCode::unavailable, kNotRankOne);
        std::vector<float> factors(rank->factors.row.begin(), rank->factors.row.end());
        factors.insert(factors.end(), rank->factors.column.begin(), rank->factors.column.end());
        return factors;
    }

    static constexpr int kBandRounding = 64;  ///< a multiple of every kernel's block height

    ConvolutionLaunch makeLaunch(const Shape& shape, const CudaSession& session) const {
        ConvolutionLaunch l = launchOf(plan_, edges_, shape, session.device());
        l.weights = weights_.data();
        l.hostWeights = hostWeights_.data();
        if (functions_.needsFactors) {
            l.hostRow = hostFactors_.data();
            l.hostColumn = hostFactors_.data() + l.kernelWidth;
            l.rowWeights = factors_.data();
            l.columnWeights = factors_.data() + l.kernelWidth;
        }
        return l;
    }

    const VariantFunctions& functions_;
    ConvolutionPlan plan_;
    std::vector<float> hostWeights_, hostFactors_;
    DeviceBuffer<float> weights_, factors_;
    EdgeTables edges_;
};

class Convolution final : public Implementation {
public:
    explicit Convolution(const VariantFunctions& functions) : functions_(functions) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return functions_.name; }
    std::string summary() const override { return functions_.summary; }

    Support supports(const Problem& problem) const override {
        if (const Support fits = axesFit(problem.shape); !fits) return fits;
        if (!functions_.needsFactors) return {};
        return separableSupports(problem, planConvolution(problem).kernel);
    }

    Preference preference(const Problem& problem, int device) const override {
        return convolutionPreference(functions_.variant, problem, device);
    }

    MemoryEstimate estimate(const Problem& problem) const override {
        const Kernel kernel = planConvolution(problem).kernel;
        auto weights = static_cast<std::uint64_t>(kernel.taps());
        if (functions_.needsFactors) weights += static_cast<std::uint64_t>(kernel.width + kernel.height);
        return {.host = weights * (sizeof(float) + sizeof(double)) + stagingBytes(),
                .device = weights * sizeof(float) + 2 * EdgeTables::kBytes};
    }

    RowPadding acceptsPadding(const Problem&) const override { return {true, true}; }
    StripSupport strips(const Problem& problem) const override { return convolutionStrips(problem); }
    Support recording(const Problem& problem) const override {
        const ConvolutionPlan plan = planConvolution(problem);
        if (multiplyAdds(plan.kernel, problem.shape, plan.filtered) > kLaunchMultiplyAdds)
            return Support::no("The run is too long to be recorded, since it could not be cancelled");
        return {};
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

Support separableSupports(const Problem& problem, const Kernel& kernel) {
    if (const Support fits = weightsFitFloat(kernel); !fits) return fits;
    const auto rank = rankOne(kernel);
    if (!rank) return Support::no(kNotRankOne);
    for (const double c : rank->factors.column)
        if (std::fabs(c) > static_cast<double>(std::numeric_limits<float>::max()))
            return Support::no("The column factor of this kernel is beyond the range of 32-bit floats");
    // 0 times infinity is NaN, so zeros must be at the same positions.
    if (!rank->sameZeros && problem.statistics.nonFinite() > 0)
        return Support::no("The image has infinities or NaN, and the zeros of the kernel differ from those of its factors");
    return {};
}

Preference convolutionPreference(ConvolutionVariant variant, const Problem& problem, int device) {
    const ConvolutionPlan plan = planConvolution(problem);
    ConvolutionFacts facts{.width = problem.shape.width,
                           .height = problem.shape.height,
                           .planes = problem.shape.depth * static_cast<std::int64_t>(plan.filtered.size()),
                           .kernelWidth = plan.kernel.width,
                           .kernelHeight = plan.kernel.height,
                           .multiprocessors = device >= 0 && device < deviceCount() ? deviceLimits(device).multiprocessors : 1,
                           .separable = separableSupports(problem, plan.kernel),
                           .fft = [&] {
                               const std::string lost = darkPartsThatTransformsLose(problem);
                               return lost.empty() ? fftSupports(problem, plan.kernel) : Support::no(lost);
                           }};
    ConvolutionChoice choice = chooseConvolution(facts);
    if (choice.variant != variant) return {};
    return {1, std::move(choice.reason)};
}

std::unique_ptr<Implementation> makeConvolution(ConvolutionVariant variant) {
    return std::make_unique<Convolution>(*std::ranges::find(kVariants, variant, &VariantFunctions::variant));
}

}  // namespace parallax::gpu
