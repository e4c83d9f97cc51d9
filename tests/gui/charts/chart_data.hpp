// SPDX-License-Identifier: GPL-3.0-or-later
// The records of lab_sample.hpp as charts take them.
#pragma once

#include "tests/gui/charts/lab_sample.hpp"
#include "ui/charts/kinds/timing_charts.hpp"

namespace parallax::ui {

inline std::shared_ptr<const LabRecords> lab(const char* axis, int series) { return makeLabRecords(sampleSweep(axis, series, 2e7)); }

inline std::shared_ptr<const ConvergenceData> convergenceOf(const RunRecord& record) {
    return std::make_shared<const ConvergenceData>(ConvergenceData{seriesCharts(record), {}, {}});
}

}  // namespace parallax::ui
