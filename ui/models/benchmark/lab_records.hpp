// SPDX-License-Identifier: GPL-3.0-or-later
// Records of a sweep, prepared for charts in the measuring thread because bootstrap intervals are slow.
#pragma once

#include <QString>
#include <memory>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/run_record.hpp"
#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax::ui {

/// Whether a sweep over this axis shows how well threads or parts are used.
inline bool isScaling(const std::string& axis) { return axis == "threads" || sweepsParts(axis); }

struct LabRecords {
    std::vector<RunRecord> records;
    SweepSeries series;
    std::vector<Crossover> computeCrossings, endToEndCrossings;
    QString source;  ///< name of the report; empty: of this session
    bool isScaling() const { return parallax::ui::isScaling(series.axis); }
};
std::shared_ptr<const LabRecords> makeLabRecords(std::vector<RunRecord> records, const QString& source = {});

/// Returns "Size [px]", "Threads" or "Convolution: Size [px]" in the language of the window. Axes of unknown operations are returned
/// unchanged.
QString axisTitle(const Catalog& catalog, const std::string& axis);

}  // namespace parallax::ui
