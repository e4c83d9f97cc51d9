// SPDX-License-Identifier: GPL-3.0-or-later
// The global operator of Reinhard et al. 2002: one pass over the image for its average and largest luminance, another one that maps it. The
// first is a reduction, in double: each thread sums up its rows.
#include <float.h>
#include <math.h>
#include <parallax/tonemap.h>

const char* parallax_refuses(const parallax_input*, const parallax_tonemap* p) {
    if (p->operator_ != TONEMAP_OPERATOR_GLOBAL) return "it has only the global operator";
    if (p->encoding != TONEMAP_ENCODING_LINEAR) return "its result is linear";
    return NULL;
}

// Weighted sum of the channels; infinite samples count as `limit`.
static double luminance(const parallax_input* in, const parallax_tonemap* p, int64_t x, int64_t y, double limit) {
    double sum = 0;
    for (int64_t c = 0; c < in->channels; ++c) {
        if (p->mapped.data[c] == 0) continue;
        const double sample = in->data[x + y * in->row + c * in->channel];
        sum += p->weights.data[c] * (sample > FLT_MAX ? limit : sample < -FLT_MAX ? -limit : sample);
    }
    return sum;
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_tonemap* p, const parallax_context* context) {
    double logarithms = 0, largest = 0;
    int64_t finite = 0;
#pragma omp parallel for num_threads(context->threads) schedule(static) reduction(+ : logarithms, finite) reduction(max : largest)
    for (int64_t y = 0; y < in->height; ++y)
        for (int64_t x = 0; x < in->width; ++x) {
            const double l = fabs(luminance(in, p, x, y, INFINITY));
            if (!(l < FLT_MAX)) continue;  // NaN or infinite
            logarithms += log(p->delta + l);
            largest = l > largest ? l : largest;
            ++finite;
        }
    const double limit = largest > 0 ? largest : 1;
    const double average = finite > 0 ? exp(logarithms / (double)finite) : 1;
    const double white = p->white > 0 ? p->white : limit;
    const double q = average / p->key, k = q / (white * white);

#pragma omp parallel for num_threads(context->threads) schedule(static)
    for (int64_t y = 0; y < in->height; ++y)
        for (int64_t x = 0; x < in->width; ++x) {
            const double l = luminance(in, p, x, y, limit);
            for (int64_t c = 0; c < in->channels; ++c) {
                const float sample = in->data[x + y * in->row + c * in->channel];
                float* to = out->data + x + y * out->row + c * out->channel;
                if (p->mapped.data[c] == 0) {
                    *to = sample;
                    continue;
                }
                const double bounded = sample > FLT_MAX ? limit : sample < -FLT_MAX ? -limit : sample;
                const double factor = (1 + k * fabs(l)) / (q + fabs(l));
                *to = (float)(l == l ? factor * (l + p->saturation * (bounded - l)) : l);
            }
        }
}
