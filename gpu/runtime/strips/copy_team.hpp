// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>

#include "core/engine/run/run_context.hpp"
#include "gpu/runtime/team.hpp"

namespace parallax::gpu {

inline constexpr int kStripCopyThreads = 16;  ///< at most

/// The threads that copy for all runs in strips: two runs at a time would only share the memory of the host.
class CopyTeam {
public:
    static CopyTeam& instance();

    /// The team for one run, as long as this lives. Waits for the run that has it, which may take long; throws Error(cancelled) if this
    /// one is cancelled meanwhile.
    class Turn {
    public:
        Turn(CopyTeam& copies, const RunContext& context);
        ~Turn();
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;
        Team& team() const { return copies_.team_; }

    private:
        CopyTeam& copies_;
    };

private:
    std::mutex mutex_;
    std::condition_variable_any released_;
    bool taken_ = false;
    Team team_;
    CopyTeam();
};

}  // namespace parallax::gpu
