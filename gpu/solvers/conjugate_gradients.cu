// SPDX-License-Identifier: GPL-3.0-or-later
// Two kernels per iteration. The second one computes A p again instead of reading it: 64 bytes per unknown in all.
#include "gpu/solvers/conjugate_gradients.hpp"

#include <algorithm>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/edge_multigrid.hpp"
#include "gpu/solvers/multigrid.hpp"
#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of a solver could not be started";

unsigned stripBlocks(const Grid& g) { return Strips::of(g).blocks() * static_cast<unsigned>(g.channels); }

/// For kernels that go through the samples one by one: rows of the grid, all slices, with a limited number of blocks.
constexpr unsigned kPointBlocks = 2048;
dim3 pointGrid(const Grid& g) {
    const std::int64_t blocks = std::int64_t{(g.width + 31) / 32} * g.height * g.depth / (kSolverThreads / 32) + 1;
    return {static_cast<unsigned>(blocks < kPointBlocks ? blocks : kPointBlocks), static_cast<unsigned>(g.channels)};
}

/// Calls visit(i, x, row) for the samples of this thread; i is an index in the channel of the grid, and rows count through the slices. A
/// warp takes 32 columns of a row.
template <class Visit>
__device__ __forceinline__ void visitPoints(const Grid& g, Visit&& visit) {
    const auto across = static_cast<unsigned>((g.width + 31) / 32);
    const unsigned pieces = across * static_cast<unsigned>(g.height * g.depth);
    constexpr unsigned warps = kSolverThreads / 32;
    for (unsigned piece = blockIdx.x * warps + threadIdx.x / 32; piece < pieces; piece += gridDim.x * warps) {
        const unsigned row = piece / across;
        const int x = static_cast<int>(piece - row * across) * 32 + static_cast<int>(threadIdx.x) % 32;
        if (x < g.width) visit(std::int64_t{row} * g.pitch + x, x, static_cast<int>(row));
    }
}

__global__ void beginKernel(SolveArguments a) {
    for (int channel = static_cast<int>(threadIdx.x); channel < a.grid.channels; channel += static_cast<int>(blockDim.x))
        a.channels[channel] = ChannelState{};
    if (threadIdx.x == 0) *a.state = {.start = deviceNanoseconds()};
}

__global__ void logEndKernel(SolveArguments a) {
    a.log->points[1] = {0, deviceNanoseconds() - a.state->start};
    __threadfence_system();
}

/// Whether a sample counts, `own` being that of this block's channel.
__device__ __forceinline__ bool counts(const SolveArguments& a, const ImagePlanes& image, float own, int x, int y, int z) {
    bool finite = isfinite(own);
    if (image.jointly)
        for (int channel = 0; channel < a.grid.channels; ++channel)
            finite = finite && isfinite(image.in.at(x, y, z, image.channels[channel]));
    return finite;
}

__global__ __launch_bounds__(kSolverThreads) void importKernel(SolveArguments a, ImagePlanes image, double* b) {
    const Grid& g = a.grid;
    const View<const float> in = image.in.channel(image.channels[blockIdx.y]);
    Sums sums;
    visitPoints(g, [&](std::int64_t i, int x, int row) {
        const int y = row % g.height, z = row / g.height;
        const float v = in.at(x, y, z);
        const double value = counts(a, image, v, x, y, z) ? static_cast<double>(v) : 0.0;
        b[blockIdx.y * g.plane() + i] = value;
        sums.a += value;
    });
    sumOverBlocks(
        a, sums, [&](int channel, const Sums& s) { a.channels[channel].mean = s.a / static_cast<double>(g.samples()); }, [] {});
}

