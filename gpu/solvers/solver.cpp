// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include "core/solvers/reporting.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/zeroed_array.hpp"

namespace parallax::gpu {
namespace {

constexpr SolverMethodInfo kInfos[] = {
    {"multigrid", "Conjugate gradients in double with a V-cycle of geometric multigrid in single precision as preconditioner"},
    {"cg", "Conjugate gradients without a matrix: two fused kernels an iteration, scalars stay on the device"},
    {"textbook", "Conjugate gradients by a kernel for each product, dot product and vector update, as textbooks write them"},
    {"csr", "Conjugate gradients with a stored matrix: products by cuSPARSE, vectors by cuBLAS"},
    {"dct", "Direct solution by cosine transforms (cuFFT)"}};

constexpr const char* kCopyFailed = "Device memory could not be copied";

/// Images that the device finishes faster than the host enqueues need several iterations for a stable share.
bool isSmall(const Grid& grid) { return grid.samples() <= (1 << 20); }

/// Adds the true residual and the means of the channels.
void addChannels(solvers::SolveHistory& h, const std::vector<ChannelState>& channels, bool singular, double samples) {
    for (const ChannelState& c : channels) {
        h.trueResidual = std::max(h.trueResidual, c.norm > 0 ? std::sqrt(c.trueResidual / c.norm) : 0.0);
        if (!singular) continue;
        const double meanSquare = c.norm / samples + c.mean * c.mean;
        h.removedMeans.push_back(c.mean);
        h.removedShares.push_back(meanSquare > 0 ? std::fabs(c.mean) / std::sqrt(meanSquare) : 0);
    }
}

}  // namespace

solvers::SolveHistory iterativeHistory(const SolveLog& log, const std::vector<ChannelState>& channels, const solvers::SolveOptions& options,
                                       bool singular, double samples) {
    using solvers::SolveEnd;
    solvers::SolveHistory h;
    h.tolerance = options.tolerance;
    const long long iterations = log.iterations;
    for (long long i = 0; i <= iterations; ++i)
        h.points.push_back({log.points[i].residual, static_cast<double>(log.points[i].nanoseconds) * 1e-9});
    addChannels(h, channels, singular, samples);
    h.laps.push_back({solvers::kLapSetUp, {}, log.points[0].nanoseconds, 1});
    h.laps.push_back({solvers::kLapEnd, {}, log.nanoseconds - log.points[iterations].nanoseconds, 1});
    h.end = h.trueResidual <= options.tolerance                                   ? SolveEnd::converged
            : static_cast<SolveStatus>(log.status) == SolveStatus::mostIterations ? SolveEnd::mostIterations
                                                                                  : SolveEnd::stagnated;
    return h;
}

std::size_t solveLogBytes(std::int64_t iterations) {
    return sizeof(SolveLog) + static_cast<std::size_t>(iterations + 2) * sizeof(HistoryPoint);
}

const SolverMethodInfo& info(SolverMethod method) { return kInfos[static_cast<int>(method)]; }

class StencilSolver::PageLocked {
public:
    PageLocked(int device, std::size_t bytes) : allocator_(pinnedAllocator(device)), bytes_(bytes), p_(allocator_->allocate(bytes)) {
        std::memset(p_, 0, bytes);
    }
    ~PageLocked() { allocator_->release(p_, bytes_); }
    PageLocked(const PageLocked&) = delete;
    PageLocked& operator=(const PageLocked&) = delete;
    SolveLog* log() const { return static_cast<SolveLog*>(p_); }

private:
    std::shared_ptr<Allocator> allocator_;
    std::size_t bytes_;
    void* p_;
};

std::string solverRefusal(SolverMethod method, const SolverProblem& problem) {
    if (problem.channels > 65535) return "It solves at most 65,535 channels at once";
    if (method == SolverMethod::csr) {
        if (const LinearAlgebraState& state = linearAlgebraState(); !state.loaded)
            return "cuSPARSE or cuBLAS is not available: " + state.reason;
        constexpr std::int64_t most = std::numeric_limits<int>::max();
        const Grid grid = Grid::of(problem.shape, 1);
        if (compressedEntries(grid) > most || grid.plane() > most) return "The matrix would have more than 2,147,483,647 entries";
    }
    if (method == SolverMethod::dct) {
        if (problem.hasEdges) return "Cosines diagonalise systems with constant weights only";
        if (problem.shape.depth > 1) return "It transforms images, not volumes";
        if (const CufftState& state = cufftState(); !state.loaded) return "cuFFT is not available: " + state.reason;
        const TransformShape t = TransformShape::of(Grid::of(problem.shape, 1), problem.stencil.border == solvers::Border::dirichlet);
        if (t.elements() > std::numeric_limits<int>::max()) return "The transform would have more than 2,147,483,647 samples";
    }
    if (method == SolverMethod::multigrid && problem.hasEdges && problem.shape.depth > 1)
        return "Its coarser grids are made for images if edges have weights of their own";
    return {};
}

std::uint64_t estimateSolverBytes(SolverMethod method, const SolverProblem& problem) {
    const Grid grid = Grid::of(problem.shape, problem.channels);
    const auto elements = static_cast<std::uint64_t>(grid.elements());
    const bool hasDirections = method != SolverMethod::dct && method != SolverMethod::multigrid;
    std::uint64_t bytes =
        (hasDirections ? 5 : 3) * elements * sizeof(double) + static_cast<std::uint64_t>(solverPartials(grid)) * sizeof(double);
    bytes += static_cast<std::uint64_t>(problem.channels) * sizeof(ChannelState) + sizeof(SolveState);
    if (problem.hasEdges) bytes += 3 * static_cast<std::uint64_t>(grid.plane()) * sizeof(double);
    if (problem.hasDiagonals) bytes += static_cast<std::uint64_t>(grid.plane()) * sizeof(double);
    if (method == SolverMethod::multigrid)
        bytes += 4 * elements * sizeof(float) + (problem.hasEdges ? EdgeMultigrid::estimateBytes(grid) : Multigrid::estimateBytes(grid));
    if (method == SolverMethod::csr) bytes += PeerIteration::estimateBytes(grid);
    if (method == SolverMethod::dct) bytes += TransformSolver::estimateBytes(grid, problem.stencil.border == solvers::Border::dirichlet);
    return bytes;
}

std::uint64_t estimateSolverHostBytes(const SolverProblem& problem) { return solveLogBytes(problem.options.iterations); }

StencilSolver::StencilSolver(SolverMethod method, const SolverProblem& problem, const CudaSession& session)
    : method_(method), options_(problem.options), stream_(session.sharedStream()), allocator_(session.allocator()) {
    const std::shared_ptr<Allocator>& allocator = session.allocator();
    const cudaStream_t stream = session.stream();
    const Grid grid = Grid::of(problem.shape, problem.channels);
    arguments_ = {
        .grid = grid, .stencil = GridStencil::of(problem.stencil), .tolerance = options_.tolerance, .mostIterations = options_.iterations};
    const auto elements = static_cast<std::size_t>(grid.elements());
    const auto makeClear = [&]<class T>(DeviceBuffer<T>& buffer, std::size_t size) {
        buffer = zeroedArray<T>(allocator, static_cast<std::int64_t>(size), stream);
    };
    // Elements behind the ends of rows must be 0.
    for (DeviceBuffer<double>* array : {&b_, &x_, &r_}) makeClear(*array, elements);
    if (method_ != SolverMethod::dct && method_ != SolverMethod::multigrid)
        for (DeviceBuffer<double>* array : {&p_, &q_}) makeClear(*array, elements);
    makeClear(partials_, static_cast<std::size_t>(solverPartials(grid)));
    makeClear(channels_, static_cast<std::size_t>(grid.channels));
    makeClear(state_, 1);
    log_ = std::make_unique<PageLocked>(session.device(), solveLogBytes(options_.iterations));
    arguments_.channels = channels_.data();
    arguments_.state = state_.data();
    arguments_.log = log_->log();
    arguments_.partials = partials_.data();
    if (problem.hasEdges)
        for (int axis = 0; axis < (grid.depth > 1 ? 3 : 2); ++axis) {
            makeClear(edges_[axis], static_cast<std::size_t>(grid.plane()));
            arguments_.stencil.edges[axis] = edges_[axis].data();
        }
    if (problem.hasDiagonals) {
        makeClear(diagonals_, static_cast<std::size_t>(grid.plane()));
        arguments_.stencil.diagonals = diagonals_.data();
        arguments_.stencil.singular = false;
    }
    preloadConjugateGradients();
    if (method_ == SolverMethod::multigrid) {
        const std::size_t margin = problem.hasEdges ? static_cast<std::size_t>(edgeMargin(grid.pitch)) : 0;
        makeClear(scaledMemory_, elements + 2 * margin);
        makeClear(zMemory_, elements + 2 * margin);
        makeClear(direction_, elements);
        makeClear(nextDirection_, elements);
        scaled_ = scaledMemory_.data() + margin;
        z_ = zMemory_.data() + margin;
        if (problem.hasEdges) {
            edgeMultigrid_.emplace(grid, true, scaled_, z_, allocator, stream);
            preloadEdgeIteration();
        } else {
            multigrid_.emplace(multigridHierarchy(grid, arguments_.stencil), arguments_.stencil, scaled_, z_, allocator, stream);
            Multigrid::preloadKernels();
        }
    }
    if (method_ == SolverMethod::csr) {
        peer_.emplace(grid, p_.data(), q_.data(), allocator, stream);
        if (!problem.hasEdges) peer_->assemble(arguments_, stream);
    }
    if (method_ == SolverMethod::dct) transforms_.emplace(grid, arguments_.stencil, allocator);
    // Libraries may wait or allocate.
    else if (!peer_)
        recorded_.record(
            {b_.data()}, [&] { iterateTwice(arguments_); }, *stream_);
}

StencilSolver::~StencilSolver() = default;

void StencilSolver::begin() { launchBegin(arguments_, stream_->get()); }

void StencilSolver::importRightSide(const ImagePlanes& image) {
    begin();
    launchImport(arguments_, image, b_.data(), stream_->get());
}

void StencilSolver::iterateTwice(const SolveArguments& a, DeviceLaps* laps) {
    iterate(a, IterationOfPair::first, laps);
    const auto swapDirections = [&] {
        if (method_ == SolverMethod::cg) std::swap(p_, q_);
        std::swap(direction_, nextDirection_);
    };
    swapDirections();
    iterate(a, IterationOfPair::second, laps);
    swapDirections();
}

/// One iteration; p_ holds the direction before and q_ becomes the new one, or A p of the textbook's method.
void StencilSolver::iterate(const SolveArguments& a, IterationOfPair which, DeviceLaps* laps) {
    using namespace solvers;
    const cudaStream_t stream = stream_->get();
    switch (method_) {
        case SolverMethod::cg:
            launchDirection(a, r_.data(), p_.data(), q_.data(), stream);
            endLap(laps, kLapDirection);
            launchUpdate(a, which, p_.data(), q_.data(), x_.data(), r_.data(), stream);
            endLap(laps, kLapUpdate);
            break;
        case SolverMethod::multigrid:
            if (edgeMultigrid_) edgeMultigrid_->apply(a, isSingle(), stream, laps);
            else multigrid_->apply(a, stream, laps);
            if (isSingle()) {
                const EdgeVectors v{z_, direction_.data(), nextDirection_.data(), scaled_, x_.data()};
                launchEdgeDirection(a, edgeMultigrid_->first(), v, stream);
                endLap(laps, kLapDirection);
                launchEdgeUpdate(a, edgeMultigrid_->first(), which, v, stream);
                endLap(laps, kLapUpdate);
                break;
            }
            launchDirection(a, z_, direction_.data(), nextDirection_.data(), stream);
            endLap(laps, kLapDirection);
            launchUpdate(a, which, direction_.data(), nextDirection_.data(), x_.data(), r_.data(), scaled_, stream);
            endLap(laps, kLapUpdate);
            break;
        case SolverMethod::textbook: {
            const TextbookArrays v{x_.data(), r_.data(), p_.data(), q_.data()};
            launchTextbookDirection(a, v, stream);
            endLap(laps, kLapVectors);
            launchTextbookProduct(a, v, stream);
            endLap(laps, kLapMatrix);
            launchTextbookAlpha(a, v, stream);
            endLap(laps, kLapDots);
            launchTextbookUpdates(a, v, stream);
            endLap(laps, kLapVectors);
            launchTextbookResidual(a, v, stream);
            endLap(laps, kLapDots);
            break;
        }
        case SolverMethod::csr: peer_->iterate(a, x_.data(), r_.data(), p_.data(), q_.data(), stream, laps); break;
        case SolverMethod::dct: break;
    }
}

void StencilSolver::solve(bool guess, const RunContext& context, solvers::SolveProgress& progress) {
    const cudaStream_t stream = stream_->get();
    SolveLog* const log = log_->log();
    log->iterations = 0;
    log->status = static_cast<int>(SolveStatus::running);
    if (transforms_) {
        transforms_->solve(arguments_, b_.data(), x_.data(), stream);
        launchLogEnd(arguments_, stream);
        progress.finishSolve();
        return;
    }
    if (edgeMultigrid_) edgeMultigrid_->build(arguments_, stream);
    if (peer_ && arguments_.stencil.edges[0]) peer_->assemble(arguments_, stream);
    if (guess) {
        check(cudaMemcpyAsync(x_.data(), b_.data(), x_.size() * sizeof(double), cudaMemcpyDeviceToDevice, stream), kCopyFailed);
        // x is b: reading one of them is enough.
        launchResidual(arguments_, true, b_.data(), b_.data(), r_.data(), scaled_, stream);
    } else {
        launchStart(arguments_, b_.data(), x_.data(), r_.data(), scaled_, stream);
    }
    // Rounding errors of the updates add up: the true residual decides. The iteration starts again from it while it still falls.
    for (double before = std::numeric_limits<double>::infinity();;) {
        if (peer_) peer_->begin(p_.data(), grid(), stream);
        iterateUntilTheEnd(context, progress);
        if (method_ == SolverMethod::cg) launchLastUpdate(arguments_, q_.data(), x_.data(), stream);
        if (method_ == SolverMethod::multigrid) launchLastUpdate(arguments_, nextDirection_.data(), x_.data(), stream);
        launchResidual(arguments_, false, b_.data(), x_.data(), r_.data(), scaled_, stream);
        Event end(Event::Kind::ordering);
        end.record(stream);
        end.wait();
        const auto status = static_cast<SolveStatus>(log->status);
        if (status == SolveStatus::failed) {
            const long long last = log->iterations;
            solvers::checkResidual(log->points[last].residual, log->points[0].residual, last);
            throw Error(ErrorCode::failed, "The solver failed in iteration " + std::to_string(last));
        }
        if (status != SolveStatus::running || log->trueResidual > before / 2) break;
        before = log->trueResidual;
    }
    progress.finishSolve();
}

/// Enqueues iterations in batches, at most two ahead of what the host knows; kernels that come after the end return at once.
void StencilSolver::iterateUntilTheEnd(const RunContext& context, solvers::SolveProgress& progress) {
    const SolveLog* const log = log_->log();
    const std::int64_t pairs = method_ == SolverMethod::multigrid || !isSmall(grid()) ? 1 : 8;
    Event events[2] = {Event(Event::Kind::ordering), Event(Event::Kind::ordering)};
    long long told = 0;
    for (std::size_t batch = 0;; ++batch) {
        context.throwIfStopped();
        if (batch >= 2) events[batch % 2].wait();
        if (const long long known = log->iterations; known > told) {
            progress.update(known, {log->points[known].residual, static_cast<double>(log->points[known].nanoseconds) * 1e-9},
                            log->points[0].residual, options_.tolerance);
            told = known;
        }
        if (batch >= 2 && log->status != static_cast<int>(SolveStatus::running)) return;
        for (std::int64_t i = 0; i < pairs; ++i) {
            if (peer_) iterateTwice(arguments_);
            else recorded_.launch(*stream_);
        }
        events[batch % 2].record(stream_->get());
    }
}

void StencilSolver::exportSolution(const ImagePlanes& image) { launchExport(arguments_, x_.data(), image, stream_->get()); }

void StencilSolver::useSolutionAsRightSide() {
    const cudaStream_t stream = stream_->get();
    launchBegin(arguments_, stream);
    check(cudaMemcpyAsync(b_.data(), x_.data(), x_.size() * sizeof(double), cudaMemcpyDeviceToDevice, stream), kCopyFailed);
}

solvers::SolveHistory StencilSolver::history() {
    const cudaStream_t stream = stream_->get();
    if (transforms_) launchResidual(arguments_, true, b_.data(), x_.data(), r_.data(), nullptr, stream);
    std::vector<ChannelState> channels(channels_.size());
    constexpr const char* what = "The state of a solver could not be downloaded";
    check(cudaMemcpyAsync(channels.data(), channels_.data(), channels.size() * sizeof(ChannelState), cudaMemcpyDeviceToHost, stream), what);
    check(cudaStreamSynchronize(stream), what);
    const SolveLog* const log = log_->log();
    const auto samples = static_cast<double>(grid().samples());
    if (!transforms_) return iterativeHistory(*log, channels, options_, arguments_.stencil.singular, samples);
    solvers::SolveHistory h;
    addChannels(h, channels, arguments_.stencil.singular, samples);
    const long long setUp = log->nanoseconds;
    h.points = {{1, static_cast<double>(setUp) * 1e-9}, {h.trueResidual, static_cast<double>(log->points[1].nanoseconds) * 1e-9}};
    h.laps.push_back({solvers::kLapSetUp, {}, setUp, 1});
    h.end = solvers::SolveEnd::direct;
    return h;
}

/// Begins from the right-hand side, whose mean is 0 by now, with a state of its own.
void StencilSolver::restart(const SolveArguments& a) {
    const cudaStream_t stream = stream_->get();
    launchBegin(a, stream);
    if (transforms_) return;
    launchStart(a, b_.data(), x_.data(), r_.data(), scaled_, stream);
    if (peer_) peer_->begin(p_.data(), grid(), stream);
}

/// Iterates with an event behind each part, after as many iterations without, which keep the device busy while the host enqueues the
/// others. A direct solution is repeated as a whole.
std::vector<solvers::SolveHistory::Lap> StencilSolver::measureParts(std::int64_t pairs) {
    const cudaStream_t stream = stream_->get();
    const PageLocked log(stream_->device(), solveLogBytes(2 * pairs));
    DeviceBuffer<ChannelState> channels(allocator_, channels_.size());
    DeviceBuffer<SolveState> state(allocator_, 1);
    SolveArguments a = arguments_;
    a.channels = channels.data();
    a.state = state.data();
    a.log = log.log();
    a.tolerance = 0;  // no end before the last iteration
    a.mostIterations = 2 * pairs + 1;
    RecordedWork ahead;
    if (!transforms_ && !peer_)
        ahead.record(
            {}, [&] { iterateTwice(a); }, *stream_);
    const auto repeat = [&](DeviceLaps* laps) {
        if (transforms_) return transforms_->solve(a, b_.data(), x_.data(), stream, laps);
        for (std::int64_t i = 0; i < pairs; ++i) {
            if (laps || peer_) iterateTwice(a, laps);
            else ahead.launch(*stream_);
        }
    };
    restart(a);
    repeat(nullptr);
    restart(a);
    DeviceLaps laps(stream);
    repeat(&laps);
    return laps.wait();
}

void StencilSolver::addLaps(std::vector<solvers::SolveHistory>& histories) {
    const std::int64_t pairs = isSmall(grid()) ? 4 : 1, iterations = transforms_ ? 1 : 2 * pairs;
    const auto isIterated = [](const solvers::SolveHistory& h) { return h.iterations() > 0; };
    if (parts_.empty() && std::any_of(histories.begin(), histories.end(), isIterated)) parts_ = measureParts(pairs);
    double all = 0;
    for (const auto& part : parts_) all += static_cast<double>(part.nanoseconds);
    for (solvers::SolveHistory& h : histories) {
        if (!isIterated(h) || h.laps.empty()) continue;
        const double time = (h.points.back().seconds - h.points.front().seconds) * 1e9;
        std::vector<solvers::SolveHistory::Lap> divided = parts_;
        for (auto& part : divided) {
            part.nanoseconds = all > 0 ? static_cast<std::int64_t>(time * static_cast<double>(part.nanoseconds) / all) : 0;
            part.count = part.count / iterations * h.iterations();
        }
        h.laps.insert(h.laps.begin() + 1, divided.begin(), divided.end());
    }
}

}  // namespace parallax::gpu
