// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/bands/group_solver.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/zeroed_array.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kCopyFailed = "Device memory could not be copied";

/// Rows above and below a band.
template <class T>
struct RowsBeside {
    DeviceBuffer<T> memory[2];
    RowsBeside() = default;
    RowsBeside(const std::shared_ptr<Allocator>& allocator, const Grid& g, cudaStream_t stream) {
        for (DeviceBuffer<T>& rows : memory) rows = zeroedArray<T>(allocator, std::int64_t{g.pitch} * g.channels, stream);
    }
    /// Of another process, which clears them.
    RowsBeside(const std::shared_ptr<Allocator>& allocator, const Grid& g) {
        for (DeviceBuffer<T>& rows : memory)
            rows = {allocator, static_cast<std::size_t>(std::max<std::int64_t>(std::int64_t{g.pitch} * g.channels, 1))};
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
        for (DeviceBuffer<T>* array : {&p, &q}) *array = zeroedArray<T>(allocator, g.elements(), stream);
    }
};

/// Calls iterate(which, before, next, arrays) twice, after which p holds the last direction again. Arrays: BandArrays, or CycleArrays.
template <class T, class Arrays, class Iterate>
void iterateTwice(Directions<T>& d, Arrays arrays, Iterate&& iterate) {
    const auto place = [&](RowsBeside<T>& before, RowsBeside<T>& next) {
        for (int side = 0; side < 2; ++side) {
            arrays.directionBefore[side] = before.memory[side].data();
            arrays.direction[side] = next.memory[side].data();
        }
    };
    place(d.besideP, d.besideQ);
    iterate(IterationOfPair::first, d.p.data(), d.q.data(), arrays);
    place(d.besideQ, d.besideP);
    iterate(IterationOfPair::second, d.q.data(), d.p.data(), arrays);
}

}  // namespace

/// Arrays of one member, on its device.
struct GroupSolver::Member {
    /// `cycle`: of multigrid, else null.
    Member(const BandCycle* cycle, const SolverProblem& problem, const PartRange& rows, DeviceGroup& group, int member);
    /// A member of another process: where its neighbours write.
    Member(const BandCycle* cycle, const Grid& grid, const std::shared_ptr<Allocator>& exchange, int member);

    SolveLog* log() { return reinterpret_cast<SolveLog*>(logMemory.data()); }
    void iterateTwiceWith(const BandCycle* cycle);
    void record(const BandCycle* cycle);
    BandSystem system();
    /// The rows of neighbours only.
    RowsBesideBand beside(double* const (&rows)[2]) const {
        return {arrays.hasNeighbour[0] ? rows[0] : nullptr, arrays.hasNeighbour[1] ? rows[1] : nullptr};
    }
    /// Begins from r, or begins again.
    void begin(const BandCycle* cycle) {
        if (cycle) launchCycleScale(arguments, arrays, cycleArrays, r.data(), stream->get());
    }

    int member;
    std::shared_ptr<Stream> stream;
    SolveArguments arguments;
    DeviceBuffer<double> b, x, r, partials, edges[2], diagonals;
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
    const Grid grid = bandGrid(problem, rows);
    arguments = {.grid = grid,
                 .stencil = GridStencil::of(problem.stencil),
                 .tolerance = problem.options.tolerance,
                 .mostIterations = problem.options.iterations};
    // Elements behind the ends of rows must be 0.
    for (DeviceBuffer<double>* array : {&b, &x, &r}) *array = zeroedArray<double>(memory, grid.elements(), s);
    if (!cycle) {
        directions = {memory, grid, s};
    } else {
        cycleDirections = {memory, grid, s};
        result = {group.exchangeMemory(index), grid, s};
    }
    partials = zeroedArray<double>(memory, std::max(bandPartials(grid), cycle ? cycle->partials(index) : 0), s);
    channels = zeroedArray<ChannelState>(memory, grid.channels, s);
    state = zeroedArray<SolveState>(memory, 1, s);
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
    if (problem.hasEdges) {
        edges[0] = zeroedArray<double>(memory, grid.plane(), s);
        edges[1] = zeroedArray<double>(memory, grid.plane() + grid.pitch, s);
        arguments.stencil.edges[0] = edges[0].data();
        arguments.stencil.edges[1] = edges[1].data() + grid.pitch;
    }
    if (problem.hasDiagonals) {
        diagonals = zeroedArray<double>(memory, grid.plane(), s);
        arguments.stencil.diagonals = diagonals.data();
        arguments.stencil.singular = false;
    }
    preloadConjugateGradients();
    preloadBandIteration();
    check(cudaStreamSynchronize(s), "Device memory could not be cleared");
}

