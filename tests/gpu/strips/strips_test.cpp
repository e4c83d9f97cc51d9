// SPDX-License-Identifier: GPL-3.0-or-later
// Modes of the backend: strips of any height and recorded work are bit-identical to plain runs; images that do not fit in the device's
// memory are processed in strips.
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>

#include "core/engine/run/engine.hpp"
#include "core/operations/convolution/parameters.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/libraries/cufft.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/cancellable_run.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

/// Asymmetric weights, of rank 1 if `separable`.
ConvolutionParameters kernelOf(Random& random, int width, int height, BorderMode border, bool separable) {
    const auto factor = [&] { return static_cast<int>(random.bits() % 9) * 2 - 9; };
    std::vector<int> row, column;
    for (int u = 0; u < width; ++u) row.push_back(factor());
    for (int v = 0; v < height; ++v) column.push_back(factor());
    ConvolutionParameters p;
    p.kernel = KernelKind::custom;
    p.normalise = Normalisation::off;
    p.border = border;
    p.borderValue = 0.75;
    p.offset = 0.125;
    for (const int c : column) {
        for (const int r : row) p.weights += std::to_string(separable ? c * r : factor()) + " ";
        p.weights += ";";
    }
    return p;
}

Pipeline convolution(ConvolutionParameters parameters) {
    const Operation& operation = processCatalog().operation("convolve");
    ParameterBlock block(operation.parameters());
    block.assign(std::move(parameters));
    Pipeline pipeline;
    pipeline.steps.push_back({&operation, std::move(block), true});
    return pipeline;
}

/// Bands of any height.
void cutAtRandom(StripPlan& plan, Random& random) {
    plan.strips.clear();
    const std::int64_t height = plan.shape.height;
    for (std::int64_t p = 0; p < plan.shape.depth * plan.shape.channels; ++p)
        for (std::int64_t y = 0; y < height; y += plan.strips.back().rows)
            plan.strips.push_back(
                {p, 1, y, std::min(1 + static_cast<std::int64_t>(random.bits() % static_cast<unsigned>(2 * plan.rows)), height - y),
                 false});
}

constexpr BorderMode kBorders[] = {BorderMode::replicate, BorderMode::constant, BorderMode::reflect, BorderMode::reflect101,
                                   BorderMode::wrap};
constexpr const char* kVariants[] = {"direct", "separable", "tiled", "naive"};

