// SPDX-License-Identifier: GPL-3.0-or-later
// Runs with one thread in two processes on the same processor. Standard library and Linux only: parallax-kernel-host includes it.
#pragma once

#include <sched.h>

namespace parallax::user {

/// Keeps the calling thread on a processor. Processors of one machine differ by some per cent where they are shared with other programs or
/// virtual machines, so that the same code takes longer in one process than in another for as long as each has its own.
class OneProcessor {
public:
    /// On the processor where the thread is.
    OneProcessor() : OneProcessor(sched_getcpu()) {}
    /// On this one; nothing if it is negative, or if the thread may not run there.
    explicit OneProcessor(int number) : number_(number) {
        if (number_ < 0 || number_ >= CPU_SETSIZE || sched_getaffinity(0, sizeof before_, &before_) != 0) {
            number_ = -1;
            return;
        }
        cpu_set_t only;
        CPU_ZERO(&only);
        CPU_SET(number_, &only);
        if (sched_setaffinity(0, sizeof only, &only) != 0) number_ = -1;
    }
    ~OneProcessor() {
        if (number_ >= 0) sched_setaffinity(0, sizeof before_, &before_);
    }
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;
    /// -1: the thread is free to move.
    int number() const { return number_; }

private:
    int number_;
    cpu_set_t before_;
};

}  // namespace parallax::user
