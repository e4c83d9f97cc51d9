// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients on several devices, with and without multigrid, against one device and a serial solution.
#include "gpu/solvers/bands/group_solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <ostream>
#include <stop_token>
#include <thread>

#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "tests/gpu/devices/system_on_group.hpp"
#include "tests/gpu/serial_solution.hpp"

#if defined(PARALLAX_EMULATED_DEVICE)
#include <emulated_device/testing.hpp>
#endif

namespace parallax::gpu {
namespace {

using solvers::Border;

struct Case {
    SolverMethod method;
    int members;
    Shape shape;
    Border border;
    double diagonal;
    bool guess;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << info(c.method).name << ' ' << c.members << " devices " << c.shape.width << 'x' << c.shape.height << 'x'
               << c.shape.channels << (c.border == Border::dirichlet ? " dirichlet" : " neumann") << " diagonal " << c.diagonal
               << (c.guess ? " guess" : "");
}

class GroupSolverCase : public testing::TestWithParam<Case> {};

TEST_P(GroupSolverCase, MatchesOneDeviceAndTheSerialSolution) {
    const Case& c = GetParam();
    PARALLAX_NEEDS_DEVICES(c.members);
    const SolverProblem problem = problemOf(c.shape, c.border, c.diagonal);
    const ImagePtr input = noiseImage(c.shape);
    DeviceGroup group(firstDevices(c.members));
    SystemOnGroup system(problem, *input, group, c.method);
    const Solved first = system.solve(c.guess), solved = system.solve(c.guess);
    EXPECT_EQ(first.image, solved.image) << "a second solve has other bits";
    EXPECT_EQ(solved.history.end, solvers::SolveEnd::converged);
    EXPECT_LE(solved.history.trueResidual, problem.options.tolerance);

    const Solved alone = solveAlone(c.method, problem, *input, c.guess);
    expectClose(solved.image, alone.image, 2e-6);
    // The first residuals differ by the order of sums, and by the rounding of the V-cycle, only.
    const double rounding = c.method == SolverMethod::cg ? 1e-9 : 1e-5;
    const std::size_t common = std::min({solved.history.points.size(), alone.history.points.size(), std::size_t{8}});
    for (std::size_t i = 0; i < common; ++i) {
        const double expected = alone.history.points[i].residual;
        EXPECT_NEAR(solved.history.points[i].residual, expected, rounding * expected + 1e-15 + (c.method == SolverMethod::cg ? 0 : 1e-9))
            << i;
    }
    ASSERT_EQ(solved.history.removedMeans.size(), alone.history.removedMeans.size());
    for (std::size_t i = 0; i < alone.history.removedMeans.size(); ++i)
        EXPECT_NEAR(solved.history.removedMeans[i], alone.history.removedMeans[i], 1e-12);

    const auto size = static_cast<std::size_t>(problem.stencil.shape.pixels());
    for (std::int64_t channel = 0; channel < c.shape.channels; ++channel) {
        const float* const f = input->view().row(0, 0, channel);
        const std::vector<double> expected = serialSolution(problem.stencil, {f, f + size});
        const float* const u = solved.image.data() + static_cast<std::size_t>(channel) * size;
        expectClose({u, u + size}, {expected.begin(), expected.end()}, 2e-6);
    }
}

std::vector<Case> cases() {
    std::vector<Case> all;
    // Odd sizes, fewer rows than devices, one row, one column, several channels, several strips.
    const std::vector<Shape> shapes =
        isEmulated() ? std::vector<Shape>{{1, 1, 1, 1}, {9, 1, 1, 1}, {1, 7, 1, 1}, {5, 2, 1, 2}, {67, 5, 1, 1}, {21, 19, 1, 1}}
                     : std::vector<Shape>{{1, 1, 1, 1},  {9, 1, 1, 1},   {1, 7, 1, 1},    {5, 2, 1, 2},
                                          {67, 5, 1, 3}, {33, 29, 1, 1}, {131, 97, 1, 3}, {230, 161, 1, 1}};
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
        for (const int members : isEmulated() ? std::vector<int>{2, 3} : std::vector<int>{1, 2, 3, 4}) {
            for (const Shape& shape : shapes) {
                all.push_back({method, members, shape, Border::dirichlet, 0, false});
                all.push_back({method, members, shape, Border::neumann, 0, false});
                all.push_back({method, members, shape, Border::neumann, 1, true});
            }
            all.push_back({method, members, {65, 7, 1, 3}, Border::neumann, 1, false});
        }
    }
    // Three levels are divided, and their tiles are in the middle of the image and at its borders.
    all.push_back({SolverMethod::multigrid, 2, {190, 330, 1, 1}, Border::dirichlet, 0.01, false});
    for (const int members : {2, 3}) {
        all.push_back({SolverMethod::multigrid, members, {9, 301, 1, 1}, Border::neumann, 0, false});
        all.push_back({SolverMethod::multigrid, members, {70, 203, 1, 2}, Border::dirichlet, 0, true});
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(Groups, GroupSolverCase, testing::ValuesIn(cases()));

/// Two devices, one problem.
class GroupSolverErrors : public testing::Test {
protected:
    static constexpr Shape kShape{33, 18, 1, 1};  // each of two devices has nine rows
    ImagePtr input = noiseImage(kShape);
};

TEST_F(GroupSolverErrors, SamplesThatAreNotFiniteCountAsZeroAndStay) {
    PARALLAX_NEEDS_DEVICES(2);
    Buffer samples(kShape);
    fillRandom(samples.view(), 5);
    samples.view().data[3] = std::numeric_limits<float>::quiet_NaN();
    samples.view().data[8 * 33 + 32] = std::numeric_limits<float>::infinity();
    samples.view().data[9 * 33] = -std::numeric_limits<float>::infinity();  // the first row of the second band
    const Image image(std::move(samples), defaultChannelNames(1));
    const SolverProblem problem = problemOf(kShape, Border::neumann, 0);
    DeviceGroup group(firstDevices(2));
    const Solved solved = SystemOnGroup(problem, image, group).solve(false);
    const Solved alone = solveAlone(SolverMethod::cg, problem, image, false);
    EXPECT_TRUE(std::isnan(solved.image[3]));
    EXPECT_EQ(solved.image[8 * 33 + 32], std::numeric_limits<float>::infinity());
    EXPECT_EQ(solved.image[9 * 33], -std::numeric_limits<float>::infinity());
    std::vector<float> a = solved.image, b = alone.image;
    for (const std::size_t i : {std::size_t{3}, std::size_t{8 * 33 + 32}, std::size_t{9 * 33}}) a[i] = b[i] = 0;
    expectClose(a, b, 2e-6);
}

TEST_F(GroupSolverErrors, HostMemoryGivesTheBitsOfPeerAccess) {
    PARALLAX_NEEDS_DEVICES(2);
    const SolverProblem problem = problemOf(kShape, Border::dirichlet, 0);
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
        DeviceGroup group(firstDevices(2));
        const Solved expected = SystemOnGroup(problem, *input, group, method).solve(false);
        const WithoutPeerAccess denied;
        DeviceGroup apart(firstDevices(2));
        ASSERT_FALSE(apart.hasPeerAccess());
        EXPECT_EQ(SystemOnGroup(problem, *input, apart, method).solve(false).image, expected.image) << info(method).name;
    }
}

TEST_F(GroupSolverErrors, LargeSystemsNeedAsManyIterationsAsOnOneDevice) {
    PARALLAX_NEEDS_DEVICES(2);
    // Where the result is much larger than the right-hand side, neighbours whose directions differ by rounding errors do not converge.
    const Shape shape = sizeFor(Shape{3000, 2600, 1, 1}, Shape{190, 330, 1, 1});
    const SolverProblem problem = problemOf(shape, Border::dirichlet, 0, 1e-10);
    const ImagePtr image = noiseImage(shape);
    DeviceGroup group(firstDevices(2));
    const Solved solved = SystemOnGroup(problem, *image, group, SolverMethod::multigrid).solve(false);
    const Solved alone = solveAlone(SolverMethod::multigrid, problem, *image, false);
    EXPECT_EQ(solved.history.end, solvers::SolveEnd::converged);
    EXPECT_EQ(solved.history.iterations(), alone.history.iterations());
    expectClose(solved.image, alone.image, 1e-6);
}

TEST_F(GroupSolverErrors, CancelsAndSolvesAgain) {
    PARALLAX_NEEDS_DEVICES(2);
    // Thousands of iterations, until the residual underflows.
    const Shape shape = sizeFor(Shape{3000, 2000, 1, 1}, kShape);
    SolverProblem endless = problemOf(shape, Border::dirichlet, 0, 1e-300);
    endless.options.iterations = 1'000'000;
    const ImagePtr image = noiseImage(shape);
    DeviceGroup group(firstDevices(2));
    SystemOnGroup system(endless, *image, group);
    for (int round = 0; round < 2; ++round) {
        Progress progress;
        progress.start(1000);
        std::stop_source source;
        RunContext context;
        context.stop = source.get_token();
        context.progress = &progress;
        std::jthread stopper([&](const std::stop_token& end) {
            while (progress.fraction() <= 0 && !end.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            source.request_stop();
        });
        try {
            (void)system.solve(false, context);
            ADD_FAILURE() << "it was not cancelled";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
        }
    }
    SystemOnGroup after(problemOf(kShape, Border::dirichlet, 0), *input, group);
    EXPECT_EQ(after.solve(false).history.end, solvers::SolveEnd::converged);
}

TEST_F(GroupSolverErrors, AMemberThatDoesNotAnswerIsAnError) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    group.setWaitLimit(100'000'000);
    GroupSums sums(group, 2);
    group.run([&](int m) { sums.reset(m); });
    const Grid grid = Grid::of({64, 3, 1, 1}, 1);
    BandArrays arrays;
    arrays.sums = sums.links(0);
    arrays.allSamples = 1;
    const CurrentDevice current(group.device(0));
    DeviceBuffer<double> b(group.memory(0), static_cast<std::size_t>(grid.elements())),
        partials(group.memory(0), static_cast<std::size_t>(bandPartials(grid)));
    DeviceBuffer<float> image(group.memory(0), 64 * 3);
    DeviceBuffer<ChannelState> channels(group.memory(0), 1);
    DeviceBuffer<SolveState> state(group.memory(0), 1);
    const std::vector<int> ids{0};
    const DeviceBuffer<int> planes(group.memory(0), std::span<const int>(ids), group.stream(0)->get());
    const DeviceBuffer<unsigned char> log(pinnedAllocator(group.device(0)), solveLogBytes(1));
    try {
        group.run([&](int m) {
            if (m != 0) return;
            const cudaStream_t stream = group.stream(0)->get();
            check(cudaMemsetAsync(image.data(), 0, image.size() * sizeof(float), stream), "clear");
            const SolveArguments a{.grid = grid,
                                   .channels = channels.data(),
                                   .state = state.data(),
                                   .log = reinterpret_cast<SolveLog*>(const_cast<unsigned char*>(log.data())),
                                   .partials = partials.data()};
            launchBegin(a, stream);
            const Shape shape{64, 3, 1, 1};
            launchBandImport(a, arrays,
                             {denseView(static_cast<const float*>(image.data()), shape), denseView(image.data(), shape), planes.data()},
                             b.data(), stream);
            check(cudaStreamSynchronize(stream), "wait");
            group.throwIfStopped();
        });
        ADD_FAILURE() << "it did not wait";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::failed);
        EXPECT_NE(std::string(e.what()).find("did not answer"), std::string::npos) << e.what();
    }
}

#if defined(PARALLAX_EMULATED_DEVICE)
TEST_F(GroupSolverErrors, AFailureOfOneDeviceEndsAll) {
    PARALLAX_NEEDS_DEVICES(2);
    const SolverProblem problem = problemOf(kShape, Border::dirichlet, 0);
    {
        DeviceGroup group(firstDevices(2));
        SystemOnGroup system(problem, *input, group);
        const auto start = std::chrono::steady_clock::now();
        emulatedDevice::failKernelAfter(1, 30);
        try {
            (void)system.solve(false);
            ADD_FAILURE() << "no kernel failed";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::failed) << e.what();
            EXPECT_NE(e.why().find("cudaErrorLaunchFailure"), std::string::npos) << e.why();
        }
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10)) << "it waited for the limit";
        EXPECT_NE(emulatedDevice::takeFault(), "");
    }
    DeviceGroup group(firstDevices(2));
    EXPECT_EQ(SystemOnGroup(problem, *input, group).solve(false).history.end, solvers::SolveEnd::converged);
}
#endif

