// SPDX-License-Identifier: GPL-3.0-or-later
// Every variant of tone mapping against the reference on all branches: tails of tiles, alignment, gaps between rows, bands of the local
// operator, radii of every size; reproducibility, and the state that stays on the device.
#include <cmath>
#include <cstring>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/operations/tone_mapping/parameters.hpp"
#include "gpu/operations/tone_mapping/tone_mapping.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "tests/gpu/device_arrays.hpp"

namespace parallax::gpu {
namespace {

constexpr std::int64_t kSmaller =
    sizeFor<std::int64_t>(1, 8);  ///< factor by which images that fill a device are smaller on an emulated one

constexpr SolverMethod kGradientMethods[] = {SolverMethod::multigrid, SolverMethod::dct};
constexpr ToneVariant kVariants[] = {ToneVariant::fused, ToneVariant::textbook, ToneVariant::primitives, ToneVariant::cub};

/// Light over about twenty powers of two, smooth enough for large scales of the local operator; with some NaN and infinities if `broken`.
ImagePtr scene(const Shape& shape, std::uint64_t seed, bool broken = false) {
    Image image(Buffer(shape), defaultChannelNames(shape.channels));
    const View<float> v = image.view();
    Random random(seed);
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                const float slow = std::sin(0.02F * static_cast<float>(x)) + std::cos(0.03F * static_cast<float>(y));
                float sample = std::exp2(5 * slow) * (1 + 0.3F * random.uniform());
                if (random.bits() % 97 == 0) sample *= 200;
                const std::uint32_t which = broken ? random.bits() % 400 : 9;
                v.at(x, y, 0, c) = which == 0   ? kNan
                                   : which == 1 ? kInf
                                   : which == 2 ? -kInf
                                   : which == 3 ? -sample
                                   : which == 4 ? 0
                                                : sample;
            }
    return std::make_shared<const Image>(std::move(image));
}

Pipeline toneMapping(const std::string& parameters) {
    Pipeline pipeline;
    pipeline.steps.push_back(parseStep(processCatalog(), "tonemap:" + parameters));
    return pipeline;
}

/// The variants that support an operator.
std::vector<const Implementation*> variantsFor(const std::string& parameters, const ImagePtr& image) {
    std::vector<const Implementation*> all = processCatalog().implementations("tonemap", "cuda");
    const Problem problem = makeProblem(*image, toneMapping(parameters).steps[0].parameters);
    std::erase_if(all, [&](const Implementation* i) { return !i->supports(problem); });
    const bool isGradient = parameters.find("operator=gradient") != std::string::npos;
    EXPECT_EQ(all.size(), isGradient ? std::size(kGradientMethods) : std::size(kVariants));
    return all;
}

/// Compares every variant that supports the operator with the reference.
void expectAgreement(const std::string& parameters, const ImagePtr& image) {
    SCOPED_TRACE(parameters + ", " + std::to_string(image->shape().width) + " x " + std::to_string(image->shape().height) + " x " +
                 std::to_string(image->shape().channels));
    const Engine engine(processCatalog());
    const Pipeline pipeline = toneMapping(parameters);
    RunContext context;
    const RunResult reference = engine.run(pipeline, image, parseTarget("reference"), context);
    for (const Implementation* implementation : variantsFor(parameters, image)) {
        SCOPED_TRACE(implementation->variant());
        RunContext own;
        PreparedRun prepared = engine.prepare(pipeline, image, parseTarget("cuda." + implementation->variant()), own);
        (void)prepared.run(own);
        const Tolerance tolerance = prepared.tolerance();
        const DifferenceMetrics d = compareViews(reference.image.view(), prepared.output(), {.tolerance = tolerance.absolute});
        EXPECT_TRUE(d.within(tolerance.absolute, tolerance.ambiguous))
            << "max " << d.maxAbs << ", allowed " << tolerance.absolute << ", mismatches " << d.mismatches()
            << (d.worst.empty() ? std::string() : ", worst at " + std::to_string(d.worst[0].x) + ", " + std::to_string(d.worst[0].y));
        const std::vector<StatisticRecord> statistics = prepared.statistics(own);
        ASSERT_EQ(statistics.size(), reference.statistics.size());
        for (std::size_t i = 0; i < statistics.size(); ++i) {
            EXPECT_EQ(statistics[i].key, reference.statistics[i].key);
            if (statistics[i].key == "iterations" || statistics[i].key == "residual") continue;  // those of the method
            // A pixel at the edge of a bin may be counted in the next one.
            const bool share = statistics[i].key == "trimmed" || statistics[i].key == "brighter";
            const double off = share ? 300.0 / static_cast<double>(image->shape().pixels()) + 1e-2 : 1e-12;
            EXPECT_NEAR(statistics[i].value, reference.statistics[i].value, 3e-6 * std::fabs(reference.statistics[i].value) + off)
                << statistics[i].key;
        }
    }
}

const char* const kOperators[] = {"operator=global",        "operator=local",
                                  "operator=photoreceptor", "operator=photoreceptor,chromatic=0.6,light=0.8",
                                  "operator=histogram",     "operator=histogram,ceiling=false,bins=100"};

TEST(ToneMapping, EveryOperatorMatchesTheReferenceOnEveryShape) {
    PARALLAX_NEEDS_DEVICE();
    // Near a tile of 2048 pixels, segments of 512, stripes of 64 columns and blocks of 64 rows; aligned and unaligned channels.
    const Shape shapes[] = {{1, 1, 1, 3},
                            {1, 1, 1, 1},
                            {3, 1, 1, 3},
                            {1, 5, 1, 3},
                            {64, 32, 1, 3},
                            {63, 33, 1, 3},
                            {65, 64, 1, 3},
                            {128, 65, 1, 2},
                            {511, 9, 1, 3},
                            {512, 8, 1, 1},
                            {513, 7, 1, 3},
                            {2048, 3, 1, 3},
                            {2049, 2, 1, 3},
                            {sizeFor(300, 140), sizeFor(200, 90), 1, 3},
                            {sizeFor(301, 141), sizeFor(201, 91), 1, 4},
                            {1030, sizeFor(130, 66), 1, 1}};
    std::uint64_t seed = 0;
    for (const char* op : kOperators)
        for (const Shape& shape : shapes) expectAgreement(op, scene(shape, ++seed));
}

TEST(ToneMapping, TheGradientOperatorMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    // Around 256 threads and pitches of 32 elements, with one level and with several.
    std::uint64_t seed = 50;
    for (const Shape& shape : {Shape{1, 1, 1, 3}, Shape{3, 2, 1, 1}, Shape{1, 7, 1, 3}, Shape{32, 33, 1, 2}, Shape{255, 6, 1, 3},
                               Shape{257, 9, 1, 4}, Shape{sizeFor(700, 90), sizeFor(300, 77), 1, 3}})
        for (const char* more : {"", ",levels=16,alpha=0.1,beta=0.8,saturation=0.6,encoding=srgb", ",clip-white=0,clip-black=0,beta=1"}) {
            expectAgreement(std::string("operator=gradient") + more, scene(shape, ++seed));
            expectAgreement(std::string("operator=gradient") + more, scene(shape, ++seed, true));
        }
}

/// For the race checker, which is slow.
TEST(ToneMapping, MatchesTheReferenceOnASmallImage) {
    PARALLAX_NEEDS_DEVICE();
    for (const char* op :
         {"operator=global", "operator=local,scales=3", "operator=photoreceptor", "operator=histogram", "operator=gradient,levels=3"})
        expectAgreement(op, scene({67, 35, 1, 3}, 4));
}

TEST(ToneMapping, MatchesTheReferenceOnImagesThatFillTheDevice) {
    PARALLAX_NEEDS_DEVICE();
    for (const char* op : kOperators) expectAgreement(op, scene({1600 / kSmaller, 1201 / kSmaller, 1, 3}, 77));
}

TEST(ToneMapping, EveryOptionMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    const std::int64_t width = sizeFor(203, 103), height = sizeFor(77, 67);
    const ImagePtr colours = scene({width, height, 1, 3}, 5), grey = scene({width, height, 1, 1}, 6);
    for (const char* op : kOperators)
        for (const char* option : {",luminance=paper,saturation=0", ",luminance=rec601,saturation=1.6,encoding=srgb",
                                   ",encoding=gamma,gamma=2.2", ",encoding=decode,saturation=0.7"}) {
            expectAgreement(std::string(op) + option, colours);
            expectAgreement(std::string(op) + option, grey);
        }
    for (const char* more :
         {"operator=global,white=0.5,key=0.7", "operator=global,white=1e9,delta=1", "operator=photoreceptor,intensity=-8",
          "operator=photoreceptor,intensity=8,light=0", "operator=photoreceptor,contrast=0.95,chromatic=1,light=1",
          "operator=histogram,bins=2", "operator=histogram,bins=4096,display-range=5", "operator=histogram,display-range=1e6"}) {
        expectAgreement(more, colours);
        expectAgreement(more, grey);
    }
}

TEST(ToneMapping, EveryNumberOfScalesMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    const ImagePtr colours = scene({sizeFor(150, 90), sizeFor(140, 75), 1, 3}, 8), thin = scene({3, 200, 1, 1}, 9);
    for (const char* scales : {"scales=1,ratio=4", "scales=2,ratio=1.1", "scales=16,ratio=1.1", "scales=5,ratio=4,phi=20",
                               "scales=10,ratio=2,phi=1", "phi=20", "phi=0", "epsilon=0.0001", "epsilon=1"})
        for (const char* output : {"image", "scale"}) {
            expectAgreement(std::string("operator=local,output=") + output + "," + scales, colours);
            expectAgreement(std::string("operator=local,output=") + output + "," + scales, thin);
        }
}

TEST(ToneMapping, NonFiniteAndFlatImagesMatchTheReference) {
    PARALLAX_NEEDS_DEVICE();
    for (const char* op : kOperators) {
        for (const std::int64_t channels : {1, 3, 4})
            expectAgreement(op, scene({sizeFor(301, 151), sizeFor(95, 70), 1, channels}, 11, true));
        for (const float value : {0.0F, 0.18F, -2.0F, 1e-38F, 1e30F, kNan, kInf}) {
            Image image(Buffer(Shape{70, 50, 1, 3}), defaultChannelNames(3));
            std::fill_n(image.view().data, image.shape().samples(), value);
            SCOPED_TRACE(value);
            expectAgreement(op, std::make_shared<const Image>(std::move(image)));
        }
    }
}

/// Runs an implementation without the engine on given views.
struct Direct {
    CudaSession& session;
    RunContext context{};
    Problem problem;
    Direct(CudaSession& s, const ImagePtr& image, const std::string& parameters)
        : session(s), problem(makeProblem(*image, toneMapping(parameters).steps[0].parameters)) {
        context.session = &session;
    }
    /// `gap`: padding samples after each row on the device.
    std::vector<float> run(const Implementation& implementation, const ImagePtr& image, int gap, int offset, bool expectGaps = true) {
        const Shape shape = image->shape();
        const std::int64_t stride = shape.width + gap, channel = stride * shape.height + 3;
        const auto size = static_cast<std::size_t>(channel * shape.channels);
        std::vector<float> host(size, -77.0F);
        const View<const float> from = image->view();
        for (std::int64_t c = 0; c < shape.channels; ++c)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < shape.width; ++x)
                    host[static_cast<std::size_t>(c * channel + y * stride + x)] = from.at(x, y, 0, c);
        OnDevice<float> in(session, host, offset), out(session, std::vector<float>(size, -55.0F), offset);
        const View<const float> ins[] = {{in.data(), shape, stride, stride * shape.height, channel}};
        const View<float> outs[] = {{out.data(), shape, stride, stride * shape.height, channel}};
        const auto execution = implementation.prepare(problem, context);
        for (int i = 0; i < sizeFor(3, 1); ++i) execution->run(ins, outs, context);
        std::vector<float> result(size);
        check(cudaMemcpyAsync(result.data(), out.data(), size * sizeof(float), cudaMemcpyDeviceToHost, session.stream()), "download");
        check(cudaStreamSynchronize(session.stream()), "synchronise");
        std::vector<float> dense;
        bool untouched = true;
        for (std::int64_t c = 0; c < shape.channels; ++c)
            for (std::int64_t y = 0; y < shape.height; ++y)
                for (std::int64_t x = 0; x < stride; ++x) {
                    const float value = result[static_cast<std::size_t>(c * channel + y * stride + x)];
                    if (x < shape.width) dense.push_back(value);
                    else untouched = untouched && value == -55.0F;
                }
        if (expectGaps) {
            EXPECT_TRUE(untouched) << "the padding between rows was overwritten";
        }
        return dense;
    }
};

