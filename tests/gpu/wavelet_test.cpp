// SPDX-License-Identifier: GPL-3.0-or-later
// The wavelet kernels against the reference on all branches: lengths of filters, borders of tiles and of parts along z, extension modes,
// levels, axes; memory that they must and must not write; the arithmetic on the host.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/engine/run/engine.hpp"
#include "core/operations/wavelet/error_model.hpp"
#include "core/operations/wavelet/serial_transform.hpp"
#include "gpu/operations/wavelet/kernels/tuning.hpp"
#include "gpu/operations/wavelet/transform.hpp"
#include "tests/gpu/device_arrays.hpp"

namespace parallax::gpu {
namespace {

constexpr WaveletVariant kVariants[] = {WaveletVariant::fused, WaveletVariant::constant, WaveletVariant::shared, WaveletVariant::global};
constexpr WaveletMode kModes[] = {WaveletMode::zero,          WaveletMode::constant,    WaveletMode::symmetric,
                                  WaveletMode::reflect,       WaveletMode::periodic,    WaveletMode::smooth,
                                  WaveletMode::antisymmetric, WaveletMode::antireflect, WaveletMode::periodization};

float poison() { return std::numeric_limits<float>::signaling_NaN(); }

std::vector<float> noise(std::int64_t samples, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> values(static_cast<std::size_t>(samples));
    for (float& v : values) v = random.uniform();
    return values;
}

/// Checks both directions of one channel against the oracle, with guards around the results. Does nothing after a failure.
class Trial {
public:
    void run(const WaveletPlan& plan, WaveletVariant variant, std::uint64_t seed, int chunks = 0, bool withNan = false) {
        if (testing::Test::HasFatalFailure()) return;
        SCOPED_TRACE(std::string(info(variant).name) + ", " + plan.bank.key + ", mode " + std::to_string(static_cast<int>(plan.mode)) +
                     ", levels " + std::to_string(plan.levels) + ", " + std::to_string(plan.image.width) + " x " +
                     std::to_string(plan.image.height) + " x " + std::to_string(plan.image.depth) + ", axes " +
                     std::to_string(plan.axes[0].transformed) + std::to_string(plan.axes[1].transformed) +
                     std::to_string(plan.axes[2].transformed) + ", chunks " + std::to_string(chunks) + ", seed " + std::to_string(seed));
        std::vector<float> image = noise(plan.image.samples(), seed);
        if (withNan) {
            Random random(seed + 1);
            image[random.bits() % image.size()] = std::numeric_limits<float>::quiet_NaN();
            image[random.bits() % image.size()] = std::numeric_limits<float>::infinity();
            image[random.bits() % image.size()] = -std::numeric_limits<float>::infinity();
        }
        std::vector<float> mosaic(static_cast<std::size_t>(plan.mosaic.samples())), back(image.size());
        SerialTransform serial(plan);
        serial.forward(denseView<const float>(image.data(), plan.image), denseView(mosaic.data(), plan.mosaic), [] {});
        DeviceTransform transform(plan, variant, session_, true, true);
        transform.setChunks(chunks);
        if (seed % (kFusedKernels + 1) != 0) transform.setKernel(static_cast<FusedKernel>(seed % (kFusedKernels + 1) - 1));
        RunContext context;
        ProgressShare progress(nullptr, 1, 1);
        compare(image, plan.image, mosaic, plan.mosaic, forwardTolerance(plan, 1).absolute, "forward",
                [&](const View<const float>& in, const View<float>& out) { transform.forward(in, out, context, progress); });
        // Values in gaps must be ignored.
        for (const WaveletGap& gap : plan.gaps())
            for (std::int64_t z = gap.first[2]; z < gap.end[2]; ++z)
                for (std::int64_t y = gap.first[1]; y < gap.end[1]; ++y)
                    for (std::int64_t x = gap.first[0]; x < gap.end[0]; ++x)
                        mosaic[static_cast<std::size_t>(x + plan.mosaic.width * (y + plan.mosaic.height * z))] = poison();
        serial.inverse(denseView<const float>(mosaic.data(), plan.mosaic), denseView(back.data(), plan.image), [] {});
        double largest = 0;
        for (const float c : mosaic)
            if (std::isfinite(c)) largest = std::max(largest, std::fabs(static_cast<double>(c)));
        compare(mosaic, plan.mosaic, back, plan.image, inverseTolerance(plan, largest).absolute, "inverse",
                [&](const View<const float>& in, const View<float>& out) { transform.inverse(in, out, context, progress); });
    }
    void run(const WaveletParameters& parameters, const Shape& shape, WaveletVariant variant, std::uint64_t seed, int chunks = 0) {
        run(planWavelet(parameters, shape), variant, seed, chunks);
    }

private:
    template <class F>
    void compare(const std::vector<float>& input, const Shape& inShape, const std::vector<float>& expected, const Shape& outShape,
                 double tolerance, const char* what, F&& enqueue) {
        constexpr std::size_t kGuard = 256;
        DeviceBuffer<float> in(session_.allocator(), std::span<const float>(input), session_.stream());
        std::vector<float> result(expected.size() + 2 * kGuard, poison());
        DeviceBuffer<float> out(session_.allocator(), std::span<const float>(result), session_.stream());
        enqueue(denseView<const float>(in.data(), inShape), denseView(out.data() + kGuard, outShape));
        result = fetch(session_, out.data(), out.size());
        const float guard = poison();
        for (std::size_t i = 0; i < kGuard; ++i) {
            ASSERT_EQ(std::memcmp(&result[i], &guard, sizeof(float)), 0) << what << ": before the result";
            ASSERT_EQ(std::memcmp(&result[kGuard + expected.size() + i], &guard, sizeof(float)), 0) << what << ": behind the result";
        }
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const float a = expected[i], b = result[kGuard + i];
            const bool same = std::isnan(a)   ? std::isnan(b)
                              : std::isinf(a) ? a == b
                                              : std::fabs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
            const auto n = static_cast<std::int64_t>(i);
            ASSERT_TRUE(same) << what << " at " << n % outShape.width << ", " << n / outShape.width % outShape.height << ", "
                              << n / outShape.width / outShape.height << ": " << b << " instead of " << a << ", tolerance " << tolerance;
        }
    }

