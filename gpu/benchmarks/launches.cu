// SPDX-License-Identifier: GPL-3.0-or-later
// Short launches: tries block shapes of the convolution kernels on images that do not fill the device, beside NPP, an empty kernel and a
// copy, each timed in three ways: as in a run of the engine (an upload, an event, one launch, an event), the same behind a kernel that
// keeps the device busy until all of it is enqueued, and ten launches in a row. Samples are interleaved; results are compared with the
// kernel for any size. With --large, tuning parameters (tuning.hpp) on one large image, with many waves of blocks.
// Usage: bench_gpu_launches [--rounds N] [--size N] [--kernel K] [--large]
#include <cmath>
#include <functional>
#include <memory>

#include "gpu/benchmarks/bench.hpp"
#include "gpu/operations/convolution/kernels/register_blocked.cuh"
#include "gpu/operations/convolution/kernels/staged.cuh"
#include "gpu/runtime/libraries/npp.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;
using namespace parallax::gpu;

__global__ void nothing() {}
__global__ void copyVectors(const float4* in, float4* out) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __ldg(in + i);
}
/// Keeps one thread busy for some microseconds.
__global__ void busy(unsigned cycles) {
    const long long start = clock64();
    while (clock64() - start < cycles) {}
}

template <int Rows, int Warps, int Blocks, int Ahead, int Prefetch = 0>
struct Knobs {
    static constexpr DirectTuning value{Rows, Warps, Blocks, Ahead, true, Prefetch};
};

struct Trial {
    std::string name;
    std::function<void()> run;
    bool filters = true;
    std::vector<double> asRun, busy, row;
    double error = 0;
};

struct Bench {
    CudaSession& session;
    int extent;
    ConvolutionLaunch launch{};
    Buffer host, in, out, expected;
    Buffer result;
    std::vector<float> weights;
    std::vector<Trial> trials;

    Bench(CudaSession& s, int n)
        : session(s),
          extent(n),
          host(Shape{n, n, 1, 1}),
          in(s.allocate(Shape{n, n, 1, 1})),
          out(s.allocate(Shape{n, n, 1, 1})),
          expected(Shape{n, n, 1, 1}),
          result(Shape{n, n, 1, 1}),
          weights(127 * 127) {
        for (std::int64_t i = 0; i < host.shape().samples(); ++i) host.view().data[i] = pseudoRandom(static_cast<std::uint64_t>(i));
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = host.view().data[i] - 0.5F;
        session.upload(std::as_const(host).view(), in.view<float>());
        launch.planes = {std::as_const(in).view<float>().data, out.view<float>().data, extent, 0, extent, 0, extent, extent, 1, 0, extent};
        launch.columns = launch.rows = {nullptr, nullptr, extent, EdgeTable::lineOf(extent, BorderMode::replicate)};
        launch.hostWeights = launch.hostRow = launch.hostColumn = weights.data();
        launch.multiprocessors = deviceLimits(session.device()).multiprocessors;
        launch.streaming = 8 * static_cast<std::uint64_t>(host.shape().samples()) > deviceLimits(session.device()).cacheBytes;
    }
    void add(std::string name, std::function<void()> run, bool filters = true) {
        trials.push_back({std::move(name), std::move(run), filters, {}, {}, {}, 0});
    }
    template <int K, int Rows, int Warps, int Blocks, int Ahead, int Prefetch = 0>
    void blocked() {
        add("blocked " + std::to_string(Rows) + " rows " + std::to_string(Warps) + " warps, " + std::to_string(Blocks) + " blocks, ahead " +
                std::to_string(Ahead) + (Prefetch ? ", prefetch " + std::to_string(Prefetch) : std::string()),
            [this] { launchTuned<K, Knobs<Rows, Warps, Blocks, Ahead, Prefetch>>(launch, session.stream()); });
    }
    template <int K, int Rows, int Warps = StagedTile<K, Rows>::kWarps, int Blocks = StagedTile<K, Rows>::kBlocks>
    void staged() {
        add("staged " + std::to_string(Rows) + " rows " + std::to_string(Warps) + " warps, " + std::to_string(Blocks) + " blocks",
            [this] { launchStagedTile<K, StagedTile<K, Rows, Warps, Blocks>>(launch, session.stream()); });
    }

