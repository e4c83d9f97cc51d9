// SPDX-License-Identifier: GPL-3.0-or-later
// Short launches: tries block shapes of the convolution kernels on images that do not fill the device, beside NPP, an empty kernel and a
// copy, each timed in three ways: as in a run of the engine (an upload, an event, one launch, an event), the same behind a kernel that
// keeps the device busy until all of it is enqueued, and ten launches in a row. Samples are interleaved; results are compared with the
// kernel for any size. Then the same for one large image, with many waves of blocks.
// Usage: bench_gpu_launches [--rounds N] [--size N] [--kernel K] [--large]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/operations/convolution/kernels/register_blocked.cuh"
#include "gpu/operations/convolution/kernels/staged.cuh"
#include "gpu/runtime/device.hpp"
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

double quantile(std::vector<double> v, double q) {
    std::sort(v.begin(), v.end());
    return v.empty() ? 0 : v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1))];
}

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
        std::uint64_t state = 1;
        for (std::int64_t i = 0; i < host.shape().samples(); ++i) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            host.view().data[i] = static_cast<float>(state >> 40) * 0x1p-24F;
        }
        for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = host.view().data[i] - 0.5F;
        session.upload(std::as_const(host).view(), in);
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
    template <int K, int Rows, int Warps, int Blocks>
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

    double timed(const std::function<void()>& run, int calls) {
        session.clock().begin(Stage::compute);
        for (int i = 0; i < calls; ++i) run();
        session.clock().end();
        return static_cast<double>(session.clock().finish().compute()) * 1e-3 / calls;
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
        (separable ? &launchSeparableAnySize : &launchAnySize)(launch, session.stream());
        session.download(out, expected.view());
        NppFilterArguments a{.in = launch.planes.in,
                             .out = launch.planes.out,
                             .inRowStride = extent,
                             .outRowStride = extent,
                             .width = extent,
                             .height = extent,
                             .reversedWeights = reversed.data(),
                             .kernelWidth = k,
                             .kernelHeight = k,
                             .anchorX = k / 2,
                             .anchorY = k / 2};
        std::unique_ptr<NppFilter> npp;
        if (nppState().loaded && !separable) {
            npp = std::make_unique<NppFilter>(session.device(), session.stream());
            add("NPP", [&] { npp->run(a); });
        }
        add(
            "direct, as chosen", [&] { launchDirect(launch, session.stream()); }, !separable);
        if (separable) {
            add("separable, as chosen", [&] { launchSeparable(launch, session.stream()); });
            add("separable, any size", [&] { launchSeparableAnySize(launch, session.stream()); });
        }
        add(
            "an empty kernel", [&] { nothing<<<1, 32, 0, session.stream()>>>(); }, false);
        add(
            "a copy",
            [&] {
                copyVectors<<<static_cast<unsigned>(extent) * static_cast<unsigned>(extent) / 4 / 256, 256, 0, session.stream()>>>(
                    reinterpret_cast<const float4*>(launch.planes.in), reinterpret_cast<float4*>(out.view<float>().data));
            },
            false);
        for (Trial& t : trials) {
            check(cudaMemsetAsync(out.data(), 0xFF, out.bytes(), session.stream()), "poison");
            t.run();
            session.download(out, result.view());
            if (!t.filters) continue;
            for (std::int64_t i = 0; i < result.shape().samples(); ++i) {
                const double e = std::fabs(static_cast<double>(result.view().data[i]) - static_cast<double>(expected.view().data[i]));
                t.error = e <= t.error ? t.error : e;
            }
        }
        const bool large = extent > 4096;
        for (int r = 0; r < rounds; ++r)
            for (Trial& t : trials) {
                if (!large) {
                    session.upload(std::as_const(host).view(), in);
                    t.asRun.push_back(timed(t.run, 1));
                    session.upload(std::as_const(host).view(), in);
                }
                busy<<<1, 1, 0, session.stream()>>>(60000);
                t.busy.push_back(timed(t.run, 1));
                if (!large || r % 3 == 0) t.row.push_back(timed(t.run, 10));
            }
        std::sort(trials.begin(), trials.end(),
                  [](const Trial& x, const Trial& y) { return quantile(x.busy, 0.5) < quantile(y.busy, 0.5); });
        std::printf("\n%d x %d, k = %d: us, median (least)\n  %-17s %-17s %-17s\n", extent, extent, k, "as in a run", "device busy",
                    "ten in a row");
        for (const Trial& t : trials)
            std::printf("  %7.2f (%7.2f) %7.2f (%7.2f) %7.2f (%7.2f)  %s%s\n", quantile(t.asRun, 0.5), quantile(t.asRun, 0),
                        quantile(t.busy, 0.5), quantile(t.busy, 0), quantile(t.row, 0.5), quantile(t.row, 0), t.name.c_str(),
                        t.error < 1e-4 ? "" : "  WRONG");
        std::fflush(stdout);
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

void large(Bench& b, int rounds) {
    b.blocked<3, 2, 8, 6, 4>();
    b.measure(3, rounds);
    b.blocked<5, 3, 8, 5, 1>();
    b.measure(5, rounds);
    b.blocked<7, 4, 4, 8, 1, 1>();
    b.measure(7, rounds);
    b.measure(9, rounds);
    b.measure(11, rounds);
    b.measure(13, rounds);
    b.measure(15, rounds);
    b.factors<7, 4, 4, 6, 1>();
    b.factors<7, 4, 4, 6, 1, 1>();
    b.measure(7, rounds, true);
    b.factors<9, 4, 4, 6, 1>();
    b.factors<9, 4, 4, 6, 1, 1>();
    b.measure(9, rounds, true);
    b.factors<11, 8, 4, 5, 1>();
    b.measure(11, rounds, true);
    b.factors<13, 8, 4, 5, 1>();
    b.measure(13, rounds, true);
    b.factors<15, 8, 4, 5, 1>();
    b.measure(15, rounds, true);
}

}  // namespace

