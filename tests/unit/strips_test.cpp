// SPDX-License-Identifier: GPL-3.0-or-later
// Planning of strips, and runs in strips on a fake device, which have the same bits as whole runs.
#include "core/engine/run/strips.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/catalog.hpp"
#include "tests/support/fake_device.hpp"
#include "tests/support/strip_filter.hpp"

namespace parallax {
namespace {

using test::filterInOneGo, test::filterStrip, test::forStrips, test::kRules, test::supportFor;

void fill(View<float> v) {
    for (std::int64_t i = 0; i < v.shape.samples(); ++i) v.data[i] = static_cast<float>((i * 7919) % 1009) / 64;
}

TEST(Strips, GiveTheSameBitsAsAWholeRun) {
    std::mt19937 random(5);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    int bands = 0, wholes = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Shape shape{1 + below(40), 1 + below(trial % 3 ? 30 : 400), 1 + below(4), 1 + below(3)};
        const StripSupport support = supportFor(shape.height, below(9), below(9), kRules[trial % 5]);
        const StripLimits limits{1 + below(5), 1U + static_cast<unsigned>(below(20000)), 1U + static_cast<unsigned>(below(2000)),
                                 1 + below(20)};
        const auto least = static_cast<std::uint64_t>(limits.inFlight * (support.above + support.below + 2) * shape.width) * 4;
        const std::uint64_t memory = least + static_cast<std::uint64_t>(below(1 << (4 + below(16))));
        const StripPlan plan = planStrips(shape, support, limits, memory);
        SCOPED_TRACE(std::to_string(shape.width) + " x " + std::to_string(shape.height) + " x " + std::to_string(shape.depth) + " x " +
                     std::to_string(shape.channels) + ", halo " + std::to_string(support.above) + " + " + std::to_string(support.below) +
                     ", border " + std::to_string(trial % 5) + ", " + plan.text());
        EXPECT_LE(plan.slotBytes * static_cast<std::uint64_t>(limits.inFlight), memory);
        (plan.rows > 0 ? bands : wholes) += 1;
        std::int64_t covered = 0;  // rows, in the order of memory
        for (const Strip& s : plan.strips) {
            ASSERT_EQ(s.plane * shape.height + s.row, covered);
            ASSERT_GT(s.rows, 0);
            covered += s.rows * s.planes;
            EXPECT_LE(static_cast<std::uint64_t>(plan.inputShape(s).samples() + plan.outputShape(s).samples()) * 4, plan.slotBytes);
        }
        ASSERT_EQ(covered, shape.height * shape.depth * shape.channels);
        Buffer in(shape), whole(shape), striped(shape);
        fill(in.view());
        filterInOneGo(std::as_const(in).view(), whole.view(), support);
        forStrips(plan, std::as_const(in).view(), striped.view(),
                  [&](const Strip& s, const View<const float>& from, const View<float>& to) { filterStrip(plan, s, from, to, support); });
        ASSERT_EQ(std::memcmp(whole.data(), striped.data(), whole.bytes()), 0);
    }
    EXPECT_GT(bands, 50);
    EXPECT_GT(wholes, 50);
}

TEST(Strips, AreAsLargeAsTheLimitsAllow) {
    constexpr StripLimits limits{4, 8U << 20, 512U << 10, 16};
    constexpr std::uint64_t plenty = std::uint64_t{1} << 40;
    const StripPlan image = planStrips({8192, 8192, 1, 1}, supportFor(8192, 3, 3, BorderMode::replicate), limits, plenty);
    EXPECT_EQ(image.rows, 256);
    EXPECT_EQ(image.strips.size(), 32U);
    EXPECT_EQ(image.text(), "32 strips of 256 rows");
    const StripPlan volume = planStrips({512, 512, 300, 1}, supportFor(512, 3, 3, BorderMode::replicate), limits, plenty);
    EXPECT_EQ(volume.text(), "38 strips of 8 planes");
    // Small images are divided too, unless the fixed cost of transfers would dominate.
    EXPECT_EQ(planStrips({1024, 1024, 1, 1}, supportFor(1024, 3, 3, BorderMode::replicate), limits, plenty).text(), "8 strips of 128 rows");
    EXPECT_EQ(planStrips({64, 64, 1, 1}, supportFor(64, 3, 3, BorderMode::replicate), limits, plenty).text(), "1 strip of 1 plane");
    // A large halo needs high bands: otherwise most rows would be uploaded twice.
    EXPECT_EQ(planStrips({8192, 8192, 1, 1}, supportFor(8192, 63, 63, BorderMode::replicate), limits, plenty).rows, 512);
    // Memory limits strips first.
    const StripPlan tight = planStrips({8192, 8192, 1, 1}, supportFor(8192, 3, 3, BorderMode::replicate), limits, 2U << 20);
    EXPECT_LE(tight.slotBytes * 4, 2U << 20);
    EXPECT_EQ(tight.rows, 5);
}

TEST(Strips, FollowFromTheCostOfAStrip) {
    // 64 Mi bytes in strips of 4 Mi: 16 of them cost what the first one does.
    constexpr StripLimits limits{.inFlight = 4, .largestStrip = 8U << 20, .smallestStrip = 512U << 10, .stripCost = 256U << 10};
    EXPECT_EQ(preferredStripBytes(limits, 64U << 20), 4U << 20);
    EXPECT_EQ(preferredStripBytes(limits, 1U << 20), 512U << 10);
    EXPECT_EQ(preferredStripBytes(limits, std::uint64_t{1} << 40), 8U << 20);
}

/// End of the last download, in bytes of one direction of the link; each direction transfers one strip after another.
std::int64_t endOfLastDownload(const std::vector<std::int64_t>& sizes, std::int64_t up, std::int64_t down, std::int64_t before) {
    std::int64_t there = 0, back = before;
    for (const std::int64_t size : sizes) {
        there += size * up;
        back = std::max(back, there) + size * down;
    }
    return back;
}

TEST(Strips, GradedSizesTakeNoLongerThanTheSmallestStrips) {
    EXPECT_EQ(gradedStripSizes(30, 4, 100, 2, 2), (std::vector<std::int64_t>{4, 4, 4, 4, 4, 4, 3, 3})) << "as much in either direction";
    EXPECT_EQ(gradedStripSizes(30, 4, 100, 2, 3), (std::vector<std::int64_t>{4, 6, 9, 11}));
    EXPECT_EQ(gradedStripSizes(30, 4, 100, 3, 2), (std::vector<std::int64_t>{12, 8, 6, 4}));
    EXPECT_EQ(gradedStripSizes(30, 4, 6, 2, 3), (std::vector<std::int64_t>{4, 6, 6, 6, 4, 4})) << "not larger than allowed";
    EXPECT_EQ(gradedStripSizes(30, 4, 100, 2, 2, 20), (std::vector<std::int64_t>{10, 10, 10})) << "something comes down meanwhile";
    EXPECT_EQ(gradedStripSizes(3, 4, 100, 2, 3), (std::vector<std::int64_t>{3}));
    std::mt19937 random(9);
    const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 2000; ++trial) {
        const std::int64_t all = 1 + below(300), first = 1 + below(10), most = 1 + below(60), up = 1 + below(50), down = 1 + below(50);
        const std::int64_t before = below(2) * below(1000);
        const auto sizes = gradedStripSizes(all, first, most, up, down, before);
        SCOPED_TRACE(testing::PrintToString(sizes));
        std::int64_t sum = 0;
        for (const std::int64_t size : sizes) {
            ASSERT_GT(size, 0);
            ASSERT_LE(size, std::max(first, most));
            sum += size;
        }
        ASSERT_EQ(sum, all);
        std::vector<std::int64_t> same;
        for (std::int64_t left = all; left > 0; left -= same.back()) same.push_back(std::min(first, left));
        ASSERT_LE(sizes.size(), same.size());
        ASSERT_LE(endOfLastDownload(sizes, up, down, before),
                  std::max({first * up + all * down, all * up + first * down, before + all * down}));
    }
}

