// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of conjugate gradients for one device and for bands of rows on several. `Links` says which: OneDevice, or BandLinks, with which
// sums are those over all devices and rows at the edges of a band go to the neighbours.
#pragma once

#include "gpu/solvers/scalars.cuh"

namespace parallax::gpu {

/// The grid is the whole image.
struct OneDevice {
    static constexpr bool kAlone = true;
    template <class Next>
    __device__ NoRowsBeside directionRows(const Next&, int) const {
        return {};
    }
    /// Where a channel of the residual of a preconditioner, or of its result, begins, less that of the other arrays.
    template <class T>
    __device__ T* preconditioned(T* array, int) const {
        return array;
    }
    __device__ NoRowsBeside updateRows() const { return {}; }
    __device__ NoRowsBeside solutionRows() const { return {}; }
};

/// At least one block for each channel, since members without rows take part in sums.
inline unsigned stripBlocks(const Grid& g) {
    const unsigned blocks = Strips::of(g).blocks();
    return (blocks > 0 ? blocks : 1) * static_cast<unsigned>(g.channels);
}

/// For kernels that go through the samples one by one: rows of the grid, all slices, with a limited number of blocks.
inline constexpr unsigned kPointBlocks = 2048;
inline dim3 pointGrid(const Grid& g) {
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

/// Ends the solve of a device whose group has stopped.
__device__ __forceinline__ void failSolve(const SolveArguments& a) {
    a.state->status = SolveStatus::failed;
    a.log->status = static_cast<int>(SolveStatus::failed);
    __threadfence_system();
}

/// sumOverBlocks(), then over devices. finish() and finishAll() do the same on each device.
template <class Links, class Finish, class FinishAll>
__device__ __forceinline__ void sumOverAll(const SolveArguments& a, const Links& links, const BlockShare& share, const Sums& mine,
                                           Finish&& finish, FinishAll&& finishAll) {
    if constexpr (Links::kAlone) {
        sumOverBlocks(a, share, mine, finish, finishAll);
    } else {
        sumOverBlocks(
            a, share, mine, [&](int channel, const Sums& s) { links.put(channel, s); },
            [&] {
                if (!links.exchange()) return failSolve(a);
                for (int channel = 0; channel < a.grid.channels; ++channel) finish(channel, links.total(channel));
                finishAll();
            });
    }
}
template <class Links>
__device__ __forceinline__ double allSamples(const SolveArguments& a, const Links& links) {
    if constexpr (Links::kAlone) return static_cast<double>(a.grid.samples());
    else return links.samples();
}

/// Whether a sample counts, `own` being that of this block's channel.
__device__ __forceinline__ bool counts(const SolveArguments& a, const ImagePlanes& image, float own, int x, int y, int z) {
    bool finite = isfinite(own);
    if (image.jointly)
        for (int channel = 0; channel < a.grid.channels; ++channel)
            finite = finite && isfinite(image.in.at(x, y, z, image.channels[channel]));
    return finite;
}

template <class Links>
__global__ __launch_bounds__(kSolverThreads) void importKernel(SolveArguments a, const __grid_constant__ Links links, ImagePlanes image,
                                                               double* b) {
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
    sumOverAll(
        a, links, BlockShare::byGrid(), sums, [&](int channel, const Sums& s) { a.channels[channel].mean = s.a / allSamples(a, links); },
        [] {});
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

template <class Links>
__global__ __launch_bounds__(kSolverThreads) void startKernel(SolveArguments a, const __grid_constant__ Links links, double* b, double* x,
                                                              double* r) {
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    const double mean = a.stencil.singular ? a.channels[blockIdx.y].mean : 0;
    Sums sums;
    visitPoints(a.grid, [&](std::int64_t i, int, int) {
        const double value = b[offset + i] - mean;
        b[offset + i] = r[offset + i] = value;
        x[offset + i] = 0;
        sums.a += value * value;
    });
    sumOverAll(
        a, links, BlockShare::byGrid(), sums,
        [&](int channel, const Sums& s) {
            // A constant leaves the rounding errors of its mean.
            const double rounding = solvers::kRoundingShare * a.channels[channel].mean;
            const bool isConstant = a.stencil.singular && s.a <= rounding * rounding * allSamples(a, links);
            beginChannel(a, channel, isConstant ? 0 : s.a, isConstant ? 0 : s.a);
        },
        [&] { logResidual(a, 0); });
}

/// Blocks a multiprocessor, as their registers allow.
template <System Kind, class T>
inline constexpr int kDirectionBlocks = Kind != System::image        ? 2
                                        : sizeof(T) == sizeof(float) ? 5
                                                                     : 4;
template <System Kind>
inline constexpr int kUpdateBlocks = Kind == System::image ? 3 : 2;

/// T: float for directions of a preconditioner in single precision. Their rounding does not matter, since x and r follow the rounded ones.
template <System Kind, class T, class Links>
__global__ __launch_bounds__(kSolverThreads, (kDirectionBlocks<Kind, T>)) void directionKernel(SolveArguments a,
                                                                                               const __grid_constant__ Links links,
                                                                                               const T* z, const T* before, T* p) {
    if (hasEnded(a)) return;
    const BlockShare share = BlockShare::channelsInTurn(a.grid);
    const ChannelState& c = a.channels[share.channel];
    z = links.preconditioned(z, static_cast<int>(share.channel));
    const T beta = static_cast<T>(c.beta);
    // In the first iteration there is no direction before, and 0 times what its memory holds may be NaN.
    const bool first = beta == 0;
    const auto next = [&](T ofZ, T ofBefore) { return first ? ofZ : ofZ + beta * ofBefore; };
    Sums sums;
    if (!c.done)
        applyAlongStrip<Kind>(
            a, share,
            [&](std::int64_t i) {
                const Two<T> d = loadTwo(z, i), e = loadTwo(before, i);
                return Two<T>{next(d.x, e.x), next(d.y, e.y)};
            },
            [&](std::int64_t i) { return next(z[i], before[i]); }, [](std::int64_t) { return NothingElse{}; },
            [&](std::int64_t i, double2 u, double2 q, bool both, NothingElse) {
                storePair(p, i, u, both);
                sums.a += u.x * q.x + (both ? u.y * q.y : 0);
            },
            links.directionRows(next, static_cast<int>(share.channel)));
    sumOverAll(
        a, links, share, sums,
        [&](int channel, const Sums& s) {
            if (!a.channels[channel].done) setAlpha(a, channel, s.a);
        },
        [] {});
}

/// `before`: the direction of the first iteration of a pair, which the second one adds to x with its own.
template <IterationOfPair Which, System Kind, class T, class Links>
__global__ __launch_bounds__(kSolverThreads, kUpdateBlocks<Kind>) void updateKernel(SolveArguments a, const __grid_constant__ Links links,
                                                                                    const T* before, const T* p, double* x, double* r,
                                                                                    float* scaled) {
    if (hasEnded(a)) return;
    constexpr bool second = Which == IterationOfPair::second;
    const BlockShare share = BlockShare::channelsInTurn(a.grid);
    const ChannelState& c = a.channels[share.channel];
    // A channel that ended in the first iteration of the pair still lacks that one's direction in x.
    const double alpha = c.done ? 0 : c.alpha, pending = second ? c.pending : 0, scale = c.scale;
    scaled = links.preconditioned(scaled, static_cast<int>(share.channel));
    struct Fetched {
        double2 r, x;
        Two<T> before;
    };
    Sums sums;
    if (!c.done || pending != 0)
        applyAlongStrip<Kind>(
            a, share, [&](std::int64_t i) { return loadTwo(p, i); }, [&](std::int64_t i) { return p[i]; },
            [&](std::int64_t i) {
                if constexpr (second) return Fetched{loadPair(r, i), loadPair(x, i), loadTwo(before, i)};
                else return Fetched{loadPair(r, i), {}, {}};
            },
            [&](std::int64_t i, double2 u, double2 q, bool both, const Fetched& f) {
                if constexpr (second) {
                    const double2 d = widened(f.before);
                    storePair(x, i, {f.x.x + pending * d.x + alpha * u.x, f.x.y + pending * d.y + alpha * u.y}, both);
                }
                const double2 w{f.r.x - alpha * q.x, f.r.y - alpha * q.y};
                storePair(r, i, w, both);
                if (scaled) storePair(scaled, i, {w.x * scale, w.y * scale}, both);
                sums.a += w.x * w.x + (both ? w.y * w.y : 0);
                if constexpr (!Links::kAlone) links.sendResidual(a.grid, static_cast<int>(share.channel), i, w, both);
            },
            links.updateRows());
    const bool preconditioned = scaled != nullptr;
    sumOverAll(
        a, links, share, sums,
        [&](int channel, const Sums& s) {
            setPending(a, channel, Which);
            setResidual(a, channel, s.a, preconditioned);
        },
        [&] { logResidual(a, a.state->iteration + 1); });
}

/// x += alpha p for channels that ended in the first iteration of a pair, of which p is the direction. Runs when the solve has ended.
template <class T>
__global__ __launch_bounds__(kSolverThreads) void lastUpdateKernel(SolveArguments a, const T* p, double* x) {
    const double pending = a.channels[blockIdx.y].pending;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    if (pending != 0) visitPoints(a.grid, [&](std::int64_t i, int, int) { x[offset + i] += pending * static_cast<double>(p[offset + i]); });
    sumOverBlocks(
        a, Sums{}, [&](int channel, const Sums&) { a.channels[channel].pending = 0; }, [] {});
}

/// `scaled` = r in single precision, times the scale of the channel.
template <class Links>
__global__ __launch_bounds__(kSolverThreads) void scaleKernel(SolveArguments a, const __grid_constant__ Links links, const double* r,
                                                              float* scaled) {
    if (hasEnded(a)) return;
    const std::int64_t offset = blockIdx.y * a.grid.plane();
    const double scale = a.channels[blockIdx.y].scale;
    scaled = links.preconditioned(scaled, static_cast<int>(blockIdx.y));
    visitPoints(a.grid, [&](std::int64_t i, int, int) { scaled[offset + i] = static_cast<float>(r[offset + i] * scale); });
}

/// Runs when the solve has ended, too.
template <System Kind, class Links>
__global__ __launch_bounds__(kSolverThreads) void trueResidualKernel(SolveArguments a, const __grid_constant__ Links links, bool first,
                                                                     const double* b, const double* x, double* r) {
    const BlockShare share = BlockShare::channelsInTurn(a.grid);
    Sums sums;
    applyAlongStrip<Kind>(
        a, share, [&](std::int64_t i) { return loadTwo(x, i); }, [&](std::int64_t i) { return x[i]; },
        [&](std::int64_t i) { return loadPair(b, i); },
        [&](std::int64_t i, double2 u, double2 q, bool both, double2 f) {
            const double2 d{f.x - q.x, both ? f.y - q.y : 0};
            storePair(r, i, d, both);
            sums.a += d.x * d.x + d.y * d.y;
            if (first) sums.b += f.x * f.x + (both ? f.y * f.y : 0);
            else sums.b += u.x + (both ? u.y : 0);
            if constexpr (!Links::kAlone) links.sendResidual(a.grid, static_cast<int>(share.channel), i, d, both);
        },
        links.solutionRows());
    sumOverAll(
        a, links, share, sums,
        [&](int channel, const Sums& s) {
            ChannelState& c = a.channels[channel];
            c.trueResidual = s.a;
            if (!first) c.resultMean = s.b / allSamples(a, links);
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

// ---- launches of these kernels for each system that `Links` has -------------------------------------------------------------------------

template <class Links, class Visit>
void forEachSystem(Visit&& visit) {
    visit(std::integral_constant<System, System::image>());
    if constexpr (Links::kAlone) visit(std::integral_constant<System, System::volume>());
    visit(std::integral_constant<System, System::weighted>());
}
template <class Links, class Visit>
void withSystem(const SolveArguments& a, Visit&& visit) {
    const System own = a.stencil.edges[0] ? System::weighted : a.grid.depth > 1 ? System::volume : System::image;
    forEachSystem<Links>([&](auto kind) {
        if (kind() == own) visit(kind);
    });
}

template <class T, class Links>
void preloadIterations() {
    forEachSystem<Links>([](auto kind) {
        preload(directionKernel<kind(), T, Links>);
        preload(updateKernel<IterationOfPair::first, kind(), T, Links>);
        preload(updateKernel<IterationOfPair::second, kind(), T, Links>);
    });
}
template <class Links>
void preloadTrueResidual() {
    forEachSystem<Links>([](auto kind) { preload(trueResidualKernel<kind(), Links>); });
}

inline constexpr const char* kSolverFailed = "A kernel of a solver could not be started";

template <class T, class Links>
void launchDirectionKernel(const SolveArguments& a, const Links& links, const T* z, const T* before, T* p, cudaStream_t stream) {
    withSystem<Links>(a, [&](auto kind) {
        directionKernel<kind(), T, Links><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, links, z, before, p);
    });
    checkLaunch(kSolverFailed);
}

template <class T, class Links>
void launchUpdateKernel(const SolveArguments& a, const Links& links, IterationOfPair which, const T* before, const T* p, double* x,
                        double* r, float* scaled, cudaStream_t stream) {
    withSystem<Links>(a, [&](auto kind) {
        const auto kernel = which == IterationOfPair::first ? updateKernel<IterationOfPair::first, kind(), T, Links>
                                                            : updateKernel<IterationOfPair::second, kind(), T, Links>;
        kernel<<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, links, before, p, x, r, scaled);
    });
    checkLaunch(kSolverFailed);
}

template <class Links>
void launchTrueResidualKernel(const SolveArguments& a, const Links& links, bool first, const double* b, const double* x, double* r,
                              cudaStream_t stream) {
    withSystem<Links>(a, [&](auto kind) {
        trueResidualKernel<kind(), Links><<<stripBlocks(a.grid), kSolverThreads, 0, stream>>>(a, links, first, b, x, r);
    });
    checkLaunch(kSolverFailed);
}

}  // namespace parallax::gpu
