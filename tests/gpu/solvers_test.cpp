// SPDX-License-Identifier: GPL-3.0-or-later
// Solvers of stencil systems against a serial solution in double, and by their true residual.
#include "gpu/solvers/solver.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <ostream>
#include <vector>

#include "core/image/image.hpp"
#include "core/solvers/reporting.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"
#include "tests/gpu/random_edges.hpp"
#include "tests/gpu/serial_solution.hpp"

namespace parallax::gpu {
namespace {

using solvers::Border;
using solvers::Stencil;

/// A solver whose right-hand side is an image.
class SolverOnDevice {
public:
    SolverOnDevice(SolverMethod method, const SolverProblem& problem, const Image& input, const RandomEdges* edges = nullptr)
        : shape_(input.view().shape), in_(session_.allocate(shape_)), out_(session_.allocate(shape_)), solver_(method, problem, session_) {
        session_.upload(input.view(), in_.view<float>());
        std::vector<int> ids;
        for (int c = 0; c < static_cast<int>(shape_.channels); ++c) ids.push_back(c);
        channels_ = {session_.allocator(), std::span<const int>(ids), session_.stream()};
        if (!edges) return;
        const Grid& g = solver_.grid();
        for (int axis = 0; axis < (g.depth > 1 ? 3 : 2); ++axis)
            edges->upload(axis, {0, g.height * g.depth}, g.pitch, solver_.edges(axis), session_.stream());
    }
    solvers::SolveHistory solve(bool guess) {
        const ImagePlanes planes{denseView(static_cast<const float*>(in_.data()), shape_),
                                 denseView(static_cast<float*>(out_.data()), shape_), channels_.data()};
        const RunContext context;
        solver_.importRightSide(planes);
        solvers::SolveProgress progress(context, 0);
        solver_.solve(guess, context, progress);
        solver_.exportSolution(planes);
        return solver_.history();
    }
    Image result() {
        Buffer result(shape_);
        session_.download(out_.view<float>(), result.view());
        return Image(std::move(result), defaultChannelNames(shape_.channels));
    }
    StencilSolver& solver() { return solver_; }

private:
    CudaSession session_{0};
    Shape shape_;
    Buffer in_, out_;
    DeviceBuffer<int> channels_;
    StencilSolver solver_;
};

void expectSameResiduals(const solvers::SolveHistory& a, const solvers::SolveHistory& b) {
    ASSERT_EQ(a.points.size(), b.points.size());
    for (std::size_t i = 0; i < a.points.size(); ++i) EXPECT_EQ(a.points[i].residual, b.points[i].residual) << i;
}

struct Solved {
    Image image;
    solvers::SolveHistory history;
};
Solved solveOnDevice(SolverMethod method, const SolverProblem& problem, const Image& input, bool guess,
                     const RandomEdges* edges = nullptr) {
    SolverOnDevice system(method, problem, input, edges);
    // A second solve must not depend on the first one.
    const solvers::SolveHistory first = system.solve(guess), second = system.solve(guess);
    expectSameResiduals(first, second);
    return {system.result(), second};
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

TEST(Solvers, AGuessMayHaveALargeResidual) {
    PARALLAX_NEEDS_DEVICE();
    // Weights of 1e7 make that of the image about as large.
    SolverProblem problem{.shape = {2, 2, 1, 1}, .channels = 1, .stencil = {}, .hasEdges = true, .options = {1e-5, 1000}};
    problem.stencil.shape = problem.shape;
    problem.stencil.diagonal = 1;
    RandomEdges edges(problem.shape, 13);
    for (std::vector<double>& weights : edges.along)
        for (double& w : weights) w *= 1e7;
    const ImagePtr input = noiseImage(problem.shape);
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::textbook, SolverMethod::multigrid}) {
        const Solved solved = solveOnDevice(method, problem, *input, true, &edges);
        EXPECT_GT(solved.history.points.front().residual, solvers::kDivergence) << info(method).name;
        EXPECT_EQ(solved.history.end, solvers::SolveEnd::converged) << info(method).name;
    }
}

/// Tolerances for which multigrid iterates in single precision.
TEST_P(SolverCase, ReachesALooseToleranceWithWeightsOfEdges) {
    PARALLAX_NEEDS_DEVICE();
    const Case& c = GetParam();
    if (c.method != SolverMethod::multigrid || c.shape.depth > 1) GTEST_SKIP() << "iterates in double";
    SolverProblem problem{.shape = c.shape, .channels = static_cast<int>(c.shape.channels), .stencil = {}, .hasEdges = true, .options = {}};
    problem.stencil.shape = c.shape;
    problem.stencil.shape.channels = 1;
    problem.stencil.border = c.border;
    problem.stencil.diagonal = c.diagonal + 0.5;
    problem.options = {.tolerance = kSingleTolerance, .iterations = 200};
    const ImagePtr input = noiseImage(c.shape);
    const RandomEdges edges(problem.stencil.shape, 13);
    const Solved solved = solveOnDevice(c.method, problem, *input, c.guess, &edges);
    EXPECT_EQ(solved.history.end, solvers::SolveEnd::converged);
    EXPECT_LE(solved.history.trueResidual, problem.options.tolerance);
    EXPECT_LE(solved.history.iterations(), 30);
    // No eigenvalue is below the diagonal's share.
    const double length = std::sqrt(static_cast<double>(problem.stencil.shape.pixels()));
    expectSerialSolution(*input, solved, edges.on(problem.stencil),
                         1e-6 + 2 * problem.options.tolerance / problem.stencil.diagonal * length);
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

// ---- laps ---------------------------------------------------------------------------------------------------------------------------

struct LapCase {
    SolverMethod method;
    bool hasEdges;
    std::map<std::string, std::int64_t> counts;  ///< of each part in an iteration, levels together; 0: any
};
std::ostream& operator<<(std::ostream& out, const LapCase& c) { return out << info(c.method).name << (c.hasEdges ? " edges" : ""); }

class SolverLaps : public testing::TestWithParam<LapCase> {};

TEST_P(SolverLaps, DivideTheTimeOfTheIterations) {
    PARALLAX_NEEDS_DEVICE();
    const LapCase& c = GetParam();
    const Shape shape = sizeFor(Shape{700, 500, 1, 2}, Shape{41, 27, 1, 1});
    SolverProblem problem{
        .shape = shape, .channels = static_cast<int>(shape.channels), .stencil = {}, .hasEdges = c.hasEdges, .options = {}};
    problem.stencil.shape = shape;
    problem.stencil.shape.channels = 1;
    problem.stencil.border = Border::neumann;
    problem.stencil.diagonal = c.hasEdges ? 0.5 : 0;
    problem.options = {.tolerance = 1e-4, .iterations = 1000};
    if (const std::string refusal = solverRefusal(c.method, problem); !refusal.empty()) GTEST_SKIP() << refusal;
    const RandomEdges edges(problem.stencil.shape, 12);
    SolverOnDevice system(c.method, problem, *noiseImage(shape), c.hasEdges ? &edges : nullptr);
    const solvers::SolveHistory first = system.solve(false);
    std::vector<solvers::SolveHistory> divided{first, first};
    system.solver().addLaps(divided);
    const std::vector<solvers::SolveHistory::Lap>& laps = divided.front().laps;
    ASSERT_FALSE(laps.empty());
    EXPECT_EQ(laps.front().key, solvers::kLapSetUp);
    EXPECT_EQ(laps.back().key == solvers::kLapEnd, c.method != SolverMethod::dct);
    std::map<std::string, std::int64_t> counts;
    double sum = 0;
    for (const auto& lap : laps) {
        EXPECT_GE(lap.nanoseconds, 0) << lap.key;
        if (lap.key == solvers::kLapSetUp || lap.key == solvers::kLapEnd) {
            EXPECT_GT(lap.nanoseconds, 0) << lap.key;
            EXPECT_EQ(lap.count, 1) << lap.key;
            continue;
        }
        EXPECT_GT(lap.nanoseconds, 0) << lap.key << ' ' << lap.label;
        EXPECT_EQ(lap.count % first.iterations(), 0) << lap.key;
        counts[lap.key] += lap.count / first.iterations();
        sum += static_cast<double>(lap.nanoseconds);
    }
    for (const auto& [key, count] : c.counts) EXPECT_TRUE(counts[key] > 0 && (count == 0 || counts[key] == count)) << key << counts[key];
    EXPECT_EQ(counts.size(), c.counts.size());
    // Each part is rounded down.
    const double iterated = (first.points.back().seconds - first.points.front().seconds) * 1e9;
    EXPECT_LE(sum, iterated + 1);
    EXPECT_GE(sum, iterated - static_cast<double>(laps.size()) - 1);
    EXPECT_EQ(divided[1].laps.size(), laps.size());
    // Measuring leaves the next solve as it was.
    expectSameResiduals(first, system.solve(false));
}

INSTANTIATE_TEST_SUITE_P(
    Solvers, SolverLaps,
    testing::Values(
        LapCase{SolverMethod::cg, false, {{solvers::kLapDirection, 1}, {solvers::kLapUpdate, 1}}},
        LapCase{SolverMethod::textbook, false, {{solvers::kLapMatrix, 1}, {solvers::kLapDots, 2}, {solvers::kLapVectors, 2}}},
        LapCase{SolverMethod::multigrid, false, {{solvers::kLapCycle, 0}, {solvers::kLapDirection, 1}, {solvers::kLapUpdate, 1}}},
        LapCase{SolverMethod::multigrid, true, {{solvers::kLapCycle, 0}, {solvers::kLapDirection, 1}, {solvers::kLapUpdate, 1}}},
        LapCase{SolverMethod::csr, false, {{solvers::kLapMatrix, 0}, {solvers::kLapDots, 0}, {solvers::kLapVectors, 0}}},
        LapCase{SolverMethod::dct, false, {{solvers::kLapReordering, 0}, {solvers::kLapTransforms, 0}, {solvers::kLapDivision, 0}}}));

/// A right-hand side of 0 needs no iteration: there is nothing to divide.
TEST(SolverLaps, SolvesWithoutIterationsHaveABeginningAndAnEnd) {
    PARALLAX_NEEDS_DEVICE();
    const Shape shape{21, 12, 1, 1};
    SolverProblem problem{.shape = shape, .channels = 1, .stencil = {}, .options = {}};
    problem.stencil.shape = shape;
    Buffer zero(shape);
    std::fill_n(zero.view().data, shape.samples(), 0.0F);
    SolverOnDevice system(SolverMethod::cg, problem, Image(std::move(zero), defaultChannelNames(1)));
    std::vector<solvers::SolveHistory> histories{system.solve(false)};
    system.solver().addLaps(histories);
    EXPECT_EQ(histories[0].iterations(), 0);
    ASSERT_EQ(histories[0].laps.size(), 2U);
    EXPECT_EQ(histories[0].laps[0].key, solvers::kLapSetUp);
    EXPECT_EQ(histories[0].laps[1].key, solvers::kLapEnd);
}

}  // namespace
}  // namespace parallax::gpu