TEST(StripsOnDevice, AreBitIdenticalToAWholeRun) {
    PARALLAX_NEEDS_DEVICE();
    Random random(11);
    const auto below = [&](unsigned n) { return static_cast<int>(random.bits() % n); };
    int bands = 0;
    int bandsWithCopies = 0;
    for (int trial = 0; trial < 120; ++trial) {
        // All random, since choices by the number of the trial would exclude combinations.
        const char* variant = kVariants[below(4)];
        const bool pinned = below(2), narrow = below(3) == 0, aligned = below(2);
        const Shape shape{1 + below(narrow ? 40 : sizeFor(300, 100)) * (aligned ? 4 : 1) + (aligned ? 3 : 0), 1 + below(sizeFor(300, 100)),
                          below(7) == 0 ? 3 : 1, below(3) == 0 ? 4 : 1};
        const int size = below(3) == 0 ? 2 * below(8) + 1 : 0;  // unrolled windows, or any size
        ConvolutionParameters parameters = kernelOf(random, size ? size : 1 + below(34), size ? size : 1 + below(34), kBorders[below(5)],
                                                    std::string(variant) == "separable");
        // Channels that are not filtered are copied from the middle of a band.
        const int copies = shape.channels == 4 ? below(3) : 0;
        if (copies == 1) parameters.alpha = AlphaPolicy::keep;
        if (copies == 2) parameters.channels = "G";
        const ImagePtr image = noiseImage(shape);
        const Pipeline pipeline = convolution(parameters);
        RunContext context;
        SCOPED_TRACE(std::string(variant) + ", trial " + std::to_string(trial) + ", " + std::to_string(shape.width) + " x " +
                     std::to_string(shape.height) + " x " + std::to_string(shape.depth) + " x " + std::to_string(shape.channels) +
                     (pinned ? ", pinned" : "") +
                     (copies == 1   ? ", alpha kept"
                      : copies == 2 ? ", only G"
                                    : ""));
        PreparedRun whole = Engine(processCatalog()).prepare(pipeline, image, parseTarget(std::string("cuda.") + variant), context);
        (void)whole.run(context);

        const CudaBackend backend;
        const auto session = backend.open(context);
        context.session = session.get();
        const Problem problem = makeProblem(*image, pipeline.steps[0].parameters);
        for (const Implementation* implementation : backend.implementations()) {
            if (implementation->variant() != variant) continue;
            const auto execution = implementation->prepare(problem, context);
            Buffer out(shape, SampleType::float32, pinned ? pinnedAllocator(0) : hostAllocator());
            Buffer in(shape, SampleType::float32, pinned ? pinnedAllocator(0) : hostAllocator());
            std::memcpy(in.data(), image->samples().data(), in.bytes());
            for (const int strip : {1, 1 + below(4000), 1 + below(sizeFor(200000, 20000))}) {
                StripLimits limits = session->stripLimits(pinned);
                limits.largestStrip = limits.smallestStrip = static_cast<std::uint64_t>(strip);
                StripPlan plan = planStrips(shape, implementation->strips(problem), limits, std::uint64_t{1} << 30);
                if (plan.rows > 0 && below(2)) cutAtRandom(plan, random);
                bands += plan.rows > 0;
                bandsWithCopies += plan.rows > 0 && copies > 0;
                std::memset(out.data(), 0xff, out.bytes());
                session->runStrips(*execution, plan, std::as_const(in).view(), out.view(), context);
                (void)session->clock().finish();
                EXPECT_TRUE(sameBits(whole.output(), std::as_const(out).view())) << plan.text();
            }
        }
    }
    EXPECT_GT(bands, 120);
    EXPECT_GT(bandsWithCopies, 20);
}

/// Strips of several hundred blocks and more, which use the kernels for large images.
TEST(StripsOnDevice, AreBitIdenticalToAWholeRunOnALargeImage) {
    PARALLAX_NEEDS_REAL_DEVICE();
    const Engine engine(processCatalog());
    Random random(17);
    const ImagePtr image = noiseImage({8192, 2048, 1, 1});
    for (const auto& [variant, size] : {std::pair{"direct", 3}, {"direct", 7}, {"direct", 11}, {"separable", 7}}) {
        SCOPED_TRACE(std::string(variant) + ", " + std::to_string(size));
        const Pipeline pipeline = convolution(kernelOf(random, size, size, BorderMode::reflect, true));
        RunContext context;
        PreparedRun plain = engine.prepare(pipeline, image, parseTarget(std::string("cuda.") + variant), context);
        (void)plain.run(context);
        for (const char* modes : {"+overlapped", "+overlapped+pinned"}) {
            PreparedRun strips = engine.prepare(pipeline, image, parseTarget(std::string("cuda.") + variant + modes), context);
            EXPECT_TRUE(strips.run(context).overlapped()) << modes;
            EXPECT_TRUE(sameBits(plain.output(), strips.output())) << modes;
        }
    }
}

