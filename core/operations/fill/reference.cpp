// SPDX-License-Identifier: GPL-3.0-or-later
// fill / reference: one system over all samples of a channel, in which known samples are fixed.
#include "core/operations/fill/reference.hpp"

#include <algorithm>

#include "core/engine/parts/first_part.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/operations/fill/mask.hpp"
#include "core/operations/fill/outcome.hpp"
#include "core/operations/fill/plan.hpp"
#include "core/solvers/conjugate_gradients.hpp"
#include "core/solvers/host_method.hpp"
#include "core/solvers/reference/biharmonic.hpp"

namespace parallax {
namespace {

using filling::Kind;

class ReferenceFill final : public Execution, public PartExecution {
public:
    ReferenceFill(const Problem& problem, FillPlan plan) : plan_(std::move(plan)), outcome_(problem, plan_) {}

    /// Makes the workspace, unless it is there.
    void makeArrays() {
        kinds_.resize(size());
        fixed_.resize(size());
        f_.resize(size());
        u_.resize(size());
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        makeArrays();
        outcome_.clear();
        for (const int c : plan_.copied) copyChannel(in, out, c, context);
        for (const int c : plan_.solved) {
            const filling::RowCounts counts = classify(in, c, context);
            if (counts.missing == 0 || counts.unknown() == plan_.stencil.shape.pixels()) {
                copyChannel(in, out, c, context);
                outcome_.addUnsolved(c, counts.missing);
            } else {
                solvers::SolveHistory history = solve(in, out, c, context);
                if (plan_.isBiharmonic()) outcome_.addBiharmonic(c, counts.missing, unknowns(context), std::move(history), context);
                else outcome_.addSolved(c, counts.missing, counts.unknown(), std::move(history));
            }
        }
    }

    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        runOnFirstPart(part, input, output, communicator, [&](View<const float> in, View<float> out) {
            run({&in, 1}, {&out, 1}, context);
        });
    }

    std::vector<Statistic> statistics(RunContext&) override { return outcome_.statistics(); }
    std::vector<RunSeries> series(RunContext&) override { return outcome_.series(); }
    std::vector<std::string> warnings(RunContext&) override { return outcome_.warnings(); }
    double dataTolerance() const override { return outcome_.dataTolerance(); }

private:
    std::size_t size() const { return static_cast<std::size_t>(plan_.stencil.shape.pixels()); }

    /// Calls body(y, z, index of the first sample) for all rows.
    template <class F>
    void forEachRow(const RunContext& context, F&& body) const {
        const Shape& shape = plan_.stencil.shape;
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y) {
                context.throwIfStopped();
                body(y, z, static_cast<std::size_t>(shape.width * (y + shape.height * z)));
            }
    }

    void copyChannel(const View<const float>& in, const View<float>& out, int c, const RunContext& context) const {
        forEachRow(context, [&](std::int64_t y, std::int64_t z, std::size_t) {
            std::copy_n(in.row(y, z, c), in.shape.width, out.row(y, z, c));
            if (context.progress) context.progress->add();
        });
    }

    /// The samples that are not known, for the bound of the error.
    solvers::CompactSystem unknowns(const RunContext& context) const {
        solvers::CompactSystem system;
        system.shape = plan_.stencil.shape;
        system.setRows(solvers::GridPart(system.shape));
        system.rowBegin.push_back(0);
        const std::int64_t width = system.shape.width;
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            const auto x = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % width);
            if (kinds_[i] != Kind::known) system.columns.push_back(x);
            if (x + 1 != width) continue;
            context.throwIfStopped();
            system.rowBegin.push_back(system.count());
        }
        system.resizeLinks();
        for (std::int64_t row = 0; row < system.own.count(); ++row) system.linkRow(row);
        return system;
    }

    filling::RowCounts classify(const View<const float>& in, int c, const RunContext& context) {
        filling::RowCounts all;
        std::fill(kinds_.begin(), kinds_.end(), Kind::known);
        forEachRow(context, [&](std::int64_t y, std::int64_t z, std::size_t first) {
            const filling::RowCounts counts = filling::classifyRow(plan_, in, y, z, c, kinds_.data() + first);
            all.missing += counts.missing;
            all.unusable += counts.unusable;
        });
        return all;
    }

    solvers::SolveHistory solve(const View<const float>& in, const View<float>& out, int c, const RunContext& context) {
        const std::int64_t width = plan_.stencil.shape.width, rows = plan_.stencil.shape.height * plan_.stencil.shape.depth;
        forEachRow(context, [&](std::int64_t y, std::int64_t z, std::size_t first) {
            for (std::int64_t x = 0; x < width; ++x) {
                const std::size_t i = first + static_cast<std::size_t>(x);
                fixed_[i] = kinds_[i] == Kind::known ? 1 : 0;
                u_[i] = fixed_[i] ? static_cast<double>(in.at(x, y, z, c)) : 0;
            }
        });
        solvers::Stencil stencil = plan_.stencil;
        stencil.fixed = fixed_.data();
        solvers::SolveProgress progress(context, rows, 1, outcome_.nameOf(c));
        solvers::SolveHistory history =
            plan_.isBiharmonic()
                ? solvers::solveBiharmonic(stencil, u_.data(), solvers::kReferenceOptions, context, progress)
                : solvers::conjugateGradients(stencil, 1, f_.data(), u_.data(), solvers::kReferenceOptions, context, progress);
        forEachRow(context, [&](std::int64_t y, std::int64_t z, std::size_t first) {
            for (std::int64_t x = 0; x < width; ++x) {
                const std::size_t i = first + static_cast<std::size_t>(x);
                out.at(x, y, z, c) = kinds_[i] == Kind::missing ? static_cast<float>(u_[i]) : in.at(x, y, z, c);
            }
        });
        return history;
    }

    FillPlan plan_;
    filling::Outcome outcome_;
    HostVector<Kind> kinds_;
    HostVector<std::uint8_t> fixed_;
    HostVector<double> f_, u_;
};

class SerialFill final : public Implementation, public PreparesParts {
public:
    std::string operation() const override { return "fill"; }
    std::string variant() const override { return solvers::referenceMethod().variant; }
    std::string summary() const override { return solvers::referenceMethod().summary; }
    Support supports(const Problem&) const override { return {}; }
    bool errsLocally(const Problem&) const override { return false; }
    Distribution distribution(const Problem&) const override { return {.halo = StripSupport::withoutHalo(), .phases = true}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        const FillPlan plan = planFill(problem);
        const auto pixels = static_cast<std::uint64_t>(plan.stencil.shape.pixels());
        const Shape& shape = plan.stencil.shape;
        const std::uint64_t ofSolve = plan.unknowns == 0    ? 0
                                      : plan.isBiharmonic() ? solvers::biharmonicBytes(shape)
                                                            : solvers::conjugateGradientsBytes(shape, 1);
        return {.host = pixels * (2 * sizeof(double) + 2) + ofSolve, .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        auto execution = std::make_unique<ReferenceFill>(problem, planFill(problem));
        execution->makeArrays();
        return execution;
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<ReferenceFill>(problem, planFill(problem));
    }
};

}  // namespace

std::unique_ptr<Implementation> makeReferenceFill() { return std::make_unique<SerialFill>(); }

}  // namespace parallax
