// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution as it is defined: for each pixel the sum over a window. Every pixel reads all samples of its window again.
#include <parallax/convolve.h>

// Index of the sample that stands for one outside of 0 .. n - 1, or -1 for the value of the border.
static int64_t inside(int64_t i, int64_t n, int64_t border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case CONVOLVE_BORDER_REPLICATE: return i < 0 ? 0 : n - 1;
        case CONVOLVE_BORDER_REFLECT: {  // cba|abcd|dcb
            const int64_t m = ((i % (2 * n)) + 2 * n) % (2 * n);
            return m < n ? m : 2 * n - 1 - m;
        }
        case CONVOLVE_BORDER_REFLECT101: {  // dcb|abcd|cba
            if (n == 1) return 0;
            const int64_t period = 2 * n - 2, m = ((i % period) + period) % period;
            return m < n ? m : period - m;
        }
        case CONVOLVE_BORDER_WRAP: return ((i % n) + n) % n;
        default: return -1;
    }
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_convolve* p, const parallax_context* context) {
    const int64_t rows = in->height * in->depth * in->channels;
#pragma omp parallel for num_threads(context->threads) schedule(static)
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t y = row % in->height, z = row / in->height % in->depth, c = row / in->height / in->depth;
        const float* plane = in->data + z * in->slice + c * in->channel;
        float* to = out->data + y * out->row + z * out->slice + c * out->channel;
        for (int64_t x = 0; x < in->width; ++x) {
            if (p->filtered.data[c] == 0) {
                to[x] = plane[y * in->row + x];
                continue;
            }
            float sum = 0;
            for (int64_t v = 0; v < p->taps.height; ++v)
                for (int64_t u = 0; u < p->taps.width; ++u) {
                    const int64_t sx = inside(x + u - p->left, in->width, p->border);
                    const int64_t sy = inside(y + v - p->above, in->height, p->border);
                    const float sample = sx < 0 || sy < 0 ? (float)p->border_value : plane[sy * in->row + sx];
                    sum += p->taps.data[u + v * p->taps.width] * sample;
                }
            to[x] = sum + (float)p->offset;
        }
    }
}