    const CudaSession session_{0};
    const CurrentDevice current_{0};
};

TEST(WaveletArithmetic, RoundedTapsKeepTheSumsOfBothPhases) {
    for (int id = 0; id < static_cast<int>(WaveletId::custom); ++id) {
        const FilterBank bank = makeFilterBank(static_cast<WaveletId>(id), {});
        for (const auto* filter : {&bank.decLo, &bank.decHi, &bank.recLo, &bank.recHi}) {
            const std::vector<float> rounded = roundedTaps(*filter);
            ASSERT_EQ(rounded.size(), filter->size());
            double largest = 0;
            for (const double tap : *filter) largest = std::max(largest, std::fabs(tap));
            double exact[2] = {0, 0}, kept[2] = {0, 0}, smallest[2] = {1, 1};
            for (std::size_t k = 0; k < filter->size(); ++k) {
                const double tap = (*filter)[k];
                EXPECT_EQ(rounded[k] == 0, static_cast<float>(tap) == 0) << bank.key << ", tap " << k;
                EXPECT_LE(std::fabs(static_cast<double>(rounded[k]) - tap), 0x1p-23 * largest) << bank.key << ", tap " << k;
                exact[k % 2] += tap, kept[k % 2] += static_cast<double>(rounded[k]);
                if (tap != 0) smallest[k % 2] = std::min(smallest[k % 2], std::fabs(tap));
            }
            for (int p = 0; p < 2; ++p)
                EXPECT_LE(std::fabs(kept[p] - exact[p]), 1e-15 + 0x1p-24 * smallest[p]) << bank.key << ", phase " << p;
        }
    }
    EXPECT_EQ(roundedTaps({0.1, 0, 0.2, 0})[1], 0.0F);
}

TEST(WaveletLevels, EveryFilterAndVariantMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    std::uint64_t seed = 0;
    for (int id = 0; id < static_cast<int>(WaveletId::custom); ++id) {
        const auto mode = kModes[static_cast<std::size_t>(id) % 9];
        for (const Shape& shape : {Shape{75, 43, 1, 1}, Shape{21, sizeFor(37, 29), sizeFor(18, 11), 1}})
            trial.run({.wavelet = static_cast<WaveletId>(id), .mode = mode, .levels = 2}, shape, WaveletVariant::fused, ++seed);
        trial.run({.wavelet = static_cast<WaveletId>(id), .mode = mode, .levels = 2}, {13, 22, 11, 1}, kVariants[1 + id % 3], ++seed);
    }
}

TEST(WaveletLevels, EveryModeMatchesTheReferenceOnOddShapesAndShortAxes) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    std::uint64_t seed = 100;
    const Shape shapes[] = {{1, 1, 1, 1},   {2, 1, 3, 1},    {1, 5, 4, 1},   {7, 1, 2, 1},
                            {33, 17, 9, 1}, {64, 32, 16, 1}, {65, 31, 3, 1}, {131, 35, 7, 1}};
    for (const WaveletMode mode : kModes)
        for (const char* wavelet : {"haar", "db2", "db3", "db4", "bior4.4", "coif2", "db8", "db9"})
            for (const Shape& shape : shapes) {
                const int levels = 1 + static_cast<int>(++seed % 3);
                const bool even = (seed + seed / 8 + seed / 64) % 2 == 0;  // an emulated device takes one of both
                if (!isEmulated() || even)
                    trial.run({.wavelet = waveletOfKey(wavelet), .mode = mode, .levels = levels}, shape, WaveletVariant::fused, seed);
                if (!isEmulated() || !even)
                    trial.run({.wavelet = waveletOfKey(wavelet), .mode = mode, .levels = levels}, shape, kVariants[1 + seed % 3], seed);
            }
}

