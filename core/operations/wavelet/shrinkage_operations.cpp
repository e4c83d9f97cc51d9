// SPDX-License-Identifier: GPL-3.0-or-later
// The descriptions of denoising and compression.
#include "core/engine/operation/capabilities.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/operations/wavelet/error_model.hpp"
#include "core/operations/wavelet/shrinkage.hpp"
#include "core/operations/wavelet/wavelet.hpp"

namespace parallax {
namespace {

Work roundTripWork(const WaveletPlan& plan, std::size_t filtered) {
    // Thresholding takes a few operations a coefficient, which is little beside the filters.
    return {.flops = (2 * waveletFlops(plan) + 4.0 * static_cast<double>(plan.mosaic.pixels())) * static_cast<double>(filtered),
            .bytes = 8.0 * static_cast<double>(plan.image.samples())};
}

std::vector<std::string> roundTripNotes(const WaveletPlan& plan) {
    std::vector<std::string> notes = waveletNotes(plan);
    if (const double error = plan.bank.reconstructionError(); error > 1e-6)
        notes.push_back("The filters do not reconstruct perfectly: the image changes by up to " + toText(ParameterValue(error)) +
                        " of its samples in each pass, even without thresholding");
    return notes;
}

std::string transformStep(const WaveletParameters& parameters) {
    const std::unique_ptr<Operation> transform = makeWaveletTransform();
    Step step{.operation = transform.get(), .parameters = ParameterBlock(transform->parameters())};
    step.parameters.assign(parameters);
    return toText(step);
}

double roundTripGain(const WaveletPlan& plan) {
    const WaveletGains g = waveletGains(plan);
    return g.forward * g.inverse;
}

Reach roundTripReach(const WaveletPlan& plan) {
    const Reach one = waveletReach(plan);
    return {.x = 2 * one.x, .y = 2 * one.y, .z = 2 * one.z};
}

class WaveletDenoise final : public Operation, public HasStatistics, public HasNotes, public RepresentsInput, public WorksInRegions {
public:
    std::string id() const override { return "wavelet-denoise"; }
    std::string title() const override { return "Wavelet denoising"; }
    std::string help() const override {
        return "Removes noise by shrinking small wavelet coefficients, or setting them to 0, and reconstructing the image.";
    }
    const ParameterTableBase& parameters() const override { return denoiseParameterTable(); }
    void check(const Problem& problem) const override { (void)planDenoise(problem); }
    std::string regionStep(const ParameterBlock& p) const override { return transformStep(p.as<DenoiseParameters>().transform()); }
    Representation representation() const override { return Representation::approximation; }
    std::vector<std::string> notes(const Problem& problem) const override { return roundTripNotes(planDenoise(problem).wavelet); }
    Work work(const Problem& problem) const override {
        const DenoisePlan plan = planDenoise(problem);
        return roundTripWork(plan.wavelet, plan.filtered.size());
    }
    Tolerance tolerance(const Problem& problem) const override {
        const DenoisePlan plan = planDenoise(problem);
        return roundTripTolerance(plan.wavelet, problem.statistics.maxAbs(), plan.parameters.slope());
    }
    std::vector<StatisticInfo> statistics() const override {
        return {{"noise", "Noise, standard deviation", "", "Estimated from the finest details, in units of the samples"},
                {"left-out", "Details of 0, left out of the noise", "%",
                 "Share of the diagonal details that are 0, as outside of a mask; noise is estimated from the others"},
                {"threshold", "Threshold", "", "Threshold of this level; for BayesShrink the mean over its sub-bands"},
                {"zero", "Detail coefficients that are 0", "%", "Share of the detail coefficients that were set to 0"}};
    }
    double gain(const Problem& problem) const override { return roundTripGain(planDenoise(problem).wavelet); }
    Reach reach(const Problem& problem) const override { return roundTripReach(planDenoise(problem).wavelet); }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<DenoiseParameters>(
            {{"BayesShrink, soft", {}},
             {"universal, garrote, two levels of sym4",
              {.wavelet = waveletOfKey("sym4"), .levels = 2, .method = ShrinkageMethod::garrote, .rule = ThresholdRule::universal}},
             {"BayesShrink, firm, two levels of db2",
              {.wavelet = WaveletId::db2, .levels = 2, .method = ShrinkageMethod::firm, .ratio = 3}},
             {"manual, hard, one level of haar",
              {.wavelet = WaveletId::haar, .levels = 1, .method = ShrinkageMethod::hard, .rule = ThresholdRule::manual, .threshold = 0.2}},
             {"BayesShrink, hard, noise of each level, in slices",
              {.wavelet = WaveletId::db2,
               .mode = WaveletMode::periodization,
               .levels = 2,
               .axes = WaveletAxes::xy,
               .method = ShrinkageMethod::hard,
               .noiseSource = NoiseSource::eachLevel}},
             {"universal, soft, given noise, factors by level",
              {.wavelet = waveletOfKey("bior2.2"),
               .mode = WaveletMode::reflect,
               .rule = ThresholdRule::universal,
               .strength = 0.5,
               .noise = 0.05,
               .levelFactors = "1 0.5"}}},
            denoiseParameterTable());
    }
};

class WaveletCompress final : public Operation, public HasStatistics, public HasNotes, public RepresentsInput, public WorksInRegions {
public:
    std::string id() const override { return "wavelet-compress"; }
    std::string title() const override { return "Wavelet compression"; }
    std::string help() const override {
        return "Keeps the largest N % of the wavelet coefficients, sets the rest to 0 and reconstructs; reports the PSNR.";
    }
    const ParameterTableBase& parameters() const override { return compressParameterTable(); }
    void check(const Problem& problem) const override { (void)planCompress(problem); }
    std::string regionStep(const ParameterBlock& p) const override { return transformStep(p.as<CompressParameters>().transform()); }
    Representation representation() const override { return Representation::approximation; }
    std::vector<std::string> notes(const Problem& problem) const override { return roundTripNotes(planCompress(problem).wavelet); }
    Work work(const Problem& problem) const override {
        const CompressPlan plan = planCompress(problem);
        return roundTripWork(plan.wavelet, plan.filtered.size());
    }
    Tolerance tolerance(const Problem& problem) const override {
        return roundTripTolerance(planCompress(problem).wavelet, problem.statistics.maxAbs(), 1);
    }
    std::vector<StatisticInfo> statistics() const override {
        return {{"smallest", "Smallest kept coefficient", "", "All smaller ones were set to 0"},
                {"kept", "Coefficients kept", "%", "Share of all finite coefficients"}};
    }
    double gain(const Problem& problem) const override { return roundTripGain(planCompress(problem).wavelet); }
    Reach reach(const Problem& problem) const override { return roundTripReach(planCompress(problem).wavelet); }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<CompressParameters>(
            {{"5 % of db4", {}},
             {"30 % of bior4.4, periodization",
              {.wavelet = waveletOfKey("bior4.4"), .mode = WaveletMode::periodization, .levels = 2, .keep = 30}},
             {"all of haar", {.wavelet = WaveletId::haar, .levels = 2, .keep = 100}},
             {"nothing", {.wavelet = WaveletId::db2, .levels = 1, .keep = 0}}},
            compressParameterTable());
    }
};

}  // namespace

std::unique_ptr<Operation> makeWaveletDenoise() { return std::make_unique<WaveletDenoise>(); }
std::unique_ptr<Operation> makeWaveletCompress() { return std::make_unique<WaveletCompress>(); }

}  // namespace parallax
