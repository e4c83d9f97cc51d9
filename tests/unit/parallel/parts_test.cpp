// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on parts: halos, phases with sums over the image, errors and stops. The conformance suite compares every implementation.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "core/engine/parts/halo.hpp"
#include "core/engine/parts/part_execution.hpp"
#include "core/engine/plan/planner.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/catalog.hpp"
#include "core/operations/convolution/borders.hpp"
#include "tests/support/fake_device.hpp"

namespace parallax {
namespace {

TEST(Halo, DividesABandByTheRowsThatItNeeds) {
    StripPlan plan = planWithHalo(
        {5, 20, 1, 1}, {true, {}, 2, 1, [](std::int64_t row) { return borderIndex(row, std::int64_t{20}, BorderMode::replicate); }, 0});
    const PartBands bands = divideBand(plan, {4, 14});
    ASSERT_TRUE(bands.interior);
    EXPECT_EQ(bands.interior->row, 6);
    EXPECT_EQ(bands.interior->rows, 7);
    ASSERT_EQ(bands.edges.size(), 2u);
    EXPECT_EQ(bands.edges[0].row, 4);
    EXPECT_EQ(bands.edges[0].rows, 2);
    EXPECT_EQ(bands.edges[1].row, 13);
    EXPECT_EQ(bands.edges[1].rows, 1);
    const PartBands thin = divideBand(plan, {4, 7});
    EXPECT_FALSE(thin.interior);
    ASSERT_EQ(thin.edges.size(), 1u);
    EXPECT_EQ(thin.edges[0].rows, 3);
    EXPECT_TRUE(divideBand(plan, {4, 4}).edges.empty());
    const PartBands wide = divideBand(plan, {4, 14}, {.first = 3, .last = 0});
    EXPECT_EQ(wide.interior->row, 7);
    EXPECT_EQ(wide.edges[0].rows, 3);
    EXPECT_EQ(wide.edges[1].rows, 1);
    plan.above = plan.below = 0;
    EXPECT_EQ(divideBand(plan, {4, 5}).interior->rows, 1);
    EXPECT_TRUE(divideBand(plan, {4, 5}).edges.empty());
}

TEST(Halo, NamesTheOwnerOfEveryRow) {
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        const auto height = 1 + static_cast<std::int64_t>(random() % 12);
        const auto mode = static_cast<BorderMode>(random() % 5);
        const StripPlan plan = planWithHalo({1, height, 1, 1}, {true,
                                                                {},
                                                                static_cast<int>(random() % 4),
                                                                static_cast<int>(random() % 4),
                                                                [=](std::int64_t row) { return borderIndex(row, height, mode); },
                                                                0});
        const Partition partition(height, 1 + static_cast<int>(random() % 7));
        const std::vector<HaloRows> halo = planHalo(plan, partition);
        for (int part = 0; part < partition.parts(); ++part) {
            const PartBands bands = divideBand(plan, partition[part]);
            for (std::size_t edge = 0; edge < bands.edges.size(); ++edge) {
                const Strip& strip = bands.edges[edge];
                std::int64_t at = 0;
                for (const HaloRows& rows : halo) {
                    if (rows.to != part || rows.edge != edge) continue;
                    ASSERT_EQ(rows.at, at) << "rows follow each other";
                    for (std::int64_t i = 0; i < rows.rows; ++i) {
                        const std::int64_t wanted = borderIndex(plan.inputRow(strip) + at + i, height, mode);
                        ASSERT_EQ(rows.from, wanted < 0 ? HaloRows::kFill : partition.ownerOf(wanted));
                        if (wanted >= 0) {
                            ASSERT_EQ(rows.row + i, wanted);
                        }
                    }
                    at += rows.rows;
                }
                ASSERT_EQ(at, plan.inputRows(strip));
            }
        }
    }
}

/// Hooks that the fake implementations call at each strip or part.
struct Hooks {
    std::function<void(int rank, RunContext& context)> onPart;
    std::atomic<int> strips{0};
};

/// Divides every sample by the sum over the image: in double, block after block of two rows.
class Normalise final : public Implementation {
public:
    explicit Normalise(Hooks& hooks) : hooks_(hooks) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "normalise"; }
    std::string summary() const override { return "Divides by the sum"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    Distribution distribution(const Problem&) const override {
        return {.halo = StripSupport::withoutHalo(), .phases = true, .unit = kBlock};
    }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override {
        struct Run final : Execution, PartExecution {
            explicit Run(Hooks& h) : hooks(h) {}
            void run(std::span<const View<const float>> in, std::span<const View<float>> out, RunContext&) override {
                double sum = 0;
                for (const double s : sumsOf(in[0])) sum += s;
                divide(in[0], out[0], sum);
            }
            void runPart(const ImagePart& part, const View<const float>& in, const View<float>& out, Communicator& c,
                         RunContext& context) override {
                EXPECT_TRUE(part.range.empty() || part.range.first % kBlock == 0);
                const std::vector<double> own = part.range.empty() ? std::vector<double>() : sumsOf(in);
                const double sum = sumOfBlocks(c, own)[0];
                if (hooks.onPart) hooks.onPart(c.rank(), context);
                if (!part.range.empty()) divide(in, out, sum);
            }
            static std::vector<double> sumsOf(const View<const float>& v) {
                const bool slices = v.shape.depth > 1;
                const std::int64_t units = slices ? v.shape.depth : v.shape.height;
                std::vector<double> sums(static_cast<std::size_t>((units + kBlock - 1) / kBlock));
                for (std::int64_t z = 0; z < v.shape.depth; ++z)
                    for (std::int64_t y = 0; y < v.shape.height; ++y)
                        for (std::int64_t c = 0; c < v.shape.channels; ++c)
                            for (std::int64_t x = 0; x < v.shape.width; ++x)
                                sums[static_cast<std::size_t>((slices ? z : y) / kBlock)] += static_cast<double>(v.at(x, y, z, c));
                return sums;
            }
            static void divide(const View<const float>& in, const View<float>& out, double sum) {
                for (std::int64_t c = 0; c < in.shape.channels; ++c)
                    for (std::int64_t z = 0; z < in.shape.depth; ++z)
                        for (std::int64_t y = 0; y < in.shape.height; ++y)
                            for (std::int64_t x = 0; x < in.shape.width; ++x)
                                out.at(x, y, z, c) = static_cast<float>(static_cast<double>(in.at(x, y, z, c)) / sum);
            }
            Hooks& hooks;
        };
        return std::make_unique<Run>(hooks_);
    }

private:
    static constexpr std::int64_t kBlock = 2;
    Hooks& hooks_;
};

/// The sample above plus twice the sample below, around the image.
class Neighbours final : public Implementation {
public:
    explicit Neighbours(Hooks& hooks) : hooks_(hooks) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "neighbours"; }
    std::string summary() const override { return "Adds neighbours"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    StripSupport strips(const Problem& p) const override {
        return {true, {}, 1, 1, [h = p.shape.height](std::int64_t row) { return borderIndex(row, h, BorderMode::wrap); }, 0};
    }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override {
        struct Run final : Execution {
            explicit Run(Hooks& h) : hooks(h) {}
            void run(std::span<const View<const float>> in, std::span<const View<float>> out, RunContext& context) override {
                const std::int64_t h = in[0].shape.height;
                for (std::int64_t c = 0; c < in[0].shape.channels; ++c)
                    for (std::int64_t y = 0; y < h; ++y)
                        for (std::int64_t x = 0; x < in[0].shape.width; ++x)
                            out[0].at(x, y, 0, c) = in[0].at(x, (y + h - 1) % h, 0, c) + 2 * in[0].at(x, (y + 1) % h, 0, c);
                if (context.progress) context.progress->add(h * in[0].shape.channels);
            }
            void runStrip(const StripPlan&, const Strip& strip, const View<const float>& in, const View<float>& out,
                          RunContext& context) override {
                ++hooks.strips;
                if (hooks.onPart) hooks.onPart(static_cast<int>(strip.row), context);
                for (std::int64_t y = 0; y < strip.rows; ++y)
                    for (std::int64_t x = 0; x < in.shape.width; ++x) out.at(x, y) = in.at(x, y) + 2 * in.at(x, y + 2);
                if (context.progress) context.progress->add(strip.rows);
            }
            Hooks& hooks;
        };
        return std::make_unique<Run>(hooks_);
    }

private:
    Hooks& hooks_;
};

/// Needs the whole image, and is the default.
class Whole final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "whole"; }
    std::string summary() const override { return "Needs the image at once"; }
    Support supports(const Problem&) const override { return {}; }
    Preference preference(const Problem&, int) const override { return {3, "it is the fastest"}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override { throw Error(ErrorCode::failed, "It must not run"); }
};

