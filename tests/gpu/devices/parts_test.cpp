// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on several devices: results, ways between them, and every kind of end.
#include <chrono>
#include <limits>
#include <string>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/operations/catalog.hpp"
#include "gpu/backend.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "tests/gpu/cancellable_run.hpp"
#include "tests/gpu/devices/group_test.hpp"

#if defined(PARALLAX_EMULATED_DEVICE)
#include <emulated_device/testing.hpp>
#endif

namespace parallax::gpu {
namespace {

/// With the backend of this program, whose memory and faults are seen here; not with the plug-in.
const Catalog& catalog() {
    static const Catalog own(makeOperations(), {std::make_shared<CudaBackend>()});
    return own;
}

PreparedRun prepared(const std::vector<std::string>& steps, const ImagePtr& image, const std::string& target, RunContext& context) {
    return Engine(catalog()).prepare(parsePipeline(catalog(), steps), image, parseTarget(target), context);
}

Image resultOf(const std::vector<std::string>& steps, const ImagePtr& image, const std::string& target) {
    RunContext context;
    return Engine(catalog()).run(parsePipeline(catalog(), steps), image, parseTarget(target), context).image;
}

const std::vector<std::string> kThreeSteps{"convolve:kernel=gaussian,sigma=2", "convolve:kernel=sharpen,border=wrap",
                                           "convolve:size=5,border=constant,border-value=0.5"};
const Shape kShape = sizeFor(Shape{1301, 907, 1, 3}, Shape{131, 97, 1, 3});

std::uint64_t usedBytes(int device) { return MemoryPool::of(device).usedBytes(); }

TEST(PartsOnDevices, HaveTheBitsOfOneDevice) {
    PARALLAX_NEEDS_DEVICES(2);
    const ImagePtr image = noiseImage(kShape);
    const Image whole = resultOf(kThreeSteps, image, "cuda.direct");
    EXPECT_TRUE(sameBits(resultOf(kThreeSteps, image, "cuda.direct@2").view(), whole.view()));
    EXPECT_TRUE(sameBits(resultOf(kThreeSteps, image, "cuda.direct+pinned@2").view(), whole.view()));
    const WithoutPeerAccess denied;
    EXPECT_TRUE(sameBits(resultOf(kThreeSteps, image, "cuda.direct@2").view(), whole.view()));
}

TEST(PartsOnDevices, KeepStagesAndGiveMemoryBack) {
    PARALLAX_NEEDS_DEVICES(2);
    const std::uint64_t before[] = {usedBytes(0), usedBytes(1)};
    {
        RunContext context;
        PreparedRun run = prepared(kThreeSteps, noiseImage(kShape), "cuda@2", context);
        const StageTimes times = run.run(context);
        for (const Stage stage : {Stage::upload, Stage::compute, Stage::download}) EXPECT_GT(times[stage], 0) << stageName(stage);
        EXPECT_EQ(times.parts(), 2);
        for (const StageTimes::Piece& p : times.pieces()) EXPECT_GE(p.span.begin, 0) << stageName(p.stage) << ", part " << p.part;
        EXPECT_GT(usedBytes(1), before[1]);
        EXPECT_NE(run.deviceName().find("2 x "), std::string::npos) << run.deviceName();
        EXPECT_NE(run.plan()[0].reason.find("on 2 parts, which exchange by peer access"), std::string::npos) << run.plan()[0].reason;
        const WithoutPeerAccess denied;
        PreparedRun apart = prepared(kThreeSteps, noiseImage(kShape), "cuda@2", context);
        EXPECT_NE(apart.plan()[0].reason.find("through host memory, since"), std::string::npos) << apart.plan()[0].reason;
    }
    for (const int device : {0, 1}) EXPECT_EQ(usedBytes(device), before[device]) << device;
}

TEST(PartsOnDevices, HaveTheMemoryOfAllDevices) {
    PARALLAX_NEEDS_DEVICES(2);
    // Too much for one device, since denoising does not work in strips.
    const ImagePtr image = noiseImage({512, 256, 48, 1});
    const std::vector<std::string> steps{"wavelet-denoise:wavelet=db2,levels=1"};
    const Image whole = resultOf(steps, image, "cuda");
    const MemoryLimit limit("68");
    try {
        (void)resultOf(steps, image, "cuda");
        ADD_FAILURE() << "one device was enough";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory) << e.what();
    }
    EXPECT_TRUE(sameBits(resultOf(steps, image, "cuda@2").view(), whole.view()));
}

TEST(PartsOnDevices, AreStreamedWhereTheyDoNotFit) {
    PARALLAX_NEEDS_DEVICES(2);
    // Input and result of a part have more than 6 MiB.
    const ImagePtr image = noiseImage({512, 1024, 1, 3});
    for (const char* step : {"convolve:size=9,border=wrap", "convolve:kernel=motion,size=15,border=constant,border-value=0.5",
                             "convolve:kernel=gaussian,sigma=3,border=reflect"}) {
        const Image whole = resultOf({step}, image, "cuda.direct");
        const std::uint64_t before[] = {usedBytes(0), usedBytes(1)};
        const MemoryLimit limit("4");
        {
            RunContext context;
            PreparedRun run = prepared({step}, image, "cuda.direct@2", context);
            EXPECT_NE(run.plan()[0].reason.find(", each in "), std::string::npos) << run.plan()[0].reason;
            EXPECT_NE(run.plan()[0].reason.find("since the largest part needs "), std::string::npos) << run.plan()[0].reason;
            EXPECT_LE(run.estimatedDeviceBytes(), std::uint64_t{4} << 20);
            for (int repeat = 0; repeat < 2; ++repeat) {
                const StageTimes times = run.run(context);
                EXPECT_TRUE(sameBits(run.output(), whole.view())) << step;
                EXPECT_TRUE(times.overlapped());
                EXPECT_EQ(times.parts(), 2);
                EXPECT_EQ(times[Stage::exchange], 0) << "each device reads its halo from the image";
                int strips = 0;
                for (const StageTimes::Piece& p : times.pieces()) {
                    EXPECT_GE(p.span.begin, 0);
                    EXPECT_LE(p.span.end, times.endToEnd());
                    if (p.stage == Stage::compute && p.part == 1) strips = std::max(strips, p.strip + 1);
                }
                EXPECT_GT(strips, 2);
            }
        }
        for (const int device : {0, 1}) EXPECT_EQ(usedBytes(device), before[device]) << device;
    }
}

TEST(PartsOnDevices, OverlapTheirStrips) {
    PARALLAX_NEEDS_DEVICES(2);
    for (const Shape& shape : {kShape, Shape{64, 3, 1, 1}, Shape{33, 1, 1, 3}, Shape{40, 30, 7, 2}, Shape{40, 30, 1, 4}}) {
        const ImagePtr image = noiseImage(shape);
        for (const char* border : {"replicate", "constant", "reflect", "reflect101", "wrap"}) {
            const std::vector<std::string> steps{std::string("convolve:size=5,border=") + border};
            const Image whole = resultOf(steps, image, "cuda.direct");
            for (const char* target : {"cuda.direct+overlapped@2", "cuda.direct+overlapped+pinned@2"})
                EXPECT_TRUE(sameBits(resultOf(steps, image, target).view(), whole.view()))
                    << target << ", " << border << ", " << shape.height << " rows, " << shape.depth << " slices";
        }
    }
}

TEST(PartsOnDevices, RefuseWhatTheyCannotDo) {
    PARALLAX_NEEDS_DEVICES(2);
    const auto why = [](const std::vector<std::string>& steps, const std::string& target) {
        try {
            (void)resultOf(steps, noiseImage({40, 30, 1, 1}), target);
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::unavailable) << target << ": " << e.what();
            return e.why();
        }
        ADD_FAILURE() << target << " ran";
        return std::string();
    };
    EXPECT_NE(why({"convolve"}, "cuda+graph@2").find("does not work on parts"), std::string::npos);
    EXPECT_NE(why({"tonemap"}, "cuda+overlapped@2").find("does not work on parts"), std::string::npos);
    EXPECT_NE(why({"convolve", "convolve"}, "cuda+overlapped@2").find("Only pipelines of one step"), std::string::npos);
    EXPECT_NE(why({"convolve"}, "cuda@900").find("it needs 900 devices"), std::string::npos);
    EXPECT_NE(why({"poisson"}, "cuda.dct@2").find("'multigrid' and 'cg' only"), std::string::npos);
    EXPECT_NE(why({"tonemap:operator=local"}, "cuda.cub@2").find("a whole image"), std::string::npos);
    EXPECT_NE(why({"dwt:axes=z"}, "cuda@2").find("A single slice"), std::string::npos);
}

