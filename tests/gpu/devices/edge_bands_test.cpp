// SPDX-License-Identifier: GPL-3.0-or-later
// Systems with weights of edges on several devices, against one device and a serial solution.
#include <ostream>
#include <utility>

#include "gpu/runtime/memory/memory_pool.hpp"
#include "tests/gpu/devices/system_on_group.hpp"
#include "tests/gpu/serial_solution.hpp"

namespace parallax::gpu {
namespace {

using solvers::Border;

SolverProblem weighted(const Shape& shape, Border border, bool hasDiagonals) {
    SolverProblem problem = problemOf(shape, border, 0.5);
    problem.hasEdges = true;
    problem.hasDiagonals = hasDiagonals;
    return problem;
}

struct EdgeCase {
    SolverMethod method;
    int members;
    Shape shape;
    Border border;
    bool hasDiagonals, guess;
};
std::ostream& operator<<(std::ostream& out, const EdgeCase& c) {
    return out << info(c.method).name << ' ' << c.members << " devices " << c.shape.width << 'x' << c.shape.height << 'x'
               << c.shape.channels << (c.border == Border::dirichlet ? " dirichlet" : " neumann") << (c.hasDiagonals ? " diagonals" : "")
               << (c.guess ? " guess" : "");
}

class EdgesOnBands : public testing::TestWithParam<EdgeCase> {};

TEST_P(EdgesOnBands, MatchOneDeviceAndTheSerialSolution) {
    const EdgeCase& c = GetParam();
    PARALLAX_NEEDS_DEVICES(c.members);
    const SolverProblem problem = weighted(c.shape, c.border, c.hasDiagonals);
    const ImagePtr input = noiseImage(c.shape);
    const RandomEdges edges(problem.stencil.shape, 17, c.hasDiagonals);
    DeviceGroup group(firstDevices(c.members));
    SystemOnGroup system(problem, *input, group, c.method, &edges);
    const Solved first = system.solve(c.guess), solved = system.solve(c.guess);
    EXPECT_EQ(first.image, solved.image) << "a second solve has other bits";
    EXPECT_EQ(solved.history.end, solvers::SolveEnd::converged);
    EXPECT_LE(solved.history.trueResidual, problem.options.tolerance);

    const Solved alone = solveAlone(c.method, problem, *input, c.guess, &edges);
    expectClose(solved.image, alone.image, 2e-6);
    // Rounding errors are all that is left when there are as many iterations as unknowns.
    const auto beforeTheEnd = static_cast<std::size_t>(c.shape.width * c.shape.height / 2 + 1);
    const std::size_t common = std::min({solved.history.points.size(), alone.history.points.size(), std::size_t{6}, beforeTheEnd});
    // Rounding errors grow with the spread of the weights; the V-cycle is rounded to single precision.
    const double rounding = c.method == SolverMethod::cg ? 1e-6 : 1e-4;
    for (std::size_t i = 0; i < common; ++i) {
        const double expected = alone.history.points[i].residual;
        EXPECT_NEAR(solved.history.points[i].residual, expected, rounding * expected + 1e-9) << i;
    }
    const auto size = static_cast<std::size_t>(problem.stencil.shape.pixels());
    for (std::int64_t channel = 0; channel < c.shape.channels; ++channel) {
        const float* const f = input->view().row(0, 0, channel);
        const std::vector<double> expected = serialSolution(edges.on(problem.stencil), {f, f + size});
        const float* const u = solved.image.data() + static_cast<std::size_t>(channel) * size;
        expectClose({u, u + size}, {expected.begin(), expected.end()}, 2e-6);
    }
}

std::vector<EdgeCase> edgeCases() {
    std::vector<EdgeCase> all;
    // Odd sizes, fewer rows than devices, one row, one column, several channels, several strips.
    const std::vector<Shape> shapes = isEmulated()
                                          ? std::vector<Shape>{{1, 1, 1, 1}, {1, 7, 1, 1}, {5, 2, 1, 2}, {67, 5, 1, 1}, {21, 19, 1, 1}}
                                          : std::vector<Shape>{{1, 1, 1, 1},  {9, 1, 1, 1},   {1, 7, 1, 1},    {5, 2, 1, 2},
                                                               {67, 5, 1, 3}, {33, 29, 1, 1}, {131, 97, 1, 3}, {230, 161, 1, 1}};
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid})
        for (const int members : isEmulated() ? std::vector<int>{2, 3} : std::vector<int>{1, 2, 3, 4})
            for (const Shape& shape : shapes) {
                all.push_back({method, members, shape, Border::dirichlet, false, false});
                all.push_back({method, members, shape, Border::neumann, false, true});
                all.push_back({method, members, shape, Border::neumann, true, false});
            }
    // Several levels are divided, also where a member has none of their rows.
    for (const int members : {2, 3}) {
        all.push_back({SolverMethod::multigrid, members, {9, 301, 1, 1}, Border::neumann, true, false});
        all.push_back({SolverMethod::multigrid, members, {70, 203, 1, 2}, Border::dirichlet, false, true});
    }
    all.push_back({SolverMethod::multigrid, 3, {130, 5, 1, 3}, Border::neumann, false, false});
    return all;
}
INSTANTIATE_TEST_SUITE_P(Groups, EdgesOnBands, testing::ValuesIn(edgeCases()));