/// `squared`: norms of the right-hand side and of the residual.
__device__ __forceinline__ void beginChannel(const SolveArguments& a, int channel, double ofRightSide, double ofResidual) {
    ChannelState& c = a.channels[channel];
    c.norm = ofRightSide;
    c.scale = ofRightSide > 0 ? 1 / sqrt(ofRightSide) : 1;
    c.residual = c.inner = ofResidual;
    c.beta = 0;
    c.fresh = 1;
    c.done = ofResidual <= a.tolerance * a.tolerance * ofRightSide;
}

__global__ __launch_bounds__(kSolverThreads) void startKernel(SolveArguments a, double* b, double* x, double* r) {
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    const double mean = a.stencil.singular ? a.channels[blockIdx.y].mean : 0;
    Sums sums;
    visitPoints(a.grid, [&](std::int64_t i, int, int) {
        const double value = b[offset + i] - mean;
        b[offset + i] = r[offset + i] = value;
        x[offset + i] = 0;
        sums.a += value * value;
    });
    sumOverBlocks(
        a, sums,
        [&](int channel, const Sums& s) {
            // A constant leaves the rounding errors of its mean.
            const double rounding = solvers::kRoundingShare * a.channels[channel].mean;
            const bool isConstant = a.stencil.singular && s.a <= rounding * rounding * static_cast<double>(a.grid.samples());
            beginChannel(a, channel, isConstant ? 0 : s.a, isConstant ? 0 : s.a);
        },
        [&] { logResidual(a, 0); });
}

__global__ __launch_bounds__(kSolverThreads) void scaleKernel(SolveArguments a, const double* r, float* scaled) {
    if (hasEnded(a)) return;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    const double scale = a.channels[blockIdx.y].scale;
    visitPoints(a.grid, [&](std::int64_t i, int, int) { scaled[offset + i] = static_cast<float>(r[offset + i] * scale); });
}

/// T: float for directions of a preconditioner in single precision. Their rounding does not matter, since x and r follow the rounded ones.
template <bool General, class T>
__global__ __launch_bounds__(kSolverThreads, General ? 2 : 4) void directionKernel(SolveArguments a, const T* z, const T* before, T* p) {
    if (hasEnded(a)) return;
    const BlockShare share = BlockShare::channelsInTurn(a.grid);
    const ChannelState& c = a.channels[share.channel];
    const T beta = static_cast<T>(c.beta);
    // In the first iteration there is no direction before, and 0 times what its memory holds may be NaN.
    const bool first = beta == 0;
    const auto next = [&](T ofZ, T ofBefore) { return static_cast<double>(first ? ofZ : ofZ + beta * ofBefore); };
    Sums sums;
    if (!c.done)
        applyAlongStrip<General>(
            a, share,
            [&](std::int64_t i) {
                const Two<T> d = loadTwo(z, i), e = loadTwo(before, i);
                return double2{next(d.x, e.x), next(d.y, e.y)};
            },
            [&](std::int64_t i) { return next(z[i], before[i]); },
            [&](std::int64_t i, double2 u, double2 q, bool both) {
                storePair(p, i, u, both);
                sums.a += u.x * q.x + (both ? u.y * q.y : 0);
            });
    sumOverBlocks(
        a, share, sums,
        [&](int channel, const Sums& s) {
            if (!a.channels[channel].done) setAlpha(a, channel, s.a);
        },
        [] {});
}

template <bool General, class T>
__global__ __launch_bounds__(kSolverThreads, General ? 2 : 4) void updateKernel(SolveArguments a, const T* p, double* x, double* r,
                                                                                float* scaled) {
    if (hasEnded(a)) return;
    const BlockShare share = BlockShare::channelsInTurn(a.grid);
    const ChannelState& c = a.channels[share.channel];
    const double alpha = c.alpha, scale = c.scale;
    Sums sums;
    if (!c.done)
        applyAlongStrip<General>(
            a, share, [&](std::int64_t i) { return loadPair(p, i); }, [&](std::int64_t i) { return static_cast<double>(p[i]); },
            [&](std::int64_t i, double2 u, double2 q, bool both) {
                double2 v = loadPair(x, i), w = loadPair(r, i);
                v = {v.x + alpha * u.x, v.y + alpha * u.y};
                w = {w.x - alpha * q.x, w.y - alpha * q.y};
                storePair(x, i, v, both);
                storePair(r, i, w, both);
                if (scaled) storePair(scaled, i, {w.x * scale, w.y * scale}, both);
                sums.a += w.x * w.x + (both ? w.y * w.y : 0);
            });
    const bool preconditioned = scaled != nullptr;
    sumOverBlocks(
        a, share, sums, [&](int channel, const Sums& s) { setResidual(a, channel, s.a, preconditioned); },
        [&] { logResidual(a, a.state->iteration + 1); });
}

