// SPDX-License-Identifier: GPL-3.0-or-later
// "Within a second" on a machine that others use, too: what is slow by design is slow each time, what others slow down is not.
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <string>

namespace parallax {

/// Milliseconds of a processor that this thread has had.
inline double processorTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

/// How many times longer than its processor time a short loop of this thread takes now: 1 on an idle machine, 4 where four programs share a
/// processor.
inline double slowness() {
    constexpr double kLoop = 10;  // milliseconds: some slices of a scheduler that has others to serve
    const auto begin = std::chrono::steady_clock::now();
    const double from = processorTime();
    double used = 0;
    do used = processorTime() - from;
    while (used < kLoop);
    const double took = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    return std::max(1.0, took / used);
}

/// Several attempts, of which one must hold a limit. Times are divided by the slowness of the machine around the attempt.
///
///     for (Promptness prompt(1000); prompt.again();) {
///         ...                    // what the attempt needs
///         prompt.start();
///         ...                    // what must be quick
///         prompt.stop();
///     }
///     QVERIFY2(prompt.held(), prompt.text().c_str());
///
/// An attempt that comes to no stop(), because there was nothing to measure this time, is used up and does not hold.
class Promptness {
public:
    explicit Promptness(double milliseconds, int attempts = 5) : limit_(milliseconds), left_(attempts) {}

    /// False once an attempt has held, or none is left.
    bool again() {
        if (held() || left_ <= 0) return false;
        --left_;
        before_ = slowness();
        return true;
    }
    void start() { begin_ = std::chrono::steady_clock::now(); }
    void stop() { note(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count()); }
    /// Takes the time from the caller's own clock.
    void note(double milliseconds) {
        const double slow = std::max(before_, slowness());
        text_ += (text_.empty() ? "" : "; ") + std::to_string(milliseconds) + " ms, the machine " + std::to_string(slow) + " times as slow";
        best_ = std::min(best_, milliseconds / slow);
    }
    bool held() const { return best_ <= limit_; }
    /// Describes all attempts.
    std::string text() const { return text_.empty() ? "no attempt came to its end" : text_; }

private:
    double limit_, before_ = 1, best_ = std::numeric_limits<double>::infinity();
    int left_;
    std::chrono::steady_clock::time_point begin_{};
    std::string text_;
};

}  // namespace parallax
