// SPDX-License-Identifier: GPL-3.0-or-later
// Solvers of the Poisson equation with a 5-point stencil in double: time of an iteration and of a solve, the true residual, and the figures
// of others that were measured on an H200 (AmgX, CuPy, cuSPARSE; see gpu/solvers/NOTES.md).
//
//   bench_gpu_solvers [--device N] [--size N]... [--quick]
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "core/operations/diffuse/formulas.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/operations/diffuse/weights.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {
namespace {

bool allRight = true;

/// Time of a device-to-device copy, as the ceiling.
double copyRate(CudaSession& session) {
    const std::size_t bytes = std::size_t{1} << 30;
    DeviceBuffer<unsigned char> from(session.allocator(), bytes), to(session.allocator(), bytes);
    check(cudaMemsetAsync(from.data(), 7, bytes, session.stream()), "memset");
    std::vector<double> ms;
    for (int i = 0; i < 12; ++i)
        ms.push_back(millisecondsOf(session.clock(), 1, [&] {
            check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, session.stream()), "copy");
        }));
    return 2.0 * static_cast<double>(bytes) / median(ms) * 1e-6;  // GB/s
}

struct Row {
    SolverMethod method;
    double tolerance;
    std::int64_t iterations;
};

void bench(CudaSession& session, std::int64_t size, const Row& row, solvers::Border border, bool quick, double rate) {
    const Shape shape{size, size, 1, 1};
    SolverProblem problem{.shape = shape, .channels = 1, .stencil = {}, .options = {}};
    problem.stencil.shape = shape;
    problem.stencil.border = border;
    problem.options = {.tolerance = row.tolerance, .iterations = row.iterations};
    if (const std::string refusal = solverRefusal(row.method, problem); !refusal.empty()) {
        std::printf("  %-10s %s\n", info(row.method).name, refusal.c_str());
        return;
    }
    Buffer in = session.allocate(shape), out = session.allocate(shape);
    std::vector<float> host(static_cast<std::size_t>(shape.pixels()));
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = pseudoRandom(i) - (border == solvers::Border::neumann ? 0.5F : 0.0F);
    check(cudaMemcpyAsync(in.data(), host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice, session.stream()), "upload");
    const std::vector<int> ids{0};
    const DeviceBuffer<int> channels(session.allocator(), std::span<const int>(ids), session.stream());
    const ImagePlanes planes{denseView(static_cast<const float*>(in.data()), shape), denseView(static_cast<float*>(out.data()), shape),
                             channels.data()};
    StencilSolver solver(row.method, problem, session);
    const RunContext context;
    std::vector<double> whole, iteration;
    for (int i = 0; i < (quick ? 3 : 7); ++i) {
        whole.push_back(millisecondsOf(session.clock(), 1, [&] {
            solver.importRightSide(planes);
            solvers::SolveProgress progress(context, 0);
            solver.solve(false, context, progress);
            solver.exportSolution(planes);
        }));
        const solvers::SolveHistory h = solver.history();
        if (h.iterations() > 0 && h.end != solvers::SolveEnd::direct)
            iteration.push_back((h.points.back().seconds - h.points.front().seconds) * 1e3 / static_cast<double>(h.iterations()));
    }
    const solvers::SolveHistory h = solver.history();
    const bool expectsEnd = row.tolerance > 1e-20;
    const bool right = !expectsEnd || h.reached(problem.options);
    allRight = allRight && right;
    const double samples = static_cast<double>(shape.pixels());
    std::printf(
        "  %-10s %5lld iterations of %8.4f ms (%6.1f bytes a sample at the rate of a copy), in all %9.3f ms, true residual %.2e%s\n",
        info(row.method).name, static_cast<long long>(h.iterations()), median(iteration), median(iteration) * rate * 1e6 / samples,
        median(whole), h.trueResidual, right ? "" : "  NOT REACHED");
}

