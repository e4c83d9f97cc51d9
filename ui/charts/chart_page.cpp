// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_page.hpp"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTableView>

#include "ui/charts/chart.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_style.hpp"
#include "ui/theme/layout.hpp"
#include "ui/theme/tips.hpp"

namespace parallax::ui {
namespace {

/// Draws the marker of the series before the name of each backend, as in the legend.
class MarkerDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const int series = index.data(ChartTableModel::seriesRole).toInt();
        if (series < 0) return;
        constexpr int kSize = 14;
        const double scale = option->widget ? option->widget->devicePixelRatioF() : 1;
        QPixmap picture(QSize(kSize, kSize) * scale);
        picture.setDevicePixelRatio(scale);
        picture.fill(Qt::transparent);
        {
            QCPPainter painter(&picture);
            painter.setAntialiasing(true);
            QCPScatterStyle marker = seriesMarker(series, 8);
            marker.applyTo(&painter, seriesPen(series));
            marker.drawShape(&painter, kSize / 2.0, kSize / 2.0);
        }
        option->icon = QIcon(picture);
        option->decorationSize = QSize(kSize, kSize);
        option->features |= QStyleOptionViewItem::HasDecoration;
    }
};

}  // namespace

void prepareTable(QTableView& table, QAbstractItemModel& model) {
    table.setModel(&model);
    // Without rows, a bar would only scroll the headings.
    const auto fitBar = [&table, &model] {
        table.setHorizontalScrollBarPolicy(model.rowCount() > 0 ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    };
    QObject::connect(&model, &QAbstractItemModel::modelReset, &table, fitBar);
    fitBar();
    table.setAlternatingRowColors(true);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table.horizontalHeader()->setHighlightSections(false);
    table.horizontalHeader()->setStretchLastSection(false);  // numbers at the far edge are read with the wrong name
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);  // Tab moves to the next control
}

ChartPage::ChartPage(Chart* chart, QWidget* controls, Session& session, QWidget* parent)
    : QWidget(parent), chart_(chart), model_(new ChartTableModel(this)), view_(new QTableView), notes_(new QLabel), hasControls_(controls) {
    markers_ = new MarkerDelegate(this);
    prepareTable(*view_, *model_);
    view_->setAccessibleName(tr("Data: %1").arg(chart->accessibleName()));
    view_->setToolTip(tr("Data of the chart. Enter or a double click shows that run in B. Ctrl+C copies the selection."));
    showTipBeside(view_);
    view_->setMinimumHeight(48);  // in a low panel controls come first
    notes_->setWordWrap(true);
    notes_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    notes_->setTextFormat(Qt::RichText);
    notes_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    notes_->hide();
    side_ = columnOf({controls, notes_, view_});
    side_->layout()->setContentsMargins(kBesideChart, 0, 0, 0);
    fillWith(*this, splitterOf({{chart_, 5, 560, 200}, {side_, 4, 440, 220}}));

    addChartMenu(chart_->plot(), session, chart_->name(), [chart] { return chart->csv(); });
    connect(chart_, &Chart::tableChanged, this, &ChartPage::refresh);
    connect(chart_, &Chart::rowSelected, view_, &QTableView::selectRow);
    connect(notes_, &QLabel::linkActivated, this, [this] {
        allNotes_ = !allNotes_;
        refreshNotes();
    });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { chart_->highlight(view_->hasFocus() ? index.row() : -1); });
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) {
        const ChartRow& row = model_->table().rows[index.row()];
        if (row.entry >= 0) emit chart_->activated(row.record, row.entry);
    });
    refresh();
}

void ChartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // In a low panel, long notes would leave no room for the table; their tooltip has all of them.
    constexpr int kLow = 240;
    notes_->setMaximumHeight(height() < kLow ? (hasControls_ ? 1 : 2) * notes_->fontMetrics().lineSpacing() : QWIDGETSIZE_MAX);
}

void ChartPage::refresh() {
    // Before the rows: the width of a column follows from its delegate.
    for (qsizetype i = 0; i < chart_->table().columns.size(); ++i)
        view_->setItemDelegateForColumn(static_cast<int>(i),
                                        chart_->table().columns[i].key == QLatin1String("backend") ? markers_ : view_->itemDelegate());
    model_->setTable(chart_->table());
    refreshNotes();
}

void ChartPage::refreshNotes() {
    // Many notes would leave no room for the table.
    constexpr qsizetype kShown = 2;
    const QStringList& notes = chart_->noteList();
    const qsizetype hidden = notes.size() - kShown;
    QString text = (hidden > 0 && !allNotes_ ? notes.first(kShown) : notes).join(QLatin1Char(' ')).toHtmlEscaped();
    if (hidden > 0) text += QStringLiteral(" <a href='notes'>%1</a>").arg(allNotes_ ? tr("Fewer notes") : tr("%1 more notes").arg(hidden));
    notes_->setText(text);
    notes_->setToolTip(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
    // An empty table beside a chart that says what to do looks like a fault.
    side_->setVisible(hasControls_ || !notes.isEmpty() || !chart_->table().columns.isEmpty());
}

}  // namespace parallax::ui