TEST(Strips, ReportTheMemoryThatTheSmallestNeed) {
    const StripLimits limits{4, 8U << 20, 512U << 10, 16};
    try {
        (void)planStrips({1 << 20, 100, 1, 1}, supportFor(100, 3, 3, BorderMode::wrap), limits, 100U << 20);
        FAIL() << "too little memory was accepted";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory);
        EXPECT_NE(e.why().find("128 MiB"), std::string::npos) << e.what();
    }
}

TEST(Strips, ConsecutiveRowsAreOneRun) {
    const StripPlan wrap = planWithHalo({4, 10, 1, 1}, supportFor(10, 2, 3, BorderMode::wrap));
    const StripPlan constant = planWithHalo({4, 10, 1, 1}, supportFor(10, 2, 3, BorderMode::constant));
    EXPECT_EQ(inputRuns(wrap, {0, 1, 0, 4, false}), (std::vector<RowRun>{{8, 2, true}, {0, 7, false}}));
    EXPECT_EQ(inputRuns(wrap, {0, 1, 4, 2, false}), (std::vector<RowRun>{{2, 7, false}}));
    EXPECT_EQ(inputRuns(constant, {0, 1, 8, 2, false}), (std::vector<RowRun>{{6, 4, false}, {-1, 3, true}}));
}

