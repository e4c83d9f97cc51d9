// SPDX-License-Identifier: GPL-3.0-or-later
// Systems solved by a group of devices and by one, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/image/image.hpp"
#include "core/solvers/solve_progress.hpp"
#include "gpu/session.hpp"
#include "gpu/solvers/bands/group_solver.hpp"
#include "tests/gpu/devices/group_test.hpp"
#include "tests/gpu/random_edges.hpp"

namespace parallax::gpu {

/// Small, so that small images have levels that are divided.
inline constexpr std::int64_t kCommonCells = 60;

struct Solved {
    std::vector<float> image;
    solvers::SolveHistory history;
};

/// An image in bands on the devices of a group.
class SystemOnGroup {
public:
    SystemOnGroup(const SolverProblem& problem, const Image& input, DeviceGroup& group, SolverMethod method = SolverMethod::cg,
                  const RandomEdges* edges = nullptr)
        : group_(group), shape_(input.view().shape), solver_(method, problem, group, {.commonCells = kCommonCells}), input_(input) {
        bands_.resize(static_cast<std::size_t>(group.size()));
        for (int m = 0; m < group.size(); ++m) upload(m);
        if (edges) solver_.compute([&](int m, const BandSystem& system) { upload(*edges, solver_.rows(m), system); });
    }
    GroupSolver& solver() { return solver_; }
    Solved solve(bool guess, const RunContext& context = {}) {
        std::vector<ImagePlanes> planes;
        for (const Band& b : bands_) planes.push_back(b.planes);
        solver_.importRightSide(planes);
        solvers::SolveProgress progress(context, 1000);
        solver_.solve(guess, context, progress);
        solver_.exportSolution(planes);
        return {download(), solver_.history()};
    }

private:
    struct Band {
        DeviceBuffer<float> in, out;
        DeviceBuffer<int> channels;
        ImagePlanes planes;
    };
    Shape shapeOf(int m) const { return {shape_.width, solver_.rows(m).count(), 1, shape_.channels}; }
    void upload(int m) {
        const CurrentDevice current(group_.device(m));
        const cudaStream_t stream = group_.stream(m)->get();
        Band& band = bands_[static_cast<std::size_t>(m)];
        const Shape shape = shapeOf(m);
        const auto size = static_cast<std::size_t>(std::max<std::int64_t>(shape.samples(), 1));
        band.in = {group_.memory(m), size};
        band.out = {group_.memory(m), size};
        for (std::int64_t c = 0; c < shape.channels && shape.height > 0; ++c)
            check(cudaMemcpyAsync(band.in.data() + c * shape.pixels(), input_.view().row(solver_.rows(m).first, 0, c),
                                  static_cast<std::size_t>(shape.pixels()) * sizeof(float), cudaMemcpyHostToDevice, stream),
                  "upload");
        std::vector<int> ids;
        for (int c = 0; c < static_cast<int>(shape.channels); ++c) ids.push_back(c);
        band.channels = {group_.memory(m), std::span<const int>(ids), stream};
        band.planes = {denseView(static_cast<const float*>(band.in.data()), shape), denseView(band.out.data(), shape),
                       band.channels.data()};
        check(cudaStreamSynchronize(stream), "upload");
    }
    static void upload(const RandomEdges& edges, const PartRange& rows, const BandSystem& system) {
        const Grid& g = system.grid;
        if (rows.empty()) return;
        edges.upload(0, rows, g.pitch, system.edges[0], system.stream);
        const std::int64_t above = rows.first > 0 ? 1 : 0;
        edges.upload(1, {rows.first - above, rows.last}, g.pitch, system.edges[1] - above * g.pitch, system.stream);
        if (system.diagonals) edges.uploadDiagonals(rows, g.pitch, system.diagonals, system.stream);
    }
    std::vector<float> download() {
        std::vector<float> image(static_cast<std::size_t>(shape_.samples()));
        for (int m = 0; m < group_.size(); ++m) {
            const CurrentDevice current(group_.device(m));
            const Shape shape = shapeOf(m);
            if (shape.height == 0) continue;
            for (std::int64_t c = 0; c < shape.channels; ++c)
                check(cudaMemcpyAsync(image.data() + c * shape_.pixels() + solver_.rows(m).first * shape_.width,
                                      bands_[static_cast<std::size_t>(m)].out.data() + c * shape.pixels(),
                                      static_cast<std::size_t>(shape.pixels()) * sizeof(float), cudaMemcpyDeviceToHost,
                                      group_.stream(m)->get()),
                      "download");
            check(cudaStreamSynchronize(group_.stream(m)->get()), "download");
        }
        return image;
    }

    DeviceGroup& group_;
    Shape shape_;
    GroupSolver solver_;
    const Image& input_;
    std::vector<Band> bands_;
};

/// The same on one device.
inline Solved solveAlone(SolverMethod method, const SolverProblem& problem, const Image& input, bool guess,
                         const RandomEdges* edges = nullptr) {
    CudaSession session(0);
    const Shape shape = input.view().shape;
    Buffer in = session.allocate(shape), out = session.allocate(shape);
    session.upload(input.view(), in.view<float>());
    std::vector<int> ids;
    for (int c = 0; c < static_cast<int>(shape.channels); ++c) ids.push_back(c);
    const DeviceBuffer<int> channels(session.allocator(), std::span<const int>(ids), session.stream());
    StencilSolver solver(method, problem, session);
    const ImagePlanes planes{denseView(static_cast<const float*>(in.data()), shape), denseView(static_cast<float*>(out.data()), shape),
                             channels.data()};
    if (edges) {
        const PartRange all{0, shape.height};
        for (int axis = 0; axis < 2; ++axis) edges->upload(axis, all, solver.grid().pitch, solver.edges(axis), session.stream());
        if (problem.hasDiagonals) edges->uploadDiagonals(all, solver.grid().pitch, solver.diagonals(), session.stream());
    }
    const RunContext context;
    solver.importRightSide(planes);
    solvers::SolveProgress progress(context, 0);
    solver.solve(guess, context, progress);
    solver.exportSolution(planes);
    Buffer result(shape);
    session.download(out.view<float>(), result.view());
    const float* const p = result.view().data;
    return {{p, p + shape.samples()}, solver.history()};
}

inline SolverProblem problemOf(const Shape& shape, solvers::Border border, double diagonal, double tolerance = 1e-9) {
    SolverProblem problem{.shape = shape, .channels = static_cast<int>(shape.channels), .stencil = {}, .options = {tolerance, 20000}};
    problem.stencil.shape = shape;
    problem.stencil.shape.channels = 1;
    problem.stencil.border = border;
    problem.stencil.diagonal = diagonal;
    problem.stencil.axisWeights[1] = 1.25;
    return problem;
}

inline void expectClose(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
    ASSERT_EQ(a.size(), b.size());
    double worst = 0, largest = 1e-30;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        const double d = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        if (!(d <= worst)) worst = d;
        if (std::isfinite(b[i])) largest = std::max(largest, std::fabs(static_cast<double>(b[i])));
    }
    EXPECT_LE(worst, tolerance * largest);
}

}  // namespace parallax::gpu