TEST(PartsOnDevices, MoreDevicesThanRows) {
    PARALLAX_NEEDS_DEVICES(2);
    const ImagePtr image = noiseImage({33, 1, 1, 3});
    for (const char* step : {"convolve:size=5,border=wrap", "tonemap"})
        EXPECT_TRUE(sameBits(resultOf({step}, image, "cuda@2").view(), resultOf({step}, image, "cuda").view())) << step;
    for (const char* step :
         {"poisson", "diffuse", "diffuse:weights=perona-malik", "fill:missing=below,threshold=0.2", "fill:missing=fireflies"})
        EXPECT_NO_THROW((void)resultOf({step}, image, "cuda.cg@2")) << step;
}

TEST(PartsOnDevices, SolvesWithWeightsOfEdgesAreThoseOfOneDevice) {
    PARALLAX_NEEDS_DEVICES(2);
    // Samples that are not finite beside the seam, in both bands.
    const Shape shape{37, 22, 1, 2};
    Buffer samples(shape);
    fillRandom(samples.view(), 19);
    samples.view().at(4, 10) = samples.view().at(5, 11) = std::numeric_limits<float>::quiet_NaN();
    samples.view().at(9, 10, 0, 1) = samples.view().at(9, 11, 0, 1) = std::numeric_limits<float>::infinity();
    const ImagePtr image = std::make_shared<Image>(std::move(samples), defaultChannelNames(2));
    for (const char* step :
         {"diffuse:tolerance=1e-9", "diffuse:weights=perona-malik,tolerance=1e-9", "diffuse:weights=uniform,tolerance=1e-9", "fill",
          "fill:missing=below,threshold=0.4", "fill:missing=fireflies,factor=1.5,window=large"}) {
        const Image whole = resultOf({step}, image, "cuda.cg"), parts = resultOf({step}, image, "cuda.cg@2");
        const DifferenceMetrics d = compareViews(whole.view(), parts.view());
        EXPECT_LE(d.maxAbs, 1e-6) << step;
        EXPECT_EQ(d.mismatches(), 0U) << step;
        const WithoutPeerAccess denied;
        EXPECT_TRUE(sameBits(resultOf({step}, image, "cuda.cg@2").view(), parts.view())) << step;
    }
}

