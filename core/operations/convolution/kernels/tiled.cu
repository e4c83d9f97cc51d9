// SPDX-License-Identifier: GPL-3.0-or-later
// A block of 32 x 8 threads loads the samples that its pixels need into shared memory once: its tile with the halo of the window. The
// border is decided there, once for each sample instead of once for each tap.
#include <parallax/convolve.h>

#define TILE_X 32
#define TILE_Y 8

// Index of the sample that stands for one outside of 0 .. n - 1, or -1 for the value of the border.
static __device__ int inside(int i, int n, int64_t border) {
    if (i >= 0 && i < n) return i;
    switch (border) {
        case CONVOLVE_BORDER_REPLICATE: return i < 0 ? 0 : n - 1;
        case CONVOLVE_BORDER_REFLECT: {
            const int m = ((i % (2 * n)) + 2 * n) % (2 * n);
            return m < n ? m : 2 * n - 1 - m;
        }
        case CONVOLVE_BORDER_REFLECT101: {
            if (n == 1) return 0;
            const int period = 2 * n - 2, m = ((i % period) + period) % period;
            return m < n ? m : period - m;
        }
        case CONVOLVE_BORDER_WRAP: return ((i % n) + n) % n;
        default: return -1;
    }
}

// requires: (taps.width + 31) * (taps.height + 7) * 4 <= 49152 "the tile of so large a window does not fit into 48 KiB of shared memory"
// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8), depth) shared((taps.width + 31) * (taps.height + 7) * 4)
__global__ void __launch_bounds__(TILE_X* TILE_Y)
    tiled(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {
    extern __shared__ float tile[];
    const int taps = (int)p.taps.width, rows = (int)p.taps.height, width = TILE_X + taps - 1, height = TILE_Y + rows - 1;
    const int tx = threadIdx.x, ty = threadIdx.y, tileX = blockIdx.x * TILE_X, tileY = blockIdx.y * TILE_Y, x = tileX + tx, y = tileY + ty;
    for (int64_t c = 0; c < in.channels; ++c) {
        const float* plane = in.data + blockIdx.z * in.slice + c * in.channel;
        const bool filtered = p.filtered.data[c] != 0;  // the same for all threads
        if (filtered) {
            for (int j = ty; j < height; j += TILE_Y) {
                const int sy = inside(tileY + j - (int)p.above, (int)in.height, p.border);
                for (int i = tx; i < width; i += TILE_X) {
                    const int sx = inside(tileX + i - (int)p.left, (int)in.width, p.border);
                    tile[j * width + i] = sx < 0 || sy < 0 ? (float)p.border_value : plane[sy * in.row + sx];
                }
            }
            __syncthreads();
        }
        if (x < in.width && y < in.height) {
            float sum = 0;
            if (filtered) {
                for (int v = 0; v < rows; ++v)
                    for (int u = 0; u < taps; ++u) sum += p.taps.data[u + v * taps] * tile[(ty + v) * width + tx + u];
                sum += (float)p.offset;
            } else {
                sum = plane[y * in.row + x];
            }
            out.data[blockIdx.z * out.slice + c * out.channel + y * out.row + x] = sum;
        }
        __syncthreads();  // all have read the tile
    }
}
