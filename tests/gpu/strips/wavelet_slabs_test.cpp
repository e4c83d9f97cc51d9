// SPDX-License-Identifier: GPL-3.0-or-later
// Wavelets in slabs: bit-identical to a whole transform for any size of slabs, with coarser levels on the device or level by level via the
// host.
#include <algorithm>
#include <cstdlib>

#include "core/engine/run/engine.hpp"
#include "core/operations/wavelet/parameters.hpp"
#include "gpu/backend.hpp"
#include "gpu/operations/wavelet/kernels/tuning.hpp"
#include "gpu/operations/wavelet/slab_plan.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

constexpr WaveletMode kRules[] = {WaveletMode::zero,          WaveletMode::constant,    WaveletMode::symmetric,
                                  WaveletMode::reflect,       WaveletMode::periodic,    WaveletMode::smooth,
                                  WaveletMode::antisymmetric, WaveletMode::antireflect, WaveletMode::periodization};

/// The samples of a tap, as (sample, factor) in order.
using Met = std::vector<std::pair<std::int64_t, int>>;
Met met(std::int64_t i, std::int64_t n, WaveletMode rule) {
    Met all;
    const auto e = extendedSample<std::int64_t>(i, n, rule);
    for (int k = 0; k < e.count; ++k) all.emplace_back(e.index[k], e.factor[k]);
    return all;
}

/// Sizes with the sum `all`: single ones, several of one size, all, growing ones, any.
std::vector<std::vector<std::int64_t>> cutsOf(std::int64_t all) {
    std::vector<std::vector<std::int64_t>> cuts{{all}, gradedStripSizes(all, 2, 7, 9, 10), gradedStripSizes(all, 1, 9, 3, 2)};
    const auto add = [&](auto&& sizeOf) {
        cuts.emplace_back();
        for (std::int64_t left = all; left > 0; left -= cuts.back().back()) cuts.back().push_back(std::min(left, sizeOf()));
    };
    for (const std::int64_t each : {1, 2, 3, 20}) add([&] { return each; });
    Random random(static_cast<std::uint64_t>(all));
    for (const unsigned most : {3, 12, 50}) add([&] { return 1 + static_cast<std::int64_t>(random.bits() % most); });
    return cuts;
}

TEST(WaveletArithmetic, SlabsReadTheSamplesOfTheWholeTransform) {
    for (const WaveletMode rule : kRules)
        for (const int taps : {2, 4, 8, 14, 40})
            for (const std::int64_t n : {1, 2, 5, 15, 16, 17, 30, 41, 80, 97, 128})
                for (const std::vector<std::int64_t>& sizes : cutsOf(forwardResults(n, taps, rule))) {
                    SCOPED_TRACE(testing::Message() << "rule " << static_cast<int>(rule) << ", taps " << taps << ", samples " << n
                                                    << ", sizes " << testing::PrintToString(sizes));
                    const auto slabs = forwardSlabs(n, taps, rule, sizes);
                    std::int64_t next = 0;
                    for (std::size_t i = 0; i < slabs.size(); ++i) {
                        const LevelSlab& s = slabs[i];
                        ASSERT_EQ(s.first, next);
                        ASSERT_GT(s.end, s.first);
                        next = s.end;
                        ASSERT_GE(s.reads(), s.carried);
                        if (i == 0) {
                            ASSERT_EQ(s.carried, 0);
                        } else {
                            ASSERT_GE(s.from, slabs[i - 1].from);
                            ASSERT_EQ(s.from + s.carried, slabs[i - 1].to);
                        }
                        for (std::int64_t o = s.first; o < s.end; ++o)
                            for (int j = 0; j < taps; ++j) {
                                Met alone = met(2 * (o - s.first + s.skip) + analysisShift(taps, rule) - j, s.reads(), rule);
                                for (auto& [index, factor] : alone) index = repeatedIndex(s.from + index, n, rule, true);
                                ASSERT_EQ(alone, met(2 * o + analysisShift(taps, rule) - j, n, rule))
                                    << "coefficient " << o << ", tap " << j;
                            }
                    }
                    ASSERT_EQ(next, coefficientCount<std::int64_t>(n, taps, rule));
                }
}