TEST(ToneMapping, HandlesRowGapsAndMisalignment) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    for (const char* op : kOperators)
        for (const Shape& shape : {Shape{sizeFor(130, 66), 70, 1, 3}, Shape{2051, sizeFor(9, 3), 1, 1}}) {
            SCOPED_TRACE(op);
            const ImagePtr image = scene(shape, 12);
            RunContext context;
            const RunResult reference = Engine(processCatalog()).run(toneMapping(op), image, parseTarget("reference"), context);
            Direct direct(session, image, op);
            const Tolerance tolerance = processCatalog().operation("tonemap").tolerance(direct.problem);
            for (const ToneVariant variant : kVariants)
                for (const auto& [gap, offset] : {std::pair{0, 0}, {0, 1}, {2, 0}, {5, 3}, {6, 4}}) {
                    const auto implementation = makeToneMapping(variant);
                    SCOPED_TRACE(implementation->variant() + ", gap " + std::to_string(gap) + ", offset " + std::to_string(offset));
                    std::vector<float> result = direct.run(*implementation, image, gap, offset);
                    const DifferenceMetrics d = compareViews(reference.image.view(), View<const float>(denseView(result.data(), shape)),
                                                             {.tolerance = tolerance.absolute});
                    EXPECT_TRUE(d.within(tolerance.absolute, tolerance.ambiguous)) << d.maxAbs << ", allowed " << tolerance.absolute;
                }
        }
}

