// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / cuda / fft: the correlation theorem. The image is padded by its border mode to a size that transforms fast, its transform is
// multiplied by the conjugate transform of the kernel (computed in prepare) and transformed back. Each step is one launch for all planes
// of a batch. A transform would spread NaN and infinity over the plane: they are set to 0 before it, and tiles whose windows contain one
// are summed directly.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/operations/convolution/convolution.hpp"
#include "gpu/operations/convolution/choice.hpp"
#include "gpu/operations/convolution/kernels/fft_kernels.hpp"
#include "gpu/operations/convolution/kernels/tuning.hpp"
#include "gpu/operations/convolution/planes.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/libraries/cufft.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"

namespace parallax::gpu {
namespace {

struct Padding {
    std::int64_t width, height;
    Padding(const Shape& shape, const Kernel& kernel)
        : width(fastTransformSize(shape.width + kernel.width - 1)), height(fastTransformSize(shape.height + kernel.height - 1)) {}
    std::int64_t floats() const { return (width + 2) * height; }
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(floats()) * sizeof(float); }
};

int planesAtOnce(const Padding& padding, std::int64_t planes) {
    constexpr std::int64_t most = 65535;  // along y of a grid
    return static_cast<int>(std::clamp<std::int64_t>(static_cast<std::int64_t>(kFftBatchBytes / padding.bytes()), 1,
                                                     std::clamp<std::int64_t>(planes, 1, most)));
}

/// Returns the exponent of a power of 2 near the value; 0 for 0.
int exponentOf(double value) { return value > 0 && std::isfinite(value) ? std::ilogb(value) : 0; }

class FftExecution final : public Execution {
public:
    FftExecution(const Problem& problem, ConvolutionPlan plan, const CudaSession& session)
        : plan_(std::move(plan)),
          padding_(problem.shape, plan_.kernel),
          edges_(problem.shape, plan_.border, session),
          weights_(session.allocator(), std::span<const float>(plan_.kernel.floatWeights()), session.stream()) {
        preloadFft();
        // Exact scaling by powers of 2 brings samples and weights near 1, so that no sum over a plane overflows.
        const double magnitude = std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(plan_.borderValue)));
        constexpr int limit = 126;  // both the power and its inverse are normal floats
        inExponent_ = std::clamp(exponentOf(magnitude), -limit, limit);
        const int kernelExponent = exponentOf(plan_.kernel.absoluteSum());
        outExponent_ = inExponent_ + kernelExponent;

        batch_ = planesAtOnce(padding_, launchPlanes(problem.shape, plan_.filtered));
        std::size_t workBytes = 0;
        const auto planFor = [&](int planes) {
            if (transforms_.contains(planes)) return;
            using Direction = RealTransform::Direction;
            const auto [it, isNew] =
                transforms_.try_emplace(planes, Pair{RealTransform(padding_.width, padding_.height, planes, Direction::forward),
                                                     RealTransform(padding_.width, padding_.height, planes, Direction::inverse)});
            workBytes = std::max({workBytes, it->second.forward.workBytes(), it->second.inverse.workBytes()});
        };
        for (const Planes& group :
             planeGroups(plan_.filtered, {.data = nullptr, .shape = problem.shape}, {.data = nullptr, .shape = problem.shape})) {
            if (group.depth >= batch_) planFor(batch_);
            if (group.depth % batch_ > 0) planFor(group.depth % batch_);
        }
        const auto floats = static_cast<std::size_t>(padding_.floats());
        padded_ = DeviceBuffer<float>(session.allocator(), floats * static_cast<std::size_t>(batch_));
        const FftLaunch sizes = makeLaunch(problem.shape, session.device());
        notFinite_ = DeviceBuffer<unsigned char>(
            session.allocator(),
            static_cast<std::size_t>(sizes.tilesAcross()) * static_cast<std::size_t>(sizes.tilesDown()) * static_cast<std::size_t>(batch_));

        // The kernel's transform, divided by the factor of the two unnormalised transforms.
        RealTransform kernelTransform(padding_.width, padding_.height, 1, RealTransform::Direction::forward);
        workBytes = std::max(workBytes, kernelTransform.workBytes());
        work_ = DeviceBuffer<unsigned char>(session.allocator(), workBytes);
        spectrum_ = DeviceBuffer<float>(session.allocator(), floats);
        check(cudaMemsetAsync(spectrum_.data(), 0, floats * sizeof(float), session.stream()), "Device memory could not be cleared");
        const Kernel& k = plan_.kernel;
        std::vector<float> scaled;
        const double factor =
            std::scalbn(1.0, -kernelExponent) / (static_cast<double>(padding_.width) * static_cast<double>(padding_.height));
        for (const double w : k.weights) scaled.push_back(static_cast<float>(w * factor));
        const auto rowBytes = static_cast<std::size_t>(k.width) * sizeof(float);
        check(cudaMemcpy2DAsync(spectrum_.data(), static_cast<std::size_t>(padding_.width + 2) * sizeof(float), scaled.data(), rowBytes,
                                rowBytes, static_cast<std::size_t>(k.height), cudaMemcpyHostToDevice, session.stream()),
              "Weights could not be uploaded");
        kernelTransform.run(spectrum_.data(), work_.data(), session.stream());
        // Plan and weights are released here, so all work with them must be complete.
        check(cudaStreamSynchronize(session.stream()), "The kernel could not be transformed");
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        context.throwIfStopped();
        copyChannels(plan_.copied, in, out, session.stream(), context);

