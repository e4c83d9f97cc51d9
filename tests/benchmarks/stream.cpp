// SPDX-License-Identifier: GPL-3.0-or-later
// Copy and triad after the published definition of STREAM (McCalpin 1995): arrays of doubles, each at least four times the last cache,
// initialised in parallel, each kernel timed over all threads, the best of several passes without the first; 16 and 24 bytes an
// element. Written for the comparison of stream_ratio.py, which compiles it; the program's own ceilings work in another way (arrays a
// thread, pinned threads, intrinsics). Usage: stream BYTES_OF_ALL_ARRAYS PASSES; threads from OMP_NUM_THREADS.
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace {

struct Free {
    void operator()(double* p) const { std::free(p); }
};
using Array = std::unique_ptr<double[], Free>;

Array allocate(long n) {
    constexpr std::size_t kPage = std::size_t{2} << 20;
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(double) + kPage - 1) / kPage * kPage;
    return Array(static_cast<double*>(std::aligned_alloc(kPage, bytes)));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const long n = std::atol(argv[1]) / 24;
    const int passes = std::atoi(argv[2]);
    if (n < 1000 || passes < 2) return 2;
    const Array arrays[3] = {allocate(n), allocate(n), allocate(n)};
    double *const a = arrays[0].get(), *const b = arrays[1].get(), *const c = arrays[2].get();
    if (!a || !b || !c) return 6;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) a[i] = 1, b[i] = 2, c[i] = 0;
    constexpr double kScalar = 3;
    double copy = 1e300, triad = 1e300;
    for (int pass = 0; pass < passes; ++pass) {
        double start = omp_get_wtime();
#pragma omp parallel for schedule(static)
        for (long i = 0; i < n; ++i) c[i] = a[i];
        const double copied = omp_get_wtime() - start;
        start = omp_get_wtime();
#pragma omp parallel for schedule(static)
        for (long i = 0; i < n; ++i) a[i] = b[i] + kScalar * c[i];
        const double added = omp_get_wtime() - start;
        if (pass > 0) copy = std::min(copy, copied), triad = std::min(triad, added);
    }
    // What came out must be used, and be right: c is the a of before, a = b + 3 c.
    double expected = 1, last = 0;
    for (int pass = 0; pass < passes; ++pass) last = expected, expected = 2 + kScalar * last;
    for (long i = 0; i < n; i += 997)
        if (a[i] != expected || c[i] != last) return 7;
    const double elements = 1e-9 * static_cast<double>(n);
    std::printf("{\"threads\": %d, \"copy\": %.6f, \"triad\": %.6f}\n", omp_get_max_threads(), 16 * elements / copy, 24 * elements / triad);
    return 0;
}
