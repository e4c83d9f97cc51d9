// SPDX-License-Identifier: GPL-3.0-or-later
// repair / cuda / simple: one kernel from image to image.
#include "gpu/operations/repair/repair.hpp"

#include "core/operations/repair/formulas.hpp"
#include "gpu/operations/repair/kernel.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {
namespace {

class RepairExecution final : public Execution {
public:
    explicit RepairExecution(const RepairParameters& p) : replacements_(p) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const CudaSession& session = cudaSession(context);
        const CurrentDevice current(session.device());
        const Shape& shape = inputs[0].shape;
        launchRepair(inputs[0], outputs[0], replacements_, session.stream());
        if (context.progress) context.progress->add(shape.height * shape.depth * shape.channels);
    }

    // Without a halo, a strip is an image like any other.
    void runStrip(const StripPlan&, const Strip&, const View<const float>& input, const View<float>& output, RunContext& context) override {
        run(std::span(&input, 1), std::span(&output, 1), context);
    }

private:
    repairing::Replacements replacements_;
};

class Repair final : public Implementation {
public:
    std::string operation() const override { return "repair"; }
    std::string variant() const override { return "simple"; }
    std::string summary() const override { return "One thread for each sample"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    Support recording(const Problem&) const override { return {}; }
    StripSupport strips(const Problem&) const override { return StripSupport::withoutHalo(); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        const CurrentDevice current(cudaSession(context).device());
        preloadRepair();
        return std::make_unique<RepairExecution>(problem.parameters.as<RepairParameters>());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeRepair() { return std::make_unique<Repair>(); }

}  // namespace parallax::gpu
