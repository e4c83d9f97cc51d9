// SPDX-License-Identifier: GPL-3.0-or-later
// Solvers of stencil systems against a serial solution in double, and by their true residual.
#include "gpu/solvers/solver.hpp"

#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include "core/image/image.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

using solvers::Border;
using solvers::Stencil;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

std::vector<double> product(const Stencil& s, const std::vector<double>& u) {
    std::vector<double> q(u.size());
    std::size_t i = 0;
    for (std::int64_t z = 0; z < s.shape.depth; ++z)
        for (std::int64_t y = 0; y < s.shape.height; ++y)
            for (std::int64_t x = 0; x < s.shape.width; ++x) q[i++] = solvers::applied(s, u.data(), x, y, z);
    return q;
}

void removeMean(std::vector<double>& v) {
    double mean = 0;
    for (const double x : v) mean += x / static_cast<double>(v.size());
    for (double& x : v) x -= mean;
}

/// Plain conjugate gradients to 1e-13; of singular systems the solution with the mean 0.
std::vector<double> serialSolution(const Stencil& s, std::vector<double> f) {
    const bool singular = solvers::isSingular(s);
    if (singular) removeMean(f);
    std::vector<double> u(f.size()), r = f, p = f;
    double rr = dot(r, r);
    const double enough = 1e-26 * rr;
    for (int i = 0; i < 100000 && rr > enough; ++i) {
        const std::vector<double> q = product(s, p);
        const double alpha = rr / dot(p, q);
        for (std::size_t k = 0; k < u.size(); ++k) {
            u[k] += alpha * p[k];
            r[k] -= alpha * q[k];
        }
        const double next = dot(r, r);
        for (std::size_t k = 0; k < u.size(); ++k) p[k] = r[k] + next / rr * p[k];
        rr = next;
    }
    if (singular) removeMean(u);
    return u;
}

/// Weights between 1e-2 and 1e2 for the edges of an image or a volume; closer to 1 on an emulated device, which takes long for many
/// iterations.
struct RandomEdges {
    std::vector<double> along[3];
    RandomEdges(const Shape& shape, std::uint64_t seed) {
        Random random(seed);
        for (int axis = 0; axis < (shape.depth > 1 ? 3 : 2); ++axis)
            for (std::int64_t i = 0; i < shape.pixels(); ++i) {
                const std::int64_t at[3] = {i % shape.width, i / shape.width % shape.height, i / (shape.width * shape.height)};
                const bool isLast = at[axis] + 1 == solvers::axisExtent(shape, axis);
                along[axis].push_back(isLast ? 0 : std::pow(10.0, sizeFor(2.0, 0.5) * static_cast<double>(random.uniform())));
            }
    }
    Stencil on(Stencil stencil) const {
        for (int axis = 0; axis < 3; ++axis) stencil.edges[axis] = along[axis].empty() ? nullptr : along[axis].data();
        return stencil;
    }
    void upload(StencilSolver& solver, const CudaSession& session) const {
        const Grid& g = solver.grid();
        const auto row = static_cast<std::size_t>(g.width) * sizeof(double);
        for (int axis = 0; axis < 3; ++axis)
            if (!along[axis].empty())
                check(cudaMemcpy2DAsync(solver.edges(axis), static_cast<std::size_t>(g.pitch) * sizeof(double), along[axis].data(), row,
                                        row, static_cast<std::size_t>(g.height * g.depth), cudaMemcpyHostToDevice, session.stream()),
                      "upload");
    }
};

/// Solves with a right-hand side from an image and returns the result.
struct Solved {
    Image image;
    solvers::SolveHistory history;
};
Solved solveOnDevice(SolverMethod method, const SolverProblem& problem, const Image& input, bool guess,
                     const RandomEdges* edges = nullptr) {
    CudaSession session(0);
    const Shape shape = input.view().shape;
    Buffer in = session.allocate(shape), out = session.allocate(shape);
    session.upload(input.view(), in);
    std::vector<int> ids;
    for (int c = 0; c < static_cast<int>(shape.channels); ++c) ids.push_back(c);
    const DeviceBuffer<int> channels(session.allocator(), std::span<const int>(ids), session.stream());
    const ImagePlanes planes{denseView(static_cast<const float*>(in.data()), shape), denseView(static_cast<float*>(out.data()), shape),
                             channels.data()};
    StencilSolver solver(method, problem, session);
    if (edges) edges->upload(solver, session);
    RunContext context;
    Solved solved;
    // A second solve must not depend on the first one.
    for (int i = 0; i < 2; ++i) {
        solver.importRightSide(planes);
        solvers::SolveProgress progress(context, 0);
        solver.solve(guess, context, progress);
        solver.exportSolution(planes);
        const solvers::SolveHistory h = solver.history();
        if (i == 1) {
            EXPECT_EQ(h.points.size(), solved.history.points.size());
            for (std::size_t k = 0; k < h.points.size() && k < solved.history.points.size(); ++k)
                EXPECT_EQ(h.points[k].residual, solved.history.points[k].residual) << k;
        }
        solved.history = h;
    }
    Buffer result(shape);
    session.download(out, result.view());
    solved.image = Image(std::move(result), defaultChannelNames(shape.channels));
    return solved;
}