TEST(Strips, BandsOfAPlaneShareTheRowsBetweenThem) {
    std::mt19937 random(7);
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    for (int trial = 0; trial < 300; ++trial) {
        const Shape shape{3, 1 + below(40), 1 + below(2), 1 + below(2)};
        const int above = below(12), under = below(12);
        StripPlan plan = planWithHalo(shape, supportFor(shape.height, above, under, kRules[trial % 5]));
        plan.rows = 9;
        for (std::int64_t p = 0; p < plan.shape.depth * plan.shape.channels; ++p)
            for (std::int64_t y = 0; y < plan.shape.height; y += plan.strips.back().rows)
                plan.strips.push_back({p, 1, y, std::min<std::int64_t>(1 + below(9), plan.shape.height - y), false});
        // Which sample of the host each one of a strip is: what goes up, behind the last ones of the strip before.
        std::vector<std::int64_t> before;
        for (std::size_t i = 0; i < plan.strips.size(); ++i) {
            const auto fill = [&](std::vector<std::int64_t>& slot, std::int64_t shared) {
                for (const StripBox& box : uploadBoxes(plan, plan.strips[i], shared))
                    for (std::int64_t k = 0; k < box.samples(); ++k)
                        slot.at(static_cast<std::size_t>(box.slot + k)) = box.host < 0 ? -1 : box.host + k;
            };
            std::vector<std::int64_t> all(static_cast<std::size_t>(plan.inputShape(plan.strips[i]).samples()), -2), parts = all;
            fill(all, 0);
            const std::int64_t shared = sharedRows(plan, i);
            EXPECT_EQ(shared, plan.strips[i].row > 0 ? plan.above + plan.below : 0);
            std::copy(before.end() - shared * plan.shape.width, before.end(), parts.begin());
            fill(parts, shared);
            ASSERT_EQ(all, parts) << "strip " << i;
            before = all;
        }
    }
}

