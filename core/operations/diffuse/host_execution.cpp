// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/diffuse/host_execution.hpp"

#include <algorithm>
#include <cmath>

#include "core/operations/diffuse/edge_weights.hpp"
#include "core/operations/diffuse/plan.hpp"
#include "core/solvers/error_bounds.hpp"
#include "core/solvers/reporting.hpp"

namespace parallax {
namespace {

class DiffuseExecution final : public Execution {
public:
    DiffuseExecution(const Problem& problem, DiffusePlan plan, std::unique_ptr<solvers::HostMethod> method)
        : plan_(std::move(plan)), shape_(problem.shape), method_(std::move(method)), largest_(problem.statistics.maxAbs()) {
        shape_.channels = 1;
        for (const int c : plan_.solved) names_.push_back(problem.channelNames.at(static_cast<std::size_t>(c)));
        const std::int64_t samples = shape_.pixels() * static_cast<std::int64_t>(plan_.solved.size());
        f_ = solvers::makeArray(samples);
        u_ = solvers::makeArray(samples);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        const View<const float>& in = inputs[0];
        const View<float>& out = outputs[0];
        const std::int64_t rows = shape_.height * shape_.depth, channels = static_cast<std::int64_t>(plan_.solved.size());
        const auto forEachRow = [&](auto&& body) {
            method_->forEachRow(context, rows,
                                [&](std::int64_t row) { body(row % shape_.height, row / shape_.height, row * shape_.width); });
        };
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t) {
            for (const int c : plan_.copied) {
                std::copy_n(in.row(y, z, c), shape_.width, out.row(y, z, c));
                if (context.progress) context.progress->add();
            }
        });
        DiffusionEdges edges(plan_, shape_);
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::int64_t k = 0; k < channels; ++k) {
                const float* from = in.row(y, z, plan_.solved[static_cast<std::size_t>(k)]);
                double* to = f_.get() + k * shape_.pixels() + first;
                for (std::int64_t x = 0; x < shape_.width; ++x) to[x] = static_cast<double>(from[x]);
            }
            edges.beginRow(f_.get(), y, z);
            for (std::int64_t k = 0; k < channels; ++k)
                std::copy_n(f_.get() + k * shape_.pixels() + first, shape_.width, u_.get() + k * shape_.pixels() + first);
        });
        const bool weighted = edges.needsEdges();
        history_.clear();
        solvers::SolveProgress progress(context, rows * channels, plan_.solves);
        for (int solve = 0; solve < plan_.solves; ++solve) {
            if (solve > 0)
                forEachRow([&](std::int64_t, std::int64_t, std::int64_t first) {
                    for (std::int64_t k = 0; k < channels; ++k)
                        std::copy_n(u_.get() + k * shape_.pixels() + first, shape_.width, f_.get() + k * shape_.pixels() + first);
                });
            if (weighted) forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t) { edges.weighRow(f_.get(), y, z); });
            history_.push_back(method_->solve(edges.stencil(), channels, f_.get(), u_.get(), plan_.options, context, progress));
        }
        forEachRow([&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::int64_t k = 0; k < channels; ++k) {
                const int c = plan_.solved[static_cast<std::size_t>(k)];
                const float* from = in.row(y, z, c);
                float* to = out.row(y, z, c);
                const double* u = u_.get() + k * shape_.pixels() + first;
                for (std::int64_t x = 0; x < shape_.width; ++x) to[x] = edges.isFinite(first + x) ? static_cast<float>(u[x]) : from[x];
            }
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
    DiffusePlan plan_;
    Shape shape_;
    std::unique_ptr<solvers::HostMethod> method_;
    double largest_;
    std::vector<std::string> names_;
    solvers::Array<double> f_, u_;
    std::vector<solvers::SolveHistory> history_;
};

class HostDiffuse final : public Implementation {
public:
    explicit HostDiffuse(solvers::HostMethodKind kind) : kind_(std::move(kind)) {}
    std::string operation() const override { return "diffuse"; }
    std::string variant() const override { return kind_.variant; }
    std::string summary() const override { return kind_.summary; }
    Support supports(const Problem& problem) const override { return kind_.supports(isWeighted(problem)); }
    Preference preference(const Problem&, int) const override { return kind_.preference; }
    bool errsLocally(const Problem&) const override { return false; }
    Distribution distribution(const Problem&) const override {
        return {.halo = StripSupport::no("It solves one system of equations for the whole image")};
    }
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
        return std::make_unique<DiffuseExecution>(problem, planDiffuse(problem), kind_.make());
    }

private:
    static bool isWeighted(const Problem& problem) { return !planDiffuse(problem).isUniform() || problem.statistics.nonFinite() > 0; }
    solvers::HostMethodKind kind_;
};

}  // namespace

std::unique_ptr<Implementation> makeHostDiffuse(solvers::HostMethodKind kind) { return std::make_unique<HostDiffuse>(std::move(kind)); }

}  // namespace parallax