struct Case {
    SolverMethod method;
    Shape shape;
    Border border;
    double diagonal;
    bool guess;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << info(c.method).name << ' ' << c.shape.width << 'x' << c.shape.height << 'x' << c.shape.depth << 'x' << c.shape.channels
               << (c.border == Border::dirichlet ? " dirichlet" : " neumann") << " diagonal " << c.diagonal << (c.guess ? " guess" : "");
}

/// `stencil` with the weights of edges, if there are any.
void expectSerialSolution(const Image& input, const Solved& solved, const Stencil& stencil, double tolerance) {
    const auto size = static_cast<std::size_t>(stencil.shape.pixels());
    for (std::int64_t channel = 0; channel < input.view().shape.channels; ++channel) {
        const float* const f = input.view().row(0, 0, channel);
        const std::vector<double> expected = serialSolution(stencil, {f, f + size});
        const float* const u = solved.image.view().row(0, 0, channel);
        double worst = 0, largest = 1e-30;
        for (std::size_t i = 0; i < size; ++i) {
            worst = std::max(worst, std::fabs(static_cast<double>(u[i]) - expected[i]));
            largest = std::max(largest, std::fabs(expected[i]));
        }
        EXPECT_LE(worst, tolerance * largest) << "channel " << channel;
    }
}

class SolverCase : public testing::TestWithParam<Case> {};

TEST_P(SolverCase, MatchesTheSerialSolution) {
    PARALLAX_NEEDS_DEVICE();
    const Case& c = GetParam();
    SolverProblem problem{.shape = c.shape, .channels = static_cast<int>(c.shape.channels), .stencil = {}, .options = {}};
    problem.stencil.shape = c.shape;
    problem.stencil.shape.channels = 1;
    problem.stencil.border = c.border;
    problem.stencil.diagonal = c.diagonal;
    problem.stencil.axisWeights[1] = 1.25;
    if (c.shape.depth > 1) problem.stencil.axisWeights[2] = 0.125;
    problem.options = {.tolerance = 1e-9, .iterations = 3000};
    if (const std::string refusal = solverRefusal(c.method, problem); !refusal.empty()) GTEST_SKIP() << refusal;
    const ImagePtr input = noiseImage(c.shape);
    const Solved solved = solveOnDevice(c.method, problem, *input, c.guess);
    EXPECT_TRUE(solved.history.end == solvers::SolveEnd::converged || solved.history.end == solvers::SolveEnd::direct);
    EXPECT_LE(solved.history.trueResidual, problem.options.tolerance);
    if (c.method == SolverMethod::multigrid) {
        EXPECT_LE(solved.history.iterations(), 22);
    }
    expectSerialSolution(*input, solved, problem.stencil, 2e-6);
}

TEST_P(SolverCase, MatchesTheSerialSolutionWithWeightsOfEdges) {
    PARALLAX_NEEDS_DEVICE();
    const Case& c = GetParam();
    SolverProblem problem{.shape = c.shape, .channels = static_cast<int>(c.shape.channels), .stencil = {}, .hasEdges = true, .options = {}};
    problem.stencil.shape = c.shape;
    problem.stencil.shape.channels = 1;
    problem.stencil.border = c.border;
    problem.stencil.diagonal = c.diagonal + 0.5;
    problem.options = {.tolerance = 1e-9, .iterations = 10000};
    if (const std::string refusal = solverRefusal(c.method, problem); !refusal.empty()) GTEST_SKIP() << refusal;
    const ImagePtr input = noiseImage(c.shape);
    const RandomEdges edges(problem.stencil.shape, 11);
    const Solved solved = solveOnDevice(c.method, problem, *input, c.guess, &edges);
    EXPECT_EQ(solved.history.end, solvers::SolveEnd::converged);
    EXPECT_LE(solved.history.trueResidual, problem.options.tolerance);
    if (c.method == SolverMethod::multigrid) {
        EXPECT_LE(solved.history.iterations(), 60);
    }
    expectSerialSolution(*input, solved, edges.on(problem.stencil), 2e-6);
}

std::vector<Case> cases() {
    std::vector<Case> all;
    // Tiles of multigrid and its steps of single cells, several channels, volumes; few samples on an emulated device.
    const std::vector<Shape> shapes =
        isEmulated() ? std::vector<Shape>{{1, 1, 1, 1}, {1, 7, 1, 1}, {9, 5, 1, 2}, {5, 4, 3, 1}, {41, 27, 1, 1}}
                     : std::vector<Shape>{{1, 1, 1, 1},    {2, 1, 1, 1}, {1, 7, 1, 1},    {65, 3, 1, 2},   {64, 64, 1, 1}, {70, 45, 1, 3},
                                          {131, 97, 1, 1}, {9, 6, 5, 1}, {33, 20, 17, 2}, {200, 40, 1, 1}, {5, 190, 1, 1}};
    for (const SolverMethod method :
         {SolverMethod::cg, SolverMethod::textbook, SolverMethod::multigrid, SolverMethod::csr, SolverMethod::dct})
        for (const Shape& shape : shapes) {
            all.push_back({method, shape, Border::dirichlet, 0, false});
            all.push_back({method, shape, Border::neumann, 0, false});
            all.push_back({method, shape, Border::neumann, 1, true});
        }
    return all;
}
INSTANTIATE_TEST_SUITE_P(Solvers, SolverCase, testing::ValuesIn(cases()));

}  // namespace
}  // namespace parallax::gpu
