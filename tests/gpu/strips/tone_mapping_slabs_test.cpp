// SPDX-License-Identifier: GPL-3.0-or-later
// Tone mapping in strips: every operator against the reference with no, some and all rows kept on the device, the memory that the plan
// states, and refusals with their reason.
#include <cmath>
#include <map>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "gpu/backend.hpp"
#include "gpu/operations/tone_mapping/slabs.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/cancellable_run.hpp"
#include "tests/gpu/device_arrays.hpp"

namespace parallax::gpu {
namespace {

const char* const kOperators[] = {"operator=global", "operator=local,scales=4", "operator=local,output=scale,scales=3",
                                  "operator=photoreceptor", "operator=histogram"};

/// Light over about sixteen powers of two; with some NaN, infinities and negative samples if `broken`.
ImagePtr scene(const Shape& shape, std::uint64_t seed, bool broken = false) {
    Image image(Buffer(shape), defaultChannelNames(shape.channels));
    const View<float> v = image.view();
    Random random(seed);
    for (std::int64_t i = 0; i < shape.samples(); ++i) {
        const float slow = std::sin(0.02F * static_cast<float>(i % shape.width)) + std::cos(0.004F * static_cast<float>(i / shape.width));
        const std::uint32_t which = broken ? random.bits() % 400 : 9;
        v.data[i] = which == 0 ? kNan : which == 1 ? kInf : (which == 2 ? -1.0F : 1.0F) * std::exp2(4 * slow + random.uniform());
    }
    return std::make_shared<const Image>(std::move(image));
}

Pipeline toneMapping(const std::string& parameters) { return parsePipeline(processCatalog(), {"tonemap:" + parameters}); }

std::string text(const Shape& s) { return std::to_string(s.width) + " x " + std::to_string(s.height) + " x " + std::to_string(s.channels); }

void expectAgreement(const View<const float>& expected, const View<const float>& result, const Tolerance& tolerance) {
    const DifferenceMetrics d = compareViews(expected, result, {.tolerance = tolerance.absolute});
    EXPECT_TRUE(d.within(tolerance.absolute, tolerance.ambiguous)) << "max " << d.maxAbs << ", allowed " << tolerance.absolute;
}

/// Statistics as those of the reference; pixels at the edge of a bin may be counted in the next one.
template <class Statistics>
void expectStatistics(const Statistics& found, const std::vector<StatisticRecord>& expected, std::int64_t pixels) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].key, expected[i].key);
        const bool share = found[i].key == "trimmed" || found[i].key == "brighter";
        const double off = share ? 300.0 / static_cast<double>(pixels) + 1e-2 : 1e-12;
        EXPECT_NEAR(found[i].value, expected[i].value, 3e-6 * std::fabs(expected[i].value) + off) << found[i].key;
    }
}