class HostParts final : public test::FakeBackend {
public:
    explicit HostParts(Hooks& hooks) : FakeBackend("fake"), normalise_(hooks), neighbours_(hooks) {
        implementations_ = {&whole_, &neighbours_, &normalise_};
    }

private:
    Whole whole_;
    Normalise normalise_;
    Neighbours neighbours_;
};

class Parts : public testing::Test {
protected:
    Parts() : catalog_(makeOperations(), {std::make_shared<HostParts>(hooks_), withDevices("device", 1), withDevices("devices", 2)}) {}

    /// A backend with memory of its own, from which sessions cannot exchange.
    static std::shared_ptr<Backend> withDevices(const std::string& id, int count) {
        std::vector<DeviceInfo> devices(static_cast<std::size_t>(count), hostDevice());
        for (int i = 0; i < count; ++i) devices[static_cast<std::size_t>(i)].index = i;
        return std::make_shared<test::FakeBackend>(
            id, devices, [] { return std::make_unique<test::FakeSession>(std::make_shared<test::FakeCounters>()); });
    }

    Pipeline pipeline(int steps) const {
        return parsePipeline(catalog_, std::vector<std::string>(static_cast<std::size_t>(steps), "convolve"));
    }
    static ImagePtr picture(const Shape& shape) {
        Image image{Buffer(shape)};
        std::mt19937 random(9);
        for (std::int64_t i = 0; i < shape.samples(); ++i) image.view().data[i] = static_cast<float>(random() % 1000) / 7;
        return std::make_shared<const Image>(std::move(image));
    }
    RunResult run(const std::string& target, int steps, const ImagePtr& image) {
        return Engine(catalog_).run(pipeline(steps), image, parseTarget(target), context_);
    }
    Error refusal(const std::string& target) {
        try {
            (void)run(target, 1, picture({4, 4, 1, 1}));
        } catch (const Error& e) {
            return e;
        }
        ADD_FAILURE() << target << " ran";
        return {ErrorCode::failed, ""};
    }