TEST(Strips, BoxesAreTheRunsOfBandsAndPlanes) {
    StripPlan plan = planWithHalo({5, 10, 1, 2}, supportFor(10, 2, 3, BorderMode::constant));
    plan.rows = 4;
    const Strip band{1, 1, 8, 2, false};
    const auto up = uploadBoxes(plan, band);
    ASSERT_EQ(up.size(), 2U);
    EXPECT_EQ(up[0], (StripBox{.host = (10 + 6) * 5, .slot = 0, .width = 5, .rows = 4, .hostRow = 5, .slotRow = 5}));
    EXPECT_EQ(up[1].host, -1) << "made of the constant";
    EXPECT_EQ(up[1].slot, 20);
    EXPECT_EQ(up[1].samples(), 15);
    EXPECT_EQ(downloadBoxes(plan, band),
              (std::vector<StripBox>{{.host = (10 + 8) * 5, .width = 5, .rows = 2, .hostRow = 5, .slotRow = 5}}));
    EXPECT_EQ(uploadBoxes(plan, {0, 2, 0, 10, true})[0].samples(), 100);

    // Slabs have the boxes of their plan.
    plan.parts = {{.input = 7}, {.input = 3, .output = 9, .up = {{.width = 3}}, .down = {{.image = 1, .width = 9}}}};
    EXPECT_EQ(uploadBoxes(plan, {1, 1, 0, 1, false}), plan.parts[1].up);
    EXPECT_EQ(downloadBoxes(plan, {1, 1, 0, 1, false}), plan.parts[1].down);
    EXPECT_EQ(plan.inputShape({1, 1, 0, 1, false}), (Shape{3, 1, 1, 1}));
    EXPECT_EQ(plan.outputShape({1, 1, 0, 1, false}), (Shape{9, 1, 1, 1}));
}

TEST(Strips, BoxesWithoutGapsBecomeLongerRows) {
    const StripBox dense{.width = 4, .rows = 3, .slices = 5, .hostRow = 4, .hostSlice = 12, .slotRow = 4, .slotSlice = 12};
    EXPECT_EQ(dense.merged().width, 60);
    EXPECT_EQ(dense.merged().samples(), 60);
    StripBox slices = dense;
    slices.hostSlice = 20;  // gaps between slices on the host
    EXPECT_EQ(slices.merged(), (StripBox{.width = 12, .rows = 5, .hostRow = 20, .hostSlice = 20, .slotRow = 12, .slotSlice = 12}));
    StripBox columns = dense;
    columns.hostRow = 8, columns.hostSlice = 24;
    EXPECT_EQ(columns.merged(), columns) << "a part of the columns of an image";
}

TEST(Strips, EqualRunsAtEqualDistancesAreOneTransfer) {
    const auto run = [](std::int64_t host, std::int64_t slot, std::int64_t width) {
        return StripBox{.host = host, .slot = slot, .width = width, .rows = 1, .hostRow = width, .slotRow = width};
    };
    const StripBox both{.host = 10, .slot = 0, .width = 6, .rows = 2, .hostRow = 50, .slotRow = 8};
    EXPECT_EQ(mergedBoxes({run(10, 0, 6), run(60, 8, 6)}), (std::vector<StripBox>{both}));
    StripBox three = both;
    three.rows = 3;
    EXPECT_EQ(mergedBoxes({run(10, 0, 6), {}, run(60, 8, 6), run(110, 16, 6)}), (std::vector<StripBox>{three}));
    EXPECT_EQ(mergedBoxes({run(10, 0, 6), run(60, 8, 6), run(100, 16, 6)}).size(), 2U) << "another distance";
    EXPECT_EQ(mergedBoxes({run(10, 0, 6), run(60, 8, 5)}).size(), 2U) << "another length";
    EXPECT_EQ(mergedBoxes({run(60, 0, 6), run(10, 8, 6)}).size(), 2U) << "backwards";
    EXPECT_EQ(mergedBoxes({run(-1, 0, 6), run(60, 8, 6)}).size(), 2U) << "the constant";
    EXPECT_EQ(mergedBoxes({run(10, 0, 6), run(std::int64_t{1} << 30, 8, 6)}).size(), 2U) << "too far";
    StripBox kept = run(60, 8, 6);
    kept.image = 1;
    EXPECT_EQ(mergedBoxes({run(10, 0, 6), kept}).size(), 2U) << "of another image";
}

