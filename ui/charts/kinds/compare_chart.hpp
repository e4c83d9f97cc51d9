// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a measurement with a past one: ratio of the times of each backend.
#pragma once

#include <memory>

#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/past_comparison.hpp"

namespace parallax::ui {

class CompareChart : public Chart {
    Q_OBJECT
public:
    explicit CompareChart(QWidget* parent = nullptr);
    void setComparison(std::shared_ptr<const PastComparison> comparison);

protected:
    void draw() override;

private:
    std::shared_ptr<const PastComparison> comparison_;
};

}  // namespace parallax::ui
