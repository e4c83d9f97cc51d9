// SPDX-License-Identifier: GPL-3.0-or-later
// Times every variant of the primitives on one array, by device events, against a copy on the device; samples of all variants are taken in
// turns. Also times plain CUB calls and, with --tune, other tuning parameters. Checks results before it prints times.
// Usage: bench_gpu_primitives [--device N] [--mebi N (million elements, default 64)] [--quick] [--tune]
#include <cmath>
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <functional>

#include "gpu/benchmarks/bench.hpp"
#include "gpu/primitives/histogram.hpp"
#include "gpu/primitives/reduction.cuh"
#include "gpu/primitives/scan.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;
using namespace parallax::gpu;

bool allRight = true;

struct Contender {
    std::string name;
    std::function<void()> run;
    std::function<bool()> right{};  ///< checks the result once; may be empty
    std::vector<double> ms{};
};

class Bench {
public:
    Bench(int device, int samples) : session_(device), samples_(samples) {}

    /// Takes the samples in turns and prints a line each. `floorBytes`: the fewest bytes that must be moved.
    void compare(const char* title, double floorBytes, std::vector<Contender>& contenders) {
        for (Contender& c : contenders) {
            c.run();
            if (!c.right) continue;
            const bool right = c.right();
            if (!right) c.name += " WRONG";
            allRight = allRight && right;
        }
        timeInTurns(session_.clock(), contenders, samples_, 3, 10);
        const double floor = copyRate_ > 0 ? floorBytes / copyRate_ : 0;
        std::printf("\n%s\n", title);
        for (const Contender& c : contenders) {
            std::printf("  %-44s %9.4f ms  least %9.4f", c.name.c_str(), median(c.ms), c.ms.front());
            if (floor > 0) std::printf("  %6.1f %% of the copy ceiling", 100 * floor / median(c.ms));
            std::printf("\n");
        }
    }

    /// Bytes per millisecond of a copy, counting reads and writes.
    void measureCopy(float* to, const float* from, std::int64_t n) {
        const double bytes = 2.0 * static_cast<double>(n) * sizeof(float);
        std::vector<Contender> copy{
            {"copy on the device", [&, to, from, n] {
                 check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(n) * sizeof(float), cudaMemcpyDeviceToDevice, stream()), "copy");
             }}};
        compare("ceiling", bytes, copy);
        copyRate_ = bytes / median(copy[0].ms);
        std::printf("  = %.0f GB/s\n", copyRate_ * 1e-6);
    }

    cudaStream_t stream() const { return session_.stream(); }
    const CudaSession& session() const { return session_; }
    template <class T>
    T fetch(const T* p) {
        return fetch(p, 1)[0];
    }
    template <class T>
    std::vector<T> fetch(const T* p, std::size_t count) {
        std::vector<T> values(count);
        check(cudaMemcpyAsync(values.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost, stream()), "download");
        check(cudaStreamSynchronize(stream()), "synchronise");
        return values;
    }

private:
    CudaSession session_;
    int samples_;
    double copyRate_ = 0;
};

struct Memory {
    DeviceBuffer<unsigned char> bytes;
    Memory(Bench& bench, std::size_t size) : bytes(bench.session().allocator(), size + 256) {}
    Workspace workspace() { return {bytes.data(), bytes.size()}; }
};

