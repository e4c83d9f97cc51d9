// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/engine/run/job_queue.hpp"

namespace parallax {
namespace {

void waitUntilIdle(const JobQueue& queue) {
    while (!queue.idle()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(JobQueue, ANewerJobReplacesOlderOnesOfItsKey) {
    JobQueue queue;
    std::promise<void> started, release;
    std::atomic<bool> stopSeen{false};
    std::vector<int> done;
    queue.submit("a", [&](const std::stop_token& stop) {
        started.set_value();
        release.get_future().wait();
        stopSeen = stop.stop_requested();
    });
    started.get_future().wait();
    for (int i = 1; i <= 5; ++i) queue.submit("a", [&done, i](const std::stop_token&) { done.push_back(i); });
    queue.submit("b", [&done](const std::stop_token&) { done.push_back(100); });
    release.set_value();
    waitUntilIdle(queue);
    EXPECT_TRUE(stopSeen) << "the running job was asked to stop";
    EXPECT_EQ(done, (std::vector<int>{5, 100}));
}

TEST(JobQueue, MeasurementsKeepThePriorityOfTheProcessAndTheirOrder) {
#ifdef __linux__
    const auto niceness = [] { return getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())); };
    const int own = niceness();
    if (own + 4 > 19) GTEST_SKIP() << "the niceness of the tests cannot be raised any further";
    JobQueue queue(4);
    std::vector<int> seen;
    queue.submit("a", [&](const std::stop_token&) { seen.push_back(niceness()); });
    queue.submit(
        "b", [&](const std::stop_token&) { seen.push_back(niceness()); }, JobQueue::Pace::asProcess);
    queue.submit("c", [&](const std::stop_token&) { seen.push_back(niceness()); });
    waitUntilIdle(queue);
    EXPECT_EQ(seen, (std::vector<int>{own + 4, own, own + 4}));
#endif
}

TEST(JobQueue, JobsOfOtherKeysAreNotStopped) {
    JobQueue queue;
    std::promise<void> started, release;
    std::atomic<bool> stopSeen{true};
    queue.submit("a", [&](const std::stop_token& stop) {
        started.set_value();
        release.get_future().wait();
        stopSeen = stop.stop_requested();
    });
    started.get_future().wait();
    queue.submit("b", [](const std::stop_token&) {});
    release.set_value();
    waitUntilIdle(queue);
    EXPECT_FALSE(stopSeen);
}

TEST(JobQueue, CancelDropsWaitingJobs) {
    JobQueue queue;
    std::promise<void> started, release;
    std::atomic<int> ran{0};
    queue.submit("a", [&](const std::stop_token&) {
        started.set_value();
        release.get_future().wait();
    });
    started.get_future().wait();
    queue.submit("b", [&](const std::stop_token&) { ++ran; });
    queue.submit("c", [&](const std::stop_token&) { ++ran; });
    queue.cancel("b");
    release.set_value();
    waitUntilIdle(queue);
    EXPECT_EQ(ran, 1);
}

TEST(JobQueue, SurvivesAJobThatThrows) {
    JobQueue queue;
    std::atomic<bool> ran{false};
    queue.submit("a", [](const std::stop_token&) { throw std::runtime_error("no"); });
    queue.submit("b", [&](const std::stop_token&) { ran = true; });
    waitUntilIdle(queue);
    EXPECT_TRUE(ran);
}

TEST(JobQueue, CanBeDestroyedWhileJobsWait) {
    std::atomic<int> ran{0};
    {
        JobQueue queue;
        std::promise<void> started;
        queue.submit("a", [&](const std::stop_token& stop) {
            started.set_value();
            while (!stop.stop_requested()) std::this_thread::yield();
            ++ran;
        });
        started.get_future().wait();
        queue.submit("b", [&](const std::stop_token&) { ++ran; });
    }
    EXPECT_EQ(ran, 1);
}

}  // namespace
}  // namespace parallax
