// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / openmp / fft with axes=xyz: the correlation theorem on boxes that overlap (overlap-save, as in the plane:
// ../../openmp/fft.cpp). A thread reads a box with its borders, transforms it by FFTW, multiplies it by the conjugate transform of the
// kernel, and transforms it back. Volumes with NaN or infinity are not supported: a transform would spread them over the box.
#include <algorithm>
#include <cmath>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/convolution/convolution.hpp"
#include "core/operations/convolution/openmp/fft_kernels.hpp"
#include "core/operations/convolution/openmp/fft_lines.hpp"
#include "core/operations/convolution/openmp/tuning.hpp"
#include "core/operations/convolution/volume/openmp/choice.hpp"
#include "core/operations/convolution/volume/openmp/implementations.hpp"
#include "core/operations/convolution/volume/openmp/tiles.hpp"

namespace parallax {
namespace {

/// The exponent of a power of 2 near the value; 0 for 0.
int exponentOf(double value) { return value > 0 && std::isfinite(value) ? std::ilogb(value) : 0; }

std::int64_t boxFloats(const FftBox& box) { return BoxTransform::rowFloats(box.size[0]) * box.size[1] * box.size[2]; }

double largestSample(const Problem& problem, const VolumePlan& plan) {
    return std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(plan.borderValue)));
}

/// Results of a box.
struct BoxTask {
    View<const float> in;  ///< the channel
    View<float> out;
    std::array<std::int64_t, 3> first{}, count{};
};

class VolumeFftExecution final : public Execution {
public:
    VolumeFftExecution(const Problem& problem, VolumePlan plan, const RunContext& context)
        : plan_(std::move(plan)),
          box_(chooseFftBox(openmpVolumeFacts(problem, plan_))),
          transform_(box_.size[0], box_.size[1], box_.size[2]),
          spectrum_(boxFloats(box_)) {
        // Samples and weights near 1, by powers of 2, which round nothing: no sum over a box overflows.
        constexpr int limit = 126;  // the inverse of 2^126 is a float, too
        const int inExponent = std::clamp(exponentOf(largestSample(problem, plan_)), -limit, limit);
        const int kernelExponent = exponentOf(plan_.absoluteSum);
        inScale_ = std::scalbn(1.0F, -inExponent);
        // The factor of the inverse may exceed the range of one float.
        const int outExponent = std::clamp(inExponent + kernelExponent, -2 * limit, 2 * limit);
        outScale1_ = std::scalbn(1.0F, outExponent / 2);
        outScale2_ = std::scalbn(1.0F, outExponent - outExponent / 2);
        workers_.resize(static_cast<std::size_t>(effectiveThreads(context)));
        onEachWorker(effectiveThreads(context), static_cast<std::uint64_t>(boxFloats(box_)) * sizeof(float),
                     [&](int worker) { workers_[static_cast<std::size_t>(worker)] = std::make_unique<Scratch>(boxFloats(box_)); });
        transformKernel(kernelExponent);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        copyPlanes(plan_.copied, in, out, static_cast<int>(workers_.size()), context);
        const auto& boxes = box_.boxes;
        const std::int64_t each = boxes[0] * boxes[1] * boxes[2];
        const std::int64_t all = each * static_cast<std::int64_t>(plan_.filtered.size());
        parallelTasks(context, all, static_cast<int>(workers_.size()), [&](std::int64_t index, int worker) {
            const int c = plan_.filtered[static_cast<std::size_t>(index / each)];
            const std::int64_t i = index % each;
            const std::array<std::int64_t, 3> at{i % boxes[0], i / boxes[0] % boxes[1], i / boxes[0] / boxes[1]};
            const std::array<std::int64_t, 3> extents{in.shape.width, in.shape.height, in.shape.depth};
            BoxTask task{.in = in.channel(c), .out = out.channel(c)};
            for (std::size_t a = 0; a < 3; ++a) {
                task.first[a] = at[a] * box_.results(a);
                task.count[a] = std::min(box_.results(a), extents[a] - task.first[a]);
            }
            filter(task, workers_[static_cast<std::size_t>(worker)]->data(), context);
            // Rows of results are done when their last box is.
            if (context.progress && !context.stopped() && at[0] + 1 == boxes[0]) context.progress->add(task.count[1] * task.count[2]);
        });
    }

private:
    float* row(float* samples, std::int64_t y, std::int64_t z) const {
        return samples + (z * box_.size[1] + y) * BoxTransform::rowFloats(box_.size[0]);
    }

