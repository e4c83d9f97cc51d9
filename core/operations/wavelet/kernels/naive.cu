// SPDX-License-Identifier: GPL-3.0-or-later
// The wavelet transform by separable passes, up to three levels: each level filters along x, then y, then z, with one thread for each
// coefficient. Launch comments cannot repeat a launch, so each pass of each level is a function. Filters are in constant memory: all
// threads read the same tap at the same time.
#include <parallax/dwt.h>

#define MOST_LEVELS 3

// Scaling filters of db1 (haar) to db4.
static __constant__ float kScaling[4][8] = {
    {0.70710678f, 0.70710678f},
    {0.48296291f, 0.83651630f, 0.22414387f, -0.12940953f},
    {0.33267055f, 0.80689151f, 0.45987750f, -0.13501102f, -0.08544127f, 0.03522629f},
    {0.23037781f, 0.71484657f, 0.63088077f, -0.02798377f, -0.18703481f, 0.03084138f, 0.03288301f, -0.01059740f}};

// requires: wavelet == DWT_WAVELET_HAAR || wavelet >= DWT_WAVELET_DB1 && wavelet <= DWT_WAVELET_DB4 "it has haar and db1 to db4"
// requires: mode < DWT_MODE_SMOOTH || mode == DWT_MODE_PERIODIZATION "it has no mode smooth, antisymmetric or antireflect"
// requires: levels >= 1 && levels <= 3 "it has 1 to 3 levels"
// workspace: 3 * 4 * out_width * out_height * out_depth * channels

static __device__ int filterOf(const parallax_dwt& p) { return p.wavelet == DWT_WAVELET_HAAR ? 0 : (int)(p.wavelet - DWT_WAVELET_DB1); }

// One axis of the transform: count[l] low frequencies after level l, and where the details of level l begin in the result.
struct Axis {
    bool transformed;
    int count[MOST_LEVELS + 1], offset[MOST_LEVELS + 1];
};

static __device__ Axis axisOf(int axis, const parallax_input& in, const parallax_dwt& p) {
    const int64_t extents[3] = {in.width, in.height, in.depth};
    const int taps = 2 * filterOf(p) + 2, levels = (int)p.levels;
    Axis a;
    switch (p.axes) {
        case DWT_AXES_ALL: a.transformed = axis < 2 || in.depth > 1; break;
        case DWT_AXES_X: a.transformed = axis == 0; break;
        case DWT_AXES_Y: a.transformed = axis == 1; break;
        case DWT_AXES_Z: a.transformed = axis == 2; break;
        case DWT_AXES_XY: a.transformed = axis != 2; break;
        case DWT_AXES_XZ: a.transformed = axis != 1; break;
        default: a.transformed = axis != 0; break;
    }
    a.count[0] = (int)extents[axis];
    for (int l = 1; l <= levels; ++l)
        a.count[l] = !a.transformed ? a.count[0] : (a.count[l - 1] + (p.mode == DWT_MODE_PERIODIZATION ? 1 : taps - 1)) / 2;
    a.offset[levels] = a.count[levels];
    for (int l = levels; l > 0; --l) a.offset[l - 1] = a.offset[l] + a.count[l];
    return a;
}

// Samples along an axis after it was filtered on level l: low frequencies, then as many high ones.
static __device__ int filtered(const Axis& a, int l) { return a.transformed ? 2 * a.count[l] : a.count[0]; }

// Index of the sample that stands for one outside of 0 .. n - 1, or -1 for 0.
static __device__ int inside(int i, int n, int64_t mode) {
    if (i >= 0 && i < n) return i;
    const int even = n + n % 2, mirrored = 2 * n, reflected = n > 1 ? 2 * n - 2 : 1;
    switch (mode) {
        case DWT_MODE_CONSTANT: return i < 0 ? 0 : n - 1;
        case DWT_MODE_PERIODIC: return (i % n + n) % n;
        case DWT_MODE_PERIODIZATION: i = (i % even + even) % even; return i < n ? i : n - 1;
        case DWT_MODE_SYMMETRIC: i = (i % mirrored + mirrored) % mirrored; return i < n ? i : mirrored - 1 - i;
        case DWT_MODE_REFLECT: i = (i % reflected + reflected) % reflected; return i < n ? i : reflected - i;
        default: return -1;
    }
}

// Coefficient `at` of a line of n samples, `step` apart, of which there will be `half` low frequencies and as many high ones.
static __device__ float coefficient(const float* line, int64_t step, int n, int at, int half, const parallax_dwt& p) {
    const bool high = at >= half;
    const float* const scaling = kScaling[filterOf(p)];
    const int taps = 2 * filterOf(p) + 2, o = high ? at - half : at, shift = p.mode == DWT_MODE_PERIODIZATION ? taps / 2 : 1;
    float sum = 0;
    for (int j = 0; j < taps; ++j) {
        const int i = inside(2 * o + shift - j, n, p.mode);
        if (i < 0) continue;
        const float weight = !high ? scaling[taps - 1 - j] : j % 2 ? scaling[j] : -scaling[j];
        sum += weight * line[i * step];
    }
    return sum;
}

