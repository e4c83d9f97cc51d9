// SPDX-License-Identifier: GPL-3.0-or-later
// The communicator of host threads. A hang fails these tests by their time limit.
#include "core/parallel/thread_team.hpp"

#include <gtest/gtest.h>

#include "core/parallel/counting_communicator.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

namespace parallax {
namespace {

/// The first four samples.
View<float> rowOf(std::vector<float>& samples) { return denseView(samples.data(), Shape{4, 1, 1, 1}); }

constexpr int kSizes[] = {1, 2, 3, 4, 7};

View<float> viewOf(std::vector<float>& samples, std::int64_t rows, std::int64_t channels = 1) {
    return denseView(samples.data(), Shape{static_cast<std::int64_t>(samples.size()) / rows / channels, rows, 1, channels});
}

TEST(ThreadTeam, RunsEveryRankOnAThreadOfItsOwn) {
    for (const int size : kSizes) {
        ThreadTeam team(size);
        EXPECT_EQ(team.parts(), size);
        std::vector<std::thread::id> threads(static_cast<std::size_t>(size));
        for (int run = 0; run < 3; ++run) {
            std::vector<std::thread::id> now(threads.size());
            team.run([&](Communicator& c) {
                EXPECT_EQ(c.size(), size);
                now[static_cast<std::size_t>(c.rank())] = std::this_thread::get_id();
            });
            for (const std::thread::id& id : now) EXPECT_NE(id, std::this_thread::get_id());
            if (run > 0) {
                EXPECT_EQ(now, threads) << "threads live as long as the team";
            }
            threads = now;
        }
    }
}

TEST(ThreadTeam, ReducesWithTheSameBitsOnEveryRank) {
    for (const int size : kSizes) {
        ThreadTeam team(size);
        std::vector<std::vector<double>> sums(static_cast<std::size_t>(size));
        team.run([&](Communicator& c) {
            const double r = c.rank();
            std::vector<double> values{0.1 * (r + 1), 1e16 * (c.rank() % 2 ? -1 : 1), 1.0};
            c.allReduce(values, Reduce::sum);
            sums[static_cast<std::size_t>(c.rank())] = values;
            double range[] = {r, -r};
            c.allReduce(range, Reduce::minimum);
            EXPECT_EQ(range[0], 0);
            EXPECT_EQ(range[1], 1 - size);
            c.allReduce(range, Reduce::maximum);
            std::int64_t counts[] = {1, c.rank()};
            c.allReduce(counts);
            EXPECT_EQ(counts[0], size);
            EXPECT_EQ(counts[1], size * (size - 1) / 2);
        });
        for (const auto& sum : sums) EXPECT_EQ(sum, sums[0]);
        EXPECT_EQ(sums[0][2], size);
    }
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

TEST(ThreadTeam, SumsBlocksWithTheSameBitsForAnyNumberOfRanks) {
    constexpr std::int64_t kBlocks = 53;
    std::mt19937 random(7);
    std::vector<double> numbers(2 * kBlocks);
    for (double& n : numbers) n = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 60) - 30);
    std::optional<std::vector<double>> first;
    for (const int size : {1, 2, 3, 4, 7, 60}) {
        ThreadTeam team(size);
        const Partition blocks(kBlocks, size);
        team.run([&](Communicator& c) {
            const PartRange own = blocks[c.rank()];
            const std::vector<double> sums = sumOfBlocks(
                c, std::span(numbers).subspan(static_cast<std::size_t>(2 * own.first), static_cast<std::size_t>(2 * own.count())), 2);
            ASSERT_EQ(sums.size(), 2u);
            if (size == 1) first = sums;
            EXPECT_EQ(sums, *first);
        });
    }
    ThreadTeam team(3);
    team.run([](Communicator& c) { EXPECT_EQ(sumOfBlocks(c, {}), std::vector<double>{0}); });
    EXPECT_THROW(team.run([](Communicator& c) { (void)sumOfBlocks(c, std::vector<double>(3), 2); }), Error);
}

TEST(ThreadTeam, BroadcastsAndGathers) {
    for (const int size : kSizes) {
        ThreadTeam team(size);
        team.run([&](Communicator& c) {
            int value = c.rank() == size - 1 ? 42 : 0;
            c.broadcast(std::as_writable_bytes(std::span(&value, 1)), size - 1);
            EXPECT_EQ(value, 42);
            // Rank r has r bytes of value r.
            std::vector<std::int64_t> sizes(static_cast<std::size_t>(size));
            std::iota(sizes.begin(), sizes.end(), 0);
            const Partition places = Partition::ofSizes(sizes);
            const std::vector<std::byte> own(static_cast<std::size_t>(c.rank()), static_cast<std::byte>(c.rank()));
            for (const int root : {0, size - 1, kEveryRank}) {
                const bool gets = root == c.rank() || root == kEveryRank;
                std::vector<std::byte> all(gets ? static_cast<std::size_t>(places.units()) : 0);
                c.gather(own, places, all, root);
                for (std::size_t i = 0; i < all.size(); ++i)
                    EXPECT_EQ(static_cast<int>(all[i]), places.ownerOf(static_cast<std::int64_t>(i)));
            }
            c.barrier();
        });
    }
}

/// Every rank has a band of a picture of random size and sends random pieces of it to random ranks, several rounds in a row.
TEST(ThreadTeam, ExchangesRowsOfRandomPartitions) {
    struct Piece {
        int from, to;
        std::int64_t row, rows;
    };
    std::mt19937 random(3);
    for (int round = 0; round < 60; ++round) {
        const int size = 1 + static_cast<int>(random() % 6);
        const std::int64_t height = 1 + static_cast<std::int64_t>(random() % 20), width = 1 + static_cast<std::int64_t>(random() % 9);
        const Partition partition(height, size);
        std::vector<std::vector<Piece>> exchanges(3);
        for (auto& pieces : exchanges)
            for (std::size_t n = random() % 12; n > 0; --n) {
                const auto row = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(height));
                const int from = partition.ownerOf(row);
                const auto rows = 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(partition[from].last - row));
                pieces.push_back({from, static_cast<int>(random() % static_cast<unsigned>(size)), row, rows});
            }
        ThreadTeam team(size);
        team.run([&](Communicator& c) {
            const PartRange own = partition[c.rank()];
            std::vector<float> band(static_cast<std::size_t>(own.count() * width * 2));
            const View<float> view = denseView(band.data(), Shape{width, own.count(), 1, 2});
            const auto value = [&](std::int64_t x, std::int64_t y, std::int64_t ch) {
                return static_cast<float>((ch * height + y) * width + x);
            };
            for (std::int64_t ch = 0; ch < 2; ++ch)
                for (std::int64_t y = own.first; y < own.last; ++y)
                    for (std::int64_t x = 0; x < width; ++x) view.at(x, y - own.first, 0, ch) = value(x, y, ch);
            for (const auto& pieces : exchanges) {
                std::vector<HaloSend> sends;
                std::vector<HaloReceive> receives;
                std::vector<std::vector<float>> received;
                received.reserve(pieces.size());
                for (const Piece& p : pieces) {
                    if (p.from == c.rank()) {
                        View<float> rows = view;
                        rows.data = view.row(p.row - own.first);
                        rows.shape.height = p.rows;
                        sends.push_back({p.to, rows});
                    }
                    if (p.to == c.rank()) {
                        received.emplace_back(static_cast<std::size_t>(p.rows * width * 2));
                        receives.push_back({p.from, denseView(received.back().data(), Shape{width, p.rows, 1, 2})});
                    }
                }
                c.startExchange(sends, receives)->finish();
                std::size_t next = 0;
                for (const Piece& p : pieces) {
                    if (p.to != c.rank()) continue;
                    const View<float> got = receives[next++].samples;
                    for (std::int64_t ch = 0; ch < 2; ++ch)
                        for (std::int64_t y = 0; y < p.rows; ++y)
                            for (std::int64_t x = 0; x < width; ++x) ASSERT_EQ(got.at(x, y, 0, ch), value(x, p.row + y, ch));
                }
            }
        });
    }
}

