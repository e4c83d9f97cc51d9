// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of the original, A or B, per channel. Lines mark the values that are shown as black and white; dragging them sets
// exposure and offset of the view.
#pragma once

#include <QWidget>
#include <memory>

#include "parallax/ui/models/histogram.hpp"

class QCheckBox;
class QComboBox;
class QCPItemStraightLine;
class QCustomPlot;
class QLabel;
class QTimer;

namespace parallax::ui {

class Session;
class ViewState;

class HistogramPanel : public QWidget {
    Q_OBJECT
public:
    HistogramPanel(Session& session, ViewState& view, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void request();
    void rebuild();
    void placeLevels();
    enum class Part { all, visible, selection };
    Part part() const;

    Session& session_;
    ViewState& view_;
    QComboBox* source_;
    QComboBox* scale_;
    QComboBox* part_;
    QTimer* delay_;
    QCheckBox* logarithmicCounts_;
    QCustomPlot* plot_;
    QCPItemStraightLine *white_ = nullptr, *black_ = nullptr;  // owned by the plot, gone when it is cleared
    bool draggingBlack_ = false;
    QLabel* numbers_;
    std::shared_ptr<const Histogram> shown_;
};

}  // namespace parallax::ui