TEST(PartsOnDevices, StatisticsAreThoseOfTheWholeImage) {
    PARALLAX_NEEDS_DEVICES(2);
    const ImagePtr image = noiseImage(kShape);
    for (const char* op : {"global", "local", "photoreceptor", "histogram"}) {
        const std::vector<std::string> steps{std::string("tonemap:operator=") + op};
        std::vector<StatisticRecord> found[2];
        for (const int i : {0, 1}) {
            RunContext context;
            PreparedRun run = prepared(steps, image, i == 0 ? "cuda.fused" : "cuda.fused@2", context);
            (void)run.run(context);
            found[i] = run.statistics(context);
        }
        ASSERT_EQ(found[0].size(), found[1].size()) << op;
        for (std::size_t i = 0; i < found[0].size(); ++i)
            EXPECT_NEAR(found[1][i].value, found[0][i].value, 1e-5 * std::abs(found[0][i].value) + 1e-9) << op << ": " << found[0][i].key;
    }
}

TEST(PartsOnDevices, CancelEndsAllDevices) {
    PARALLAX_NEEDS_REAL_DEVICE();
    PARALLAX_NEEDS_DEVICES(2);
    // Seconds of work.
    const ImagePtr image = noiseImage({6000, 6000, 1, 3});
    for (const std::vector<std::string>& steps :
         {std::vector<std::string>(40, "convolve:size=31"), std::vector<std::string>{"poisson:tolerance=1e-14,iterations=1000000"},
          std::vector<std::string>{"diffuse:lambda=1000,tolerance=1e-14,iterations=1000000"},
          std::vector<std::string>{"fill:missing=below,threshold=0.9999,tolerance=1e-14,iterations=1000000"}}) {
        Promptness prompt(1000);
        while (prompt.again()) {
            CancellableRun cancellable;
            PreparedRun run = prepared(steps, image, steps.size() > 1 ? "cuda.direct@2" : "cuda.cg@2", cancellable.context);
            cancellable.expectCancelled(run, prompt);
        }
        EXPECT_TRUE(prompt.held()) << prompt.text();
        EXPECT_TRUE(sameBits(resultOf({"convolve"}, noiseImage(kShape), "cuda@2").view(),
                             resultOf({"convolve"}, noiseImage(kShape), "cuda").view()));
    }
}