TEST(ToneMapping, BandsAreBitIdenticalToTheWhole) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const ImagePtr image = scene({700, 500, 1, 3}, 13, true);
    for (const char* output : {"image", "scale"}) {
        const std::string parameters = std::string("operator=local,output=") + output;
        Direct direct(session, image, parameters);
        const std::vector<float> whole = direct.run(*makeToneMapping(ToneVariant::fused), image, 0, 0);
        // Bands of 64 and of 192 rows.
        for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{9 * 704 * 4 * (192 + 100)}}) {
            const auto inBands = makeToneMapping(ToneVariant::fused, bytes);
            EXPECT_LT(inBands->estimate(direct.problem).device, makeToneMapping(ToneVariant::fused)->estimate(direct.problem).device)
                << "one band holds the whole image";
            const std::vector<float> banded = direct.run(*inBands, image, 0, 0);
            ASSERT_EQ(banded.size(), whole.size());
            EXPECT_EQ(std::memcmp(banded.data(), whole.data(), whole.size() * sizeof(float)), 0) << output << ", " << bytes;
        }
    }
}

TEST(ToneMapping, RepeatedRunsAreBitIdentical) {
    PARALLAX_NEEDS_DEVICE();
    const ImagePtr image = scene({1501 / kSmaller, 701 / kSmaller, 1, 3}, 14, true);
    const Engine engine(processCatalog());
    std::size_t statistics = 0;
    std::vector<std::string> operators(std::begin(kOperators), std::end(kOperators));
    operators.push_back("operator=gradient");
    for (const std::string& op : operators)
        for (const Implementation* implementation : variantsFor(op, image)) {
            SCOPED_TRACE(op + ", " + implementation->variant());
            RunContext context;
            PreparedRun prepared = engine.prepare(toneMapping(op), image, parseTarget("cuda." + implementation->variant()), context);
            std::vector<float> first;
            std::vector<StatisticRecord> found;
            for (int i = 0; i < sizeFor(6, 3); ++i) {
                (void)prepared.run(context);
                const View<const float> out = prepared.output();
                std::vector<float> now(out.data, out.data + out.shape.samples());
                if (i == 0) first = now;
                EXPECT_EQ(std::memcmp(now.data(), first.data(), now.size() * sizeof(float)), 0) << i;
                const std::vector<StatisticRecord> again = prepared.statistics(context);
                if (i == 0) found = again;
                ASSERT_EQ(again.size(), found.size());
                for (std::size_t j = 0; j < found.size(); ++j) EXPECT_EQ(again[j].value, found[j].value) << found[j].key;
                statistics += found.size();
            }
        }
    EXPECT_GT(statistics, 0U);
}