/// Blocks a run at its first strip until it is released, for at most ten minutes.
class HeldExecution final : public Execution {
public:
    void run(std::span<const View<const float>>, std::span<const View<float>>, RunContext&) override {}
    void runStrip(const StripPlan&, const Strip&, const View<const float>&, const View<float>&, RunContext&) override {
        std::unique_lock lock(mutex_);
        held_ = true;
        changed_.notify_all();
        changed_.wait_for(lock, std::chrono::minutes(10), [&] { return letGo_; });
        held_ = false;
    }
    void waitUntilHeld() {
        std::unique_lock lock(mutex_);
        ASSERT_TRUE(changed_.wait_for(lock, std::chrono::minutes(10), [&] { return held_; }));
    }
    bool held() {
        const std::scoped_lock lock(mutex_);
        return held_;
    }
    void letGo() {
        const std::scoped_lock lock(mutex_);
        letGo_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool held_ = false, letGo_ = false;
};

void runOneStrip(HeldExecution& execution, RunContext context) {
    const auto session = CudaBackend().open(context);
    context.session = session.get();
    const Shape shape{64, 64, 1, 1};
    Buffer in(shape), out(shape);
    fillRandom(in.view(), 1);
    const StripSupport rowByRow{
        .yes = true, .reason = {}, .above = 0, .below = 0, .rowFor = [](std::int64_t row) { return row; }, .fill = 0};
    const StripPlan plan = planStrips(shape, rowByRow, {4, 1 << 20, 1 << 20, 1}, 1 << 20);
    EXPECT_EQ(plan.strips.size(), 1U);
    session->runStrips(execution, plan, std::as_const(in).view(), out.view(), context);
    (void)session->clock().finish();
}

/// A run of one strip in pageable memory, which holds the copying threads.
class HeldRun {
public:
    HeldRun() : thread_([this] { runOneStrip(execution_, {}); }) { execution_.waitUntilHeld(); }
    ~HeldRun() { execution_.letGo(); }
    bool held() { return execution_.held(); }

private:
    HeldExecution execution_;
    std::jthread thread_;  // last member: the thread uses all of the above
};

TEST(StripsOnDevice, WaitingThreadsUseNoProcessorTime) {
    PARALLAX_NEEDS_DEVICE();
    HeldRun run;
    const std::clock_t before = std::clock();  // CPU time of all threads of the process
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    EXPECT_TRUE(run.held());
    EXPECT_LT(seconds, 0.1);
}

TEST(StripsOnDevice, ARunThatWaitsForAnotherRunCanBeCancelled) {
    PARALLAX_NEEDS_DEVICE();
    HeldRun first;
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    HeldExecution second;
    second.letGo();
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        source.request_stop();
    });
    try {
        runOneStrip(second, context);
        ADD_FAILURE() << "the run was not cancelled";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
    }
    EXPECT_TRUE(first.held()) << "it had to wait for the other run";
}

TEST(Modes, AreBitIdenticalToAPlainRun) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    Random random(3);
    const int size = sizeFor(7, 3);
    const Pipeline pipeline = convolution(kernelOf(random, size, size, BorderMode::wrap, true));
    // Large enough for several strips.
    for (const Shape& shape : {Shape{600, 700, 1, 1}, Shape{317, 300, 1, 4}, Shape{100, 150, 30, 1}, Shape{3, 2, 1, 1}}) {
        const ImagePtr image = noiseImage(shape);
        for (const char* variant : kVariants) {
            const std::string plain = std::string("cuda.") + variant;
            RunContext context;
            PreparedRun expected = engine.prepare(pipeline, image, parseTarget(plain), context);
            const StageTimes plainTimes = expected.run(context);
            EXPECT_FALSE(plainTimes.overlapped());
            for (const ModeInfo& mode : CudaBackend().modes()) {
                const std::string target = plain + "+" + toText(mode.modes);
                SCOPED_TRACE(target + " on " + std::to_string(shape.width) + " x " + std::to_string(shape.height));
                PreparedRun run = engine.prepare(pipeline, image, parseTarget(target), context);
                EXPECT_EQ(run.target().label(), target);
                const bool overlapped = run.target().has(kModeOverlapped), pinned = run.target().has(kModePinned);
                for (int i = 0; i < sizeFor(3, 2); ++i) {
                    Progress progress;
                    context.progress = &progress;
                    const StageTimes times = run.run(context);
                    context.progress = nullptr;
                    EXPECT_EQ(progress.fraction(), 1);
                    EXPECT_EQ(times[Stage::prepare] > 0, run.target().has(kModeGraph) && i == 0) << "work is recorded once";
                    EXPECT_EQ(times.overlapped(), overlapped);
                    EXPECT_EQ(times.pieces().empty(), !overlapped);
                    for (const Stage s : {Stage::upload, Stage::compute, Stage::download}) {
                        EXPECT_GT(times[s], 0) << stageName(s);
                        EXPECT_LE(times[s], times.endToEnd()) << stageName(s);
                    }
                    EXPECT_TRUE(sameBits(expected.output(), run.output()));
                    EXPECT_EQ(isPinned(run.output().data), pinned);
                }
                // The image owns the memory of the result, so the next run has its own.
                const Image taken = run.takeImage();
                (void)run.run(context);
                EXPECT_TRUE(sameBits(expected.output(), run.output()));
                EXPECT_TRUE(sameBits(expected.output(), taken.view()));
            }
        }
    }
}

