// SPDX-License-Identifier: GPL-3.0-or-later
// Windows in three dimensions in slabs of slices: bit-identical to a whole run for slabs of any size, and refused with the bytes that are
// missing.
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "gpu/backend.hpp"
#include "gpu/operations/convolution/volume/slabs.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

TEST(VolumeSlabs, AreBitIdenticalToAWholeRun) {
    PARALLAX_NEEDS_DEVICE();
    Random random(27);
    const auto below = [&](unsigned n) { return static_cast<int>(random.bits() % n); };
    const char* const windows[] = {"kernel=gaussian,size=7", "kernel=unsharp,size=3", "kernel=custom,weights=1 2|3 4|5 -6|7 1,anchor-z=3",
                                   "kernel=sobel-z,size=5,channels=G"};
    int severalSlabs = 0;
    for (const std::string border : {"replicate", "constant,border-value=0.75", "reflect", "reflect101", "wrap"})
        for (const char* window : windows) {
            const Shape shape{1 + below(sizeFor(200, 40)), 1 + below(20), 1 + below(30), below(2) == 0 ? 3 : 1};
            std::string text = "convolve:axes=xyz," + std::string(window) + ",border=" + border;
            if (const auto at = text.find(",channels=G"); at != std::string::npos && shape.channels == 1) text.erase(at, 11);
            const Pipeline pipeline = parsePipeline(processCatalog(), {text});
            const ImagePtr image = noiseImage(shape);
            RunContext context;
            SCOPED_TRACE(text + " on " + std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " +
                         std::to_string(shape.depth) + " x " + std::to_string(shape.channels));
            PreparedRun whole = Engine(processCatalog()).prepare(pipeline, image, parseTarget("cuda"), context);
            (void)whole.run(context);

            const CudaBackend backend;
            const auto session = backend.open(context);
            context.session = session.get();
            const Problem problem = makeProblem(*image, pipeline.steps[0].parameters);
            for (const Implementation* implementation : backend.implementations()) {
                if (implementation->operation() != "convolve" || implementation->variant() != whole.plan()[0].variant) continue;
                ASSERT_FALSE(implementation->strips(problem));
                if (!implementation->slabs(problem)) continue;
                const auto execution = implementation->prepare(problem, context);
                Buffer out(shape);
                for (const int bytes : {1, 1 + below(20000), 1 + below(200000)}) {
                    StripLimits limits = session->slabLimits(false);
                    limits.largestStrip = limits.smallestStrip = static_cast<std::uint64_t>(bytes);
                    const StripPlan plan = execution->prepareSlabs(limits, std::uint64_t{1} << 30, context);
                    severalSlabs += static_cast<std::int64_t>(plan.strips.size()) > shape.channels;
                    std::memset(out.data(), 0xff, out.bytes());
                    session->runStrips(*execution, plan, image->view(), out.view(), context);
                    (void)session->clock().finish();
                    EXPECT_TRUE(sameBits(whole.output(), std::as_const(out).view())) << plan.text();
                }
            }
        }
    EXPECT_GT(severalSlabs, 10);
}

TEST(VolumeSlabPlan, FitsIntoTheMemory) {
    const Image image(Buffer(Shape{64, 32, 100, 1}));
    ParameterBlock parameters(processCatalog().operation("convolve").parameters());
    parameters.setText("axes", "xyz");
    parameters.setText("size", "7");
    const VolumePlan plan = planVolumeConvolution(makeProblem(image, parameters));
    StripLimits limits{.inFlight = 3, .largestStrip = std::uint64_t{1} << 40, .smallestStrip = 1};
    constexpr std::uint64_t slice = 64 * 32 * sizeof(float);
    for (const std::uint64_t slices : {24, 30, 60, 100, 1000}) {
        const VolumeSlabs slabs = planVolumeSlabs(image.shape(), plan, limits, slices * slice);
        EXPECT_LE(3 * slabs.strips.slotBytes, slices * slice);
        std::int64_t done = 0;
        for (const VolumeSlab& slab : slabs.slabs) {
            EXPECT_EQ(slab.first, done);
            done += slab.slices;
        }
        EXPECT_EQ(done, 100);
    }
    // Three slabs in flight of one slice and its halo of six, in and out.
    EXPECT_NO_THROW((void)planVolumeSlabs(image.shape(), plan, limits, 24 * slice));
    try {
        (void)planVolumeSlabs(image.shape(), plan, limits, 24 * slice - 1);
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory);
    }
}

}  // namespace
}  // namespace parallax::gpu