TEST(ToneMapping, RecordedRunsGiveTheSameImageAndStatistics) {
    PARALLAX_NEEDS_DEVICE();
    const ImagePtr image = scene({203, 77, 1, 3}, 17);
    const Engine engine(processCatalog());
    for (const char* op : kOperators) {
        SCOPED_TRACE(op);
        RunContext context;
        PreparedRun plain = engine.prepare(toneMapping(op), image, parseTarget("cuda"), context);
        (void)plain.run(context);
        PreparedRun recorded = engine.prepare(toneMapping(op), image, parseTarget("cuda+graph"), context);
        for (int i = 0; i < 3; ++i) {
            (void)recorded.run(context);
            EXPECT_EQ(std::memcmp(recorded.output().data, plain.output().data,
                                  static_cast<std::size_t>(image->shape().samples()) * sizeof(float)),
                      0);
            const std::vector<StatisticRecord> expected = plain.statistics(context), here = recorded.statistics(context);
            ASSERT_EQ(here.size(), expected.size());
            for (std::size_t j = 0; j < here.size(); ++j) EXPECT_EQ(here[j].value, expected[j].value) << here[j].key;
        }
    }
}

TEST(ToneMapping, TransferCurveMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    const ImagePtr image = scene({300, 200, 1, 3}, 15);
    for (const char* op : kOperators) {
        SCOPED_TRACE(op);
        const auto curveOf = [&](const std::string& target) {
            RunContext context;
            PreparedRun prepared = Engine(processCatalog()).prepare(toneMapping(op), image, parseTarget(target), context);
            (void)prepared.run(context);
            return prepared.transfers(context);
        };
        const auto expected = curveOf("reference");
        for (const Implementation* implementation : variantsFor(op, image)) {
            const auto here = curveOf("cuda." + implementation->variant());
            ASSERT_EQ(here.size(), expected.size());
            for (std::size_t i = 0; i < here.size(); ++i) {
                ASSERT_EQ(here[i].curve.input.size(), expected[i].curve.input.size()) << implementation->variant();
                for (std::size_t j = 0; j < here[i].curve.input.size(); ++j) {
                    EXPECT_NEAR(here[i].curve.input[j], expected[i].curve.input[j], 1e-5 * expected[i].curve.input[j]);
                    EXPECT_NEAR(here[i].curve.output[j], expected[i].curve.output[j], 1e-3);
                }
            }
        }
    }
}

