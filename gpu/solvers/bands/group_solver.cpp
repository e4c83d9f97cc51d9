// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/group_solver.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "gpu/runtime/memory/pinned_allocator.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kCopyFailed = "Device memory could not be copied";

Grid gridOf(const SolverProblem& problem, const PartRange& rows) {
    Shape band = problem.shape;
    band.height = rows.count();
    return Grid::of(band, problem.channels);
}

/// Rows above and below a band.
struct RowsBeside {
    DeviceBuffer<double> memory[2];
    RowsBeside() = default;
    RowsBeside(const std::shared_ptr<Allocator>& allocator, const Grid& g, cudaStream_t stream) {
        for (DeviceBuffer<double>& rows : memory) {
            rows = {allocator, static_cast<std::size_t>(g.pitch) * static_cast<std::size_t>(g.channels)};
            check(cudaMemsetAsync(rows.data(), 0, rows.size() * sizeof(double), stream), "Device memory could not be cleared");
        }
    }
};

}  // namespace

/// Arrays of one member, on its device.
struct GroupSolver::Member {
    Member(const SolverProblem& problem, const PartRange& rows, DeviceGroup& group, int member);

    SolveLog* log() { return reinterpret_cast<SolveLog*>(logMemory.data()); }
    void iterate(const double* before, double* next, const BandArrays& v) {
        launchBandDirection(arguments, v, r.data(), before, next, stream->get());
        launchBandUpdate(arguments, v, next, x.data(), r.data(), stream->get());
    }
    void record();

    int member;
    std::shared_ptr<Stream> stream;
    SolveArguments arguments;
    DeviceBuffer<double> b, x, r, p, q, partials;
    DeviceBuffer<ChannelState> channels;
    DeviceBuffer<SolveState> state;
    DeviceBuffer<unsigned char> logMemory;
    RowsBeside residual, solution;     ///< written by the neighbours
    DeviceBuffer<double> unread;       ///< of EdgeRows::nowhere
    RowsBeside direction, direction2;  ///< beside p and q
    BandArrays arrays;
    RecordedWork recorded;  ///< two iterations
};

GroupSolver::Member::Member(const SolverProblem& problem, const PartRange& rows, DeviceGroup& group, int index)
    : member(index), stream(group.stream(index)) {
    const std::shared_ptr<Allocator>& memory = group.memory(index);
    const cudaStream_t s = stream->get();
    const Grid grid = gridOf(problem, rows);
    arguments = {.grid = grid,
                 .stencil = GridStencil::of(problem.stencil),
                 .tolerance = problem.options.tolerance,
                 .mostIterations = problem.options.iterations};
    const auto makeClear = [&]<class T>(DeviceBuffer<T>& buffer, std::size_t size) {
        buffer = {memory, std::max<std::size_t>(size, 1)};
        check(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), s), "Device memory could not be cleared");
    };
    // Elements behind the ends of rows must be 0.
    for (DeviceBuffer<double>* array : {&b, &x, &r, &p, &q}) makeClear(*array, static_cast<std::size_t>(grid.elements()));
    makeClear(partials, static_cast<std::size_t>(bandPartials(grid)));
    makeClear(channels, static_cast<std::size_t>(grid.channels));
    makeClear(state, 1);
    residual = {group.exchangeMemory(index), grid, s};
    solution = {group.exchangeMemory(index), grid, s};
    direction = {memory, grid, s};
    direction2 = {memory, grid, s};
    logMemory = {pinnedAllocator(stream->device()), solveLogBytes(problem.options.iterations)};
    std::memset(logMemory.data(), 0, logMemory.size());
    arguments.channels = channels.data();
    arguments.state = state.data();
    arguments.log = log();
    arguments.partials = partials.data();
    preloadConjugateGradients();
    preloadBandIteration();
    check(cudaStreamSynchronize(s), "Device memory could not be cleared");
}

/// Records two iterations, after which p holds the last direction again.
void GroupSolver::Member::record() {
    for (int side = 0; side < 2; ++side) {
        arrays.residual[side] = residual.memory[side].data();
        arrays.solution[side] = solution.memory[side].data();
        arrays.directionBefore[side] = direction.memory[side].data();
        arrays.direction[side] = direction2.memory[side].data();
    }
    BandArrays second = arrays;
    for (int side = 0; side < 2; ++side) std::swap(second.directionBefore[side], second.direction[side]);
    recorded.record(
        {b.data()},
        [&] {
            iterate(p.data(), q.data(), arrays);
            iterate(q.data(), p.data(), second);
        },
        *stream);
}

