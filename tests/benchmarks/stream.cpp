// SPDX-License-Identifier: GPL-3.0-or-later
// Copy and triad after the published definition of STREAM (McCalpin 1995): arrays of doubles, each at least four times the last cache
// over all, initialised in parallel, each loop timed over all threads, ten passes at least, the first of which does not count; 16 and 24
// bytes an element. Written for stream_ratio.py, which compiles it; the program's own ceilings work in another way (memory a thread, pinned
// threads, intrinsics).
// Usage: stream BYTES_OF_ALL_ARRAYS SECONDS ordinary|streaming huge|plain; threads from OMP_NUM_THREADS.
// ordinary: ordinary stores; streaming: stores that go past the caches, as compilers with an option for it write these loops. huge: the
// system is asked for huge pages; plain: it is asked not to.
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

/// An array that begins `offset` bytes behind a huge page, as STREAM has it with its OFFSET: arrays in step with each other are slower.
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

// Vectors are written out where the processor's are known, so that both forms differ in their stores alone. The empty instruction keeps a
// compiler from seeing a memcpy in the copy: the C library's may write past the caches.
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
void opaque(Vector&) {}  // would keep the compiler from using vectors
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

/// Times of the passes that count, and figures from them. Nothing here makes the compiler call memcpy or memmove: that one of them is
/// called tells stream_ratio.py what became of the loops.
struct Times {
    static constexpr int kMost = 4096;
    double seconds[kMost];
    int count = 0;

    void add(double s) {
        if (count < kMost) seconds[count++] = s;
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
    // What came out must be used, and be right: c is the a of before, a = b + 3 c.
    double expected = 1, last = 0;
    for (; passes <= 10 || (omp_get_wtime() - begin < 2 * seconds && passes <= Times::kMost); ++passes) {
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
