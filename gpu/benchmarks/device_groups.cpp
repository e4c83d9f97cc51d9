// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients on 1, 2 .. N devices: time of an iteration, the exchange alone, and how much of it remains beside the work; and time
// of an iteration with multigrid as preconditioner. Poisson equation, 5-point stencil, Dirichlet borders, double.
//
//   bench_gpu_device_groups [--devices N] [--size N]... [--quick]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "gpu/benchmarks/bench.hpp"
#include "gpu/benchmarks/group_exchange.hpp"
#include "gpu/benchmarks/stencil_product.hpp"
#include "gpu/parallel/device_group.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/bands/group_solver.hpp"

namespace parallax::gpu {
namespace {

/// AmgX on two H200 (gpu/solvers/NOTES.md): conjugate gradients without preconditioner, 10,000 x 10,000.
constexpr double kAmgxOne = 6.08, kAmgxTwo = 3.24;

SolverProblem poisson(std::int64_t width, std::int64_t height, std::int64_t iterations) {
    const Shape shape{width, height, 1, 1};
    SolverProblem problem{.shape = shape, .channels = 1, .stencil = {}, .options = {1e-30, iterations}};
    problem.stencil.shape = shape;
    problem.stencil.border = solvers::Border::dirichlet;
    return problem;
}

std::vector<int> firstDevices(int count) {
    std::vector<int> devices;
    for (int d = 0; d < count; ++d) devices.push_back(d);
    return devices;
}

struct Measured {
    double iteration = 0;  ///< ms
    std::vector<double> residuals;
};
Measured measured(const std::vector<solvers::SolveHistory>& histories) {
    std::vector<double> ms;
    for (const solvers::SolveHistory& h : histories)
        ms.push_back((h.points.back().seconds - h.points.front().seconds) * 1e3 / static_cast<double>(h.iterations()));
    Measured m{median(ms), {}};
    for (const auto& point : histories.back().points) m.residuals.push_back(point.residual);
    return m;
}

/// The solver for one device, also for a band of rows without neighbours.
Measured onOneDevice(SolverMethod method, std::int64_t width, std::int64_t height, std::int64_t iterations, int solves) {
    CudaSession session(0);
    const Shape shape{width, height, 1, 1};
    Buffer image = session.allocate(shape);
    launchRandom(static_cast<float*>(image.data()), shape.pixels(), 0, session.stream());
    const std::vector<int> ids{0};
    const DeviceBuffer<int> channels(session.allocator(), std::span<const int>(ids), session.stream());
    const ImagePlanes planes{denseView(static_cast<const float*>(image.data()), shape), denseView(static_cast<float*>(image.data()), shape),
                             channels.data()};
    StencilSolver solver(method, poisson(width, height, iterations), session);
    const RunContext context;
    std::vector<solvers::SolveHistory> all;
    for (int i = 0; i < solves; ++i) {
        solver.importRightSide(planes);
        solvers::SolveProgress progress(context, 0);
        solver.solve(false, context, progress);
        all.push_back(solver.history());
    }
    return measured(all);
}

/// A system in bands, with random samples that do not depend on the number of devices.
class SystemOnGroup {
public:
    SystemOnGroup(SolverMethod method, DeviceGroup& group, std::int64_t size, std::int64_t iterations,
                  GroupSolver::EdgeRows edgeRows = GroupSolver::EdgeRows::neighbours)
        : solver_(method, poisson(size, size, iterations), group, {.edgeRows = edgeRows}),
          images_(static_cast<std::size_t>(group.size())),
          channels_(images_.size()),
          bands_(images_.size()) {
        group.run([&](int member) {
            const auto m = static_cast<std::size_t>(member);
            const cudaStream_t stream = group.stream(member)->get();
            const Shape shape{size, solver_.rows(member).count(), 1, 1};
            images_[m] = {group.memory(member), static_cast<std::size_t>(shape.samples())};
            const std::vector<int> ids{0};
            channels_[m] = {group.memory(member), std::span<const int>(ids), stream};
            launchRandom(images_[m].data(), shape.pixels(), 0, stream, solver_.rows(member).first * size);
            bands_[m] = {denseView(static_cast<const float*>(images_[m].data()), shape), denseView(images_[m].data(), shape),
                         channels_[m].data()};
            check(cudaStreamSynchronize(stream), "preparation");
        });
    }
    void solve() {
        const RunContext context;
        solver_.importRightSide(bands_);
        solvers::SolveProgress progress(context, 0);
        solver_.solve(false, context, progress);
        histories.push_back(solver_.history());
    }
    std::vector<solvers::SolveHistory> histories;

private:
    GroupSolver solver_;
    std::vector<DeviceBuffer<float>> images_;
    std::vector<DeviceBuffer<int>> channels_;
    std::vector<ImagePlanes> bands_;
};

/// Iterations with and without the exchange of rows, in turns.
struct OnGroup {
    Measured complete, withoutRows;
};
OnGroup onGroup(DeviceGroup& group, std::int64_t size, std::int64_t iterations, int solves) {
    SystemOnGroup complete(SolverMethod::cg, group, size, iterations);
    SystemOnGroup withoutRows(SolverMethod::cg, group, size, iterations, GroupSolver::EdgeRows::nowhere);
    for (int i = 0; i < solves; ++i) {
        complete.solve();
        withoutRows.solve();
    }
    return {measured(complete.histories), measured(withoutRows.histories)};
}

/// Microseconds of one exchange.
struct Exchange {
    double roundTrip = 0, rows = 0, sums = 0;
};
Exchange exchangeAlone(DeviceGroup& group, std::int64_t width, int rounds) {
    GroupSums sums(group, 2);
    const auto members = static_cast<std::size_t>(group.size()), count = static_cast<std::size_t>(width);
    std::vector<DeviceBuffer<double>> own(members), received(members);
    const DeviceBuffer<long long> times(pinnedAllocator(group.device(0)), members);
    auto* const seen = const_cast<long long*>(times.data());
    group.run([&](int member) {
        const auto m = static_cast<std::size_t>(member);
        const cudaStream_t stream = group.stream(member)->get();
        own[m] = {group.memory(member), count};
        received[m] = {group.exchangeMemory(member), 2 * count};
        check(cudaMemsetAsync(own[m].data(), 0, count * sizeof(double), stream), "preparation");
        check(cudaStreamSynchronize(stream), "preparation");
    });
    const auto time = [&](auto&& launch) {
        std::fill_n(seen, members, 0);
        group.run([&](int member) { sums.reset(member); });
        group.run([&](int member) {
            launch(member, sums.links(member), seen + member, group.stream(member)->get());
            check(cudaStreamSynchronize(group.stream(member)->get()), "The exchange failed");
            group.throwIfStopped();
        });
        if (*std::min_element(seen, seen + members) < 0) throw Error(ErrorCode::failed, "Sums over devices are wrong");
        return static_cast<double>(*std::max_element(seen, seen + members)) * 1e-3 / rounds;
    };
    Exchange e;
    e.roundTrip =
        time([&](int, const SumLinks& links, long long* ns, cudaStream_t stream) { launchRoundTrips(links, rounds, ns, stream); });
    e.rows = time([&](int member, const SumLinks& links, long long* ns, cudaStream_t stream) {
        const auto m = static_cast<std::size_t>(member);
        double* const above = member > 0 ? received[m - 1].data() + count : nullptr;
        double* const below = m + 1 < members ? received[m + 1].data() : nullptr;
        launchRowExchange(links, own[m].data(), above, below, width, rounds, ns, stream);
    });
    e.sums = time([&](int, const SumLinks& links, long long* ns, cudaStream_t stream) { launchSumExchange(links, rounds, ns, stream); });
    return e;
}

/// The largest relative difference of the first residuals from those of one device.
double difference(const Measured& a, const Measured& b, std::size_t most) {
    const std::size_t common = std::min({a.residuals.size(), b.residuals.size(), most});
    double largest = common > 1 ? 0 : 1;
    for (std::size_t i = 0; i < common; ++i) largest = std::max(largest, std::abs(a.residuals[i] / b.residuals[i] - 1));
    return largest;
}

/// Prints iterations with multigrid; a group of one shows what bands cost. Returns whether residuals agree.
bool runMultigrid(int most, std::int64_t size, int solves) {
    constexpr std::int64_t iterations = 8;
    const Measured one = onOneDevice(SolverMethod::multigrid, size, size, iterations, solves);
    std::printf("  multigrid\n  %7d %8.4f ms       1.00\n", 1, one.iteration);
    bool right = true;
    for (int count = 1; count <= most; ++count) {
        DeviceGroup group(firstDevices(count));
        SystemOnGroup system(SolverMethod::multigrid, group, size, iterations);
        for (int i = 0; i < solves; ++i) system.solve();
        const Measured all = measured(system.histories);
        // The V-cycle is rounded to single precision, of a result that is much larger than the residual.
        const double apart = difference(all, one, iterations);
        right = right && apart <= 1e-3;
        std::printf("  %7d %8.4f ms   %8.3f%s   residuals differ by %.1e%s\n", count, all.iteration, one.iteration / all.iteration,
                    count == 1 ? " (as a group)" : "", apart, apart <= 1e-3 ? "" : "  WRONG");
    }
    return right;
}

bool run(int most, const std::vector<std::int64_t>& sizes, bool quick) {
    bool right = true;
    const int solves = quick ? 3 : 7, rounds = quick ? 1000 : 10000;
    const std::int64_t iterations = quick ? 20 : 100;
    std::printf("%s, %d device(s)\n", listDevices().front().name.c_str(), deviceCount());
    for (const std::int64_t size : sizes) {
        const auto n = static_cast<long long>(size);
        const Measured one = onOneDevice(SolverMethod::cg, size, size, iterations, solves);
        std::printf("\nConjugate gradients, %lld x %lld\n  devices   iteration   speed-up\n  %7d %8.4f ms       1.00\n", n, n, 1,
                    one.iteration);
        for (int count = 2; count <= most; ++count) {
            DeviceGroup group(firstDevices(count));
            const auto [all, withoutRows] = onGroup(group, size, iterations, solves);
            const PartRange rows = Partition(size, count)[0];
            const Measured band = onOneDevice(SolverMethod::cg, size, rows.count(), iterations, solves);
            const Exchange e = exchangeAlone(group, size, rounds);
            const bool same = difference(all, one, 20) <= 1e-9;
            right = right && same;
            std::printf("  %7d %8.4f ms   %8.3f%s   (%s)\n", count, all.iteration, one.iteration / all.iteration,
                        same ? "" : "  WRONG RESIDUALS", group.exchangePath().c_str());
            const double ofRows = (all.iteration - withoutRows.iteration) * 1e3, ofSums = (withoutRows.iteration - band.iteration) * 1e3;
            std::printf("          alone: flag round trip %.2f us, rows %.2f us, sums %.2f us (twice an iteration)\n", e.roundTrip, e.rows,
                        e.sums);
            std::printf("          rows: an iteration without them %.4f ms, so they add %.2f us; %.0f %% hidden\n", withoutRows.iteration,
                        ofRows, 100 * (1 - std::clamp(ofRows / e.rows, 0.0, 1.0)));
            std::printf("          sums and waits: a band of %lld rows alone on one device %.4f ms, so they add %.2f us (%.1f %%)\n",
                        static_cast<long long>(rows.count()), band.iteration, ofSums, 100e-3 * ofSums / all.iteration);
        }
        right = runMultigrid(most, size, solves) && right;
        if (size == 10000)
            std::printf("  AmgX, H200: %.2f ms on one, %.2f ms on two devices, %.2fx\n", kAmgxOne, kAmgxTwo, kAmgxOne / kAmgxTwo);
    }
    return right;
}

}  // namespace
}  // namespace parallax::gpu

int main(int argc, char** argv) {
    using namespace parallax::gpu;
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        const std::vector<std::int64_t> sizes = arguments.numbers("--size", {10000, 16384, 20000});
        const bool right = run(std::min(arguments.number("--devices", kMaxMembers), deviceCount()), sizes, arguments.has("--quick"));
        if (!right) std::fprintf(stderr, "SOME RESULTS ARE WRONG\n");
        return right ? 0 : 7;
    });
}