TEST(StageTimes, PiecesAddUpWithoutOverlap) {
    StageTimes t;
    t[Stage::allocate] = 5;
    t.setPieces({{Stage::download, 0, {30, 40}},
                 {Stage::upload, 0, {5, 15}},
                 {Stage::upload, 1, {10, 25}},
                 {Stage::upload, 2, {12, 20}},
                 {Stage::upload, 3, {30, 31}}});
    EXPECT_EQ(t[Stage::upload], 21) << "overlapping pieces count once";
    EXPECT_EQ(t[Stage::download], 10);
    EXPECT_EQ(t.span(Stage::upload).begin, 5);
    EXPECT_EQ(t.span(Stage::upload).end, 31);
    EXPECT_EQ(t.pieces().front().stage, Stage::upload) << "in the order of their beginnings";
    EXPECT_EQ(t.endToEnd(), 36) << "the sum, unless stages are said to overlap";
    t.setOverlapped(40);
    EXPECT_EQ(t.endToEnd(), 40);
    StageTimes prepared;
    prepared[Stage::prepare] = 100;
    prepared[Stage::allocate] = 3;
    t += prepared;
    EXPECT_EQ(t.endToEnd(), 43) << "stages outside end to end do not count";
}

/// A device that works in strips and records.
struct FakeDevice {
    int strips = 0, recorded = 0, repeated = 0;
    std::shared_ptr<test::FakeCounters> pageLocked = std::make_shared<test::FakeCounters>();
    std::uint64_t memoryFree = 1 << 20;
    bool hasWhole = false;             // has a preferred variant that needs the whole image
    std::stop_source stopWhenPinning;  // stopped by the first request for page-locked memory
    bool stops = false;
    StripSupport support = StripSupport::no("It is only a fake");
};

class StripSession final : public test::FakeSession {
public:
    explicit StripSession(FakeDevice& device) : FakeSession(std::make_shared<test::FakeCounters>()), device_(device) {}
    std::shared_ptr<Allocator> pageLockedMemory() override {
        if (device_.stops) device_.stopWhenPinning.request_stop();
        return std::make_shared<test::FakeMemory>(MemorySpace::pinned, device_.pageLocked);
    }
    StripLimits stripLimits(bool) const override { return {2, 4096, 64, 4}; }
    void runStrips(Execution& execution, const StripPlan& plan, const View<const float>& in, const View<float>& out,
                   RunContext& context) override {
        forStrips(plan, in, out, [&](const Strip& s, const View<const float>& from, const View<float>& to) {
            execution.runStrip(plan, s, from, to, context);
            ++device_.strips;
        });
    }
    void runRecorded(const std::vector<const void*>&, const std::function<void()>& work) override {
        ++device_.repeated;
        if (device_.repeated == 1) ++device_.recorded;
        clock().begin(Stage::compute);
        work();
        clock().end();
    }

private:
    FakeDevice& device_;
};

class Column final : public Implementation {
public:
    explicit Column(FakeDevice& device) : device_(device) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "column"; }
    std::string summary() const override { return "Filters columns"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    StripSupport strips(const Problem& problem) const override {
        StripSupport support = device_.support;
        support.rowFor = supportFor(problem.shape.height, 0, 0, BorderMode::reflect).rowFor;
        return support;
    }
    Support recording(const Problem&) const override { return device_.support.yes ? Support{} : Support::no("It is only a fake"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        struct Run final : Execution {
            explicit Run(StripSupport s) : support(std::move(s)) {}
            void run(std::span<const View<const float>> in, std::span<const View<float>> out, RunContext&) override {
                filterInOneGo(in[0], out[0], support);
            }
            void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                          RunContext&) override {
                filterStrip(plan, strip, in, out, support);
            }
            StripSupport support;
        };
        return std::make_unique<Run>(strips(problem));
    }

private:
    FakeDevice& device_;
};

