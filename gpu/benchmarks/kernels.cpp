// SPDX-License-Identifier: GPL-3.0-or-later
// Times the compute stage of every CUDA variant of the convolution by the session's clock, on random data, against a copy of the image on
// the device (the floor of one pass); checks sampled pixels in double. Then from host to host. Usage: bench_gpu_kernels [--device N]
// [--quick]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "core/operations/convolution/convolution.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/device.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;

float pseudoRandom(std::uint64_t i) {
    std::uint64_t z = i * 0x9E3779B97F4A7C15ULL + 0xD1B54A32D192ED03ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<float>((z ^ (z >> 31)) >> 40) * 0x1p-24F;
}

struct Samples {
    double median = 0, least = 0, spread = 0;  ///< ms; spread: (95 % - 5 %) / median
};
Samples summarise(std::vector<double> ms) {
    std::sort(ms.begin(), ms.end());
    const auto at = [&](double q) { return ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))]; };
    return {at(0.5), ms.front(), (at(0.95) - at(0.05)) / at(0.5)};
}

/// Returns the median time of a call, from samples of about a millisecond between two events.
template <class F>
Samples timeCalls(StageClock& clock, int samples, F&& call) {
    const auto sample = [&](int calls) {
        clock.begin(Stage::compute);
        for (int i = 0; i < calls; ++i) call();
        clock.end();
        return static_cast<double>(clock.finish().compute()) * 1e-6 / calls;
    };
    (void)sample(1);
    const double first = sample(2);
    const int calls = std::clamp(static_cast<int>(1.0 / std::max(first, 1e-4)), 1, 50);
    for (int i = 0; i < 3; ++i) (void)sample(calls);
    std::vector<double> all;
    for (int i = 0; i < samples; ++i) all.push_back(sample(calls));
    return summarise(all);
}

double relativeError(const Kernel& kernel, View<const float> in, View<const float> out) {
    double worst = 0;
    for (int i = 0; i < 400; ++i) {
        // Corners and edges first, then random pixels.
        auto x = static_cast<std::int64_t>(pseudoRandom(static_cast<std::uint64_t>(2 * i) + 77) * static_cast<float>(in.shape.width - 1));
        auto y = static_cast<std::int64_t>(pseudoRandom(static_cast<std::uint64_t>(2 * i) + 78) * static_cast<float>(in.shape.height - 1));
        if (i < 40) x = i % 2 ? in.shape.width - 1 - i / 4 : i / 4;
        if (i >= 20 && i < 60) y = i % 2 ? in.shape.height - 1 - (i - 20) / 4 : (i - 20) / 4;
        double sum = 0;
        for (int v = 0; v < kernel.height; ++v)
            for (int u = 0; u < kernel.width; ++u)
                sum += kernel.at(u, v) *
                       static_cast<double>(in.at(borderIndex(x + u - kernel.anchorX, in.shape.width, BorderMode::replicate),
                                                 borderIndex(y + v - kernel.anchorY, in.shape.height, BorderMode::replicate)));
        const double error = std::fabs(static_cast<double>(out.at(x, y)) - sum) / std::max(kernel.absoluteSum(), 1e-30);
        worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
    }
    return worst;
}

ParameterBlock parametersFor(const Operation& operation, int size, bool rankOne = false) {
    ParameterBlock block(operation.parameters());
    ConvolutionParameters p;
    // Asymmetric weights.
    p.kernel = KernelKind::custom;
    const auto weight = [](int i) { return 1 + static_cast<int>(pseudoRandom(static_cast<std::uint64_t>(i) + 1000) * 997); };
    for (int v = 0; v < size; ++v)
        for (int u = 0; u < size; ++u)
            p.weights += std::to_string(rankOne ? weight(v) * weight(200 + u) : weight(v * size + u)) + (u + 1 < size ? " " : ";");
    block.assign(std::move(p));
    return block;
}

bool allRight = true;

