// SPDX-License-Identifier: GPL-3.0-or-later
// Strong scaling: speedup over threads with the ideal line and a fit of Amdahl's law, and the efficiency beside it.
#pragma once

#include <memory>

#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/lab_records.hpp"

namespace parallax::ui {

class ScalingChart : public Chart {
    Q_OBJECT
public:
    explicit ScalingChart(QWidget* parent = nullptr);
    void setRecords(std::shared_ptr<const LabRecords> lab);

protected:
    void draw() override;

private:
    std::shared_ptr<const LabRecords> lab_;
};

}  // namespace parallax::ui
