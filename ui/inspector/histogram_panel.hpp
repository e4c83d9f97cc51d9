// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of the original or a pane, per channel or of the luminance. Marks show the values displayed as black and white; dragging
// them sets exposure and offset of the view. Of measurements, as those of CT, window and level are shown with their unit. Over the input
// of panes lie the curves that their first steps applied to it, if their operations have one.
#pragma once

#include <QElapsedTimer>
#include <QVector>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "ui/models/pipeline/side.hpp"
#include "ui/models/view/histogram.hpp"
#include "ui/models/view/view_state.hpp"

class QCheckBox;
class QComboBox;
class QCPAxisRect;
class QCPGraph;
class QCPGraphData;
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
    /// A transfer curve that panes with the same steps applied to the counted image.
    struct Curve {
        Side side;        ///< the active pane if it is one of them, else the first
        bool active;      ///< is it the active pane?
        QString letters;  ///< of all of them
        std::shared_ptr<const SideResult> result;
        const TransferRecord* record;  ///< in the result
        friend bool operator==(const Curve&, const Curve&) = default;
    };
    std::vector<Curve> curves() const;
    /// Draws the curves with the letters of their panes, and what the curve of the active pane clips.
    void placeCurves();
    QVector<QCPGraphData> drawCurve(const Curve& curve, std::size_t index, std::size_t count);
    void describeCurve(const Curve& curve, const QVector<QCPGraphData>& points);
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
    QVector<QCPGraph*> curveLines_;
    QVector<QCPItemText*> curveLetters_;
    std::vector<Curve> placed_;  // the curves in this plot
    bool hadCurve_ = false;
    std::weak_ptr<const Image> requested_;
    QElapsedTimer sinceResult_;  // was counted
    QCPItemText *whiteText_ = nullptr, *blackText_ = nullptr;
    Mark dragged_ = Mark::none;
    std::optional<DisplaySettings> beforeDrag_;  // what Esc restores
    QLabel *numbers_, *curveText_, *windowText_;
    std::shared_ptr<const Histogram> shown_;
};

}  // namespace parallax::ui