void benchReductions(Bench& bench, const float* in, const std::vector<float>& host, float* result) {
    const auto n = static_cast<std::int64_t>(host.size());
    double sum = 0;
    float largest = -kInfinity;
    for (const float v : host) {
        sum += std::log(static_cast<double>(v + 1e-6F));
        largest = std::max(largest, v);
    }
    std::vector<Memory> memory;
    memory.reserve(kReductionVariants.size() + 1);
    std::vector<Contender> logs, maxima;
    for (const ReductionVariant variant : kReductionVariants) {
        memory.emplace_back(bench, reductionWorkspaceBytes(variant, n));
        const Workspace own = memory.back().workspace();
        initialiseReduction(variant, own, bench.stream());
        auto* const logSum = reinterpret_cast<LogSum*>(result);
        logs.push_back({info(variant).name, [=, &bench] { launchLogSum(variant, in, n, 1e-6F, logSum, own, bench.stream()); },
                        [=, &bench] { return std::fabs(bench.fetch(logSum).sum - sum) < 1e-6 * std::fabs(sum); }});
        maxima.push_back({info(variant).name, [=, &bench] { launchMaximum(variant, in, n, result, own, bench.stream()); },
                          [=, &bench] { return bench.fetch(result) == largest; }});
    }
    std::size_t bytes = 0;
    check(cub::DeviceReduce::Max(nullptr, bytes, in, result, n, bench.stream()), "cub");
    memory.emplace_back(bench, bytes);
    const Workspace own = memory.back().workspace();
    maxima.push_back({"peer: cub::DeviceReduce::Max",
                      [=, &bench] {
                          std::size_t size = bytes;
                          check(cub::DeviceReduce::Max(own.data, size, in, result, n, bench.stream()), "cub");
                      },
                      [=, &bench] { return bench.fetch(result) == largest; }});
    const double floorBytes = static_cast<double>(n) * sizeof(float);
    bench.compare("sum of logarithms", floorBytes, logs);
    bench.compare("maximum", floorBytes, maxima);
}

void benchHistogram(Bench& bench, const char* title, const float* in, const std::vector<float>& host, int bins, std::uint64_t* counts) {
    const auto n = static_cast<std::int64_t>(host.size());
    const HistogramRequest request{.bins = bins, .limits = {0, 1}};
    std::vector<std::uint64_t> wanted(static_cast<std::size_t>(bins) + 3);
    const Binning binning = Binning::of(request.limits, bins);
    for (const float v : host) ++wanted[static_cast<std::size_t>(binning.slot(v))];
    wanted.pop_back();
    std::vector<Memory> memory;
    memory.reserve(kHistogramVariants.size() + 1);
    std::vector<Contender> contenders;
    for (const HistogramVariant variant : kHistogramVariants) {
        memory.emplace_back(bench, histogramWorkspaceBytes(variant, n, bins));
        const Workspace own = memory.back().workspace();
        contenders.push_back({info(variant).name, [=, &bench] { launchHistogram(variant, in, n, request, counts, own, bench.stream()); },
                              [=, &bench] { return bench.fetch(counts, wanted.size()) == wanted; }});
    }
    std::size_t bytes = 0;
    auto* const narrow = reinterpret_cast<unsigned*>(counts);
    check(cub::DeviceHistogram::HistogramEven(nullptr, bytes, in, narrow, bins + 1, 0.0F, 1.0F, n, bench.stream()), "cub");
    memory.emplace_back(bench, bytes);
    const Workspace own = memory.back().workspace();
    contenders.push_back(
        {"peer: cub::DeviceHistogram, upper end left out", [=, &bench] {
             std::size_t size = bytes;
             check(cub::DeviceHistogram::HistogramEven(own.data, size, in, narrow, bins + 1, 0.0F, 1.0F, n, bench.stream()), "cub");
         }});
    bench.compare((std::string("histogram, ") + std::to_string(bins) + " bins, " + title).c_str(), static_cast<double>(n) * sizeof(float),
                  contenders);
}

template <class T>
void benchScan(Bench& bench, const char* title, const T* in, T* out, std::int64_t n) {
    const std::vector<T> host = bench.fetch(in, static_cast<std::size_t>(n));
    double sum = 0;
    for (const T v : host) sum += static_cast<double>(v);
    const double last = sum - static_cast<double>(host.back());
    std::vector<Memory> memory;
    memory.reserve(kScanVariants.size());
    std::vector<Contender> contenders;
    for (const ScanVariant variant : kScanVariants) {
        memory.emplace_back(bench, scanWorkspaceBytes<T>(variant, n));
        const Workspace own = memory.back().workspace();
        contenders.push_back({info(variant).name, [=, &bench] { launchExclusiveScan<T>(variant, in, out, n, own, bench.stream()); },
                              [=, &bench] { return std::fabs(static_cast<double>(bench.fetch(out + n - 1)) - last) <= 1e-4 * last; }});
    }
    bench.compare(title, 2.0 * static_cast<double>(n) * sizeof(T), contenders);
}

