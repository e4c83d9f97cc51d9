// SPDX-License-Identifier: GPL-3.0-or-later
// The same processors for teams of threads that are compared.
#pragma once

#include <vector>

namespace parallax {

/// Processors of one machine differ: in clock rate, and where other virtual machines compute on the same cores. The system leaves threads
/// where they are, so that a team on slow processors stays slow for as long as it lives, and the same code in another team seems faster.
/// Each number of threads has its processors, those of fewer threads among them, in the order in which ceilings use them.
class SharedProcessors {
public:
    SharedProcessors();
    /// Frees the threads.
    ~SharedProcessors() { use(0); }
    SharedProcessors(const SharedProcessors&) = delete;
    SharedProcessors& operator=(const SharedProcessors&) = delete;

    /// Binds the threads of this process that are free to move to so many processors; 0, or at least as many as there are: frees them. One
    /// processor is for the calling thread alone. The main thread is only bound if it is the one that calls: it may draw a window.
    void use(int threads);

private:
    std::vector<int> all_, ordered_;
    std::vector<int> team_, caller_;  // where the threads are now
};

}  // namespace parallax