TEST(WaveletLevels, EveryChoiceOfAxesMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    std::uint64_t seed = 1000;
    for (int axes = 0; axes < kWaveletAxesCount; ++axes)
        for (const WaveletMode mode : {WaveletMode::symmetric, WaveletMode::antireflect, WaveletMode::periodization})
            for (const int levels : {1, 2, 4})
                for (const WaveletVariant variant : {WaveletVariant::fused, WaveletVariant::global}) {
                    trial.run({.wavelet = WaveletId::db4, .mode = mode, .levels = levels, .axes = static_cast<WaveletAxes>(axes)},
                              {19, 24, 13, 1}, variant, ++seed);
                }
}

TEST(WaveletLevels, PartsAlongZMeetWithoutASeam) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    std::uint64_t seed = 2000;
    for (const int chunks : {1, 2, 3, 7, 100})
        for (const char* wavelet : {"haar", "db4", "db8"})
            for (const WaveletMode mode : {WaveletMode::smooth, WaveletMode::periodization, WaveletMode::antisymmetric})
                for (const WaveletAxes axes : {WaveletAxes::all, WaveletAxes::xy}) {
                    trial.run({.wavelet = waveletOfKey(wavelet), .mode = mode, .levels = 1, .axes = axes}, {37, 34, 31, 1},
                              WaveletVariant::fused, ++seed, chunks);
                }
}

TEST(WaveletLevels, NanAndInfinityReachAsFarAsTheFilters) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    std::uint64_t seed = 3000;
    for (const WaveletMode mode : kModes)
        for (const char* wavelet : {"haar", "db2", "bior1.3", "bior4.4"})
            for (const Shape& shape : {Shape{61, 50, 1, 1}, Shape{30, 38, 26, 1}})
                for (const WaveletVariant variant : {WaveletVariant::fused, WaveletVariant::shared}) {
                    trial.run(planWavelet({.wavelet = waveletOfKey(wavelet), .mode = mode, .levels = 1}, shape), variant, ++seed, 0, true);
                }
}

TEST(WaveletLevels, TilesShareSectorsOfMemory) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    // Rows, slices and details begin anywhere within sectors; some of these tiles overhang the gap, some do not.
    constexpr std::uint64_t kWide = 1;
    int done = 0;
    for (const int width : {163, 168, 169, 170, 171, 172, 173, 174, 176, 177, 178, 181, 183, 337, 341, 344, 345, 346, 347, 348, 350, 353})
        for (const char* wavelet : {"haar", "db2", "db3", "db4"}) {
            if ((++done + width) % 3 == 0) continue;
            const int height = 3 + done % 7, levels = 1 + done % 3;
            const WaveletMode mode = kModes[static_cast<std::size_t>(done) % std::size(kModes)];
            trial.run({.wavelet = waveletOfKey(wavelet), .mode = mode, .levels = levels}, {width, height, 2 + done % 5, 1},
                      WaveletVariant::fused, kWide + 5 * static_cast<std::uint64_t>(kFusedKernels + 1) * static_cast<std::uint64_t>(done),
                      done % 4);
        }
}