/// Runs when the solve has ended, too.
template <bool General>
__global__ __launch_bounds__(kSolverThreads) void trueResidualKernel(SolveArguments a, bool first, const double* b, const double* x,
                                                                     double* r) {
    const BlockShare share = BlockShare::channelsInTurn(a.grid);
    Sums sums;
    applyAlongStrip<General>(
        a, share, [&](std::int64_t i) { return loadPair(x, i); }, [&](std::int64_t i) { return x[i]; },
        [&](std::int64_t i, double2 u, double2 q, bool both) {
            const double2 f = loadPair(b, i), d{f.x - q.x, both ? f.y - q.y : 0};
            storePair(r, i, d, both);
            sums.a += d.x * d.x + d.y * d.y;
            if (first) sums.b += f.x * f.x + (both ? f.y * f.y : 0);
            else sums.b += u.x + (both ? u.y : 0);
        });
    sumOverBlocks(
        a, share, sums,
        [&](int channel, const Sums& s) {
            ChannelState& c = a.channels[channel];
            c.trueResidual = s.a;
            if (!first) c.resultMean = s.b / static_cast<double>(a.grid.samples());
            if (first || c.norm > 0) beginChannel(a, channel, first ? s.b : c.norm, s.a);
        },
        [&] {
            if (first) return logResidual(a, 0);
            double largest = 0;
            bool done = true;
            for (int channel = 0; channel < a.grid.channels; ++channel) {
                const ChannelState& c = a.channels[channel];
                const double relative = c.norm > 0 ? sqrt(c.trueResidual / c.norm) : 0;
                if (!(relative <= largest)) largest = relative;
                done = done && c.done;
            }
            if (a.state->status == SolveStatus::converged && !done) a.state->status = SolveStatus::running;
            a.log->trueResidual = largest;
            a.log->nanoseconds = deviceNanoseconds() - a.state->start;
            a.log->status = static_cast<int>(a.state->status);
            __threadfence_system();
        });
}

__global__ __launch_bounds__(kSolverThreads) void exportKernel(SolveArguments a, const double* u, ImagePlanes image) {
    const Grid& g = a.grid;
    const int channel = image.channels[blockIdx.y];
    const View<const float> in = image.in.channel(channel);
    const View<float> out = image.out.channel(channel);
    const double mean = a.stencil.singular ? a.channels[blockIdx.y].resultMean : 0;
    visitPoints(g, [&](std::int64_t i, int x, int row) {
        const int y = row % g.height, z = row / g.height;
        const float v = in.at(x, y, z);
        out.at(x, y, z) = counts(a, image, v, x, y, z) ? static_cast<float>(u[blockIdx.y * g.plane() + i] - mean) : v;
    });
}

// ---- textbook -----------------------------------------------------------------------------------------------------------------------

