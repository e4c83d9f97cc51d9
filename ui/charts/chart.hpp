// SPDX-License-Identifier: GPL-3.0-or-later
// Base of every chart: tooltips, clicks and keyboard for its points, a table of its numbers, redrawing when size or theme change, scrolling
// if it is higher than its place.
#pragma once

#include <QRectF>
#include <QStringList>
#include <QVector>
#include <QWidget>

#include "ui/models/benchmark/chart_table.hpp"

class QCPAxis;
class QCPItemTracer;
class QCustomPlot;
class QScrollArea;

namespace parallax::ui {

class Chart : public QWidget {
    Q_OBJECT
public:
    Chart(const QString& name, const QString& title, const QString& help, QWidget* parent);
    QCustomPlot& plot() { return *plot_; }
    /// The same as a widget, for callers that do not include the charting library.
    QWidget& canvas();
    /// Base name of exported files: "roofline".
    const QString& name() const { return name_; }
    /// The data shown.
    const ChartTable& table() const { return table_; }
    /// The data as CSV with a header (RFC 4180).
    virtual QString csv() const { return toCsv(table_); }
    /// Notes beside the numbers, in sentences; may be empty.
    const QString& notes() const { return notes_; }
    /// Marks the point of a table row with a ring; -1: none.
    void highlight(int row);

signals:
    void tableChanged();
    /// A run was clicked or selected with the keyboard.
    void activated(int record, int entry);

protected:
    /// Draws into an empty plot, fills table and notes, and adds the spots.
    virtual void draw() = 0;
    void rebuild();
    /// The place of a row, from corner to corner in axis coordinates; both are the same for a point.
    struct Spot {
        int row = -1;
        QCPAxis *x = nullptr, *y = nullptr;
        QPointF from, to;
        QString text;  ///< shown in the tooltip
    };
    void addSpot(const Spot& spot) { spots_ << spot; }
    ChartTable& numbers() { return table_; }
    void setNotes(const QString& notes) { notes_ = notes; }
    /// Sets the bars of a bar chart from top to bottom, before it is prepared. The plot gets as high as their names need. The tooltip of a
    /// name has the full name and the tip of its row. `pixelsEach`: height of a row if more than a line of text.
    void setCategories(const QStringList& names, const QStringList& tips = {}, int pixelsEach = 0);

    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QRectF pixels(const Spot& spot) const;
    int spotAt(const QPointF& position) const;
    /// Returns the bar whose name is at this position, or -1.
    int categoryAt(const QPointF& position) const;
    void tellCategory(int category);
    void ring(int spot);
    void tell(int spot);
    void activate(int spot);

    QString name_;
    QCustomPlot* plot_;
    QScrollArea* scroll_;
    QSize built_;  // size of the plot when it was drawn
    QStringList categories_, categoryTips_;
    ChartTable table_;
    QString notes_;
    QVector<Spot> spots_;
    int current_ = -1;  // spot selected with the keyboard
    int told_ = -1;     // spot whose tooltip is shown
    int toldCategory_ = -1;
};

}  // namespace parallax::ui
