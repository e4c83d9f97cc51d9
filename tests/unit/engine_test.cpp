// SPDX-License-Identifier: GPL-3.0-or-later
// The engine on a fake device, whose memory is accessed through its session only.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>

#include "core/engine/plan/planner.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "core/operations/catalog.hpp"
#include "tests/support/fake_device.hpp"

namespace parallax {
namespace {

struct Counters : test::FakeCounters {
    std::atomic<int> runs{0};
    std::function<void()> onRun;
};

/// Doubles every sample: easy to follow through a pipeline.
class Doubling final : public Implementation {
public:
    explicit Doubling(std::shared_ptr<Counters> c, std::string variant = "double", int rank = 0, RowPadding padding = {})
        : counters_(std::move(c)), variant_(std::move(variant)), rank_(rank), padding_(padding) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return variant_; }
    std::string summary() const override { return "Doubles"; }
    Preference preference(const Problem& p, int) const override {
        return p.shape.width >= 100 ? Preference{rank_, "it is wide"} : Preference{};
    }
    Support supports(const Problem& p) const override { return p.shape.width > 1000 ? Support::no("it is too wide") : Support{}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    RowPadding acceptsPadding(const Problem&) const override { return padding_; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override {
        struct Run final : Execution {
            explicit Run(std::shared_ptr<Counters> c) : counters(std::move(c)) {}
            void run(std::span<const View<const float>> in, std::span<const View<float>> out, RunContext& context) override {
                ++counters->runs;
                if (counters->onRun) counters->onRun();
                context.throwIfStopped();
                for (std::int64_t c = 0; c < in[0].shape.channels; ++c)
                    for (std::int64_t y = 0; y < in[0].shape.height; ++y) {
                        for (std::int64_t x = 0; x < in[0].shape.width; ++x) out[0].at(x, y, 0, c) = 2 * in[0].at(x, y, 0, c);
                        // Anyone may write there.
                        for (std::int64_t x = in[0].shape.width; x < out[0].rowStride; ++x) out[0].at(x, y, 0, c) = -1;
                    }
            }
            std::shared_ptr<Counters> counters;
        };
        return std::make_unique<Run>(counters_);
    }

private:
    std::shared_ptr<Counters> counters_;
    std::string variant_;
    int rank_;
    RowPadding padding_;
};

class FakeBackend final : public test::FakeBackend {
public:
    explicit FakeBackend(const std::shared_ptr<Counters>& c)
        : test::FakeBackend("fake", {{.name = "Fake device", .memoryTotal = 1 << 30, .memoryFree = 1 << 20}},
                            [c] { return std::make_unique<test::MeasuringSession>(c); }),
          doubling_(c),
          preferred_(c, "wide", 2),
          less_(c, "less", 1),
          padded_(c, "padded", 0, {true, true}),
          reader_(c, "reader", 0, {true, false}) {
        implementations_ = {&doubling_, &preferred_, &less_, &padded_, &reader_};
    }

private:
    Doubling doubling_, preferred_, less_, padded_, reader_;
};

class EngineTest : public testing::Test {
protected:
    EngineTest()
        : catalog_(makeOperations(), {std::make_shared<FakeBackend>(counters_),
                                      makeUnavailableBackend("gone", "Gone", {false, "it is not there", "Look elsewhere"})}) {}

    Pipeline pipeline(int steps) const {
        return parsePipeline(catalog_, std::vector<std::string>(static_cast<std::size_t>(steps), "convolve"));
    }
    static ImagePtr image(std::int64_t width = 16) {
        return std::make_shared<Image>(makeSynthetic({SyntheticKind::noise, {width, 8, 1, 2}, 1}));
    }
    static ErrorCode codeOf(const std::function<void()>& f) {
        try {
            f();
        } catch (const Error& e) {
            return e.code();
        }
        ADD_FAILURE() << "no exception was thrown";
        return ErrorCode::failed;
    }

    std::shared_ptr<Counters> counters_ = std::make_shared<Counters>();
    Catalog catalog_;
    Engine engine_{catalog_};
    RunContext context_;
    Target target_{.backend = "fake", .variant = {}};
};

TEST_F(EngineTest, ResultsStayOnTheDeviceBetweenStepsAndBuffersBetweenRuns) {
    const ImagePtr input = image();
    PreparedRun run = engine_.prepare(pipeline(3), input, target_, context_);
    const StageTimes times = run.run(context_);
    EXPECT_EQ(counters_->uploads, 1);
    EXPECT_EQ(counters_->downloads, 1);
    EXPECT_EQ(counters_->runs, 3);
    EXPECT_EQ(counters_->allocations, 3) << "the input and two work buffers";
    for (const Stage s : {Stage::allocate, Stage::upload, Stage::compute, Stage::download}) EXPECT_GT(times[s], 0) << stageName(s);
    for (std::int64_t i = 0; i < input->shape().samples(); ++i) ASSERT_EQ(run.output().data[i], 8 * input->view().data[i]);
    (void)run.run(context_);
    EXPECT_EQ(counters_->allocations, 3) << "the second run allocates nothing";
    const Image result = run.takeImage();
    EXPECT_EQ(result.provenance.size(), 3U);
    EXPECT_EQ(result.channelNames(), input->channelNames());
}

TEST_F(EngineTest, MeasuresTheMemoryOfTheFirstRun) {
    PreparedRun run = engine_.prepare(pipeline(3), image(), target_, context_);
    EXPECT_EQ(run.memory().estimatedDevice, run.estimatedDeviceBytes());
    (void)run.run(context_);
    EXPECT_EQ(run.memory().device, 3U * 64 + 8) << "without what others take";
    EXPECT_GE(run.memory().host, image()->samples().bytes()) << "the result";
    const RunMemory first = run.memory();
    (void)run.takeImage();
    (void)run.run(context_);
    EXPECT_EQ(run.memory().host, first.host);
}

TEST_F(EngineTest, PadsRowsWhereWriterAndReaderAcceptIt) {
    counters_->rowUnit = 32;
    const ImagePtr input = image(37);
    // Buffers: the input, and two in turn for three results.
    for (const auto& [variant, padded] : {std::pair{"double", 0}, {"padded", 3}, {"reader", 1}}) {
        SCOPED_TRACE(variant);
        counters_->padded = 0;
        target_.variant = variant;
        PreparedRun run = engine_.prepare(pipeline(3), input, target_, context_);
        (void)run.run(context_);
        EXPECT_EQ(counters_->padded, padded);
        EXPECT_TRUE(run.output().contiguous());
        for (std::int64_t i = 0; i < input->shape().samples(); ++i) ASSERT_EQ(run.output().data[i], 8 * input->view().data[i]);
    }
    const auto bytesOf = [&](const char* variant) {
        target_.variant = variant;
        return engine_.prepare(pipeline(3), input, target_, context_).estimatedDeviceBytes();
    };
    EXPECT_EQ(bytesOf("double"), 3U * 37 * 8 * 2 * sizeof(float));
    EXPECT_EQ(bytesOf("padded"), 3U * 64 * 8 * 2 * sizeof(float)) << "padding counts";
}

TEST_F(EngineTest, ReleasesAllMemoryAfterDraining) {
    { (void)engine_.run(pipeline(2), image(), target_, context_); }
    EXPECT_EQ(counters_->live, 0);
    EXPECT_GE(counters_->drains, 1) << "drained before memory is released";
}

TEST_F(EngineTest, CancelsBetweenStepsAndCanRunAgain) {
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    counters_->onRun = [&] { source.request_stop(); };
    PreparedRun run = engine_.prepare(pipeline(3), image(), target_, context_);
    EXPECT_EQ(codeOf([&] { (void)run.run(context); }), ErrorCode::cancelled);
    EXPECT_EQ(counters_->runs, 1);
    EXPECT_EQ(counters_->downloads, 0);
    EXPECT_GE(counters_->drains, 1);
    EXPECT_EQ(run.output().data, nullptr) << "no partial result";
    counters_->onRun = nullptr;
    (void)run.run(context_);
    EXPECT_NE(run.output().data, nullptr);
}

TEST_F(EngineTest, RecoversFromAShortageOfMemory) {
    PreparedRun run = engine_.prepare(pipeline(1), image(), target_, context_);
    counters_->refuseMemory = true;
    EXPECT_EQ(codeOf([&] { (void)run.run(context_); }), ErrorCode::memory);
    EXPECT_EQ(counters_->live, 0);
    counters_->refuseMemory = false;
    (void)run.run(context_);
    EXPECT_NE(run.output().data, nullptr);
}

TEST_F(EngineTest, UploadsAnInputThatStaysOnTheDeviceOnce) {
    const ImagePtr input = image();
    PreparedRun run = engine_.prepare(pipeline(1), input, target_, context_);
    (void)run.run(context_);
    (void)run.run(context_);
    EXPECT_EQ(counters_->uploads, 2);
    run.keepInput();
    (void)run.run(context_);
    EXPECT_EQ(counters_->uploads, 3);
    const StageTimes times = run.run(context_);
    EXPECT_EQ(counters_->uploads, 3);
    EXPECT_EQ(times[Stage::upload], 0);
    for (std::int64_t i = 0; i < input->shape().samples(); ++i) ASSERT_EQ(run.output().data[i], 2 * input->view().data[i]);
    // What failed may have left anything there; a cancelled run has not.
    counters_->onRun = [] { throw Error(ErrorCode::cancelled, "Cancelled"); };
    EXPECT_EQ(codeOf([&] { (void)run.run(context_); }), ErrorCode::cancelled);
    counters_->onRun = nullptr;
    (void)run.run(context_);
    EXPECT_EQ(counters_->uploads, 3);
    counters_->onRun = [] { throw std::runtime_error("inside"); };
    EXPECT_EQ(codeOf([&] { (void)run.run(context_); }), ErrorCode::failed);
    counters_->onRun = nullptr;
    (void)run.run(context_);
    EXPECT_EQ(counters_->uploads, 4);
}

TEST_F(EngineTest, ChangesTheStepsOfARunAndKeepsItsInputAndBuffers) {
    const ImagePtr input = image();
    PreparedRun run = engine_.prepare(pipeline(1), input, target_, context_);
    run.keepInput();
    (void)run.run(context_);
    EXPECT_EQ(counters_->allocations, 2) << "the input and the result";
    engine_.change(run, pipeline(3), context_);
    EXPECT_EQ(run.output().data, nullptr) << "no result of other steps";
    EXPECT_EQ(run.plan().size(), 3U);
    (void)run.run(context_);
    EXPECT_EQ(counters_->uploads, 1);
    EXPECT_EQ(counters_->allocations, 3) << "a second buffer";
    for (std::int64_t i = 0; i < input->shape().samples(); ++i) ASSERT_EQ(run.output().data[i], 8 * input->view().data[i]);
    EXPECT_EQ(run.takeImage().provenance.size(), 3U);
    engine_.change(run, pipeline(1), context_);
    (void)run.run(context_);
    EXPECT_EQ(counters_->live, 2) << "the second buffer was released";
    for (std::int64_t i = 0; i < input->shape().samples(); ++i) ASSERT_EQ(run.output().data[i], 2 * input->view().data[i]);
}

TEST_F(EngineTest, RefusedStepsLeaveTheRunAsItIs) {
    PreparedRun run = engine_.prepare(pipeline(1), image(), target_, context_);
    run.keepInput();
    (void)run.run(context_);
    EXPECT_EQ(codeOf([&] { engine_.change(run, Pipeline{}, context_); }), ErrorCode::usage);
    EXPECT_EQ(codeOf([&] { engine_.change(run, pipeline(kMaxSteps + 1), context_); }), ErrorCode::usage);
    EXPECT_NE(run.output().data, nullptr);
    (void)run.run(context_);
    EXPECT_EQ(counters_->uploads, 1);
}

TEST_F(EngineTest, ReportsInsufficientMemoryBeforePreparing) {
    const auto large = std::make_shared<Image>(Image(Buffer(Shape{700, 700, 1, 2})));
    EXPECT_EQ(codeOf([&] { (void)engine_.prepare(pipeline(1), large, target_, context_); }), ErrorCode::memory);
    EXPECT_EQ(counters_->allocations, 0);
}

TEST_F(EngineTest, SelectsThePreferredVariantWithItsReason) {
    const auto taken = [&](std::int64_t width, const char* target) {
        const PreparedRun run = engine_.prepare(pipeline(1), image(width), parseTarget(target), context_);
        return run.plan().at(0).variant + ": " + run.plan().at(0).reason;
    };
    EXPECT_EQ(taken(16, "fake"), std::string("double: ") + kFirstListed);
    EXPECT_EQ(taken(100, "fake"), "wide: it is wide");
    EXPECT_EQ(taken(100, "fake.less"), std::string("less: ") + kAskedFor);
}

TEST_F(EngineTest, NeverFallsBackToAnotherBackend) {
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(), Target{.backend = "gone", .variant = {}}, context_); }),
              ErrorCode::unavailable);
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(1001), target_, context_); }), ErrorCode::unavailable);
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(), Target{.backend = "fake", .variant = "none"}, context_); }),
              ErrorCode::usage);
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(), Target{.backend = "none", .variant = {}}, context_); }),
              ErrorCode::usage);
    EXPECT_EQ(codeOf([&] { (void)engine_.run(Pipeline{}, image(), target_, context_); }), ErrorCode::usage);
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), nullptr, target_, context_); }), ErrorCode::usage);
    EXPECT_EQ(counters_->runs, 0);
}

