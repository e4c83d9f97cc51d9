// SPDX-License-Identifier: GPL-3.0-or-later
// Times the compute stage of every CUDA variant of the convolution by the session's clock, on random data, against a copy of the image on
// the device (the floor of one pass); checks sampled pixels in double. Then from host to host. Usage: bench_gpu_kernels [--device N]
// [--quick]
#include <chrono>
#include <cmath>
#include <cstring>

#include "core/operations/convolution/convolution.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "gpu/backend.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;
using gpu::pseudoRandom;

struct Samples {
    double median = 0, least = 0, spread = 0;  ///< ms; spread: (95 % - 5 %) / median
};
Samples summarise(const std::vector<double>& ms) {
    const double middle = gpu::median(ms);
    return {middle, gpu::quantile(ms, 0), (gpu::quantile(ms, 0.95) - gpu::quantile(ms, 0.05)) / middle};
}

/// Returns the median time of a call, from samples of about a millisecond between two events.
template <class F>
Samples timeCalls(StageClock& clock, int samples, F&& call) {
    const auto sample = [&](int calls) { return gpu::millisecondsOf(clock, calls, call); };
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

/// A random image, on the host and on the device, and room for a result.
struct Bench {
    Bench(const gpu::CudaBackend& backend, int device, const Shape& shape) : image(Buffer(shape)), result(shape) {
        context.device = device;
        session = backend.open(context);
        context.session = session.get();
        for (std::int64_t i = 0; i < shape.samples(); ++i) image.view().data[i] = pseudoRandom(static_cast<std::uint64_t>(i));
        // As in the engine: every variant accepts padded rows.
        in = session->allocate(session->paddedLayout(shape));
        out = session->allocate(session->paddedLayout(shape));
        session->upload(input(), in.view<float>());
    }
    View<const float> input() const { return image.view(); }
    cudaStream_t stream() { return gpu::cudaSession(context).stream(); }
    void run(Execution& execution) {
        const View<const float> ins[] = {std::as_const(in).view<float>()};
        const View<float> outs[] = {out.view<float>()};
        execution.run(ins, outs, context);
    }
    std::unique_ptr<Operation> operation = makeConvolution();
    RunContext context;
    std::unique_ptr<BackendSession> session;
    Image image;
    Buffer in, out, result;
};

void benchCompute(const gpu::CudaBackend& backend, int device, std::int64_t width, std::int64_t height, const std::vector<int>& sizes,
                  int samples, bool rankOne = false) {
    const Shape shape{width, height, 1, 1};
    Bench bench(backend, device, shape);
    const auto copyOnce = [&] {
        gpu::check(cudaMemcpyAsync(bench.out.data(), bench.in.data(), bench.in.bytes(), cudaMemcpyDeviceToDevice, bench.stream()), "copy");
    };
    const Samples copy = timeCalls(bench.session->clock(), samples, copyOnce);
    std::printf("\n%lld x %lld float32, %s, copy on the device: %.4f ms = %.0f GB/s\n", static_cast<long long>(width),
                static_cast<long long>(height), rankOne ? "kernels of rank 1" : "kernels of full rank", copy.median,
                2e-6 * static_cast<double>(bench.in.bytes()) / copy.median);
    std::printf("%4s %-10s %10s %10s %8s %10s %9s %11s %s\n", "k", "variant", "median ms", "least ms", "spread", "copy/time", "TFLOP/s",
                "max error", "check");
    for (const int k : sizes) {
        Problem problem = makeProblem(bench.image, parametersFor(*bench.operation, k, rankOne));
        const Kernel kernel = planConvolution(problem).kernel;
        for (const Implementation* implementation : backend.implementations()) {
            if (implementation->operation() != "convolve") continue;
            if (const Support support = implementation->supports(problem); !support) {
                std::printf("%4d %-10s left out: %s\n", k, implementation->variant().c_str(), support.reason.c_str());
                continue;
            }
            // The default choice of the backend.
            const Preference preference = implementation->preference(problem, device);
            const auto execution = implementation->prepare(problem, bench.context);
            gpu::check(cudaMemsetAsync(bench.out.data(), 0xFF, bench.out.bytes(), bench.stream()), "poison");
            const Samples t = timeCalls(bench.session->clock(), samples, [&] { bench.run(*execution); });
            bench.session->download(bench.out.view<float>(), bench.result.view());
            const double error = relativeError(kernel, bench.input(), std::as_const(bench.result).view());
            const bool right = error < 1e-5;
            allRight = allRight && right;
            std::printf("%4d %-10s %10.4f %10.4f %7.1f%% %9.1f%% %9.2f %11.2e %s%s%s\n", k, implementation->variant().c_str(), t.median,
                        t.least, 100 * t.spread, 100 * copy.median / t.median,
                        2e-9 * k * k * static_cast<double>(shape.samples()) / t.median, error, right ? "ok" : "WRONG",
                        preference.rank > 0 ? "; chosen: " : "", preference.reason.c_str());
            bench.session->drain();
        }
    }
}

void benchHostToHost(const gpu::CudaBackend& backend, int device, std::int64_t extent, int samples) {
    Bench bench(backend, device, {extent, extent, 1, 1});
    std::memset(bench.result.data(), 0xFF, bench.result.bytes());
    const Implementation* direct = backend.implementations().at(0);
    const auto execution = direct->prepare(makeProblem(bench.image, parametersFor(*bench.operation, 7)), bench.context);
    StageClock& clock = bench.session->clock();
    std::vector<double> up, compute, down, wall;
    for (int i = 0; i < samples + 2; ++i) {
        const auto start = std::chrono::steady_clock::now();
        clock.begin(Stage::upload);
        bench.session->upload(bench.input(), bench.in.view<float>());
        clock.end();
        clock.begin(Stage::compute);
        bench.run(*execution);
        clock.end();
        clock.begin(Stage::download);
        bench.session->download(bench.out.view<float>(), bench.result.view());
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
    Buffer pinned(bench.in.shape(), SampleType::float32, gpu::pinnedAllocator(0));
    std::memcpy(pinned.data(), bench.image.samples().data(), pinned.bytes());
    const auto timeCopy = [&](void* to, const void* from, cudaMemcpyKind kind) {
        const auto copy = [&] { gpu::check(cudaMemcpyAsync(to, from, pinned.bytes(), kind, bench.stream()), "copy"); };
        return timeCalls(clock, std::min(samples, 7), copy);
    };
    const Samples linkUp = timeCopy(bench.in.data(), pinned.data(), cudaMemcpyHostToDevice);
    const Samples linkDown = timeCopy(pinned.data(), bench.in.data(), cudaMemcpyDeviceToHost);
    const double megabytes = static_cast<double>(pinned.bytes()) * 1e-6;
    std::printf("\nhost to host, %lld x %lld, k = 7 (direct), ordinary host memory, up to %zu MiB pinned for staging\n",
                static_cast<long long>(extent), static_cast<long long>(extent), static_cast<std::size_t>(gpu::stagingBytes() >> 20));
    const auto line = [&](const char* name, double ms, double link) {
        std::printf("  %-10s %8.3f ms", name, ms);
        if (link > 0) std::printf("  %6.1f GB/s  link alone %.3f ms, ratio %.2f", megabytes / ms, link, ms / link);
        std::printf("\n");
    };
    line("upload", gpu::median(up), linkUp.median);
    line("compute", gpu::median(compute), 0);
    line("download", gpu::median(down), linkDown.median);
    line("wall", gpu::median(wall), linkUp.median + linkDown.median);
}

}  // namespace

int main(int argc, char** argv) {
    const gpu::Arguments arguments(argc, argv);
    return gpu::benchmarkMain([&] {
        const int device = arguments.number("--device", 0);
        const bool quick = arguments.has("--quick");
        const gpu::CudaBackend backend;
        const DeviceInfo info = backend.devices().at(static_cast<std::size_t>(device));
        std::printf("%s, %llu MiB, %llu MiB free\n", info.name.c_str(), static_cast<unsigned long long>(info.memoryTotal >> 20),
                    static_cast<unsigned long long>(info.memoryFree >> 20));
        for (const auto& [key, value] : info.details) std::printf("  %s: %s\n", key.c_str(), value.c_str());
        const int samples = quick ? 5 : 21;
        benchCompute(backend, device, 8192, 8192, {3, 5, 7, 9, 11, 13, 15}, samples);
        benchCompute(backend, device, 8191, 8191, {3, 7, 15}, samples);
        benchCompute(backend, device, 1024, 1024, {3, 5, 7, 11, 15}, samples);
        benchCompute(backend, device, 4096, 4096, {4, 17, 21, 31, 63}, samples);
        for (const int extent : {8192, 8191, 1024}) benchCompute(backend, device, extent, extent, {3, 5, 7, 11, 15, 31}, samples, true);
        benchCompute(backend, device, 256, 256, {31, 63}, samples);
        for (const int extent : {1024, 4096, 8192}) benchHostToHost(backend, device, extent, quick ? 5 : 15);
        if (!allRight) std::printf("\nSOME RESULTS ARE WRONG\n");
        return allRight ? 0 : 7;
    });
}
