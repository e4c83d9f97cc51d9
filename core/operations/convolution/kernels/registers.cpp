// SPDX-License-Identifier: GPL-3.0-or-later
// The padded convolution with its sums in registers: a block of 64 pixels adds up all taps before it is stored, so that the result is
// written once instead of once for each tap. Vectors of 8 samples are written as such, or the compiler may keep the sums in memory.
#include <parallax/convolve.h>
#include <string.h>

#define LANES 8
#define VECTORS 8  // sums of a block: as many as hide the latency of a multiply-add, and half of the registers of AVX2
#define BLOCK (LANES * VECTORS)

typedef float vec __attribute__((vector_size(LANES * sizeof(float))));

static inline vec load(const float* from) {
    vec v;
    memcpy(&v, from, sizeof v);  // one instruction, at any address
    return v;
}

// Index of the sample that stands for one outside of 0 .. n - 1, or -1 for the value of the border.
static int64_t inside(int64_t i, int64_t n, int64_t border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case CONVOLVE_BORDER_REPLICATE: return i < 0 ? 0 : n - 1;
        case CONVOLVE_BORDER_REFLECT: {
            const int64_t m = ((i % (2 * n)) + 2 * n) % (2 * n);
            return m < n ? m : 2 * n - 1 - m;
        }
        case CONVOLVE_BORDER_REFLECT101: {
            if (n == 1) return 0;
            const int64_t period = 2 * n - 2, m = ((i % period) + period) % period;
            return m < n ? m : period - m;
        }
        case CONVOLVE_BORDER_WRAP: return ((i % n) + n) % n;
        default: return -1;
    }
}

// One band of rows for each thread, with as many extended rows as the window has, and room for the rest of the last block.
static int64_t paddedWidth(const parallax_input* in, const parallax_convolve* p) {
    return (in->width + BLOCK - 1) / BLOCK * BLOCK + (p->taps.width - 1 + 15) / 16 * 16;
}

int64_t parallax_workspace(const parallax_input* in, const parallax_convolve* p, const parallax_context* context) {
    return context->threads * p->taps.height * paddedWidth(in, p) * (int64_t)sizeof(float);
}

static void extend(float* to, const float* plane, const parallax_input* in, const parallax_convolve* p, int64_t y) {
    const int64_t sy = inside(y, in->height, p->border), right = p->taps.width - 1 - p->left;
    for (int64_t x = -p->left; x < in->width + right; ++x) {
        const int64_t sx = inside(x, in->width, p->border);
        to[x + p->left] = sx < 0 || sy < 0 ? (float)p->border_value : plane[sy * in->row + sx];
    }
}

// The sums of a block; row v of its window begins at rows + (y + v) % height * width + x.
static inline void sumsOf(vec (&sum)[VECTORS], const float* rows, int64_t width, int64_t x, int64_t y, const parallax_convolve* p) {
    for (int k = 0; k < VECTORS; ++k) sum[k] = vec{};
    for (int64_t v = 0; v < p->taps.height; ++v) {
        const float* row = rows + (y + v) % p->taps.height * width + x;
        const float* weights = p->taps.data + v * p->taps.width;
        for (int64_t u = 0; u < p->taps.width; ++u)
#pragma GCC unroll 8
            for (int k = 0; k < VECTORS; ++k) sum[k] += weights[u] * load(row + u + k * LANES);
    }
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_convolve* p, const parallax_context* context) {
    const int64_t width = paddedWidth(in, p), taps = p->taps.height, planes = in->depth * in->channels;
#pragma omp parallel for num_threads(context->threads) schedule(static)
    for (int64_t thread = 0; thread < context->threads; ++thread) {
        float* rows = (float*)context->workspace + thread * taps * width;
        const int64_t first = in->height * thread / context->threads, end = in->height * (thread + 1) / context->threads;
        for (int64_t plane = 0; plane < planes && first < end; ++plane) {
            const int64_t z = plane % in->depth, c = plane / in->depth;
            const float* from = in->data + z * in->slice + c * in->channel;
            for (int64_t v = 0; v + 1 < taps; ++v) extend(rows + (first + v) % taps * width, from, in, p, first + v - p->above);
            for (int64_t y = first; y < end; ++y) {
                float* to = out->data + y * out->row + z * out->slice + c * out->channel;
                if (p->filtered.data[c] == 0) {
                    for (int64_t x = 0; x < in->width; ++x) to[x] = from[y * in->row + x];
                    continue;
                }
                extend(rows + (y + taps - 1) % taps * width, from, in, p, y + taps - 1 - p->above);
                for (int64_t x = 0; x < in->width; x += BLOCK) {
                    vec sum[VECTORS];
                    sumsOf(sum, rows, width, x, y, p);
                    for (int k = 0; k < VECTORS; ++k) sum[k] += (float)p->offset;
                    const int64_t rest = in->width - x < BLOCK ? in->width - x : BLOCK;
                    memcpy(to + x, sum, (size_t)rest * sizeof(float));
                }
            }
        }
    }
}
