// SPDX-License-Identifier: GPL-3.0-or-later
// Cost of an odd width: each pipeline on 8191 x 8191 against 8192 x 8192 samples, whole runs through the engine, in alternation.
// Usage: bench_gpu_odd_widths [--side N] [--rounds N]
#include "core/engine/run/engine.hpp"
#include "gpu/backend.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

constexpr double kTarget = 1.05;

struct Work {
    const char* step;
    int channels;
    const char* target = "cuda";
};
constexpr Work kWorks[] = {
    {"convolve:kernel=gaussian,size=3", 1, "cuda.direct"},
    {"convolve:kernel=gaussian,size=5", 1, "cuda.direct"},
    {"convolve:kernel=gaussian,size=7", 1, "cuda.direct"},
    {"convolve:kernel=gaussian,size=11", 1, "cuda.direct"},
    {"convolve:kernel=gaussian,size=15", 1, "cuda.direct"},
    {"convolve:kernel=gaussian,size=21", 1, "cuda.direct"},
    {"convolve:kernel=gaussian,size=7", 1, "cuda.separable"},
    {"convolve:kernel=gaussian,size=31", 1, "cuda.separable"},
    {"convolve:kernel=gaussian,size=31", 1, "cuda.fft"},
    {"convolve:kernel=gaussian,size=7", 1, "cuda.tiled"},
    {"convolve:kernel=gaussian,size=7", 1, "cuda.naive"},
    {"convolve:kernel=gaussian,size=7", 1, "cuda.npp"},
    {"convolve:kernel=gaussian,size=7", 3},
    {"convolve:kernel=gaussian,size=7", 1, "cuda+pinned"},
    {"tonemap:operator=global", 3},
    {"tonemap:operator=photoreceptor", 3},
    {"tonemap:operator=histogram", 3},
    {"tonemap:operator=local", 3},
    {"tonemap:operator=global", 3, "cuda.primitives"},
    {"tonemap:operator=global", 3, "cuda+pinned"},
    {"dwt:wavelet=db4", 1},
    {"wavelet-denoise:wavelet=db4", 1},
    {"wavelet-compress:wavelet=db4", 1},
};

struct Times {
    std::vector<double> compute, whole;  ///< ms
};

class Side {
public:
    Side(const Work& work, std::int64_t side) {
        Buffer samples(Shape{side, side, 1, work.channels});
        fillRandom(samples.view(), 1);
        const auto input = std::make_shared<Image>(std::move(samples), defaultChannelNames(work.channels));
        Pipeline pipeline;
        pipeline.steps.push_back(parseStep(processCatalog(), work.step));
        run_.emplace(Engine(processCatalog()).prepare(pipeline, input, parseTarget(work.target), context_));
    }
    void once(bool counts) {
        const StageTimes t = run_->run(context_);
        if (!counts) return;
        times.compute.push_back(static_cast<double>(t[Stage::compute]) * 1e-6);
        times.whole.push_back(static_cast<double>(t.endToEnd()) * 1e-6);
    }
    Times times;

private:
    RunContext context_;
    std::optional<PreparedRun> run_;
};

void compare(const Work& work, std::int64_t side, int rounds) {
    try {
        Side even(work, side), odd(work, side - 1);
        for (int i = -3; i < rounds; ++i) {
            even.once(i >= 0);
            odd.once(i >= 0);
        }
        const double compute = median(odd.times.compute) / median(even.times.compute),
                     whole = median(odd.times.whole) / median(even.times.whole);
        std::printf("%-34s %d  %-16s %9.3f %9.3f %6.2f  %9.3f %9.3f %6.2f  %s\n", work.step, work.channels, work.target,
                    median(even.times.compute), median(odd.times.compute), compute, median(even.times.whole), median(odd.times.whole),
                    whole, compute <= kTarget ? "reached" : "MISSED");
    } catch (const Error& e) {
        std::printf("%-34s %d  %-16s %s\n", work.step, work.channels, work.target, e.what());
    }
}

}  // namespace
}  // namespace parallax::gpu

int main(int argc, char** argv) {
    using namespace parallax::gpu;
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        const auto side = arguments.number<std::int64_t>("--side", 8192);
        const int rounds = arguments.number("--rounds", 15);
        std::printf("medians in ms; target: compute of the odd width within %.2f of the even one\n", kTarget);
        std::printf("%-34s %s  %-16s %9s %9s %6s  %9s %9s %6s\n", "step", "c", "target", "even", "odd", "ratio", "even e2e", "odd e2e",
                    "ratio");
        for (const Work& work : kWorks) compare(work, side, rounds);
        return 0;
    });
}