template <bool General>
__global__ __launch_bounds__(kSolverThreads) void productKernel(SolveArguments a, const double* p, double* q) {
    if (hasEnded(a)) return;
    const Grid& g = a.grid;
    const GridStencil& s = a.stencil;
    const std::int64_t offset = blockIdx.y * g.plane();
    visitPoints(g, [&](std::int64_t i, int x, int row) {
        const int at[3] = {x, row % g.height, row / g.height};
        const int extent[3] = {g.width, g.height, g.depth};
        const std::int64_t stride[3] = {1, g.pitch, g.slice()};
        const double own = p[offset + i];
        double sum = (General && s.diagonals ? s.diagonals[i] : s.diagonal) * own;
#pragma unroll
        for (int axis = 0; axis < 3; ++axis) {
            if (axis == 2 && g.depth == 1) continue;
#pragma unroll
            for (int side = 0; side < 2; ++side) {
                const bool inside = side == 0 ? at[axis] > 0 : at[axis] + 1 < extent[axis];
                if (inside) {
                    const std::int64_t edge = side == 0 ? i - stride[axis] : i;
                    const double w = General ? s.edges[axis][edge] : s.weights[axis];
                    sum += w * (own - p[offset + (side == 0 ? i - stride[axis] : i + stride[axis])]);
                } else if (s.dirichlet) {
                    sum += s.weights[axis] * own;
                }
            }
        }
        q[offset + i] = sum;
    });
}

template <class Finish, class FinishAll>
__device__ __forceinline__ void dot(const SolveArguments& a, const double* u, const double* v, Finish&& finish, FinishAll&& finishAll) {
    Sums sums;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    visitPoints(a.grid, [&](std::int64_t i, int, int) { sums.a += u[offset + i] * v[offset + i]; });
    sumOverBlocks(a, sums, finish, finishAll);
}

__global__ __launch_bounds__(kSolverThreads) void alphaKernel(SolveArguments a, const double* p, const double* q) {
    if (hasEnded(a)) return;
    dot(
        a, p, q,
        [&](int channel, const Sums& s) {
            if (!a.channels[channel].done) setAlpha(a, channel, s.a);
        },
        [] {});
}

__global__ __launch_bounds__(kSolverThreads) void residualKernel(SolveArguments a, const double* r) {
    if (hasEnded(a)) return;
    dot(
        a, r, r, [&](int channel, const Sums& s) { setResidual(a, channel, s.a, false); }, [&] { logResidual(a, a.state->iteration + 1); });
}

/// y += factor v, with the factor alpha or -alpha.
__global__ __launch_bounds__(kSolverThreads) void addKernel(SolveArguments a, double sign, const double* v, double* y) {
    if (hasEnded(a) || a.channels[blockIdx.y].done) return;
    const double factor = sign * a.channels[blockIdx.y].alpha;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    visitPoints(a.grid, [&](std::int64_t i, int, int) { y[offset + i] += factor * v[offset + i]; });
}

/// p = r + beta p.
__global__ __launch_bounds__(kSolverThreads) void nextDirectionKernel(SolveArguments a, const double* r, double* p) {
    if (hasEnded(a) || a.channels[blockIdx.y].done) return;
    const double beta = a.channels[blockIdx.y].beta;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    visitPoints(a.grid, [&](std::int64_t i, int, int) { p[offset + i] = r[offset + i] + (beta != 0 ? beta * p[offset + i] : 0); });
}

bool isGeneral(const SolveArguments& a) { return a.stencil.edges[0] != nullptr; }

template <class T>
void direction(const SolveArguments& a, const T* z, const T* before, T* p, cudaStream_t stream) {
    if (isGeneral(a)) directionKernel<true, T><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, z, before, p);
    else directionKernel<false, T><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, z, before, p);
    checkLaunch(kFailed);
}

template <class T>
void update(const SolveArguments& a, const T* p, double* x, double* r, float* scaled, cudaStream_t stream) {
    if (isGeneral(a)) updateKernel<true, T><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, p, x, r, scaled);
    else updateKernel<false, T><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, p, x, r, scaled);
    checkLaunch(kFailed);
}

}  // namespace

std::int64_t solverPartials(const Grid& grid) {
    const unsigned blocks = std::max({Strips::of(grid).blocks(), kPointBlocks, multigridTiles(grid), edgeCycleBlocks(grid)});
    return 2 * std::int64_t{blocks} * grid.channels;
}

