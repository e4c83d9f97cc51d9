// SPDX-License-Identifier: GPL-3.0-or-later
// fill / openmp: one pass that copies a channel and finds its unknowns, and a solve on these alone.
#include "core/operations/fill/openmp/implementations.hpp"

#include <algorithm>

#include "core/backends/openmp/parallel.hpp"
#include "core/engine/backend/upper_bound.hpp"
#include "core/engine/parts/first_part.hpp"
#include "core/engine/parts/part_rows.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/operations/fill/mask.hpp"
#include "core/operations/fill/outcome.hpp"
#include "core/operations/fill/plan.hpp"
#include "core/solvers/openmp/biharmonic_solver.hpp"
#include "core/solvers/openmp/compact_solver.hpp"
#include "core/solvers/openmp/methods.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kSamplesOfTask = 1 << 16;

class OpenmpFill final : public Execution, public PartExecution {
public:
    OpenmpFill(const Problem& problem, FillPlan plan, bool multigrid)
        : plan_(std::move(plan)), outcome_(problem, plan_), solver_(multigrid), biharmonic_(multigrid) {
        const Shape& shape = system_.shape = plan_.stencil.shape;
        std::copy_n(plan_.stencil.axisWeights, 3, system_.weights);
        rowsOfTask_ = std::max<std::int64_t>(kSamplesOfTask / shape.width, 1);
    }

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override {
        copyPlanes(plan_.copied, inputs[0], outputs[0], kAnyWorkers, context);
        fill(inputs[0], solvers::GridPart(system_.shape), outputs[0], context);
    }
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override {
        if (plan_.isBiharmonic())
            return runOnFirstPart(part, input, output, communicator, [&](View<const float> in, View<float> out) {
                run({&in, 1}, {&out, 1}, context);
            });
        if (!part.range.empty()) copyPlanes(plan_.copied, input, output, kAnyWorkers, context);
        // The kinds of samples beside the part, for which windows of fireflies reach further in an image.
        const bool windows = plan_.criterion.missing == MissingSamples::fireflies && !part.slices();
        const PartRows rows(part, input, neighboursUpTo(1 + (windows ? plan_.criterion.radius : 0), part.image), communicator);
        fill(rows, solvers::GridPart(system_.shape, part.range, communicator), output, context);
    }

    std::vector<Statistic> statistics(RunContext&) override { return outcome_.statistics(); }
    std::vector<RunSeries> series(RunContext&) override { return outcome_.series(); }
    std::vector<std::string> warnings(RunContext&) override { return outcome_.warnings(); }
    double dataTolerance() const override { return outcome_.dataTolerance(); }

    static std::uint64_t bytes(const FillPlan& plan, bool multigrid) {
        const Shape& shape = plan.stencil.shape;
        const std::uint64_t directions = shape.depth > 1 ? 6 : 4;
        // Columns of tasks, of this channel and of the one before; growing vectors have up to twice their size.
        const std::uint64_t ofUnknown = 4 * sizeof(std::int32_t) + directions * sizeof(std::int32_t) + sizeof(double);
        const std::uint64_t ofSolver =
            plan.isBiharmonic() ? solvers::BiharmonicSolver::bytes(shape, plan.unknowns, multigrid)
                                : static_cast<std::uint64_t>(plan.unknowns) * solvers::CompactSolver::bytesOfUnknown(shape, multigrid);
        return static_cast<std::uint64_t>(plan.unknowns) * ofUnknown + ofSolver +
               static_cast<std::uint64_t>(shape.height * shape.depth) * 2 * sizeof(std::int64_t);
    }

private:
    static constexpr int kAnyWorkers = 1 << 16;

    /// `out`: the own rows of the part.
    void fill(const PartRows& in, const solvers::GridPart& part, const View<float>& out, RunContext& context) {
        outcome_.clear();
        system_.setRows(part);
        system_.rowBegin.clear();  // each run sets up its solves
        for (const int c : plan_.solved) {
            const filling::RowCounts counts = copyAndFindUnknowns(in, out, c, context);
            const bool isNew = columns_ != system_.columns || rowBegin_ != system_.rowBegin;
            std::int64_t all[] = {counts.missing, counts.unknown(), isNew ? 1 : 0};
            if (part.communicator()) part.communicator()->allReduce(all);
            if (all[0] == 0 || all[1] == system_.shape.pixels()) {
                outcome_.addUnsolved(c, all[0]);
                if (context.progress) context.progress->add(part.rows());
            } else {
                solvers::SolveHistory history = solve(in, out, c, all[2] > 0, part.communicator(), context);
                if (plan_.isBiharmonic()) outcome_.addBiharmonic(c, all[0], system_, std::move(history), context);
                else outcome_.addSolved(c, all[0], all[1], std::move(history));
            }
        }
    }

