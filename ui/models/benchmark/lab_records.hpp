// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a sweep, prepared for charts in the measuring thread because bootstrap intervals are slow.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax::ui {

struct LabRecords {
    std::vector<RunRecord> records;
    SweepSeries series;
    std::vector<Crossover> computeCrossings, endToEndCrossings;
    QString source;  ///< name of the report; empty: of this session
    /// Threads or parts: the sweep shows how well they are used.
    bool isScaling() const { return series.axis == "threads" || series.axis == "parts"; }
};
std::shared_ptr<const LabRecords> makeLabRecords(std::vector<RunRecord> records, const QString& source = {});

/// Returns "Size [px]", "Threads" or "Convolution: Size [px]" in the language of the window. Axes of unknown operations are returned
/// unchanged.
QString axisTitle(const Catalog& catalog, const std::string& axis);

}  // namespace parallax::ui