TEST(WaveletArithmetic, InverseSlabsReadTheCoefficientsOfTheWholeTransform) {
    for (const WaveletMode rule : {WaveletMode::symmetric, WaveletMode::periodization})
        for (const int taps : {2, 4, 6, 8, 14, 40})
            for (const std::int64_t n : {1, 2, 5, 15, 16, 17, 30, 41, 80, 97})
                for (const std::vector<std::int64_t>& sizes : cutsOf(inverseResults(n, taps, rule))) {
                    SCOPED_TRACE(testing::Message() << "rule " << static_cast<int>(rule) << ", taps " << taps << ", samples " << n
                                                    << ", sizes " << testing::PrintToString(sizes));
                    const std::int64_t count = coefficientCount<std::int64_t>(n, taps, rule);
                    const SynthesisPhase phase = synthesisPhase(taps, rule);
                    const bool wraps = rule == WaveletMode::periodization;
                    const auto met = [&](std::int64_t c, std::int64_t of) {
                        if (wraps) return (c % of + of) % of;
                        return c >= 0 && c < of ? c : std::int64_t{-1};
                    };
                    std::int64_t next = 0;
                    const auto slabs = inverseSlabs(n, taps, rule, sizes);
                    for (std::size_t i = 0; i < slabs.size(); ++i) {
                        const LevelSlab& s = slabs[i];
                        ASSERT_EQ(s.first, next);
                        next = s.end;
                        if (i > 0) {
                            ASSERT_EQ(s.from + s.carried, slabs[i - 1].to);
                        }
                        ASSERT_GE(s.carried, 0);
                        for (std::int64_t t = s.first; t < s.end; ++t)
                            for (int j = 0; j < taps / 2; ++j) {
                                const std::int64_t alone = met(t - s.first + s.skip + phase.shift - j, s.reads());
                                const std::int64_t index = alone < 0 ? -1 : repeatedIndex(s.from + alone, count, rule, false);
                                ASSERT_EQ(index, met(t + phase.shift - j, count)) << "pair " << t << ", tap " << j;
                            }
                    }
                    ASSERT_EQ(2 * next - phase.offset >= n && 2 * (next - 1) - phase.offset < n, true);
                }
}

/// Adds 1 to each sample of the host's image `which` that the boxes contain.
void addTouched(std::vector<int>& touched, const std::vector<StripBox>& boxes, int which) {
    for (const StripBox& box : boxes)
        for (std::int64_t z = 0; box.image == which && z < box.slices; ++z)
            for (std::int64_t y = 0; y < box.rows; ++y)
                for (std::int64_t x = 0; x < box.width; ++x)
                    ++touched.at(static_cast<std::size_t>(box.host + z * box.hostSlice + y * box.hostRow + x));
}

/// No device is needed: the plan is arithmetic.
TEST(WaveletSlabPlan, WritesEverySampleOnceAndReadsEverySample) {
    const auto bytes = [](const WaveletPlan& p) { return static_cast<std::uint64_t>(p.mosaic.pixels()); };
    int viaHost = 0, partlyAtOnce = 0, plans = 0;
    for (const Shape& shape : {Shape{20, 17, 40, 1}, Shape{33, 9, 25, 2}})
        for (const WaveletMode mode : {WaveletMode::symmetric, WaveletMode::zero, WaveletMode::periodization})
            for (const WaveletAxes axes : {WaveletAxes::all, WaveletAxes::xy})
                for (const bool forward : {true, false}) {
                    const WaveletPlan wavelet = planWavelet({.wavelet = WaveletId::db4, .mode = mode, .levels = 2, .axes = axes}, shape);
                    std::uint64_t memory = std::uint64_t{1} << 24;
                    for (int trial = 0; trial < 8; ++trial, memory = memory * 2 / 3) {
                        SCOPED_TRACE(testing::Message() << shape.width << " x " << shape.height << " x " << shape.depth << ", mode "
                                                        << static_cast<int>(mode) << ", forward " << forward << ", memory " << memory);
                        const StripLimits limits{.inFlight = 4, .largestStrip = 1 << 15, .smallestStrip = 1 << 10, .stripCost = 1 << 8};
                        SlabPlan plan;
                        try {
                            plan = planSlabs(wavelet, forward, limits, memory, bytes);
                        } catch (const Error& e) {
                            EXPECT_EQ(e.code(), ErrorCode::memory);
                            break;
                        }
                        ++plans;
                        viaHost += !plan.strips.kept.empty();
                        partlyAtOnce += !plan.allInSlabs();
                        const Shape &in = forward ? wavelet.image : wavelet.mosaic, &out = forward ? wavelet.mosaic : wavelet.image;
                        std::vector<int> read(static_cast<std::size_t>(in.samples())), written(static_cast<std::size_t>(out.samples()));
                        for (const StripPart& part : plan.strips.parts) {
                            addTouched(read, part.up, 0);
                            addTouched(written, part.down, 0);
                        }
                        EXPECT_TRUE(std::all_of(written.begin(), written.end(), [](int n) { return n == 1; }));
                        // The inverse leaves the gaps between bands alone.
                        if (forward) {
                            EXPECT_TRUE(std::all_of(read.begin(), read.end(), [](int n) { return n >= 1; }));
                        }
                        ASSERT_EQ(plan.steps.size(), plan.strips.strips.size());
                        const auto slots = std::min<std::uint64_t>(4, plan.strips.strips.size());
                        EXPECT_LE(plan.strips.ownBytes + plan.strips.slotBytes * slots, memory);
                        memory = plan.strips.ownBytes + plan.strips.slotBytes * slots;
                    }
                }
    EXPECT_GT(plans, 40);
    EXPECT_GT(viaHost, 3);
    EXPECT_GT(partlyAtOnce, 3);
}