TEST(ToneMapping, StaysWithinItsMemoryEstimate) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    MemoryPool& pool = MemoryPool::of(0);
    const ImagePtr image = scene({900, 700, 1, 3}, 16);
    std::uint64_t largest = 0;
    std::vector<std::string> operators(std::begin(kOperators), std::end(kOperators));
    operators.push_back("operator=gradient");
    for (const std::string& op : operators)
        for (const Implementation* implementation : variantsFor(op, image)) {
            if (implementation->variant() == std::string("dct")) continue;  // the workspace of cuFFT is an upper bound
            SCOPED_TRACE(op + ", " + implementation->variant());
            Direct direct(session, image, op);
            check(cudaStreamSynchronize(session.stream()), "synchronise");
            pool.trim();
            const std::uint64_t before = pool.usedBytes();
            const auto execution = implementation->prepare(direct.problem, direct.context);
            const std::uint64_t taken = pool.usedBytes() - before;
            // The pool returns whole granules, possibly larger ones that it holds.
            const std::uint64_t estimate = implementation->estimate(direct.problem).device;
            largest = std::max(largest, estimate);
            EXPECT_LE(taken, estimate + estimate / 64 + 65536);
            // The memory of the coarser grids is an upper bound, a tenth of all.
            const bool isBound = implementation->variant() == std::string("multigrid");
            EXPECT_LE(estimate, taken + taken / (isBound ? 10 : 64) + 65536) << "the estimate would refuse runs that are possible";
        }
    EXPECT_GT(largest, 1U << 20) << "all estimates are below the granules of the pool";
}

}  // namespace
}  // namespace parallax::gpu
