// SPDX-License-Identifier: GPL-3.0-or-later
// The convolution blocked in registers along both axes: a block is 2 rows of 48 pixels, so that a sample that was loaded is multiplied for
// two rows. Loads no longer limit it, but multiply-adds.
#include <parallax/convolve.h>
#include <string.h>

#define LANES 8
#define VECTORS 6  // of a row; with two rows 12 sums, and AVX2 has 16 registers
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

// One band of rows for each thread, with one more extended row than the window has, and room for the rest of the last block.
static int64_t paddedWidth(const parallax_input* in, const parallax_convolve* p) {
    return (in->width + BLOCK - 1) / BLOCK * BLOCK + (p->taps.width - 1 + 15) / 16 * 16;
}

int64_t parallax_workspace(const parallax_input* in, const parallax_convolve* p, const parallax_context* context) {
    return context->threads * (p->taps.height + 1) * paddedWidth(in, p) * (int64_t)sizeof(float);
}

static void extend(float* to, const float* plane, const parallax_input* in, const parallax_convolve* p, int64_t y) {
    const int64_t sy = inside(y, in->height, p->border), right = p->taps.width - 1 - p->left;
    const auto at = [&](int64_t x) {
        const int64_t sx = inside(x, in->width, p->border);
        return sx < 0 || sy < 0 ? (float)p->border_value : plane[sy * in->row + sx];
    };
    for (int64_t x = -p->left; x < 0; ++x) to[x + p->left] = at(x);
    if (sy < 0)
        for (int64_t x = 0; x < in->width; ++x) to[x + p->left] = (float)p->border_value;
    else memcpy(to + p->left, plane + sy * in->row, (size_t)in->width * sizeof(float));
    for (int64_t x = in->width; x < in->width + right; ++x) to[x + p->left] = at(x);
}

// Multiplies a row of samples by the weights of one row of the window for the first row of the block, and of another for the second;
// without weights, not for that one.
template <bool FIRST, bool SECOND>
static inline void add(vec (&a)[VECTORS], vec (&b)[VECTORS], const float* row, const float* first, const float* second, int64_t taps) {
    for (int64_t u = 0; u < taps; ++u)
#pragma GCC unroll 6
        for (int k = 0; k < VECTORS; ++k) {
            const vec sample = load(row + u + k * LANES);
            if (FIRST) a[k] += first[u] * sample;
            if (SECOND) b[k] += second[u] * sample;
        }
}

static void store(float* to, const vec (&sum)[VECTORS], float offset, int64_t count) {
    vec result[VECTORS];
    for (int k = 0; k < VECTORS; ++k) result[k] = sum[k] + offset;
    if (count >= BLOCK) memcpy(to, result, sizeof result);
    else memcpy(to, result, (size_t)count * sizeof(float));
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_convolve* p, const parallax_context* context) {
    const int64_t width = paddedWidth(in, p), taps = p->taps.height, ring = taps + 1, planes = in->depth * in->channels;
#pragma omp parallel for num_threads(context->threads) schedule(static)
    for (int64_t thread = 0; thread < context->threads; ++thread) {
        float* rows = (float*)context->workspace + thread * ring * width;
        const int64_t begin = in->height * thread / context->threads, end = in->height * (thread + 1) / context->threads;
        for (int64_t plane = 0; plane < planes && begin < end; ++plane) {
            const int64_t z = plane % in->depth, c = plane / in->depth;
            const float* from = in->data + z * in->slice + c * in->channel;
            float* to = out->data + z * out->slice + c * out->channel;
            if (p->filtered.data[c] == 0) {
                for (int64_t y = begin; y < end; ++y) memcpy(to + y * out->row, from + y * in->row, (size_t)in->width * sizeof(float));
                continue;
            }
            // Row y of the extended image is kept in rows + (y modulo ring).
            for (int64_t v = 0; v + 1 < taps; ++v) extend(rows + (begin + v) % ring * width, from, in, p, begin + v - p->above);
            for (int64_t y = begin; y < end; y += 2) {
                for (int64_t v = taps - 1; v <= taps; ++v) extend(rows + (y + v) % ring * width, from, in, p, y + v - p->above);
                for (int64_t x = 0; x < in->width; x += BLOCK) {
                    vec a[VECTORS] = {}, b[VECTORS] = {};
                    const float* weights = p->taps.data;
                    // The first row of samples is above the window of the second row of pixels, the last one below that of the first.
                    add<true, false>(a, b, rows + y % ring * width + x, weights, weights, p->taps.width);
                    for (int64_t v = 1; v < taps; ++v, weights += p->taps.width)
                        add<true, true>(a, b, rows + (y + v) % ring * width + x, weights + p->taps.width, weights, p->taps.width);
                    add<false, true>(a, b, rows + (y + taps) % ring * width + x, weights, weights, p->taps.width);
                    store(to + y * out->row + x, a, (float)p->offset, in->width - x);
                    if (y + 1 < end) store(to + (y + 1) * out->row + x, b, (float)p->offset, in->width - x);
                }
            }
        }
    }
}
