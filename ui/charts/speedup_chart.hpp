// SPDX-License-Identifier: GPL-3.0-or-later
// How much faster than the baseline: compute and end to end beside each other, with 95 % intervals.
#pragma once

#include <QWidget>
#include <memory>

#include "parallax/ui/models/timing_summary.hpp"

class QCustomPlot;

namespace parallax::ui {

class SpeedupChart : public QWidget {
    Q_OBJECT
public:
    explicit SpeedupChart(QWidget* parent = nullptr);
    void setSummary(std::shared_ptr<const TimingSummary> summary);
    QCustomPlot& plot() { return *plot_; }
    /// Its numbers, with a heading (RFC 4180).
    QString csv() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void rebuild();

    QCustomPlot* plot_;
    std::shared_ptr<const TimingSummary> summary_;
};

}  // namespace parallax::ui
