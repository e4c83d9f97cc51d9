// SPDX-License-Identifier: GPL-3.0-or-later
// Solvers of the Poisson equation with a 5-point stencil in double: time of an iteration, of a solve and of a product alone, and the true
// residual. tests/benchmarks/solvers.py makes a table of it, with peers and targets.
//
//   bench_gpu_solvers [--device N] [--size N]... [--quick] [--csv]
//   bench_gpu_solvers [--device N] --edges N... [--quick] [--csv]      diffuse:weights=edges by multigrid alone, with its parts
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/operations/diffuse/formulas.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/benchmarks/stencil_product.hpp"
#include "gpu/operations/diffuse/weights.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/solver.hpp"

namespace parallax::gpu {
namespace {

bool allRight = true;

/// Prints rows as lines for people or as CSV.
class Table {
public:
    explicit Table(bool csv) : csv_(csv) {
        if (csv_)
            std::printf("device,copy_gb_s,work,size,borders,method,tolerance,iterations,iteration_ms,all_ms,residual,reached,skipped\n");
    }
    void setMachine(const std::string& device, double rate) {
        device_ = device;
        rate_ = rate;
        if (!csv_) std::printf("%s, copy: %.0f GB/s\n", device.c_str(), rate);
    }
    void setTitle(const std::string& work, std::int64_t size, const std::string& borders) {
        if (!csv_ && (work != work_ || size != size_ || borders != borders_))
            std::printf("%s, %lld x %lld%s%s\n", work.c_str(), static_cast<long long>(size), static_cast<long long>(size),
                        borders.empty() ? "" : ", borders: ", borders.c_str());
        work_ = work;
        size_ = size;
        borders_ = borders;
    }
    struct Row {
        const char* method;
        double tolerance = 0;  ///< 0: it ends after a number of iterations
        std::int64_t iterations = 0;
        double iteration = 0, all = 0;  ///< ms; 0: none
        double residual = 0;
        bool reached = true;
    };
    void add(const Row& r) const {
        if (csv_) {
            begin(r.method);
            std::printf("%g,%lld,%.5f,%.5f,%.3e,%s,\n", r.tolerance, static_cast<long long>(r.iterations), r.iteration, r.all, r.residual,
                        r.reached ? "yes" : "NO");
            return;
        }
        std::printf("  %-10s", r.method);
        if (r.iterations > 0) std::printf(" %5lld iterations", static_cast<long long>(r.iterations));
        if (r.iteration > 0)
            std::printf(" of %8.4f ms (%6.1f bytes a sample at the rate of a copy)", r.iteration,
                        r.iteration * rate_ * 1e6 / (static_cast<double>(size_) * static_cast<double>(size_)));
        if (r.all > 0) std::printf(", in all %9.3f ms", r.all);
        if (r.residual > 0) std::printf(", true residual %.2e", r.residual);
        if (r.tolerance > 0) std::printf(", to %.0e%s", r.tolerance, r.reached ? "" : ": NOT REACHED");
        else if (!r.reached) std::printf(": WRONG");
        std::printf("\n");
    }
    /// Milliseconds of one call of a part of the last row; only for people.
    void addPart(const std::string& part, double ms) const {
        if (!csv_) std::printf("    %-24s %8.4f ms\n", part.c_str(), ms);
    }
    void skip(const char* method, std::string reason) const {
        if (!csv_) return void(std::printf("  %-10s %s\n", method, reason.c_str()));
        for (char& c : reason)
            if (c == '"' || c == '\n') c = '\'';
        begin(method);
        std::printf(",,,,,,\"%s\"\n", reason.c_str());
    }

private:
    void begin(const char* method) const {
        std::printf("\"%s\",%.0f,\"%s\",%lld,%s,%s,", device_.c_str(), rate_, work_.c_str(), static_cast<long long>(size_),
                    borders_.c_str(), method);
    }