TEST(Modes, StripsOverlapInTime) {
    PARALLAX_NEEDS_REAL_DEVICE();
    RunContext context;
    PreparedRun run = Engine(processCatalog())
                          .prepare(convolution({}), noiseImage({4096, 4096, 1, 1}), parseTarget("cuda.direct+overlapped+pinned"), context);
    EXPECT_NE(run.plan().at(0).reason.find("strips of"), std::string::npos) << run.plan().at(0).reason;
    (void)run.run(context);
    const StageTimes times = run.run(context);
    EXPECT_GT(times.span(Stage::upload).end, times.span(Stage::download).begin) << "downloads began before the last upload ended";
    EXPECT_GT(times[Stage::upload] + times[Stage::compute] + times[Stage::download], times.endToEnd() * 11 / 10);
}

TEST(Modes, RecordSeveralStepsAndTransforms) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    Random random(5);
    Pipeline pipeline = convolution(kernelOf(random, 5, 4, BorderMode::reflect, false));
    pipeline.steps.push_back(convolution(kernelOf(random, 3, 9, BorderMode::constant, false)).steps[0]);
    pipeline.steps.push_back(convolution({}).steps[0]);
    const ImagePtr image = noiseImage({sizeFor(640, 160), sizeFor(480, 120), 1, 3});
    for (const char* target : {"cuda", "cuda.tiled", "cuda.fft"}) {
        if (std::string(target) == "cuda.fft" && !cufftState().loaded) continue;
        SCOPED_TRACE(target);
        if (std::string(target) == "cuda.fft") {
            pipeline.steps.resize(1);
            pipeline.steps[0] = convolution(kernelOf(random, 41, 41, BorderMode::reflect, false)).steps[0];
        }
        RunContext context;
        PreparedRun plain = engine.prepare(pipeline, image, parseTarget(target), context);
        PreparedRun graph = engine.prepare(pipeline, image, parseTarget(std::string(target) + "+graph"), context);
        (void)plain.run(context);
        for (int i = 0; i < 3; ++i) {
            (void)graph.run(context);
            EXPECT_TRUE(sameBits(plain.output(), graph.output()));
        }
    }
}

TEST(Modes, ImagesThatDoNotFitRunInStrips) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    Random random(7);
    const Pipeline pipeline = convolution(kernelOf(random, sizeFor(41, 5), 41, BorderMode::wrap, false));
    const ImagePtr image = noiseImage({3000, 560, 1, 2});  // 13 MiB, and the same for the result
    RunContext context;
    PreparedRun plain = engine.prepare(pipeline, image, parseTarget("cuda.direct"), context);
    (void)plain.run(context);
    for (const char* mebibytes : {"24", "10", "3"}) {
        const MemoryLimit limit(mebibytes);
        SCOPED_TRACE(mebibytes);
        EXPECT_EQ(listDevices().at(0).memoryFree, std::strtoull(mebibytes, nullptr, 10) << 20);
        PreparedRun run = engine.prepare(pipeline, image, parseTarget("cuda.direct"), context);
        EXPECT_LE(run.estimatedDeviceBytes(), std::strtoull(mebibytes, nullptr, 10) << 20);
        EXPECT_NE(run.plan().at(0).reason.find("since the whole needs"), std::string::npos) << run.plan().at(0).reason;
        (void)run.run(context);
        EXPECT_TRUE(sameBits(plain.output(), run.output()));
        for (const char* target : {"cuda.fft", "cuda.direct+graph"}) {
            if (std::string(target) == "cuda.fft" && !cufftState().loaded) continue;
            try {
                (void)engine.prepare(pipeline, image, parseTarget(target), context);
                ADD_FAILURE() << target << " was not refused";
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::memory) << e.what();
                if (std::string(target).ends_with("graph")) {
                    EXPECT_NE(e.why().find("Recorded runs (the mode 'graph') do not work in strips"), std::string::npos) << e.what();
                    EXPECT_NE(e.whatToDo().find("Leave the mode 'graph' out"), std::string::npos) << e.what();
                }
            }
        }
    }
    {
        const MemoryLimit limit("1");
        EXPECT_THROW((void)engine.prepare(pipeline, image, parseTarget("cuda.direct"), context), Error);
    }
    (void)plain.run(context);
}