    template <int K, int Rows, int Warps, int Blocks, int Ahead, int Prefetch = 0>
    void factors() {
        add("separable " + std::to_string(Rows) + " rows " + std::to_string(Warps) + " warps, " + std::to_string(Blocks) +
                " blocks, ahead " + std::to_string(Ahead) + (Prefetch ? ", prefetch " + std::to_string(Prefetch) : std::string()),
            [this] { launchTuned<K, Knobs<Rows, Warps, Blocks, Ahead, Prefetch>, FactorWeights<K>>(launch, session.stream()); });
    }

    double microseconds(const Trial& t, int calls) { return 1e3 * millisecondsOf(session.clock(), calls, t.run); }

    /// Adds NPP, the kernels as chosen, an empty kernel and a copy.
    void addPeers(int k, const float* reversedWeights, bool separable) {
        if (nppState().loaded && !separable) {
            const NppFilterArguments a{.in = launch.planes.in,
                                       .out = launch.planes.out,
                                       .inRowStride = extent,
                                       .outRowStride = extent,
                                       .width = extent,
                                       .height = extent,
                                       .reversedWeights = reversedWeights,
                                       .kernelWidth = k,
                                       .kernelHeight = k,
                                       .anchorX = k / 2,
                                       .anchorY = k / 2};
            const auto npp = std::make_shared<NppFilter>(session.device(), session.stream());
            add("NPP", [npp, a] { npp->run(a); });
        }
        add(
            "direct, as chosen", [this] { launchDirect(launch, session.stream()); }, !separable);
        if (separable) add("separable, as chosen", [this] { launchSeparable(launch, session.stream()); });
        const auto anySize = separable ? &SeparableAnySize::launch : &AnySize::launch;
        add("any size", [this, anySize] { anySize(launch, session.stream()); });
        add(
            "an empty kernel", [this] { nothing<<<1, 32, 0, session.stream()>>>(); }, false);
        const auto copy = [this] {
            const unsigned blocks = static_cast<unsigned>(extent) * static_cast<unsigned>(extent) / 4 / 256;
            copyVectors<<<blocks, 256, 0, session.stream()>>>(reinterpret_cast<const float4*>(launch.planes.in),
                                                              reinterpret_cast<float4*>(out.view<float>().data));
        };
        add("a copy", copy, false);
    }
    /// Finds the largest difference from the expected result.
    void check(Trial& t) {
        gpu::check(cudaMemsetAsync(out.data(), 0xFF, out.bytes(), session.stream()), "poison");
        t.run();
        session.download(out.view<float>(), result.view());
        if (!t.filters) return;
        for (std::int64_t i = 0; i < result.shape().samples(); ++i) {
            const double e = std::fabs(static_cast<double>(result.view().data[i]) - static_cast<double>(expected.view().data[i]));
            t.error = e <= t.error ? t.error : e;
        }
    }
    void measure(int k, int rounds, bool separable = false) {
        launch.kernelWidth = launch.kernelHeight = k;
        launch.anchorX = launch.anchorY = k / 2;
        const DeviceBuffer<float> deviceWeights(session.allocator(), std::span<const float>(weights), session.stream());
        std::vector<float> backwards(weights.begin(), weights.begin() + k * k);
        std::reverse(backwards.begin(), backwards.end());
        const DeviceBuffer<float> reversed(session.allocator(), std::span<const float>(backwards), session.stream());
        launch.weights = deviceWeights.data();
        launch.rowWeights = launch.columnWeights = deviceWeights.data();
        (separable ? &SeparableAnySize::launch : &AnySize::launch)(launch, session.stream());
        session.download(out.view<float>(), expected.view());
        addPeers(k, reversed.data(), separable);
        for (Trial& t : trials) check(t);
        const bool large = extent > 4096;
        for (int r = 0; r < rounds; ++r)
            for (Trial& t : trials) {
                if (!large) {
                    session.upload(std::as_const(host).view(), in.view<float>());
                    t.asRun.push_back(microseconds(t, 1));
                    session.upload(std::as_const(host).view(), in.view<float>());
                }
                busy<<<1, 1, 0, session.stream()>>>(60000);
                t.busy.push_back(microseconds(t, 1));
                if (!large || r % 3 == 0) t.row.push_back(microseconds(t, 10));
            }
        std::sort(trials.begin(), trials.end(),
                  [](const Trial& x, const Trial& y) { return quantile(x.busy, 0.5) < quantile(y.busy, 0.5); });
        std::printf("\n%d x %d, k = %d: us, median (least)\n  %-17s %-17s %-17s\n", extent, extent, k, "as in a run", "device busy",
                    "ten in a row");
        for (const Trial& t : trials)
            std::printf("  %7.2f (%7.2f) %7.2f (%7.2f) %7.2f (%7.2f)  %s%s\n", quantile(t.asRun, 0.5), quantile(t.asRun, 0),
                        quantile(t.busy, 0.5), quantile(t.busy, 0), quantile(t.row, 0.5), quantile(t.row, 0), t.name.c_str(),
                        t.error < 1e-4 ? "" : "  WRONG");
        trials.clear();
    }
};