#if defined(PARALLAX_EMULATED_DEVICE)
TEST(PartsOnDevices, AFailureOfOneDeviceEndsTheRunOnAll) {
    PARALLAX_NEEDS_DEVICES(2);
    const ImagePtr image = noiseImage(kShape);
    struct Work {
        std::vector<std::string> steps;
        std::string target = "cuda@2";
        int kernels = 1;  ///< that run before the failure
    };
    const std::string fill = "fill:missing=below,threshold=0.2";
    // Solvers: in the right-hand side, in the weights of edges, in an iteration.
    for (const auto& [steps, target, kernels] :
         {Work{kThreeSteps}, Work{{"tonemap"}}, Work{{"poisson"}, "cuda.cg@2"}, Work{{"diffuse"}, "cuda.cg@2"},
          Work{{"diffuse"}, "cuda.cg@2", 4}, Work{{"diffuse"}, "cuda.cg@2", 12}, Work{{fill}, "cuda.cg@2"}, Work{{fill}, "cuda.cg@2", 4},
          Work{{fill}, "cuda.cg@2", 12}, Work{{"convolve:size=5"}, "cuda.direct+overlapped@2"}}) {
        for (const int device : {0, 1}) {
            const std::uint64_t before[] = {usedBytes(0), usedBytes(1)};
            {
                RunContext context;
                PreparedRun run = prepared(steps, image, target, context);
                emulatedDevice::failKernelAfter(device, kernels);
                const auto start = std::chrono::steady_clock::now();
                try {
                    (void)run.run(context);
                    ADD_FAILURE() << "no kernel failed";
                } catch (const Error& e) {
                    EXPECT_EQ(e.code(), ErrorCode::failed) << e.what();
                    EXPECT_NE(e.why().find("cudaErrorLaunchFailure"), std::string::npos) << e.what() << ": " << e.why();
                }
                EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << "it waited for the limit";
                EXPECT_NE(emulatedDevice::takeFault(), "");
            }
            for (const int d : {0, 1}) EXPECT_EQ(usedBytes(d), before[d]) << steps[0] << ", device " << d;
        }
    }
    EXPECT_TRUE(sameBits(resultOf(kThreeSteps, image, "cuda@2").view(), resultOf(kThreeSteps, image, "cuda").view()));
}
#endif

}  // namespace
}  // namespace parallax::gpu
