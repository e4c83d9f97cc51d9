// SPDX-License-Identifier: GPL-3.0-or-later
// Processors that no other thread uses, for a run that is measured.
#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <utility>

namespace parallax {

/// Threads of the machine that run or could, with the calling one, or 0 if the system does not say.
int runningThreads();

/// Teams of threads wait actively after a run, with GCC's OpenMP for some 5 to 20 ms, on processors that a team of another library or
/// process needs by then: with 16 threads on 16 processors its run took up to 14 times as long.
class QuietProcessors {
public:
    /// `running`: counts the threads.
    explicit QuietProcessors(std::function<int()> running = runningThreads) : running_(std::move(running)) {}
    /// Waits until no other thread of the machine runs, or 50 ms. Does not wait any more once that was in vain three times one after
    /// another: other programs run then.
    void wait(const std::stop_token& stop);

private:
    static constexpr std::chrono::milliseconds kLongest{50};
    static constexpr int kInVain = 3;
    std::function<int()> running_;
    int inVain_ = 0;
};

}  // namespace parallax
