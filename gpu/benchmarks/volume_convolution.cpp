// SPDX-License-Identifier: GPL-3.0-or-later
// Times windows in three dimensions by the session's clock, in turns with a copy of the volume on the device (the floor of one pass), and
// checks sampled voxels in double. Without --variant the one that the backend chooses. Usage:
// bench_gpu_volume_convolution [--size N] [--samples N] [--device N] [--variant NAME] [--tilings: also other tiles of the fused
// kernels]
#include <cmath>
#include <functional>

#include "core/operations/convolution/convolution.hpp"
#include "core/operations/convolution/volume/plan.hpp"
#include "gpu/backend.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/benchmarks/volume_tilings.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/session.hpp"

namespace {

using namespace parallax;

struct Trial {
    std::string name;
    std::function<void()> run;
    std::vector<double> ms;
    std::unique_ptr<Execution> execution;
};

/// Largest deviation of sampled voxels, corners and edges first, relative to the sum of magnitudes of the weights.
double relativeError(const VolumePlan& plan, const View<const float>& in, const View<const float>& out) {
    const Kernel3d& k = *plan.kernel;
    const std::int64_t extents[] = {in.shape.width, in.shape.height, in.shape.depth};
    double worst = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        std::int64_t at[3];
        for (std::uint64_t axis = 0; axis < 3; ++axis) {
            const auto inside = static_cast<std::int64_t>(gpu::pseudoRandom(3 * i + axis) * static_cast<float>(extents[axis] - 1));
            const std::uint64_t lot = i / (axis + 1) % 3;
            at[axis] = i >= 100 || lot == 2 ? inside : lot == 0 ? 0 : extents[axis] - 1;
        }
        double sum = 0;
        for (int w = 0; w < k.size[2]; ++w)
            for (int v = 0; v < k.size[1]; ++v)
                for (int u = 0; u < k.size[0]; ++u)
                    sum += k.at(u, v, w) * static_cast<double>(in.at(borderIndex(at[0] + u - k.anchor[0], extents[0], plan.border),
                                                                     borderIndex(at[1] + v - k.anchor[1], extents[1], plan.border),
                                                                     borderIndex(at[2] + w - k.anchor[2], extents[2], plan.border)));
        const double error = std::fabs(static_cast<double>(out.at(at[0], at[1], at[2])) - sum) / plan.absoluteSum;
        worst = std::isfinite(error) ? std::max(worst, error) : HUGE_VAL;
    }
    return worst;
}

/// Adds the fused kernel for cubes of `size` with other tiles. `factors` are those along x, y, z, and outlive the trials.
void addTilings(std::vector<Trial>& trials, int size, const View<const float>& in, const View<float>& out,
                const std::vector<float>& factors, int device, cudaStream_t stream) {
    gpu::VolumeLaunch launch;
    launch.slices = {.in = in.data,
                     .out = out.data,
                     .inRowStride = in.rowStride,
                     .inSliceStride = in.sliceStride,
                     .outRowStride = out.rowStride,
                     .outSliceStride = out.sliceStride,
                     .width = static_cast<int>(in.shape.width),
                     .height = static_cast<int>(in.shape.height),
                     .depth = static_cast<int>(in.shape.depth),
                     .zEnd = static_cast<int>(in.shape.depth),
                     .vectors = in.rowStride % 4 == 0 && out.rowStride % 4 == 0,
                     .streaming = true};
    const int middle = size / 2;
    launch.window = {.width = size,
                     .height = size,
                     .depth = size,
                     .anchorX = middle,
                     .anchorY = middle,
                     .anchorZ = middle,
                     .hostFactors = factors.data()};
    launch.multiprocessors = gpu::deviceLimits(device).multiprocessors;
    for (const gpu::VolumeTiling& t : gpu::volumeTilings())
        if (t.size == size)
            trials.push_back({std::to_string(t.rows) + " x " + std::to_string(t.warps) + ", " + std::to_string(t.blocks) + ", " +
                                  std::to_string(t.stages),
                              [=] { t.launch(launch, stream); },
                              {},
                              nullptr});
}

