// SPDX-License-Identifier: GPL-3.0-or-later
// Copy and triad after the published definition of STREAM (McCalpin 1995): arrays of doubles, each at least four times the size of all last
// level caches, initialised in parallel; each loop timed over all threads, at least ten passes without the first; 16 and 24 bytes per
// element. stream_ratio.py compiles it. Parallax's own ceilings are measured differently (memory per thread, pinned threads, intrinsics).
// Usage: stream BYTES_OF_ALL_ARRAYS SECONDS ordinary|streaming huge|plain; threads from OMP_NUM_THREADS.
// streaming: stores bypass the caches, as with the corresponding compiler option. huge, plain: with and without huge pages.
#include <omp.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace {

constexpr double kScalar = 3;
constexpr long kVector = 8;  // doubles of a line

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// An array that begins `offset` bytes after a huge page, as with STREAM's OFFSET: equally aligned arrays are slower.
class Array {
public:
    Array(long n, std::size_t offset, bool huge) : memory_(nullptr, std::free) {
        const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(double) + offset + kHugePage - 1) / kHugePage * kHugePage;
        memory_.reset(std::aligned_alloc(kHugePage, bytes));
        if (!memory_) return;
        madvise(memory_.get(), bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
        data_ = reinterpret_cast<double*>(static_cast<char*>(memory_.get()) + offset);
    }
    double* get() const { return data_; }

private:
    std::unique_ptr<void, decltype(&std::free)> memory_;
    double* data_ = nullptr;
};

// Explicit vectors, so that both forms differ only in their stores. The empty instruction keeps the compiler from recognising a memcpy,
// whose library version may bypass the caches.
#if defined(__AVX512F__)
using Vector = __m512d;
Vector load(const double* p) { return _mm512_load_pd(p); }
Vector multiplyAdd(double s, Vector c, Vector b) { return _mm512_fmadd_pd(_mm512_set1_pd(s), c, b); }
void opaque(Vector& v) { asm volatile("" : "+v"(v)); }
template <bool Streaming>
void store(double* p, Vector v) {
    Streaming ? _mm512_stream_pd(p, v) : _mm512_store_pd(p, v);
}
constexpr bool kStreams = true;
#elif defined(__AVX2__) && defined(__FMA__)
using Vector = __m256d;
Vector load(const double* p) { return _mm256_load_pd(p); }
Vector multiplyAdd(double s, Vector c, Vector b) { return _mm256_fmadd_pd(_mm256_set1_pd(s), c, b); }
void opaque(Vector& v) { asm volatile("" : "+x"(v)); }
template <bool Streaming>
void store(double* p, Vector v) {
    Streaming ? _mm256_stream_pd(p, v) : _mm256_store_pd(p, v);
}
constexpr bool kStreams = true;
#else
using Vector = double;
Vector load(const double* p) { return *p; }
Vector multiplyAdd(double s, Vector c, Vector b) { return b + s * c; }
void opaque(Vector&) {}  // an instruction here would prevent vectorisation
template <bool Streaming>
void store(double* p, Vector v) {
    *p = v;
}
constexpr bool kStreams = false;
#endif
constexpr long kLanes = sizeof(Vector) / sizeof(double);

template <bool Streaming>
void copy(double* c, const double* a, long n) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += kLanes) {
        Vector v = load(a + i);
        opaque(v);
        store<Streaming>(c + i, v);
    }
}

template <bool Streaming>
void triad(double* a, const double* b, const double* c, long n) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i += kLanes) store<Streaming>(a + i, multiplyAdd(kScalar, load(c + i), load(b + i)));
}

/// Times of the passes that count, and their statistics. Must not call memcpy or memmove: stream_ratio.py takes such a call as a sign that
/// the compiler replaced the loops.
struct Times {
    static constexpr int kMaxPasses = 4096;
    double seconds[kMaxPasses];
    int count = 0;

    void add(double s) {
        if (count < kMaxPasses) seconds[count++] = s;
    }
    void sort() {
        std::qsort(seconds, static_cast<std::size_t>(count), sizeof(double), [](const void* a, const void* b) {
            const double x = *static_cast<const double*>(a), y = *static_cast<const double*>(b);
            return x < y ? -1 : x > y ? 1 : 0;
        });
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) return 2;
    const long n = std::atol(argv[1]) / 24 / kVector * kVector;
    const double seconds = std::atof(argv[2]);
    const bool streaming = std::strcmp(argv[3], "streaming") == 0, huge = std::strcmp(argv[4], "huge") == 0;
    if (n < 1000) return 2;
    if (streaming && !kStreams) return 3;
    constexpr std::size_t kOffset = 5 * kHugePage / 32;
    const Array first(n, 0, huge), second(n, kOffset, huge), third(n, 2 * kOffset, huge);
    double *const a = first.get(), *const b = second.get(), *const c = third.get();
    if (!a || !b || !c) return 6;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) a[i] = 1, b[i] = 2, c[i] = 0;
    static Times copies, triads;
    int passes = 0;
    double begin = 0;
    // Uses and verifies the result: c is the previous a, a = b + 3 c.
    double expected = 1, last = 0;
    for (; passes <= 10 || (omp_get_wtime() - begin < 2 * seconds && passes <= Times::kMaxPasses); ++passes) {
        double start = omp_get_wtime();
        streaming ? copy<true>(c, a, n) : copy<false>(c, a, n);
        const double copied = omp_get_wtime() - start;
        start = omp_get_wtime();
        streaming ? triad<true>(a, b, c, n) : triad<false>(a, b, c, n);
        const double added = omp_get_wtime() - start;
        if (passes == 0) begin = omp_get_wtime();
        else copies.add(copied), triads.add(added);
        last = expected, expected = 2 + kScalar * last;
    }
    for (long i = 0; i < n; i += 997)
        if (a[i] != expected || c[i] != last) return 7;
    const double elements = 1e-9 * static_cast<double>(n);
    const auto print = [&](const char* name, double bytes, Times& times, const char* end) {
        times.sort();
        std::printf("\"%s\": {\"best\": %.6f, \"median\": %.6f}%s", name, bytes * elements / times.seconds[0],
                    bytes * elements / times.seconds[times.count / 2], end);
    };
    std::printf("{\"threads\": %d, \"passes\": %d, ", omp_get_max_threads(), passes - 1);
    print("copy", 16, copies, ", ");
    print("triad", 24, triads, "}\n");
    return 0;
}