TEST(ToneMappingSlabs, MatchTheReferenceWhateverStaysOnTheDevice) {
    PARALLAX_NEEDS_DEVICE();
    const CudaBackend backend;
    const Engine engine(processCatalog());
    std::map<std::string, int> kinds;
    std::uint64_t seed = 0;
    for (const char* op : kOperators)
        for (const Shape& shape : {Shape{1, 1, 1, 3}, Shape{64, 90, 1, 1}, Shape{sizeFor(301, 131), sizeFor(203, 83), 1, 4},
                                   Shape{7, 400, 1, 3}, Shape{sizeFor(2051, 515), 40, 1, 3}}) {
            SCOPED_TRACE(std::string(op) + " on " + text(shape));
            ++seed;
            const ImagePtr image = scene(shape, seed, seed % 2 == 0);
            RunContext context;
            const Pipeline pipeline = toneMapping(op);
            const RunResult expected = engine.run(pipeline, image, parseTarget("reference"), context);
            const auto session = backend.open(context);
            context.session = session.get();
            const Problem problem = makeProblem(*image, pipeline.steps[0].parameters);
            const Implementation* fused = nullptr;
            for (const Implementation* i : backend.implementations())
                if (i->operation() == "tonemap" && i->variant() == "fused") fused = i;
            ASSERT_TRUE(fused && fused->slabs(problem));
            ASSERT_FALSE(fused->strips(problem));
            check(cudaDeviceSynchronize(), "synchronise");
            MemoryPool::of(0).trim();
            const std::uint64_t before = MemoryPool::of(0).usedBytes();
            const auto execution = fused->prepare(problem, context);
            StripLimits limits = session->slabLimits(false);
            limits.largestStrip = limits.smallestStrip = static_cast<std::uint64_t>(shape.width * shape.channels) * sizeof(float) * 9;
            const StripPlan generous = execution->prepareSlabs(limits, std::uint64_t{1} << 30, context);
            const std::uint64_t all = generous.ownBytes + generous.slotBytes * std::min<std::uint64_t>(4, generous.strips.size()),
                                kept = static_cast<std::uint64_t>(shape.samples()) * sizeof(float);
            for (const std::uint64_t memory : {std::uint64_t{1} << 30, all - kept / 2, all - kept}) {
                StripPlan plan;
                try {
                    plan = execution->prepareSlabs(limits, memory, context);
                } catch (const Error& e) {
                    EXPECT_EQ(e.code(), ErrorCode::memory) << e.what();
                    EXPECT_LT(memory, all);
                    continue;
                }
                SCOPED_TRACE(plan.text());
                ++kinds[plan.text().find(", ") == std::string::npos         ? "none"
                        : plan.text().find("of which") != std::string::npos ? "some"
                                                                            : "all"];
                const std::uint64_t needed = plan.ownBytes + plan.slotBytes * std::min<std::uint64_t>(4, plan.strips.size());
                EXPECT_LE(needed, memory);
                Buffer first(shape), second(shape);
                for (Buffer* out : {&first, &second}) {
                    std::memset(out->data(), 0xff, out->bytes());
                    Progress progress;
                    progress.start(shape.height * shape.channels);
                    context.progress = &progress;
                    session->runStrips(*execution, plan, image->view(), out->view(), context);
                    (void)session->clock().finish();
                    // Slots are kept for the smaller plans; the pool gives out whole granules.
                    if (needed == all) {
                        EXPECT_LE(MemoryPool::of(0).usedBytes() - before, all + all / 8 + (1 << 18));
                    }
                    context.progress = nullptr;
                    EXPECT_EQ(progress.fraction(), 1);
                    Tolerance tolerance = expected.plan.at(0).tolerance;
                    const auto statistics = execution->statistics(context);
                    tolerance.absolute += execution->dataTolerance();
                    expectStatistics(statistics, expected.statistics, shape.pixels());
                    expectAgreement(expected.image.view(), std::as_const(*out).view(), tolerance);
                }
                EXPECT_TRUE(sameBits(std::as_const(first).view(), std::as_const(second).view()));
            }
        }
    for (const char* kind : {"none", "some", "all"}) EXPECT_GT(kinds[kind], 4) << kind;
}

TEST(ToneMappingSlabs, ServeImagesThatDoNotFit) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const ImagePtr image = scene({1024, 700, 1, 3}, 5);  // 8.2 MiB, and the same for the result
    for (const char* op : kOperators) {
        SCOPED_TRACE(op);
        RunContext context;
        const RunResult expected = engine.run(toneMapping(op), image, parseTarget("reference"), context);
        for (const char* mebibytes : {"16", "14", "9"})
            for (const char* target : {"cuda", "cuda.fused+pinned"}) {
                SCOPED_TRACE(std::string(target) + " in " + mebibytes + " MiB");
                const MemoryLimit limit(mebibytes);
                PreparedRun run = engine.prepare(toneMapping(op), image, parseTarget(target), context);
                const std::string& reason = run.plan().at(0).reason;
                EXPECT_EQ(run.plan().at(0).variant, "fused");
                EXPECT_NE(reason.find("rows in "), std::string::npos) << reason;
                EXPECT_NE(reason.find("since the whole needs"), std::string::npos) << reason;
                EXPECT_LE(run.estimatedDeviceBytes(), std::strtoull(mebibytes, nullptr, 10) << 20);
                for (int i = 0; i < 2; ++i) {
                    Progress progress;
                    context.progress = &progress;
                    EXPECT_TRUE(run.run(context).overlapped());
                    context.progress = nullptr;
                    EXPECT_EQ(progress.fraction(), 1);
                    expectStatistics(run.statistics(context), expected.statistics, image->shape().pixels());
                    expectAgreement(expected.image.view(), run.output(), run.tolerance());
                }
            }
    }
}

