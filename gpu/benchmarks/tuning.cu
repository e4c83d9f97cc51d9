// SPDX-License-Identifier: GPL-3.0-or-later
// Tries tuning parameters of the register-blocked and separable kernels (tuning.hpp) on random data and prints their times, the best first.
// Does not check results. Usage: bench_gpu_tuning [device]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "gpu/operations/convolution/kernels/register_blocked.cuh"
#include "gpu/operations/convolution/kernels/staged.cuh"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;
using namespace parallax::gpu;

template <int Rows, int Warps, int Blocks, int Ahead, bool Unroll, int Prefetch>
struct Knobs {
    static constexpr DirectTuning value{Rows, Warps, Blocks, Ahead, Unroll, Prefetch};
};

struct Trial {
    std::string name;
    double ms;
};

struct Bench {
    CudaSession& session;
    ConvolutionLaunch launch;
    std::vector<Trial> trials;

    template <class F>
    void time(std::string name, F&& run) {
        std::vector<double> all;
        for (int i = 0; i < 14; ++i) {
            session.clock().begin(Stage::compute);
            for (int j = 0; j < 10; ++j) run();
            session.clock().end();
            const double ms = static_cast<double>(session.clock().finish().compute()) * 1e-7;
            if (i >= 3) all.push_back(ms);
        }
        std::sort(all.begin(), all.end());
        trials.push_back({std::move(name), all[all.size() / 2]});
    }
    template <int K, int Rows, int Warps, int Blocks, int Ahead, bool Unroll = true>
    void tryKnobs() {
        tryWeights<K, Rows, Warps, Blocks, Ahead, Unroll, 0, WindowWeights<K>>("");
        if constexpr (Rows <= 8) tryWeights<K, Rows, Warps, Blocks, Ahead, Unroll, 2, WindowWeights<K>>("");
    }
    template <int K, int Rows, int Warps, int Blocks, int Ahead>
    void tryFactors() {
        tryWeights<K, Rows, Warps, Blocks, Ahead, true, 0, FactorWeights<K>>("separable blocked: ");
        if constexpr (Rows <= 8) tryWeights<K, Rows, Warps, Blocks, Ahead, true, 2, FactorWeights<K>>("separable blocked: ");
    }
    template <int K, int Rows, int Warps, int Blocks, int Ahead, bool Unroll, int Prefetch, class Weights>
    void tryWeights(const char* what) {
        launch.streaming = launch.planes.width > 4096;
        time(what + ("rows " + std::to_string(Rows)) + " warps " + std::to_string(Warps) + " blocks " + std::to_string(Blocks) + " ahead " +
                 std::to_string(Ahead) + (Unroll ? "" : " rolled") + (Prefetch ? " prefetch " + std::to_string(Prefetch) : std::string()),
             [&] { launchTuned<K, Knobs<Rows, Warps, Blocks, Ahead, Unroll, Prefetch>, Weights>(launch, session.stream()); });
    }
    template <int K>
    void separable() {
        if constexpr (K <= 9) {
            tryFactors<K, 4, 8, 4, 1>();
            tryFactors<K, 8, 4, 6, 1>();
        } else {
            tryFactors<K, 8, 4, 6, 1>();
            tryFactors<K, 12, 4, 4, 1>();
        }
        launch.streaming = launch.planes.width > 4096;
        time("separable blocked, as set in tuning.hpp", [&] { launchSeparableBlocked<K, Fit::large>(launch, session.stream()); });
        time("separable, any size", [&] { launchSeparableAnySize(launch, session.stream()); });
        print(K);
    }
    void print(int k) {
        std::sort(trials.begin(), trials.end(), [](const Trial& a, const Trial& b) { return a.ms < b.ms; });
        std::printf("\n%d x %d, k = %d\n", launch.planes.width, launch.planes.height, k);
        for (const Trial& t : trials) std::printf("  %8.4f ms  %s\n", t.ms, t.name.c_str());
        std::fflush(stdout);
        trials.clear();
    }
    template <int K>
    void small() {
        tryKnobs<K, 4, 8, 4, 1>();
        tryKnobs<K, 3, 8, 5, 1>();
        tryKnobs<K, 2, 4, 10, 4>();
        tryStaged<K, 1>();
        tryStaged<K, 2>();
        tryStaged<K, 3>();
        tryStaged<K, 4>();
        finish<K>();
    }
    template <int K>
    void large() {
        tryKnobs<K, 3, 8, 5, 1>();
        tryStaged<K, 2>();
        tryStaged<K, 3>();
        tryStaged<K, 4>();
        finish<K>();
    }
    template <int K, int Rows>
    void tryStaged() {
        time("staged, rows " + std::to_string(Rows), [&] { launchStagedTile<K, StagedTile<K, Rows>>(launch, session.stream()); });
    }
    template <int K>
    void finish() {
        launch.streaming = true;
        time("as chosen", [&] { launchDirect(launch, session.stream()); });
        time("any size", [&] { launchAnySize(launch, session.stream()); });
        print(K);
    }
};