void preloadConjugateGradients() {
    preload(beginKernel);
    preload(importKernel);
    preload(startKernel);
    preload(scaleKernel);
    preload(directionKernel<false, double>);
    preload(directionKernel<true, double>);
    preload(directionKernel<false, float>);
    preload(directionKernel<true, float>);
    preload(updateKernel<false, double>);
    preload(updateKernel<true, double>);
    preload(updateKernel<false, float>);
    preload(updateKernel<true, float>);
    preload(trueResidualKernel<false>);
    preload(trueResidualKernel<true>);
    preload(exportKernel);
    preload(logEndKernel);
    preload(productKernel<false>);
    preload(productKernel<true>);
    preload(alphaKernel);
    preload(residualKernel);
    preload(addKernel);
    preload(nextDirectionKernel);
}

void launchBegin(const SolveArguments& a, cudaStream_t stream) {
    beginKernel<<<1, 32, 0, stream>>>(a);
    checkLaunch(kFailed);
}

void launchImport(const SolveArguments& a, const ImagePlanes& image, double* b, cudaStream_t stream) {
    importKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, image, b);
    checkLaunch(kFailed);
}

namespace {

void launchScale(const SolveArguments& a, const double* r, float* scaled, cudaStream_t stream) {
    if (!scaled) return;
    scaleKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, r, scaled);
    checkLaunch(kFailed);
}

}  // namespace

void launchStart(const SolveArguments& a, double* b, double* x, double* r, float* scaled, cudaStream_t stream) {
    startKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, b, x, r);
    checkLaunch(kFailed);
    launchScale(a, r, scaled, stream);
}

void launchResidual(const SolveArguments& a, bool first, const double* b, const double* x, double* r, float* scaled, cudaStream_t stream) {
    if (isGeneral(a)) trueResidualKernel<true><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, first, b, x, r);
    else trueResidualKernel<false><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, first, b, x, r);
    checkLaunch(kFailed);
    launchScale(a, r, scaled, stream);
}

void launchDirection(const SolveArguments& a, const double* z, const double* before, double* p, cudaStream_t stream) {
    direction(a, z, before, p, stream);
}
void launchDirection(const SolveArguments& a, const float* z, const float* before, float* p, cudaStream_t stream) {
    direction(a, z, before, p, stream);
}

void launchUpdate(const SolveArguments& a, const double* p, double* x, double* r, cudaStream_t stream) {
    update(a, p, x, r, nullptr, stream);
}
void launchUpdate(const SolveArguments& a, const float* p, double* x, double* r, float* scaled, cudaStream_t stream) {
    update(a, p, x, r, scaled, stream);
}

void launchLogEnd(const SolveArguments& a, cudaStream_t stream) {
    logEndKernel<<<1, 1, 0, stream>>>(a);
    checkLaunch(kFailed);
}

void launchExport(const SolveArguments& a, const double* x, const ImagePlanes& image, cudaStream_t stream) {
    exportKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, x, image);
    checkLaunch(kFailed);
}

void launchTextbookProduct(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    if (isGeneral(a)) productKernel<true><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.p, v.q);
    else productKernel<false><<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.p, v.q);
    checkLaunch(kFailed);
}

void launchTextbookAlpha(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    alphaKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.p, v.q);
    checkLaunch(kFailed);
}

void launchTextbookUpdates(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    addKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, 1, v.p, v.x);
    addKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, -1, v.q, v.r);
    checkLaunch(kFailed);
}

void launchTextbookResidual(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    residualKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.r);
    checkLaunch(kFailed);
}

void launchTextbookDirection(const SolveArguments& a, const TextbookArrays& v, cudaStream_t stream) {
    nextDirectionKernel<<<pointGrid(a.grid), kSolverThreads, 0, stream>>>(a, v.r, v.p);
    checkLaunch(kFailed);
}

}  // namespace parallax::gpu