TEST(ToneMappingSlabs, UploadTheImageOnceIfItFits) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const ImagePtr image = scene({2048, 1024, 1, 3}, 6);
    RunContext context;
    for (const char* op : {"operator=global", "operator=photoreceptor", "operator=histogram"})
        for (const char* target : {"cuda+overlapped", "cuda+overlapped+pinned"}) {
            SCOPED_TRACE(std::string(op) + ", " + target);
            PreparedRun run = engine.prepare(toneMapping(op), image, parseTarget(target), context);
            EXPECT_NE(run.plan().at(0).reason.find("uploaded once"), std::string::npos) << run.plan().at(0).reason;
            const StageTimes times = run.run(context);
            std::size_t uploads = 0, downloads = 0;
            for (const StageTimes::Piece& p : times.pieces()) {
                uploads += p.stage == Stage::upload;
                downloads += p.stage == Stage::download;
            }
            EXPECT_GT(uploads, 1U);
            EXPECT_EQ(uploads, downloads);
        }
}

TEST(ToneMappingSlabs, RefusalsStateTheReasonAndAdvise) {
    PARALLAX_NEEDS_DEVICE();
    const ImagePtr image = scene({512, 400, 1, 3}, 7);
    const MemoryLimit limit("2");
    RunContext context;
    const auto refusal = [&](const std::string& parameters, const std::string& target) {
        try {
            (void)Engine(processCatalog()).prepare(toneMapping(parameters), image, parseTarget(target), context);
            ADD_FAILURE() << target << " was not refused";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::memory) << e.what();
            EXPECT_NE(e.whatToDo().find("CPU backend"), std::string::npos) << e.whatToDo();
            return e.why() + ". " + e.whatToDo();
        }
        return std::string();
    };
    EXPECT_NE(refusal("operator=global", "cuda.cub")
                  .find("cub: The primitives gather statistics of a whole image. Leave '.cub' out, or use a smaller image"),
              std::string::npos);
    EXPECT_NE(refusal("operator=gradient", "cuda").find("The equation couples all pixels. Use a smaller image"), std::string::npos);
    if (deviceCount() > 1) {
        EXPECT_NE(refusal("operator=global", "cuda@2").find("Use more devices, a single one"), std::string::npos);
    }
}

TEST(ToneMappingSlabs, CancelledRunsLeaveEverythingUsable) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const std::int64_t side = sizeFor(8192, 500);
    const ImagePtr image = scene({side, side, 1, 3}, 8);
    const std::string op = isEmulated() ? "operator=local,scales=6" : "operator=local,scales=12";
    for (const char* target : {"cuda+overlapped", "cuda+overlapped+pinned"}) {
        SCOPED_TRACE(target);
        Promptness prompt(sizeFor(1'000, 60'000));
        while (prompt.again()) {
            CancellableRun cancellable;
            PreparedRun run = engine.prepare(toneMapping(op), image, parseTarget(target), cancellable.context);
            cancellable.expectCancelled(run, prompt);
            EXPECT_EQ(run.output().data, nullptr);
            RunContext context;
            (void)run.run(context);
            EXPECT_NE(run.output().data, nullptr);
        }
    }
}

ToneMappingPlan planFor(const std::string& parameters, const Shape& shape) {
    const Image image(Buffer(shape), defaultChannelNames(shape.channels));
    return planToneMapping(makeProblem(image, toneMapping(parameters).steps[0].parameters));
}