Pipeline pipelineOf(const std::string& step) {
    Pipeline p;
    p.steps.push_back(parseStep(processCatalog(), step));
    return p;
}

/// Runs whole, then in slabs of at least `strip` bytes with decreasing memory until there is too little. Returns the texts of the plans.
std::vector<std::string> runInSlabs(const Pipeline& pipeline, const ImagePtr& image, const std::string& variant, bool pinned,
                                    std::uint64_t strip, std::uint64_t largest, int trials = 12) {
    RunContext context;
    PreparedRun whole = Engine(processCatalog()).prepare(pipeline, image, parseTarget("cuda." + variant), context);
    (void)whole.run(context);
    const CudaBackend backend;
    const auto session = backend.open(context);
    context.session = session.get();
    const Problem problem = makeProblem(*image, pipeline.steps[0].parameters);
    std::vector<std::string> texts;
    for (const Implementation* implementation : backend.implementations()) {
        if (implementation->variant() != variant || implementation->operation() != pipeline.steps[0].operation->id()) continue;
        const auto execution = implementation->prepare(problem, context);
        EXPECT_FALSE(implementation->strips(problem));
        EXPECT_TRUE(implementation->slabs(problem));
        const Shape shape = whole.output().shape;
        Buffer out(shape, SampleType::float32, pinned ? pinnedAllocator(0) : hostAllocator());
        Buffer in(image->shape(), SampleType::float32, pinned ? pinnedAllocator(0) : hostAllocator());
        std::memcpy(in.data(), image->samples().data(), in.bytes());
        StripLimits limits = session->slabLimits(pinned);
        limits.smallestStrip = strip;
        limits.largestStrip = largest;
        limits.stripCost = 1;
        std::uint64_t memory = std::uint64_t{1} << 30;
        for (int trial = 0; trial < trials; ++trial) {
            StripPlan plan;
            try {
                plan = execution->prepareSlabs(limits, memory, context);
            } catch (const Error& e) {
                EXPECT_EQ(e.code(), ErrorCode::memory);
                break;
            }
            std::int64_t rows = 0;
            for (const Strip& s : plan.strips) rows += s.rows;
            EXPECT_EQ(rows, shape.height * shape.depth * shape.channels);
            const std::uint64_t needed =
                plan.ownBytes + plan.slotBytes * std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.inFlight), plan.strips.size());
            EXPECT_LE(needed, memory);
            texts.push_back(plan.text());
            std::memset(out.data(), 0xff, out.bytes());
            session->runStrips(*execution, plan, std::as_const(in).view(), out.view(), context);
            (void)session->clock().finish();
            EXPECT_TRUE(sameBits(whole.output(), std::as_const(out).view())) << plan.text();
            memory = needed - 1;
        }
    }
    return texts;
}

/// Coefficients of `step`, a dwt.
ImagePtr coefficientsOf(const std::string& step, const ImagePtr& image) {
    RunContext context;
    return std::make_shared<Image>(Engine(processCatalog()).run(pipelineOf(step), image, parseTarget("cuda"), context).image);
}

