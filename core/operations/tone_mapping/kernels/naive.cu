// SPDX-License-Identifier: GPL-3.0-or-later
// The global operator of Reinhard et al. 2002 in three kernels, which are launched one after the other: partial sums of each block by a
// tree in shared memory, their total, and the map. All sums are in double.
#include <parallax/tonemap.h>

#define THREADS 256
#define MOST_BLOCKS 1024
#define LARGEST 3.402823466e38

// Sums over the luminance: its logarithms, the number of finite samples, its maximum.
struct Sums {
    double logarithms, finite, largest;
};

// Weighted sum of the channels; infinite samples count as `limit`.
static __device__ double luminance(const parallax_input& in, const parallax_tonemap& p, int64_t x, int64_t y, double limit) {
    double sum = 0;
    for (int64_t c = 0; c < in.channels; ++c) {
        if (p.mapped.data[c] == 0) continue;
        const double sample = in.data[x + y * in.row + c * in.channel];
        sum += p.weights.data[c] * (sample > LARGEST ? limit : sample < -LARGEST ? -limit : sample);
    }
    return sum;
}

static __device__ Sums combined(Sums a, Sums b) {
    return {a.logarithms + b.logarithms, a.finite + b.finite, a.largest > b.largest ? a.largest : b.largest};
}

// The total of a block, in thread 0.
static __device__ Sums totalOfBlock(Sums own) {
    __shared__ Sums all[THREADS];
    const int i = threadIdx.x;
    all[i] = own;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (i < half) all[i] = combined(all[i], all[i + half]);
    }
    return all[i];
}

static __device__ int blocksOf(const parallax_input& in) {
    const int64_t blocks = (in.width * in.height + THREADS - 1) / THREADS;
    return blocks < MOST_BLOCKS ? (int)blocks : MOST_BLOCKS;
}

// requires: operator_ == TONEMAP_OPERATOR_GLOBAL "it has only the global operator"
// requires: encoding == TONEMAP_ENCODING_LINEAR "its result is linear"
// workspace: (1024 + 1) * 24

// launch: block(256) grid(min(1024, ceil(width * height, 256)))
__global__ void partialSums(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    const double infinity = __longlong_as_double(0x7ff0000000000000);
    Sums own = {0, 0, 0};
    for (int64_t i = blockIdx.x * THREADS + threadIdx.x; i < in.width * in.height; i += (int64_t)gridDim.x * THREADS) {
        const double l = fabs(luminance(in, p, i % in.width, i / in.width, infinity));
        if (l < LARGEST) own = combined(own, {log(p.delta + l), 1, l});  // neither NaN nor infinite
    }
    own = totalOfBlock(own);
    if (threadIdx.x == 0) ((Sums*)context.workspace)[1 + blockIdx.x] = own;
}

// launch: block(256) grid(1)
__global__ void total(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    Sums* const sums = (Sums*)context.workspace;
    Sums own = {0, 0, 0};
    for (int i = threadIdx.x; i < blocksOf(in); i += THREADS) own = combined(own, sums[1 + i]);
    own = totalOfBlock(own);
    if (threadIdx.x == 0) sums[0] = own;
}

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8))
__global__ void map(parallax_input in, parallax_output out, parallax_tonemap p, parallax_context context) {
    const int64_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    const Sums sums = *(const Sums*)context.workspace;
    const double limit = sums.largest > 0 ? sums.largest : 1;
    const double average = sums.finite > 0 ? exp(sums.logarithms / sums.finite) : 1;
    const double white = p.white > 0 ? p.white : limit;
    const double q = average / p.key, k = q / (white * white), l = luminance(in, p, x, y, limit);
    for (int64_t c = 0; c < in.channels; ++c) {
        const float sample = in.data[x + y * in.row + c * in.channel];
        float* to = out.data + x + y * out.row + c * out.channel;
        if (p.mapped.data[c] == 0) {
            *to = sample;
            continue;
        }
        const double bounded = sample > LARGEST ? limit : sample < -LARGEST ? -limit : sample;
        const double factor = (1 + k * fabs(l)) / (q + fabs(l));
        *to = (float)(l == l ? factor * (l + p.saturation * (bounded - l)) : l);
    }
}