// The workspace holds three images as large as the result: low frequencies of the level before, results of pass x, and of pass y.
enum { LOW, ALONG_X, ALONG_Y };
static __device__ float* buffer(int number, const parallax_output& out, const parallax_context& context) {
    return (float*)context.workspace + number * out.channels * out.channel;
}

struct Place {
    int x, y, z;
};
static __device__ Place place() {
    return {(int)(blockIdx.x * blockDim.x + threadIdx.x), (int)(blockIdx.y * blockDim.y + threadIdx.y), (int)blockIdx.z};
}

static __device__ void alongX(int l, const parallax_input& in, const parallax_output& out, const parallax_dwt& p,
                              const parallax_context& context) {
    const Axis ax = axisOf(0, in, p), ay = axisOf(1, in, p), az = axisOf(2, in, p);
    const Place at = place();
    if (l > p.levels || at.x >= filtered(ax, l) || at.y >= ay.count[l - 1] || at.z >= az.count[l - 1]) return;
    for (int64_t c = 0; c < in.channels; ++c) {
        const float* from = l == 1 ? in.data + at.y * in.row + at.z * in.slice + c * in.channel
                                   : buffer(LOW, out, context) + at.y * out.row + at.z * out.slice + c * out.channel;
        buffer(ALONG_X, out, context)[at.x + at.y * out.row + at.z * out.slice + c * out.channel] =
            ax.transformed ? coefficient(from, 1, ax.count[l - 1], at.x, ax.count[l], p) : from[at.x];
    }
}

static __device__ void alongY(int l, const parallax_input& in, const parallax_output& out, const parallax_dwt& p,
                              const parallax_context& context) {
    const Axis ax = axisOf(0, in, p), ay = axisOf(1, in, p), az = axisOf(2, in, p);
    const Place at = place();
    if (l > p.levels || at.x >= filtered(ax, l) || at.y >= filtered(ay, l) || at.z >= az.count[l - 1]) return;
    for (int64_t c = 0; c < in.channels; ++c) {
        const float* from = buffer(ALONG_X, out, context) + at.x + at.z * out.slice + c * out.channel;
        buffer(ALONG_Y, out, context)[at.x + at.y * out.row + at.z * out.slice + c * out.channel] =
            ay.transformed ? coefficient(from, out.row, ay.count[l - 1], at.y, ay.count[l], p) : from[at.y * out.row];
    }
}

// Details move to their place in the result; what is low along all axes is for the next level.
static __device__ void alongZ(int l, const parallax_input& in, const parallax_output& out, const parallax_dwt& p,
                              const parallax_context& context) {
    const Axis axes[3] = {axisOf(0, in, p), axisOf(1, in, p), axisOf(2, in, p)};
    const Place at = place();
    if (l > p.levels || at.x >= filtered(axes[0], l) || at.y >= filtered(axes[1], l) || at.z >= filtered(axes[2], l)) return;
    int to[3] = {at.x, at.y, at.z};
    bool low = true;
    for (int a = 0; a < 3; ++a) {
        if (!axes[a].transformed || to[a] < axes[a].count[l]) continue;
        to[a] += axes[a].offset[l] - axes[a].count[l];
        low = false;
    }
    float* const result = low && l < p.levels ? buffer(LOW, out, context) : out.data;
    for (int64_t c = 0; c < in.channels; ++c) {
        const float* from = buffer(ALONG_Y, out, context) + at.x + at.y * out.row + c * out.channel;
        result[to[0] + to[1] * out.row + to[2] * out.slice + c * out.channel] =
            axes[2].transformed ? coefficient(from, out.slice, axes[2].count[l - 1], at.z, axes[2].count[l], p) : from[at.z * out.slice];
    }
}

// Between the coefficients of some modes are gaps.
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void clear(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) {
    const Place at = place();
    if (at.x >= out.width || at.y >= out.height) return;
    for (int64_t c = 0; c < out.channels; ++c) out.data[at.x + at.y * out.row + at.z * out.slice + c * out.channel] = 0;
}

// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void x1(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongX(1, in, out, p, context); }
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void y1(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongY(1, in, out, p, context); }
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void z1(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongZ(1, in, out, p, context); }

// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void x2(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongX(2, in, out, p, context); }
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void y2(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongY(2, in, out, p, context); }
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void z2(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongZ(2, in, out, p, context); }

// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void x3(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongX(3, in, out, p, context); }
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void y3(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongY(3, in, out, p, context); }
// launch: block(32, 8) grid(ceil(out_width, 32), ceil(out_height, 8), out_depth)
__global__ void z3(parallax_input in, parallax_output out, parallax_dwt p, parallax_context context) { alongZ(3, in, out, p, context); }
