// SPDX-License-Identifier: GPL-3.0-or-later
// Other steps for an input that stays on the device.
#include "core/engine/run/engine.hpp"
#include "core/image/synthetic.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

TEST(ChangedRun, TurnsAVolumeThatIsUploadedOnce) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const ImagePtr volume = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:shepp-logan:40x31x27")));
    const auto steps = [](const std::string& text) { return parsePipeline(processCatalog(), {text}); };
    RunContext context;
    PreparedRun run = engine.prepare(steps("render:width=48,height=40"), volume, parseTarget("cuda"), context);
    run.keepInput();
    EXPECT_GT(run.run(context)[Stage::upload], 0);
    for (const char* step : {"render:azimuth=30,width=48,height=40", "render:mode=surface,threshold=0.15,width=20,height=50",
                             "render:mode=transfer,preset=bone,azimuth=70", "render:mode=mean,elevation=10,width=48,height=40"}) {
        SCOPED_TRACE(step);
        engine.change(run, steps(step), context);
        EXPECT_EQ(run.run(context)[Stage::upload], 0);
        const Image again = engine.run(steps(step), volume, parseTarget("cuda"), context).image;
        EXPECT_TRUE(sameBits(run.output(), again.view()));
    }
}

TEST(ChangedRun, RecordedRunsAndStripsCannotChange) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const ImagePtr image = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:noise:64x48")));
    const Pipeline steps = parsePipeline(processCatalog(), {"convolve:size=3"});
    RunContext context;
    for (const char* target : {"cuda+graph", "cuda+overlapped"}) {
        PreparedRun run = engine.prepare(steps, image, parseTarget(target), context);
        try {
            engine.change(run, steps, context);
            FAIL() << target;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::unavailable) << e.what();
        }
        (void)run.run(context);
        EXPECT_NE(run.output().data, nullptr) << target;
    }
}

}  // namespace
}  // namespace parallax::gpu
