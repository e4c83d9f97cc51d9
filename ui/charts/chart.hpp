// SPDX-License-Identifier: GPL-3.0-or-later
// Base of every chart: tooltips, clicks and keyboard for its points, a table of its numbers, redrawing when size or theme change, scrolling
// if it is higher than its place.
#pragma once

#include <QRectF>
#include <QStringList>
#include <QVector>
#include <QWidget>
#include <memory>
#include <utility>

#include "ui/models/benchmark/chart_table.hpp"

class QAction;
class QCPAxisRect;
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
    /// Notes beside the numbers, one sentence each.
    const QStringList& noteList() const { return notes_; }
    QString notes() const { return notes_.join(QLatin1Char(' ')); }
    /// Marks the point of a table row with a ring; -1: none.
    void highlight(int row);

    /// Panes that can show a run.
    enum Pane { paneA, paneB };

signals:
    void tableChanged();
    /// A point was selected with the mouse or the keyboard.
    void rowSelected(int row);
    /// A run is to be shown in a pane: double click or Enter (B), or a command of the context menu.
    void activated(int record, int entry, int pane = paneB);

protected:
    /// Draws into an empty plot, fills table and notes, and adds the spots.
    virtual void draw() = 0;
    void rebuild();
    /// Sets the place of a row (-1: none), from corner to corner in axis coordinates, and its tooltip.
    void addSpot(int row, QCPAxisRect& axes, QPointF from, QPointF to, const QString& text) { spots_ << Spot{row, &axes, from, to, text}; }
    void addSpot(int row, QCPAxisRect& axes, QPointF point, const QString& text) { addSpot(row, axes, point, point, text); }
    void setColumns(const QVector<ChartColumn>& columns) { table_.columns = columns; }
    /// Returns the index of the row.
    int addRow(const ChartRow& row);
    void setNotes(const QStringList& sentences) { notes_ = sentences; }
    /// Names the report that the data are from, if any.
    static QString titled(const QString& title, const QString& source) {
        return source.isEmpty() ? title : QStringLiteral("%1 – %2").arg(title, source);
    }
    /// Sets the bars of a bar chart from top to bottom, before it is prepared. The plot gets as high as their names need. The tooltip of a
    /// name has the full name and the tip of its row. `pixelsEach`: height of a row if more than a line of text.
    void setCategories(const QStringList& names, const QStringList& tips = {}, int pixelsEach = 0);

    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Spot {
        int row = -1;
        QCPAxisRect* axes = nullptr;
        QPointF from, to;
        QString text;
    };
    QRectF pixels(const Spot& spot) const;
    int spotAt(const QPointF& position) const;
    /// Returns the bar whose name is at this position, or -1.
    int categoryAt(const QPointF& position) const;
    void tellCategory(int category);
    static bool isTold(int index, int told);
    void ring(int spot);
    /// Moves the ring to where its spot is now.
    void placeRing();
    void tell(int spot);
    void select(int spot);
    void activate(int spot, Pane pane);
    void addPaneActions();
    /// Returns whether a run can be shown for this spot.
    bool acts(int spot) const;
    bool pressKey(int key);

    QString name_;
    QCustomPlot* plot_;
    QScrollArea* scroll_;
    QSize built_;  // size of the plot when it was drawn
    QStringList categories_, categoryTips_;
    ChartTable table_;
    QStringList notes_;
    QVector<Spot> spots_;
    int current_ = -1;  // spot selected with the keyboard
    int told_ = -1;     // spot whose tooltip is shown
    int toldCategory_ = -1;
    QAction *showInA_, *showInB_;
};

/// A chart of one object; null: none.
template <class Data>
class ChartOf : public Chart {
public:
    void setData(std::shared_ptr<const Data> shown) {
        data_ = std::move(shown);
        rebuild();
    }

protected:
    using Chart::Chart;
    std::shared_ptr<const Data> data_;
};

}  // namespace parallax::ui
