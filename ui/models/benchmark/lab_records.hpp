// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a sweep as the charts show them. Made in the measuring thread, since bootstrap intervals take their time.
#pragma once

#include <QString>
#include <array>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax::ui {

struct LabRecords {
    std::vector<RunRecord> records;
    SweepSeries series;
    std::vector<Crossover> computeCrossings, endToEndCrossings;
    QString source;           ///< name of the report; empty: of this session
    std::size_t planned = 0;  ///< points; more than records while it runs, or when it was cancelled
};

LabRecords makeLabRecords(std::vector<RunRecord> records, std::size_t planned, const QString& source);

/// "Size [px]", "Threads", "Convolution: Size [px]"; in the language of the window. An axis of which the operation is not known is
/// shown as it is written.
QString axisTitle(const Catalog& catalog, const std::string& axis);

}  // namespace parallax::ui
