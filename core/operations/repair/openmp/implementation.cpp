// SPDX-License-Identifier: GPL-3.0-or-later
// repair / openmp / rows: one task for each row.
#include "core/operations/repair/openmp/implementation.hpp"

#include <bit>
#include <cstdint>

#include "core/backends/openmp/parallel.hpp"
#include "core/operations/repair/formulas.hpp"

namespace parallax {
namespace {

/// Integer arithmetic, since comparisons of floats may trap and so do not become vector code.
void repairRow(const float* from, float* to, std::int64_t count, const repairing::Replacements& r) {
    constexpr std::int32_t infinity = 0x7f800000;
    const auto nan = std::bit_cast<std::int32_t>(r.nan), low = std::bit_cast<std::int32_t>(r.low),
               high = std::bit_cast<std::int32_t>(r.high);
    for (std::int64_t x = 0; x < count; ++x) {
        const auto bits = std::bit_cast<std::int32_t>(from[x]);
        const std::int32_t magnitude = bits & 0x7fffffff, infinite = bits < 0 ? low : high;
        const std::int32_t replacement = magnitude > infinity ? nan : infinite;
        to[x] = std::bit_cast<float>(magnitude < infinity ? bits : replacement);
    }
}

class OpenmpExecution final : public Execution {
public:
    explicit OpenmpExecution(const RepairParameters& p) : replacements_(p) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const std::int64_t rows = in.shape.height, slices = in.shape.depth;
        parallelTasks(context, rows * slices * in.shape.channels, effectiveThreads(context), [&](std::int64_t task, int) {
            const std::int64_t y = task % rows, z = task / rows % slices, c = task / rows / slices;
            repairRow(in.row(y, z, c), out.row(y, z, c), in.shape.width, replacements_);
            if (context.progress) context.progress->add();
        });
    }

    // Without a halo, a strip is an image like any other.
    void runStrip(const StripPlan&, const Strip&, const View<const float>& input, const View<float>& output, RunContext& context) override {
        run(std::span(&input, 1), std::span(&output, 1), context);
    }

private:
    repairing::Replacements replacements_;
};

class OpenmpRepair final : public Implementation {
public:
    std::string operation() const override { return "repair"; }
    std::string variant() const override { return "rows"; }
    std::string summary() const override { return "Threads over rows, vectorised by the compiler"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    StripSupport strips(const Problem&) const override { return StripSupport::withoutHalo(); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<OpenmpExecution>(problem.parameters.as<RepairParameters>());
    }
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpRepair() { return std::make_unique<OpenmpRepair>(); }

}  // namespace parallax