/// Transforms the same image forward and back by several kernels and expects the same bits.
class BitIdentity {
public:
    explicit BitIdentity(const WaveletPlan& plan)
        : plan_(plan),
          image_(session_.allocator(), std::span<const float>(noise(plan.image.samples(), 77)), session_.stream()),
          mosaic_(session_.allocator(), static_cast<std::size_t>(plan.mosaic.samples())),
          back_(session_.allocator(), image_.size()) {}

    void run(FusedKernel kernel, int chunks) {
        SCOPED_TRACE(testing::Message() << plan_.image.width << " x " << plan_.image.height << ", mode " << static_cast<int>(plan_.mode)
                                        << ", kernel " << static_cast<int>(kernel) << ", chunks " << chunks);
        DeviceTransform transform(plan_, WaveletVariant::fused, session_, true, true);
        transform.setKernel(kernel);
        transform.setChunks(chunks);
        // A transform that writes nothing must not find previous results.
        for (DeviceBuffer<float>* result : {&mosaic_, &back_})
            check(cudaMemsetAsync(result->data(), 0xff, result->size() * sizeof(float), session_.stream()), "poison");
        RunContext context;
        ProgressShare progress(nullptr, 1, 1);
        transform.forward(denseView<const float>(image_.data(), plan_.image), denseView(mosaic_.data(), plan_.mosaic), context, progress);
        transform.inverse(denseView<const float>(mosaic_.data(), plan_.mosaic), denseView(back_.data(), plan_.image), context, progress);
        compare(mosaic_, firstMosaic_, "forward");
        compare(back_, firstBack_, "inverse");
    }

private:
    void compare(const DeviceBuffer<float>& result, std::vector<float>& first, const char* direction) {
        const std::vector<float> found = fetch(session_, result.data(), result.size());
        EXPECT_TRUE(std::none_of(found.begin(), found.end(), [](float v) { return std::isnan(v); })) << direction;
        if (first.empty()) first = found;
        EXPECT_EQ(std::memcmp(first.data(), found.data(), found.size() * sizeof(float)), 0) << direction;
    }

    const CudaSession session_{0};
    const CurrentDevice current_{0};
    WaveletPlan plan_;
    DeviceBuffer<float> image_, mosaic_, back_;
    std::vector<float> firstMosaic_, firstBack_;
};

TEST(WaveletLevels, TilesOfEverySizeAreBitIdentical) {
    PARALLAX_NEEDS_DEVICE();
    for (const Shape& shape : {Shape{347, 40, 12, 1}, Shape{346, 37, 9, 1}, Shape{178, 31, 7, 1}})
        for (const WaveletMode mode : {WaveletMode::symmetric, WaveletMode::antireflect}) {
            BitIdentity identity(planWavelet({.wavelet = WaveletId::db4, .mode = mode, .levels = 2}, shape));
            for (const FusedKernel kernel : {FusedKernel::wide, FusedKernel::medium, FusedKernel::compact})
                for (const int chunks : {0, 3}) identity.run(kernel, chunks);
        }
}

TEST(WaveletLevels, ManyTilesMatchTheReference) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    // Seeds choose the kernels (Trial): by size, then each kind. Rows of whole 16 bytes, and others.
    trial.run({.wavelet = WaveletId::db4, .levels = 3}, {261, 259, 70, 1}, WaveletVariant::fused, 5);
    trial.run({.wavelet = WaveletId::db4, .levels = 2}, {152, 131, 128, 1}, WaveletVariant::fused, 5);
    for (std::uint64_t seed = 1; seed <= kFusedKernels; ++seed)
        for (const WaveletMode mode : {WaveletMode::symmetric, WaveletMode::zero, WaveletMode::periodization})
            trial.run({.wavelet = WaveletId::db4, .mode = mode, .levels = 2}, {260, sizeFor(131, 67), sizeFor(30, 18), 1},
                      WaveletVariant::fused, seed);
    trial.run({.wavelet = waveletOfKey("db6"), .mode = WaveletMode::smooth, .levels = 1}, {200, 131, 30, 1}, WaveletVariant::fused, 1);
    trial.run({.wavelet = WaveletId::haar, .mode = WaveletMode::periodization, .levels = 2}, {1030, 515, 3, 1}, WaveletVariant::fused, 1);
    trial.run({.wavelet = WaveletId::db2, .levels = 1, .axes = WaveletAxes::xy}, {515, 130, 9, 1}, WaveletVariant::fused, 3);
    trial.run({.wavelet = waveletOfKey("db20"), .levels = 1}, {150, 140, 60, 1}, WaveletVariant::fused, 5);
}