TEST(ToneMappingSlabPlan, EveryPassCoversEveryRowOnceWithinTheMemory) {
    for (const char* op : kOperators)
        for (const Shape& shape : {Shape{33, 1, 1, 3}, Shape{40, 217, 1, 4}, Shape{5, 1000, 1, 1}}) {
            const ToneMappingPlan plan = planFor(op, shape);
            const std::int64_t halo = plan.scales.empty() ? 0 : plan.scales.back().radius;
            std::uint64_t memory = std::uint64_t{1} << 24;
            constexpr std::uint64_t kWorkspace = 777;
            int plans = 0;
            for (bool fits = true; fits; ++plans) {
                const StripLimits limits{.inFlight = 3, .largestStrip = 6000, .smallestStrip = 6000};
                ToneSlabs slabs;
                try {
                    slabs = planToneSlabs(plan, shape, limits, memory, kWorkspace);
                } catch (const Error& e) {
                    EXPECT_EQ(e.code(), ErrorCode::memory);
                    fits = false;
                    continue;
                }
                const std::uint64_t needed = kWorkspace + slabs.strips.ownBytes + 3 * slabs.strips.slotBytes;
                ASSERT_LE(needed, memory) << op;
                ASSERT_EQ(slabs.slabs.size(), slabs.strips.parts.size());
                std::int64_t row = 0, progress = 0;
                std::size_t passes = 0;
                for (std::size_t i = 0; i < slabs.slabs.size(); ++i) {
                    const ToneSlab& slab = slabs.slabs[i];
                    const StripPart& part = slabs.strips.parts[i];
                    if (slab.begins) {
                        EXPECT_EQ(row, passes == 0 ? 0 : shape.height);
                        row = 0;
                        ++passes;
                    }
                    EXPECT_EQ(slab.rows.first, row);
                    row = slab.rows.last;
                    EXPECT_EQ(slab.ends, row == shape.height);
                    EXPECT_EQ(slab.keeps, passes == 1 && row <= slabs.keptRows);
                    EXPECT_LE(static_cast<std::uint64_t>(part.input + part.output) * sizeof(float), slabs.strips.slotBytes);
                    const bool maps = slab.kind == ToneSlab::Kind::map;
                    EXPECT_EQ(slab.input.first, maps ? std::max<std::int64_t>(0, slab.rows.first - halo) : slab.rows.first);
                    EXPECT_EQ(slab.input.last, maps ? std::min(shape.height, slab.rows.last + halo) : slab.rows.last);
                    if (slab.kept) {
                        EXPECT_LE(slab.input.last, slabs.keptRows);
                    }
                    EXPECT_EQ(part.up.size(), (slab.kept ? 0 : plan.colour.size()) + (maps ? plan.copied.size() : 0));
                    EXPECT_EQ(part.down.size(), maps ? static_cast<std::size_t>(shape.channels) : 0);
                    progress += slabs.strips.strips[i].rows;
                }
                EXPECT_EQ(row, shape.height);
                EXPECT_EQ(passes, passesOf(plan.parameters.op).size() + (plan.parameters.op == ToneOperator::histogram ? 2 : 1));
                EXPECT_EQ(progress, shape.height * shape.channels);
                memory = needed - 1;
            }
            EXPECT_GE(plans, shape.height == 1 ? 2 : 4) << op << " on " << text(shape);
        }
}

TEST(ToneMappingSlabPlan, StatesTheBytesThatAreMissing) {
    const Shape shape{1000, 500, 1, 3};
    const ToneMappingPlan plan = planFor("operator=local", shape);
    const StripLimits limits{.inFlight = 4, .largestStrip = 1 << 20, .smallestStrip = 1 << 20};
    const std::int64_t input = 1 + 2 * plan.scales.back().radius;
    const std::uint64_t least = 10'000 + 4 * static_cast<std::uint64_t>(3 * 1000 * (input + 1)) * sizeof(float);
    EXPECT_NO_THROW((void)planToneSlabs(plan, shape, limits, least, 10'000));
    EXPECT_THROW((void)planToneSlabs(plan, shape, limits, least - 1, 10'000), Error);
}

}  // namespace
}  // namespace parallax::gpu