/// diffuse:weights=edges of an RGB image with the default parameters, weights included.
void benchEdges(CudaSession& session, std::int64_t size, SolverMethod method, double tolerance, bool quick) {
    const Shape shape{size, size, 1, 3};
    DiffusePlan plan;
    plan.parameters.weights = DiffusionWeights::edges;
    plan.luminance = {diffusion::kLuminance[0], diffusion::kLuminance[1], diffusion::kLuminance[2]};
    SolverProblem problem{.shape = shape, .channels = 3, .stencil = {}, .hasEdges = true, .options = {tolerance, 1000}};
    problem.stencil.shape = {size, size, 1, 1};
    problem.stencil.diagonal = 1;
    if (const std::string refusal = solverRefusal(method, problem); !refusal.empty()) return;
    Buffer in = session.allocate(shape), out = session.allocate(shape);
    std::vector<float> host(static_cast<std::size_t>(shape.samples()));
    for (std::size_t i = 0; i < host.size(); ++i) {
        const auto x = static_cast<std::int64_t>(i) % size, y = static_cast<std::int64_t>(i) / size % size;
        const auto smooth = std::sin(static_cast<double>(x) * 0.011) * std::sin(static_cast<double>(y) * 0.017);
        const double edges = (x / 37 + y / 53) % 2 == 0 ? 0.25 : 0.1;
        host[i] = static_cast<float>(edges + 0.08 * smooth) + 0.002F * pseudoRandom(i);
    }
    check(cudaMemcpyAsync(in.data(), host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice, session.stream()), "upload");
    const std::vector<int> ids{0, 1, 2};
    const DeviceBuffer<int> channels(session.allocator(), std::span<const int>(ids), session.stream());
    const DeviceBuffer<double> luminance(session.allocator(), std::span<const double>(plan.luminance), session.stream());
    const ImagePlanes planes{.in = denseView(static_cast<const float*>(in.data()), shape),
                             .out = denseView(static_cast<float*>(out.data()), shape),
                             .channels = channels.data()};
    StencilSolver solver(method, problem, session);
    DeviceBuffer<double> guide(session.allocator(), static_cast<std::size_t>(solver.grid().plane()));
    const DiffusionArrays arrays{
        .guide = guide.data(), .edges = {solver.edges(0), solver.edges(1), nullptr}, .samples = solver.rightSide()};
    std::vector<double> whole;
    for (int i = 0; i < (quick ? 3 : 7); ++i)
        whole.push_back(millisecondsOf(session.clock(), 1, [&] {
            const DiffusionNumbers numbers = DiffusionNumbers::of(plan);
            launchDiffusionGuide(solver.grid(), numbers, planes, luminance.data(), arrays, session.stream());
            solver.importRightSide(planes);
            launchDiffusionWeights(solver.grid(), numbers, arrays, session.stream());
            const RunContext context;
            solvers::SolveProgress progress(context, 0);
            solver.solve(true, context, progress);
            solver.exportSolution(planes);
        }));
    const solvers::SolveHistory h = solver.history();
    std::printf("  %-10s to %.0e: %5lld iterations, in all %9.3f ms, true residual %.2e\n", info(method).name, tolerance,
                static_cast<long long>(h.iterations()), median(whole), h.trueResidual);
}

void run(int device, const std::vector<std::int64_t>& sizes, bool quick) {
    CudaSession session(device);
    const double rate = copyRate(session);
    std::printf("copy: %.0f GB/s\n", rate);
    for (const std::int64_t size : {std::int64_t{512}, std::int64_t{4096}}) {
        std::printf("diffuse:weights=edges, %lld x %lld, RGB\n", static_cast<long long>(size), static_cast<long long>(size));
        for (const SolverMethod method : {SolverMethod::multigrid, SolverMethod::cg})
            for (const double tolerance : {1e-4, 1e-8}) benchEdges(session, size, method, tolerance, quick);
    }
    for (const std::int64_t size : sizes) {
        std::printf("Poisson, %lld x %lld, Dirichlet borders, to 1e-8\n", static_cast<long long>(size), static_cast<long long>(size));
        bench(session, size, {SolverMethod::multigrid, 1e-8, 100}, solvers::Border::dirichlet, quick, rate);
        // Too many iterations to wait for: the time of one is what counts.
        for (const SolverMethod method : {SolverMethod::cg, SolverMethod::textbook, SolverMethod::csr})
            bench(session, size, {method, 1e-30, 50}, solvers::Border::dirichlet, quick, rate);
        std::printf("Poisson, %lld x %lld, Neumann borders, to 1e-8\n", static_cast<long long>(size), static_cast<long long>(size));
        bench(session, size, {SolverMethod::multigrid, 1e-8, 100}, solvers::Border::neumann, quick, rate);
        bench(session, size, {SolverMethod::dct, 1e-8, 100}, solvers::Border::neumann, quick, rate);
        bench(session, size, {SolverMethod::dct, 1e-8, 100}, solvers::Border::dirichlet, quick, rate);
    }
}

}  // namespace
}  // namespace parallax::gpu

int main(int argc, char** argv) {
    using namespace parallax::gpu;
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        std::vector<std::int64_t> sizes{512, 1000, 4096, 10000, 15000, 16384};
        if (const auto size = arguments.number<std::int64_t>("--size", 0); size > 0) sizes = {size};
        run(arguments.number("--device", 0), sizes, arguments.has("--quick"));
        if (!allRight) std::printf("\nSOME RESULTS ARE WRONG\n");
        return allRight ? 0 : 7;
    });
}