/// The preferred variant, which needs the whole image and as much memory again.
class Whole final : public Implementation {
public:
    explicit Whole(FakeDevice& device) : device_(device) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "whole"; }
    std::string summary() const override { return "Needs the image at once"; }
    Support supports(const Problem&) const override { return device_.hasWhole ? Support{} : Support::no("It is not there"); }
    Preference preference(const Problem&, int) const override { return {1, "it is the fastest"}; }
    MemoryEstimate estimate(const Problem& problem) const override {
        return {.host = 0, .device = static_cast<std::uint64_t>(problem.shape.samples()) * sizeof(float)};
    }
    StripSupport strips(const Problem&) const override { return StripSupport::no("It needs the image at once"); }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext&) const override {
        // Imitates a device without memory for a plan.
        if (estimate(problem).device > device_.memoryFree) throw Error(ErrorCode::memory, "The device's memory is full");
        struct Run final : Execution {
            explicit Run(StripSupport s) : support(std::move(s)) {}
            void run(std::span<const View<const float>> in, std::span<const View<float>> out, RunContext&) override {
                filterInOneGo(in[0], out[0], support);
            }
            StripSupport support;
        };
        StripSupport support = device_.support;
        support.rowFor = supportFor(problem.shape.height, 0, 0, BorderMode::reflect).rowFor;
        return std::make_unique<Run>(support);
    }

private:
    FakeDevice& device_;
};

class StripBackend final : public Backend {
public:
    explicit StripBackend(FakeDevice& device) : device_(device), column_(device), whole_(device) {}
    std::string id() const override { return "fake"; }
    std::string title() const override { return "Fake"; }
    std::vector<DeviceInfo> devices() const override {
        return {{.index = 0, .name = "Fake device", .memoryTotal = 1 << 30, .memoryFree = device_.memoryFree, .details = {}}};
    }
    std::vector<const Implementation*> implementations() const override { return {&whole_, &column_}; }
    std::vector<ModeInfo> modes() const override {
        return {{{"graph"}, "g"}, {{"overlapped"}, "o"}, {{"overlapped", "pinned"}, "op"}, {{"pinned"}, "p"}};
    }
    std::vector<std::pair<std::string, Capability>> capabilities() const override {
        return {{"graph", Capability::recorded}, {"overlapped", Capability::overlapped}, {"pinned", Capability::pageLocked}};
    }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return std::make_unique<StripSession>(device_); }

private:
    FakeDevice& device_;
    Column column_;
    Whole whole_;
};

class Modes : public testing::Test {
protected:
    Modes() : catalog_(makeOperations(), {std::make_shared<StripBackend>(device_)}) {
        device_.support = supportFor(1, 2, 1, BorderMode::reflect);
        pipeline_ = parsePipeline(catalog_, {"convolve"});
    }
    Image run(const std::string& target, std::string* reason = nullptr) {
        RunResult r = Engine(catalog_).run(pipeline_, image_, parseTarget(target), context_);
        if (reason) *reason = r.plan.at(0).reason;
        return std::move(r.image);
    }
    Error refusal(const std::string& target) {
        try {
            (void)run(target);
        } catch (const Error& e) {
            return e;
        }
        ADD_FAILURE() << "no exception was thrown";
        return Error(ErrorCode::failed, "");
    }
    static bool same(const Image& a, const Image& b) {
        return a.shape() == b.shape() && std::memcmp(a.samples().data(), b.samples().data(), a.samples().bytes()) == 0;
    }

    FakeDevice device_;
    Catalog catalog_;
    Pipeline pipeline_;
    RunContext context_;
    ImagePtr image_ = std::make_shared<Image>(makeSynthetic({SyntheticKind::noise, {16, 200, 1, 2}, 1}));
};

