// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of the original, A or B, per channel or of the luminance. Marks show the values displayed as black and white; dragging
// them sets exposure and offset of the view. Of measurements, as those of CT, window and level are shown with their unit. Over the original
// lies the curve that a step applied to it, if its operation has one.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/engine/run/engine.hpp"
#include "ui/models/view/histogram.hpp"
#include "ui/models/view/view_state.hpp"

class QCheckBox;
class QComboBox;
class QCPAxisRect;
class QCPGraph;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QLabel;
class QPushButton;
class QTimer;

namespace parallax::ui {

class Session;
struct SideResult;
class ViewState;

class HistogramPanel : public QWidget {
    Q_OBJECT
public:
    HistogramPanel(Session& session, ViewState& view, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void describeControls();
    void connectControls();
    void request();
    void rebuild();
    void drawCounts(QCPAxisRect& axes);
    void addMarks(QCPAxisRect& axes);
    void showNumbers();
    void drawCurve(const SideResult& result, const TransferRecord& record);
    void placeLevels();
    enum class Mark { none, black, white };
    /// Returns the horizontal position of a value, in pixels; values beyond the axis are at its ends.
    double markPosition(double value) const;
    void placeMark(QCPItemText& mark, double value, const QString& text);
    Mark markAt(QPointF position) const;
    /// Makes a value that of the dragged mark.
    void dragTo(double value);
    /// Sets exposure and offset only.
    void restoreLevels(const DisplaySettings& levels);
    void resetLevels();
    /// Returns whether the key took a drag back.
    bool pressKey(int key);
    /// The counted image; null if there is none.
    std::shared_ptr<const Image> counted() const;
    /// The transfer curve of the last result, and the share of clipped values.
    void placeCurve();
    struct Applied {
        std::shared_ptr<const SideResult> result;  ///< of A, or of B if A has none
        const TransferRecord* record = nullptr;    ///< in it; null: no step has a curve, or it was not the first to change the image
    };
    Applied applied() const;
    bool countsLuminance() const;
    enum class Part { all, visible, selection };

    Session& session_;
    ViewState& view_;
    QComboBox *source_, *what_, *scale_, *part_;
    QTimer* delay_;
    QCheckBox* logarithmicCounts_;
    QPushButton* resetLevels_;
    QCustomPlot* plot_;
    // Owned by the plot, and deleted when it is cleared.
    QCPItemStraightLine *white_ = nullptr, *black_ = nullptr, *level_ = nullptr;
    QCPItemRect *clipped_ = nullptr, *window_ = nullptr;
    QCPGraph* curve_ = nullptr;
    std::shared_ptr<const SideResult> curveOf_;
    bool curvePlaced_ = false;  // in this plot
    bool hadCurve_ = false;
    QCPItemText *whiteText_ = nullptr, *blackText_ = nullptr;
    Mark dragged_ = Mark::none;
    std::optional<DisplaySettings> beforeDrag_;  // what Esc restores
    QLabel *numbers_, *curveText_, *windowText_;
    std::shared_ptr<const Histogram> shown_;
};

}  // namespace parallax::ui
