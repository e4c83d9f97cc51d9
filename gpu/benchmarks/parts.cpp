// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on 1, 2 .. N devices through the engine, in turns: compute with what devices wait for each other, end to end, speed-up. Images have
// the given width and height, solvers 10,000.
//
//   bench_gpu_parts [--devices N] [--side N] [--rounds N] [--only OPERATION]
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "gpu/backend.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

struct Work {
    std::vector<std::string> steps;
    std::string target = "cuda";
    int channels = 1;
    std::int64_t side = 0;  ///< 0: that of the command line
    bool volume = false;
    bool endToEnd = false;  ///< what is asked of it, else of compute
    double target2 = 0;     ///< speed-up with two devices
    double tolerance = 0;   ///< largest difference from one device
};
const std::vector<Work> kWorks{
    {.steps = {"convolve:kernel=gaussian,size=7"}, .target = "cuda.direct", .target2 = 1.92},
    {.steps = {"convolve:kernel=gaussian,size=7", "convolve:kernel=gaussian,size=7"}, .target = "cuda.direct", .target2 = 1.92},
    {.steps = {"convolve:kernel=gaussian,size=7"}, .target = "cuda.direct+pinned", .endToEnd = true, .target2 = 1.8},
    {.steps = {"tonemap:operator=global"}, .target = "cuda.fused", .channels = 3, .target2 = 1.9, .tolerance = 1e-5},
    {.steps = {"tonemap:operator=photoreceptor"}, .target = "cuda.fused", .channels = 3, .target2 = 1.9, .tolerance = 1e-5},
    {.steps = {"tonemap:operator=histogram"}, .target = "cuda.fused", .channels = 3, .target2 = 1.9, .tolerance = 1e-3},
    {.steps = {"tonemap:operator=local"}, .target = "cuda.fused", .channels = 3, .target2 = 1.85, .tolerance = 1e-4},
    {.steps = {"dwt:wavelet=db4,levels=3"}, .target = "cuda.fused+pinned", .side = 512, .volume = true, .target2 = 1.8},
    {.steps = {"idwt:wavelet=db4,levels=3"}, .target = "cuda.fused+pinned", .side = 532, .volume = true, .target2 = 1.8},
    {.steps = {"dwt:wavelet=db4,levels=3", "idwt"}, .target = "cuda.fused+pinned", .side = 512, .volume = true, .target2 = 1.8},
    {.steps = {"wavelet-denoise:rule=universal"},
     .target = "cuda.fused+pinned",
     .side = 512,
     .volume = true,
     .target2 = 1.8,
     .tolerance = 1e-4},
    {.steps = {"wavelet-compress:keep=10"}, .target = "cuda.fused+pinned", .side = 512, .volume = true, .target2 = 1.8, .tolerance = 1e-4},
    {.steps = {"poisson:tolerance=1e-12,iterations=100"}, .target = "cuda.cg", .side = 10000, .target2 = 1.93, .tolerance = 1e-2},
};

ImagePtr imageOf(const Work& work, std::int64_t side) {
    Buffer samples(Shape{side, side, work.volume ? side : 1, work.channels});
    float* const data = samples.view<float>().data;
    for (std::int64_t i = 0; i < samples.shape().samples(); ++i) data[i] = pseudoRandom(static_cast<std::uint64_t>(i));
    return std::make_shared<Image>(std::move(samples), defaultChannelNames(work.channels));
}

/// One work on one number of devices, ms.
struct OnDevices {
    RunContext context{};
    std::optional<PreparedRun> run{};
    std::vector<double> compute{}, exchange{}, endToEnd{};

    void once(bool counts) {
        const StageTimes t = run->run(context);
        if (!counts) return;
        compute.push_back(static_cast<double>(t.compute()) * 1e-6);
        exchange.push_back(static_cast<double>(t[Stage::exchange]) * 1e-6);
        endToEnd.push_back(static_cast<double>(t.endToEnd()) * 1e-6);
    }
};

bool measure(const Work& work, int most, std::int64_t side, int rounds) {
    const std::int64_t size = work.side > 0 ? work.side : side;
    const ImagePtr image = imageOf(work, size);
    std::string name;
    for (const std::string& step : work.steps) name += (name.empty() ? "" : " > ") + step;
    const auto extent = static_cast<long long>(size);
    std::printf("\n%s, %s, %lld x %lld x %lld\n", name.c_str(), work.target.c_str(), extent, extent, work.volume ? extent : work.channels);
    std::vector<OnDevices> all(static_cast<std::size_t>(most));
    for (int n = 1; n <= most; ++n) {
        OnDevices& one = all[static_cast<std::size_t>(n) - 1];
        Target target = parseTarget(work.target);
        target.parts = n;
        one.run.emplace(Engine(processCatalog()).prepare(parsePipeline(processCatalog(), work.steps), image, target, one.context));
        one.once(false);
    }
    for (int i = 0; i < rounds; ++i)
        for (OnDevices& one : all) one.once(true);
    bool right = true;
    for (int n = 1; n <= most; ++n) {
        const OnDevices &one = all.front(), &own = all[static_cast<std::size_t>(n) - 1];
        const double difference = compareViews(one.run->output(), own.run->output(), {}).maxAbs;
        right = right && difference <= work.tolerance;
        const double compute = median(one.compute) / median(own.compute), whole = median(one.endToEnd) / median(own.endToEnd);
        std::printf("  %d: compute %9.3f ms (waiting %7.3f)  %6.3f x   end to end %9.2f ms  %6.3f x   difference %.1e%s", n,
                    median(own.compute), median(own.exchange), compute, median(own.endToEnd), whole, difference,
                    difference <= work.tolerance ? "" : " WRONG");
        if (n == 2) std::printf("   asked %.2f of %s", work.target2, work.endToEnd ? "end to end" : "compute");
        std::printf("\n");
    }
    return right;
}

}  // namespace
}  // namespace parallax::gpu

int main(int argc, char** argv) {
    using namespace parallax::gpu;
    const Arguments arguments(argc, argv);
    return benchmarkMain([&] {
        const int most = std::min(arguments.number("--devices", 8), deviceCount());
        std::printf("%s, %d device(s)\n", listDevices().front().name.c_str(), deviceCount());
        bool right = true;
        const std::string only = arguments.text("--only", "");
        for (const Work& work : kWorks)
            if (work.steps.front().starts_with(only))
                right = measure(work, most, arguments.number<std::int64_t>("--side", 16384), arguments.number("--rounds", 15)) && right;
        if (!right) std::fprintf(stderr, "SOME RESULTS ARE WRONG\n");
        return right ? 0 : 7;
    });
}
