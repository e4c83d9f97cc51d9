// SPDX-License-Identifier: GPL-3.0-or-later
// The description of replacing NaN and infinity.
#include "core/operations/repair/repair.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "core/engine/operation/capabilities.hpp"
#include "core/operations/repair/parameters.hpp"

namespace parallax {

const ParameterTable<RepairParameters>& repairParameterTable() {
    using P = RepairParameters;
    constexpr auto kLargest = static_cast<double>(FLT_MAX);
    static const ParameterTable<P> table{
        real(&P::nan, "nan", "NaN becomes", -kLargest, kLargest, "", "Replaces samples that are NaN."),
        real(&P::low, "low", "-infinity becomes", -kLargest, kLargest, "",
             "Replaces negative infinity, as with the smallest finite sample."),
        real(&P::high, "high", "+infinity becomes", -kLargest, kLargest, "",
             "Replaces positive infinity, as with the largest finite sample."),
    };
    return table;
}

namespace {

class Repair final : public Operation, public HasPresets {
public:
    std::string id() const override { return "repair"; }
    std::string title() const override { return "Replace NaN and infinity"; }
    std::string help() const override {
        return "Replaces samples that are NaN or infinite by fixed values, in every channel. All others stay as they are, bit for bit. "
               "The operation 'Fill missing samples' interpolates instead.";
    }
    const ParameterTableBase& parameters() const override { return repairParameterTable(); }
    void check(const Problem&) const override {}

    // A comparison; each sample is read once and written once.
    Work work(const Problem& problem) const override {
        const auto samples = static_cast<double>(problem.shape.samples());
        return {.flops = samples, .bytes = 2 * sizeof(float) * samples};
    }
    Tolerance tolerance(const Problem&) const override { return {0, "samples are copied or replaced by constants, so nothing is rounded"}; }
    double gain(const Problem&) const override { return 1; }
    double largestOutput(const Problem& problem) const override {
        const auto& p = problem.parameters.as<RepairParameters>();
        return std::max({problem.statistics.maxAbs(), std::fabs(p.nan), std::fabs(p.low), std::fabs(p.high)});
    }

    std::vector<ParameterPreset> presets() const override {
        return {{"zero", "Zero", "NaN and infinity become 0.", {{"nan", "0"}, {"low", "0"}, {"high", "0"}}},
                {"largest",
                 "Largest numbers",
                 "Infinity becomes the largest number that a sample can hold, NaN becomes 0; as numpy.nan_to_num.",
                 {{"nan", "0"}, {"low", "-3.4028234663852886e+38"}, {"high", "3.4028234663852886e+38"}}}};
    }

    std::vector<SampleProblem> sampleProblems() const override {
        return makeSampleProblems<RepairParameters>({{"zero", {}}, {"range", {.nan = 0.5, .low = -3, .high = 7.25}}},
                                                    repairParameterTable());
    }
};

}  // namespace

std::unique_ptr<Operation> makeRepair() { return std::make_unique<Repair>(); }

}  // namespace parallax