TEST(EdgesOnBandsOf, HostMemoryHaveTheBitsOfPeerAccess) {
    PARALLAX_NEEDS_DEVICES(2);
    const Shape shape{33, 18, 1, 2};
    const SolverProblem problem = weighted(shape, Border::neumann, true);
    const ImagePtr input = noiseImage(shape);
    const RandomEdges edges(problem.stencil.shape, 18, true);
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
        DeviceGroup group(firstDevices(2));
        const Solved expected = SystemOnGroup(problem, *input, group, method, &edges).solve(true);
        const WithoutPeerAccess denied;
        DeviceGroup apart(firstDevices(2));
        EXPECT_EQ(SystemOnGroup(problem, *input, apart, method, &edges).solve(true).image, expected.image) << info(method).name;
    }
}

TEST(EdgesOnBandsOf, MultigridIteratesAsOftenAsOnOneDevice) {
    PARALLAX_NEEDS_DEVICES(3);
    const Shape shape{90, 230, 1, 1};
    const ImagePtr input = noiseImage(shape);
    const RandomEdges edges({90, 230, 1, 1}, 19);
    // One device iterates in single precision to the larger tolerance.
    for (const double tolerance : {1e-4, 1e-9}) {
        SolverProblem problem = problemOf(shape, Border::neumann, 0.01, tolerance);
        problem.hasEdges = true;
        const std::int64_t alone = solveAlone(SolverMethod::multigrid, problem, *input, false, &edges).history.iterations();
        for (const int members : {2, 3}) {
            DeviceGroup group(firstDevices(members));
            SystemOnGroup system(problem, *input, group, SolverMethod::multigrid, &edges);
            EXPECT_NEAR(static_cast<double>(system.solve(false).history.iterations()), static_cast<double>(alone), 1.0) << members;
        }
    }
}

TEST(EdgesOnBandsOf, AllMembersSeeTheRowsOfTheirNeighbours) {
    PARALLAX_NEEDS_DEVICES(2);
    // Of three devices the last one has no rows.
    const Shape shape{70, 2, 1, 2};
    const int members = std::min(deviceCount(), 3);
    const ImagePtr input = noiseImage(shape);
    DeviceGroup group(firstDevices(members));
    SystemOnGroup system(weighted(shape, Border::neumann, false), *input, group);
    (void)system.solve(false);  // imports the image
    const auto pitch = static_cast<std::size_t>(bandGrid(weighted(shape, Border::neumann, false), {0, 1}).pitch);
    std::vector<double> guide[2], samples[2];  // rows of the upper neighbour that the second member sees, and the reverse
    system.solver().compute([&](int m, const BandSystem& s) {
        const RowsBesideBand one = system.solver().exchangeRows(m, s.rightSide), all = system.solver().exchangeRightSide(m);
        EXPECT_EQ(one.above != nullptr, m == 1) << m;
        EXPECT_EQ(one.below != nullptr, m == 0) << m;
        EXPECT_EQ(all.above != nullptr, m == 1) << m;
        EXPECT_EQ(all.below != nullptr, m == 0) << m;
        if (m > 1) return;
        const auto download = [&](const double* from, std::size_t count) {
            std::vector<double> values(count);
            check(cudaMemcpyAsync(values.data(), from, count * sizeof(double), cudaMemcpyDefault, s.stream), "download");
            check(cudaStreamSynchronize(s.stream), "download");
            return values;
        };
        guide[m] = download(m == 0 ? one.below : one.above, pitch);
        samples[m] = download(m == 0 ? all.below : all.above, 2 * pitch);
    });
    for (int m = 0; m < 2; ++m)
        for (std::int64_t c = 0; c < 2; ++c)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const auto expected = static_cast<double>(input->view().at(x, 1 - m, 0, c));
                if (c == 0) {
                    EXPECT_EQ(guide[m].at(static_cast<std::size_t>(x)), expected) << m << ' ' << x;
                }
                EXPECT_EQ(samples[m].at(static_cast<std::size_t>(c) * pitch + static_cast<std::size_t>(x)), expected) << m << ' ' << x;
            }
}

TEST(EdgesOnBandsOf, DevicesNeedTheMemoryThatIsEstimated) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    const SolverProblem problem = weighted({300, 200, 1, 2}, Border::neumann, true);
    const std::uint64_t before = MemoryPool::of(1).usedBytes();
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
        // Blocks of the solver before may be larger than needed.
        group.run([&](int m) { MemoryPool::of(group.device(m)).trim(); });
        const GroupSolver solver(method, problem, group);
        const std::uint64_t taken = MemoryPool::of(1).usedBytes() - before, estimate = estimateGroupBytes(method, problem, 2);
        // Blocks of a pool are rounded up.
        EXPECT_GE(taken + taken / 20, estimate);
        EXPECT_LE(taken, estimate + estimate / 20);
    }
    EXPECT_EQ(MemoryPool::of(1).usedBytes(), before) << "memory is not given back";
}

}  // namespace
}  // namespace parallax::gpu
