// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/volume/openmp/choice.hpp"

#include <algorithm>
#include <limits>

#include "core/backends/openmp/instructions.hpp"
#include "core/operations/convolution/openmp/tuning.hpp"
#include "core/operations/convolution/volume/openmp/tuning.hpp"
#include "core/primitives/blocks.hpp"

namespace parallax {
namespace {

/// Multiply-adds of the direct form for a sample of the volume.
double costOfTransforms(const OpenmpVolumeFacts& f, const FftBox& box) {
    double boxSamples = 1, samples = 1;
    std::int64_t boxes = f.channels;
    for (std::size_t a = 0; a < 3; ++a) {
        boxSamples *= box.size[a];
        boxes *= box.boxes[a];
        samples *= static_cast<double>(f.extents[a]);
    }
    const double uncached = boxSamples > kFftCachedSamples ? kFftBoxUncached : 1;
    const auto turns = static_cast<double>(divideUp(boxes, f.threads) * f.threads);
    return fftVolumeSampleCost(f.lanes, f.halfRate) * uncached * turns * boxSamples /
           std::max(1.0, samples * static_cast<double>(f.channels));
}

}  // namespace

FftBox chooseFftBox(const OpenmpVolumeFacts& f) {
    const auto extentsFor = [&](std::size_t axis) {
        std::vector<int> fitting;
        for (const int extent : kFftBoxExtents)
            if (extent > f.window[axis]) fitting.push_back(extent);
        return fitting;
    };
    const std::vector<int> widths = extentsFor(0), heights = extentsFor(1), depths = extentsFor(2);
    FftBox best;
    double least = std::numeric_limits<double>::infinity();
    for (const int depth : depths)
        for (const int height : heights)
            for (const int width : widths) {
                FftBox box{.size = {width, height, depth}, .window = f.window};
                for (std::size_t a = 0; a < 3; ++a) box.boxes[a] = divideUp(f.extents[a], box.results(a));
                const double cost = costOfTransforms(f, box);
                if (cost >= least) continue;
                least = cost;
                best = box;
            }
    return best;
}

OpenmpVolumeChoice chooseOpenmpVolume(const OpenmpVolumeFacts& f) {
    const std::int64_t window = std::int64_t{f.window[0]} * f.window[1] * f.window[2];
    const int factors = f.window[0] + f.window[1] + f.window[2];
    const std::string taps = std::to_string(window) + (window == 1 ? " tap" : " taps");
    const double direct = static_cast<double>(window);
    const double separable = f.separable ? separableVolumeCost(factors) : std::numeric_limits<double>::infinity();
    const FftBox box = chooseFftBox(f);
    std::string noTransform;
    if (costOfTransforms(f, box) < std::min(direct, separable)) {
        const Support can = f.fft();
        if (can)
            return {OpenmpVolumeForm::fft, taps + " a sample cost more than " + std::to_string(box.boxes[0] * box.boxes[1] * box.boxes[2]) +
                                               " transforms of " + std::to_string(box.size[0]) + " x " + std::to_string(box.size[1]) +
                                               " x " + std::to_string(box.size[2])};
        noTransform = ", and no transform: " + can.reason;
    }
    if (separable < direct)
        return {OpenmpVolumeForm::separable, "separable: " + std::to_string(factors) + " instead of " + taps + " a sample" + noTransform};
    if (!f.separable) return {OpenmpVolumeForm::direct, taps + ", and the window is not separable" + noTransform};
    return {OpenmpVolumeForm::direct, taps + ": three factors would save too little" + noTransform};
}

OpenmpVolumeFacts openmpVolumeFacts(const Problem& problem, const VolumePlan& plan) {
    return {.extents = {problem.shape.width, problem.shape.height, problem.shape.depth},
            .channels = std::max<std::int64_t>(1, static_cast<std::int64_t>(plan.filtered.size())),
            .window = plan.kernel->size,
            .threads = effectiveThreads({}),
            .lanes = openmpVectorLanes(),
            .halfRate = openmpVectorsAtHalfRate()};
}

Preference openmpVolumePreference(OpenmpVolumeForm form, const Problem& problem) {
    const VolumePlan plan = planVolumeConvolution(problem);
    OpenmpVolumeFacts facts = openmpVolumeFacts(problem, plan);
    facts.separable = separableInVolume(problem, plan);
    facts.fft = [&] {
        const std::string lost = darkPartsThatTransformsLose(problem);
        return lost.empty() ? volumeFftSupports(problem, plan) : Support::no(lost);
    };
    OpenmpVolumeChoice choice = chooseOpenmpVolume(facts);
    if (choice.form != form) return {};
    return {1, std::move(choice.reason)};
}

}  // namespace parallax
