// SPDX-License-Identifier: GPL-3.0-or-later
// The oracle that every other implementation is compared with: serial, in double, written to be obviously right.
#include "core/operations/example_scale/reference.hpp"

#include "core/operations/example_scale/parameters.hpp"

namespace parallax {
namespace {

// Prepared once, run many times. It keeps the parameters; other operations keep weights, plans or workspace.
class ReferenceExecution final : public Execution {
public:
    explicit ReferenceExecution(const ExampleScaleParameters& parameters) : p_(parameters) {}

    // Rows may have gaps between them: use row(), and never assume that samples are contiguous.
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        for (std::int64_t c = 0; c < in.shape.channels; ++c)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < in.shape.height; ++y) {
                    context.throwIfStopped();
                    for (std::int64_t x = 0; x < in.shape.width; ++x)
                        out.at(x, y, z, c) = static_cast<float>(p_.factor * static_cast<double>(in.at(x, y, z, c)) + p_.offset);
                    if (context.progress) context.progress->add();  // 1 for each row of a channel
                }
    }

    // Without a halo, a strip is an image like any other.
    void runStrip(const StripPlan&, const Strip&, const View<const float>& input, const View<float>& output, RunContext& context) override {
        run(std::span(&input, 1), std::span(&output, 1), context);
    }

private:
    ExampleScaleParameters p_;
};

class ReferenceExampleScale final : public Implementation {
public:
    std::string operation() const override { return "example-scale"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Serial loops in double precision: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }  // nothing besides input and output
    // For images larger than a device, and for several devices. Others state a halo, or nothing if they need the whole image.
    StripSupport strips(const Problem&) const override { return StripSupport::withoutHalo(); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceExecution>(problem.parameters.as<ExampleScaleParameters>());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceExampleScale() { return std::make_unique<ReferenceExampleScale>(); }

}  // namespace parallax
