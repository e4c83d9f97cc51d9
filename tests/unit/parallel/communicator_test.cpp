// SPDX-License-Identifier: GPL-3.0-or-later
// The contract of communicators, for each kind of ranks. A hang fails these tests by their time limit.
#include "core/parallel/communicator.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <thread>

#include "core/parallel/all_to_all.hpp"
#include "tests/support/rank_kinds.hpp"

namespace parallax {
namespace {

constexpr int kSizes[] = {1, 2, 3, 4, 7};

class Communicators : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override { useRanks(GetParam()); }

    /// Runs on the first `size` ranks, if this process is one of them.
    static void run(int size, const std::function<void(Communicator&)>& work) {
        if (hasRanks(size)) runOnRanks(size, work);
    }
    /// The error of such a run; the expected one on other processes.
    static Error errorOf(int size, const Error& expected, const std::function<void(Communicator&)>& work,
                         const std::stop_token& stop = {}) {
        if (!hasRanks(size)) return expected;
        try {
            runOnRanks(size, work, stop);
        } catch (const Error& e) {
            return e;
        }
        return {ErrorCode::failed, "There was no error"};
    }
};

View<float> viewOf(std::vector<float>& samples, std::int64_t rows, std::int64_t channels = 1) {
    return denseView(samples.data(), Shape{static_cast<std::int64_t>(samples.size()) / rows / channels, rows, 1, channels});
}

TEST_P(Communicators, ReduceWithTheSameBitsOnEveryRank) {
    for (const int size : kSizes)
        run(size, [&](Communicator& c) {
            EXPECT_EQ(c.size(), size);
            const double r = c.rank();
            std::vector<double> values{0.1 * (r + 1), 1e16 * (c.rank() % 2 ? -1 : 1), 1.0};
            // In the order of ranks.
            std::vector<double> expected{0.1, 1e16, 1.0};
            for (int i = 1; i < size; ++i) {
                expected[0] += 0.1 * (static_cast<double>(i) + 1);
                expected[1] += 1e16 * (i % 2 ? -1 : 1);
                expected[2] += 1;
            }
            c.allReduce(values, Reduce::sum);
            EXPECT_EQ(values, expected);
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
}

TEST_P(Communicators, ReduceManyValuesInTheOrderOfRanks) {
    constexpr std::size_t kValues = 3001;
    const auto value = [](std::size_t i, int rank) {
        const auto mixed = static_cast<std::uint32_t>((i * 31 + static_cast<std::size_t>(rank) + 1) * 2654435761U);
        return std::ldexp(static_cast<double>(mixed), static_cast<int>(mixed % 59) - 30);
    };
    for (const int size : kSizes)
        run(size, [&](Communicator& c) {
            std::vector<double> sums(kValues), largest(kValues);
            std::vector<std::int64_t> counts(kValues);
            for (std::size_t i = 0; i < kValues; ++i) {
                sums[i] = largest[i] = value(i, c.rank());
                counts[i] = static_cast<std::int64_t>(i) * c.rank();
            }
            c.allReduce(sums, Reduce::sum);
            c.allReduce(largest, Reduce::maximum);
            c.allReduce(counts);
            for (std::size_t i = 0; i < kValues; ++i) {
                double sum = value(i, 0), most = sum;
                for (int r = 1; r < size; ++r) {
                    sum += value(i, r);
                    most = std::max(most, value(i, r));
                }
                ASSERT_EQ(sums[i], sum);
                ASSERT_EQ(largest[i], most);
                ASSERT_EQ(counts[i], static_cast<std::int64_t>(i) * (size * (size - 1) / 2));
            }
        });
}

TEST_P(Communicators, SumBlocksWithTheSameBitsForAnyNumberOfRanks) {
    constexpr std::int64_t kBlocks = 53;
    std::mt19937 random(7);
    std::vector<double> numbers(2 * kBlocks), expected(2);
    for (double& n : numbers) n = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 60) - 30);
    for (std::size_t i = 0; i < numbers.size(); ++i) expected[i % 2] += numbers[i];
    for (const int size : kSizes) {
        const Partition blocks(kBlocks, size);
        run(size, [&](Communicator& c) {
            const PartRange own = blocks[c.rank()];
            EXPECT_EQ(
                sumOfBlocks(
                    c, std::span(numbers).subspan(static_cast<std::size_t>(2 * own.first), static_cast<std::size_t>(2 * own.count())), 2),
                expected);
        });
    }
    run(3, [](Communicator& c) { EXPECT_EQ(sumOfBlocks(c, {}), std::vector<double>{0}); });
    const Error incomplete(ErrorCode::failed, "The numbers of a block are incomplete");
    EXPECT_EQ(errorOf(3, incomplete, [](Communicator& c) { (void)sumOfBlocks(c, std::vector<double>(3), 2); }).summary(),
              incomplete.summary());
}

TEST_P(Communicators, BroadcastAndGather) {
    for (const int size : kSizes)
        run(size, [&](Communicator& c) {
            for (int root = 0; root < size; ++root) {
                std::vector<int> values(100, c.rank() == root ? 42 + root : 0);
                c.broadcast(std::as_writable_bytes(std::span(values)), root);
                EXPECT_EQ(values, std::vector<int>(100, 42 + root));
            }
            // Rank r has 50 r bytes of value r.
            std::vector<std::int64_t> sizes(static_cast<std::size_t>(size));
            for (int r = 0; r < size; ++r) sizes[static_cast<std::size_t>(r)] = std::int64_t{50} * r;
            const Partition places = Partition::ofSizes(sizes);
            const std::vector<std::byte> own(static_cast<std::size_t>(50 * c.rank()), static_cast<std::byte>(c.rank()));
            for (const int root : {0, size - 1, kEveryRank}) {
                const bool gets = root == c.rank() || root == kEveryRank;
                std::vector<std::byte> all(gets ? static_cast<std::size_t>(places.units()) : 0);
                c.gather(own, places, all, root);
                for (std::size_t i = 0; i < all.size(); ++i)
                    ASSERT_EQ(static_cast<int>(all[i]), places.ownerOf(static_cast<std::int64_t>(i)));
            }
            c.barrier();
        });
}

/// Every rank has a band of a picture of random size and sends random pieces of it to random ranks, several rounds in a row.
TEST_P(Communicators, ExchangeRowsOfRandomPartitions) {
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
        run(size, [&](Communicator& c) {
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

/// The transposition of a matrix that is divided by rows, also where ranks have none.
TEST_P(Communicators, TransposeFromEachToEach) {
    for (const int size : kSizes)
        for (const std::int64_t height : {1, 5, 40}) {
            constexpr std::int64_t kWidth = 23;
            const Partition rows(height, size), columns(kWidth, size);
            run(size, [&](Communicator& c) {
                const PartRange own = rows[c.rank()], across = columns[c.rank()];
                std::vector<float> band(static_cast<std::size_t>(own.count() * kWidth)),
                    column(static_cast<std::size_t>(across.count() * height), -1);
                for (std::size_t i = 0; i < band.size(); ++i) band[i] = static_cast<float>(own.first * kWidth) + static_cast<float>(i);
                std::vector<View<const float>> to;
                std::vector<View<float>> from;
                for (int r = 0; r < size; ++r) {
                    to.push_back(denseView(static_cast<const float*>(band.data()) + columns[r].first, Shape{kWidth, own.count(), 1, 1}));
                    to.back().shape.width = columns[r].count();
                    from.push_back(denseView(column.data() + rows[r].first * across.count(), Shape{across.count(), rows[r].count(), 1, 1}));
                }
                allToAll(c, to, from);
                for (std::int64_t y = 0; y < height; ++y)
                    for (std::int64_t x = 0; x < across.count(); ++x)
                        ASSERT_EQ(column[static_cast<std::size_t>(y * across.count() + x)],
                                  static_cast<float>(y * kWidth + across.first + x));
            });
        }
}

TEST_P(Communicators, SendListsFromEachToEach) {
    for (const int size : kSizes)
        run(size, [&](Communicator& c) {
            // Rank r has (r + 2 s) % 3 numbers for rank s.
            std::vector<std::vector<double>> to;
            for (int s = 0; s < size; ++s) to.emplace_back(static_cast<std::size_t>((c.rank() + 2 * s) % 3), c.rank() + 0.01 * s);
            const auto from = allToAll(c, to);
            ASSERT_EQ(from.size(), to.size());
            for (int r = 0; r < size; ++r)
                EXPECT_EQ(from[static_cast<std::size_t>(r)],
                          std::vector<double>(static_cast<std::size_t>((r + 2 * c.rank()) % 3), r + 0.01 * c.rank()));
        });
    const Error disagreement(ErrorCode::failed, "Two parts disagree on the samples that they exchange");
    EXPECT_EQ(errorOf(2, disagreement, [](Communicator& c) { allToAll(c, {}, {}); }).summary(), disagreement.summary());
}

TEST_P(Communicators, ExchangeSlicesOfVolumes) {
    run(3, [](Communicator& c) {
        const Shape slab{30, 20, 4, 2};
        std::vector<float> own(static_cast<std::size_t>(slab.samples())), halo(own.size());
        std::iota(own.begin(), own.end(), static_cast<float>(10000 * c.rank()));
        // The last two slices of the rank before.
        View<float> slices = denseView(own.data(), slab);
        slices.data += 2 * slices.sliceStride;
        slices.shape.depth = 2;
        View<float> received = denseView(halo.data(), slab);
        received.shape.depth = 2;
        const int before = (c.rank() + 2) % 3;
        c.startExchange({{(c.rank() + 1) % 3, slices}}, {{before, received}})->finish();
        for (std::int64_t ch = 0; ch < 2; ++ch)
            for (std::int64_t z = 0; z < 2; ++z)
                for (std::int64_t y = 0; y < 20; ++y)
                    ASSERT_EQ(received.at(7, y, z, ch), static_cast<float>(10000 * before + ((ch * 4 + z + 2) * 20 + y) * 30 + 7));
    });
}

TEST_P(Communicators, ExchangeRowsWithGaps) {
    run(2, [](Communicator& c) {
        std::vector<float> own(100), halo(100, -1);
        std::iota(own.begin(), own.end(), static_cast<float>(100 * c.rank()));
        View<float> sent = denseView(own.data(), Shape{10, 10, 1, 1}), received = denseView(halo.data(), Shape{10, 10, 1, 1});
        sent.shape = received.shape = {3, 5, 1, 1};
        sent.data += 4;
        c.startExchange({{1 - c.rank(), sent}}, {{1 - c.rank(), received}})->finish();
        for (int i = 0; i < 100; ++i) {
            const bool inside = i % 10 < 3 && i / 10 < 5;
            ASSERT_EQ(halo[static_cast<std::size_t>(i)], inside ? static_cast<float>(100 * (1 - c.rank()) + i + 4) : -1.0F);
        }
    });
}

/// All functions in turn; calls `step` before each.
void talk(Communicator& c, const std::function<void(int)>& step) {
    const int next = (c.rank() + 1) % c.size(), previous = (c.rank() + c.size() - 1) % c.size();
    // Large enough for MPI to send them only once the receiver is ready.
    std::vector<float> own(20000, static_cast<float>(c.rank())), halo(20000);
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

TEST_P(Communicators, EndOnAnErrorOfAnyRankAtAnyStep) {
    for (const int size : {2, 3, 5}) {
        for (int rank = 0; rank < size; ++rank)
            for (int at = 0; at <= 24; ++at) {
                const Error expected(ErrorCode::memory, "Rank " + std::to_string(rank));
                const Error e = errorOf(size, expected, [&](Communicator& c) {
                    talk(c, [&](int step) {
                        if (c.rank() == rank && step == at) throw expected;
                    });
                });
                ASSERT_EQ(e.summary(), expected.summary()) << "rank " << rank << ", step " << at;
                ASSERT_EQ(e.code(), ErrorCode::memory);
            }
        // The ranks can be used afterwards.
        int ended = 0;
        run(size, [&](Communicator& c) {
            talk(c, [](int) {});
            std::int64_t all[] = {1};
            c.allReduce(all);
            if (c.rank() == 0) ended = static_cast<int>(all[0]);
        });
        run(1, [&](Communicator&) { EXPECT_EQ(ended, size); });
    }
}

std::int64_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

/// Messages of a run that another rank has left must not stay in the memory of their receivers.
TEST_P(Communicators, KeepNoMemoryOfRunsThatFail) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer keeps memory of its own";
#endif
    if (!hasRanks(3)) return;
    const Error expected(ErrorCode::failed, "Left");
    const auto failAtEachStep = [&] {
        for (int rank = 0; rank < 3; ++rank)
            for (int at = 0; at < 6; ++at)
                EXPECT_EQ(errorOf(3, expected,
                                  [&](Communicator& c) {
                                      talk(c, [&](int step) {
                                          if (c.rank() == rank && step == at) throw expected;
                                      });
                                  })
                              .summary(),
                          expected.summary());
    };
    for (int round = 0; round < 2; ++round) failAtEachStep();
    const std::int64_t before = residentBytes();
    for (int round = 0; round < 10; ++round) failAtEachStep();
    const std::int64_t after = residentBytes();
    std::cout << "  180 failed runs: " << (after - before) / 1024 << " KiB more\n";
    EXPECT_LE(after, before + (128 << 10));
}

TEST_P(Communicators, ReportTheFirstOfSeveralErrors) {
    const Error first(ErrorCode::memory, "First");
    EXPECT_EQ(errorOf(4, first,
                      [&](Communicator& c) {
                          if (c.rank() == 2) c.cancel(first);
                          while (!c.stop().stop_requested()) std::this_thread::yield();
                          throw Error(ErrorCode::failed, "Later");
                      })
                  .summary(),
              first.summary());
}

TEST_P(Communicators, StopInTheMiddleOfAnExchange) {
    using Clock = std::chrono::steady_clock;
    const Error cancelled(ErrorCode::cancelled, "Cancelled");
    // One rank never sends what the others wait for.
    for (const bool before : {true, false}) {
        std::stop_source stop;
        if (before) stop.request_stop();
        const auto begin = Clock::now();
        const auto work = [&](Communicator& c) {
            if (c.rank() == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(before ? 0 : 20));
                stop.request_stop();
                while (!c.stop().stop_requested()) std::this_thread::yield();
                return;
            }
            std::vector<float> own(16), halo(16);
            c.startExchange({{0, viewOf(own, 4)}}, {{0, viewOf(halo, 4)}})->finish();
            ADD_FAILURE() << "nothing was sent";
        };
        EXPECT_EQ(errorOf(3, cancelled, work, stop.get_token()).code(), ErrorCode::cancelled);
        EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
    }
}

TEST_P(Communicators, EndIfARankLeavesAnExchange) {
    const auto message = [&](const char* expected, auto&& work) { return errorOf(2, {ErrorCode::failed, expected}, work).summary(); };
    if (GetParam() != "blocking") {
        EXPECT_NE(message("unfinished",
                          [](Communicator& c) {
                              std::vector<float> own(16), halo(16);
                              const auto exchange = c.startExchange({{1 - c.rank(), viewOf(own, 4)}}, {{1 - c.rank(), viewOf(halo, 4)}});
                              if (c.rank() == 1) exchange->finish();
                          })
                      .find("unfinished"),
                  std::string::npos);
    }
    EXPECT_NE(message("disagree",
                      [](Communicator& c) {
                          std::vector<float> own(16), halo(c.rank() == 0 ? 16 : 32);
                          c.startExchange({{1 - c.rank(), viewOf(own, 4)}}, {{1 - c.rank(), viewOf(halo, 4)}})->finish();
                      })
                  .find("disagree"),
              std::string::npos);
    EXPECT_NE(message("no such part",
                      [](Communicator& c) {
                          (void)c.startExchange({{2, {}}}, {});
                      })
                  .find("no such part"),
              std::string::npos);
    EXPECT_NE(message("disagree",
                      [](Communicator& c) {
                          std::vector<double> values(static_cast<std::size_t>(1 + c.rank()));
                          c.allReduce(values, Reduce::sum);
                      })
                  .find("disagree"),
              std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, Communicators, testing::ValuesIn(rankKinds()), [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace parallax
