// SPDX-License-Identifier: GPL-3.0-or-later
// convolve / opencv / filter2d: OpenCV does all the arithmetic; this file maps border modes and limits.
#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "core/backends/opencv/mat_bridge.hpp"
#include "core/operations/convolution/opencv/implementations.hpp"
#include "core/operations/convolution/strips.hpp"

namespace parallax {
namespace {

int toOpencvBorder(BorderMode rule) {
    switch (rule) {
        case BorderMode::replicate: return cv::BORDER_REPLICATE;
        case BorderMode::constant: return cv::BORDER_CONSTANT;
        case BorderMode::reflect: return cv::BORDER_REFLECT;
        case BorderMode::reflect101: return cv::BORDER_REFLECT_101;
        case BorderMode::wrap: return cv::BORDER_WRAP;
    }
    return cv::BORDER_REPLICATE;
}

/// filter2D sums up directly to at least 11 x 11 taps.
constexpr int kDirectTaps = 121;

/// filter2D supports neither wrapping nor constants other than 0, and needs images larger than the kernel.
bool needsPadding(const Shape& shape, const ConvolutionPlan& plan) {
    const Kernel& k = plan.kernel;
    return plan.border == BorderMode::wrap || (plan.border == BorderMode::constant && plan.borderValue != 0) || shape.width <= k.width ||
           shape.height <= k.height;
}

class Filter2dExecution final : public Execution {
public:
    Filter2dExecution(const Problem& problem, int threads)
        : plan_(planConvolution(problem)), threads_(threads), padded_(needsPadding(problem.shape, plan_)) {
        cv::Mat(plan_.kernel.height, plan_.kernel.width, CV_64FC1, plan_.kernel.weights.data()).convertTo(kernel_, CV_32F);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        setOpencvThreads(threads_);
        translateOpencvErrors([&] {
            for (const int c : plan_.copied)
                for (std::int64_t z = 0; z < in.shape.depth; ++z) {
                    context.throwIfStopped();
                    cv::Mat to = toMat(out, z, c);
                    toMat(in, z, c).copyTo(to);
                    if (context.progress) context.progress->add(in.shape.height);
                }
            // One call for each slice, as people use OpenCV, so that it is measured like that.
            for (const int c : plan_.filtered)
                for (std::int64_t z = 0; z < in.shape.depth; ++z) {
                    context.throwIfStopped();
                    filter(toMat(in, z, c), toMat(out, z, c));
                    if (context.progress) context.progress->add(in.shape.height);
                }
        });
    }

private:
    void filter(const cv::Mat& in, cv::Mat out) {
        const Kernel& k = plan_.kernel;
        const uchar* const expected = out.data;
        const cv::Point anchor(k.anchorX, k.anchorY);
        if (padded_) {
            cv::copyMakeBorder(in, paddedImage_, k.top(), k.bottom(), k.left(), k.right(), toOpencvBorder(plan_.border),
                               cv::Scalar(static_cast<double>(plan_.borderValue)));
            const cv::Rect inside(k.left(), k.top(), in.cols, in.rows);
            if (k.taps() <= kDirectTaps) {
                // A region of a larger image: filter2D reads the samples around it, so the border mode is not used.
                cv::filter2D(paddedImage_(inside), out, CV_32F, kernel_, anchor, 0, cv::BORDER_REPLICATE);
            } else {
                // On a region filter2D never uses transforms: its long direct sums are slow and miss the tolerance on flat images.
                cv::filter2D(paddedImage_, paddedResult_, CV_32F, kernel_, anchor, 0, cv::BORDER_REPLICATE);
                paddedResult_(inside).copyTo(out);
            }
        } else {
            cv::filter2D(in, out, CV_32F, kernel_, anchor, 0, toOpencvBorder(plan_.border));
        }
        // filter2D begins its sums with the offset, and so rounds them to the precision of a large one.
        if (plan_.offset != 0) cv::add(out, cv::Scalar(static_cast<double>(plan_.offset)), out);
        if (out.data != expected) throw Error(ErrorCode::failed, "OpenCV did not write where it was asked to");
    }

    ConvolutionPlan plan_;
    int threads_;
    bool padded_;
    cv::Mat kernel_, paddedImage_, paddedResult_;
};

class Filter2dConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "filter2d"; }
    std::string summary() const override {
        return "OpenCV's filter2D: direct up to about 11 x 11, by Fourier transforms above; wrap and constant borders through a padded "
               "copy";
    }
    Support supports(const Problem& problem) const override {
        if (!fitsMat(problem.shape)) return Support::no("OpenCV's images have at most 2^31 - 1 columns and rows");
        if (problem.statistics.nonFinite() > 0)
            return Support::no(
                "The image has NaN or infinities: filter2D leaves out zero weights and uses Fourier transforms for large kernels, "
                "which lose or spread them");
        return weightsFitFloat(planConvolution(problem).kernel);
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const ConvolutionPlan plan = planConvolution(problem);
        const auto width = static_cast<std::uint64_t>(problem.shape.width), height = static_cast<std::uint64_t>(problem.shape.height);
        const auto kw = static_cast<std::uint64_t>(plan.kernel.width), kh = static_cast<std::uint64_t>(plan.kernel.height);
        // Rows in flight; for the transforms of large kernels tiles of some times the kernel, at most of the image.
        std::uint64_t samples = (width + kw) * (kh + 3);
        const auto tile = [](std::uint64_t extent, std::uint64_t k) { return std::min(std::max(5 * k, 256 + k), extent + 2 * k); };
        if (plan.kernel.taps() > kDirectTaps) samples += 4 * tile(width, kw) * tile(height, kh);
        if (needsPadding(problem.shape, plan)) samples += (width + kw) * (height + kh) * (plan.kernel.taps() > kDirectTaps ? 2 : 1);
        return {.host = samples * sizeof(float), .device = 0};
    }
    /// Transforms above kDirectTaps.
    bool errsLocally(const Problem& problem) const override { return planConvolution(problem).kernel.taps() <= kDirectTaps; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return translateOpencvErrors([&] { return std::make_unique<Filter2dExecution>(problem, effectiveThreads(context)); });
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpencvConvolution() { return std::make_unique<Filter2dConvolution>(); }

}  // namespace parallax
