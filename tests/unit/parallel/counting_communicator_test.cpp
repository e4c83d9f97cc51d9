// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/counting_communicator.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "core/image/error.hpp"
#include "core/parallel/thread_team.hpp"

namespace parallax {
namespace {

/// The first four samples.
View<float> rowOf(std::vector<float>& samples) { return denseView(samples.data(), Shape{4, 1, 1, 1}); }

View<float> viewOf(std::vector<float>& samples, std::int64_t rows, std::int64_t channels = 1) {
    return denseView(samples.data(), Shape{static_cast<std::int64_t>(samples.size()) / rows / channels, rows, 1, channels});
}

TEST(CountingCommunicator, CountsWhatARankReceivesAndChangesNothing) {
    constexpr int kSize = 3;
    PartTraffic traffic[kSize];
    ThreadTeam(kSize).run([&](Communicator& plain) {
        CountingCommunicator c(plain);
        const int rank = c.rank(), next = (rank + 1) % kSize, last = (rank + kSize - 1) % kSize;
        EXPECT_EQ(c.size(), kSize);
        std::vector<float> own(12, static_cast<float>(rank)), others(12), self(4);
        const auto exchange =
            c.startExchange({{next, viewOf(own, 3)}, {rank, rowOf(own)}}, {{last, viewOf(others, 3)}, {rank, rowOf(self)}});
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        exchange->finish();
        EXPECT_EQ(others, std::vector<float>(12, static_cast<float>(last)));
        EXPECT_EQ(self[3], static_cast<float>(rank));
        double sums[] = {1, 2};
        c.allReduce(sums, Reduce::sum);
        EXPECT_EQ(sums[1], 2 * kSize);
        std::int64_t counts[] = {rank};
        c.allReduce(counts);
        EXPECT_EQ(counts[0], 3);
        std::int64_t told = rank == 1 ? 7 : 0;
        c.broadcast(std::as_writable_bytes(std::span(&told, 1)), 1);
        EXPECT_EQ(told, 7);
        EXPECT_EQ(gatherBlocks<int>(c, std::span(&rank, 1)), (std::vector<int>{0, 1, 2}));
        c.barrier();
        traffic[rank] = c.traffic();
    });
    for (const PartTraffic& t : traffic) {
        EXPECT_EQ(t.messages, 1) << "without that to itself";
        EXPECT_EQ(t.bytes, 12 * 4);
        EXPECT_EQ(t.collectives, 6) << "two reductions, a broadcast, sizes and blocks of a gather, a barrier";
        EXPECT_EQ(t.collectiveBytes, 16 + 8 + 8 + kSize * 8 + kSize * 4);
        EXPECT_GE(t.overlapped, 5'000'000);
        EXPECT_LT(t.overlapped, 1'000'000'000);
    }
    const PartTraffic most = busiest({1, 20, 3, 4, 50}, {2, 10, 3, 5, 40});
    EXPECT_EQ(most, (PartTraffic{2, 20, 3, 5, 40}));
}

TEST(CountingCommunicator, LeavesErrorsToTheOther) {
    EXPECT_THROW(ThreadTeam(2).run([](Communicator& plain) {
        CountingCommunicator c(plain);
        if (c.rank() == 1) throw Error(ErrorCode::memory, "no");
        std::vector<float> samples(4);
        const auto exchange = c.startExchange({}, {{1, rowOf(samples)}});
        exchange->finish();
        ADD_FAILURE() << "it received nothing";
    }),
                 Error);
}

}  // namespace
}  // namespace parallax