std::string groupRefusal(const SolverProblem& problem) {
    if (problem.shape.depth > 1) return "Several devices solve images, not volumes";
    if (problem.hasEdges || problem.hasDiagonals) return "Several devices solve systems with constant weights only";
    if (problem.channels > 65535) return "It solves at most 65,535 channels at once";
    return {};
}

std::uint64_t estimateGroupBytes(const SolverProblem& problem, int members) {
    const Grid band = gridOf(problem, Partition(problem.shape.height, members)[0]);
    const auto channels = static_cast<std::uint64_t>(band.channels);
    constexpr std::uint64_t arrays = 5, rowsBeside = 8;
    std::uint64_t doubles = arrays * static_cast<std::uint64_t>(band.elements()) + static_cast<std::uint64_t>(bandPartials(band));
    doubles += rowsBeside * static_cast<std::uint64_t>(band.pitch) * channels;
    doubles += 2 * static_cast<std::uint64_t>(members) * 2 * channels;  // boxes of sums
    return doubles * sizeof(double) + channels * sizeof(ChannelState) + sizeof(SolveState) +
           static_cast<std::uint64_t>(members) * sizeof(Flag);
}

GroupSolver::GroupSolver(const SolverProblem& problem, DeviceGroup& group, EdgeRows edgeRows)
    : group_(group),
      options_(problem.options),
      rows_(problem.shape.height),
      samples_(static_cast<double>(problem.shape.pixels())),
      sums_(group, 2 * problem.channels) {
    if (const std::string refusal = groupRefusal(problem); !refusal.empty())
        throw Error(ErrorCode::usage, "The system cannot be solved on several devices", refusal);
    members_.resize(static_cast<std::size_t>(group.size()));
    group_.run([&](int m) { members_[static_cast<std::size_t>(m)] = std::make_unique<Member>(problem, rows(m), group_, m); });
    if (edgeRows == EdgeRows::nowhere)
        for (const auto& m : members_)
            m->unread = {group.memory(m->member),
                         static_cast<std::size_t>(m->arguments.grid.pitch) * static_cast<std::size_t>(problem.channels)};
    connect(edgeRows);
    group_.run([&](int m) { members_[static_cast<std::size_t>(m)]->record(); });
}

GroupSolver::~GroupSolver() = default;

/// Tells each member where its neighbours read rows.
void GroupSolver::connect(EdgeRows edgeRows) {
    const int count = group_.size();
    for (int m = 0; m < count; ++m) {
        BandArrays& v = members_[static_cast<std::size_t>(m)]->arrays;
        v.sums = sums_.links(m);
        v.allSamples = samples_;
        const auto isNeighbour = [&](int other) { return other >= 0 && other < count && rows(m).count() > 0 && rows(other).count() > 0; };
        for (int side = 0; side < 2; ++side) {
            const int other = side == 0 ? m - 1 : m + 1;
            v.hasNeighbour[side] = isNeighbour(other);
            if (!v.hasNeighbour[side]) continue;
            // The row above a band is the row below the neighbour's.
            Member& neighbour = *members_[static_cast<std::size_t>(other)];
            if (edgeRows == EdgeRows::nowhere) {
                // Own memory that is not read; the rows beside the band stay 0.
                v.neighbourResidual[side] = v.neighbourSolution[side] = members_[static_cast<std::size_t>(m)]->unread.data();
                continue;
            }
            v.neighbourResidual[side] = neighbour.residual.memory[1 - side].data();
            v.neighbourSolution[side] = neighbour.solution.memory[1 - side].data();
        }
    }
}

void GroupSolver::importRightSide(std::span<const ImagePlanes> bands) {
    // Nothing may wait from a run before that was cancelled.
    group_.run([&](int m) { sums_.reset(m); });
    group_.run([&](int m) {
        const Member& v = *members_[static_cast<std::size_t>(m)];
        launchBegin(v.arguments, v.stream->get());
        launchBandImport(v.arguments, v.arrays, bands[static_cast<std::size_t>(m)], members_[static_cast<std::size_t>(m)]->b.data(),
                         v.stream->get());
        check(cudaStreamSynchronize(v.stream->get()), "Work on the CUDA device failed");
        group_.throwIfStopped();
    });
}

