// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong on purpose: the window is one column too far to the right, and the border repeats the last sample whatever the parameters say. See
// what `parallax-cli kernel check` says of it.
#include <parallax/convolve.h>

static int64_t clamped(int64_t i, int64_t n) { return i < 0 ? 0 : i < n ? i : n - 1; }

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_convolve* p, const parallax_context*) {
    for (int64_t c = 0; c < in->channels; ++c)
        for (int64_t z = 0; z < in->depth; ++z)
            for (int64_t y = 0; y < in->height; ++y)
                for (int64_t x = 0; x < in->width; ++x) {
                    float sum = 0;
                    for (int64_t v = 0; v < p->taps.height; ++v)
                        for (int64_t u = 0; u < p->taps.width; ++u) {
                            const int64_t sx = clamped(x + u - p->left + 1, in->width), sy = clamped(y + v - p->above, in->height);
                            sum += p->taps.data[u + v * p->taps.width] * in->data[sx + sy * in->row + z * in->slice + c * in->channel];
                        }
                    out->data[x + y * out->row + z * out->slice + c * out->channel] = sum + (float)p->offset;
                }
}
