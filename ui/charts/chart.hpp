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
    /// The same as a widget, for who does not know the library.
    QWidget& canvas();
    /// Of its files: "roofline".
    const QString& name() const { return name_; }
    /// The numbers that it shows.
    const ChartTable& table() const { return table_; }
    /// Its numbers, with a heading (RFC 4180).
    virtual QString csv() const { return toCsv(table_); }
    /// Notes beside the numbers, in sentences; may be empty.
    const QString& notes() const { return notes_; }
    /// Rings a row of the table; -1: none.
    void highlight(int row);

signals:
    void tableChanged();
    /// A run was clicked, or chosen with the keyboard.
    void activated(int record, int entry);

protected:
    /// Draws into an empty plot, fills table and notes, and adds the spots.
    virtual void draw() = 0;
    void rebuild();
    /// Where a row is seen, from one corner to the other in the coordinates of the axes; a point has both in one place.
    struct Spot {
        int row = -1;
        QCPAxis *x = nullptr, *y = nullptr;
        QPointF from, to;
        QString text;  ///< of the tooltip
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
    /// The bar of which the name is at this place; -1: none.
    int categoryAt(const QPointF& position) const;
    void tellCategory(int category);
    void ring(int spot);
    void tell(int spot);
    void activate(int spot);

    QString name_;
    QCustomPlot* plot_;
    QScrollArea* scroll_;
    QSize built_;  // of the plot, when it was drawn
    QStringList categories_, categoryTips_;
    ChartTable table_;
    QString notes_;
    QVector<Spot> spots_;
    int current_ = -1;  // spot that the keyboard is on
    int told_ = -1;     // spot of which the tooltip is shown
    int toldCategory_ = -1;
};

}  // namespace parallax::ui