TEST_F(Modes, AllHaveTheSameBits) {
    const Image plain = run("fake");
    EXPECT_EQ(device_.strips, 0);
    std::string reason;
    EXPECT_TRUE(same(run("fake+overlapped", &reason), plain));
    EXPECT_EQ(device_.strips, 8) << reason;
    EXPECT_NE(reason.find("; in 8 strips of 50 rows"), std::string::npos) << reason;
    EXPECT_EQ(device_.pageLocked->allocations, 0);
    EXPECT_TRUE(same(run("fake.column+pinned+overlapped"), plain));
    EXPECT_EQ(device_.pageLocked->allocations, 2) << "the image and the result";
    const Image pinned = run("fake+pinned");
    EXPECT_TRUE(same(pinned, plain));
    EXPECT_EQ(pinned.samples().space(), MemorySpace::pinned);
    EXPECT_TRUE(same(run("fake+graph"), plain));
    EXPECT_EQ(device_.recorded, 1);
}

TEST_F(Modes, ProgressOfRecordedRunsEnds) {
    // Nothing counts the rows of a run that is only repeated.
    Progress progress;
    context_.progress = &progress;
    (void)run("fake+graph");
    EXPECT_EQ(progress.fraction(), 1);
}

TEST_F(Modes, RunsInStripsIfMemoryIsTooSmall) {
    const Image plain = run("fake");
    device_.memoryFree = 16 << 10;
    std::string reason;
    EXPECT_TRUE(same(run("fake", &reason), plain));
    EXPECT_GT(device_.strips, 1);
    EXPECT_NE(reason.find("are free"), std::string::npos) << reason;
    device_.support = StripSupport::no("It sums all rows");
    const Error e = refusal("fake");
    EXPECT_EQ(e.code(), ErrorCode::memory);
    EXPECT_NE(e.why().find("It sums all rows"), std::string::npos) << e.what();
}

TEST_F(Modes, RunsPipelinesStepByStepIfMemoryIsTooSmall) {
    for (int i = 0; i < 2; ++i) pipeline_.steps.push_back(pipeline_.steps[0]);
    const Image plain = run("fake");
    EXPECT_EQ(device_.strips, 0);
    device_.memoryFree = 24 << 10;
    RunResult result = Engine(catalog_).run(pipeline_, image_, parseTarget("fake"), context_);
    EXPECT_TRUE(same(result.image, plain));
    EXPECT_GT(device_.strips, 6);
    ASSERT_EQ(result.plan.size(), 3U);
    for (const StepPlan& step : result.plan) EXPECT_NE(step.reason.find("are free"), std::string::npos) << step.reason;
    EXPECT_LE(result.memory.estimatedDevice, device_.memoryFree);
    EXPECT_GE(result.memory.estimatedHost, 3 * image_->samples().bytes()) << "two results between steps, and that of the run";
    EXPECT_NE(refusal("fake+overlapped").why().find("Only pipelines of one step"), std::string::npos);
    device_.support = StripSupport::no("It sums all rows");
    EXPECT_NE(refusal("fake").why().find("convolve / column: It sums all rows"), std::string::npos);
}

TEST_F(Modes, PrefersAVariantThatWorksInStripsIfMemoryIsTooSmall) {
    device_.hasWhole = true;
    std::string reason;
    const Image plain = run("fake", &reason);
    EXPECT_EQ(reason, "it is the fastest");
    EXPECT_EQ(device_.strips, 0);
    // The image has 25.6 kB: at first there is not enough for image, result and as much again, then not even for that.
    for (const std::uint64_t free : {60 << 10, 16 << 10}) {
        device_.memoryFree = free;
        device_.strips = 0;
        const RunResult r = Engine(catalog_).run(pipeline_, image_, parseTarget("fake"), context_);
        EXPECT_TRUE(same(r.image, plain));
        const StepPlan& plan = r.plan.at(0);
        EXPECT_EQ(plan.variant, "column");
        EXPECT_EQ(plan.implementation, "convolve / fake / column");
        EXPECT_NE(plan.reason.find("works in strips, unlike whole (it is the fastest), which needs 1 MiB"), std::string::npos)
            << plan.reason;
        EXPECT_EQ(device_.strips > 0, free < (50 << 10)) << "a whole run if that fits without the preferred variant";
    }
    for (const char* named : {"fake.whole", "fake.whole+pinned"}) EXPECT_EQ(refusal(named).code(), ErrorCode::memory);
    device_.support = StripSupport::no("It sums all rows");
    EXPECT_EQ(refusal("fake").code(), ErrorCode::memory) << "none works in strips";
}

