// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: what was reached over operations a byte, under the measured ceilings of processor and devices. Points of the last
// benchmark and of the last sweep are told apart by their size and filling.
#pragma once

#include <memory>

#include "ui/charts/chart.hpp"
#include "ui/models/benchmark/roofline_data.hpp"

class QCPAxisRect;

namespace parallax {
class Catalog;
}

namespace parallax::ui {

class RooflineChart : public Chart {
    Q_OBJECT
public:
    /// Points to show, in the order of the combo box.
    enum class Points { all, benchmark, sweep };

    explicit RooflineChart(const Catalog& catalog, QWidget* parent = nullptr);
    void setData(std::shared_ptr<const RooflineData> roofline);
    void setPoints(Points points);

protected:
    void draw() override;

private:
    bool isShown(const RooflinePoint& point) const;
    std::string seriesOf(const RooflinePoint& point) const;
    int seriesIndex(const RooflinePoint& point) const;
    QString placeOf(const RooflinePoint& point) const;
    void fillTable();
    QString describe() const;
    void drawCeilings(QCPAxisRect& axes);
    void drawPoints(QCPAxisRect& axes);
    void drawAlarm(QCPAxisRect& axes, const RooflinePoint& point);

    const Catalog& catalog_;
    std::shared_ptr<const RooflineData> data_;
    std::vector<std::string> labels_;  // labels of the series, in order
    Points points_ = Points::all;
};

}  // namespace parallax::ui