void benchCompute(const gpu::CudaBackend& backend, int device, std::int64_t width, std::int64_t height, const std::vector<int>& sizes,
                  int samples, bool rankOne = false) {
    const auto operation = makeConvolution();
    RunContext context;
    context.device = device;
    const auto session = backend.open(context);
    context.session = session.get();
    auto& cuda = gpu::cudaSession(context);
    const Shape shape{width, height, 1, 1};
    Image image{Buffer(shape)};
    for (std::int64_t i = 0; i < shape.samples(); ++i) image.view().data[i] = pseudoRandom(static_cast<std::uint64_t>(i));
    Buffer in = session->allocate(shape), out = session->allocate(shape), result(shape);
    session->upload(std::as_const(image).view(), in);

    const auto copyOnce = [&] {
        gpu::check(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice, cuda.stream()), "copy");
    };
    const Samples copy = timeCalls(session->clock(), samples, copyOnce);
    std::printf("\n%lld x %lld float32, %s, copy on the device: %.4f ms = %.0f GB/s\n", static_cast<long long>(width),
                static_cast<long long>(height), rankOne ? "kernels of rank 1" : "kernels of full rank", copy.median,
                2e-6 * static_cast<double>(in.bytes()) / copy.median);
    std::printf("%4s %-10s %10s %10s %8s %10s %9s %11s %s\n", "k", "variant", "median ms", "least ms", "spread", "copy/time", "TFLOP/s",
                "max error", "check");
    for (const int k : sizes) {
        Problem problem = makeProblem(image, parametersFor(*operation, k, rankOne));
        const Kernel kernel = planConvolution(problem).kernel;
        for (const Implementation* implementation : backend.implementations()) {
            if (implementation->operation() != "convolve") continue;
            if (const Support support = implementation->supports(problem); !support) {
                std::printf("%4d %-10s left out: %s\n", k, implementation->variant().c_str(), support.reason.c_str());
                continue;
            }
            // The default choice of the backend.
            const Preference preference = implementation->preference(problem, device);
            const auto execution = implementation->prepare(problem, context);
            gpu::check(cudaMemsetAsync(out.data(), 0xFF, out.bytes(), cuda.stream()), "poison");
            const View<const float> ins[] = {std::as_const(in).view<float>()};
            const View<float> outs[] = {out.view<float>()};
            const Samples t = timeCalls(session->clock(), samples, [&] { execution->run(ins, outs, context); });
            session->download(out, result.view());
            const double error = relativeError(kernel, std::as_const(image).view(), std::as_const(result).view());
            const bool right = error < 1e-5;
            allRight = allRight && right;
            std::printf("%4d %-10s %10.4f %10.4f %7.1f%% %9.1f%% %9.2f %11.2e %s%s%s\n", k, implementation->variant().c_str(), t.median,
                        t.least, 100 * t.spread, 100 * copy.median / t.median,
                        2e-9 * k * k * static_cast<double>(shape.samples()) / t.median, error, right ? "ok" : "WRONG",
                        preference.rank > 0 ? "; chosen: " : "", preference.reason.c_str());
            std::fflush(stdout);
            session->drain();
        }
    }
}