TEST_F(EngineTest, TranslatesExceptionsOfImplementations) {
    counters_->onRun = [] { throw std::runtime_error("inside"); };
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(), target_, context_); }), ErrorCode::failed);
    counters_->onRun = [] { throw std::bad_alloc(); };
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(), target_, context_); }), ErrorCode::memory);
    counters_->onRun = [] { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); };
    EXPECT_EQ(codeOf([&] { (void)engine_.run(pipeline(1), image(), target_, context_); }), ErrorCode::memory);
}

TEST_F(EngineTest, SkipsDisabledSteps) {
    Pipeline p = pipeline(3);
    p.steps[1].enabled = false;
    const RunResult r = engine_.run(p, image(), target_, context_);
    EXPECT_EQ(counters_->runs, 2);
    EXPECT_EQ(r.plan.size(), 2U);
    EXPECT_EQ(r.deviceName, "Fake device");
}

TEST_F(EngineTest, RefusesEndlessPipelines) {
    EXPECT_NO_THROW((void)engine_.prepare(pipeline(kMaxSteps), image(), target_, context_));
    EXPECT_EQ(codeOf([&] { (void)engine_.prepare(pipeline(kMaxSteps + 1), image(), target_, context_); }), ErrorCode::usage);
    Pipeline mostlyDisabled = pipeline(kMaxSteps + 1);
    mostlyDisabled.steps.front().enabled = false;
    EXPECT_NO_THROW((void)engine_.prepare(mostlyDisabled, image(), target_, context_));
}