void bench(CudaSession& session, int extent) {
    const Shape shape{extent, extent, 1, 1};
    Buffer host(shape), in = session.allocate(shape), out = session.allocate(shape);
    std::uint64_t state = 1;
    for (std::int64_t i = 0; i < shape.samples(); ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        host.view().data[i] = static_cast<float>(state >> 40) * 0x1p-24F;
    }
    session.upload(std::as_const(host).view(), in);
    std::vector<float> weights(127 * 127);
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = host.view().data[i] - 0.5F;
    std::vector<int> table;
    for (int i = 0; i < kEdgeReach; ++i) table.push_back(0);
    for (int i = 0; i < kEdgeReach; ++i) table.push_back(extent - 1);
    const DeviceBuffer<float> deviceWeights(session.allocator(), std::span<const float>(weights), session.stream());
    const DeviceBuffer<int> deviceTable(session.allocator(), std::span<const int>(table), session.stream());
    Bench b{session, {}, {}};
    b.launch.planes = {std::as_const(in).view<float>().data, out.view<float>().data, extent, 0, extent, 0, extent, extent, 1, 0, extent};
    b.launch.columns =
        b.launch.rows = {deviceTable.data(), deviceTable.data() + kEdgeReach, extent, EdgeTable::lineOf(extent, BorderMode::replicate)};
    b.launch.weights = deviceWeights.data();
    b.launch.hostWeights = weights.data();
    b.launch.rowWeights = b.launch.columnWeights = deviceWeights.data();
    b.launch.hostRow = b.launch.hostColumn = weights.data();
    b.launch.multiprocessors = deviceLimits(session.device()).multiprocessors;
    const auto window = [&](int k) { b.launch.kernelWidth = b.launch.kernelHeight = k, b.launch.anchorX = b.launch.anchorY = k / 2; };
    window(3), b.separable<3>();
    window(7), b.separable<7>();
    window(9), b.separable<9>();
    window(11), b.separable<11>();
    window(13), b.separable<13>();
    window(15), b.separable<15>();
    window(3), b.small<3>();
    window(5), b.small<5>();
    window(7), b.small<7>();
    window(9), b.large<9>();
    window(11), b.large<11>();
    window(13), b.large<13>();
    window(15), b.large<15>();
}

}  // namespace

int main(int argc, char** argv) {
    if (const Availability& a = cudaAvailability(); !a.yes) {
        std::printf("CUDA is not available: %s. %s\n", a.reason.c_str(), a.whatToDo.c_str());
        return 5;
    }
    try {
        CudaSession session(argc > 1 ? std::atoi(argv[1]) : 0);
        bench(session, 8192);
        bench(session, 1024);
    } catch (const Error& e) {
        std::printf("failed: %s\n", e.what());
        return 1;
    }
    return 0;
}