    void filter(const BoxTask& task, float* samples, const RunContext& context) const {
        const Kernel3d& k = *plan_.kernel;
        const std::int64_t needed[] = {task.count[0] + k.size[0] - 1, task.count[1] + k.size[1] - 1, task.count[2] + k.size[2] - 1};
        for (std::int64_t z = 0; z < box_.size[2]; ++z) {
            if (context.stopped()) return;
            for (std::int64_t y = 0; y < box_.size[1]; ++y) {
                float* const to = row(samples, y, z);
                const std::int64_t read = y < needed[1] && z < needed[2] ? needed[0] : 0;
                if (read > 0)
                    copyBorderedRow(task.in, plan_, task.first[0] - k.before(0), read, task.first[1] - k.before(1) + y,
                                    task.first[2] - k.before(2) + z, to);
                for (std::int64_t x = 0; x < read; ++x) to[x] *= inScale_;
                std::fill(to + read, to + BoxTransform::rowFloats(box_.size[0]), 0.0F);
            }
        }
        transform_.forward(samples);
        if (context.stopped()) return;
        const std::int64_t slice = boxFloats(box_) / box_.size[2];
        for (std::int64_t z = 0; z < box_.size[2]; ++z) multiplyComplex(samples + z * slice, spectrum_.data() + z * slice, slice / 2);
        transform_.inverse(samples);
        for (std::int64_t z = 0; z < task.count[2]; ++z)
            for (std::int64_t y = 0; y < task.count[1]; ++y) {
                const float* from = row(samples, y, z);
                float* to = task.out.row(task.first[1] + y, task.first[2] + z) + task.first[0];
                for (std::int64_t x = 0; x < task.count[0]; ++x) to[x] = from[x] * outScale1_ * outScale2_ + plan_.offset;
            }
    }

    /// Half of the conjugate transform of the kernel, divided by the scale of both transforms.
    void transformKernel(int kernelExponent) {
        const Kernel3d& k = *plan_.kernel;
        const double samples = static_cast<double>(box_.size[0]) * box_.size[1] * box_.size[2];
        const double factor = std::scalbn(1.0, -kernelExponent) / samples;
        std::fill_n(spectrum_.data(), boxFloats(box_), 0.0F);
        for (int w = 0; w < k.size[2]; ++w)
            for (int v = 0; v < k.size[1]; ++v)
                for (int u = 0; u < k.size[0]; ++u) row(spectrum_.data(), v, w)[u] = static_cast<float>(k.at(u, v, w) * factor);
        transform_.forward(spectrum_.data());
        for (std::int64_t i = 1; i < boxFloats(box_); i += 2) spectrum_.data()[i] *= -1;
    }

    VolumePlan plan_;
    FftBox box_;
    BoxTransform transform_;
    Scratch spectrum_;
    float inScale_ = 1, outScale1_ = 1, outScale2_ = 1;
    std::vector<std::unique_ptr<Scratch>> workers_;
};

class VolumeFft final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "fft"; }
    std::string summary() const override { return "by Fourier transforms (FFTW) of boxes that overlap"; }
    Support supports(const Problem& problem) const override { return volumeFftSupports(problem, planVolumeConvolution(problem)); }
    Preference preference(const Problem& problem, int) const override { return openmpVolumePreference(OpenmpVolumeForm::fft, problem); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const VolumePlan plan = planVolumeConvolution(problem);
        const auto box = static_cast<std::uint64_t>(boxFloats(chooseFftBox(openmpVolumeFacts(problem, plan)))) * sizeof(float);
        constexpr std::uint64_t buffer = std::uint64_t{64} << 10;  // FFTW's own during a transform in place, at most
        return {.host = static_cast<std::uint64_t>(effectiveThreads({})) * (box + buffer) + box, .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return std::make_unique<VolumeFftExecution>(problem, planVolumeConvolution(problem), context);
    }
};

}  // namespace

Support volumeFftSupports(const Problem& problem, const VolumePlan& plan) {
    if (!fftwState().there) return Support::no(fftwState().reason);
    if (const Support fits = weightsFitFloat(plan); !fits) return fits;
    if (problem.statistics.nonFinite() > 0)
        return Support::no("The volume has NaN or infinities, which a Fourier transform would spread over boxes");
    // Rounding of a transform of N samples grows with log N relative to the whole box, however small the kernel (Gentleman and Sande 1966;
    // Higham 2002, ch. 24); the tolerance grows with the kernel.
    static const std::unique_ptr<Operation> operation = makeConvolution();
    const FftBox box = chooseFftBox(openmpVolumeFacts(problem, plan));
    const double roundings = kFftRoundings + std::log2(static_cast<double>(box.size[0]) * box.size[1] * box.size[2]);
    const double ofOffset = 0x1p-23 * std::fabs(static_cast<double>(plan.offset));
    if (roundings * 0x1p-24 * plan.absoluteSum * largestSample(problem, plan) + ofOffset > operation->tolerance(problem).absolute)
        return Support::no("The kernel has so few taps that the rounding errors of a transform may exceed the tolerance");
    return {};
}

std::unique_ptr<Implementation> makeOpenmpVolumeFft() { return std::make_unique<VolumeFft>(); }

}  // namespace parallax
