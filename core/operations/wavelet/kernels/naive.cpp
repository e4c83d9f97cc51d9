// SPDX-License-Identifier: GPL-3.0-or-later
// The wavelet transform by separable passes: one axis after the other, one line at a time, each line split into its low and high
// frequencies; then again for what is low along all axes. In double, as the reference.
#include <parallax/dwt.h>
#include <stddef.h>

#define MOST_LEVELS 16

// Scaling filters of db1 (haar) to db4.
static const double kScaling[4][8] = {
    {0.70710678118654752, 0.70710678118654752},
    {0.48296291314453414, 0.83651630373780791, 0.22414386804201338, -0.12940952255126038},
    {0.33267055295008262, 0.80689150931109258, 0.45987750211849157, -0.13501102001025459, -0.085441273882026662, 0.035226291885709537},
    {0.2303778133088965, 0.71484657055291565, 0.63088076792985891, -0.027983769416859854, -0.18703481171909308, 0.030841381835560764,
     0.0328830116668852, -0.010597401785069032}};

static int64_t filterOf(const parallax_dwt* p) { return p->wavelet == DWT_WAVELET_HAAR ? 0 : p->wavelet - DWT_WAVELET_DB1; }

const char* parallax_refuses(const parallax_input*, const parallax_dwt* p) {
    if (filterOf(p) > 3) return "it has the filters haar and db1 to db4";
    if (p->mode == DWT_MODE_SMOOTH || p->mode == DWT_MODE_ANTISYMMETRIC || p->mode == DWT_MODE_ANTIREFLECT)
        return "it has the modes zero, constant, symmetric, reflect, periodic and periodization";
    return NULL;
}

// Extents of the levels along each axis, and where their details begin in the result.
struct Plan {
    int64_t levels;
    bool transformed[3];
    int64_t count[3][MOST_LEVELS + 1], offset[3][MOST_LEVELS + 1];
    int64_t box[3];  // room for all levels
};

static Plan planOf(const parallax_input* in, const parallax_dwt* p) {
    Plan plan = {};
    const int64_t extents[3] = {in->width, in->height, in->depth}, taps = 2 * filterOf(p) + 2;
    const bool all = p->axes == DWT_AXES_ALL;
    plan.transformed[0] = all || p->axes == DWT_AXES_X || p->axes == DWT_AXES_XY || p->axes == DWT_AXES_XZ;
    plan.transformed[1] = all || p->axes == DWT_AXES_Y || p->axes == DWT_AXES_XY || p->axes == DWT_AXES_YZ;
    plan.transformed[2] = (all && in->depth > 1) || p->axes == DWT_AXES_Z || p->axes == DWT_AXES_XZ || p->axes == DWT_AXES_YZ;
    plan.levels = p->levels;
    if (plan.levels == 0) {  // as many as leave coefficients that do not depend on the border
        plan.levels = MOST_LEVELS;
        for (int a = 0; a < 3; ++a) {
            int64_t fit = 0;
            for (int64_t reach = taps - 1; 2 * reach <= extents[a]; reach *= 2) ++fit;
            if (plan.transformed[a] && fit < plan.levels) plan.levels = fit;
        }
        if (plan.levels < 1) plan.levels = 1;
    }
    for (int a = 0; a < 3; ++a) {
        int64_t* count = plan.count[a];
        count[0] = plan.box[a] = extents[a];
        for (int64_t l = 1; l <= plan.levels; ++l) {
            count[l] = !plan.transformed[a] ? count[0] : (count[l - 1] + (p->mode == DWT_MODE_PERIODIZATION ? 1 : taps - 1)) / 2;
            if (plan.transformed[a] && 2 * count[l] > plan.box[a]) plan.box[a] = 2 * count[l];
        }
        plan.offset[a][plan.levels] = count[plan.levels];
        for (int64_t l = plan.levels; l > 0; --l) plan.offset[a][l - 1] = plan.offset[a][l] + count[l];
    }
    return plan;
}

static int64_t longestLine(const Plan* plan) {
    int64_t longest = 0;
    for (int a = 0; a < 3; ++a)
        if (plan->box[a] > longest) longest = plan->box[a];
    return (longest + 7) / 8 * 8;
}

// One channel with room for the coefficients of each level, and a line for each thread.
int64_t parallax_workspace(const parallax_input* in, const parallax_dwt* p, const parallax_context* context) {
    const Plan plan = planOf(in, p);
    return (plan.box[0] * plan.box[1] * plan.box[2] + context->threads * longestLine(&plan)) * (int64_t)sizeof(double);
}