        FftLaunch launch = makeLaunch(in.shape, session.device());
        for (const Planes& group : planeGroups(plan_.filtered, in, out))
            for (int first = 0; first < group.depth; first += batch_) {
                context.throwIfStopped();
                Planes& p = launch.planes = group;
                p.depth = std::min(batch_, group.depth - first);
                p.in += first * group.inSliceStride;
                p.out += first * group.outSliceStride;
                Pair& pair = transforms_.at(p.depth);
                launchFftPad(launch, session.stream());
                pair.forward.run(launch.padded, work_.data(), session.stream());
                launchFftMultiply(launch, session.stream());
                pair.inverse.run(launch.padded, work_.data(), session.stream());
                launchFftUnpad(launch, session.stream());
                if (context.progress) context.progress->add(std::int64_t{p.height} * p.depth);
            }
    }

private:
    struct Pair {
        RealTransform forward, inverse;
    };

    FftLaunch makeLaunch(const Shape& shape, int device) {
        FftLaunch l{launchOf(plan_, edges_, shape, device)};
        l.weights = weights_.data();
        l.paddedWidth = static_cast<int>(padding_.width);
        l.paddedHeight = static_cast<int>(padding_.height);
        l.padded = padded_.data();
        l.spectrum = spectrum_.data();
        l.notFinite = notFinite_.data();
        l.inScale = std::scalbn(1.0F, -inExponent_);
        l.outExponent = outExponent_;
        return l;
    }

    ConvolutionPlan plan_;
    Padding padding_;
    EdgeTables edges_;
    DeviceBuffer<float> weights_, spectrum_, padded_;
    DeviceBuffer<unsigned char> notFinite_, work_;
    std::map<int, Pair> transforms_;  ///< key: number of planes
    int batch_ = 1, inExponent_ = 0, outExponent_ = 0;
};

class FftConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "fft"; }
    std::string summary() const override {
        return "Fourier transforms (cuFFT) of the padded image: the time hardly depends on the size of the kernel; "
               "tiles with NaN or infinity are summed directly";
    }
    Support supports(const Problem& problem) const override { return fftSupports(problem, planConvolution(problem).kernel); }
    Preference preference(const Problem& problem, int device) const override {
        return convolutionPreference(ConvolutionVariant::fft, problem, device);
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const ConvolutionPlan plan = planConvolution(problem);
        const Padding padding(problem.shape, plan.kernel);
        const auto batch = static_cast<std::uint64_t>(planesAtOnce(padding, launchPlanes(problem.shape, plan.filtered)));
        const auto weights = static_cast<std::uint64_t>(plan.kernel.taps());
        // Padded planes, cuFFT's workspace of the same size, and the kernel's transform.
        return {.host = weights * (sizeof(float) + sizeof(double)) + stagingBytes(),
                .device = (2 * batch + 1) * padding.bytes() + weights * sizeof(float) + EdgeTables::kBytes};
    }
    RowPadding acceptsPadding(const Problem&) const override { return {true, true}; }
    bool errsLocally(const Problem&) const override { return false; }
    StripSupport strips(const Problem&) const override { return StripSupport::no("A Fourier transform needs the whole plane"); }
    Support recording(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        return std::make_unique<FftExecution>(problem, planConvolution(problem), session);
    }
};

}  // namespace

Support fftSupports(const Problem& problem, const Kernel& kernel) {
    if (const Support fits = axesFit(problem.shape); !fits) return fits;
    if (const Support fits = weightsFitFloat(kernel); !fits) return fits;
    if (const CufftState& state = cufftState(); !state.loaded) return Support::no("cuFFT is not available: " + state.reason);
    const Padding padding(problem.shape, kernel);
    if (padding.floats() > std::numeric_limits<int>::max())
        return Support::no("A padded plane would have more than " + std::to_string(std::numeric_limits<int>::max()) + " samples");
    // The rounding error of a transform of N samples grows with log N, relative to the whole plane (Gentleman and Sande 1966; Higham 2002,
    // ch. 24); the tolerance grows with the kernel.
    static const std::unique_ptr<Operation> operation = parallax::makeConvolution();
    const ConvolutionPlan plan = planConvolution(problem);
    const double magnitude = std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(plan.borderValue)));
    const double roundings = kFftRoundings + std::log2(static_cast<double>(padding.width) * static_cast<double>(padding.height));
    const double ofOffset = 0x1p-23 * std::fabs(static_cast<double>(plan.offset));
    if (roundings * 0x1p-24 * kernel.absoluteSum() * magnitude + ofOffset > operation->tolerance(problem).absolute)
        return Support::no("Rounding errors of a transform of this image may exceed the tolerance of a kernel with so few taps");
    return {};
}

std::unique_ptr<Implementation> makeFftConvolution() { return std::make_unique<FftConvolution>(); }

}  // namespace parallax::gpu
