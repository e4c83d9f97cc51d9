// SPDX-License-Identifier: GPL-3.0-or-later
// One stacked bar of stages per backend.
#pragma once

#include <memory>

#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/timing_summary.hpp"

namespace parallax::ui {

class StageChart : public Chart {
    Q_OBJECT
public:
    explicit StageChart(QWidget* parent = nullptr);
    void setSummary(std::shared_ptr<const TimingSummary> summary);

    /// Name and look of a stage in every chart. Compute has the first colour and a solid fill.
    static QString titleOf(Stage stage);
    static int styleOf(Stage stage);

protected:
    void draw() override;

private:
    std::shared_ptr<const TimingSummary> summary_;
};

}  // namespace parallax::ui