/// All functions in turn; calls `step` before each.
void talk(Communicator& c, const std::function<void(int)>& step) {
    const int next = (c.rank() + 1) % c.size(), previous = (c.rank() + c.size() - 1) % c.size();
    std::vector<float> own(64, static_cast<float>(c.rank())), halo(64);
    for (int round = 0; round < 4; ++round) {
        step(6 * round);
        const auto exchange = c.startExchange({{next, viewOf(own, 8)}}, {{previous, viewOf(halo, 8)}});
        step(6 * round + 1);
        exchange->finish();
        EXPECT_EQ(halo[5], static_cast<float>(previous));
        step(6 * round + 2);
        double sum[] = {1};
        c.allReduce(sum, Reduce::sum);
        step(6 * round + 3);
        std::int64_t count[] = {1};
        c.allReduce(count);
        step(6 * round + 4);
        c.broadcast(std::as_writable_bytes(std::span(sum)), 0);
        step(6 * round + 5);
        c.barrier();
    }
    step(24);
}

TEST(ThreadTeam, EndsOnAnErrorOfAnyRankAtAnyStep) {
    for (const int size : {2, 3, 5}) {
        ThreadTeam team(size);
        for (int rank = 0; rank < size; ++rank)
            for (int at = 0; at <= 24; ++at) {
                try {
                    team.run([&](Communicator& c) {
                        talk(c, [&](int step) {
                            if (c.rank() == rank && step == at) throw Error(ErrorCode::memory, "Rank " + std::to_string(rank));
                        });
                    });
                    ADD_FAILURE() << "rank " << rank << ", step " << at;
                } catch (const Error& e) {
                    EXPECT_EQ(e.code(), ErrorCode::memory);
                    EXPECT_EQ(e.what(), "Rank " + std::to_string(rank)) << "not the consequence on another rank";
                }
            }
        // The team can be used afterwards.
        std::atomic<int> ended = 0;
        team.run([&](Communicator& c) {
            talk(c, [](int) {});
            ++ended;
        });
        EXPECT_EQ(ended, size);
    }
}

