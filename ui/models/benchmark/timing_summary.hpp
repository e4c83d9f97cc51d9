// SPDX-License-Identifier: GPL-3.0-or-later
// A run record as charts and tables show it: the numbers of every report plus the stages. Made in the measuring thread,
// since bootstrap intervals take their time.
#pragma once

#include <QString>
#include <QStringList>
#include <array>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::ui {

struct TimingRow {
    SummaryRow numbers;
    QString label, variant, device, reason, toleranceReason;
    QStringList choices;  ///< which implementations ran and why these, a line a step
    int threads = 0;
    int entry = 0;                                   ///< its place in the record
    std::array<double, kAllStages.size()> stages{};  ///< median of each stage, nanoseconds
    double prepare = 0;                              ///< nanoseconds, once, outside of the samples
    QStringList warnings;

    bool measured() const { return numbers.compute.count > 0; }
    double stage(Stage s) const { return stages[static_cast<std::size_t>(s)]; }
};

struct TimingSummary {
    std::vector<TimingRow> rows;
    QString baseline;
    QStringList warnings;
};

TimingSummary summariseTimings(const RunRecord& record);

}  // namespace parallax::ui