TEST(WaveletSlabs, AreBitIdenticalToAWholeRun) {
    PARALLAX_NEEDS_DEVICE();
    Random random(5);
    const auto below = [&](unsigned n) { return static_cast<int>(random.bits() % n); };
    static constexpr const char* kModes[] = {"zero",   "constant",      "symmetric",   "reflect",      "periodic",
                                             "smooth", "antisymmetric", "antireflect", "periodization"};
    static constexpr const char* kWavelets[] = {"haar", "db2", "db4", "db7", "bior2.2"};
    static constexpr const char* kAxes[] = {"all", "all", "all", "xz", "z", "yz", "xy"};
    static constexpr const char* kVariants[] = {"fused", "fused", "constant"};
    int byHost = 0, onDevice = 0;
    for (int trial = 0; trial < sizeFor(60, 27); ++trial) {
        const Shape shape{20 + below(40), 20 + below(40), 16 + below(sizeFor(90, 30)), below(8) == 0 ? 2 : 1};
        const std::string what = std::string(":wavelet=") + kWavelets[below(5)] + ",mode=" + kModes[trial % 9] +
                                 ",levels=" + std::to_string(1 + below(3)) + ",axes=" + kAxes[below(7)];
        const char* variant = kVariants[below(3)];
        const bool pinned = below(2), inverse = below(2);
        SCOPED_TRACE(std::string(inverse ? "idwt of " : "") + "dwt" + what + ", " + variant + (pinned ? ", pinned, " : ", ") +
                     std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " + std::to_string(shape.depth));
        const ImagePtr image = noiseImage(shape);
        const auto texts =
            runInSlabs(pipelineOf(inverse ? "idwt" : "dwt" + what), inverse ? coefficientsOf("dwt" + what, image) : image, variant, pinned,
                       static_cast<std::uint64_t>(1 + below(60000)), static_cast<std::uint64_t>(1 + below(200000)));
        EXPECT_FALSE(texts.empty());
        for (const std::string& text : texts) {
            byHost += text.find("via the host") != std::string::npos;
            onDevice += text.find("whole on the device") != std::string::npos;
        }
    }
    EXPECT_GT(byHost, 3);
    EXPECT_GT(onDevice, 3);
}

// Slabs are so small that volumes of their size would use other kernels, with another order of summation.
TEST(WaveletSlabs, UseTheKernelsOfAWholeRun) {
    PARALLAX_NEEDS_DEVICE();
    const Shape shape{168, 164, 160, 1};
    ASSERT_GE(shape.pixels(), kZFirstForwardSamples);
    const ImagePtr image = noiseImage(shape);
    EXPECT_FALSE(runInSlabs(pipelineOf("dwt:wavelet=haar,levels=1"), image, "fused", false, 1 << 20, 1 << 21, 1).empty());
}

TEST(WaveletSlabs, AreBitIdenticalOnLargeVolumes) {
    PARALLAX_NEEDS_REAL_DEVICE();
    const ImagePtr image = noiseImage({500, 300, 131, 1});
    for (const char* step : {"dwt:wavelet=db4,levels=1", "dwt:wavelet=db4,levels=3", "dwt:wavelet=db4,levels=2,mode=periodization"})
        for (const bool pinned : {true, false}) {
            SCOPED_TRACE(std::string(step) + (pinned ? ", pinned" : ""));
            EXPECT_FALSE(runInSlabs(pipelineOf(step), image, "fused", pinned, 1 << 21, 1 << 23).empty());
            EXPECT_FALSE(runInSlabs(pipelineOf("idwt"), coefficientsOf(step, image), "fused", pinned, 1 << 21, 1 << 23).empty());
        }
}

TEST(WaveletSlabs, ServeModesAndVolumesThatDoNotFit) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const ImagePtr image = noiseImage({70, 61, sizeFor(140, 120), 1});
    for (const char* step : {"dwt:wavelet=db4,levels=1", "dwt:wavelet=db4,levels=3"}) {
        const ImagePtr coefficients = coefficientsOf(step, image);
        for (const bool inverse : {false, true}) {
            SCOPED_TRACE(std::string(inverse ? "idwt of " : "") + step);
            const Pipeline pipeline = pipelineOf(inverse ? "idwt" : step);
            const ImagePtr input = inverse ? coefficients : image;
            RunContext context;
            const Image plain = engine.run(pipeline, input, parseTarget("cuda"), context).image;
            for (const char* target : {"cuda+overlapped", "cuda+overlapped+pinned"}) {
                Progress progress;
                context.progress = &progress;
                PreparedRun run = engine.prepare(pipeline, input, parseTarget(target), context);
                for (int i = 0; i < 2; ++i) {
                    const StageTimes times = run.run(context);
                    EXPECT_TRUE(times.overlapped());
                    EXPECT_TRUE(sameBits(plain.view(), run.output())) << target;
                    EXPECT_EQ(progress.fraction(), 1);
                }
                EXPECT_NE(run.plan().at(0).reason.find("; in "), std::string::npos) << run.plan().at(0).reason;
                context.progress = nullptr;
            }
            // Less than image and result take.
            const MemoryLimit limit("3");
            for (const char* target : {"cuda", "cuda+pinned", "cuda.constant"}) {
                const RunResult small = engine.run(pipeline, input, parseTarget(target), context);
                EXPECT_NE(small.plan.at(0).reason.find("since the whole needs"), std::string::npos) << small.plan.at(0).reason;
                if (std::string(target) != "cuda.constant") {
                    EXPECT_TRUE(sameBits(plain.view(), small.image.view())) << target;
                }
            }
        }
    }
}

TEST(WaveletSlabs, DenoisingStatesWhyItIsNotCut) {
    PARALLAX_NEEDS_DEVICE();
    RunContext context;
    try {
        (void)Engine(processCatalog())
            .prepare(pipelineOf("wavelet-denoise:wavelet=db2,levels=1"), noiseImage({32, 30, 20, 1}), parseTarget("cuda+overlapped+pinned"),
                     context);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::unavailable);
        EXPECT_NE(e.why().find("before the whole image has been uploaded"), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace parallax::gpu