GroupSolver::Member::Member(const BandCycle* cycle, const Grid& grid, const std::shared_ptr<Allocator>& exchange, int index)
    : member(index) {
    // In the order of the process that has the member.
    if (cycle) result = {exchange, grid};
    residual = {exchange, grid};
    solution = {exchange, grid};
}

void GroupSolver::Member::iterateTwiceWith(const BandCycle* cycle) {
    const cudaStream_t s = stream->get();
    if (!cycle)
        return iterateTwice(directions, arrays, [&](IterationOfPair which, const double* before, double* next, const BandArrays& v) {
            launchBandDirection(arguments, v, r.data(), before, next, s);
            launchBandUpdate(arguments, v, which, before, next, x.data(), r.data(), s);
        });
    iterateTwice(cycleDirections, cycleArrays, [&](IterationOfPair which, const float* before, float* next, const CycleArrays& c) {
        cycle->apply(member, arguments, arrays, c, s);
        launchCycleDirection(arguments, arrays, c, before, next, s);
        launchCycleUpdate(arguments, arrays, c, which, before, next, x.data(), r.data(), s);
    });
}

void GroupSolver::Member::record(const BandCycle* cycle) {
    recorded.record(
        {b.data()}, [&] { iterateTwiceWith(cycle); }, *stream);
}

BandSystem GroupSolver::Member::system() {
    const std::int64_t rowAbove = arguments.grid.pitch;
    return {.grid = arguments.grid,
            .edges = {edges[0].data(), edges[1].data() ? edges[1].data() + rowAbove : nullptr},
            .diagonals = diagonals.data(),
            .rightSide = b.data(),
            .solution = x.data(),
            .stream = stream->get()};
}

Grid bandGrid(const SolverProblem& problem, const PartRange& rows) {
    Shape band = problem.shape;
    band.height = rows.count();
    return Grid::of(band, problem.channels);
}

std::string groupRefusal(SolverMethod method, const SolverProblem& problem) {
    if (method != SolverMethod::cg && method != SolverMethod::multigrid) return "Several devices solve with 'multigrid' and 'cg' only";
    if (problem.shape.depth > 1) return "Several devices solve images, not volumes";
    if (problem.channels > 65535) return "It solves at most 65,535 channels at once";
    return {};
}

