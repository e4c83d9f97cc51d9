// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/solvers/transforms.hpp"

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/solvers/strips.cuh"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of the transforms could not be started";
constexpr int kColumns = 64, kRows = 4;
dim3 tileGrid(std::int64_t width, std::int64_t height) {
    return {static_cast<unsigned>((width + kColumns - 1) / kColumns), static_cast<unsigned>((height + kRows - 1) / kRows)};
}
__device__ __forceinline__ int columnOfThread() { return static_cast<int>(blockIdx.x * kColumns + threadIdx.x); }
/// Rows beyond the limit of a grid are taken in turns.
template <class Visit>
__device__ __forceinline__ void visitRows(int height, Visit&& visit) {
    for (int y = static_cast<int>(blockIdx.y * kRows + threadIdx.y); y < height; y += static_cast<int>(gridDim.y * kRows)) visit(y);
}

/// Place of sample n of N in the order of Makhoul.
__device__ __forceinline__ int reordered(int n, int count) { return n % 2 == 0 ? n / 2 : count - (n + 1) / 2; }

__device__ __forceinline__ double2 times(double2 a, double2 b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }
__device__ __forceinline__ double2 conjugate(double2 a) { return {a.x, -a.y}; }
__device__ __forceinline__ double2 plus(double2 a, double2 b) { return {a.x + b.x, a.y + b.y}; }
/// a + i b and a - i b.
__device__ __forceinline__ double2 plusI(double2 a, double2 b) { return {a.x - b.y, a.y + b.x}; }
__device__ __forceinline__ double2 minusI(double2 a, double2 b) { return {a.x + b.y, a.y - b.x}; }
constexpr double kPi = 3.141592653589793238;

/// exp(-i pi k / (2 n)). The squares of its parts are the eigenvalues / 4 of coefficients n - k and k.
__device__ __forceinline__ double2 rotation(int k, int n) {
    double sine, cosine;
    sincos(0.5 * kPi * k / n, &sine, &cosine);
    return {cosine, -sine};
}
__device__ __forceinline__ double square(double x) { return x * x; }

__global__ void packKernel(SolveArguments a, int channel, double* b, double* planes) {
    const Grid& g = a.grid;
    const int x = columnOfThread();
    if (x >= g.width) return;
    const double mean = a.stencil.singular ? a.channels[channel].mean : 0;
    if (channel == 0 && x == 0 && blockIdx.y == 0 && threadIdx.y == 0) a.log->nanoseconds = deviceNanoseconds() - a.state->start;
    visitRows(g.height, [&](int y) {
        const std::int64_t i = g.at(x, y, 0, channel);
        const double value = b[i] - mean;
        if (a.stencil.singular) b[i] = value;
        if (!a.stencil.dirichlet) {
            planes[TransformShape{g.width, g.height}.pitch() * reordered(y, g.height) + reordered(x, g.width)] = value;
            return;
        }
        const TransformShape t{2 * (g.width + 1), 2 * (g.height + 1)};
        const int left = x + 1, right = t.width - left, up = y + 1, down = t.height - up;
        planes[t.pitch() * up + left] = planes[t.pitch() * down + right] = value;
        planes[t.pitch() * up + right] = planes[t.pitch() * down + left] = -value;
    });
}

/// A column and a row of the cosine transform with their mirror images: four coefficients from two numbers of the Fourier transform.
__global__ void divideCosinesKernel(SolveArguments a, double* planes) {
    const int width = a.grid.width, height = a.grid.height;
    const int column = columnOfThread();
    if (column > width / 2) return;
    const GridStencil& s = a.stencil;
    auto* const spectrum = reinterpret_cast<double2*>(planes);
    const int pitch = width / 2 + 1;
    const double factor = 1 / (static_cast<double>(width) * height);
    const double2 c = rotation(column, width);
    const double alongX[2] = {4 * s.weights[0] * square(c.y), 4 * s.weights[0] * square(c.x)};
    visitRows(height / 2 + 1, [&](int row) {
        const int mirrored = row == 0 ? 0 : height - row;
        const double2 v0 = spectrum[std::int64_t{row} * pitch + column], v1 = spectrum[std::int64_t{mirrored} * pitch + column];
        const double2 r = rotation(row, height);
        // Cosine transforms of the columns, in rows `row` and height - row (0 behind the last one).
        const double2 turned0 = times(r, v0), turned1 = times(conjugate(r), v1);
        const double2 t[2] = {plus(turned0, turned1), {-(turned0.y - turned1.y), turned0.x - turned1.x}};
        double2 divided[2];
#pragma unroll
        for (int side = 0; side < 2; ++side) {
            const int k = side == 0 ? row : height - row;
            const double alongY = s.diagonal + 4 * s.weights[1] * square(side == 0 ? r.y : r.x);
            const double2 p = times(c, t[side]);  // (C, -C') / 2, C' being the coefficient in the mirrored column
            const double here = alongY + alongX[0], there = alongY + alongX[1];
            const double2 q{here > 0 ? p.x * factor / here : 0, column > 0 && there > 0 ? p.y * factor / there : 0};
            divided[side] = k < height ? times(conjugate(c), q) : double2{0, 0};
        }
        const double2 sum = minusI(divided[0], divided[1]), difference = plusI(divided[0], divided[1]);
        const double2 u0 = times(conjugate(r), sum), u1 = times(r, difference);
        spectrum[std::int64_t{row} * pitch + column] = {0.5 * u0.x, 0.5 * u0.y};
        if (mirrored != row) spectrum[std::int64_t{mirrored} * pitch + column] = {0.5 * u1.x, 0.5 * u1.y};
    });
}