template <int K>
void small(Bench& b, int rounds) {
    if constexpr (K <= 7) {
        b.blocked<K, 2, 4, 8, 8>();
        b.blocked<K, 4, 4, 6, 5>();
    }
    b.staged<K, 2, 8, 3>();
    b.measure(K, rounds);
}

template <int K>
void smallSeparable(Bench& b, int rounds) {
    if constexpr (K <= 9) b.factors<K, 4, 4, 6, 1>();
    else b.factors<K, 8, 4, 5, 1>();
    b.measure(K, rounds, true);
}

/// The trials that tuning.hpp has chosen for large images, and others around them.
template <int K>
void large(Bench& b, int rounds) {
    if constexpr (K == 3) b.blocked<K, 2, 8, 6, 4>();
    if constexpr (K == 7) b.blocked<K, 4, 4, 8, 1, 1>();
    if constexpr (K <= 7) {
        b.blocked<K, 4, 8, 4, 1>();
        b.blocked<K, 4, 8, 4, 1, 2>();
        b.blocked<K, 2, 4, 10, 4>();
        b.blocked<K, 2, 4, 10, 4, 2>();
        b.staged<K, 1>();
    }
    b.blocked<K, 3, 8, 5, 1>();
    b.blocked<K, 3, 8, 5, 1, 2>();
    b.staged<K, 2>();
    b.staged<K, 3>();
    b.staged<K, 4>();
    b.measure(K, rounds);
}

template <int K>
void largeSeparable(Bench& b, int rounds) {
    if constexpr (K <= 9) {
        b.factors<K, 4, 4, 6, 1>();
        b.factors<K, 4, 4, 6, 1, 1>();
        b.factors<K, 4, 8, 4, 1>();
        b.factors<K, 4, 8, 4, 1, 2>();
    } else {
        b.factors<K, 8, 4, 5, 1>();
        b.factors<K, 12, 4, 4, 1>();
    }
    b.factors<K, 8, 4, 6, 1>();
    b.factors<K, 8, 4, 6, 1, 2>();
    b.measure(K, rounds, true);
}

template <int... K>
void allLarge(Bench& b, int rounds, int kernel) {
    ((kernel == 0 || kernel == K ? large<K>(b, rounds) : void()), ...);
    ((kernel == 0 || kernel == K ? largeSeparable<K>(b, rounds) : void()), ...);
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        const int rounds = arguments.number("--rounds", 40), size = arguments.number("--size", 0), kernel = arguments.number("--kernel", 0);
        CudaSession session(0);
        if (arguments.has("--large")) {
            Bench b(session, size ? size : 8192);
            allLarge<3, 5, 7, 9, 11, 13, 15>(b, rounds, kernel);
            return 0;
        }
        for (const int n : {256, 512, 1024, 1536, 2048, 3072, 4096}) {
            if (size && n != size) continue;
            Bench b(session, n);
            const auto chosen = [&](int k) { return !kernel || kernel == k; };
            if (chosen(3)) small<3>(b, rounds);
            if (chosen(5)) small<5>(b, rounds);
            if (chosen(7)) small<7>(b, rounds), smallSeparable<7>(b, rounds);
            if (chosen(9)) small<9>(b, rounds), smallSeparable<9>(b, rounds);
            if (chosen(11)) smallSeparable<11>(b, rounds);
            if (chosen(13)) small<13>(b, rounds), smallSeparable<13>(b, rounds);
            if (chosen(15)) small<15>(b, rounds), smallSeparable<15>(b, rounds);
        }
        return 0;
    });
}