std::uint64_t estimateGroupBytes(SolverMethod method, const SolverProblem& problem, int members) {
    const Partition rows(problem.shape.height, members);
    const Grid band = bandGrid(problem, rows[0]);
    const auto channels = static_cast<std::uint64_t>(band.channels), elements = static_cast<std::uint64_t>(band.elements());
    const std::uint64_t rowsBeside = 4 * static_cast<std::uint64_t>(band.pitch) * channels;
    std::uint64_t doubles = 3 * elements + static_cast<std::uint64_t>(bandPartials(band)) + rowsBeside;
    doubles += 2 * static_cast<std::uint64_t>(members) * 2 * channels;  // boxes of sums
    std::uint64_t bytes = doubles * sizeof(double) + channels * sizeof(ChannelState) + sizeof(SolveState) +
                          static_cast<std::uint64_t>(members) * sizeof(Flag);
    const auto plane = static_cast<std::uint64_t>(band.plane());
    if (problem.hasEdges) bytes += (2 * plane + static_cast<std::uint64_t>(band.pitch)) * sizeof(double);
    if (problem.hasDiagonals) bytes += plane * sizeof(double);
    const bool hasCycle = method == SolverMethod::multigrid;
    bytes += (2 * elements + rowsBeside) * (hasCycle ? sizeof(float) : sizeof(double));
    if (hasCycle) bytes += rowsBeside / 2 * sizeof(float);
    if (!hasCycle) return bytes;
    const std::unique_ptr<BandCycle> cycle = makeBandCycle(Grid::of(problem.shape, problem.channels), GridStencil::of(problem.stencil),
                                                           problem.hasEdges, rows, CyclePlan::kCommonCells);
    std::uint64_t most = 0;
    for (int m = 0; m < members; ++m)
        most = std::max(most, cycle->estimateBytes(m) + static_cast<std::uint64_t>(cycle->partials(m)) * sizeof(double));
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
        cycle_ = makeBandCycle(Grid::of(problem.shape, problem.channels), GridStencil::of(problem.stencil), problem.hasEdges,
                               Partition(rows_, group.size()), options.commonCells);
    for (int m = 0; m < group.size(); ++m) {
        if (group.isHere(m)) continue;
        if (cycle_) cycle_->allocate(m, group_);
        members_[static_cast<std::size_t>(m)] =
            std::make_unique<Member>(cycle_.get(), bandGrid(problem, rows(m)), group.exchangeMemory(m), m);
    }
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
        if (!group_.isHere(m)) continue;
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

void GroupSolver::begin() {
    // Nothing may wait from a run before that was cancelled.
    group_.run([&](int m) {
        sums_.reset(m);
        launchBegin(members_[static_cast<std::size_t>(m)]->arguments, members_[static_cast<std::size_t>(m)]->stream->get());
    });
}

void GroupSolver::importRightSide(std::span<const ImagePlanes> bands) {
    begin();
    compute([&](int member, const BandSystem& system) {
        const Member& m = *members_[static_cast<std::size_t>(member)];
        launchBandImport(m.arguments, m.arrays, bands[static_cast<std::size_t>(member)], system.rightSide, system.stream);
    });
}

void GroupSolver::compute(const std::function<void(int, const BandSystem&)>& task) {
    group_.run([&](int member) {
        const BandSystem system = members_[static_cast<std::size_t>(member)]->system();
        task(member, system);
        check(cudaStreamSynchronize(system.stream), "Work on the CUDA device failed");
        group_.throwIfStopped();
    });
}

RowsBesideBand GroupSolver::exchangeRows(int member, const double* array) {
    // Rows of the residual are free until a solve begins.
    const Member& m = *members_[static_cast<std::size_t>(member)];
    SolveArguments one = m.arguments;
    one.grid.channels = 1;
    launchBandRows(one, m.arrays, array, m.arrays.neighbourResidual, m.stream->get());
    return m.beside(m.arrays.residual);
}

RowsBesideBand GroupSolver::exchangeRightSide(int member) {
    const Member& m = *members_[static_cast<std::size_t>(member)];
    launchBandRows(m.arguments, m.arrays, m.b.data(), m.arrays.neighbourSolution, m.stream->get());
    return m.beside(m.arrays.solution);
}

void GroupSolver::useSolutionAsRightSide() {
    compute([&](int member, const BandSystem& system) {
        const Member& m = *members_[static_cast<std::size_t>(member)];
        launchBegin(m.arguments, system.stream);
        check(cudaMemcpyAsync(system.rightSide, system.solution, m.b.size() * sizeof(double), cudaMemcpyDeviceToDevice, system.stream),
              kCopyFailed);
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
    if (cycle_) cycle_->build(member, m.arguments, m.arrays, stream);
    if (guess) {
        check(cudaMemcpyAsync(m.x.data(), m.b.data(), m.x.size() * sizeof(double), cudaMemcpyDeviceToDevice, stream), kCopyFailed);
        launchBandResidual(m.arguments, m.arrays, true, m.b.data(), m.x.data(), m.r.data(), stream);
    } else {
        launchBandStart(m.arguments, m.arrays, m.b.data(), m.x.data(), m.r.data(), stream);
    }
    m.begin(cycle_.get());
    for (double before = std::numeric_limits<double>::infinity();;) {
        iterateUntilTheEnd(m, context, progress);
        if (cycle_) launchLastUpdate(m.arguments, m.cycleDirections.q.data(), m.x.data(), stream);
        else launchLastUpdate(m.arguments, m.directions.q.data(), m.x.data(), stream);
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
    compute([&](int member, const BandSystem& system) {
        const Member& m = *members_[static_cast<std::size_t>(member)];
        launchExport(m.arguments, system.solution, bands[static_cast<std::size_t>(member)], system.stream);
    });
}

solvers::SolveHistory GroupSolver::history() {
    Member& m = *members_[static_cast<std::size_t>(group_.firstHere())];
    const CurrentDevice current(m.stream->device());
    std::vector<ChannelState> channels(m.channels.size());
    constexpr const char* what = "The state of a solver could not be downloaded";
    check(cudaMemcpyAsync(channels.data(), m.channels.data(), channels.size() * sizeof(ChannelState), cudaMemcpyDeviceToHost,
                          m.stream->get()),
          what);
    check(cudaStreamSynchronize(m.stream->get()), what);
    return iterativeHistory(*m.log(), channels, options_, m.arguments.stencil.singular, samples_);
}

}  // namespace parallax::gpu
