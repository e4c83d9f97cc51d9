// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace parallax {

/// Lock-free progress of a job: written by workers, polled for display (at most ten times a second).
class Progress {
public:
    void start(std::int64_t total) {
        done_.store(0, std::memory_order_relaxed);
        total_.store(total, std::memory_order_relaxed);
    }
    void add(std::int64_t n = 1) { done_.fetch_add(n, std::memory_order_relaxed); }
    /// 0 to 1; 0 if unknown.
    double fraction() const {
        const auto total = total_.load(std::memory_order_relaxed);
        if (total <= 0) return 0;
        const double f = static_cast<double>(done_.load(std::memory_order_relaxed)) / static_cast<double>(total);
        return f > 1 ? 1 : f;
    }

private:
    std::atomic<std::int64_t> done_{0}, total_{0};
};

}  // namespace parallax
