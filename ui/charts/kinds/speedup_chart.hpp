// SPDX-License-Identifier: GPL-3.0-or-later
// Speedup over the baseline: compute and end to end, with 95 % intervals.
#pragma once

#include <memory>

#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/timing_summary.hpp"

namespace parallax::ui {

class SpeedupChart : public Chart {
    Q_OBJECT
public:
    explicit SpeedupChart(QWidget* parent = nullptr);
    void setSummary(std::shared_ptr<const TimingSummary> summary);

protected:
    void draw() override;

private:
    std::shared_ptr<const TimingSummary> summary_;
};

}  // namespace parallax::ui
