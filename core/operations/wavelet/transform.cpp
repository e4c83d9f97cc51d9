// SPDX-License-Identifier: GPL-3.0-or-later
// The descriptions of the transform and of its inverse.
#include <algorithm>

#include "core/engine/operation/capabilities.hpp"
#include "core/operations/wavelet/error_model.hpp"
#include "core/operations/wavelet/layout.hpp"
#include "core/operations/wavelet/serial_transform.hpp"
#include "core/operations/wavelet/wavelet.hpp"

namespace parallax {
namespace {

Work transformWork(const WaveletPlan& plan) {
    const auto channels = static_cast<double>(plan.image.channels);
    return {.flops = waveletFlops(plan) * channels,
            .bytes = 4.0 * static_cast<double>(plan.image.pixels() + plan.mosaic.pixels()) * channels};
}

class WaveletTransform final : public Operation, public HasRegions, public HasNotes, public ChangesFacts, public RepresentsInput {
public:
    std::string id() const override { return "dwt"; }
    std::string title() const override { return "Wavelet transform"; }
    std::string help() const override {
        return "Splits an image or a volume into low and high frequencies along each axis, at half the resolution, and repeats this for "
               "the "
               "approximation of each level. The result is a mosaic of all sub-bands with the approximation in the corner.";
    }
    const ParameterTableBase& parameters() const override { return waveletParameterTable(); }
    void check(const Problem& problem) const override { (void)planForward(problem); }
    Shape outputShape(const Problem& problem) const override { return planForward(problem).mosaic; }
    std::vector<Fact> outputFacts(const Problem& problem) const override {
        std::vector<Fact> facts = problem.facts;
        facts.push_back(describeCoefficients(planForward(problem), facts));
        return facts;
    }
    Representation representation() const override { return Representation::encoding; }
    std::string inverse() const override { return "idwt"; }
    std::vector<Region> regions(const Problem& problem) const override {
        std::vector<Region> regions;
        for (const WaveletBand& band : planForward(problem).bands())
            if (band.samples() > 0) regions.push_back({band.key(), band.title(), band.level, band.origin, band.extent});
        return regions;
    }
    std::vector<std::string> regionTitles() const override {
        std::vector<std::string> titles;
        for (unsigned details = 0; details < 8; ++details) titles.push_back(WaveletBand{.details = details}.title());
        return titles;
    }
    std::vector<std::string> notes(const Problem& problem) const override { return waveletNotes(planForward(problem)); }
    Work work(const Problem& problem) const override { return transformWork(planForward(problem)); }
    Tolerance tolerance(const Problem& problem) const override {
        return forwardTolerance(planForward(problem), problem.statistics.maxAbs());
    }
    double gain(const Problem& problem) const override { return waveletGains(planForward(problem)).forward; }
    Reach reach(const Problem& problem) const override {
        const WaveletPlan plan = planForward(problem);
        Reach reach = waveletReach(plan);
        reach.influence = forwardInfluence(plan);
        return reach;
    }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<WaveletParameters>(
            {{"db4, 3 levels", {}},
             {"haar, 1 level, periodization", {.wavelet = WaveletId::haar, .mode = WaveletMode::periodization, .levels = 1}},
             {"bior4.4, 2 levels, reflect", {.wavelet = waveletOfKey("bior4.4"), .mode = WaveletMode::reflect, .levels = 2}},
             {"coif1, as many levels as fit, periodization",
              {.wavelet = WaveletId::coif1, .mode = WaveletMode::periodization, .levels = 0}},
             {"sym5, x and y, antireflect",
              {.wavelet = waveletOfKey("sym5"), .mode = WaveletMode::antireflect, .levels = 2, .axes = WaveletAxes::xy}},
             {"db2 along y and z, smooth", {.wavelet = WaveletId::db2, .mode = WaveletMode::smooth, .levels = 1, .axes = WaveletAxes::yz}},
             {"custom biorthogonal pair, zero",
              {.wavelet = WaveletId::custom,
               .filters = "-0.125 0.25 0.75 0.25 -0.125; 0 0.5 1 0.5",
               .mode = WaveletMode::zero,
               .levels = 2}}},
            waveletParameterTable());
    }
};

class InverseWaveletTransform final : public Operation,
                                      public HasNotes,
                                      public ChangesFacts,
                                      public RepresentsInput,
                                      public MakesSampleInput {
public:
    std::string id() const override { return "idwt"; }
    std::string title() const override { return "Inverse wavelet transform"; }
    std::string help() const override {
        return "Reconstructs an image or a volume from its wavelet coefficients. Parameters and image size are taken from the "
               "coefficients' "
               "metadata, which EXR, PNG and .raw files keep; otherwise set them here.";
    }
    const ParameterTableBase& parameters() const override { return inverseWaveletParameterTable(); }
    void check(const Problem& problem) const override { (void)planInverse(problem); }
    Shape outputShape(const Problem& problem) const override { return planInverse(problem).image; }
    std::vector<Fact> outputFacts(const Problem& problem) const override {
        // The last transform is undone; others before it still hold.
        std::vector<Fact> facts = problem.facts;
        if (const auto last = lastCoefficientFact(facts); last != facts.end()) facts.erase(last);
        return facts;
    }
    Representation representation() const override { return Representation::decoding; }
    std::vector<std::string> notes(const Problem& problem) const override {
        const WaveletPlan plan = planInverse(problem);
        std::vector<std::string> notes;
        const auto& p = problem.parameters.as<InverseWaveletParameters>();
        if (!storedTransform(problem.facts) && (p.width == 0 || p.height == 0 || (p.depth == 0 && plan.axes[2].transformed)))
            notes.push_back("The coefficients do not record the size of the image; assuming " + std::to_string(plan.image.width) + " x " +
                            std::to_string(plan.image.height) + " x " + std::to_string(plan.image.depth) +
                            ". Set width, height and depth if this is wrong.");
        if (!storedTransform(problem.facts) && (p.wavelet == 0 || p.mode == 0 || p.levels == 0)) {
            std::string taken;
            const auto add = [&](const std::string& text) { taken += (taken.empty() ? "" : ", ") + text; };
            if (p.wavelet == 0) add("wavelet " + waveletKey(WaveletParameters{}.wavelet));
            if (p.mode == 0) add("mode " + ParameterBlock(waveletParameterTable()).text("mode"));
            if (p.levels == 0) add("levels " + std::to_string(plan.levels));
            notes.push_back("The coefficients do not record their transform; assuming " + taken +
                            ". Set the parameters of the transform if they differ; EXR, PNG and .raw files keep them.");
        }
        if (const double error = plan.bank.reconstructionError(); error > 1e-6)
            notes.push_back("The filters do not reconstruct perfectly: the result differs by up to " + toText(ParameterValue(error)) +
                            " of the samples in each pass");
        return notes;
    }
    Work work(const Problem& problem) const override { return transformWork(planInverse(problem)); }
    Tolerance tolerance(const Problem& problem) const override {
        return inverseTolerance(planInverse(problem), problem.statistics.maxAbs());
    }
    double gain(const Problem& problem) const override {
        // Errors of coefficients are independent, but one large coefficient alone must not make more than this either.
        const WaveletGains g = waveletGains(planInverse(problem));
        return std::max(g.inverse, 1.0);
    }
    Reach reach(const Problem& problem) const override { return waveletReach(planInverse(problem)); }

    std::vector<SampleProblem> sampleProblems() const override {
        std::vector<SampleProblem> problems;
        const auto add = [&](std::string name, const WaveletParameters& p) {
            ParameterBlock block(parameters());
            InverseWaveletParameters inverse;
            inverse.wavelet = 1 + static_cast<int>(p.wavelet);
            inverse.filters = p.filters;
            inverse.mode = 1 + static_cast<int>(p.mode);
            inverse.levels = p.levels;
            inverse.axes = 1 + static_cast<int>(p.axes);
            block.assign(std::move(inverse));
            problems.push_back({std::move(name), std::move(block)});
        };
        add("db4, 3 levels", {});
        add("haar, 1 level, periodization", {.wavelet = WaveletId::haar, .mode = WaveletMode::periodization, .levels = 1});
        add("bior4.4, 2 levels, reflect", {.wavelet = waveletOfKey("bior4.4"), .mode = WaveletMode::reflect, .levels = 2});
        add("rbio3.1, x and z, periodization",
            {.wavelet = waveletOfKey("rbio3.1"), .mode = WaveletMode::periodization, .levels = 2, .axes = WaveletAxes::xz});
        add("db3, 2 levels, periodization", {.wavelet = static_cast<WaveletId>(3), .mode = WaveletMode::periodization, .levels = 2});
        add("custom biorthogonal pair, zero",
            {.wavelet = WaveletId::custom, .filters = "-0.125 0.25 0.75 0.25 -0.125; 0 0.5 1 0.5", .mode = WaveletMode::zero, .levels = 1});
        return problems;
    }

    Image sampleInput(const ParameterBlock& block, Image image) const override {
        const auto& p = block.as<InverseWaveletParameters>();
        WaveletParameters forward;
        if (p.wavelet > 0) forward.wavelet = static_cast<WaveletId>(p.wavelet - 1);
        if (p.mode > 0) forward.mode = static_cast<WaveletMode>(p.mode - 1);
        if (p.levels > 0) forward.levels = p.levels;
        if (p.axes > 0) forward.axes = static_cast<WaveletAxes>(p.axes - 1);
        forward.filters = p.filters;
        const WaveletPlan plan = planWavelet(forward, image.shape());
        Buffer mosaic(plan.mosaic);
        SerialTransform transform(plan);
        for (std::int64_t c = 0; c < plan.image.channels; ++c)
            transform.forward(std::as_const(image).view().channel(c), mosaic.view<float>().channel(c), [] {});
        Image coefficients = image.withSamples(std::move(mosaic));
        const Fact fact = describeCoefficients(plan, {});
        coefficients.metadata.push_back({fact.name, "string", fact.text, {}});
        return coefficients;
    }
};

}  // namespace

std::unique_ptr<Operation> makeWaveletTransform() { return std::make_unique<WaveletTransform>(); }
std::unique_ptr<Operation> makeInverseWaveletTransform() { return std::make_unique<InverseWaveletTransform>(); }

}  // namespace parallax