TEST(WaveletLevels, AlongZFirstMatchesTheReference) {
    PARALLAX_NEEDS_DEVICE();
    Trial trial;
    // Seeds of this remainder choose the kernel (Trial).
    std::uint64_t seed = 5000 * (kFusedKernels + 1) + 1 + static_cast<int>(FusedKernel::zFirst);
    const Shape shapes[] = {{1, 1, 1, 1}, {5, 1, 9, 1}, {1, 30, 2, 1}, {47, 31, 11, 1}, {64, 60, 8, 1}, {107, 29, 23, 1}};
    for (const WaveletMode mode : kModes)
        for (const char* wavelet : {"haar", "db2", "db3", "db4"})
            for (const Shape& shape : shapes) {
                const auto round = static_cast<int>(seed / (kFusedKernels + 1));
                trial.run(planWavelet({.wavelet = waveletOfKey(wavelet), .mode = mode, .levels = 1 + round % 3}, shape),
                          WaveletVariant::fused, seed, round % 4, round % 5 == 0);
                seed += kFusedKernels + 1;
            }
}

TEST(WaveletLevels, AlongZFirstPartsAreBitIdentical) {
    PARALLAX_NEEDS_DEVICE();
    for (const WaveletMode mode : {WaveletMode::symmetric, WaveletMode::zero, WaveletMode::periodization}) {
        BitIdentity identity(planWavelet({.wavelet = WaveletId::db4, .mode = mode, .levels = 2}, {53, 38, 41, 1}));
        for (const int chunks : {0, 1, 2, 5, 100}) identity.run(FusedKernel::zFirst, chunks);
    }
}

/// Boxes of a mosaic, with their sorted magnitudes on the host.
class Boxes {
public:
    Boxes(const CudaSession& session, const Shape& shape, std::vector<BandBox> boxes, std::uint64_t seed, bool ties)
        : session_(session), shape_(shape), boxes_(std::move(boxes)), values_(noise(shape.samples(), seed)) {
        Random random(seed + 9);
        for (float& v : values_) {
            const std::uint32_t lot = random.bits() % 50;
            if (lot == 0) v = std::numeric_limits<float>::quiet_NaN();
            else if (lot == 1) v = random.bits() % 2 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
            else if (lot == 2) v = 0;
            else if (ties) v = std::round(4 * v) / 4;
            else v = std::ldexp(v, static_cast<int>(random.bits() % 60) - 40);
        }
        onDevice_ = DeviceBuffer<float>(session.allocator(), std::span<const float>(values_), session.stream());
        boxesOnDevice_ = DeviceBuffer<BandBox>(session.allocator(), std::span<const BandBox>(boxes_), session.stream());
        for (const BandBox& box : boxes_) blocks_ = std::max(blocks_, blocksOfBox(box));
    }
    Strided<float> picture() { return {onDevice_.data(), shape_.width, shape_.width * shape_.height}; }
    Strided<const float> constPicture() { return {onDevice_.data(), shape_.width, shape_.width * shape_.height}; }
    BandBoxes boxes() const { return {boxesOnDevice_.data(), static_cast<int>(boxes_.size()), blocks_}; }
    const std::vector<BandBox>& here() const { return boxes_; }
    template <class F>
    void forBox(const BandBox& box, F&& f) const {
        for (std::int64_t z = 0; z < box.extent[2]; ++z)
            for (std::int64_t y = 0; y < box.extent[1]; ++y)
                for (std::int64_t x = 0; x < box.extent[0]; ++x)
                    f(static_cast<std::size_t>(box.first[0] + x + shape_.width * (box.first[1] + y + shape_.height * (box.first[2] + z))));
    }
    const std::vector<float>& values() const { return values_; }
    std::vector<float> magnitudes(const std::vector<BandBox>& boxes) const {
        std::vector<float> all;
        for (const BandBox& box : boxes)
            forBox(box, [&](std::size_t i) {
                if (std::isfinite(values_[i])) all.push_back(std::fabs(values_[i]));
            });
        std::sort(all.begin(), all.end());
        return all;
    }
    std::vector<float> fetchPicture() const { return fetch(session_, onDevice_.data(), values_.size()); }

private:
    const CudaSession& session_;
    Shape shape_;
    std::vector<BandBox> boxes_;
    std::vector<float> values_;
    DeviceBuffer<float> onDevice_;
    DeviceBuffer<BandBox> boxesOnDevice_;
    int blocks_ = 1;
};

