// SPDX-License-Identifier: GPL-3.0-or-later
// repair / reference: serial loops.
#include "core/operations/repair/reference.hpp"

#include <cmath>

#include "core/operations/repair/parameters.hpp"

namespace parallax {
namespace {

class ReferenceExecution final : public Execution {
public:
    explicit ReferenceExecution(const RepairParameters& parameters) : p_(parameters) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        for (std::int64_t c = 0; c < in.shape.channels; ++c)
            for (std::int64_t z = 0; z < in.shape.depth; ++z)
                for (std::int64_t y = 0; y < in.shape.height; ++y) {
                    context.throwIfStopped();
                    for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y, z, c) = repaired(in.at(x, y, z, c));
                    if (context.progress) context.progress->add();
                }
    }

    // Without a halo, a strip is an image like any other.
    void runStrip(const StripPlan&, const Strip&, const View<const float>& input, const View<float>& output, RunContext& context) override {
        run(std::span(&input, 1), std::span(&output, 1), context);
    }

private:
    float repaired(float v) const {
        if (std::isnan(v)) return static_cast<float>(p_.nan);
        if (std::isinf(v)) return static_cast<float>(v < 0 ? p_.low : p_.high);
        return v;
    }

    RepairParameters p_;
};

class ReferenceRepair final : public Implementation {
public:
    std::string operation() const override { return "repair"; }
    std::string variant() const override { return "serial"; }
    std::string summary() const override { return "Serial loops: the oracle, not a baseline for speed"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    StripSupport strips(const Problem&) const override { return StripSupport::withoutHalo(); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceExecution>(problem.parameters.as<RepairParameters>());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceRepair() { return std::make_unique<ReferenceRepair>(); }

}  // namespace parallax