TEST_F(Modes, EstimatesMemoryOfTheSlotsInUse) {
    const auto bytes = [&](const Shape& shape) {
        image_ = std::make_shared<Image>(makeSynthetic({SyntheticKind::noise, shape, 1}));
        return Engine(catalog_).prepare(pipeline_, image_, parseTarget("fake+overlapped"), context_).estimatedDeviceBytes();
    };
    EXPECT_EQ(bytes({4, 3, 1, 1}), 2U * 48) << "one strip, image and result";
    EXPECT_EQ(bytes({4, 3, 1, 8}), 2U * 2 * 96) << "two at a time, of two planes";
}

TEST_F(Modes, CopyingToPageLockedMemoryCanBeCancelled) {
    device_.stops = true;
    device_.memoryFree = std::uint64_t{1} << 30;
    context_.stop = device_.stopWhenPinning.get_token();
    EXPECT_EQ(refusal("fake+pinned").code(), ErrorCode::cancelled);
}

TEST_F(Modes, RecordedRunsDoNotWorkInStrips) {
    device_.memoryFree = 16 << 10;
    const Error e = refusal("fake+graph");
    EXPECT_EQ(e.code(), ErrorCode::memory);
    EXPECT_NE(e.why().find("Recorded runs (the mode 'graph') do not work in strips"), std::string::npos) << e.what();
    EXPECT_NE(e.whatToDo().find("Leave the mode 'graph' out"), std::string::npos) << e.what();
}

TEST_F(Modes, AreRejectedWithTheReason) {
    for (const auto& [target, text] : {std::pair{"fake+fast", "known are graph, overlapped, overlapped+pinned, pinned"},
                                       std::pair{"fake+graph+overlapped", "known are graph, overlapped, overlapped+pinned, pinned"}}) {
        const Error e = refusal(target);
        EXPECT_EQ(e.code(), ErrorCode::usage) << target;
        EXPECT_NE(e.why().find(text), std::string::npos) << e.what();
    }
    device_.support = StripSupport::no("It sums all rows");
    for (const char* target : {"fake+overlapped", "fake+graph"}) {
        const Error e = refusal(target);
        EXPECT_EQ(e.code(), ErrorCode::unavailable) << target;
        EXPECT_NE(e.why().find("column: It"), std::string::npos) << e.what();
    }
}

TEST(Target, ParsesModesInAnyOrder) {
    const Target t = parseTarget("cuda.direct+pinned+overlapped");
    EXPECT_EQ(t.backend, "cuda");
    EXPECT_EQ(t.variant, "direct");
    EXPECT_EQ(t.modes, (std::vector<std::string>{"overlapped", "pinned"}));
    EXPECT_EQ(t.label(), "cuda.direct+overlapped+pinned");
    EXPECT_EQ(parseTarget("cuda+graph").label(), "cuda+graph");
    EXPECT_TRUE(parseTarget("cuda+graph").variant.empty());
    EXPECT_EQ(parseTarget(t.label()), t);
    EXPECT_NE(parseTarget("cuda.direct"), t);
    for (const char* bad : {"+", "cuda+", "+pinned", "cuda.+pinned", "cuda+pinned+pinned", "cuda++pinned"})
        EXPECT_THROW(parseTarget(bad), Error) << bad;
}

}  // namespace
}  // namespace parallax
