// SPDX-License-Identifier: GPL-3.0-or-later
// The naive convolution without its questions: a row of windows is computed from rows that were extended by the border once, tap by tap, so
// that the innermost loop is a multiply-add over neighbouring pixels, which the compiler turns into vector instructions.
#include <parallax/convolve.h>

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

// One band of rows for each thread, with as many extended rows as the window has.
static int64_t paddedWidth(const parallax_input* in, const parallax_convolve* p) { return (in->width + p->taps.width - 1 + 15) / 16 * 16; }

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

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_convolve* p, const parallax_context* context) {
    const int64_t width = paddedWidth(in, p), taps = p->taps.height, planes = in->depth * in->channels;
#pragma omp parallel for num_threads(context->threads) schedule(static)
    for (int64_t thread = 0; thread < context->threads; ++thread) {
        float* rows = (float*)context->workspace + thread * taps * width;
        const int64_t first = in->height * thread / context->threads, end = in->height * (thread + 1) / context->threads;
        for (int64_t plane = 0; plane < planes && first < end; ++plane) {
            const int64_t z = plane % in->depth, c = plane / in->depth;
            const float* from = in->data + z * in->slice + c * in->channel;
            // Row y of the extended image is kept in rows + (y modulo the height of the window).
            for (int64_t v = 0; v + 1 < taps; ++v) extend(rows + (first + v) % taps * width, from, in, p, first + v - p->above);
            for (int64_t y = first; y < end; ++y) {
                float* to = out->data + y * out->row + z * out->slice + c * out->channel;
                if (p->filtered.data[c] == 0) {
                    for (int64_t x = 0; x < in->width; ++x) to[x] = from[y * in->row + x];
                    continue;
                }
                extend(rows + (y + taps - 1) % taps * width, from, in, p, y + taps - 1 - p->above);
                for (int64_t x = 0; x < in->width; ++x) to[x] = 0;
                for (int64_t v = 0; v < taps; ++v) {
                    const float* row = rows + (y + v) % taps * width;
                    for (int64_t u = 0; u < p->taps.width; ++u) {
                        const float weight = p->taps.data[u + v * p->taps.width];
                        for (int64_t x = 0; x < in->width; ++x) to[x] += weight * row[x + u];
                    }
                }
                for (int64_t x = 0; x < in->width; ++x) to[x] += (float)p->offset;
            }
        }
    }
}