TEST(Modes, ImagesThatDoNotFitTakeAVariantThatWorksInStrips) {
    PARALLAX_NEEDS_DEVICE();
    if (!cufftState().loaded) GTEST_SKIP() << "without transforms the default variant works in strips";
    const Engine engine(processCatalog());
    Random random(19);
    const Pipeline pipeline = convolution(kernelOf(random, 101, 101, BorderMode::wrap, false));
    const ImagePtr image = noiseImage({1200, 300, 1, 2});  // 3 MiB, and the same for the result
    RunContext context;
    PreparedRun ruled = engine.prepare(pipeline, image, parseTarget("cuda"), context);
    ASSERT_EQ(ruled.plan().at(0).variant, "fft");
    PreparedRun direct = engine.prepare(pipeline, image, parseTarget("cuda.direct"), context);
    (void)direct.run(context);
    const MemoryLimit limit("4");
    PreparedRun strips = engine.prepare(pipeline, image, parseTarget("cuda"), context);
    const StepPlan& plan = strips.plan().at(0);
    EXPECT_EQ(plan.variant, "direct");
    EXPECT_EQ(plan.implementation, "convolve / cuda / direct");
    EXPECT_NE(plan.reason.find("works in strips, unlike fft"), std::string::npos) << plan.reason;
    EXPECT_NE(plan.reason.find("4 MiB are free"), std::string::npos) << plan.reason;
    EXPECT_NE(plan.reason.find("strips of"), std::string::npos) << plan.reason;
    EXPECT_LE(strips.estimatedDeviceBytes(), std::uint64_t{4} << 20);
    (void)strips.run(context);
    EXPECT_TRUE(sameBits(direct.output(), strips.output()));
    // A variant that was requested is never replaced.
    EXPECT_THROW((void)engine.prepare(pipeline, image, parseTarget("cuda.fft"), context), Error);
}

TEST(Modes, PipelinesThatDoNotFitRunStepByStep) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    Random random(23);
    const ImagePtr image = noiseImage({3000, 280, 1, 2});  // 6.4 MiB, as each result
    Pipeline pipeline = convolution(kernelOf(random, 5, 4, BorderMode::reflect, false));
    pipeline.steps.push_back(parseStep(processCatalog(), "repair:high=3"));
    pipeline.steps.push_back(convolution(kernelOf(random, 3, 9, BorderMode::constant, false)).steps[0]);
    pipeline.steps.push_back(convolution(kernelOf(random, 3, 3, BorderMode::wrap, false)).steps[0]);
    RunContext context;
    PreparedRun plain = engine.prepare(pipeline, image, parseTarget("cuda"), context);
    (void)plain.run(context);
    for (const char* target : {"cuda", "cuda+pinned"}) {
        SCOPED_TRACE(target);
        const MemoryLimit limit("12");
        PreparedRun run = engine.prepare(pipeline, image, parseTarget(target), context);
        EXPECT_LE(run.estimatedDeviceBytes(), std::uint64_t{12} << 20);
        EXPECT_GE(run.estimatedHostBytes(), 3 * image->samples().bytes()) << "two results between steps, and that of the run";
        for (const StepPlan& step : run.plan()) EXPECT_NE(step.reason.find("since the whole needs"), std::string::npos) << step.reason;
        for (int i = 0; i < 2; ++i) {
            Progress progress;
            context.progress = &progress;
            const StageTimes times = run.run(context);
            context.progress = nullptr;
            EXPECT_EQ(progress.fraction(), 1);
            EXPECT_TRUE(times.overlapped());
            EXPECT_TRUE(sameBits(plain.output(), run.output()));
            // Each strip of each step is computed once.
            std::set<int> strips;
            std::size_t computed = 0;
            for (const StageTimes::Piece& p : times.pieces()) {
                EXPECT_LE(p.span.end, times.endToEnd());
                if (p.stage != Stage::compute) continue;
                strips.insert(p.strip);
                ++computed;
            }
            EXPECT_EQ(strips.size(), computed);
            EXPECT_GE(computed, 8U);
        }
    }
    const MemoryLimit limit("12");
    pipeline.steps.push_back(parseStep(processCatalog(), "wavelet-denoise"));
    try {
        (void)engine.prepare(pipeline, image, parseTarget("cuda"), context);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory);
        EXPECT_NE(e.why().find("wavelet-denoise / fused: Thresholds"), std::string::npos) << e.why();
        EXPECT_NE(e.whatToDo().find("CPU backend"), std::string::npos) << e.whatToDo();
    }
}