__global__ void divideSinesKernel(SolveArguments a, double* planes) {
    const TransformShape t{2 * (a.grid.width + 1), 2 * (a.grid.height + 1)};
    const int column = columnOfThread();
    if (column > t.width / 2) return;
    auto* const spectrum = reinterpret_cast<double2*>(planes);
    const double alongX = a.stencil.diagonal + 4 * a.stencil.weights[0] * square(rotation(2 * column, t.width).y);
    const double factor = 1 / (static_cast<double>(t.width) * t.height);
    visitRows(t.height, [&](int row) {
        const double value = alongX + 4 * a.stencil.weights[1] * square(rotation(2 * row, t.height).y);
        double2& v = spectrum[std::int64_t{row} * (t.width / 2 + 1) + column];
        // The transform of an odd plane is real; the constant is 0.
        v = {value > 0 ? v.x * factor / value : 0, 0};
    });
}

__global__ void unpackKernel(SolveArguments a, int channel, const double* planes, double* x) {
    const Grid& g = a.grid;
    const int column = columnOfThread();
    if (column >= g.width) return;
    visitRows(g.height, [&](int y) {
        const std::int64_t from = a.stencil.dirichlet
                                      ? TransformShape{2 * (g.width + 1), 2 * (g.height + 1)}.pitch() * (y + 1) + column + 1
                                      : TransformShape{g.width, g.height}.pitch() * reordered(y, g.height) + reordered(column, g.width);
        x[g.at(column, y, 0, channel)] = planes[from];
    });
}

dim3 limited(dim3 grid) { return {grid.x, grid.y < 32768 ? grid.y : 32768U}; }

}  // namespace

void launchTransformPack(const SolveArguments& a, int channel, double* b, double* planes, cudaStream_t stream) {
    if (a.stencil.dirichlet) {
        // The axes of the odd extension.
        const TransformShape t = TransformShape::of(a.grid, true);
        check(cudaMemsetAsync(planes, 0, static_cast<std::size_t>(t.elements()) * sizeof(double), stream),
              "Device memory could not be cleared");
    }
    packKernel<<<limited(tileGrid(a.grid.width, a.grid.height)), dim3(kColumns, kRows), 0, stream>>>(a, channel, b, planes);
    checkLaunch(kFailed);
}

void launchTransformDivide(const SolveArguments& a, double* planes, cudaStream_t stream) {
    const TransformShape t = TransformShape::of(a.grid, a.stencil.dirichlet);
    const dim3 block(kColumns, kRows);
    if (a.stencil.dirichlet) divideSinesKernel<<<limited(tileGrid(t.width / 2 + 1, t.height)), block, 0, stream>>>(a, planes);
    else divideCosinesKernel<<<limited(tileGrid(t.width / 2 + 1, t.height / 2 + 1)), block, 0, stream>>>(a, planes);
    checkLaunch(kFailed);
}

void launchTransformUnpack(const SolveArguments& a, int channel, const double* planes, double* x, cudaStream_t stream) {
    unpackKernel<<<limited(tileGrid(a.grid.width, a.grid.height)), dim3(kColumns, kRows), 0, stream>>>(a, channel, planes, x);
    checkLaunch(kFailed);
}

void preloadTransforms() {
    preload(packKernel);
    preload(divideCosinesKernel);
    preload(divideSinesKernel);
    preload(unpackKernel);
}

}  // namespace parallax::gpu