void GroupSolver::solve(bool guess, const RunContext& context, solvers::SolveProgress& progress) {
    group_.run([&](int m) { solveBand(m, guess, context, m == 0 ? &progress : nullptr); });
    progress.finishSolve();
}

/// The loop of StencilSolver::solve(). All members see the same residuals, so they take the same decisions.
void GroupSolver::solveBand(int member, bool guess, const RunContext& context, solvers::SolveProgress* progress) {
    Member& m = *members_[static_cast<std::size_t>(member)];
    const cudaStream_t stream = m.stream->get();
    SolveLog* const log = m.log();
    log->iterations = 0;
    log->status = static_cast<int>(SolveStatus::running);
    if (guess) {
        check(cudaMemcpyAsync(m.x.data(), m.b.data(), m.x.size() * sizeof(double), cudaMemcpyDeviceToDevice, stream), kCopyFailed);
        launchBandResidual(m.arguments, m.arrays, true, m.b.data(), m.x.data(), m.r.data(), stream);
    } else {
        launchBandStart(m.arguments, m.arrays, m.b.data(), m.x.data(), m.r.data(), stream);
    }
    for (double before = std::numeric_limits<double>::infinity();;) {
        iterateUntilTheEnd(m, context, progress);
        launchBandResidual(m.arguments, m.arrays, false, m.b.data(), m.x.data(), m.r.data(), stream);
        Event end(Event::Kind::ordering);
        end.record(stream);
        end.wait();
        group_.throwIfStopped();
        const auto status = static_cast<SolveStatus>(log->status);
        if (status == SolveStatus::failed) {
            const long long last = log->iterations;
            solvers::checkResidual(log->points[last].residual, log->points[0].residual, last);
            throw Error(ErrorCode::failed, "The solver failed in iteration " + std::to_string(last));
        }
        if (status != SolveStatus::running || log->trueResidual > before / 2) return;
        before = log->trueResidual;
    }
}

/// Enqueues iterations in batches, at most two ahead of what the host knows; kernels that come after the end return at once.
void GroupSolver::iterateUntilTheEnd(Member& m, const RunContext& context, solvers::SolveProgress* progress) {
    const SolveLog* const log = m.log();
    // Small bands end faster than the host enqueues.
    const std::int64_t pairs = m.arguments.grid.samples() > (1 << 20) ? 1 : 8;
    Event events[2] = {Event(Event::Kind::ordering), Event(Event::Kind::ordering)};
    long long told = 0;
    for (std::size_t batch = 0;; ++batch) {
        context.throwIfStopped();
        if (batch >= 2) events[batch % 2].wait();
        group_.throwIfStopped();
        if (const long long known = log->iterations; progress && known > told) {
            progress->update(known, {log->points[known].residual, static_cast<double>(log->points[known].nanoseconds) * 1e-9},
                             log->points[0].residual, options_.tolerance);
            told = known;
        }
        if (batch >= 2 && log->status != static_cast<int>(SolveStatus::running)) return;
        for (std::int64_t i = 0; i < pairs; ++i) m.recorded.launch(*m.stream);
        events[batch % 2].record(m.stream->get());
    }
}

void GroupSolver::exportSolution(std::span<const ImagePlanes> bands) {
    group_.run([&](int member) {
        const Member& m = *members_[static_cast<std::size_t>(member)];
        launchExport(m.arguments, m.x.data(), bands[static_cast<std::size_t>(member)], m.stream->get());
        check(cudaStreamSynchronize(m.stream->get()), "Work on the CUDA device failed");
    });
}

solvers::SolveHistory GroupSolver::history() {
    std::vector<ChannelState> channels;
    group_.run([&](int member) {
        if (member != 0) return;
        Member& m = *members_.front();
        channels.resize(m.channels.size());
        constexpr const char* what = "The state of a solver could not be downloaded";
        check(cudaMemcpyAsync(channels.data(), m.channels.data(), channels.size() * sizeof(ChannelState), cudaMemcpyDeviceToHost,
                              m.stream->get()),
              what);
        check(cudaStreamSynchronize(m.stream->get()), what);
    });
    return iterativeHistory(*members_.front()->log(), channels, options_, members_.front()->arguments.stencil.singular, samples_);
}

}  // namespace parallax::gpu
