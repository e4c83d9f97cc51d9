// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong on purpose: the window is one column too far to the right, and the border repeats the last sample whatever the parameters say. See
// what `parallax-cli kernel check` says of it.
#include <parallax/convolve.h>

static __device__ int clamped(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

// launch: block(32, 8) grid(ceil(width, 32), ceil(height, 8), depth)
__global__ void offByOne(parallax_input in, parallax_output out, parallax_convolve p, parallax_context context) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height) return;
    for (int64_t c = 0; c < in.channels; ++c) {
        const float* plane = in.data + blockIdx.z * in.slice + c * in.channel;
        float sum = 0;
        for (int v = 0; v < p.taps.height; ++v)
            for (int u = 0; u < p.taps.width; ++u) {
                const int sx = clamped(x + u - (int)p.left + 1, (int)in.width), sy = clamped(y + v - (int)p.above, (int)in.height);
                sum += p.taps.data[u + v * p.taps.width] * plane[sy * in.row + sx];
            }
        out.data[blockIdx.z * out.slice + c * out.channel + y * out.row + x] = sum + (float)p.offset;
    }
}
