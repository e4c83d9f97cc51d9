// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the measured ceilings of a GPU with published methods, reimplemented here:
//  - transfers and the copy on the device as in nvbandwidth: 512 MiB, sixteen copies between two events, the median of several such runs,
//    from page-locked memory;
//  - copy and triad as in BabelStream: arrays of doubles, one element per thread, each pass timed by the host's clock including the wait,
//    the best of a hundred;
//  - pageable memory by a plain cudaMemcpy;
//  - multiply-adds against lanes times highest clock (shown only, since clocks under load are lower).
// Fails (1) if a ceiling differs by more than 5 %. Triad and pageable copies may exceed the check, which is not optimal for them, but triad
// must not exceed bus width times memory clock; pageable copies may be 15 % lower.
// Usage: bench_gpu_ceilings [--device N]
#include <cuda_runtime.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>

#include "gpu/backend.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/runtime/stream.hpp"

namespace {

using namespace parallax;
using gpu::check;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kTransfer = std::size_t{512} << 20;
constexpr std::size_t kDoubles = std::size_t{1} << 27;  // 1 GiB per array
constexpr int kBlock = 1024;

__global__ void copyPass(const double* a, double* c) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    c[i] = a[i];
}
__global__ void triadPass(double* a, const double* b, const double* c) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    a[i] = b[i] + 0.4 * c[i];
}

/// Returns the GB/s of sixteen copies of `bytes` each.
double likeNvbandwidth(int device, double bytes, const std::function<void(cudaStream_t)>& copy) {
    const gpu::Stream stream(device);
    gpu::Event first(gpu::Event::Kind::timing), last(gpu::Event::Kind::timing);
    std::vector<double> rates;
    for (int run = 0; run < 6; ++run) {
        first.record(stream.get());
        for (int i = 0; i < 16; ++i) copy(stream.get());
        last.record(stream.get());
        last.wait();
        float ms = 0;
        check(cudaEventElapsedTime(&ms, first.get(), last.get()), "time");
        if (run > 0) rates.push_back(16e-6 * bytes / static_cast<double>(ms));
    }
    return gpu::median(rates);
}

/// Returns the GB/s of the best pass by the host's clock.
double likeBabelStream(double bytes, int passes, const std::function<void()>& pass) {
    double best = HUGE_VAL;
    for (int i = 0; i < passes; ++i) {
        const auto start = Clock::now();
        pass();
        check(cudaDeviceSynchronize(), "a pass failed");
        if (i > 0) best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return 1e-9 * bytes / best;
}

double ceiling(const std::vector<CeilingRecord>& list, const std::string& name, const std::string& level) {
    for (const CeilingRecord& c : list)
        if (c.name == name && c.level == level) return c.value;
    return 0;
}

/// `below` and `above`: allowed deviations of the ratio from 1; 0 and 0: shown only.
bool line(const char* what, double ours, double other, const char* unit, double below, double above) {
    const double ratio = ours / other;
    const bool shownOnly = below <= 0 && above <= 0;
    const bool good = shownOnly || (ratio >= 1 - below && ratio <= 1 + above);
    std::printf("%-34s %10.1f %10.1f %-8s ratio %.4f %s\n", what, ours, other, unit, ratio,
                shownOnly ? ""
                : good    ? "ok"
                          : "BEYOND THE LIMIT");
    return good;
}

/// What follows from the properties of a device.
struct Theory {
    std::string name;
    double bus;   ///< GB/s of the memory
    double peak;  ///< GFLOP/s of multiply-adds

    explicit Theory(int device) {
        cudaDeviceProp properties{};
        int clock = 0, memoryClock = 0, busBits = 0;
        check(cudaGetDeviceProperties(&properties, device), "properties");
        check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device), "clock");
        check(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, device), "memory clock");
        check(cudaDeviceGetAttribute(&busBits, cudaDevAttrGlobalMemoryBusWidth, device), "bus width");
        name = properties.name;
        bus = 2e-6 * memoryClock * busBits / 8;  // two transfers per clock
        const int lanes = (properties.major == 7 || (properties.major == 8 && properties.minor == 0)) ? 64 : 128;
        peak = 2e-6 * lanes * properties.multiProcessorCount * clock;
    }
};