const std::vector<BandBox> kSomeBoxes{
    {{0, 0, 0}, {31, 17, 5}}, {{40, 3, 1}, {1, 1, 1}}, {{33, 20, 2}, {67, 13, 4}}, {{5, 30, 0}, {90, 1, 1}}};

TEST(WaveletShrinkage, SelectsTheSameRanksAsSorting) {
    PARALLAX_NEEDS_DEVICE();
    const CudaSession session(0);
    const CurrentDevice current(0);
    DeviceBuffer<SelectionState> state(session.allocator(), 1);
    for (const bool ties : {false, true}) {
        Boxes boxes(session, {100, 34, 7, 1}, kSomeBoxes, 5, ties);
        const std::vector<float> all = boxes.magnitudes(boxes.here());
        const auto n = static_cast<std::int64_t>(all.size());
        const auto select = [&](const BandBoxes& which, SelectedRanks ranks, std::int64_t kept, float above = -1) {
            launchSelection(boxes.constPicture(), which, ranks, above, kept, state.data(), session.stream());
            return fetch(session, state.data(), 1)[0].result;
        };
        for (std::size_t b = 0; b <= boxes.here().size(); ++b) {
            const bool one = b < boxes.here().size();
            const std::vector<float> some = one ? boxes.magnitudes({boxes.here()[b]}) : all;
            const Selected s = select(one ? boxes.boxes().only(b) : boxes.boxes(), SelectedRanks::median, 0);
            ASSERT_EQ(s.finite, static_cast<std::int64_t>(some.size()));
            if (some.empty()) continue;
            EXPECT_EQ(s.low, some[(some.size() - 1) / 2]) << b;
            EXPECT_EQ(s.high, some[some.size() / 2]) << b;
            // Without the smaller half.
            const std::vector<float> above(std::upper_bound(some.begin(), some.end(), s.low), some.end());
            const Selected upper = select(one ? boxes.boxes().only(b) : boxes.boxes(), SelectedRanks::median, 0, s.low);
            ASSERT_EQ(upper.finite, static_cast<std::int64_t>(above.size())) << b;
            if (!above.empty()) {
                EXPECT_EQ(upper.low, above[(above.size() - 1) / 2]) << b;
            }
        }
        for (const std::int64_t kept : {std::int64_t{1}, std::int64_t{2}, n / 3, n - 1, n, n + 100}) {
            const Selected s = select(boxes.boxes(), SelectedRanks::largest, kept);
            EXPECT_EQ(s.low, all[static_cast<std::size_t>(n - std::min(n, kept))]) << kept << " of " << n;
        }
        EXPECT_EQ(select(boxes.boxes(), SelectedRanks::largest, 0).low, 0.0F);
    }
    // No finite sample.
    std::vector<float> nothing(64, std::numeric_limits<float>::quiet_NaN());
    nothing[3] = std::numeric_limits<float>::infinity();
    DeviceBuffer<float> picture(session.allocator(), std::span<const float>(nothing), session.stream());
    const std::vector<BandBox> whole{{{0, 0, 0}, {64, 1, 1}}};
    DeviceBuffer<BandBox> box(session.allocator(), std::span<const BandBox>(whole), session.stream());
    launchSelection({picture.data(), 64, 64}, {box.data(), 1, 1}, SelectedRanks::median, -1, 0, state.data(), session.stream());
    const Selected got = fetch(session, state.data(), 1)[0].result;
    EXPECT_EQ(got.finite, 0);
    EXPECT_EQ(got.low, 0.0F);
    EXPECT_EQ(got.high, 0.0F);
}

