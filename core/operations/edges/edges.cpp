// SPDX-License-Identifier: GPL-3.0-or-later
// The description of the edge magnitude.
#include "core/operations/edges/edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/operation/capabilities.hpp"
#include "core/operations/convolution/convolution.hpp"
#include "core/operations/convolution/local_maximum.hpp"
#include "core/operations/edges/plan.hpp"

namespace parallax {

const ParameterTable<EdgesParameters>& edgesParameterTable() {
    using P = EdgesParameters;
    static const ParameterTable<P> table{
        choice(&P::filter, "filter", "Derivative filter",
               {{"sobel", "Sobel", "Smooths by 1 2 1 across the derivative"},
                {"scharr", "Scharr", "Smooths by 3 10 3: depends least on the direction of an edge"},
                {"prewitt", "Prewitt", "Smooths by 1 1 1"}},
               "Weights of the derivatives, those of 'convolve'. A ramp that rises by 1 a pixel gives 8 (Sobel), 32 (Scharr) or 6 "
               "(Prewitt), with axes=xyz 32, 512 or 18."),
        choice(&P::axes, "axes", "Axes",
               {{"xy", "Slices (x, y)", "Each slice of a volume is filtered on its own"},
                {"xyz", "Volume (x, y, z)", "The gradient has a component along z as well, and each is smoothed along both other axes"}},
               "Axes of the gradient. Images have x and y; for volumes choose between slices and three dimensions."),
        choice(&P::border, "border", "Border", borderModeChoices(), "Values of samples outside of the image."),
        real(&P::borderValue, "border-value", "Border value", -1e6, 1e6, "", "Value of samples outside of the image.")
            .shownIf("border", {"constant"}),
    };
    return table;
}

namespace {

/// Largest error of a sample in float32, given the largest magnitude of the samples under the window; derived in README.md.
class EdgesErrorBound {
public:
    explicit EdgesErrorBound(const EdgesPlan& plan)
        : perSample_(4 * plan.components() * 0x1p-24 * plan.largestMagnitude(1)),
          fixed_(plan.largestMagnitude(static_cast<double>(std::numeric_limits<float>::min() / kEdgeScale))) {}
    double operator()(double largest) const { return perSample_ * largest + fixed_; }

private:
    double perSample_, fixed_;
};

class Edges final : public Operation, public HasLocalTolerance, public ChangesQuantity {
public:
    std::string id() const override { return "edges"; }
    std::string title() const override { return "Edge magnitude"; }
    std::string help() const override {
        return "Magnitude of the gradient of each channel: the square root of the sum of the squared derivatives along x and y, with "
               "axes=xyz also along z. Large at edges in any direction, 0 in flat parts. Alpha is copied. A NaN under the window reaches "
               "the result.";
    }
    const ParameterTableBase& parameters() const override { return edgesParameterTable(); }
    void check(const Problem&) const override {}

    // For each component a multiply and an add for each tap; a square and an add; the root.
    Work work(const Problem& problem) const override {
        const EdgesPlan plan = planEdges(problem);
        const auto pixels = static_cast<double>(problem.shape.pixels());
        return {.flops = (2.0 * plan.components() * (plan.taps() + 1) + 1) * pixels * static_cast<double>(plan.filtered.size()),
                .bytes = 2 * sizeof(float) * static_cast<double>(problem.shape.samples())};
    }

    Tolerance tolerance(const Problem& problem) const override {
        const EdgesPlan plan = planEdges(problem);
        const std::string n = std::to_string(plan.components());
        return {EdgesErrorBound(plan)(largestSample(problem, plan)),
                "float32: " + n + " derivatives, their squares and the root: 4 n 2^-24 sqrt(n) sum|K| max|in| for n = " + n +
                    "; max|in| under the window, of the volume with axes=xyz"};
    }
    LocalBounds localBounds(const Problem& problem, std::int64_t channel, LocalBounds input) const override {
        const EdgesPlan plan = planEdges(problem);
        if (std::find(plan.copied.begin(), plan.copied.end(), static_cast<int>(channel)) != plan.copied.end()) return input;
        const Shape shape{problem.shape.width, problem.shape.height, 1, 1};
        ConvolutionPlan window{plan, {.width = 3, .height = 3, .anchorX = 1, .anchorY = 1, .weights = std::vector<double>(9, 1.0)}};
        const EdgesErrorBound bound(plan);
        LocalBounds output{largestUnderKernel(window, denseView<const float>(input.magnitudes.data(), shape)), {}};
        window.borderValue = 0;  // it is exact
        output.tolerances = largestUnderKernel(window, denseView<const float>(input.tolerances.data(), shape));
        for (std::size_t i = 0; i < output.magnitudes.size(); ++i) {
            const auto largest = static_cast<double>(output.magnitudes[i]), deviation = static_cast<double>(output.tolerances[i]);
            output.magnitudes[i] = static_cast<float>(plan.largestMagnitude(largest));
            output.tolerances[i] = static_cast<float>(plan.largestMagnitude(deviation) + bound(largest));
        }
        return output;
    }

    // The magnitude of a vector changes by no more than the vector does.
    double gain(const Problem& problem) const override { return std::max(1.0, planEdges(problem).largestMagnitude(1)); }
    double largestOutput(const Problem& problem) const override {
        const EdgesPlan plan = planEdges(problem);
        const double copied = plan.copied.empty() ? 0 : problem.statistics.maxAbs();
        return std::max(copied, plan.largestMagnitude(largestSample(problem, plan)));
    }
    Reach reach(const Problem& problem) const override { return {.x = 1, .y = 1, .z = planEdges(problem).acrossSlices ? 1 : 0}; }
    int borderWidth(const Problem&) const override { return 1; }
    bool changesQuantity(const ParameterBlock&) const override { return true; }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<EdgesParameters>(
            {{"sobel", {}},
             {"scharr reflect", {.filter = EdgeFilter::scharr, .border = BorderMode::reflect}},
             {"prewitt constant", {.filter = EdgeFilter::prewitt, .border = BorderMode::constant, .borderValue = 0.5}},
             {"sobel in three dimensions", {.axes = WindowAxes::xyz}},
             {"scharr in three dimensions wrap", {.filter = EdgeFilter::scharr, .axes = WindowAxes::xyz, .border = BorderMode::wrap}},
             {"prewitt in three dimensions reflect 101",
              {.filter = EdgeFilter::prewitt, .axes = WindowAxes::xyz, .border = BorderMode::reflect101}},
             {"sobel in three dimensions constant", {.axes = WindowAxes::xyz, .border = BorderMode::constant, .borderValue = 0.5}}},
            edgesParameterTable());
    }

private:
    static double largestSample(const Problem& problem, const EdgesPlan& plan) {
        return std::max(problem.statistics.maxAbs(), std::fabs(static_cast<double>(plan.borderValue)));
    }
};

}  // namespace

std::unique_ptr<Operation> makeEdges() { return std::make_unique<Edges>(); }

}  // namespace parallax