TEST(Modes, RejectAMemoryLimitThatIsNotANumber) {
    PARALLAX_NEEDS_DEVICE();
    for (const char* text : {"24MiB", "8G", "-1", "0", "1.5", " 24", "99999999999999999999"}) {
        const MemoryLimit limit(text);
        try {
            (void)CudaBackend().open({});
            ADD_FAILURE() << text;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::usage) << text;
            EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << e.what();
        }
    }
    const MemoryLimit limit("24");
    EXPECT_NO_THROW((void)CudaBackend().open({}));
}

TEST(Modes, RefusalsStateTheReason) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    Random random(9);
    const Pipeline large = convolution(kernelOf(random, 41, 41, BorderMode::wrap, false));
    RunContext context;
    const auto refusal = [&](const Pipeline& pipeline, const char* target) {
        try {
            (void)engine.prepare(pipeline, noiseImage({512, 512, 1, 1}), parseTarget(target), context);
        } catch (const Error& e) {
            return std::string(e.what());
        }
        return std::string("not refused");
    };
    if (cufftState().loaded) {
        EXPECT_NE(refusal(large, "cuda.fft+overlapped").find("whole plane"), std::string::npos);
    }
    EXPECT_NE(refusal(large, "cuda+graph+overlapped").find("cannot be combined"), std::string::npos);
    EXPECT_NE(refusal(large, "cuda+quick").find("known are graph"), std::string::npos);
    Pipeline two = large;
    two.steps.push_back(two.steps[0]);
    EXPECT_NE(refusal(two, "cuda.direct+overlapped").find("one step"), std::string::npos);
}

TEST(Modes, CancelledStripsLeaveEverythingUsable) {
    PARALLAX_NEEDS_REAL_DEVICE();
    const Engine engine(processCatalog());
    Random random(13);
    for (const char* target : {"cuda.naive+overlapped", "cuda.naive+overlapped+pinned"}) {
        SCOPED_TRACE(target);
        Promptness prompt(1'000);
        while (prompt.again()) {
            CancellableRun cancellable;
            PreparedRun run = engine.prepare(convolution(kernelOf(random, 127, 127, BorderMode::reflect, false)),
                                             noiseImage({8192, 8192, 1, 1}), parseTarget(target), cancellable.context);
            cancellable.expectCancelled(run, prompt);
            EXPECT_EQ(run.output().data, nullptr);
            RunContext again;
            (void)run.run(again);
            PreparedRun plain = engine.prepare(convolution(kernelOf(random, 3, 3, BorderMode::reflect, false)),
                                               noiseImage({100, 100, 1, 1}), parseTarget("cuda"), again);
            (void)plain.run(again);
        }
        EXPECT_TRUE(prompt.held()) << prompt.text();
    }
}

}  // namespace
}  // namespace parallax::gpu
