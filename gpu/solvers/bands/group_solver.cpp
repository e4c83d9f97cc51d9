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

template <class T>
void makeClear(DeviceBuffer<T>& buffer, std::int64_t size, const std::shared_ptr<Allocator>& memory, cudaStream_t stream) {
    buffer = {memory, static_cast<std::size_t>(std::max<std::int64_t>(size, 1))};
    check(cudaMemsetAsync(buffer.data(), 0, buffer.size() * sizeof(T), stream), "Device memory could not be cleared");
}

/// Rows above and below a band.
template <class T>
struct RowsBeside {
    DeviceBuffer<T> memory[2];
    RowsBeside() = default;
    RowsBeside(const std::shared_ptr<Allocator>& allocator, const Grid& g, cudaStream_t stream) {
        for (DeviceBuffer<T>& rows : memory) makeClear(rows, std::int64_t{g.pitch} * g.channels, allocator, stream);
    }
};

/// The directions of an iteration and of the one before, with the rows beside them.
template <class T>
struct Directions {
    DeviceBuffer<T> p, q;
    RowsBeside<T> besideP, besideQ;
    Directions() = default;
    Directions(const std::shared_ptr<Allocator>& allocator, const Grid& g, cudaStream_t stream)
        : besideP(allocator, g, stream), besideQ(allocator, g, stream) {
        for (DeviceBuffer<T>* array : {&p, &q}) makeClear(*array, g.elements(), allocator, stream);
    }
};

/// Calls iterate(before, next, arrays) twice, after which p holds the last direction again. Arrays: BandArrays, or CycleArrays.
template <class T, class Arrays, class Iterate>
void iterateTwice(Directions<T>& d, Arrays arrays, Iterate&& iterate) {
    const auto place = [&](RowsBeside<T>& before, RowsBeside<T>& next) {
        for (int side = 0; side < 2; ++side) {
            arrays.directionBefore[side] = before.memory[side].data();
            arrays.direction[side] = next.memory[side].data();
        }
    };
    place(d.besideP, d.besideQ);
    iterate(d.p.data(), d.q.data(), arrays);
    place(d.besideQ, d.besideP);
    iterate(d.q.data(), d.p.data(), arrays);
}

}  // namespace

/// Arrays of one member, on its device.
struct GroupSolver::Member {
    /// `cycle`: of multigrid, else null.
    Member(const BandCycle* cycle, const SolverProblem& problem, const PartRange& rows, DeviceGroup& group, int member);

    SolveLog* log() { return reinterpret_cast<SolveLog*>(logMemory.data()); }
    void iterateTwiceWith(const BandCycle* cycle);
    void record(const BandCycle* cycle);
    /// Begins from r, or begins again.
    void begin(const BandCycle* cycle) {
        if (cycle) launchCycleScale(arguments, arrays, cycleArrays, r.data(), stream->get());
    }

    int member;
    std::shared_ptr<Stream> stream;
    SolveArguments arguments;
    DeviceBuffer<double> b, x, r, partials;
    DeviceBuffer<ChannelState> channels;
    DeviceBuffer<SolveState> state;
    DeviceBuffer<unsigned char> logMemory;
    RowsBeside<double> residual, solution;  ///< written by the neighbours
    DeviceBuffer<double> unread;            ///< of EdgeRows::nowhere
    Directions<double> directions;          ///< of `cg`
    Directions<float> cycleDirections;      ///< of `multigrid`
    RowsBeside<float> result;               ///< likewise; written by the neighbours
    BandArrays arrays;
    CycleArrays cycleArrays;  ///< without directions
    RecordedWork recorded;    ///< two iterations
};

GroupSolver::Member::Member(const BandCycle* cycle, const SolverProblem& problem, const PartRange& rows, DeviceGroup& group, int index)
    : member(index), stream(group.stream(index)) {
    const std::shared_ptr<Allocator>& memory = group.memory(index);
    const cudaStream_t s = stream->get();
    const Grid grid = gridOf(problem, rows);
    arguments = {.grid = grid,
                 .stencil = GridStencil::of(problem.stencil),
                 .tolerance = problem.options.tolerance,
                 .mostIterations = problem.options.iterations};
    // Elements behind the ends of rows must be 0.
    for (DeviceBuffer<double>* array : {&b, &x, &r}) makeClear(*array, grid.elements(), memory, s);
    if (!cycle) {
        directions = {memory, grid, s};
    } else {
        cycleDirections = {memory, grid, s};
        result = {group.exchangeMemory(index), grid, s};
    }
    makeClear(partials, std::max(bandPartials(grid), cycle ? cycle->partials(index) : 0), memory, s);
    makeClear(channels, grid.channels, memory, s);
    makeClear(state, 1, memory, s);
    residual = {group.exchangeMemory(index), grid, s};
    solution = {group.exchangeMemory(index), grid, s};
    logMemory = {pinnedAllocator(stream->device()), solveLogBytes(problem.options.iterations)};
    std::memset(logMemory.data(), 0, logMemory.size());
    arguments.channels = channels.data();
    arguments.state = state.data();
    arguments.log = log();
    arguments.partials = partials.data();
    for (int side = 0; side < 2; ++side) {
        arrays.residual[side] = residual.memory[side].data();
        arrays.solution[side] = solution.memory[side].data();
    }
    preloadConjugateGradients();
    preloadBandIteration();
    check(cudaStreamSynchronize(s), "Device memory could not be cleared");
}

