// SPDX-License-Identifier: GPL-3.0-or-later
// The sampler with the reference backend and with backends that fail on purpose.
#include "core/measure/sampling/sampler.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/image/host/processors.hpp"
#include "core/measure/ceilings/ceiling_team.hpp"
#include "core/measure/checksum/checksum.hpp"
#include "core/measure/conditions/machine.hpp"
#include "tests/measure/sampler_fixture.hpp"
#include "tests/support/promptness.hpp"

namespace parallax {
namespace {

using test::BodyBackend;
using test::BodyImplementation;
using test::copy;
using test::Sampler;

TEST_F(Sampler, RecordsWhatRan) {
    options_.command = "a command";
    // Exactly five samples, whatever the machine does.
    options_.protocol.maximumSeconds = 600;
    options_.protocol.targetNoise = 1e9;
    const RunRecord r = measure({"reference", "right"});
    ASSERT_EQ(r.entries.size(), 2U);
    for (const RunEntry& e : r.entries) {
        EXPECT_EQ(e.status, RunStatus::done) << e.reason;
        EXPECT_EQ(e.verification, Verification::agrees) << e.difference.maxAbs;
        EXPECT_GE(e.samples.size(), 5U);
        EXPECT_GT(e.samples.front().compute(), 0);
        EXPECT_GT(e.cold.compute(), 0);
        EXPECT_GT(e.prepare[Stage::prepare], 0);
        EXPECT_EQ(e.cold[Stage::prepare], 0);  // reported separately
        EXPECT_GT(e.flops, 0);
        EXPECT_GT(e.bytes, 0);
        EXPECT_GT(e.tolerance, 0);
        EXPECT_FALSE(e.device.empty());
        EXPECT_EQ(e.implementations.size(), 1U);
    }
    EXPECT_EQ(r.entries[0].threads, 1);
    EXPECT_EQ(r.entries[1].variant, "fake");
    EXPECT_EQ(r.baseline, "right") << "the reference is an oracle";
    EXPECT_EQ(r.command, "a command");
    EXPECT_EQ(r.input.shape, input_->shape());
    EXPECT_EQ(r.input.hash.size(), 16U);
    EXPECT_EQ(r.recipe, std::vector<std::string>{toText(pipeline_.steps[0])});
    EXPECT_FALSE(r.machine.cpu.empty());
    EXPECT_EQ(r.protocol.effort, "quick");
}

TEST_F(Sampler, FindsRunsWithOtherBits) {
    EXPECT_FALSE(measure({"right"}).entries[0].bits);
    options_.bits = true;
    const RunRecord r = measure({"right", "unsteady"});
    const auto looked = [](const RunEntry& e) { return static_cast<std::int64_t>(e.samples.size()) + 1; };  // and the first run
    ASSERT_TRUE(r.entries[0].bits);
    EXPECT_EQ(r.entries[0].bits->hash, hashSamples(input_->view()));
    EXPECT_GE(r.entries[0].bits->runs, looked(r.entries[0]));
    EXPECT_EQ(r.entries[0].bits->others, 0);
    ASSERT_TRUE(r.entries[1].bits);
    EXPECT_EQ(r.entries[1].verification, Verification::agrees) << "one unit in the last place";
    EXPECT_GE(r.entries[1].bits->runs, looked(r.entries[1]));
    EXPECT_GE(r.entries[1].bits->others, 2);
    EXPECT_LT(r.entries[1].bits->others, r.entries[1].bits->runs);
}

TEST_F(Sampler, RecordsTheChecksumsOfInputAndResults) {
    const RunRecord r = measure({"reference", "right", "wrong", "absent"});
    EXPECT_EQ(r.input.sha256, checksumOf(input_->view()));
    EXPECT_EQ(r.entries[0].sha256, r.input.sha256) << "the identity";
    EXPECT_EQ(r.entries[1].sha256, r.input.sha256);
    EXPECT_EQ(r.entries[2].sha256.size(), 64U);
    EXPECT_NE(r.entries[2].sha256, r.input.sha256);
    EXPECT_EQ(r.entries[3].sha256, "");
}

/// On a device whose caches can be emptied, and which has a counter of energy.
class CachedDevice final : public test::FakeBackend {
public:
    CachedDevice()
        : test::FakeBackend("cached", {{0, "A device", 1U << 30, 1U << 30}},
                            [] { return std::make_unique<test::FakeSession>(std::make_shared<test::FakeCounters>()); }),
          implementation_([this](View<const float> in, View<float> out) {
              order += 'r';
              joules += 0.5;
              copy(in, out);
          }) {
        implementations_ = {&implementation_};
    }
    bool emptyCaches(int) const override {
        order += 'e';
        return empties;
    }
    EnergyReading energy(int) const override { return {joules, "a counter", {}}; }
    mutable std::string order;  ///< r: a run, e: emptied
    double joules = 7;
    bool empties = true;

private:
    BodyImplementation implementation_;
};

TEST_F(Sampler, EmptiesCachesBeforeEachTimingSample) {
    auto device = std::make_shared<CachedDevice>();
    std::vector<std::shared_ptr<Backend>> backends{makeReferenceBackend(), device, std::make_shared<BodyBackend>("right", copy)};
    catalog_ = std::make_unique<Catalog>(makeOperations(), std::move(backends));
    engine_ = std::make_unique<Engine>(*catalog_);
    pipeline_ = parsePipeline(*catalog_, {"convolve:kernel=box,size=1"});
    RunRecord r = measure({"cached", "right"});
    EXPECT_FALSE(r.protocol.coldCaches);
    EXPECT_EQ(device->order.find('e'), std::string::npos) << "warm unless asked for";
    EXPECT_LT(r.version, kColdCachesVersion);
    options_.protocol.coldCaches = true;
    device->order.clear();
    r = measure({"cached", "right"});
    EXPECT_TRUE(r.protocol.coldCaches);
    EXPECT_EQ(r.version, kColdCachesVersion);
    for (const RunEntry& e : r.entries) {
        EXPECT_EQ(e.status, RunStatus::done) << e.reason;
        EXPECT_FALSE(e.samples.empty());
    }
    std::size_t emptied = 0;
    for (std::size_t at = 0; (at = device->order.find("er", at)) != std::string::npos; ++at) ++emptied;
    EXPECT_EQ(emptied, r.entries[0].samples.size() + 1) << "before each sample and the first run: " << device->order;
    // A device whose caches stay warm is not measured as if they were cold.
    device->empties = false;
    r = measure({"cached", "right"});
    EXPECT_EQ(r.entries[0].status, RunStatus::skipped);
    EXPECT_NE(r.entries[0].reason.find("caches cannot be emptied"), std::string::npos) << r.entries[0].reason;
    EXPECT_EQ(r.entries[1].status, RunStatus::done);
}

TEST_F(Sampler, MeasuresTheEnergyOfARun) {
    auto device = std::make_shared<CachedDevice>();
    std::vector<std::shared_ptr<Backend>> backends{makeReferenceBackend(), device};
    catalog_ = std::make_unique<Catalog>(makeOperations(), std::move(backends));
    engine_ = std::make_unique<Engine>(*catalog_);
    pipeline_ = parsePipeline(*catalog_, {"convolve:kernel=box,size=1"});
    EXPECT_FALSE(measure({"cached"}).entries[0].energy) << "unless asked for";
    options_.energy = true;
    options_.protocol.maximumSeconds = 0.05;
    const RunRecord r = measure({"cached"});
    ASSERT_TRUE(r.entries[0].energy);
    EXPECT_NEAR(r.entries[0].energy->perRun(), 0.5, 1e-9);
    EXPECT_EQ(r.entries[0].energy->source, "a counter");
}

/// On a device that knows its memory.
class MeasuredDevice final : public test::FakeBackend {
public:
    explicit MeasuredDevice(const std::shared_ptr<test::FakeCounters>& c)
        : test::FakeBackend("device", {{0, "A device", 1U << 30, 1U << 30}}, [c] { return std::make_unique<test::MeasuringSession>(c); }) {
        implementations_ = {&implementation_};
    }

private:
    BodyImplementation implementation_{copy};
};

TEST_F(Sampler, MeasuresTheMemoryOfTheFirstRun) {
    constexpr Shape kWorkspace{256, 256, 1, 1};
    const std::uint64_t workspace = kWorkspace.samples() * sizeof(float), result = input_->samples().bytes();
    auto runs = std::make_shared<int>(0);
    const auto counters = std::make_shared<test::FakeCounters>();
    // A workspace in the first run, eight in each later one.
    const auto hungry = [runs, kWorkspace](View<const float> in, View<float> out) {
        std::vector<Buffer> taken;
        const int buffers = ++*runs == 1 ? 1 : 8;
        for (int i = 0; i < buffers; ++i) taken.emplace_back(kWorkspace);
        copy(in, out);
    };
    std::vector<std::shared_ptr<Backend>> backends{
        makeReferenceBackend(), std::make_shared<BodyBackend>("hungry", hungry), std::make_shared<MeasuredDevice>(counters),
        makeUnavailableBackend("absent", "Absent", {false, "The device is absent", "Try again"})};
    catalog_ = std::make_unique<Catalog>(makeOperations(), std::move(backends));
    engine_ = std::make_unique<Engine>(*catalog_);
    pipeline_ = parsePipeline(*catalog_, {"convolve:kernel=box,size=1"});
    const RunRecord r = measure({"hungry", "device", "absent"});
    EXPECT_EQ(r.entries[0].memory.estimatedHost, result);
    EXPECT_GE(r.entries[0].memory.host, result + workspace);
    EXPECT_LT(r.entries[0].memory.host, result + 2 * workspace);
    EXPECT_EQ(r.entries[0].memory.device, 0U);
    EXPECT_EQ(r.entries[1].memory.estimatedDevice, 2 * result) << "input and result";
    EXPECT_EQ(r.entries[1].memory.device, 2U * 64 + 8);
    EXPECT_EQ(r.entries[2].memory.host, 0U);
    EXPECT_EQ(r.entries[2].memory.estimatedHost, 0U);
}

TEST_F(Sampler, VerifiesWithoutTheReferenceAmongTheTargets) {
    const RunRecord r = measure({"right", "wrong"});
    EXPECT_EQ(r.entries[0].verification, Verification::agrees);
    EXPECT_EQ(r.entries[1].verification, Verification::disagrees);
    EXPECT_NEAR(r.entries[1].difference.maxAbs, 0.5, 1e-6);
    ASSERT_FALSE(r.entries[1].difference.worst.empty());
    EXPECT_EQ(r.entries[1].difference.worst[0].x, 1);
    EXPECT_EQ(r.entries[1].difference.worst[0].y, 2);
    EXPECT_EQ(r.baseline, "right");
}

TEST_F(Sampler, FailureOfOneTargetLeavesTheOthers) {
    const RunRecord r = measure({"absent", "throwing", "refusing", "right"});
    EXPECT_EQ(r.entries[0].status, RunStatus::skipped);
    EXPECT_NE(r.entries[0].reason.find("The device is absent"), std::string::npos);
    EXPECT_EQ(r.entries[1].status, RunStatus::failed);
    EXPECT_NE(r.entries[1].reason.find("the device failed"), std::string::npos);
    EXPECT_EQ(r.entries[2].status, RunStatus::skipped);
    EXPECT_NE(r.entries[2].reason.find("Unsupported here"), std::string::npos);
    EXPECT_EQ(r.entries[3].status, RunStatus::done);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(r.entries[static_cast<std::size_t>(i)].samples.empty());
}

TEST_F(Sampler, ReportsEachConditionOfADeviceOnce) {
    const RunRecord r = measure({"right", "slow"});
    const auto told = [](const RunEntry& e) {
        return std::count_if(e.warnings.begin(), e.warnings.end(), [](const std::string& w) { return w.starts_with("gpu-throttled: "); });
    };
    EXPECT_EQ(told(r.entries[0]), 0);
    EXPECT_EQ(told(r.entries[1]), 1);
}

TEST_F(Sampler, SkipsVerificationOnRequest) {
    options_.verify = false;
    EXPECT_EQ(measure({"wrong"}).entries[0].verification, Verification::notDone);
}

TEST_F(Sampler, PreparesAgainForEachBlock) {
    options_.protocol.warmUp = 0;
    options_.protocol.minimumSeconds = 0.3;
    options_.protocol.maximumSeconds = 600;
    options_.protocol.targetNoise = 1e9;
    int prepared = 0;
    slow_->whenPrepared([&](int) { ++prepared; });
    RunRecord r = measure({"slow", "right"});
    // A busy machine may leave time for few samples or blocks; repeat with more time.
    for (int attempt = 1; attempt < 10 && (r.entries[0].blocks.size() < 10 || prepared <= 5); ++attempt) {
        prepared = 0;
        options_.protocol.minimumSeconds *= 2;
        r = measure({"slow", "right"});
    }
    const RunEntry &slow = r.entries[0], &right = r.entries[1];
    ASSERT_GE(slow.blocks.size(), 10U);
    EXPECT_EQ(slow.blocks.size(), right.blocks.size());
    EXPECT_GT(prepared, 5);
    EXPECT_LE(prepared, static_cast<int>(slow.blocks.size()));
    for (const RunEntry* e : {&slow, &right}) {
        EXPECT_EQ(e->blocks.front(), 0U);
        EXPECT_TRUE(std::is_sorted(e->blocks.begin(), e->blocks.end()));
        EXPECT_LE(e->blocks.back(), e->samples.size());
    }
}

TEST_F(Sampler, RunsAtDifferentStackAddresses) {
    std::set<std::uintptr_t> places;
    std::vector<std::shared_ptr<Backend>> backends{std::make_shared<BodyBackend>("noting", [&](View<const float> in, View<float> out) {
        places.insert(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) % 4096);
        copy(in, out);
    })};
    const Catalog catalog(makeOperations(), std::move(backends));
    options_.verify = false;
    options_.protocol.minimumSamples = 100;
    const RunRecord r =
        measureTargets(Engine(catalog), parsePipeline(catalog, {"convolve:kernel=box,size=1"}), input_, {parseTarget("noting")}, options_);
    ASSERT_GE(r.entries[0].samples.size(), 100U);
    // 100 draws of 256 places are rarely fewer than 70 of them.
    EXPECT_GT(places.size(), 60U);
}

TEST_F(Sampler, RunsOfSeveralThreadsAreWarmedUpAfterAnotherBackend) {
    constexpr std::chrono::milliseconds kSlow{5};
    bool cold = false;
    std::size_t switches = 0;
    std::vector<std::shared_ptr<Backend>> backends{std::make_shared<BodyBackend>("waking",
                                                                                 [&](View<const float> in, View<float> out) {
                                                                                     if (std::exchange(cold, false)) {
                                                                                         ++switches;
                                                                                         std::this_thread::sleep_for(kSlow);
                                                                                     }
                                                                                     copy(in, out);
                                                                                 }),
                                                   std::make_shared<BodyBackend>("other", [&](View<const float> in, View<float> out) {
                                                       cold = true;
                                                       copy(in, out);
                                                   })};
    const Catalog catalog(makeOperations(), std::move(backends));
    options_.verify = false;
    options_.protocol.minimumSamples = 100;
    options_.protocol.minimumSeconds = 0;  // turns of one sample
    // Share of the runs after one of the other backend that became samples.
    const auto coldSamples = [&](int threads) {
        std::vector<Target> targets{parseTarget("waking"), parseTarget("other")};
        for (Target& t : targets) t.threads = threads;
        switches = 0;
        const RunRecord r =
            measureTargets(Engine(catalog), parsePipeline(catalog, {"convolve:kernel=box,size=1"}), input_, targets, options_);
        EXPECT_EQ(r.entries[0].threads, threads);
        EXPECT_GT(switches, 5U);
        const auto slow = std::count_if(r.entries[0].samples.begin(), r.entries[0].samples.end(),
                                        [&](const StageTimes& t) { return t.compute() >= std::chrono::nanoseconds(kSlow).count(); });
        return static_cast<double>(slow) / static_cast<double>(switches);
    };
    EXPECT_GT(coldSamples(1), 0.5);
    EXPECT_LT(coldSamples(2), 0.2);
}

TEST_F(Sampler, RowsBesideAKernelOfAUserRunOnTheSameProcessors) {
    const std::vector<int> all = usableProcessors();
    if (all.size() < 2) GTEST_SKIP() << "there is one processor";
    std::map<std::string, std::set<std::vector<int>>> found;  // of the calling thread
    bool sampling = false;
    const auto backend = [&](const std::string& id) {
        return std::make_shared<BodyBackend>(id, [&, id](View<const float> in, View<float> out) {
            if (sampling) found[id].insert(usableProcessors());
            copy(in, out);
        });
    };
    const Catalog catalog(makeOperations(), {backend("user"), backend("one"), backend("all")});
    options_.verify = false;
    options_.protocol.warmUp = 0;
    options_.onProgress = [&](const RunRecord& r) {
        sampling = std::all_of(r.entries.begin(), r.entries.end(), [](const RunEntry& e) { return !e.samples.empty(); });
    };
    std::vector<Target> targets{parseTarget("user"), parseTarget("one"), parseTarget("all")};
    targets[0].threads = targets[1].threads = 1;
    targets[2].threads = static_cast<int>(all.size());
    const Pipeline identity = parsePipeline(catalog, {"convolve:kernel=box,size=1"});
    (void)measureTargets(Engine(catalog), identity, input_, targets, options_);
    const std::set<std::vector<int>> first{{measuringProcessors().front()}}, free{all};
    EXPECT_EQ(found["user"], first);
    EXPECT_EQ(found["one"], first);
    EXPECT_EQ(found["all"], free);
    EXPECT_EQ(usableProcessors(), all);

    // Without it, the only thread is the same for all.
    found.clear();
    sampling = false;
    targets.erase(targets.begin());
    (void)measureTargets(Engine(catalog), identity, input_, targets, options_);
    EXPECT_EQ(found["one"], free);
    EXPECT_EQ(found["all"], free);
}

TEST_F(Sampler, KeepsSamplesWhenPreparingAgainFails) {
    options_.protocol.warmUp = 0;
    options_.protocol.minimumSeconds = 0.3;
    options_.protocol.maximumSeconds = 600;
    options_.protocol.targetNoise = 1e9;
    int prepared = 0;
    std::size_t samples = 0, before = 0;
    options_.onProgress = [&](const RunRecord& r) { samples = r.entries[0].samples.size(); };
    slow_->whenPrepared([&](int) {
        if (++prepared != 3) return;
        before = samples;
        throw Error(ErrorCode::memory, "Not enough memory");
    });
    RunRecord r = measure({"slow", "right"});
    // On a busy machine there may be no third block.
    for (int attempt = 1; attempt < 10 && prepared < 3; ++attempt) {
        prepared = 0;
        r = measure({"slow", "right"});
    }
    EXPECT_EQ(r.entries[0].status, RunStatus::done);
    EXPECT_GT(before, 0U);
    EXPECT_EQ(r.entries[0].samples.size(), before);
    EXPECT_TRUE(std::any_of(r.entries[0].warnings.begin(), r.entries[0].warnings.end(), [](const std::string& w) {
        return w.starts_with("prepare: ") && w.find("Not enough memory") != std::string::npos;
    }));
    EXPECT_EQ(r.entries[1].status, RunStatus::done);
    EXPECT_GT(r.entries[1].samples.size(), r.entries[0].samples.size());
}

TEST_F(Sampler, StopKeepsFinishedSamples) {
    std::stop_source source;
    options_.stop = source.get_token();
    options_.protocol.minimumSamples = 1000000;
    options_.protocol.maximumSeconds = 1000;
    options_.onProgress = [&](const RunRecord& r) {
        if (r.entries[1].samples.size() >= 3) source.request_stop();
    };
    const auto start = std::chrono::steady_clock::now();
    const RunRecord r = measure({"right", "slow"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(300));
    EXPECT_GE(r.entries[1].samples.size(), 3U);
    EXPECT_EQ(r.entries[1].status, RunStatus::done);
}

TEST_F(Sampler, StopBeforeTheStartCancelsEveryEntry) {
    std::stop_source source;
    source.request_stop();
    options_.stop = source.get_token();
    for (const RunEntry& e : measure({"reference", "right"}).entries) {
        EXPECT_EQ(e.status, RunStatus::cancelled);
        EXPECT_TRUE(e.samples.empty());
    }
}

TEST_F(Sampler, EntryWithoutSamplesIsNotDone) {
    // Stops after verification, right before the first sample.
    std::stop_source source;
    options_.stop = source.get_token();
    options_.protocol.warmUp = 0;
    options_.onProgress = [&](const RunRecord& r) {
        if (r.entries[1].verification == Verification::agrees) source.request_stop();
    };
    for (const RunEntry& e : measure({"reference", "right"}).entries)
        EXPECT_EQ(e.status, e.samples.empty() ? RunStatus::cancelled : RunStatus::done);
}

TEST_F(Sampler, TimeLimitHoldsForManyShortSamples) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer makes everything but the measured work many times slower";
#endif
    // Constant noise: only the time limit ends it, and evaluating precision must not dominate.
    options_.protocol.minimumSamples = 5;
    options_.protocol.targetNoise = -1;
    options_.protocol.maximumSeconds = 0.3;
    Promptness prompt(5000);
    while (prompt.again()) {
        prompt.start();
        const RunRecord r = measure({"right"});
        if (r.entries[0].samples.size() > 5) prompt.stop();
    }
    EXPECT_TRUE(prompt.held()) << prompt.text();
}

TEST_F(Sampler, ReportsProgressAfterEverySample) {
    std::size_t calls = 0;
    options_.onProgress = [&](const RunRecord&) { ++calls; };
    const RunRecord r = measure({"reference", "right"});
    EXPECT_GE(calls, r.entries[0].samples.size() + r.entries[1].samples.size());
}

TEST_F(Sampler, RejectsInvalidRequests) {
    EXPECT_THROW((void)measure({}), Error);
    options_.baseline = "unknown";
    EXPECT_THROW((void)measure({"right"}), Error);
    options_.baseline.clear();
    EXPECT_THROW((void)measureTargets(*engine_, pipeline_, nullptr, {parseTarget("right")}, options_), Error);
}

}  // namespace
}  // namespace parallax
