// SPDX-License-Identifier: GPL-3.0-or-later
// Threads stay where OMP_PLACES and OMP_PROC_BIND put them, but only while they work for this backend. OpenMP binds the thread that
// loads it, or that enters its first parallel region, for good: whatever that thread starts afterwards, the threads of other
// libraries too, would share its one place, and the process would seem to have a single processor.
#pragma once

#include <sched.h>

#include <string>

namespace parallax {

/// Gives the calling thread all processors of all places back. Once, when the backend is loaded.
void releaseCallingThread();

/// "free to move" or "bound to 16 places".
std::string threadBinding();

/// Around a parallel region, on the thread that enters it. Does nothing unless threads are to be bound.
class CallerAffinity {
public:
    CallerAffinity();
    ~CallerAffinity();
    CallerAffinity(const CallerAffinity&) = delete;
    CallerAffinity& operator=(const CallerAffinity&) = delete;
    /// Inside of the region, by thread 0: OpenMP counts on it to be bound already.
    void bind() const;

private:
    bool active_ = false;
    cpu_set_t before_;
};

}  // namespace parallax