    Hooks hooks_;
    Catalog catalog_;
    RunContext context_;
};

bool sameBits(const Image& a, const Image& b) {
    return a.shape() == b.shape() && std::memcmp(a.view().data, b.view().data, a.samples().bytes()) == 0;
}

TEST_F(Parts, HaveTheBitsOfOneRunThroughPipelines) {
    // Of 300 rows, parts send their edges before they compute the interior.
    for (const Shape& shape : {Shape{5, 23, 1, 2}, Shape{1, 1, 1, 1}, Shape{3, 2, 1, 1}, Shape{4, 4, 1, 3}, Shape{3, 300, 1, 2}})
        for (const int steps : {1, 2, 5}) {
            const ImagePtr image = picture(shape);
            const RunResult whole = run("fake.neighbours", steps, image);
            for (const char* target :
                 {"fake.neighbours@2", "fake.neighbours@3", "fake.neighbours@4", "fake.neighbours@7", "fake.neighbours@40"}) {
                Progress progress;
                context_.progress = &progress;
                const RunResult parts = run(target, steps, image);
                EXPECT_TRUE(sameBits(parts.image, whole.image)) << target << ", " << steps << " steps, " << shape.height << " rows";
                EXPECT_EQ(progress.fraction(), 1) << target;
                EXPECT_EQ(parts.target.label(), target);
                context_.progress = nullptr;
            }
        }
}