TEST(WaveletShrinkage, MomentsMatchTheHost) {
    PARALLAX_NEEDS_DEVICE();
    const CudaSession session(0);
    const CurrentDevice current(0);
    Boxes boxes(session, {100, 34, 7, 1}, kSomeBoxes, 6, false);
    const auto count = static_cast<std::size_t>(boxes.boxes().count);
    DeviceBuffer<BandMoments> partial(session.allocator(), count * static_cast<std::size_t>(boxes.boxes().blocks)),
        moments(session.allocator(), count);
    std::vector<BandMoments> before;
    for (int repeat = 0; repeat < 3; ++repeat) {
        launchMoments(boxes.constPicture(), boxes.boxes(), partial.data(), moments.data(), session.stream());
        const std::vector<BandMoments> found = fetch(session, moments.data(), count);
        for (std::size_t b = 0; b < count; ++b) {
            const std::vector<float> some = boxes.magnitudes({boxes.here()[b]});
            double squares = 0;
            for (const float m : some) squares += static_cast<double>(m) * static_cast<double>(m);
            EXPECT_EQ(found[b].finite, static_cast<std::int64_t>(some.size())) << b;
            EXPECT_EQ(found[b].largest, some.empty() ? 0.0F : some.back()) << b;
            EXPECT_NEAR(found[b].squares, squares, 1e-12 * squares) << b;
            if (repeat > 0) {
                EXPECT_EQ(found[b].squares, before[b].squares) << b;
            }
        }
        before = found;
    }
}

TEST(WaveletShrinkage, ThresholdsChangeNothingOutsideOfBands) {
    PARALLAX_NEEDS_DEVICE();
    const CudaSession session(0);
    const CurrentDevice current(0);
    for (const ShrinkageMethod method : {ShrinkageMethod::soft, ShrinkageMethod::hard, ShrinkageMethod::garrote, ShrinkageMethod::firm}) {
        Boxes boxes(session, {100, 34, 7, 1}, kSomeBoxes, 7, true);
        const std::vector<BandThreshold> here{
            {0.25F, 0.2F, 0.3F}, {0, 1, 0}, {0.5F, 0.5F, 0.5F}, {std::numeric_limits<float>::infinity(), 1, 0}};
        DeviceBuffer<BandThreshold> thresholds(session.allocator(), std::span<const BandThreshold>(here), session.stream());
        DeviceBuffer<ShrinkCounts> counts(session.allocator(), 1);
        check(cudaMemsetAsync(counts.data(), 0, sizeof(ShrinkCounts), session.stream()), "clear");
        launchShrink(boxes.picture(), boxes.boxes(), thresholds.data(), {method}, counts.data(), session.stream());
        std::vector<float> expected = boxes.values();
        ShrinkCounts wanted{0, 0};
        for (std::size_t b = 0; b < here.size(); ++b)
            boxes.forBox(boxes.here()[b], [&](std::size_t i) {
                const float d = expected[i];
                expected[i] = shrunk(d, here[b].threshold, {method});
                wanted.zero += expected[i] == 0;
                wanted.ambiguous += std::isfinite(d) && std::fabs(d) >= here[b].from && std::fabs(d) <= here[b].to;
            });
        const std::vector<float> found = boxes.fetchPicture();
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (std::isnan(expected[i])) {
                ASSERT_TRUE(std::isnan(found[i])) << i;
            } else {
                ASSERT_EQ(found[i], expected[i]) << i;
            }
        }
        const ShrinkCounts got = fetch(session, counts.data(), 1)[0];
        EXPECT_EQ(got.zero, wanted.zero);
        EXPECT_EQ(got.ambiguous, wanted.ambiguous);
        EXPECT_GT(got.ambiguous, 0U);
    }
}

TEST(WaveletModes, RecordedTransformsAreBitIdenticalToPlainOnes) {
    PARALLAX_NEEDS_DEVICE();
    const Engine engine(processCatalog());
    const ImagePtr image = noiseImage({90, 61, 17, 2});
    for (const char* variant : {"fused", "global"})
        for (const char* step : {"dwt:wavelet=db4,levels=3", "dwt:wavelet=db9,mode=smooth,levels=2"}) {
            Pipeline pipeline;
            pipeline.steps.push_back(parseStep(processCatalog(), step));
            pipeline.steps.push_back(parseStep(processCatalog(), "idwt"));
            const std::string target = std::string("cuda.") + variant;
            SCOPED_TRACE(target + ", " + step);
            RunContext context;
            PreparedRun plain = engine.prepare(pipeline, image, parseTarget(target), context);
            PreparedRun graph = engine.prepare(pipeline, image, parseTarget(target + "+graph"), context);
            (void)plain.run(context);
            for (int i = 0; i < 3; ++i) {
                (void)graph.run(context);
                EXPECT_TRUE(sameBits(plain.output(), graph.output()));
            }
        }
}

}  // namespace
}  // namespace parallax::gpu