    bool csv_;
    std::string device_, work_, borders_;
    std::int64_t size_ = 0;
    double rate_ = 0;
};

/// A row for each benchmark: the reason for what does not fit into memory.
void attempt(const Table& table, const char* method, const std::function<void()>& bench) {
    try {
        bench();
    } catch (const Error& e) {
        if (e.code() != ErrorCode::memory) throw;
        table.skip(method, e.what());
    }
}

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

SolverProblem poissonProblem(std::int64_t size, solvers::Border border, const solvers::SolveOptions& options) {
    const Shape shape{size, size, 1, 1};
    SolverProblem problem{.shape = shape, .channels = 1, .stencil = {}, .options = options};
    problem.stencil.shape = shape;
    problem.stencil.border = border;
    return problem;
}

void bench(CudaSession& session, Table& table, std::int64_t size, SolverMethod method, solvers::Border border,
           const solvers::SolveOptions& options, bool quick) {
    const Shape shape{size, size, 1, 1};
    const SolverProblem problem = poissonProblem(size, border, options);
    const char* const name = info(method).name;
    table.setTitle("Poisson", size, border == solvers::Border::dirichlet ? "Dirichlet" : "Neumann");
    if (const std::string refusal = solverRefusal(method, problem); !refusal.empty()) return table.skip(name, refusal);
    Buffer in = session.allocate(shape), out = session.allocate(shape);
    launchRandom(static_cast<float*>(in.data()), shape.pixels(), border == solvers::Border::neumann ? -0.5F : 0.0F, session.stream());
    const std::vector<int> ids{0};
    const DeviceBuffer<int> channels(session.allocator(), std::span<const int>(ids), session.stream());
    const ImagePlanes planes{denseView(static_cast<const float*>(in.data()), shape), denseView(static_cast<float*>(out.data()), shape),
                             channels.data()};
    StencilSolver solver(method, problem, session);
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
    const bool expectsEnd = options.tolerance > 1e-20;
    const bool right = !expectsEnd || h.reached(options);
    allRight = allRight && right;
    table.add({.method = name,
               .tolerance = expectsEnd ? options.tolerance : 0,
               .iterations = h.iterations(),
               .iteration = median(iteration),
               .all = median(whole),
               .residual = h.trueResidual,
               .reached = right});
}

/// q = A p alone, by the strips of `cg` and by cuSPARSE with the matrix of `csr`.
void benchProducts(CudaSession& session, Table& table, std::int64_t size, bool quick) {
    const SolverProblem problem = poissonProblem(size, solvers::Border::dirichlet, {});
    const Grid grid = Grid::of(problem.shape, 1);
    table.setTitle("product", size, "Dirichlet");
    const SolveArguments a{.grid = grid, .stencil = GridStencil::of(problem.stencil)};
    DeviceBuffer<double> p(session.allocator(), static_cast<std::size_t>(grid.elements())),
        q(session.allocator(), static_cast<std::size_t>(grid.elements()));
    launchRandom(grid, p.data(), session.stream());
    struct Trial {
        const char* name;
        std::function<void()> run;
        std::vector<double> ms{};
    };
    std::vector<Trial> trials{{"cg", [&] { launchStencilProduct(a, p.data(), q.data(), session.stream()); }}};
    std::optional<PeerIteration> peer;
    attempt(table, "csr", [&] {
        if (const std::string refusal = solverRefusal(SolverMethod::csr, problem); !refusal.empty()) return table.skip("csr", refusal);
        peer.emplace(grid, p.data(), q.data(), session.allocator(), session.stream());
        peer->assemble(a, session.stream());
        trials.push_back({"csr", [&] { peer->multiply(p.data(), q.data()); }});
    });
    timeInTurns(session.clock(), trials, quick ? 5 : 15, 3, 10);
    bool agree = true;
    if (peer) {
        DeviceBuffer<double> other(session.allocator(), static_cast<std::size_t>(grid.elements())), difference(session.allocator(), 1);
        launchStencilProduct(a, p.data(), other.data(), session.stream());
        peer->multiply(p.data(), q.data());
        agree = largestDifference(grid, q.data(), other.data(), difference.data(), session.stream()) < 1e-13;
        allRight = allRight && agree;
    }
    for (const Trial& t : trials) table.add({.method = t.name, .iteration = median(t.ms), .reached = agree});
}

/// diffuse:weights=edges of an RGB image with the default parameters, weights included.
void benchEdges(CudaSession& session, Table& table, std::int64_t size, SolverMethod method, double tolerance, bool quick) {
    const Shape shape{size, size, 1, 3};
    DiffusePlan plan;
    plan.parameters.weights = DiffusionWeights::edges;
    plan.luminance = {diffusion::kLuminance[0], diffusion::kLuminance[1], diffusion::kLuminance[2]};
    SolverProblem problem{.shape = shape, .channels = 3, .stencil = {}, .hasEdges = true, .options = {tolerance, 1000}};
    problem.stencil.shape = {size, size, 1, 1};
    problem.stencil.diagonal = 1;
    table.setTitle("diffuse:weights=edges of RGB", size, "");
    if (const std::string refusal = solverRefusal(method, problem); !refusal.empty()) return table.skip(info(method).name, refusal);
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
    table.add({.method = info(method).name,
               .tolerance = tolerance,
               .iterations = h.iterations(),
               .all = median(whole),
               .residual = h.trueResidual,
               .reached = h.reached(problem.options)});
    std::vector<solvers::SolveHistory> divided{h};
    solver.addLaps(divided);
    for (const auto& lap : divided.front().laps)
        table.addPart(std::string(lap.key) + (lap.label.empty() ? "" : ", " + lap.label),
                      static_cast<double>(lap.nanoseconds) * 1e-6 / static_cast<double>(std::max<std::int64_t>(lap.count, 1)));
}

void run(int device, const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& edges, bool quick, bool csv) {
    CudaSession session(device);
    Table table(csv);
    table.setMachine(listDevices().at(static_cast<std::size_t>(device)).name, copyRate(session));
    for (const std::int64_t size : edges)
        for (const double tolerance : {1e-4, 1e-8}) benchEdges(session, table, size, SolverMethod::multigrid, tolerance, quick);
    if (!edges.empty()) return;
    for (const std::int64_t size : {std::int64_t{512}, std::int64_t{4096}})
        for (const SolverMethod method : {SolverMethod::multigrid, SolverMethod::cg})
            for (const double tolerance : {1e-4, 1e-8}) benchEdges(session, table, size, method, tolerance, quick);
    using solvers::Border;
    for (const std::int64_t size : sizes) {
        const auto solve = [&](SolverMethod method, Border border, const solvers::SolveOptions& options) {
            attempt(table, info(method).name, [&] { bench(session, table, size, method, border, options, quick); });
        };
        const solvers::SolveOptions whole{1e-8, 100}, iterations{1e-30, 50};  // too many to wait for: the time of one is what counts
        attempt(table, "cg", [&] { benchProducts(session, table, size, quick); });
        solve(SolverMethod::multigrid, Border::dirichlet, whole);
        for (const SolverMethod method : {SolverMethod::cg, SolverMethod::textbook, SolverMethod::csr})
            solve(method, Border::dirichlet, iterations);
        solve(SolverMethod::multigrid, Border::neumann, whole);
        solve(SolverMethod::dct, Border::neumann, whole);
        solve(SolverMethod::dct, Border::dirichlet, whole);
    }
}

}  // namespace
}  // namespace parallax::gpu

int main(int argc, char** argv) {
    using namespace parallax::gpu;
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        const std::vector<std::int64_t> sizes = arguments.numbers("--size", {512, 1000, 4096, 10000, 15000, 16384, 20000});
        run(arguments.number("--device", 0), sizes, arguments.numbers("--edges", {}), arguments.has("--quick"), arguments.has("--csv"));
        if (!allRight) std::fprintf(stderr, "SOME RESULTS ARE WRONG\n");
        return allRight ? 0 : 7;
    });
}
