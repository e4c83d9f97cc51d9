// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/poisson/host_execution.hpp"

#include <algorithm>
#include <cmath>

#include "core/engine/parts/part_execution.hpp"
#include "core/operations/poisson/plan.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {
namespace {

class PoissonExecution final : public Execution, public PartExecution {
public:
    PoissonExecution(const Problem& problem, PoissonPlan plan, std::unique_ptr<solvers::HostMethod> method)
        : plan_(std::move(plan)), method_(std::move(method)), largest_(problem.statistics.maxAbs()) {
        for (const int c : plan_.solved) names_.push_back(problem.channelNames.at(static_cast<std::size_t>(c)));
    }

    /// Makes workspace for the rows that a part keeps.
    void makeArrays(const solvers::GridPart& grid) { arrays_.make(grid.keptSamples() * static_cast<std::int64_t>(plan_.solved.size())); }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        solve(inputs[0], outputs[0], solvers::GridPart(plan_.stencil.shape), context);
    }
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        solve(input, output, solvers::GridPart(plan_.stencil.shape, part.range, communicator), context);
    }
    std::vector<Statistic> statistics(RunContext&) override { return solvers::statisticsOf(history_, names_); }
    std::vector<RunSeries> series(RunContext&) override { return solvers::seriesOf(history_); }
    std::vector<RunLap> laps(RunContext&) override { return solvers::lapsOf(history_); }
    std::vector<std::string> warnings(RunContext&) override { return solvers::warningsOf(history_, plan_.options); }
    double dataTolerance() const override {
        double residual = 0;
        for (const solvers::SolveHistory& h : history_)
            if (h.end == solvers::SolveEnd::stagnated) residual = std::max(residual, h.trueResidual);
        return residual > 0 ? solvers::errorBound(plan_.stencil, residual) * largest_ : 0;
    }

private:
    /// `in`, `out`: the own rows of `grid`.
    void solve(const View<const float>& in, const View<float>& out, const solvers::GridPart& grid, RunContext& context) {
        makeArrays(grid);
        const std::int64_t rows = grid.rows(), channels = static_cast<std::int64_t>(plan_.solved.size());
        const Shape& shape = plan_.stencil.shape;
        // The row of a view, and its first sample in the arrays. Parts are rows or slices.
        const auto rowOf = [&](const auto& view, std::int64_t row, int c) {
            return shape.depth > 1 ? view.row(row % shape.height, row / shape.height, c) : view.row(row, 0, c);
        };
        const auto sampleOf = [&](std::int64_t k, std::int64_t row) {
            return k * grid.keptSamples() + grid.samplesBefore() + row * shape.width;
        };
        for (const int c : plan_.copied)
            method_->forEachRow(context, rows, [&](std::int64_t row) {
                std::copy_n(rowOf(in, row, c), shape.width, rowOf(out, row, c));
                if (context.progress) context.progress->add();
            });
        for (std::int64_t k = 0; k < channels; ++k) {
            const int c = plan_.solved[static_cast<std::size_t>(k)];
            method_->forEachRow(context, rows, [&](std::int64_t row) {
                const float* from = rowOf(in, row, c);
                const std::int64_t first = sampleOf(k, row);
                for (std::int64_t x = 0; x < shape.width; ++x) {
                    arrays_.f()[first + x] = std::isfinite(from[x]) ? static_cast<double>(from[x]) : 0;
                    arrays_.u()[first + x] = 0;
                }
            });
        }
        solvers::SolveProgress progress(context, rows * channels);
        history_ = {method_->solve(plan_.stencil, grid, channels, arrays_.f(), arrays_.u(), plan_.options, context, progress)};
        for (std::int64_t k = 0; k < channels; ++k) {
            const int c = plan_.solved[static_cast<std::size_t>(k)];
            method_->forEachRow(context, rows, [&](std::int64_t row) {
                const float* from = rowOf(in, row, c);
                float* to = rowOf(out, row, c);
                const double* u = arrays_.u() + sampleOf(k, row);
                for (std::int64_t x = 0; x < shape.width; ++x) to[x] = std::isfinite(from[x]) ? static_cast<float>(u[x]) : from[x];
            });
        }
    }

    PoissonPlan plan_;
    std::unique_ptr<solvers::HostMethod> method_;
    double largest_;
    std::vector<std::string> names_;
    solvers::SolveArrays arrays_;
    std::vector<solvers::SolveHistory> history_;
};

class HostPoisson final : public Implementation, public PreparesParts {
public:
    explicit HostPoisson(solvers::HostMethodKind kind) : kind_(std::move(kind)) {}
    std::string operation() const override { return "poisson"; }
    std::string variant() const override { return kind_.variant; }
    std::string summary() const override { return kind_.summary; }
    Support supports(const Problem&) const override { return kind_.supports(false); }
    Preference preference(const Problem&, int) const override { return kind_.preference; }
    bool errsLocally(const Problem&) const override { return false; }
    Distribution distribution(const Problem&) const override { return kind_.distribution(false); }
    MemoryEstimate estimate(const Problem& problem) const override {
        const PoissonPlan plan = planPoisson(problem);
        const auto channels = static_cast<std::int64_t>(plan.solved.size());
        const auto samples = static_cast<std::uint64_t>(plan.stencil.shape.pixels() * channels);
        return {.host = 2 * sizeof(double) * samples + kind_.bytes(plan.stencil.shape, channels, false), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        auto execution = std::make_unique<PoissonExecution>(problem, planPoisson(problem), kind_.make());
        execution->makeArrays(solvers::GridPart(problem.shape));
        return execution;
    }
    std::unique_ptr<Execution> preparePart(const Problem& problem, RunContext&) const override {
        return std::make_unique<PoissonExecution>(problem, planPoisson(problem), kind_.make());
    }

private:
    solvers::HostMethodKind kind_;
};

}  // namespace

std::unique_ptr<Implementation> makeHostPoisson(solvers::HostMethodKind kind) { return std::make_unique<HostPoisson>(std::move(kind)); }

}  // namespace parallax
