// SPDX-License-Identifier: GPL-3.0-or-later
// Processors that no other thread uses, for a run that is measured.
#pragma once

#include <chrono>
#include <stop_token>

namespace parallax {

/// Teams of threads wait actively after a run, with GCC's OpenMP for some 5 to 20 ms, on processors that a team of another library or
/// process needs by then: with 16 threads on 16 processors its run took up to 14 times as long.
class QuietProcessors {
public:
    /// Waits until no other thread of the machine runs, or 50 ms. Does not wait any more once that was in vain three times one after
    /// another: other programs run then.
    void wait(const std::stop_token& stop);

private:
    static constexpr std::chrono::milliseconds kLongest{50};
    int inVain_ = 0;
};

}  // namespace parallax