// Index of the sample that stands for one outside of 0 .. n - 1, or -1 for 0.
static int64_t inside(int64_t i, int64_t n, int64_t mode) {
    if (i >= 0 && i < n) return i;
    const int64_t even = n + n % 2, mirrored = 2 * n, reflected = n > 1 ? 2 * n - 2 : 1;
    switch (mode) {
        case DWT_MODE_CONSTANT: return i < 0 ? 0 : n - 1;
        case DWT_MODE_PERIODIC: return (i % n + n) % n;
        case DWT_MODE_PERIODIZATION: i = (i % even + even) % even; return i < n ? i : n - 1;
        case DWT_MODE_SYMMETRIC: i = (i % mirrored + mirrored) % mirrored; return i < n ? i : mirrored - 1 - i;
        case DWT_MODE_REFLECT: i = (i % reflected + reflected) % reflected; return i < n ? i : reflected - i;
        default: return -1;
    }
}

// Replaces n samples, `step` apart, by `half` low frequencies and as many high ones behind them. `line` has room for n samples.
static void split(double* samples, int64_t step, int64_t n, int64_t half, const parallax_dwt* p, double* line) {
    const double* scaling = kScaling[filterOf(p)];
    const int64_t taps = 2 * filterOf(p) + 2, shift = p->mode == DWT_MODE_PERIODIZATION ? taps / 2 : 1;
    for (int64_t i = 0; i < n; ++i) line[i] = samples[i * step];
    for (int64_t o = 0; o < half; ++o) {
        double low = 0, high = 0;
        for (int64_t j = 0; j < taps; ++j) {
            const int64_t i = inside(2 * o + shift - j, n, p->mode);
            const double sample = i < 0 ? 0 : line[i];
            low += scaling[taps - 1 - j] * sample;
            high += (j % 2 ? scaling[j] : -scaling[j]) * sample;
        }
        samples[o * step] = low;
        samples[(half + o) * step] = high;
    }
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_dwt* p, const parallax_context* context) {
    const Plan plan = planOf(in, p);
    double* box = (double*)context->workspace;
    double* lines = box + plan.box[0] * plan.box[1] * plan.box[2];
    const int64_t step[3] = {1, plan.box[0], plan.box[0] * plan.box[1]}, longest = longestLine(&plan);
    for (int64_t c = 0; c < in->channels; ++c) {
        const float* from = in->data + c * in->channel;
        float* to = out->data + c * out->channel;
#pragma omp parallel for num_threads(context->threads) schedule(static) collapse(2)
        for (int64_t z = 0; z < in->depth; ++z)
            for (int64_t y = 0; y < in->height; ++y)
                for (int64_t x = 0; x < in->width; ++x) box[x + y * step[1] + z * step[2]] = from[x + y * in->row + z * in->slice];
                    // Between the coefficients of some modes are gaps.
#pragma omp parallel for num_threads(context->threads) schedule(static) collapse(2)
        for (int64_t z = 0; z < out->depth; ++z)
            for (int64_t y = 0; y < out->height; ++y)
                for (int64_t x = 0; x < out->width; ++x) to[x + y * out->row + z * out->slice] = 0;
        for (int64_t l = 1; l <= plan.levels; ++l) {
            int64_t extent[3] = {plan.count[0][l - 1], plan.count[1][l - 1], plan.count[2][l - 1]};
            for (int a = 0; a < 3; ++a) {
                if (!plan.transformed[a]) continue;
                const int u = a == 0 ? 1 : 0, v = a == 2 ? 1 : 2;  // the other axes
                const int64_t half = plan.count[a][l], count = extent[u] * extent[v];
#pragma omp parallel for num_threads(context->threads) schedule(static)
                for (int64_t thread = 0; thread < context->threads; ++thread)
                    for (int64_t i = count * thread / context->threads; i < count * (thread + 1) / context->threads; ++i)
                        split(box + i % extent[u] * step[u] + i / extent[u] * step[v], step[a], extent[a], half, p,
                              lines + thread * longest);
                extent[a] = 2 * half;
            }
            // Details are final; what is low along all axes is split again, except on the last level.
#pragma omp parallel for num_threads(context->threads) schedule(static) collapse(2)
            for (int64_t z = 0; z < extent[2]; ++z)
                for (int64_t y = 0; y < extent[1]; ++y)
                    for (int64_t x = 0; x < extent[0]; ++x) {
                        int64_t at[3] = {x, y, z};
                        bool detail = false;
                        for (int a = 0; a < 3; ++a) {
                            if (!plan.transformed[a] || at[a] < plan.count[a][l]) continue;
                            at[a] += plan.offset[a][l] - plan.count[a][l];
                            detail = true;
                        }
                        if (detail || l == plan.levels)
                            to[at[0] + at[1] * out->row + at[2] * out->slice] = (float)box[x + y * step[1] + z * step[2]];
                    }
        }
    }
}