TEST_F(Parts, SumOverTheImageInPhases) {
    for (const Shape& shape : {Shape{5, 23, 1, 2}, Shape{1, 1, 1, 1}, Shape{4, 3, 9, 1}})
        for (const int steps : {1, 3}) {
            const ImagePtr image = picture(shape);
            const RunResult whole = run("fake.normalise", steps, image);
            for (const char* target : {"fake.normalise@2", "fake.normalise@3", "fake.normalise@7", "fake.normalise@20"})
                EXPECT_TRUE(sameBits(run(target, steps, image).image, whole.image)) << target << ", " << steps << " steps";
        }
}

TEST_F(Parts, ExchangeOnlyWhatTheyLack) {
    const ImagePtr image = picture({8, 40, 1, 1});
    PreparedRun one = Engine(catalog_).prepare(pipeline(1), image, parseTarget("fake.neighbours@4"), context_);
    EXPECT_EQ(one.run(context_)[Stage::exchange], 0) << "the first step reads its halo from the image";
    PreparedRun two = Engine(catalog_).prepare(pipeline(2), image, parseTarget("fake.neighbours@4"), context_);
    hooks_.strips = 0;
    const StageTimes times = two.run(context_);
    EXPECT_EQ(hooks_.strips, 2 * 4 * 3) << "both ends and the interior of each part";
    EXPECT_GT(times[Stage::exchange], 0);
    EXPECT_GT(times[Stage::compute], 0);
    EXPECT_EQ(times[Stage::upload], 0);
    EXPECT_EQ(times.endToEnd(), times[Stage::allocate] + times[Stage::compute] + times[Stage::exchange]);
    EXPECT_EQ(two.plan()[0].reason, std::string(kAskedFor) + "; on 4 parts");
}

TEST_F(Parts, CountWhatTheyExchange) {
    const ImagePtr image = picture({8, 40, 1, 2});
    PreparedRun whole = Engine(catalog_).prepare(pipeline(2), image, parseTarget("fake.neighbours"), context_);
    (void)whole.run(context_);
    EXPECT_FALSE(whole.traffic());
    PreparedRun one = Engine(catalog_).prepare(pipeline(1), image, parseTarget("fake.neighbours@4"), context_);
    EXPECT_FALSE(one.traffic()) << "it has not run";
    (void)one.run(context_);
    ASSERT_TRUE(one.traffic());
    EXPECT_EQ(one.traffic()->received, PartTraffic{}) << "the first step reads its halo from the image";
    EXPECT_EQ(one.traffic()->link, kThreadLink);
    PreparedRun three = Engine(catalog_).prepare(pipeline(3), image, parseTarget("fake.neighbours@4"), context_);
    for (int run = 0; run < 2; ++run) {
        (void)three.run(context_);
        const PartTraffic received = three.traffic().value().received;
        EXPECT_EQ(received.messages, 2 * 2) << "one from each neighbour before the second and third step";
        EXPECT_EQ(received.bytes, 2 * 2 * 8 * 2 * 4) << "a row of eight samples in two channels";
        EXPECT_GT(received.overlapped, 0);
        EXPECT_EQ(received.collectives, 0);
    }
    EXPECT_TRUE(three.traffic()->uncounted.empty());
    EXPECT_EQ(three.traffic()->unit, 1);
    EXPECT_EQ(three.traffic()->edge, 2) << "the first and the last row";
    PreparedRun sums = Engine(catalog_).prepare(pipeline(1), image, parseTarget("fake.normalise@4"), context_);
    (void)sums.run(context_);
    EXPECT_EQ(sums.traffic()->unit, 2);
    EXPECT_EQ(sums.traffic()->received.messages, 0);
    EXPECT_EQ(sums.traffic()->received.collectives, 2) << "sizes, then the sums of all blocks";
    EXPECT_EQ(sums.traffic()->received.collectiveBytes, 4 * 8 + 20 * 8);
}

