// SPDX-License-Identifier: GPL-3.0-or-later
// The transfer curves that the first steps of panes applied to an image, drawn over its histogram with an axis of their own.
#pragma once

#include <QString>
#include <QVector>
#include <memory>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "ui/models/pipeline/side.hpp"

class QCPAxisRect;
class QCPGraph;
class QCPGraphData;
class QCPItemRect;
class QCPItemText;
class QCustomPlot;

namespace parallax::ui {

class Session;
struct SideResult;
struct SideState;

/// A transfer curve that panes with the same steps applied to an image.
struct PaneCurve {
    Side side;        ///< the active pane if it is one of them, else the first
    bool active;      ///< is it the active pane?
    QString letters;  ///< of all of them
    std::shared_ptr<const SideResult> result;
    const TransferRecord* record;  ///< in the result
    friend bool operator==(const PaneCurve&, const PaneCurve&) = default;
};

/// Has the first step of a result a curve? The axis of a later step would not be that of the input.
bool hasCurve(const SideState& side);
/// The curves that panes applied to an image.
std::vector<PaneCurve> curvesOf(const Session& session, const std::shared_ptr<const Image>& image);

class TransferCurves {
public:
    explicit TransferCurves(QCustomPlot& plot) : plot_(plot) {}

    /// Sets up the axis of the curves in the first axes of the plot, hidden until there is a curve.
    void add(const QString& label);
    /// Forgets the curves before the plot deletes its items.
    void clear();
    /// Draws the curves with the letters of their panes, and what the described one clips. Returns whether they have changed.
    bool show(std::vector<PaneCurve> curves);
    /// The curve of the active pane, else the first; null without curves.
    const PaneCurve* described() const;

private:
    void draw(const PaneCurve& curve, std::size_t index, std::size_t count);
    void markClipped(const TransferCurve& curve);

    QCustomPlot& plot_;
    // Owned by the plot, and deleted when it is cleared.
    QCPItemRect* clipped_ = nullptr;
    QVector<QCPGraph*> lines_;
    QVector<QCPItemText*> letters_;
    std::vector<PaneCurve> curves_;
};

}  // namespace parallax::ui