    std::int64_t tasksOf(const PartRange& rows) const { return (rows.count() + rowsOfTask_ - 1) / rowsOfTask_; }
    /// Calls body(first row, end, task) for groups of rows.
    template <class F>
    void forRows(const RunContext& context, const PartRange& rows, const F& body) const {
        parallelTasks(context, tasksOf(rows), kAnyWorkers, [&](std::int64_t task, int) {
            const std::int64_t first = rows.first + task * rowsOfTask_;
            body(first, std::min(rows.last, first + rowsOfTask_), static_cast<std::size_t>(task));
        });
    }
    float* outputRow(const View<float>& out, std::int64_t row, int c) const {
        const std::int64_t ofPart = row - system_.own.first;
        return out.row(ofPart % system_.shape.height, ofPart / system_.shape.height, c);
    }

    /// Copies the channel and returns what own rows miss; the unknowns of the rows that are kept are in rowBegin_ and columns_ then.
    filling::RowCounts copyAndFindUnknowns(const PartRows& in, const View<float>& out, int c, const RunContext& context) {
        const Shape& shape = system_.shape;
        const auto tasks = static_cast<std::size_t>(tasksOf(system_.kept));
        std::vector<filling::RowCounts> counts(tasks);
        std::vector<std::vector<std::int32_t>> columns(tasks);
        rowBegin_.resize(static_cast<std::size_t>(system_.kept.count()) + 1);
        forRows(context, system_.kept, [&](std::int64_t first, std::int64_t end, std::size_t task) {
            thread_local std::vector<filling::Kind> kinds;
            kinds.resize(static_cast<std::size_t>(shape.width));
            for (std::int64_t row = first; row < end; ++row) {
                const std::int64_t y = row % shape.height, z = row / shape.height;
                const filling::RowCounts found = filling::classifyRow(plan_, in, y, z, c, kinds.data());
                rowBegin_[static_cast<std::size_t>(row - system_.kept.first) + 1] = found.unknown();
                if (row >= system_.own.first && row < system_.own.last) {
                    std::copy_n(in.row(y, z, c), shape.width, outputRow(out, row, c));
                    counts[task].missing += found.missing;
                    counts[task].unusable += found.unusable;
                }
                for (std::int64_t x = 0; found.unknown() > 0 && x < shape.width; ++x)
                    if (kinds[static_cast<std::size_t>(x)] != filling::Kind::known) columns[task].push_back(static_cast<std::int32_t>(x));
            }
        });
        rowBegin_[0] = 0;
        for (std::size_t row = 1; row < rowBegin_.size(); ++row) rowBegin_[row] += rowBegin_[row - 1];
        filling::RowCounts all;
        columns_.clear();
        columns_.reserve(static_cast<std::size_t>(rowBegin_.back()));
        for (std::size_t task = 0; task < tasks; ++task) {
            all.missing += counts[task].missing;
            all.unusable += counts[task].unusable;
            columns_.insert(columns_.end(), columns[task].begin(), columns[task].end());
            columns[task] = {};
        }
        return all;
    }

    /// `isNew`: channels often miss the same samples, and share the matrix then.
    solvers::SolveHistory solve(const PartRows& in, const View<float>& out, int c, bool isNew, Communicator* communicator,
                                const RunContext& context) {
        if (isNew) {
            std::swap(columns_, system_.columns);
            system_.rowBegin = rowBegin_;
            system_.resizeLinks();
        }
        solvers::SolveProgress progress(context, system_.own.count(), 1, outcome_.nameOf(c));
        solvers::SolveHistory history = plan_.isBiharmonic() ? solveBiharmonic(in, c, isNew, context, progress)
                                                             : solveHarmonic(in, c, isNew, communicator, context, progress);
        forRows(context, system_.own, [&](std::int64_t first, std::int64_t end, std::size_t) {
            for (std::int64_t row = first; row < end; ++row) writeRow(in, out, c, row);
        });
        return history;
    }

