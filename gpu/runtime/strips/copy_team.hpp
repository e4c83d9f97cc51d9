// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <mutex>

#include "core/engine/run/run_context.hpp"
#include "gpu/runtime/team.hpp"

namespace parallax::gpu {

inline constexpr int kStripCopyThreads = 16;  ///< maximum

/// The copying threads of all runs in strips; one run has them at a time, since two would share the host's memory bandwidth.
class CopyTeam {
public:
    static CopyTeam& instance();

    /// Holds the team for one run. The constructor waits until the previous run has released it, and throws Error(cancelled) if this run
    /// is cancelled meanwhile.
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
