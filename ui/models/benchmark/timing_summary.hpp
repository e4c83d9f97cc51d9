// SPDX-License-Identifier: GPL-3.0-or-later
// A run record prepared for charts and tables in the measuring thread, because bootstrap intervals are slow.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::ui {

struct TimingRow {
    SummaryRow numbers;
    QString label, variant, device, reason, toleranceReason;
    QStringList choices;  ///< variant of each step and why it was chosen
    int threads = 0;
    int entry = 0;       ///< index in the record
    double prepare = 0;  ///< nanoseconds, once, outside the timing samples
    QStringList warnings;

    bool measured() const { return numbers.compute.count > 0; }
    double stage(Stage s) const { return numbers.stage(s); }
};

struct TimingSummary {
    std::vector<TimingRow> rows;
    QString baseline;
    QStringList warnings;
};

TimingSummary summariseTimings(const RunRecord& record);

}  // namespace parallax::ui
