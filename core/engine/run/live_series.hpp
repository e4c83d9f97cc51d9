// SPDX-License-Identifier: GPL-3.0-or-later
// Points of the series of a run that has not ended: added by its execution, read by another thread for display.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/operation/capabilities.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// A series without points.
SeriesRecord seriesRecordOf(int step, const std::string& operation, const RunSeriesInfo& info);

/// Thread-safe and bounded: a curve that is full gives up every second point, so that it still covers the whole run.
class LiveSeries {
public:
    static constexpr std::size_t kMaxPoints = 512;  ///< of a curve; the latest point comes on top
    static constexpr std::size_t kMaxCurves = 64;   ///< of a run; later ones are left out

    /// A run begins. Discards the points of the run before. `name`: any, such as the label of an entry.
    void beginRun(std::string name);
    /// Called by the engine before each step of the run.
    void beginStep(int step, std::string operation, std::vector<RunSeriesInfo> infos);
    /// Adds a point to the series of the current step with this key (see HasSeries) and label (see RunSeries); unknown keys are ignored.
    void add(std::string_view key, std::string_view label, double x, double y, double tolerance = 0);

    struct Snapshot {
        std::string run;
        std::vector<SeriesRecord> series;
    };
    Snapshot snapshot() const;
    /// Changes with every point and every run: readers need not copy what they have shown already.
    std::uint64_t version() const { return version_.load(std::memory_order_relaxed); }

private:
    struct Curve {
        SeriesRecord record;
        std::uint64_t stride = 1, count = 0;  ///< every stride-th of count points is kept
        double lastX = 0, lastY = 0;
    };
    Curve* curveOf(std::string_view key, std::string_view label);

    mutable std::mutex mutex_;
    std::string run_, operation_;
    int step_ = 0;
    std::vector<RunSeriesInfo> infos_;
    std::vector<Curve> curves_;
    std::atomic<std::uint64_t> version_{0};
};

}  // namespace parallax