bool compare(int device) {
    const gpu::CudaBackend backend;
    const gpu::CurrentDevice current(device);
    CeilingProbe probe;
    probe.seconds = 0.5;
    const auto list = backend.measureCeilings(device, probe);

    void *pinned = nullptr, *x = nullptr;
    check(cudaHostAlloc(&pinned, kTransfer, cudaHostAllocDefault), "pinned memory");
    std::memset(pinned, 1, kTransfer);
    check(cudaMalloc(&x, kTransfer), "memory");
    const auto bytes = static_cast<double>(kTransfer);
    const double up = likeNvbandwidth(
        device, bytes, [&](cudaStream_t s) { check(cudaMemcpyAsync(x, pinned, kTransfer, cudaMemcpyHostToDevice, s), "up"); });
    const double down = likeNvbandwidth(
        device, bytes, [&](cudaStream_t s) { check(cudaMemcpyAsync(pinned, x, kTransfer, cudaMemcpyDeviceToHost, s), "down"); });
    check(cudaFreeHost(pinned), "pinned memory");
    std::vector<char> pageable(kTransfer, 1);
    const double pageableUp =
        likeBabelStream(bytes, 8, [&] { check(cudaMemcpy(x, pageable.data(), kTransfer, cudaMemcpyHostToDevice), "up"); });
    const double pageableDown =
        likeBabelStream(bytes, 8, [&] { check(cudaMemcpy(pageable.data(), x, kTransfer, cudaMemcpyDeviceToHost), "down"); });
    check(cudaFree(x), "memory");

    double *a = nullptr, *b = nullptr, *c = nullptr;
    for (double** p : {&a, &b, &c}) {
        check(cudaMalloc(reinterpret_cast<void**>(p), kDoubles * sizeof(double)), "arrays");
        check(cudaMemset(*p, 0, kDoubles * sizeof(double)), "arrays");
    }
    const double array = static_cast<double>(kDoubles) * sizeof(double);
    const double driverCopy = likeNvbandwidth(device, 2 * array, [&](cudaStream_t s) {
        check(cudaMemcpyAsync(c, a, kDoubles * sizeof(double), cudaMemcpyDeviceToDevice, s), "copy");
    });
    const double copy = likeBabelStream(2 * array, 100, [&] { copyPass<<<static_cast<unsigned>(kDoubles / kBlock), kBlock>>>(a, c); });
    const double triad = likeBabelStream(3 * array, 100, [&] { triadPass<<<static_cast<unsigned>(kDoubles / kBlock), kBlock>>>(a, b, c); });
    for (double* p : {a, b, c}) check(cudaFree(p), "arrays");

    const Theory theory(device);
    std::printf("%s\n%-34s %10s %10s\n", theory.name.c_str(), "", "Parallax", "check");
    bool good = line("copy (the better of the checks)", ceiling(list, "copy", "device"), std::max(copy, driverCopy), "GB/s", 0.05, 0.05);
    good = line("triad (as BabelStream)", ceiling(list, "triad", "device"), triad, "GB/s", 0.05, 1e9) && good;
    good = line("triad (bus width, memory clock)", ceiling(list, "triad", "device"), theory.bus, "GB/s", 1, 0) && good;
    good = line("upload, pinned (as nvbandwidth)", ceiling(list, "upload", "pinned"), up, "GB/s", 0.05, 0.05) && good;
    good = line("download, pinned (as nvbandwidth)", ceiling(list, "download", "pinned"), down, "GB/s", 0.05, 0.05) && good;
    good = line("upload, pageable (cudaMemcpy)", ceiling(list, "upload", "pageable"), pageableUp, "GB/s", 0.15, 1e9) && good;
    good = line("download, pageable (cudaMemcpy)", ceiling(list, "download", "pageable"), pageableDown, "GB/s", 0.15, 1e9) && good;
    (void)line("multiply-adds (lanes, top clock)", ceiling(list, "fma", "float"), theory.peak, "GFLOP/s", 0, 0);
    std::printf("copy by kernel %.1f GB/s, by the driver %.1f GB/s\n", copy, driverCopy);
    for (const Condition& condition : backend.conditions(device))
        std::printf("note: %s: %s\n", condition.name.c_str(), condition.what.c_str());
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    return gpu::benchmarkMain([&] { return compare(gpu::Arguments(argc, argv).number("--device", 0)) ? 0 : 1; });
}
