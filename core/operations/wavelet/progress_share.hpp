// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "core/engine/run/progress.hpp"

namespace parallax {

/// Progress is counted in output rows, but a transform passes over its samples several times: turns units of its own into rows, so that
/// all units together are all rows. Threads share one.
class ProgressShare {
public:
    ProgressShare(Progress* progress, std::int64_t rows, std::int64_t units)
        : progress_(progress), rows_(rows), units_(units < 1 ? 1 : units) {}
    void add(std::int64_t units) {
        if (!progress_ || units <= 0) return;
        const std::int64_t before = done_.fetch_add(units, std::memory_order_relaxed);
        progress_->add(rowsAt(before + units) - rowsAt(before));
    }

private:
    std::int64_t rowsAt(std::int64_t units) const {
        return static_cast<std::int64_t>(static_cast<double>(rows_) * (static_cast<double>(units) / static_cast<double>(units_)));
    }
    Progress* progress_;
    std::int64_t rows_, units_;
    std::atomic<std::int64_t> done_{0};
};

}  // namespace parallax
