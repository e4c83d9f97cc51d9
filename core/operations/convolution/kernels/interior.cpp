// SPDX-License-Identifier: GPL-3.0-or-later
// The naive convolution without its questions where they have one answer: inside of the image every sample of a window is there. Only
// pixels whose window reaches over the border ask where its samples are.
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

// The sum over a window that reaches over the border.
static float sumAtBorder(const float* plane, const parallax_input* in, const parallax_convolve* p, int64_t x, int64_t y) {
    float sum = 0;
    for (int64_t v = 0; v < p->taps.height; ++v)
        for (int64_t u = 0; u < p->taps.width; ++u) {
            const int64_t sx = inside(x + u - p->left, in->width, p->border), sy = inside(y + v - p->above, in->height, p->border);
            sum += p->taps.data[u + v * p->taps.width] * (sx < 0 || sy < 0 ? (float)p->border_value : plane[sy * in->row + sx]);
        }
    return sum;
}

// The sum over a window that begins at `first`.
static float sumInside(const float* first, int64_t row, const float* weights, int64_t width, int64_t height) {
    float sum = 0;
    for (int64_t v = 0; v < height; ++v)
        for (int64_t u = 0; u < width; ++u) sum += weights[u + v * width] * first[u + v * row];
    return sum;
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_convolve* p, const parallax_context* context) {
    const int64_t rows = in->height * in->depth * in->channels, width = p->taps.width, height = p->taps.height;
    // Windows of pixels from here on, up to `right` and `below`, are inside.
    const int64_t right = in->width - width + p->left, below = in->height - height + p->above;
#pragma omp parallel for num_threads(context->threads) schedule(static)
    for (int64_t row = 0; row < rows; ++row) {
        const int64_t y = row % in->height, z = row / in->height % in->depth, c = row / in->height / in->depth;
        const float* plane = in->data + z * in->slice + c * in->channel;
        float* to = out->data + y * out->row + z * out->slice + c * out->channel;
        if (p->filtered.data[c] == 0) {
            for (int64_t x = 0; x < in->width; ++x) to[x] = plane[y * in->row + x];
            continue;
        }
        const bool rowInside = y >= p->above && y <= below;
        for (int64_t x = 0; x < in->width; ++x) {
            const float sum = rowInside && x >= p->left && x <= right
                                  ? sumInside(plane + (y - p->above) * in->row + x - p->left, in->row, p->taps.data, width, height)
                                  : sumAtBorder(plane, in, p, x, y);
            to[x] = sum + (float)p->offset;
        }
    }
}
