// SPDX-License-Identifier: GPL-3.0-or-later
// Time over size, threads or a parameter, one line per variant, with the points where the fastest changes.
#pragma once

#include <memory>

#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/lab_records.hpp"

namespace parallax::ui {

class SweepChart : public Chart {
    Q_OBJECT
public:
    explicit SweepChart(const Catalog& catalog, QWidget* parent = nullptr);
    void setRecords(std::shared_ptr<const LabRecords> lab);
    /// Shows end to end instead of compute.
    void setEndToEnd(bool endToEnd);

protected:
    void draw() override;

private:
    void fillTable();
    QString describeCrossings() const;

    const Catalog& catalog_;
    std::shared_ptr<const LabRecords> lab_;
    bool endToEnd_ = false;
};

}  // namespace parallax::ui
