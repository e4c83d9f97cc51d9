// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/full_table.hpp"

#include <QEvent>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kFrame = 2;  // pixels; style sheets add borders that frameWidth() leaves out

}  // namespace

FullTable::FullTable(QTableView* table, int mostRows, QWidget* parent)
    : QWidget(parent), table_(table), button_(new QPushButton), mostRows_(mostRows) {
    auto* layout = makeLayout<QVBoxLayout>(this, 4);
    layout->addWidget(table_);
    layout->addWidget(button_, 0, Qt::AlignLeft);
    button_->setAutoDefault(false);
    button_->setToolTip(tr("Show all rows, or the first %1").arg(mostRows_));
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(button_, &QPushButton::clicked, this, [this] {
        showsAll_ = !showsAll_;
        fit();
    });
    const QAbstractItemModel* model = table_->model();
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, signal, this, &FullTable::fit);
    connect(model, &QAbstractItemModel::modelReset, this, &FullTable::fit);
    connect(model, &QAbstractItemModel::layoutChanged, this, &FullTable::fit);
    table_->horizontalScrollBar()->installEventFilter(this);
    fit();
}

bool FullTable::eventFilter(QObject* watched, QEvent* event) {
    // A bar of a narrow panel takes height.
    if (event->type() == QEvent::Show || event->type() == QEvent::Hide)
        QMetaObject::invokeMethod(this, &FullTable::fit, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

// A model that the table owns is reset when it dies.
FullTable::~FullTable() {
    if (table_->model()) table_->model()->disconnect(this);
}

void FullTable::fit() {
    const int rows = table_->model()->rowCount(), shown = showsAll_ ? rows : std::min(rows, mostRows_);
    for (int row = 0; row < rows; ++row)
        if (table_->isRowHidden(row) != (row >= shown)) table_->setRowHidden(row, row >= shown);
    button_->setVisible(rows > mostRows_);
    button_->setText(showsAll_ ? tr("Show fewer") : tr("Show all %1").arg(QLocale().toString(rows)));
    const int header = table_->horizontalHeader()->isHidden() ? 0 : table_->horizontalHeader()->sizeHint().height();
    const QScrollBar* across = table_->horizontalScrollBar();
    const int bar = across->isVisibleTo(table_) ? across->sizeHint().height() : 0;
    table_->setFixedHeight(header + std::max(1, shown) * table_->verticalHeader()->defaultSectionSize() + bar +
                           2 * std::max(kFrame, table_->frameWidth()));
}

}  // namespace parallax::ui
