// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <stop_token>

#include "core/engine/run/progress.hpp"
#include "core/image/error.hpp"

namespace parallax {

class Allocator;
class BackendSession;
class LiveSeries;

/// Resources and limits of a run. Workers call throwIfStopped() at least every 0.1 s.
struct RunContext {
    std::stop_token stop;
    Progress* progress = nullptr;           ///< may be null; executions add 1 for each finished output row of a channel
    int threads = 0;                        ///< 0: as many as the process may use
    int device = 0;                         ///< index in Backend::devices()
    std::shared_ptr<Allocator> hostMemory;  ///< memory of results; null: hostAllocator()
    bool warmCaches = false;                ///< of a timing sample: executions whose samples were copied by another thread may run twice
    LiveSeries* live = nullptr;             ///< may be null; executions with series add their points while they run
    BackendSession* session = nullptr;      ///< memory and streams of the run; set by the engine

    bool stopped() const { return stop.stop_requested(); }
    void throwIfStopped() const {
        if (stopped()) throw Error(ErrorCode::cancelled, "Cancelled");
    }
};

/// context.threads, or the number of hardware threads this process may use.
int effectiveThreads(const RunContext& context);

}  // namespace parallax
