// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/job_queue.hpp"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace parallax {
namespace {

void beNice([[maybe_unused]] int niceness) {
#ifdef __linux__
    // Applies to this thread and to those that it starts.
    const auto thread = static_cast<id_t>(gettid());
    if (niceness > 0) (void)setpriority(PRIO_PROCESS, thread, getpriority(PRIO_PROCESS, thread) + niceness);
#endif
}

}  // namespace

struct JobQueue::State {
    struct Waiting {
        std::string key;
        Job job;
        Pace pace;
    };
    mutable std::mutex mutex;
    std::condition_variable_any wake;
    std::deque<Waiting> waiting;
    std::string runningKey;
    bool running = false;
    std::stop_source runningStop;
    std::jthread worker, plain;  // last: joined before other members are destroyed

    /// One thread for each pace, since a thread cannot lower its niceness again. They take turns, so that jobs keep their order.
    void loop(std::stop_token quit, Pace pace) {
        std::unique_lock lock(mutex);
        while (wake.wait(lock, quit, [&] { return !running && !waiting.empty() && waiting.front().pace == pace; })) {
            Waiting next = std::move(waiting.front());
            waiting.pop_front();
            running = true;
            runningKey = next.key;
            runningStop = std::stop_source{};
            const std::stop_token token = runningStop.get_token();
            lock.unlock();
            try {
                next.job(token);
            } catch (...) {  // jobs report their own errors
            }
            next.job = nullptr;  // destroyed outside the lock
            lock.lock();
            running = false;
            wake.notify_all();
        }
    }
};

JobQueue::JobQueue(int niceness) : state_(std::make_unique<State>()) {
    state_->worker = std::jthread([state = state_.get(), niceness](std::stop_token quit) {
        beNice(niceness);
        state->loop(std::move(quit), Pace::nice);
    });
    state_->plain = std::jthread([state = state_.get()](std::stop_token quit) { state->loop(std::move(quit), Pace::asProcess); });
}

JobQueue::~JobQueue() {
    state_->worker.request_stop();
    state_->plain.request_stop();
    cancelAll();
}

void JobQueue::submit(const std::string& key, Job job, Pace pace) {
    std::deque<State::Waiting> dropped;  // destroyed outside the lock
    {
        const std::scoped_lock lock(state_->mutex);
        if (state_->running && state_->runningKey == key) state_->runningStop.request_stop();
        const auto it = std::find_if(state_->waiting.begin(), state_->waiting.end(), [&](const auto& w) { return w.key == key; });
        if (it != state_->waiting.end()) {
            dropped.push_back({key, std::exchange(it->job, std::move(job)), it->pace});
            it->pace = pace;
        } else {
            state_->waiting.push_back({key, std::move(job), pace});
        }
    }
    state_->wake.notify_all();
}

void JobQueue::cancel(const std::string& key) {
    std::deque<State::Waiting> dropped;
    const std::scoped_lock lock(state_->mutex);
    if (state_->running && state_->runningKey == key) state_->runningStop.request_stop();
    for (auto it = state_->waiting.begin(); it != state_->waiting.end();) {
        if (it->key != key) {
            ++it;
            continue;
        }
        dropped.push_back(std::move(*it));
        it = state_->waiting.erase(it);
    }
    state_->wake.notify_all();  // another job may be the first now
}

void JobQueue::cancelAll() {
    std::deque<State::Waiting> dropped;
    const std::scoped_lock lock(state_->mutex);
    if (state_->running) state_->runningStop.request_stop();
    dropped.swap(state_->waiting);
}

bool JobQueue::idle() const {
    const std::scoped_lock lock(state_->mutex);
    return !state_->running && state_->waiting.empty();
}

}  // namespace parallax
