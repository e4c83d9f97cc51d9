// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace parallax::gpu {

/// Something that happens once, unless the run breaks off before.
class Milestone {
public:
    void reach() { change(State::reached); }
    /// Wakes all who wait, unless it has been reached.
    void breakOff() { change(State::brokenOff); }
    /// False if the run broke off before.
    bool wait() const {
        using Clock = std::chrono::steady_clock;
        // Most waits are shorter than waking up takes. Longer ones, as for a kernel, would keep a processor busy for nothing.
        constexpr std::chrono::microseconds kSpin{20};
        const auto end = Clock::now() + kSpin;
        State state = state_.load(std::memory_order_acquire);
        while (state == State::ahead && Clock::now() < end) {
            std::this_thread::yield();
            state = state_.load(std::memory_order_acquire);
        }
        if (state == State::ahead) {
            state_.wait(State::ahead, std::memory_order_acquire);
            state = state_.load(std::memory_order_acquire);
        }
        return state == State::reached;
    }

private:
    enum class State : int { ahead, reached, brokenOff };  // the size that the system can wait for directly
    void change(State to) {
        State expected = State::ahead;
        if (state_.compare_exchange_strong(expected, to, std::memory_order_acq_rel)) state_.notify_all();
    }
    std::atomic<State> state_{State::ahead};
};

}  // namespace parallax::gpu
