// SPDX-License-Identifier: GPL-3.0-or-later
// Marks in the histogram at the values displayed as black and white, and the window of measurements between them. Dragging a mark sets
// exposure and offset of the view; each drag is one entry of Undo.
#pragma once

#include <QEvent>
#include <QObject>
#include <QPointF>
#include <optional>

#include "ui/models/view/view_state.hpp"

class QCPAxis;
class QCPAxisRect;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QMouseEvent;

namespace parallax::ui {

class PipelineModel;

class LevelMarks : public QObject {
    Q_OBJECT
public:
    LevelMarks(QCustomPlot& plot, ViewState& view, PipelineModel& history, QObject* parent);

    /// Adds the marks to the first axes of the plot, with a shaded window for measurements.
    void add(bool window);
    /// Forgets the marks before the plot deletes its items.
    void clear();
    /// Moves the marks to the values that the view shows as black and white.
    void place();
    /// Resets exposure and offset of the view, as an entry of Undo.
    void reset();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    enum class Mark { none, black, white };
    void handleMouse(QEvent::Type type, const QMouseEvent& event);
    QCPAxisRect& axes() const;
    QCPAxis& values() const;
    /// Returns the horizontal position of a value, in pixels; values beyond the axis are at its ends.
    double positionOf(double value) const;
    void placeLine(QCPItemStraightLine& line, double value);
    void placeText(QCPItemText& text, double value, const QString& shown);
    Mark markAt(QPointF position) const;
    /// Makes a value that of the dragged mark.
    void dragTo(double value);
    /// Ends a drag and records it for Undo.
    void endDrag();
    /// Records the change of the levels since `before`.
    void record(const QString& name, const DisplaySettings& before);

    QCustomPlot& plot_;
    ViewState& view_;
    PipelineModel& history_;
    // Owned by the plot, and deleted when it is cleared.
    QCPItemStraightLine *white_ = nullptr, *black_ = nullptr, *level_ = nullptr;
    QCPItemText *whiteText_ = nullptr, *blackText_ = nullptr;
    QCPItemRect* window_ = nullptr;
    Mark dragged_ = Mark::none;
    DisplaySettings beforeDrag_;
};

}  // namespace parallax::ui