int bench(const gpu::Arguments& arguments) {
    const auto extent = arguments.number<std::int64_t>("--size", 512);
    const int samples = arguments.number("--samples", 21);
    const std::string variant = arguments.text("--variant", "");
    const std::unique_ptr<Operation> operation = makeConvolution();
    const gpu::CudaBackend backend;
    RunContext context;
    context.device = arguments.number("--device", 0);
    const auto session = backend.open(context);
    context.session = session.get();
    const Shape shape{extent, extent, extent, 1};
    Image image{Buffer(shape)};
    for (std::int64_t i = 0; i < shape.samples(); ++i) image.view().data[i] = gpu::pseudoRandom(static_cast<std::uint64_t>(i));
    const SampleStatistics statistics = makeProblem(image, ParameterBlock(operation->parameters())).statistics;
    Buffer in = session->allocate(session->paddedLayout(shape)), out = session->allocate(session->paddedLayout(shape));
    Buffer result(shape);
    session->upload(std::as_const(image).view(), in.view<float>());
    const cudaStream_t stream = gpu::cudaSession(context).stream();
    std::printf("%s, %lld^3 float32\n%-12s %-10s %10s %10s %8s %10s %s\n", backend.devices().at(0).name.c_str(),
                static_cast<long long>(extent), "window", "variant", "median ms", "least ms", "x copy", "max error", "check");

    bool right = true;
    const std::vector<std::pair<std::string, std::string>> windows{
        {"gaussian", "3"}, {"gaussian", "5"}, {"gaussian", "7"}, {"gaussian", "9"}, {"unsharp", "3"}, {"unsharp", "5"}, {"unsharp", "7"}};
    for (const auto& [kernel, size] : windows) {
        ParameterBlock parameters(operation->parameters());
        for (const auto& [key, value] : {std::pair{"axes", "xyz"}, {"kernel", kernel.c_str()}, {"size", size.c_str()}})
            parameters.setText(key, value);
        const Problem problem = makeProblem(image, parameters, statistics);
        const VolumePlan plan = planVolumeConvolution(problem);
        std::vector<Trial> trials;
        trials.push_back({"copy",
                          [&] { gpu::check(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice, stream), "copy"); },
                          {},
                          nullptr});
        for (const Implementation* i : backend.implementations()) {
            if (i->operation() != "convolve" || !i->supports(problem)) continue;
            if (variant.empty() ? i->preference(problem, 0).rank == 0 : i->variant() != variant) continue;
            Trial trial{i->variant(), {}, {}, i->prepare(problem, context)};
            trial.run = [&, execution = trial.execution.get()] {
                const View<const float> inputs[] = {std::as_const(in).view<float>()};
                const View<float> outputs[] = {out.view<float>()};
                execution->run(inputs, outputs, context);
            };
            trials.push_back(std::move(trial));
        }
        std::vector<float> factors;
        if (const auto& found = *plan.factors; found && arguments.has("--tilings")) {
            for (const auto& factor : found->factors) factors.insert(factors.end(), factor.begin(), factor.end());
            addTilings(trials, std::stoi(size), std::as_const(in).view<float>(), out.view<float>(), factors, context.device, stream);
        }
        gpu::timeInTurns(session->clock(), trials, samples, 2, 2);
        const double copy = gpu::median(trials[0].ms);
        for (const Trial& t : trials) {
            if (t.name == "copy") {
                std::printf("%-12s %-10s %10.4f %10.4f\n", (kernel + " " + size).c_str(), "copy", copy, t.ms.front());
                continue;
            }
            gpu::check(cudaMemsetAsync(out.data(), 0xFF, out.bytes(), stream), "poison");
            t.run();
            session->download(out.view<float>(), result.view());
            const double error = relativeError(plan, std::as_const(image).view(), std::as_const(result).view());
            right = right && error < 1e-5;
            std::printf("%-12s %-10s %10.4f %10.4f %8.3f %10.2e %s\n", (kernel + " " + size).c_str(), t.name.c_str(), gpu::median(t.ms),
                        t.ms.front(), gpu::median(t.ms) / copy, error, error < 1e-5 ? "ok" : "WRONG");
        }
    }
    if (!right) std::printf("SOME RESULTS ARE WRONG\n");
    return right ? 0 : 7;
}

}  // namespace

int main(int argc, char** argv) {
    const gpu::Arguments arguments(argc, argv);
    return gpu::benchmarkMain([&] { return bench(arguments); });
}
