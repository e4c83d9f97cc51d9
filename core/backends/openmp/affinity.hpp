// SPDX-License-Identifier: GPL-3.0-or-later
// Binding of threads by OMP_PLACES and OMP_PROC_BIND, restricted to parallel regions of this backend. OpenMP binds the thread that loads
// it, or that enters its first region, permanently. All threads that it starts later, also those of other libraries, would inherit its
// single place.
#pragma once

#include <sched.h>

#include <string>

namespace parallax {

/// Allows the calling thread to use all processors of all places again. Called once, when the backend is loaded.
void releaseCallingThread();

/// "free to move" or "bound to 16 places".
std::string threadBinding();

/// Binds the thread that enters a parallel region for its duration. Does nothing unless threads are to be bound.
class CallerAffinity {
public:
    CallerAffinity();
    ~CallerAffinity();
    CallerAffinity(const CallerAffinity&) = delete;
    CallerAffinity& operator=(const CallerAffinity&) = delete;
    /// Called inside the region by thread 0, which OpenMP expects to be bound already.
    void bind() const;

private:
    bool active_ = false;
    cpu_set_t before_;
};

}  // namespace parallax
