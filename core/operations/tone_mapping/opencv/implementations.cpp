// SPDX-License-Identifier: GPL-3.0-or-later
// tonemap / opencv / reinhard: the photoreceptor model as OpenCV's TonemapReinhard. Its images are interleaved and ours planar; the
// conversion is part of the run.
#include <algorithm>
#include <cmath>
#include <limits>
#include <opencv2/photo.hpp>

#include "core/backends/opencv/mat_bridge.hpp"
#include "core/operations/tone_mapping/opencv/implementations.hpp"
#include "core/operations/tone_mapping/plan.hpp"

namespace parallax {
namespace {

/// OpenCV scales by a product and a sum, whose rounding leaves noise at black, where the slope of the model has no bound.
constexpr double kFarthestBlack = 1e-3;

/// The last step scales the result from its smallest value, black, to 1. NaN are left out of it, and with full light adaptation a black
/// pixel is 0 / 0: unless another pixel has a black sample, everything is scaled from somewhere else then.
bool scaledFromBlack(const cv::Mat& in, const cv::Mat& out) {
    float smallest = std::numeric_limits<float>::infinity(), smallestKept = smallest;
    bool anyNan = false;
    for (int y = 0; y < out.rows; ++y) {
        const float* from = in.ptr<float>(y);
        const float* to = out.ptr<float>(y);
        for (int i = 0; i < 3 * out.cols; ++i) {
            const bool kept = to[i] == to[i];
            anyNan = anyNan || !kept;
            smallest = std::min(smallest, from[i]);
            smallestKept = std::min(smallestKept, kept ? from[i] : smallestKept);
        }
    }
    return !anyNan || smallest == smallestKept;
}

class ReinhardExecution final : public Execution {
public:
    ReinhardExecution(const Problem& problem, int threads) : plan_(planToneMapping(problem)), threads_(threads) {
        in_.create(static_cast<int>(problem.shape.height), static_cast<int>(problem.shape.width), CV_32FC3);
        out_.create(in_.rows, in_.cols, CV_32FC3);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        setOpencvThreads(threads_);
        translateOpencvErrors([&] {
            for (const int c : plan_.copied) {
                context.throwIfStopped();
                cv::Mat to = toMat(out, 0, c);
                toMat(in, 0, c).copyTo(to);
                if (context.progress) context.progress->add(in.shape.height);
            }
            context.throwIfStopped();
            const cv::Mat planes[] = {toMat(in, 0, plan_.colour[0]), toMat(in, 0, plan_.colour[1]), toMat(in, 0, plan_.colour[2])};
            cv::merge(planes, 3, in_);
            context.throwIfStopped();
            const ToneMappingParameters& p = plan_.parameters;
            // A new object for each run: process() changes its intensity.
            const float gamma = p.encoding == ToneEncoding::gamma ? static_cast<float>(p.gamma) : 1.0F;
            cv::createTonemapReinhard(gamma, static_cast<float>(p.intensity), static_cast<float>(p.light), static_cast<float>(p.chromatic))
                ->process(in_, out_);
            context.throwIfStopped();
            if (!scaledFromBlack(in_, out_))
                throw Error(
                    ErrorCode::failed, "OpenCV's TonemapReinhard divided zero by zero",
                    "with light=1 that is what it makes of black pixels, and with any parameters of an image whose luminance is the same "
                    "everywhere; what is left is not scaled from black to white",
                    "Use a light adaptation below 1, or another backend");
            cv::patchNaNs(out_, 0);
            cv::Mat results[] = {toMat(out, 0, plan_.colour[0]), toMat(out, 0, plan_.colour[1]), toMat(out, 0, plan_.colour[2])};
            const uchar* const expected[] = {results[0].data, results[1].data, results[2].data};
            cv::split(out_, results);
            for (int i = 0; i < 3; ++i)
                if (results[i].data != expected[i]) throw Error(ErrorCode::failed, "OpenCV did not write where it was asked to");
            if (context.progress) context.progress->add(3 * in.shape.height);
        });
    }

private:
    ToneMappingPlan plan_;
    int threads_;
    cv::Mat in_, out_;
};

class ReinhardToneMapping final : public Implementation {
public:
    std::string operation() const override { return "tonemap"; }
    std::string variant() const override { return "reinhard"; }
    std::string summary() const override {
        return "OpenCV's TonemapReinhard, the photoreceptor model, on an interleaved copy; the NaN that it makes of black pixels are set "
               "to 0";
    }
    Support supports(const Problem& problem) const override {
        const ToneMappingPlan plan = planToneMapping(problem);
        const ToneMappingParameters& p = plan.parameters;
        if (p.op != ToneOperator::photoreceptor)
            return Support::no("OpenCV implements only the photoreceptor model of these operators (operator=photoreceptor)");
        if (plan.channels() != 3) return Support::no("TonemapReinhard needs red, green and blue");
        if (p.luminance != LuminanceWeights::rec601)
            return Support::no("TonemapReinhard supports the Rec. 601 luminance only (luminance=rec601)");
        if (p.scaling != ToneScaling::range) return Support::no("TonemapReinhard scales samples to [0, 1] (scaling=range)");
        if (p.contrast != 0) return Support::no("TonemapReinhard derives the contrast from the image (contrast=0)");
        if (p.chromatic == 1 && p.light == 1)
            return Support::no(
                "With full chromatic and light adaptation (chromatic=1, light=1) TonemapReinhard divides zero by zero at black");
        if (p.saturation != 1) return Support::no("TonemapReinhard does not change the saturation (saturation=1)");
        if (p.encoding == ToneEncoding::srgb || p.encoding == ToneEncoding::decode)
            return Support::no("TonemapReinhard supports gamma encoding only (encoding=linear or gamma)");
        if (!fitsMat(problem.shape)) return Support::no("OpenCV images are limited to 2^31 - 1 columns and rows");
        if (problem.statistics.nonFinite() > 0)
            return Support::no("The image has NaN or infinities, which TonemapReinhard spreads over the whole image");
        if (problem.shape.pixels() == 1 || problem.statistics.min == problem.statistics.max)
            return Support::no("TonemapReinhard divides by zero where all pixels have the same luminance");
        if (std::fabs(problem.statistics.min) > kFarthestBlack * (problem.statistics.max - problem.statistics.min))
            return Support::no("The smallest sample is far from 0, where TonemapReinhard's scaling is too inaccurate");
        return {};
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        // The interleaved copies, and what TonemapReinhard has at the same time: channels, luminance, its logarithm, temporaries.
        return {.host = static_cast<std::uint64_t>(problem.shape.pixels()) * sizeof(float) * 20, .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        return translateOpencvErrors([&] { return std::make_unique<ReinhardExecution>(problem, effectiveThreads(context)); });
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpencvToneMapping() { return std::make_unique<ReinhardToneMapping>(); }

}  // namespace parallax
