// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of each backend goes: one stacked bar of stages per backend.
#pragma once

#include <QWidget>
#include <memory>

#include "parallax/ui/models/timing_summary.hpp"

class QCustomPlot;

namespace parallax::ui {

class StageChart : public QWidget {
    Q_OBJECT
public:
    explicit StageChart(QWidget* parent = nullptr);
    void setSummary(std::shared_ptr<const TimingSummary> summary);
    QCustomPlot& plot() { return *plot_; }
    /// Its numbers, with a heading (RFC 4180).
    QString csv() const;

private:
    void rebuild();

    QCustomPlot* plot_;
    std::shared_ptr<const TimingSummary> summary_;
};

}  // namespace parallax::ui
