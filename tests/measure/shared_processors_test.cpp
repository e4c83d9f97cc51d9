// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/processors/shared_processors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <vector>

#include "core/image/host/processors.hpp"
#include "core/measure/ceilings/ceiling_team.hpp"

using namespace parallax;

namespace {

/// A thread that waits, and can say which processors it may use.
class WaitingThread {
public:
    explicit WaitingThread(const std::vector<int>& boundTo = {}) {
        thread_ = std::thread([&, boundTo] {
            bindTo(boundTo);
            started_.set_value();
            ask_.get_future().wait();
            processors_.set_value(usableProcessors());
        });
        started_.get_future().wait();
    }
    /// Ends it.
    std::vector<int> processors() {
        ask_.set_value();
        thread_.join();
        return processors_.get_future().get();
    }

private:
    std::promise<void> started_, ask_;
    std::promise<std::vector<int>> processors_;
    std::thread thread_;
};

class SharedProcessorsTest : public ::testing::Test {
protected:
    void SetUp() override {
        if (all_.size() < 2) GTEST_SKIP() << "there is one processor";
    }
    void TearDown() override { bindTo(all_); }
    const std::vector<int> all_ = usableProcessors();
    const std::vector<int> first_{measuringProcessors().front()}, last_{measuringProcessors().back()};
};

}  // namespace

TEST_F(SharedProcessorsTest, ThreadsAreReboundUnlessTheyAreBoundElsewhere) {
    WaitingThread moved, bound(last_);
    rebindThreads(getpid(), all_, first_, getpid());
    EXPECT_EQ(usableProcessors(), all_) << "the main thread was excepted";
    EXPECT_EQ(moved.processors(), first_);
    EXPECT_EQ(bound.processors(), last_);
}

TEST_F(SharedProcessorsTest, OneIsForTheCallingThreadAlone) {
    WaitingThread free;
    {
        SharedProcessors processors;
        processors.use(1);
        EXPECT_EQ(usableProcessors(), first_);
        WaitingThread started;  // has the processors of the caller until that is freed
        processors.use(0);
        EXPECT_EQ(usableProcessors(), all_);
        EXPECT_EQ(started.processors(), all_);
        processors.use(1);
    }
    EXPECT_EQ(usableProcessors(), all_);
    EXPECT_EQ(free.processors(), all_);
}

TEST_F(SharedProcessorsTest, SeveralAreForAllThreadsButTheMainOneOfAWindow) {
    if (all_.size() < 3) GTEST_SKIP() << "there are two processors";
    WaitingThread freed;
    std::thread([&] {
        WaitingThread team;
        SharedProcessors shared;
        shared.use(2);
        EXPECT_EQ(usableProcessors().size(), 2U);
        EXPECT_EQ(team.processors(), usableProcessors());
    }).join();
    EXPECT_EQ(usableProcessors(), all_) << "the main thread did not call";
    EXPECT_EQ(freed.processors(), all_);
}
