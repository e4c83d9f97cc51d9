// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace parallax::gpu {

/// Threads that run a common task together with the caller.
class Team {
public:
    explicit Team(int members) {
        for (int i = 1; i < members; ++i) threads_.emplace_back([this, i](std::stop_token stop) { serve(i, stop); });
    }
    int members() const { return static_cast<int>(threads_.size()) + 1; }
    /// Calls task(0) .. task(members - 1), each in its own thread, and waits. Rethrows the first exception.
    void run(int members, const std::function<void(int)>& task) {
        {
            const std::scoped_lock lock(mutex_);
            task_ = &task;
            members_ = members;
            running_ = members - 1;
            error_ = nullptr;
            ++round_;
        }
        if (members > 1) wake_.notify_all();
        attempt(task, 0);
        std::unique_lock lock(mutex_);
        done_.wait(lock, [&] { return running_ == 0; });
        task_ = nullptr;
        if (error_) std::rethrow_exception(error_);
    }

private:
    void attempt(const std::function<void(int)>& task, int member) {
        try {
            task(member);
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (!error_) error_ = std::current_exception();
        }
    }
    void serve(int member, const std::stop_token& stop) {
        std::uint64_t seen = 0;
        std::unique_lock lock(mutex_);
        while (wake_.wait(lock, stop, [&] { return round_ != seen; })) {
            seen = round_;
            if (member >= members_) continue;
            const auto* task = task_;
            lock.unlock();
            attempt(*task, member);
            lock.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable done_;
    const std::function<void(int)>* task_ = nullptr;
    int members_ = 0, running_ = 0;
    std::uint64_t round_ = 0;
    std::exception_ptr error_;
    std::vector<std::jthread> threads_;  // last member: the threads use all of the above
};

}  // namespace parallax::gpu