void benchHostToHost(const gpu::CudaBackend& backend, int device, std::int64_t extent, int samples) {
    const auto operation = makeConvolution();
    RunContext context;
    context.device = device;
    const auto session = backend.open(context);
    context.session = session.get();
    auto& cuda = gpu::cudaSession(context);
    const Shape shape{extent, extent, 1, 1};
    Image image{Buffer(shape)};
    for (std::int64_t i = 0; i < shape.samples(); ++i) image.view().data[i] = pseudoRandom(static_cast<std::uint64_t>(i));
    Buffer result(shape), in = session->allocate(shape), out = session->allocate(shape);
    std::memset(result.data(), 0xFF, result.bytes());
    const Implementation* direct = backend.implementations().at(0);
    const auto execution = direct->prepare(makeProblem(image, parametersFor(*operation, 7)), context);
    std::vector<double> up, compute, down, wall;
    for (int i = 0; i < samples + 2; ++i) {
        StageClock& clock = session->clock();
        const auto start = std::chrono::steady_clock::now();
        clock.begin(Stage::upload);
        session->upload(std::as_const(image).view(), in);
        clock.end();
        clock.begin(Stage::compute);
        const View<const float> ins[] = {std::as_const(in).view<float>()};
        const View<float> outs[] = {out.view<float>()};
        execution->run(ins, outs, context);
        clock.end();
        clock.begin(Stage::download);
        session->download(out, result.view());
        clock.end();
        const StageTimes t = clock.finish();
        const double elapsed = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        if (i < 2) continue;
        up.push_back(static_cast<double>(t[Stage::upload]) * 1e-6);
        compute.push_back(static_cast<double>(t[Stage::compute]) * 1e-6);
        down.push_back(static_cast<double>(t[Stage::download]) * 1e-6);
        wall.push_back(elapsed);
    }
    // The link alone: one page-locked block in both directions.
    Buffer pinned(shape, SampleType::float32, gpu::pinnedAllocator(0));
    std::memcpy(pinned.data(), image.samples().data(), pinned.bytes());
    const auto copyUp = [&] {
        gpu::check(cudaMemcpyAsync(in.data(), pinned.data(), in.bytes(), cudaMemcpyHostToDevice, cuda.stream()), "copy");
    };
    const auto copyDown = [&] {
        gpu::check(cudaMemcpyAsync(pinned.data(), in.data(), in.bytes(), cudaMemcpyDeviceToHost, cuda.stream()), "copy");
    };
    const Samples linkUp = timeCalls(session->clock(), std::min(samples, 7), copyUp),
                  linkDown = timeCalls(session->clock(), std::min(samples, 7), copyDown);
    const double megabytes = static_cast<double>(in.bytes()) * 1e-6;
    std::printf("\nhost to host, %lld x %lld, k = 7 (direct), ordinary host memory, %zu MiB pinned for staging\n",
                static_cast<long long>(extent), static_cast<long long>(extent), gpu::StagingEngine::of(device).pinnedBytes() >> 20);
    const auto line = [&](const char* name, double ms, double link) {
        std::printf("  %-10s %8.3f ms", name, ms);
        if (link > 0) std::printf("  %6.1f GB/s  link alone %.3f ms, ratio %.2f", megabytes / ms, link, ms / link);
        std::printf("\n");
    };
    line("upload", summarise(up).median, linkUp.median);
    line("compute", summarise(compute).median, 0);
    line("download", summarise(down).median, linkDown.median);
    line("wall", summarise(wall).median, linkUp.median + linkDown.median);
}

}  // namespace

int main(int argc, char** argv) {
    int device = 0;
    bool quick = false;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--device" && i + 1 < argc) device = std::atoi(argv[++i]);
        if (std::string(argv[i]) == "--quick") quick = true;
    }
    try {
        const gpu::CudaBackend backend;
        if (const Availability a = backend.availability(); !a.yes) {
            std::printf("CUDA is not available: %s. %s\n", a.reason.c_str(), a.whatToDo.c_str());
            return 5;
        }
        const DeviceInfo info = backend.devices().at(static_cast<std::size_t>(device));
        std::printf("%s, %llu MiB, %llu MiB free\n", info.name.c_str(), static_cast<unsigned long long>(info.memoryTotal >> 20),
                    static_cast<unsigned long long>(info.memoryFree >> 20));
        for (const auto& [key, value] : info.details) std::printf("  %s: %s\n", key.c_str(), value.c_str());
        const int samples = quick ? 5 : 21;
        benchCompute(backend, device, 8192, 8192, {3, 5, 7, 9, 11, 13, 15}, samples);
        benchCompute(backend, device, 8191, 8191, {3, 7, 15}, samples);
        benchCompute(backend, device, 1024, 1024, {3, 5, 7, 11, 15}, samples);
        benchCompute(backend, device, 4096, 4096, {4, 17, 21, 31, 63}, samples);
        for (const std::int64_t extent : {std::int64_t{8192}, std::int64_t{8191}, std::int64_t{1024}})
            benchCompute(backend, device, extent, extent, {3, 5, 7, 11, 15, 31}, samples, true);
        benchCompute(backend, device, 256, 256, {31, 63}, samples);
        for (const std::int64_t extent : {std::int64_t{1024}, std::int64_t{4096}, std::int64_t{8192}})
            benchHostToHost(backend, device, extent, quick ? 5 : 15);
    } catch (const Error& e) {
        std::printf("failed: %s\n", e.what());
        return 1;
    }
    if (!allRight) std::printf("\nSOME RESULTS ARE WRONG\n");
    return allRight ? 0 : 7;
}
