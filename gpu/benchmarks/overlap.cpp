// SPDX-License-Identifier: GPL-3.0-or-later
// Times runs from host to host in every mode of the backend: medians, and their ratio to a page-locked copy of the same bytes, the floor of
// one direction of the link; then the height of strips, and the savings of recorded runs on small images. With the argument `wavelet` the
// same for wavelet transforms of volumes, whose floor is the longer of both copies; with `tonemap` for tone mapping, whose floor is one
// upload and one download, since statistics of the whole image precede the result.
// Usage: bench_gpu_overlap [wavelet | tonemap [--size N (default 8192)]]
#include <chrono>
#include <cmath>
#include <cstring>

#include "core/engine/run/engine.hpp"
#include "gpu/backend.hpp"
#include "gpu/benchmarks/bench.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

// Host to host in copies.
constexpr double kTarget = 1.25, kToneMappingTarget = 1.1;
constexpr const char* kTargetMode = "cuda+overlapped+pinned";

template <class F>
double medianMs(int times, F&& f) {
    using Clock = std::chrono::steady_clock;
    for (int i = 0; i < 3; ++i) f();
    std::vector<double> ms;
    for (int i = 0; i < times; ++i) {
        const auto start = Clock::now();
        f();
        ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    return median(ms);
}

ImagePtr image(const Shape& shape) {
    Buffer samples(shape);
    fillRandom(samples.view(), 1);
    return std::make_shared<Image>(std::move(samples), defaultChannelNames(1));
}
ImagePtr image(std::int64_t side) { return image(Shape{side, side, 1, 1}); }

Pipeline pipelineOf(const std::vector<std::string>& steps) {
    Pipeline p;
    for (const std::string& s : steps) p.steps.push_back(parseStep(processCatalog(), s));
    return p;
}

struct Copies {
    double up = 0, down = 0;  // ms
};

/// Times page-locked copies and prints them.
Copies measureCopies(std::size_t bytesUp, std::size_t bytesDown) {
    const auto shape = [](std::size_t bytes) { return Shape{static_cast<std::int64_t>(bytes / sizeof(float)), 1, 1, 1}; };
    Buffer in(shape(bytesUp), SampleType::float32, pinnedAllocator(0)), out(shape(bytesDown), SampleType::float32, pinnedAllocator(0));
    std::memset(in.data(), 0, bytesUp);
    std::memset(out.data(), 0, bytesDown);
    const Stream up(0), down(0);
    void *a = nullptr, *b = nullptr;
    check(cudaMalloc(&a, bytesUp), "memory");
    check(cudaMalloc(&b, bytesDown), "memory");
    const auto upload = [&] { check(cudaMemcpyAsync(a, in.data(), bytesUp, cudaMemcpyHostToDevice, up.get()), "upload"); };
    const auto download = [&] { check(cudaMemcpyAsync(out.data(), b, bytesDown, cudaMemcpyDeviceToHost, down.get()), "download"); };
    const auto wait = [&] { check(cudaDeviceSynchronize(), "wait"); };
    const Copies c{medianMs(15, [&] { upload(), wait(); }), medianMs(15, [&] { download(), wait(); })};
    const double both = medianMs(15, [&] { upload(), download(), wait(); });
    check(cudaFree(a), "memory");
    check(cudaFree(b), "memory");
    std::printf("page-locked copies of %.0f MB up %.3f ms, of %.0f MB down %.3f ms, both at once %.3f ms\n",
                static_cast<double>(bytesUp) / 1e6, c.up, static_cast<double>(bytesDown) / 1e6, c.down, both);
    return c;
}

double ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

/// Times a pipeline for each target and prints a line each. `floor`: ms. `most`: target of kTargetMode in floors, 0: none.
void compareTargets(const Pipeline& pipeline, const ImagePtr& input, const std::vector<std::string>& targets, double floor, double most) {
    std::printf("%-32s %10s %9s %8s %10s %10s %10s\n", "target", "end to end", "fastest", "copies", "upload", "compute", "download");
    for (const std::string& target : targets) {
        RunContext context;
        try {
            PreparedRun run = Engine(processCatalog()).prepare(pipeline, input, parseTarget(target), context);
            std::vector<double> whole, up, compute, down;
            for (int i = 0; i < 23; ++i) {
                const StageTimes t = run.run(context);
                if (i < 3) continue;
                whole.push_back(ms(t.endToEnd()));
                up.push_back(ms(t[Stage::upload]));
                compute.push_back(ms(t[Stage::compute]));
                down.push_back(ms(t[Stage::download]));
            }
            const double ratio = median(whole) / floor;
            std::printf("%-32s %10.3f %9.3f %8.3f %10.3f %10.3f %10.3f  %s", target.c_str(), median(whole), quantile(whole, 0), ratio,
                        median(up), median(compute), median(down), run.plan().at(0).reason.c_str());
            if (most > 0 && target == kTargetMode) std::printf(", target %.2f: %s", most, ratio <= most ? "reached" : "MISSED");
            std::printf("\n");
        } catch (const Error& e) {
            std::printf("%-32s %s\n", target.c_str(), e.what());
        }
    }
}

/// `size`: of the kernels.
void convolutions(const std::vector<int>& sizes, std::int64_t side) {
    const ImagePtr input = image(side);
    std::vector<std::string> targets{"cuda"};
    for (const ModeInfo& mode : processCatalog().backend("cuda").modes()) targets.push_back("cuda+" + toText(mode.modes));
    std::printf("\n%lld x %lld: ", static_cast<long long>(side), static_cast<long long>(side));
    const Copies copies = measureCopies(input->samples().bytes(), input->samples().bytes());
    for (const int size : sizes) {
        std::printf("%d x %d\n", size, size);
        compareTargets(pipelineOf({"convolve:size=" + std::to_string(size)}), input, targets, copies.up,
                       side == 8192 && size == 7 ? kTarget : 0);
    }
}

/// A step outside the engine, for strips of other sizes than those of strip_runner.hpp.
class StripTrials {
public:
    StripTrials(const Pipeline& pipeline, const std::string& variant, const ImagePtr& input, const Shape& output)
        : input_(input), output_(output), session_(0), problem_(makeProblem(*input, pipeline.steps[0].parameters)) {
        context_.session = &session_;
        for (const Implementation* i : backend_.implementations())
            if (i->variant() == variant && i->operation() == pipeline.steps[0].operation->id()) implementation_ = i;
        execution_ = implementation_->prepare(problem_, context_);
    }
    StripPlan planStrips(const StripLimits& limits) const {
        return parallax::planStrips(input_->shape(), implementation_->strips(problem_), limits, kMemory);
    }
    StripPlan planSlabs(const StripLimits& limits) { return execution_->prepareSlabs(limits, kMemory, context_); }
    /// Returns the times of eleven runs; the fastest is first.
    std::vector<StageTimes> run(const StripPlan& plan, bool pinned, int threads = 1, int slots = kPinnedStrips.inFlight) {
        const auto memory = pinned ? pinnedAllocator(0) : hostAllocator();
        Buffer in(input_->shape(), SampleType::float32, memory), out(output_, SampleType::float32, memory);
        std::memcpy(in.data(), input_->samples().data(), in.bytes());
        std::memset(out.data(), 0, out.bytes());
        StripRunner runner(session_.sharedStream(), session_.allocator(), threads, slots);
        EventClock clock(session_.device(), session_.sharedStream());
        std::vector<StageTimes> times;
        for (int i = 0; i < 14; ++i) {
            runner.run(*execution_, plan, std::as_const(in).view(), out.view(), context_, clock);
            StageTimes t = clock.finish();
            if (i > 2) times.push_back(std::move(t));
        }
        runner.drain();
        std::sort(times.begin(), times.end(), [](const StageTimes& a, const StageTimes& b) { return a.endToEnd() < b.endToEnd(); });
        return times;
    }

private:
    static constexpr std::uint64_t kMemory = std::uint64_t{8} << 30;
    ImagePtr input_;
    Shape output_;
    CudaBackend backend_;
    CudaSession session_;
    RunContext context_;
    Problem problem_;
    const Implementation* implementation_ = nullptr;
    std::unique_ptr<Execution> execution_;
};

/// Measures for the constants of strip_runner.hpp: height of strips and, for pageable memory, copying threads.
void heights(std::int64_t side) {
    std::printf("\nheight of strips, %lld x %lld, 7 x 7\n", static_cast<long long>(side), static_cast<long long>(side));
    const bool large = side > 4096;
    const ImagePtr input = image(side);
    StripTrials trials(pipelineOf({"convolve:size=7"}), "direct", input, input->shape());
    const auto measure = [&](bool pinned, const std::vector<int>& atOnce, const std::vector<int>& sizes) {
        // Slots for page-locked memory, threads for pageable memory.
        for (const int some : atOnce)
            for (const int mebibytes : sizes) {
                StripLimits limits = kPinnedStrips;
                limits.largestStrip = limits.smallestStrip = static_cast<std::uint64_t>(mebibytes) << 20;
                const StripPlan plan = trials.planStrips(limits);
                const auto times = pinned ? trials.run(plan, true, 1, some) : trials.run(plan, false, some);
                std::printf("%-9s %2d MiB, %-24s %2d %s %8.3f ms, fastest %8.3f\n", pinned ? "pinned" : "pageable", mebibytes,
                            plan.text().c_str(), some, pinned ? "at once" : "threads", ms(times[times.size() / 2].endToEnd()),
                            ms(times[0].endToEnd()));
            }
    };
    measure(true, {4, 8}, large ? std::vector<int>{1, 2, 4, 6, 8, 16, 32} : std::vector<int>{1, 2, 4});
    if (large) measure(false, {8, 12, 16}, {4, 8, 16});
}

/// Times whole calls, including the host's part of the launches.
void graphs(const std::vector<std::string>& steps) {
    std::printf("\nrecorded and plain runs of %zu steps, whole call, us (median of 300)\n", steps.size());
    for (const std::int64_t side : {256, 512, 1024})
        for (const char* target : {"cuda", "cuda+graph", "cuda+pinned", "cuda+graph+pinned"}) {
            RunContext context;
            PreparedRun run = Engine(processCatalog()).prepare(pipelineOf(steps), image(side), parseTarget(target), context);
            std::printf("%5lld %-20s %9.1f\n", static_cast<long long>(side), target, 1e3 * medianMs(300, [&] { (void)run.run(context); }));
        }
}

/// Times slabs of other sizes, for page-locked memory. `longer`: ms of the longer copy.
void slabs(StripTrials& trials, const Shape& volume, double longer) {
    const bool large = volume.depth > 100;
    const std::uint64_t slice = static_cast<std::uint64_t>(volume.width * volume.height) * sizeof(float);
    for (const auto& [first, most] : large
                                         ? std::vector<std::pair<int, int>>{{8, 8}, {16, 16}, {32, 32}, {8, 16}, {12, 32}}
                                         : std::vector<std::pair<int, int>>{{4, 4}, {6, 6}, {8, 8}, {12, 12}, {4, 16}, {6, 16}, {8, 16}}) {
        StripLimits limits = kPinnedSlabs;
        limits.smallestStrip = static_cast<std::uint64_t>(first) * slice;
        limits.largestStrip = static_cast<std::uint64_t>(most) * slice;
        limits.stripCost = 1;
        const StripPlan plan = trials.planSlabs(limits);
        const auto times = trials.run(plan, true);
        const double middle = ms(times[times.size() / 2].endToEnd());
        std::printf("  %2d to %2d slices: %8.3f ms, %5.2f copies, fastest %8.3f, compute %6.3f (%s)\n", first, most, middle,
                    middle / longer, ms(times[0].endToEnd()), ms(times[0].compute()), plan.text().c_str());
        if (large || first != 6 || most != 16) continue;
        for (const Stage stage : {Stage::upload, Stage::compute, Stage::download}) {
            std::printf("    %-8s us:", std::string(stageName(stage)).c_str());
            for (const StageTimes::Piece& p : times[0].pieces())
                if (p.stage == stage) std::printf(" %.0f-%.0f", 1e3 * ms(p.span.begin), 1e3 * ms(p.span.end));
            std::printf("\n");
        }
    }
}

/// Times every mode, and slabs of other sizes.
void wavelets(const Shape& shape, const std::vector<std::string>& cases) {
    const ImagePtr volume = image(shape);
    for (const std::string& name : cases) {
        const bool inverse = name.starts_with("idwt");
        RunContext context;
        const Pipeline forward = pipelineOf({inverse ? name.substr(1) : name});
        const ImagePtr coefficients =
            std::make_shared<Image>(Engine(processCatalog()).run(forward, volume, parseTarget("cuda"), context).image);
        const Pipeline pipeline = inverse ? pipelineOf({"idwt"}) : forward;
        const ImagePtr input = inverse ? coefficients : volume, output = inverse ? volume : coefficients;
        std::printf("\n%s, %lld x %lld x %lld: ", name.c_str(), static_cast<long long>(shape.width), static_cast<long long>(shape.height),
                    static_cast<long long>(shape.depth));
        const Copies copies = measureCopies(input->samples().bytes(), output->samples().bytes());
        const double longer = std::max(copies.up, copies.down);
        compareTargets(pipeline, input, {"cuda", "cuda+pinned", "cuda+overlapped", kTargetMode}, longer, kTarget);
        StripTrials trials(pipeline, "fused", input, output->shape());
        slabs(trials, shape, longer);
    }
}

/// Times every operator but `gradient` in every mode, on an RGB image.
void toneMapping(std::int64_t side) {
    Buffer samples(Shape{side, side, 1, 3});
    fillRandom(samples.view(), 2);
    for (std::int64_t i = 0; i < samples.shape().samples(); ++i)
        samples.view<float>().data[i] = std::exp2(6 * samples.view<float>().data[i]);
    const ImagePtr input = std::make_shared<Image>(std::move(samples), defaultChannelNames(3));
    std::printf("\ntonemap, %lld x %lld RGB: ", static_cast<long long>(side), static_cast<long long>(side));
    const Copies copies = measureCopies(input->samples().bytes(), input->samples().bytes());
    for (const char* op : {"global", "photoreceptor", "histogram", "local"}) {
        std::printf("%s\n", op);
        compareTargets(pipelineOf({std::string("tonemap:operator=") + op}), input, {"cuda", "cuda+pinned", "cuda+overlapped", kTargetMode},
                       copies.up + copies.down, kToneMappingTarget);
    }
}

int run(const Arguments& arguments) {
    if (arguments.has("tonemap")) {
        toneMapping(std::max<std::int64_t>(arguments.number("--size", 8192), 64));
        return 0;
    }
    if (arguments.has("wavelet")) {
        convolutions({7}, 8192);  // shares the streaming code with the wavelets
        wavelets({512, 512, 78, 1},
                 {"dwt:wavelet=db4,levels=1", "idwt:wavelet=db4,levels=1", "dwt:wavelet=db4,levels=3", "idwt:wavelet=db4,levels=3"});
        wavelets({512, 512, 512, 1}, {"dwt:wavelet=db4,levels=1", "idwt:wavelet=db4,levels=1", "dwt:wavelet=db4,levels=3"});
        return 0;
    }
    convolutions({3, 7, 15}, 8192);
    convolutions({7}, 2048);
    for (const std::int64_t side : {8192, 2048}) heights(side);
    graphs({"convolve:size=7"});
    graphs({"convolve:size=3", "convolve:size=5", "convolve:size=7"});
    return 0;
}

}  // namespace
}  // namespace parallax::gpu

int main(int argc, char** argv) {
    return parallax::gpu::benchmarkMain([&] { return parallax::gpu::run(parallax::gpu::Arguments(argc, argv)); });
}
