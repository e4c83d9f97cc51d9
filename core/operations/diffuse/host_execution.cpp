// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/diffuse/host_execution.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/parts/part_execution.hpp"
#include "core/operations/diffuse/edge_weights.hpp"
#include "core/operations/diffuse/plan.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {
namespace {

class DiffuseExecution final : public Execution, public PartExecution {
public:
    DiffuseExecution(const Problem& problem, DiffusePlan plan, std::unique_ptr<solvers::HostMethod> method)
        : plan_(std::move(plan)), shape_(problem.shape), method_(std::move(method)), largest_(problem.statistics.maxAbs()) {
        shape_.channels = 1;
        for (const int c : plan_.solved) names_.push_back(problem.channelNames.at(static_cast<std::size_t>(c)));
    }

    /// Makes workspace for rows of this shape.
    void makeArrays(const Shape& rows) { arrays_.make(rows.pixels() * static_cast<std::int64_t>(plan_.solved.size())); }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        solve(inputs[0], outputs[0], shape_, context, [&](const solvers::Stencil& stencil, solvers::SolveProgress& progress) {
            return method_->solve(stencil, channels(), arrays_.f(), arrays_.u(), plan_.options, context, progress);
        });
    }
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        Shape own = shape_;
        (part.slices() ? own.depth : own.height) = part.range.count();
        const solvers::GridPart grid(shape_, part.range, communicator);
        // All weights are constant, and those of the whole image.
        solve(input, output, own, context, [&](const solvers::Stencil&, solvers::SolveProgress& progress) {
            return method_->solvePart(plan_.stencil(shape_), grid, channels(), arrays_.f(), arrays_.u(), plan_.options, context, progress);
        });
    }

    std::vector<Statistic> statistics(RunContext&) override { return solvers::statisticsOf(history_, names_); }
    std::vector<RunSeries> series(RunContext&) override { return solvers::seriesOf(history_); }
    std::vector<RunLap> laps(RunContext&) override { return solvers::lapsOf(history_); }
    std::vector<std::string> warnings(RunContext&) override { return solvers::warningsOf(history_, plan_.options); }
    double dataTolerance() const override {
        double residual = 0;
        for (const solvers::SolveHistory& h : history_)
            if (h.end == solvers::SolveEnd::stagnated) residual += h.trueResidual;
        return residual > 0 ? solvers::errorBound(plan_.stencil(shape_), residual) * largest_ : 0;
    }

private:
    std::int64_t channels() const { return static_cast<std::int64_t>(plan_.solved.size()); }
    /// `shape`: of the rows of `in` and `out`. solveChannels(stencil, progress) solves for arrays_.u().
    template <class F>
    void solve(const View<const float>& in, const View<float>& out, const Shape& shape, RunContext& context, F&& solveChannels) {
        const std::int64_t rows = shape.height * shape.depth, channels = this->channels();
        makeArrays(shape);
        const auto forEachRow = [&](auto&& body) {
            method_->forEachRow(context, rows, [&](std::int64_t row) { body(row % shape.height, row / shape.height, row * shape.width); });
        };
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t) {
            for (const int c : plan_.copied) {
                std::copy_n(in.row(y, z, c), shape.width, out.row(y, z, c));
                if (context.progress) context.progress->add();
            }
        });
        DiffusionEdges edges(plan_, shape);
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::int64_t k = 0; k < channels; ++k) {
                const float* from = in.row(y, z, plan_.solved[static_cast<std::size_t>(k)]);
                double* to = arrays_.f() + k * shape.pixels() + first;
                for (std::int64_t x = 0; x < shape.width; ++x) to[x] = static_cast<double>(from[x]);
            }
            edges.beginRow(arrays_.f(), y, z);
            for (std::int64_t k = 0; k < channels; ++k)
                std::copy_n(arrays_.f() + k * shape.pixels() + first, shape.width, arrays_.u() + k * shape.pixels() + first);
        });
        const bool weighted = edges.needsEdges();
        history_.clear();
        solvers::SolveProgress progress(context, rows * channels, plan_.solves);
        for (int solve = 0; solve < plan_.solves; ++solve) {
            if (solve > 0)
                forEachRow([&](std::int64_t, std::int64_t, std::int64_t first) {
                    for (std::int64_t k = 0; k < channels; ++k)
                        std::copy_n(arrays_.u() + k * shape.pixels() + first, shape.width, arrays_.f() + k * shape.pixels() + first);
                });
            if (weighted) forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t) { edges.weighRow(arrays_.f(), y, z); });
            history_.push_back(solveChannels(edges.stencil(), progress));
        }
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::int64_t k = 0; k < channels; ++k) {
                const int c = plan_.solved[static_cast<std::size_t>(k)];
                const float* from = in.row(y, z, c);
                float* to = out.row(y, z, c);
                const double* u = arrays_.u() + k * shape.pixels() + first;
                for (std::int64_t x = 0; x < shape.width; ++x) to[x] = edges.isFinite(first + x) ? static_cast<float>(u[x]) : from[x];
            }
        });
    }

    DiffusePlan plan_;
    Shape shape_;
    std::unique_ptr<solvers::HostMethod> method_;
    double largest_;
    std::vector<std::string> names_;
    solvers::SolveArrays arrays_;
    std::vector<solvers::SolveHistory> history_;
};

class HostDiffuse final : public Implementation, public PreparesParts {
public:
    explicit HostDiffuse(solvers::HostMethodKind kind) : kind_(std::move(kind)) {}
    std::string operation() const override { return "diffuse"; }
    std::string variant() const override { return kind_.variant; }
    std::string summary() const override { return kind_.summary; }
    Support supports(const Problem& problem) const override { return kind_.supports(isWeighted(problem)); }
    Preference preference(const Problem&, int) const override { return kind_.preference; }
    bool errsLocally(const Problem&) const override { return false; }
    Distribution distribution(const Problem& problem) const override { return kind_.distribution(isWeighted(problem)); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const DiffusePlan plan = planDiffuse(problem);
        Shape shape = problem.shape;
        shape.channels = 1;
        const auto channels = static_cast<std::int64_t>(plan.solved.size());
        const bool weighted = isWeighted(problem);
        return {.host = 2 * sizeof(double) * static_cast<std::uint64_t>(shape.pixels() * channels) +
                        DiffusionEdges::bytes(plan, shape, !weighted) + kind_.bytes(shape, channels, weighted),
                .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        auto execution = std::make_unique<DiffuseExecution>(problem, planDiffuse(problem), kind_.make());
        execution->makeArrays(problem.shape);
        return execution;
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<DiffuseExecution>(problem, planDiffuse(problem), kind_.make());
    }

private:
    static bool isWeighted(const Problem& problem) { return !planDiffuse(problem).isUniform() || problem.statistics.nonFinite() > 0; }
    solvers::HostMethodKind kind_;
};

}  // namespace

std::unique_ptr<Implementation> makeHostDiffuse(solvers::HostMethodKind kind) { return std::make_unique<HostDiffuse>(std::move(kind)); }

}  // namespace parallax
