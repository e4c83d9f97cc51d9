// SPDX-License-Identifier: GPL-3.0-or-later
// Convolution as it is defined, with one thread for each pixel. Every thread reads all samples of its window from global memory.
#include <parallax/convolve.h>

// Index of the sample that stands for one outside of 0 .. n - 1, or -1 for the value of the border.
static __device__ int inside(int i, int n, int64_t border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case CONVOLVE_BORDER_REPLICATE: return i < 0 ? 0 : n - 1;
        case CONVOLVE_BORDER_REFLECT: {  // cba|abcd|dcb
            const int m = ((i % (2 * n)) + 2 * n) % (2 * n);
            return m < n ? m : 2 * n - 1 - m;
        }
        case CONVOLVE_BORDER_REFLECT101: {  // dcb|abcd|cba
            if (n == 1) return 0;
            const int period = 2 * n - 2, m = ((i % period) + period) % period;
            return m < n ? m : period - m;
        }
        case CONVOLVE_BORDER_WRAP: return ((i % n) + n) % n;
        default: return -1;
    }
}

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8), depth)
__global__ void naive(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    for (int64_t c = 0; c < in.channels; ++c) {
        const float* plane = in.data + blockIdx.z * in.slice + c * in.channel;
        float* to = out.data + blockIdx.z * out.slice + c * out.channel + y * out.row + x;
        if (p.filtered.data[c] == 0) {
            *to = plane[y * in.row + x];
            continue;
        }
        float sum = 0;
        for (int v = 0; v < p.taps.height; ++v)
            for (int u = 0; u < p.taps.width; ++u) {
                const int sx = inside(x + u - (int)p.left, (int)in.width, p.border),
                          sy = inside(y + v - (int)p.above, (int)in.height, p.border);
                const float sample = sx < 0 || sy < 0 ? (float)p.border_value : plane[sy * in.row + sx];
                sum += p.taps.data[u + v * p.taps.width] * sample;
            }
        *to = sum + (float)p.offset;
    }
}