int main(int argc, char** argv) {
    int rounds = 40, size = 0, kernel = 0;
    bool onlyLarge = false;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--large") == 0) onlyLarge = true;
        if (i + 1 < argc && std::strcmp(argv[i], "--rounds") == 0) rounds = std::atoi(argv[i + 1]);
        if (i + 1 < argc && std::strcmp(argv[i], "--size") == 0) size = std::atoi(argv[i + 1]);
        if (i + 1 < argc && std::strcmp(argv[i], "--kernel") == 0) kernel = std::atoi(argv[i + 1]);
    }
    if (const Availability& a = cudaAvailability(); !a.yes) {
        std::printf("CUDA is not available: %s. %s\n", a.reason.c_str(), a.whatToDo.c_str());
        return 5;
    }
    try {
        CudaSession session(0);
        if (onlyLarge) {
            Bench b(session, size ? size : 8192);
            large(b, rounds);
            return 0;
        }
        for (const int n : {256, 512, 1024, 1536, 2048, 3072, 4096}) {
            if (size && n != size) continue;
            Bench b(session, n);
            if (!kernel || kernel == 3) small<3>(b, rounds);
            if (!kernel || kernel == 5) small<5>(b, rounds);
            if (!kernel || kernel == 7) small<7>(b, rounds);
            if (!kernel || kernel == 9) small<9>(b, rounds);
            if (!kernel || kernel == 15) small<15>(b, rounds);
            if (!kernel || kernel == 13) small<13>(b, rounds);
            if (!kernel || kernel == 7) smallSeparable<7>(b, rounds);
            if (!kernel || kernel == 9) smallSeparable<9>(b, rounds);
            if (!kernel || kernel == 11) smallSeparable<11>(b, rounds);
            if (!kernel || kernel == 13) smallSeparable<13>(b, rounds);
            if (!kernel || kernel == 15) smallSeparable<15>(b, rounds);
        }
    } catch (const Error& e) {
        std::printf("failed: %s\n", e.what());
        return 1;
    }
    return 0;
}
