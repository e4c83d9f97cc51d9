// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/filmstrip/filmstrip.hpp"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QScrollBar>
#include <QSignalBlocker>

#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kPictureHeight = 44, kItemWidth = 104, kPadding = 6;

}  // namespace

Filmstrip::Filmstrip(QWidget* parent)
    : QWidget(parent),
      thumbnails_(new Thumbnails(this)),
      list_(described(new QListWidget, tr("Open files"), tr("Open files: a click shows one, a right click compares or closes it"),
                      "filmstripFiles")),
      position_(described(new QLabel, tr("Position among the open files"), tr("Position among the open files"), "filmstripPosition")) {
    setObjectName(QStringLiteral("filmstrip"));
    list_->setFlow(QListView::LeftToRight);
    list_->setViewMode(QListView::IconMode);
    list_->setMovement(QListView::Static);
    list_->setWrapping(false);
    list_->setUniformItemSizes(true);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    list_->setIconSize(QSize(kItemWidth - 2 * kPadding, kPictureHeight));
    const int high = kPictureHeight + list_->fontMetrics().height() + 2 * kPadding;
    list_->setGridSize(QSize(kItemWidth, high));
    list_->setFixedHeight(high + list_->horizontalScrollBar()->sizeHint().height());
    position_->setAlignment(Qt::AlignCenter);
    auto* row = makeLayout<QHBoxLayout>(this, 6);
    row->setContentsMargins(8, 2, 4, 2);
    row->addWidget(position_);
    row->addWidget(list_, 1);
    const auto show = [this](const QListWidgetItem* item) {
        if (const int index = list_->row(item); index != current_) emit showRequested(index);
    };
    connect(list_, &QListWidget::itemClicked, this, show);
    connect(list_, &QListWidget::itemActivated, this, show);
    connect(thumbnails_, &Thumbnails::thumbnailMade, this, [this](const QString& input) {
        for (int i = 0; i < list_->count(); ++i)
            if (inputs_.value(i) == input) describeItem(*list_->item(i), input);
    });
    connect(&Settings::instance(), &Settings::changed, this, &Filmstrip::fill);
}

void Filmstrip::setInputs(const QStringList& inputs, int current) {
    if (inputs == inputs_ && current == current_) return;
    const bool same = inputs == inputs_;
    inputs_ = inputs;
    current_ = current;
    if (!same) fill();
    const QSignalBlocker blocker(list_);
    list_->setCurrentRow(current);
    if (QListWidgetItem* item = list_->item(current)) list_->scrollToItem(item);
    position_->setText(current < 0 ? QString() : tr("%1 of %2").arg(current + 1).arg(inputs.size()));
}

void Filmstrip::fill() {
    const QSignalBlocker blocker(list_);
    list_->clear();
    for (const QString& input : inputs_) describeItem(*new QListWidgetItem(list_), input);
    list_->setCurrentRow(current_);
    if (isVisible()) thumbnails_->use(inputs_);
}

void Filmstrip::describeItem(QListWidgetItem& item, const QString& input) const {
    const Thumbnail* made = thumbnails_->find(input);
    // File names may identify a patient.
    const bool hides = Settings::instance().hidesPatientData();
    const bool unnamed = hides && (!made || made->medical);
    item.setText(!unnamed ? shortNameOf(input) : made ? made->extent : QStringLiteral("…"));
    item.setIcon(thumbnailIcon(made ? made->picture : QImage(), list_->iconSize(), devicePixelRatioF()));
    QStringList lines{unnamed ? item.text() : longNameOf(input)};
    if (made)
        for (const QString& line : {unnamed ? QString() : made->extent, made->problem})
            if (!line.isEmpty()) lines << line;
    item.setToolTip(lines.join(QLatin1Char('\n')));
}

void Filmstrip::showEvent(QShowEvent*) { thumbnails_->use(inputs_); }

void Filmstrip::contextMenuEvent(QContextMenuEvent* event) {
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QListWidgetItem* item = keyboard ? list_->currentItem() : list_->itemAt(list_->viewport()->mapFromGlobal(event->globalPos()));
    if (!item) return event->ignore();
    const int index = list_->row(item);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const char* name, const QString& text, auto&& effect) {
        menu->addAction(text, this, effect)->setObjectName(QLatin1String(name));
    };
    add("filmstrip-compare", tr("Compare as &B"), [this, index] { emit compareRequested(index, false); });
    add("filmstrip-new-pane", tr("Compare in a &new pane"), [this, index] { emit compareRequested(index, true); });
    menu->addSeparator();
    add("filmstrip-close", tr("&Close"), [this, index] { emit closeRequested(index); });
    menu->popup(event->globalPos());
}

}  // namespace parallax::ui