template <int Threads, int Vectors, int Blocks>
struct Knobs {
    static constexpr StreamTuning value{Threads, Vectors, Blocks};
};

template <class... Tried>
void tune(Bench& bench, const float* in, std::int64_t n, float* result) {
    Memory memory(bench, std::size_t{4} << 20);
    const Workspace own = memory.workspace();
    initialiseReduction(ReductionVariant::warp, own, bench.stream());
    std::vector<Contender> contenders;
    const auto add = [&]<class Knobs>(Knobs) {
        const StreamTuning t = Knobs::value;
        contenders.push_back(
            {"threads " + std::to_string(t.threads) + " vectors " + std::to_string(t.vectors) + " blocks " + std::to_string(t.blocks) +
                 ", chunks of " + std::to_string(Chunks::of(n, t).length / t.step()) + " steps",
             [=, &bench] { launchWarp<Knobs>(in, n, LogSumOperator{1e-6F}, reinterpret_cast<LogSum*>(result), own, bench.stream()); }});
    };
    (add(Tried{}), ...);
    bench.compare("tuning parameters of the reduction (sum of logarithms)", static_cast<double>(n) * sizeof(float), contenders);
}

void upload(Bench& bench, float* to, const std::vector<float>& from) {
    check(cudaMemcpyAsync(to, from.data(), from.size() * sizeof(float), cudaMemcpyHostToDevice, bench.stream()), "upload");
}

void run(int device, std::int64_t n, int samples, bool tuning) {
    Bench bench(device, samples);
    std::vector<float> host(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = pseudoRandom(i);
    const auto size = static_cast<std::size_t>(n);
    DeviceBuffer<float> in(bench.session().allocator(), size), out(bench.session().allocator(), size + 64);
    upload(bench, in.data(), host);
    std::printf("%lld elements of 4 bytes\n", static_cast<long long>(n));
    bench.measureCopy(out.data(), in.data(), n);
    benchReductions(bench, in.data(), host, out.data());
    DeviceBuffer<std::uint64_t> counts(bench.session().allocator(), 70000);
    benchHistogram(bench, "random values", in.data(), host, 256, counts.data());
    benchHistogram(bench, "random values", in.data(), host, 1024, counts.data());
    benchHistogram(bench, "random values", in.data(), host, 4096, counts.data());
    benchScan<float>(bench, "exclusive scan of floats", in.data(), out.data(), n);
    benchScan<std::uint64_t>(bench, "exclusive scan of the histogram's 4096 counts (64 bits)", counts.data(), counts.data() + 5000, 4096);
    // The worst case of contention, and values that resemble neighbouring pixels.
    std::fill(host.begin(), host.end(), 0.3F);
    upload(bench, in.data(), host);
    benchHistogram(bench, "all in one bin", in.data(), host, 256, counts.data());
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = 0.5F + 0.4F * std::sin(static_cast<float>(i) * 1e-3F) + 0.02F * pseudoRandom(i);
    upload(bench, in.data(), host);
    benchHistogram(bench, "neighbours alike", in.data(), host, 256, counts.data());
    if (tuning)
        tune<Knobs<256, 4, 6>, Knobs<256, 4, 5>, Knobs<256, 4, 8>, Knobs<256, 2, 8>, Knobs<256, 8, 4>, Knobs<512, 4, 3>, Knobs<512, 2, 4>,
             Knobs<128, 4, 12>, Knobs<128, 8, 8>>(bench, in.data(), n, out.data());
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        run(arguments.number("--device", 0), std::max<std::int64_t>(arguments.number("--mebi", 64), 1) << 20,
            arguments.has("--quick") ? 7 : 21, arguments.has("--tune"));
        if (!allRight) std::printf("\nSOME RESULTS ARE WRONG\n");
        return allRight ? 0 : 7;
    });
}
