// SPDX-License-Identifier: GPL-3.0-or-later
// The description of the example. Form, command line, recipes, benchmarks and reports are derived from it.
#include "core/operations/example_scale/example_scale.hpp"

#include <cmath>

#include "core/operations/example_scale/parameters.hpp"

namespace parallax {

// Key, title, range, unit and help of each parameter. The order is that of the form.
const ParameterTable<ExampleScaleParameters>& exampleScaleParameterTable() {
    using P = ExampleScaleParameters;
    static const ParameterTable<P> table{
        real(&P::factor, "factor", "Factor", -1e6, 1e6, "", "Factor for every sample."),
        real(&P::offset, "offset", "Offset", -1e6, 1e6, "", "Added to every sample, after the factor."),
    };
    return table;
}

namespace {

// Optional capabilities (presets, statistics, ...) are further base classes: see core/engine/operation/capabilities.hpp.
class ExampleScale final : public Operation {
public:
    std::string id() const override { return "example-scale"; }
    std::string title() const override { return "Example: scale"; }
    std::string help() const override { return "Multiplies every sample by a factor and adds an offset."; }
    const ParameterTableBase& parameters() const override { return exampleScaleParameterTable(); }

    // The table checks ranges. This is for inputs or combinations of parameters that make no sense: throw Error(ErrorCode::usage, ...).
    void check(const Problem&) const override {}

    // Model counts: one multiply, one add; each sample is read once and written once.
    Work work(const Problem& problem) const override {
        const auto samples = static_cast<double>(problem.shape.samples());
        return {.flops = 2 * samples, .bytes = 2 * sizeof(float) * samples};
    }

    // How far a correct float32 implementation may be from the reference, and why. Derive it; do not measure it.
    Tolerance tolerance(const Problem& problem) const override {
        return {3 * 0x1p-24 * largestOutput(problem), "float32: a product and a sum are rounded, and so is the reference"};
    }

    // Bounds that the tolerance of a pipeline is made of.
    double gain(const Problem& problem) const override { return std::fabs(problem.parameters.as<ExampleScaleParameters>().factor); }
    double largestOutput(const Problem& problem) const override {
        return gain(problem) * problem.statistics.maxAbs() + std::fabs(problem.parameters.as<ExampleScaleParameters>().offset);
    }

    // reach() and borderWidth() stay 0: an output sample depends on one input sample, and no border mode matters.

    // Parameters that the conformance suite tries on images and volumes of many sizes.
    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<ExampleScaleParameters>(
            {{"twice", {}}, {"negative", {.factor = -1, .offset = 1}}, {"constant", {.factor = 0, .offset = 0.25}}},
            exampleScaleParameterTable());
    }
};

}  // namespace

std::unique_ptr<Operation> makeExampleScale() { return std::make_unique<ExampleScale>(); }

}  // namespace parallax