/// Notes the threads that it may use.
class ThreadsNoted final : public Implementation {
public:
    explicit ThreadsNoted(std::vector<int>* threads) : threads_(threads) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "noted"; }
    std::string summary() const override { return "Notes threads"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext& context) const override {
        struct Run final : Execution {
            explicit Run(std::vector<int>* t) : threads(t) {}
            void run(std::span<const View<const float>>, std::span<const View<float>>, RunContext& given) override {
                threads->push_back(effectiveThreads(given));
            }
            std::vector<int>* threads;
        };
        threads_->push_back(effectiveThreads(context));
        return std::make_unique<Run>(threads_);
    }

private:
    std::vector<int>* threads_;
};

class ThreadsBackend final : public test::FakeBackend {
public:
    explicit ThreadsBackend(std::vector<int>* threads) : test::FakeBackend("threads"), noted_(threads) { implementations_ = {&noted_}; }

private:
    ThreadsNoted noted_;
};

TEST(EngineThreads, StepsOnTheHostUseAsManyThreadsAsTheirWorkRepays) {
    std::vector<int> threads;
    const Catalog catalog(makeOperations(), {std::make_shared<ThreadsBackend>(&threads)});
    const Engine engine(catalog);
    const Pipeline work = parsePipeline(catalog, {"convolve:kernel=box,size=3"});
    const auto threadsFor = [&](std::int64_t extent) {
        threads.clear();
        RunContext context;
        context.threads = 7;
        const auto input = std::make_shared<Image>(makeSynthetic({SyntheticKind::noise, {extent, extent, 1, 1}, 1}));
        PreparedRun run = engine.prepare(work, input, Target{.backend = "threads", .variant = {}}, context);
        (void)run.run(context);
        return threads;
    };
    EXPECT_EQ(threadsFor(32), (std::vector{1, 1})) << "prepared and run by the calling thread";
    EXPECT_EQ(threadsFor(512), (std::vector{7, 7}));
}

TEST_F(EngineTest, RunsTheReferenceInHostMemory) {
    const Engine engine(processCatalog());
    const ImagePtr input = std::make_shared<Image>(makeSynthetic(parseSynthetic("synthetic:impulse:9x9")));
    const Pipeline p = parsePipeline(processCatalog(), {"convolve:kernel=box,size=3", "convolve:kernel=box,size=3"});
    const RunResult r = engine.run(p, input, Target{.backend = "reference", .variant = {}}, context_);
    EXPECT_NEAR(static_cast<double>(r.image.view().at(4, 4)), 9.0 / 81, 1e-7);
    EXPECT_NEAR(static_cast<double>(r.image.view().at(2, 2)), 1.0 / 81, 1e-7);
    EXPECT_EQ(r.threads, 1);
    EXPECT_EQ(r.times[Stage::upload], 0);
}

}  // namespace
}  // namespace parallax
