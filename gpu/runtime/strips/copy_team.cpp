// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/strips/copy_team.hpp"

#include <algorithm>

namespace parallax::gpu {

CopyTeam::CopyTeam() : team_(std::clamp(effectiveThreads({}), 1, kStripCopyThreads)) {}

CopyTeam& CopyTeam::instance() {
    static auto* team = new CopyTeam;  // never destroyed, like the StagingEngine
    return *team;
}

CopyTeam::Turn::Turn(CopyTeam& copies, const RunContext& context) : copies_(copies) {
    std::unique_lock lock(copies_.mutex_);
    if (!copies_.released_.wait(lock, context.stop, [&] { return !copies_.taken_; })) context.throwIfStopped();
    copies_.taken_ = true;
}

CopyTeam::Turn::~Turn() {
    {
        const std::scoped_lock lock(copies_.mutex_);
        copies_.taken_ = false;
    }
    copies_.released_.notify_all();
}

}  // namespace parallax::gpu
