// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/processors/quiet_processors.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

using namespace parallax;
using Clock = std::chrono::steady_clock;

TEST(QuietProcessors, WaitForThreadsThatRun) {
    std::vector<int> running{3, 2, 2, 1, 7};
    std::size_t asked = 0;
    QuietProcessors quiet([&] { return running.at(asked++); });
    quiet.wait({});
    EXPECT_EQ(asked, 4U);
}

TEST(QuietProcessors, DoNotWaitWhereTheSystemDoesNotSay) {
    int asked = 0;
    QuietProcessors quiet([&] { return ++asked, 0; });
    quiet.wait({});
    EXPECT_EQ(asked, 1);
}

TEST(QuietProcessors, GiveUpWhereOtherProgramsRun) {
    int asked = 0, running = 2;
    QuietProcessors quiet([&] { return ++asked, running; });
    for (int wait = 0; wait < 2; ++wait) {
        const auto start = Clock::now();
        quiet.wait({});
        EXPECT_GE(Clock::now() - start, std::chrono::milliseconds(50));
    }
    running = 1;  // a quiet moment: two more waits in vain are not enough
    quiet.wait({});
    running = 2;
    for (int wait = 0; wait < 3; ++wait) {
        asked = 0;
        quiet.wait({});
        EXPECT_GT(asked, 0);
    }
    asked = 0;
    quiet.wait({});
    EXPECT_EQ(asked, 0);
}

TEST(QuietProcessors, EndWhenTheyAreToStop) {
    std::stop_source stop;
    int asked = 0;
    QuietProcessors quiet([&] {
        if (++asked == 2) stop.request_stop();
        return 2;
    });
    quiet.wait(stop.get_token());
    EXPECT_EQ(asked, 2);
}

TEST(QuietProcessors, TheSystemCountsAThreadThatWaitsActively) {
    if (runningThreads() == 0) GTEST_SKIP() << "/proc/loadavg does not say";
    EXPECT_GE(runningThreads(), 1);  // this one
    std::atomic<bool> end = false;
    std::thread busy([&] {
        while (!end) {}
    });
    bool seen = false;
    for (int i = 0; i < 1000 && !seen; ++i) {
        seen = runningThreads() >= 2;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    end = true;
    busy.join();
    EXPECT_TRUE(seen);
}