TEST(ThreadTeam, ReportsTheFirstOfSeveralErrors) {
    ThreadTeam team(4);
    try {
        team.run([](Communicator& c) {
            if (c.rank() == 2) c.cancel(Error(ErrorCode::memory, "First"));
            while (!c.stop().stop_requested()) std::this_thread::yield();
            throw Error(ErrorCode::failed, "Later");
        });
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_STREQ(e.what(), "First");
    }
    EXPECT_THROW(team.run([](Communicator& c) {
        if (c.rank() == 1) throw std::runtime_error("of a library");
        c.barrier();
    }),
                 std::runtime_error);
}

TEST(ThreadTeam, StopsInTheMiddleOfAnExchange) {
    using Clock = std::chrono::steady_clock;
    ThreadTeam team(3);
    // One rank never sends what the others wait for.
    for (const bool before : {true, false}) {
        std::stop_source stop;
        if (before) stop.request_stop();
        std::atomic<int> waiting = 0;
        std::jthread stopper([&] {
            while (!before && waiting < 2) std::this_thread::yield();
            stop.request_stop();
        });
        const auto begin = Clock::now();
        try {
            team.run(
                [&](Communicator& c) {
                    if (c.rank() == 0) {
                        while (!c.stop().stop_requested()) std::this_thread::yield();
                        return;
                    }
                    std::vector<float> own(16), halo(16);
                    const auto exchange = c.startExchange({{0, viewOf(own, 4)}}, {{0, viewOf(halo, 4)}});
                    ++waiting;
                    exchange->finish();
                    ADD_FAILURE() << "nothing was sent";
                },
                stop.get_token());
            ADD_FAILURE();
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::cancelled);
        }
        EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
    }
}

TEST(ThreadTeam, EndsIfARankLeavesAnExchange) {
    ThreadTeam team(2);
    const auto message = [&](auto&& work) {
        try {
            team.run(work);
        } catch (const Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_NE(message([](Communicator& c) {
                  std::vector<float> own(16), halo(16);
                  const auto exchange = c.startExchange({{1 - c.rank(), viewOf(own, 4)}}, {{1 - c.rank(), viewOf(halo, 4)}});
                  if (c.rank() == 1) exchange->finish();
              }).find("unfinished"),
              std::string::npos);
    EXPECT_NE(message([](Communicator& c) {
                  std::vector<float> own(16), halo(16);
                  c.startExchange({{1 - c.rank(), viewOf(own, 4)}}, {{1 - c.rank(), viewOf(halo, c.rank() == 0 ? 4 : 8)}})->finish();
              }).find("disagree"),
              std::string::npos);
    EXPECT_NE(message([](Communicator& c) { (void)c.startExchange({{2, {}}}, {}); }).find("no such part"), std::string::npos);
    EXPECT_NE(message([](Communicator& c) {
                  std::vector<double> values(static_cast<std::size_t>(1 + c.rank()));
                  c.allReduce(values, Reduce::sum);
              }).find("disagree"),
              std::string::npos);
}

}  // namespace
}  // namespace parallax
