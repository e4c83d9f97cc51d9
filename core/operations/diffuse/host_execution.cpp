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

    /// Makes workspace for the rows that a part keeps.
    void makeArrays(const solvers::GridPart& grid) { arrays_.make(grid.keptSamples() * channels()); }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        solve(inputs[0], outputs[0], solvers::GridPart(shape_), context);
    }
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        solve(input, output, solvers::GridPart(shape_, part.range, communicator), context);
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
    /// The rows that a part keeps as a grid of its own: weights of the edges of its own rows need no others.
    struct KeptRows {
        Shape shape;
        bool slices;          ///< parts are slices, not rows
        std::int64_t before;  ///< rows before the first own one
        template <class T>
        T* ofView(const View<T>& own, std::int64_t y, std::int64_t z, int c) const {
            return slices ? own.row(y, z - before / shape.height, c) : own.row(y - before, z, c);
        }
        /// Calls body(y, z, index of the first sample) for `rows` of them.
        template <class F>
        void forEach(const solvers::HostMethod& method, const RunContext& context, const PartRange& rows, F&& body) const {
            method.forEachRow(context, rows.count(), [&](std::int64_t row) {
                const std::int64_t line = rows.first + row;
                body(line % shape.height, line / shape.height, line * shape.width);
            });
        }
    };

    /// `in`, `out`: the own rows of `grid`.
    void solve(const View<const float>& in, const View<float>& out, const solvers::GridPart& grid, RunContext& context) {
        makeArrays(grid);
        const std::int64_t channels = this->channels(), samples = grid.keptSamples(), allKept = grid.endKept() - grid.firstKept();
        KeptRows kept{shape_, shape_.depth > 1, grid.first() - grid.firstKept()};
        (kept.slices ? kept.shape.depth : kept.shape.height) = allKept / grid.unitRows();
        const std::int64_t width = kept.shape.width;
        const PartRange own{kept.before, kept.before + grid.rows()};
        const auto forRows = [&](const PartRange& rows, auto&& body) { kept.forEach(*method_, context, rows, body); };
        forRows(own, [&](std::int64_t y, std::int64_t z, std::int64_t) {
            for (const int c : plan_.copied) {
                std::copy_n(kept.ofView(in, y, z, c), width, kept.ofView(out, y, z, c));
                if (context.progress) context.progress->add();
            }
        });
        const auto copyInput = [&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::int64_t k = 0; k < channels; ++k) {
                const float* from = kept.ofView(in, y, z, plan_.solved[static_cast<std::size_t>(k)]);
                double* to = arrays_.f() + k * samples + first;
                for (std::int64_t x = 0; x < width; ++x) to[x] = static_cast<double>(from[x]);
            }
        };
        const auto exchangeF = [&] {
            for (std::int64_t k = 0; k < channels; ++k) grid.exchange(arrays_.f() + k * samples);
        };
        if (grid.communicator()) {
            // Others get samples as they are, also those that are not finite.
            const std::int64_t edge = std::min(grid.unitRows(), grid.rows());
            forRows({own.first, own.first + edge}, copyInput);
            forRows({own.last - edge, own.last}, copyInput);
            exchangeF();
        }
        DiffusionEdges edges(plan_, kept.shape);
        forRows({0, allKept}, [&](std::int64_t y, std::int64_t z, std::int64_t first) {
            if (first >= own.first * width && first < own.last * width) copyInput(y, z, first);
            edges.beginRow(arrays_.f(), y, z);
            for (std::int64_t k = 0; k < channels; ++k)
                std::copy_n(arrays_.f() + k * samples + first, width, arrays_.u() + k * samples + first);
        });
        const bool weighted = needsEdges(edges, grid);
        history_.clear();
        solvers::SolveProgress progress(context, grid.rows() * channels, plan_.solves);
        for (int solve = 0; solve < plan_.solves; ++solve) {
            if (solve > 0) {
                forRows(own, [&](std::int64_t, std::int64_t, std::int64_t first) {
                    for (std::int64_t k = 0; k < channels; ++k)
                        std::copy_n(arrays_.u() + k * samples + first, width, arrays_.f() + k * samples + first);
                });
                exchangeF();
            }
            if (weighted) forRows({0, allKept}, [&](std::int64_t y, std::int64_t z, std::int64_t) { edges.weighRow(arrays_.f(), y, z); });
            solvers::Stencil stencil = edges.stencil();
            stencil.shape = shape_;
            for (const double*& weights : stencil.edges)
                if (weights) weights -= grid.origin();
            history_.push_back(method_->solve(stencil, grid, channels, arrays_.f(), arrays_.u(), plan_.options, context, progress));
        }
        forRows(own, [&](std::int64_t y, std::int64_t z, std::int64_t first) {
            for (std::int64_t k = 0; k < channels; ++k) {
                const int c = plan_.solved[static_cast<std::size_t>(k)];
                const float* from = kept.ofView(in, y, z, c);
                float* to = kept.ofView(out, y, z, c);
                const double* u = arrays_.u() + k * samples + first;
                for (std::int64_t x = 0; x < width; ++x) to[x] = edges.isFinite(first + x) ? static_cast<float>(u[x]) : from[x];
            }
        });
    }

    /// Whether any part needs weights of edges.
    static bool needsEdges(DiffusionEdges& edges, const solvers::GridPart& grid) {
        std::int64_t notFinite[] = {edges.findsAllFinite() ? 0 : 1};
        if (grid.communicator()) grid.communicator()->allReduce(notFinite);
        return edges.needsEdges(notFinite[0] == 0);
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
        execution->makeArrays(solvers::GridPart(problem.shape));
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
