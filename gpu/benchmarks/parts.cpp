// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on 1, 2, 4 .. N devices through the engine, in turns: compute with what devices wait for each other, end to end, speed-up. Images
// have the given width and height, solvers 10,000 or 20,000. --large: sizes for four devices and more.
//
//   bench_gpu_parts [--devices N] [--side N] [--rounds N] [--only OPERATION] [--large]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <span>
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
    std::int64_t depth = 1;
    bool endToEnd = false;  ///< what is asked of it, else of compute
    double target2 = 0;     ///< speed-up with two devices; 0: none is asked
    double tolerance = 0;   ///< largest difference from one device, divided by the largest value
};
const std::vector<Work> kWorks{
    {.steps = {"convolve:kernel=gaussian,size=7"}, .target = "cuda.direct", .target2 = 1.92},
    {.steps = {"convolve:kernel=gaussian,size=7", "convolve:kernel=gaussian,size=7"}, .target = "cuda.direct", .target2 = 1.92},
    // The first of many steps has the clock rate of a device that has waited for its samples; all but that one find them there.
    {.steps = std::vector<std::string>(16, "convolve:kernel=gaussian,size=7"), .target = "cuda.direct", .target2 = 1.92},
    {.steps = {"convolve:kernel=gaussian,size=7"}, .target = "cuda.direct+pinned", .endToEnd = true, .target2 = 1.8},
    {.steps = {"tonemap:operator=global"}, .target = "cuda.fused", .channels = 3, .target2 = 1.9, .tolerance = 1e-5},
    {.steps = {"tonemap:operator=photoreceptor"}, .target = "cuda.fused", .channels = 3, .target2 = 1.9, .tolerance = 1e-5},
    {.steps = {"tonemap:operator=histogram"}, .target = "cuda.fused", .channels = 3, .target2 = 1.9, .tolerance = 1e-3},
    {.steps = {"tonemap:operator=local"}, .target = "cuda.fused", .channels = 3, .target2 = 1.85, .tolerance = 1e-4},
    {.steps = {"tonemap:operator=gradient"}, .target = "cuda.multigrid", .channels = 3, .side = 8192, .tolerance = 1e-4},
    {.steps = {"dwt:wavelet=db4,levels=3"}, .target = "cuda.fused+pinned", .side = 512, .depth = 512, .target2 = 1.8},
    {.steps = {"idwt:wavelet=db4,levels=3"}, .target = "cuda.fused+pinned", .side = 532, .depth = 532, .target2 = 1.8},
    {.steps = {"dwt:wavelet=db4,levels=3", "idwt"}, .target = "cuda.fused+pinned", .side = 512, .depth = 512, .target2 = 1.8},
    {.steps = {"wavelet-denoise:rule=universal"},
     .target = "cuda.fused+pinned",
     .side = 512,
     .depth = 512,
     .target2 = 1.8,
     .tolerance = 1e-4},
    {.steps = {"wavelet-compress:keep=10"}, .target = "cuda.fused+pinned", .side = 512, .depth = 512, .target2 = 1.8, .tolerance = 1e-4},
    {.steps = {"poisson:tolerance=1e-12,iterations=100"}, .target = "cuda.cg", .side = 10000, .target2 = 1.93, .tolerance = 1e-5},
    {.steps = {"poisson:tolerance=1e-8"}, .target = "cuda.multigrid", .side = 20000, .target2 = 1.7, .tolerance = 1e-5},
    {.steps = {"diffuse:weights=uniform,time=1000,tolerance=1e-8"}, .target = "cuda.multigrid", .side = 20000, .tolerance = 1e-5},
    {.steps = {"diffuse:lambda=0.1,epsilon=0.01,tolerance=1e-8"}, .target = "cuda.cg", .channels = 3, .side = 8192, .tolerance = 1e-5},
    {.steps = {"diffuse:lambda=0.1,epsilon=0.01,tolerance=1e-8"},
     .target = "cuda.multigrid",
     .channels = 3,
     .side = 8192,
     .tolerance = 1e-5},
    {.steps = {"fill:missing=below,threshold=0.5,tolerance=1e-12,iterations=100"}, .target = "cuda.cg", .side = 10000, .tolerance = 1e-5},
};
const std::vector<Work> kLargeWorks{
    {.steps = {"convolve:kernel=gaussian,size=7"}, .target = "cuda.direct+pinned", .side = 32768},
    {.steps = {"tonemap:operator=global"}, .target = "cuda.fused", .channels = 3, .side = 32768, .tolerance = 1e-5},
    {.steps = {"dwt:wavelet=db4,levels=3"}, .target = "cuda.fused+pinned", .side = 1024, .depth = 512},
    {.steps = {"poisson:tolerance=1e-12,iterations=100"}, .target = "cuda.cg", .side = 10000, .tolerance = 1e-5},
    {.steps = {"poisson:tolerance=1e-12,iterations=100"}, .target = "cuda.cg", .side = 15000, .tolerance = 1e-5},
    {.steps = {"poisson:tolerance=1e-12,iterations=100"}, .target = "cuda.cg", .side = 20000, .tolerance = 1e-5},
    {.steps = {"poisson:tolerance=1e-8"}, .target = "cuda.multigrid", .side = 20000, .tolerance = 1e-5},
};

