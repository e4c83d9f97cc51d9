// SPDX-License-Identifier: GPL-3.0-or-later
// The threads of a team. Its communicator: communicator_test.cpp.
#include "core/parallel/thread_team.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace parallax {
namespace {

TEST(ThreadTeam, RunsEveryRankOnAThreadOfItsOwn) {
    for (const int size : {1, 2, 3, 4, 7}) {
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

TEST(ThreadTeam, SumsBlocksOfManyRanksInTheirOrder) {
    ThreadTeam team(60);
    team.run([](Communicator& c) {
        const std::vector<double> own{c.rank() % 2 ? 1e16 : 1.0};
        double expected = 0;
        for (int r = 0; r < 60; ++r) expected += r % 2 ? 1e16 : 1.0;
        EXPECT_EQ(sumOfBlocks(c, own), std::vector<double>{expected});
    });
}

TEST(ThreadTeam, RethrowsErrorsOfLibraries) {
    ThreadTeam team(4);
    EXPECT_THROW(team.run([](Communicator& c) {
        if (c.rank() == 1) throw std::runtime_error("of a library");
        c.barrier();
    }),
                 std::runtime_error);
}

}  // namespace
}  // namespace parallax