void GroupSolver::Member::iterateTwiceWith(const BandCycle* cycle) {
    const cudaStream_t s = stream->get();
    if (!cycle)
        return iterateTwice(directions, arrays, [&](const double* before, double* next, const BandArrays& v) {
            launchBandDirection(arguments, v, r.data(), before, next, s);
            launchBandUpdate(arguments, v, next, x.data(), r.data(), s);
        });
    iterateTwice(cycleDirections, cycleArrays, [&](const float* before, float* next, const CycleArrays& c) {
        cycle->apply(member, arguments, arrays, c, s);
        launchCycleDirection(arguments, arrays, c, before, next, s);
        launchCycleUpdate(arguments, arrays, c, next, x.data(), r.data(), s);
    });
}

void GroupSolver::Member::record(const BandCycle* cycle) {
    recorded.record(
        {b.data()}, [&] { iterateTwiceWith(cycle); }, *stream);
}

std::string groupRefusal(SolverMethod method, const SolverProblem& problem) {
    if (method != SolverMethod::cg && method != SolverMethod::multigrid) return "Several devices solve with 'multigrid' and 'cg' only";
    if (problem.shape.depth > 1) return "Several devices solve images, not volumes";
    if (problem.hasEdges || problem.hasDiagonals) return "Several devices solve systems with constant weights only";
    if (problem.channels > 65535) return "It solves at most 65,535 channels at once";
    return {};
}

std::uint64_t estimateGroupBytes(SolverMethod method, const SolverProblem& problem, int members) {
    const Partition rows(problem.shape.height, members);
    const Grid band = gridOf(problem, rows[0]);
    const auto channels = static_cast<std::uint64_t>(band.channels), elements = static_cast<std::uint64_t>(band.elements());
    const std::uint64_t rowsBeside = 4 * static_cast<std::uint64_t>(band.pitch) * channels;
    std::uint64_t doubles = 3 * elements + static_cast<std::uint64_t>(bandPartials(band)) + rowsBeside;
    doubles += 2 * static_cast<std::uint64_t>(members) * 2 * channels;  // boxes of sums
    std::uint64_t bytes = doubles * sizeof(double) + channels * sizeof(ChannelState) + sizeof(SolveState) +
                          static_cast<std::uint64_t>(members) * sizeof(Flag);
    const bool hasCycle = method == SolverMethod::multigrid;
    bytes += (2 * elements + rowsBeside) * (hasCycle ? sizeof(float) : sizeof(double));
    if (hasCycle) bytes += rowsBeside / 2 * sizeof(float);
    if (!hasCycle) return bytes;
    const BandCycle cycle(Grid::of(problem.shape, problem.channels), GridStencil::of(problem.stencil), rows, CyclePlan::kCommonCells);
    std::uint64_t most = 0;
    for (int m = 0; m < members; ++m)
        most = std::max(most, cycle.estimateBytes(m) + static_cast<std::uint64_t>(cycle.partials(m)) * sizeof(double));
    return bytes + most;
}

GroupSolver::GroupSolver(SolverMethod method, const SolverProblem& problem, DeviceGroup& group, const Options& options)
    : group_(group),
      options_(problem.options),
      rows_(problem.shape.height),
      samples_(static_cast<double>(problem.shape.pixels())),
      sums_(group, 2 * problem.channels) {
    if (const std::string refusal = groupRefusal(method, problem); !refusal.empty())
        throw Error(ErrorCode::usage, "The system cannot be solved on several devices", refusal);
    members_.resize(static_cast<std::size_t>(group.size()));
    if (method == SolverMethod::multigrid)
        cycle_ = std::make_unique<BandCycle>(Grid::of(problem.shape, problem.channels), GridStencil::of(problem.stencil),
                                             Partition(rows_, group.size()), options.commonCells);
    group_.run([&](int m) {
        if (cycle_) cycle_->allocate(m, group_);
        members_[static_cast<std::size_t>(m)] = std::make_unique<Member>(cycle_.get(), problem, rows(m), group_, m);
    });
    if (options.edgeRows == EdgeRows::nowhere)
        for (const auto& m : members_)
            m->unread = {group.memory(m->member),
                         static_cast<std::size_t>(m->arguments.grid.pitch) * static_cast<std::size_t>(problem.channels)};
    connect(options.edgeRows);
    group_.run([&](int m) { members_[static_cast<std::size_t>(m)]->record(cycle_.get()); });
}

GroupSolver::~GroupSolver() = default;

/// Tells each member where its neighbours read rows.
void GroupSolver::connect(EdgeRows edgeRows) {
    const int count = group_.size();
    for (int m = 0; m < count; ++m) {
        BandArrays& v = members_[static_cast<std::size_t>(m)]->arrays;
        v.sums = sums_.links(m);
        v.allSamples = samples_;
        CycleArrays& c = members_[static_cast<std::size_t>(m)]->cycleArrays;
        if (cycle_) {
            cycle_->connect(m);
            c = cycle_->arrays(m);
        }
        const auto isNeighbour = [&](int other) { return other >= 0 && other < count && rows(m).count() > 0 && rows(other).count() > 0; };
        for (int side = 0; side < 2; ++side) {
            const int other = side == 0 ? m - 1 : m + 1;
            v.hasNeighbour[side] = isNeighbour(other);
            c.result[side] = members_[static_cast<std::size_t>(m)]->result.memory[side].data();
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
            c.neighbourResult[side] = neighbour.result.memory[1 - side].data();
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
    m.begin(cycle_.get());
    for (double before = std::numeric_limits<double>::infinity();;) {
        iterateUntilTheEnd(m, context, progress);
        launchBandResidual(m.arguments, m.arrays, false, m.b.data(), m.x.data(), m.r.data(), stream);
        m.begin(cycle_.get());
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
    const std::int64_t pairs = cycle_ || m.arguments.grid.samples() > (1 << 20) ? 1 : 8;
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
