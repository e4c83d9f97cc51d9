// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/ceilings/link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "core/image/error.hpp"
#include "core/measure/ceilings/ceilings.hpp"
#include "core/measure/ceilings/roofline.hpp"
#include "core/parallel/thread_team.hpp"
#include "tests/support/promptness.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;

/// Adds a known time to each message and reduction of another communicator.
class SlowCommunicator final : public Communicator {
public:
    explicit SlowCommunicator(Communicator& c) : inner_(c) {}
    int rank() const override { return inner_.rank(); }
    int size() const override { return inner_.size(); }
    std::stop_token stop() const override { return inner_.stop(); }
    std::unique_ptr<HaloExchange> startExchange(std::vector<HaloSend> sends, std::vector<HaloReceive> receives) override {
        if (!sends.empty()) std::this_thread::sleep_for(2ms);
        return inner_.startExchange(std::move(sends), std::move(receives));
    }
    void allReduce(std::span<double> values, Reduce how) override {
        std::this_thread::sleep_for(5ms);
        inner_.allReduce(values, how);
    }
    void allReduce(std::span<std::int64_t> counts) override { inner_.allReduce(counts); }
    void broadcast(std::span<std::byte> data, int root) override { inner_.broadcast(data, root); }
    void gather(std::span<const std::byte> own, const Partition& places, std::span<std::byte> all, int root) override {
        inner_.gather(own, places, all, root);
    }
    void barrier() override { inner_.barrier(); }
    void cancel(const Error& error) override { inner_.cancel(error); }

private:
    Communicator& inner_;
};

/// Measures a slow link of `ranks` ranks; returns the results of all ranks.
std::vector<LinkTimes> measureSlowLink(int ranks, double seconds) {
    std::vector<LinkTimes> of(static_cast<std::size_t>(ranks));
    ThreadTeam(ranks).run([&](Communicator& c) {
        SlowCommunicator slow(c);
        of[static_cast<std::size_t>(c.rank())] = measureLink(slow, seconds);
    });
    return of;
}

TEST(Link, MeasuresKnownLatencies) {
    // On a busy machine a sleep takes longer than asked for. Judged is the longest of the latency, half a reduction, and 4 % of a large
    // message.
    Promptness prompt(4, 20);
    while (prompt.again()) {
        double longest = 0;
        for (const LinkTimes& times : measureSlowLink(2, 0.05)) {
            EXPECT_GT(times.latency, 2e6);
            EXPECT_GT(times.reduction, 5e6);
            EXPECT_LT(times.bandwidth, static_cast<double>(kLinkBytes) / 2e6);
            longest = std::max({longest, times.latency, times.reduction / 2, static_cast<double>(kLinkBytes) / times.bandwidth / 25});
        }
        prompt.note(1e-6 * longest);
    }
    EXPECT_TRUE(prompt.held()) << prompt.text();
}

TEST(Link, IsTheSameOnEveryRankAndForEachLevelOfATree) {
    Promptness prompt(5, 20);
    while (prompt.again()) {
        const std::vector<LinkTimes> of = measureSlowLink(4, 0.02);
        for (const LinkTimes& t : of) {
            EXPECT_EQ(t.latency, of[0].latency);
            EXPECT_EQ(t.bandwidth, of[0].bandwidth);
            EXPECT_EQ(t.reduction, of[0].reduction);
        }
        EXPECT_GT(of[0].reduction, 5e6 / 2) << "two levels";
        prompt.note(1e-6 * of[0].reduction);
    }
    EXPECT_TRUE(prompt.held()) << prompt.text();
}

TEST(Link, NeedsTwoRanks) {
    EXPECT_THROW(ThreadTeam(1).run([](Communicator& c) { (void)measureLink(c, 0.01); }), Error);
}

TEST(Link, StopsSoon) {
    std::stop_source stop;
    std::jthread later([&] {
        std::this_thread::sleep_for(50ms);
        stop.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    try {
        (void)measureThreadLink(60, stop.get_token());
        FAIL() << "it was not cancelled";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
}

TEST(Link, BelongsToTheCeilingsButNotToTheRoofline) {
    CeilingOptions options;
    options.seconds = 0.001;
    options.largestBytes = 4 << 20;
    const auto all = measureCeilings(options);
    int found = 0;
    for (const CeilingRecord& c : all) {
        if (c.name != kThreadLink) continue;
        ++found;
        EXPECT_GT(c.value, 0) << c.level;
        EXPECT_EQ(c.unit, c.level == "bandwidth" ? "GB/s" : "us") << c.level;
        EXPECT_GT(c.bytes, 0U);
    }
    EXPECT_EQ(found, 3);
    for (const Ceiling& c : bestCeilings(all)) EXPECT_TRUE(c.name != "latency" && c.name != "bandwidth" && c.name != "reduction") << c.name;
    // Also where the link has more threads than everything else.
    std::vector<CeilingRecord> one{{"copy", "memory", 1, 10, "GB/s", 1000}};
    for (const CeilingRecord& c : linkCeilings(kThreadLink, {1000, 5, 2000})) one.push_back(c);
    ASSERT_EQ(bestCeilings(one).size(), 1U);
    EXPECT_EQ(one[1].value, 1);
}

}  // namespace
}  // namespace parallax