TEST_F(GroupSolverErrors, EstimatesTheMemoryOfEachDevice) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    const SolverProblem problem = problemOf({300, 200, 1, 2}, Border::neumann, 0);
    const std::uint64_t before = MemoryPool::of(1).usedBytes();
    for (const SolverMethod method : {SolverMethod::cg, SolverMethod::multigrid}) {
        {
            const GroupSolver solver(method, problem, group);
            const std::uint64_t taken = MemoryPool::of(1).usedBytes() - before, estimate = estimateGroupBytes(method, problem, 2);
            // Blocks of a pool are rounded up; that of multigrid is a bound.
            EXPECT_GE(taken + (method == SolverMethod::cg ? taken / 20 : taken), estimate) << info(method).name;
            EXPECT_LE(taken, estimate + estimate / 20) << info(method).name;
        }
        EXPECT_EQ(MemoryPool::of(1).usedBytes(), before) << info(method).name << ": memory is not given back";
    }
}

TEST_F(GroupSolverErrors, TooLittleMemoryOnOneDeviceGivesAllBack) {
    PARALLAX_NEEDS_DEVICES(2);
    DeviceGroup group(firstDevices(2));
    const std::uint64_t before = MemoryPool::of(0).usedBytes();
    DeviceBuffer<unsigned char> most;
    group.run([&](int m) {
        if (m != 1) return;
        MemoryPool::of(group.device(1)).trim();
        std::size_t free = 0, total = 0;
        check(cudaMemGetInfo(&free, &total), "memory");
        most = {group.memory(1), free - (std::size_t{96} << 20)};
    });
    const SolverProblem problem = problemOf({3000, 2600, 1, 1}, Border::neumann, 0);
    ASSERT_GT(estimateGroupBytes(SolverMethod::cg, problem, 2), std::uint64_t{128} << 20);
    try {
        const GroupSolver solver(SolverMethod::cg, problem, group);
        ADD_FAILURE() << "it had the memory";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory) << e.what();
    }
    EXPECT_EQ(MemoryPool::of(0).usedBytes(), before);
    most = {};
    const SolverProblem small = problemOf(kShape, Border::neumann, 1);
    EXPECT_EQ(SystemOnGroup(small, *input, group).solve(false).history.end, solvers::SolveEnd::converged);
}

TEST_F(GroupSolverErrors, RefusesWhatItCannotSolve) {
    SolverProblem problem = problemOf({5, 4, 3, 1}, Border::neumann, 0);
    EXPECT_NE(groupRefusal(SolverMethod::multigrid, problem), "");
    problem = problemOf(kShape, Border::neumann, 0);
    EXPECT_EQ(groupRefusal(SolverMethod::multigrid, problem), "");
    EXPECT_NE(groupRefusal(SolverMethod::dct, problem), "");
    problem.hasEdges = true;
    EXPECT_EQ(groupRefusal(SolverMethod::multigrid, problem), "");
    EXPECT_EQ(groupRefusal(SolverMethod::cg, problem), "");
}

}  // namespace
}  // namespace parallax::gpu
