// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: what was reached over operations a byte, under the measured roofs of processor and devices.
#pragma once

#include <memory>

#include "parallax/ui/charts/chart.hpp"
#include "parallax/ui/models/roofline_data.hpp"

class QCPAxisRect;

namespace parallax::ui {

class RooflineChart : public Chart {
    Q_OBJECT
public:
    explicit RooflineChart(QWidget* parent = nullptr);
    void setData(std::shared_ptr<const RooflineData> roofline);

protected:
    void draw() override;

private:
    void fillTable();
    QString describe() const;
    void drawRoofs(QCPAxisRect& axes);
    void drawPoints(QCPAxisRect& axes);

    std::shared_ptr<const RooflineData> data_;
};

}  // namespace parallax::ui
