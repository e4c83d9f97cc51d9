// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace parallax::gpu {

/// An event that happens once, unless the run is aborted first.
class Milestone {
public:
    void reach() { change(State::reached); }
    /// Wakes all waiting threads, unless the event has happened.
    void abort() { change(State::aborted); }
    /// Returns false if the run was aborted.
    bool wait() const {
        using Clock = std::chrono::steady_clock;
        // Most waits are shorter than a wake-up; longer ones (for a kernel) must not keep a processor busy.
        constexpr std::chrono::microseconds kSpin{20};
        const auto end = Clock::now() + kSpin;
        State state = state_.load(std::memory_order_acquire);
        while (state == State::pending && Clock::now() < end) {
            std::this_thread::yield();
            state = state_.load(std::memory_order_acquire);
        }
        if (state == State::pending) {
            state_.wait(State::pending, std::memory_order_acquire);
            state = state_.load(std::memory_order_acquire);
        }
        return state == State::reached;
    }

private:
    enum class State : int { pending, reached, aborted };  // int: the size of a futex
    void change(State to) {
        State expected = State::pending;
        if (state_.compare_exchange_strong(expected, to, std::memory_order_acq_rel)) state_.notify_all();
    }
    std::atomic<State> state_{State::pending};
};

}  // namespace parallax::gpu