ImagePtr imageOf(const Work& work, std::int64_t side) {
    Buffer samples(Shape{side, side, work.depth, work.channels});
    float* const data = samples.view<float>().data;
    for (std::int64_t i = 0; i < samples.shape().samples(); ++i) data[i] = pseudoRandom(static_cast<std::uint64_t>(i));
    return std::make_shared<Image>(std::move(samples), defaultChannelNames(work.channels));
}

double largestMagnitude(const View<const float>& view) {
    float largest = 0;
    for (std::int64_t c = 0; c < view.shape.channels; ++c)
        for (std::int64_t z = 0; z < view.shape.depth; ++z)
            for (std::int64_t y = 0; y < view.shape.height; ++y)
                for (const float v : std::span(view.row(y, z, c), static_cast<std::size_t>(view.shape.width)))
                    largest = std::max(largest, std::fabs(v));
    return static_cast<double>(largest);
}

/// One work on one number of devices, ms.
struct OnDevices {
    int devices = 1;
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
    if (work.steps.size() > 2) name = std::to_string(work.steps.size()) + " times " + work.steps.front();
    const auto extent = static_cast<long long>(size);
    std::printf("\n%s, %s, %lld x %lld x %lld\n", name.c_str(), work.target.c_str(), extent, extent,
                static_cast<long long>(work.depth > 1 ? work.depth : work.channels));
    std::vector<OnDevices> all;
    for (int n = 1; n <= most; n *= 2) all.push_back({.devices = n});
    for (OnDevices& one : all) {
        Target target = parseTarget(work.target);
        target.parts = one.devices;
        one.run.emplace(Engine(processCatalog()).prepare(parsePipeline(processCatalog(), work.steps), image, target, one.context));
        one.once(false);
    }
    for (int i = 0; i < rounds; ++i)
        for (OnDevices& one : all) one.once(true);
    bool right = true;
    const OnDevices& one = all.front();
    const double largest = largestMagnitude(one.run->output());
    for (const OnDevices& own : all) {
        const int n = own.devices;
        const double difference = n == 1 ? 0 : compareViews(one.run->output(), own.run->output(), {}).maxAbs / largest;
        right = right && difference <= work.tolerance;
        const double compute = median(one.compute) / median(own.compute), whole = median(one.endToEnd) / median(own.endToEnd);
        std::printf("  %d: compute %9.3f ms (waiting %7.3f)  %6.3f x   end to end %9.2f ms  %6.3f x   difference %.1e%s", n,
                    median(own.compute), median(own.exchange), compute, median(own.endToEnd), whole, difference,
                    difference <= work.tolerance ? "" : " WRONG");
        if (n == 2 && work.target2 > 0) std::printf("   asked %.2f of %s", work.target2, work.endToEnd ? "end to end" : "compute");
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
        for (const Work& work : arguments.has("--large") ? kLargeWorks : kWorks)
            if (work.steps.front().starts_with(only))
                right = measure(work, most, arguments.number<std::int64_t>("--side", 16384), arguments.number("--rounds", 15)) && right;
        if (!right) std::fprintf(stderr, "SOME RESULTS ARE WRONG\n");
        return right ? 0 : 7;
    });
}
