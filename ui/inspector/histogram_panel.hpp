// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of the original or a pane, per channel or of the luminance. Marks show the values displayed as black and white; dragging
// them sets exposure and offset of the view. Of measurements, as those of CT, window and level are shown with their unit. Over the input
// of panes lie the curves that their first steps applied to it, if their operations have one.
#pragma once

#include <QElapsedTimer>
#include <QWidget>
#include <memory>

#include "ui/inspector/transfer_curves.hpp"
#include "ui/models/view/histogram.hpp"

class QCheckBox;
class QComboBox;
class QCPAxisRect;
class QCustomPlot;
class QLabel;
class QPushButton;
class QTimer;

namespace parallax::ui {

class LevelMarks;
class Session;
class ViewState;

class HistogramPanel : public QWidget {
    Q_OBJECT
public:
    HistogramPanel(Session& session, ViewState& view, QWidget* parent = nullptr);

private:
    void describeControls();
    void connectControls();
    void request();
    void rebuild();
    void drawCounts(QCPAxisRect& axes);
    void showNumbers();
    /// Draws the curves that panes applied to the counted image, and describes one.
    void showCurves();
    /// Describes window and level of measurements.
    void describeWindow();
    /// Lists the original and the panes.
    void fillSources();
    /// Says in the list which image of the active pane is counted.
    void nameActive();
    /// Is the input of the active pane counted? Its result has other values than the curve, and may be missing.
    bool countsActiveInput() const;
    /// The counted image; null if there is none.
    std::shared_ptr<const Image> counted() const;
    /// Counts again if the image or the choice of values changed.
    void follow();
    bool countsLuminance() const;
    enum class Part { all, visible, selection };

    Session& session_;
    ViewState& view_;
    QComboBox *source_, *what_, *scale_, *part_;
    QTimer* delay_;
    QCheckBox* logarithmicCounts_;
    QPushButton* resetLevels_;
    QCustomPlot* plot_;
    LevelMarks* marks_;
    TransferCurves curves_;
    bool hadCurve_ = false;
    std::weak_ptr<const Image> requested_;
    QElapsedTimer sinceResult_;  // was counted
    QLabel *numbers_, *curveText_, *windowText_;
    std::shared_ptr<const Histogram> shown_;
};

}  // namespace parallax::ui
