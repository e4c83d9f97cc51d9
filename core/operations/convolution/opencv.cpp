// SPDX-License-Identifier: GPL-3.0-or-later
// The peer: cv::filter2D as a user would call it.
#include "parallax/operations/convolution/opencv.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "parallax/backends/opencv/mat_bridge.hpp"
#include "parallax/operations/convolution/kernel.hpp"

namespace parallax {
namespace {

int toOpenCv(BorderRule rule) {
    switch (rule) {
        case BorderRule::replicate: return cv::BORDER_REPLICATE;
        case BorderRule::constant: return cv::BORDER_CONSTANT;
        case BorderRule::reflect: return cv::BORDER_REFLECT;
        case BorderRule::reflect101: return cv::BORDER_REFLECT_101;
        case BorderRule::wrap: return cv::BORDER_WRAP;
    }
    return cv::BORDER_REPLICATE;
}

class FilterExecution final : public Execution {
public:
    explicit FilterExecution(ConvolutionPlan plan) : plan_(std::move(plan)), weights_(plan_.kernel.floatWeights()) {
        kernel_ = cv::Mat(plan_.kernel.height, plan_.kernel.width, CV_32F, weights_.data());
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        cv::setNumThreads(effectiveThreads(context));
        for (const int c : plan_.copied)
            for (std::int64_t z = 0; z < in.shape.depth; ++z) asMat(in, z, c).copyTo(asMat(out, z, c));
        for (const int c : plan_.filtered)
            for (std::int64_t z = 0; z < in.shape.depth; ++z) {
                // filter2D cannot be stopped: between planes at least.
                context.throwIfStopped();
                withOpenCv([&] { filter(asMat(in, z, c), asMat(out, z, c)); });
                if (context.progress) context.progress->add(in.shape.height);
            }
    }

private:
    void filter(const cv::Mat& in, cv::Mat out) {
        const Kernel& k = plan_.kernel;
        const cv::Point anchor(k.anchorX, k.anchorY);
        float* const expected = out.ptr<float>();
        // filter2D refuses wrap and knows no constant but 0; padded by OpenCV's own copyMakeBorder it does both.
        if (plan_.border == BorderRule::wrap || (plan_.border == BorderRule::constant && plan_.borderValue != 0.0F)) {
            pad(in);
            cv::filter2D(padded_, paddedOut_, CV_32F, kernel_, anchor, static_cast<double>(plan_.offset), cv::BORDER_REPLICATE);
            paddedOut_(cv::Rect(k.left(), k.top(), in.cols, in.rows)).copyTo(out);
        } else {
            cv::filter2D(in, out, CV_32F, kernel_, anchor, static_cast<double>(plan_.offset), toOpenCv(plan_.border) | cv::BORDER_ISOLATED);
        }
        if (out.ptr<float>() != expected) throw Error(ErrorCode::failed, "OpenCV wrote its result elsewhere");
    }
    void pad(const cv::Mat& in) {
        const Kernel& k = plan_.kernel;
        cv::copyMakeBorder(in, padded_, k.top(), k.bottom(), k.left(), k.right(), toOpenCv(plan_.border), cv::Scalar(static_cast<double>(plan_.borderValue)));
    }

    ConvolutionPlan plan_;
    std::vector<float> weights_;
    cv::Mat kernel_, padded_, paddedOut_;
};

class OpenCvConvolution final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "filter2d"; }
    std::string summary() const override { return "cv::filter2D, which goes through a DFT for kernels of more than about 11 x 11"; }
    Support supports(const Problem& problem) const override {
        if (problem.statistics.nonFinite() > 0)
            return Support::no("the image holds NaN or infinity, which filter2D loses where a weight is 0 and spreads where it uses a DFT");
        if (std::max(problem.shape.width, problem.shape.height) > (1 << 30)) return Support::no("OpenCV counts rows and columns in 32 bits");
        return {};
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        const auto& p = problem.parameters.as<ConvolutionParameters>();
        const Kernel k = makeKernel(p);
        const bool padded = p.border == Border::wrap || (p.border == Border::constant && p.borderValue != 0);
        const auto plane = static_cast<std::uint64_t>((problem.shape.width + k.width) * (problem.shape.height + k.height)) * 4;
        return {.host = padded ? 2 * plane : 0, .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<FilterExecution>(planConvolution(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenCvConvolution() { return std::make_unique<OpenCvConvolution>(); }

}  // namespace parallax
