// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients without a preconditioner (Hestenes and Stiefel 1952): the equation of each channel in double, with one loop for each
// product, sum and update.
#include <math.h>
#include <parallax/poisson.h>

typedef struct grid {
    int64_t width, height, depth, threads, dirichlet;
    double wx, wy, wz, screening;
} grid;

static int64_t cells(const grid* g) { return g->width * g->height * g->depth; }

// Five arrays of a channel: the right side, the solution, the residual, the direction, and the product with the matrix.
int64_t parallax_workspace(const parallax_input* in, const parallax_poisson*, const parallax_context*) {
    return 5 * in->width * in->height * in->depth * (int64_t)sizeof(double);
}

// to = (L + screening) u, by the stencil of 5 points, or of 7 in a volume.
static void multiply(const grid* g, const double* u, double* to) {
    const int64_t w = g->width, h = g->height, d = g->depth;
#pragma omp parallel for num_threads(g->threads) schedule(static)
    for (int64_t row = 0; row < h * d; ++row) {
        const int64_t y = row % h, z = row / h;
        for (int64_t x = 0; x < w; ++x) {
            const int64_t i = x + row * w;
            double sum = g->screening * u[i];
            // A missing neighbour is 0 (Dirichlet), or there is no edge to it (Neumann).
            sum += x > 0 ? g->wx * (u[i] - u[i - 1]) : g->dirichlet * g->wx * u[i];
            sum += x + 1 < w ? g->wx * (u[i] - u[i + 1]) : g->dirichlet * g->wx * u[i];
            sum += y > 0 ? g->wy * (u[i] - u[i - w]) : g->dirichlet * g->wy * u[i];
            sum += y + 1 < h ? g->wy * (u[i] - u[i + w]) : g->dirichlet * g->wy * u[i];
            if (d > 1) {
                sum += z > 0 ? g->wz * (u[i] - u[i - w * h]) : g->dirichlet * g->wz * u[i];
                sum += z + 1 < d ? g->wz * (u[i] - u[i + w * h]) : g->dirichlet * g->wz * u[i];
            }
            to[i] = sum;
        }
    }
}

static double dot(const grid* g, const double* a, const double* b) {
    double sum = 0;
    const int64_t n = cells(g);
#pragma omp parallel for num_threads(g->threads) schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
}

// y = a x + b y
static void combine(const grid* g, double a, const double* x, double b, double* y) {
    const int64_t n = cells(g);
#pragma omp parallel for num_threads(g->threads) schedule(static)
    for (int64_t i = 0; i < n; ++i) y[i] = a * x[i] + b * y[i];
}

static void subtractMean(const grid* g, double* u) {
    double sum = 0;
    const int64_t n = cells(g);
    for (int64_t i = 0; i < n; ++i) sum += u[i];
    for (int64_t i = 0; i < n; ++i) u[i] -= sum / (double)n;
}

static void solve(const grid* g, const parallax_poisson* p, double* f) {
    const int64_t n = cells(g);
    double *u = f + n, *residual = u + n, *direction = residual + n, *product = direction + n;
    // Without screening and with free borders only the mean of 0 has a solution.
    const int singular = !g->dirichlet && g->screening == 0;
    if (singular) subtractMean(g, f);
    combine(g, 0, f, 0, u);
    for (int64_t i = 0; i < n; ++i) u[i] = 0, residual[i] = direction[i] = f[i];
    double old = dot(g, residual, residual);
    const double enough = p->tolerance * p->tolerance * old;
    for (int64_t k = 0; k < p->iterations && old > enough; ++k) {
        multiply(g, direction, product);
        const double step = old / dot(g, direction, product);
        combine(g, step, direction, 1, u);
        combine(g, -step, product, 1, residual);
        const double now = dot(g, residual, residual);
        combine(g, 1, residual, now / old, direction);
        old = now;
    }
    if (singular) subtractMean(g, u);
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_poisson* p, const parallax_context* context) {
    const double* h = context->spacing;
    const grid g = {in->width,         in->height,        in->depth,         context->threads, p->border == POISSON_BORDER_DIRICHLET,
                    1 / (h[0] * h[0]), 1 / (h[1] * h[1]), 1 / (h[2] * h[2]), p->screening};
    double* f = (double*)context->workspace;
    for (int64_t c = 0; c < in->channels; ++c) {
        if (p->solved.data[c] != 0) {
            for (int64_t z = 0; z < g.depth; ++z)
                for (int64_t y = 0; y < g.height; ++y)
                    for (int64_t x = 0; x < g.width; ++x) {
                        const float sample = in->data[x + y * in->row + z * in->slice + c * in->channel];
                        f[x + (y + z * g.height) * g.width] = isfinite(sample) ? sample : 0;
                    }
            solve(&g, p, f);
        }
        for (int64_t z = 0; z < g.depth; ++z)
            for (int64_t y = 0; y < g.height; ++y)
                for (int64_t x = 0; x < g.width; ++x) {
                    const float sample = in->data[x + y * in->row + z * in->slice + c * in->channel];
                    const int copied = p->solved.data[c] == 0 || !isfinite(sample);
                    const double u = f[cells(&g) + x + (y + z * g.height) * g.width];
                    out->data[x + y * out->row + z * out->slice + c * out->channel] = copied ? sample : (float)u;
                }
    }
}