    solvers::SolveHistory solveBiharmonic(const PartRows& in, int c, bool isNew, const RunContext& context,
                                          solvers::SolveProgress& progress) {
        if (isNew)
            forRows(context, system_.own, [&](std::int64_t first, std::int64_t end, std::size_t) {
                for (std::int64_t row = first; row < end; ++row) system_.linkRow(row);
            });
        const auto known = [&](std::int64_t x, std::int64_t y, std::int64_t z) { return static_cast<double>(in.row(y, z, c)[x]); };
        return biharmonic_.solve(system_, isNew, known, plan_.options, context, progress);
    }

    solvers::SolveHistory solveHarmonic(const PartRows& in, int c, bool isNew, Communicator* communicator, const RunContext& context,
                                        solvers::SolveProgress& progress) {
        solver_.resize(system_.count());
        double* const b = solver_.rightSide();
        forRows(context, system_.own, [&](std::int64_t first, std::int64_t end, std::size_t) {
            for (std::int64_t row = first; row < end; ++row) {
                if (isNew) system_.linkRow(row);
                std::fill(b + system_.begin(row), b + system_.begin(row + 1), 0.0);
                system_.visitFixed(row, [&](std::int64_t k, int direction, std::int64_t x, std::int64_t y, std::int64_t z) {
                    b[k] += system_.weights[direction / 2] * static_cast<double>(in.row(y, z, c)[x]);
                });
            }
        });
        return solver_.solve(system_, isNew, communicator, plan_.options, context, progress);
    }

    void writeRow(const PartRows& in, const View<float>& out, int c, std::int64_t row) const {
        const std::int64_t y = row % system_.shape.height, z = row / system_.shape.height;
        const float* const alpha = plan_.alphaChannel >= 0 ? in.row(y, z, plan_.alphaChannel) : nullptr;
        const float* const from = in.row(y, z, c);
        float* const to = outputRow(out, row, c);
        const double* const solution = plan_.isBiharmonic() ? biharmonic_.solution() : solver_.solution();
        for (std::int64_t k = system_.begin(row); k < system_.begin(row + 1); ++k) {
            const std::int32_t x = system_.columns[static_cast<std::size_t>(k)];
            if (filling::kindOf(from[x], alpha ? alpha[x] : 1.0F, plan_.criterion) != filling::Kind::unusable)
                to[x] = static_cast<float>(solution[k]);
        }
    }

    FillPlan plan_;
    filling::Outcome outcome_;
    std::int64_t rowsOfTask_ = 1;
    solvers::CompactSystem system_;
    std::vector<std::int64_t> rowBegin_;  ///< of the channel at hand, as those of the system
    HostVector<std::int32_t> columns_;
    solvers::CompactSolver solver_;
    solvers::BiharmonicSolver biharmonic_;
};

class OpenmpFillImplementation final : public Implementation, public EstimatesUpperBound {
public:
    explicit OpenmpFillImplementation(bool multigrid) : multigrid_(multigrid) {}
    std::string operation() const override { return "fill"; }
    std::string variant() const override { return multigrid_ ? "multigrid" : "cg"; }
    std::string summary() const override {
        return multigrid_ ? "Conjugate gradients on the missing samples alone, preconditioned by a V-cycle over aggregates of them"
                          : "Conjugate gradients on the missing samples alone, without a preconditioner";
    }
    Support supports(const Problem& problem) const override {
        const FillPlan plan = planFill(problem);
        const std::int64_t numbered =
            plan.isBiharmonic() ? solvers::BiharmonicSolver::mostSamples(plan.stencil.shape, plan.unknowns) : plan.unknowns;
        return numbered < (std::int64_t{1} << 31) - 1 ? Support{} : Support::no("It numbers at most 2^31 - 2 samples");
    }
    bool errsLocally(const Problem&) const override { return false; }
    Distribution distribution(const Problem& problem) const override {
        return {.halo = StripSupport::withoutHalo(), .phases = true, .sameBits = !multigrid_ || planFill(problem).isBiharmonic()};
    }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = OpenmpFill::bytes(planFill(problem), multigrid_), .device = 0};
    }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        return std::make_unique<OpenmpFill>(problem, planFill(problem), multigrid_);
    }

private:
    bool multigrid_;
};

}  // namespace

std::unique_ptr<Implementation> makeOpenmpMultigridFill() { return std::make_unique<OpenmpFillImplementation>(true); }
std::unique_ptr<Implementation> makeOpenmpCgFill() { return std::make_unique<OpenmpFillImplementation>(false); }

}  // namespace parallax
