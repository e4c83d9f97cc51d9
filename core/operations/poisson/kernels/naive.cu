// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradients without a preconditioner (Hestenes and Stiefel 1952) on the device: the equation of each channel in double, with one
// kernel for each product, sum and update. A function on the host launches them and reads each dot product, so the file needs nvcc.
#include <math.h>
#include <parallax/poisson.h>

#include <stdexcept>

#define THREADS 256

typedef struct domain {
    int64_t width, height, depth, dirichlet;
    double wx, wy, wz, screening;
} domain;

static __host__ __device__ int64_t cells(domain g) { return g.width * g.height * g.depth; }

static void check(cudaError_t error) {
    if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

// Five arrays of a channel: the right side, the solution, the residual, the direction, and the product with the matrix; and a sum.
int64_t parallax_workspace(const parallax_input* in, const parallax_poisson*, const parallax_context*) {
    return (5 * in->width * in->height * in->depth + 1) * (int64_t)sizeof(double);
}

static __device__ int64_t cell() { return blockIdx.x * (int64_t)blockDim.x + threadIdx.x; }

// to = (L + screening) u, by the stencil of 5 points, or of 7 in a volume.
static __global__ void multiply(domain g, const double* u, double* to) {
    const int64_t i = cell(), w = g.width, h = g.height, x = i % w, y = i / w % h, z = i / w / h;
    if (i >= cells(g)) return;
    double sum = g.screening * u[i];
    // A missing neighbour is 0 (Dirichlet), or there is no edge to it (Neumann).
    sum += x > 0 ? g.wx * (u[i] - u[i - 1]) : g.dirichlet * g.wx * u[i];
    sum += x + 1 < w ? g.wx * (u[i] - u[i + 1]) : g.dirichlet * g.wx * u[i];
    sum += y > 0 ? g.wy * (u[i] - u[i - w]) : g.dirichlet * g.wy * u[i];
    sum += y + 1 < h ? g.wy * (u[i] - u[i + w]) : g.dirichlet * g.wy * u[i];
    if (g.depth > 1) {
        sum += z > 0 ? g.wz * (u[i] - u[i - w * h]) : g.dirichlet * g.wz * u[i];
        sum += z + 1 < g.depth ? g.wz * (u[i] - u[i + w * h]) : g.dirichlet * g.wz * u[i];
    }
    to[i] = sum;
}

// Adds a[i] b[i], or a[i] without b, to *sum: a tree in each block, whose total one thread adds.
static __global__ void addProducts(int64_t n, const double* a, const double* b, double* sum) {
    __shared__ double all[THREADS];
    const int t = threadIdx.x;
    double own = 0;
    for (int64_t i = cell(); i < n; i += (int64_t)gridDim.x * THREADS) own += b ? a[i] * b[i] : a[i];
    all[t] = own;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) all[t] += all[t + half];
    }
    if (t == 0) atomicAdd(sum, all[0]);
}

// y = a x + b y + c
static __global__ void combine(int64_t n, double a, const double* x, double b, double* y, double c) {
    const int64_t i = cell();
    if (i < n) y[i] = (a != 0 ? a * x[i] : 0) + (b != 0 ? b * y[i] : 0) + c;
}

// f = the samples of a channel; 0 where they are not finite.
static __global__ void load(domain g, parallax_input in, int64_t channel, double* f) {
    const int64_t i = cell(), x = i % g.width, y = i / g.width % g.height, z = i / g.width / g.height;
    if (i >= cells(g)) return;
    const float sample = in.data[x + y * in.row + z * in.slice + channel * in.channel];
    f[i] = isfinite(sample) ? sample : 0;
}

static __global__ void store(domain g, parallax_input in, parallax_output out, int64_t channel, bool solved, const double* u) {
    const int64_t i = cell(), x = i % g.width, y = i / g.width % g.height, z = i / g.width / g.height;
    if (i >= cells(g)) return;
    const float sample = in.data[x + y * in.row + z * in.slice + channel * in.channel];
    out.data[x + y * out.row + z * out.slice + channel * out.channel] = solved && isfinite(sample) ? (float)u[i] : sample;
}

// Launches the kernels for one domain.
typedef struct solver {
    domain g;
    double* sum;
    cudaStream_t stream;
    int64_t n, blocks;
} solver;

static double dot(const solver* s, const double* a, const double* b) {
    double sum = 0;
    check(cudaMemsetAsync(s->sum, 0, sizeof sum, s->stream));
    const int64_t blocks = s->blocks < 1024 ? s->blocks : 1024;
    addProducts<<<blocks, THREADS, 0, s->stream>>>(s->n, a, b, s->sum);
    check(cudaMemcpyAsync(&sum, s->sum, sizeof sum, cudaMemcpyDeviceToHost, s->stream));
    check(cudaStreamSynchronize(s->stream));
    return sum;
}

static void update(const solver* s, double a, const double* x, double b, double* y, double c) {
    combine<<<s->blocks, THREADS, 0, s->stream>>>(s->n, a, x, b, y, c);
}

static void solve(const solver* s, const parallax_poisson* p, double* f) {
    double *u = f + s->n, *residual = u + s->n, *direction = residual + s->n, *product = direction + s->n;
    // Without screening and with free borders only the mean of 0 has a solution.
    const bool singular = !s->g.dirichlet && s->g.screening == 0;
    if (singular) update(s, 0, f, 1, f, -dot(s, f, NULL) / (double)s->n);
    update(s, 0, f, 0, u, 0);
    update(s, 1, f, 0, residual, 0);
    update(s, 1, f, 0, direction, 0);
    double old = dot(s, residual, residual);
    const double enough = p->tolerance * p->tolerance * old;
    for (int64_t k = 0; k < p->iterations && old > enough; ++k) {
        multiply<<<s->blocks, THREADS, 0, s->stream>>>(s->g, direction, product);
        const double step = old / dot(s, direction, product);
        update(s, step, direction, 1, u, 0);
        update(s, -step, product, 1, residual, 0);
        const double now = dot(s, residual, residual);
        update(s, 1, residual, now / old, direction, 0);
        old = now;
    }
    if (singular) update(s, 0, u, 1, u, -dot(s, u, NULL) / (double)s->n);
}

void parallax_kernel(const parallax_input* in, const parallax_output* out, const parallax_poisson* p, const parallax_context* context) {
    const double* h = context->spacing;
    const domain g = {in->width,         in->height,        in->depth,         p->border == POISSON_BORDER_DIRICHLET,
                      1 / (h[0] * h[0]), 1 / (h[1] * h[1]), 1 / (h[2] * h[2]), p->screening};
    double* const f = (double*)context->workspace;
    const solver s = {g, f + 5 * cells(g), context->stream, cells(g), (cells(g) + THREADS - 1) / THREADS};
    for (int64_t c = 0; c < in->channels; ++c) {
        float solved = 0;  // arrays of the parameters are on the device
        check(cudaMemcpyAsync(&solved, p->solved.data + c, sizeof solved, cudaMemcpyDeviceToHost, s.stream));
        check(cudaStreamSynchronize(s.stream));
        if (solved != 0) {
            load<<<s.blocks, THREADS, 0, s.stream>>>(g, *in, c, f);
            solve(&s, p, f);
        }
        store<<<s.blocks, THREADS, 0, s.stream>>>(g, *in, *out, c, solved != 0, f + cells(g));
        check(cudaGetLastError());
    }
}