TEST_F(Parts, SelectAVariantThatCanBeDivided) {
    const RunResult r = run("fake@2", 1, picture({4, 9, 1, 1}));
    EXPECT_EQ(r.plan.at(0).implementation, "convolve / fake / neighbours");
    EXPECT_EQ(r.plan.at(0).reason, "works on parts, unlike whole (it is the fastest); on 2 parts");
}

TEST_F(Parts, AreRefusedWithTheReason) {
    const Error whole = refusal("fake.whole@2");
    EXPECT_EQ(whole.code(), ErrorCode::unavailable);
    EXPECT_NE(whole.why().find("whole: It needs the whole image at once"), std::string::npos) << whole.what();
    const Error devices = refusal("devices@2");
    EXPECT_EQ(devices.code(), ErrorCode::unavailable);
    EXPECT_NE(devices.why().find("has memory of its own"), std::string::npos) << devices.what();
    const Error device = refusal("device@2");
    EXPECT_EQ(device.code(), ErrorCode::unavailable);
    EXPECT_NE(device.why().find("it needs 2 devices"), std::string::npos) << device.what();
}

TEST_F(Parts, EndTogetherOnAnErrorOfOne) {
    const ImagePtr image = picture({8, 40, 1, 1});
    for (const int row : {0, 10, 19, 39}) {  // the first strip of a part, its interior, its last rows
        std::atomic<int> seen = 0;
        hooks_.onPart = [&](int first, RunContext&) {
            if (first == row && ++seen == 2) throw Error(ErrorCode::memory, "Row " + std::to_string(row));
        };
        PreparedRun prepared = Engine(catalog_).prepare(pipeline(3), image, parseTarget("fake.neighbours@4"), context_);
        try {
            (void)prepared.run(context_);
            ADD_FAILURE() << row;
        } catch (const Error& e) {
            EXPECT_EQ(std::string(e.what()), "Row " + std::to_string(row));
        }
        EXPECT_EQ(prepared.output().data, nullptr);
        hooks_.onPart = nullptr;
        (void)prepared.run(context_);
        EXPECT_TRUE(sameBits(prepared.takeImage(), run("fake.neighbours", 3, image).image)) << "the next run is whole again";
    }
    hooks_.onPart = [](int rank, RunContext&) {
        if (rank == 1) throw std::bad_alloc();
    };
    EXPECT_THROW((void)run("fake.normalise@3", 2, image), Error);
}

TEST_F(Parts, StopWithinAMoment) {
    using Clock = std::chrono::steady_clock;
    const ImagePtr image = picture({8, 40, 1, 1});
    for (const char* target : {"fake.neighbours@4", "fake.normalise@4"}) {
        std::stop_source stop;
        std::atomic<bool> working = false;
        // One part works until it is asked to stop; the others come to wait for it.
        hooks_.onPart = [&](int rank, RunContext& context) {
            if (rank != 0) return;
            working = true;
            while (!context.stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            context.throwIfStopped();
        };
        RunContext context;
        context.stop = stop.get_token();
        PreparedRun prepared = Engine(catalog_).prepare(pipeline(3), image, parseTarget(target), context);
        std::jthread stopper([&] {
            while (!working) std::this_thread::yield();
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            stop.request_stop();
        });
        const auto begin = Clock::now();
        try {
            (void)prepared.run(context);
            ADD_FAILURE() << target;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::cancelled) << e.what();
        }
        EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
    }
}

TEST_F(Parts, ShareTheThreads) {
    Target target = parseTarget("fake.neighbours@3");
    target.threads = 8;
    EXPECT_EQ(Engine(catalog_).prepare(pipeline(1), picture({8, 40, 1, 1}), target, context_).threads(), 8);
    RunContext context;
    const RunTarget opened(catalog_, target, context);
    std::vector<int> threads;
    for (int part = 0; part < 3; ++part) threads.push_back(opened.contextFor(context, part).threads);
    EXPECT_EQ(threads, (std::vector<int>{3, 3, 2}));
    target.threads = 1;
    EXPECT_EQ(Engine(catalog_).prepare(pipeline(1), picture({8, 40, 1, 1}), target, context_).threads(), 3) << "one each at least";
}

}  // namespace
}  // namespace parallax
