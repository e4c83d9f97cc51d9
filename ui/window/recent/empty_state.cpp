// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent/empty_state.hpp"

#include <QAction>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/io/loader.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr qsizetype kRecentShown = 5;
constexpr int kRecentWidth = 360, kFrameRoom = 24, kRecentSpacing = 2;
constexpr char kPathProperty[] = "recentPath";

QPushButton* startButton(QAction& action, const QString& text) {
    auto* button = new QPushButton(action.icon(), text);
    button->setToolTip(action.toolTip());
    button->setMinimumSize(150, 40);
    button->setIconSize(QSize(20, 20));
    button->setAutoDefault(true);
    QObject::connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    return button;
}

}  // namespace

EmptyState::EmptyState(QAction& open, QAction& sample, QAction& generate, QWidget* parent)
    : QWidget(parent), recent_(new QWidget), recentLayout_(new QVBoxLayout(recent_)) {
    auto* title = new QLabel(tr("Open an image to begin"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.7);
    large.setBold(true);
    title->setFont(large);
    auto* text = new QLabel(
        tr("Drop a file here or choose one. Two backends process it side by side,\nand Parallax shows their difference and their times."));
    text->setAlignment(Qt::AlignCenter);
    QStringList titles;
    for (const Loader& loader : loaders())
        if (!loader.extensions.empty()) titles << QString::fromStdString(loader.format);
    auto* formats = new QLabel(titles.join(QLatin1String(", ")));
    for (QLabel* label : {title, formats}) label->setAlignment(Qt::AlignCenter);
    formats->setWordWrap(true);  // a long list must not widen the window
    formats->setContentsMargins(kFrameRoom, 0, kFrameRoom, 0);
    recentLayout_->setContentsMargins(0, 0, 0, 0);
    recentLayout_->setSpacing(kRecentSpacing);
    recent_->hide();
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    buttons->addStretch();
    buttons->addWidget(startButton(open, tr("Open …")));
    buttons->addWidget(startButton(sample, tr("Open sample")));
    buttons->addWidget(startButton(generate, tr("Generate …")));
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(14);
    layout->setContentsMargins(0, kFrameRoom, 0, kFrameRoom);
    layout->addStretch(3);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addSpacing(4);
    layout->addWidget(formats);
    layout->addSpacing(8);
    layout->addWidget(recent_, 0, Qt::AlignHCenter);
    layout->addStretch(4);
}

void EmptyState::setRecent(const QList<RecentFile>& files) {
    while (QLayoutItem* item = recentLayout_->takeAt(0)) {
        // Deleted later: the call may come from a click on this widget.
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    recent_->setVisible(!files.isEmpty());
    if (files.isEmpty()) return;
    auto* heading = new QLabel(tr("Recent files"));
    makeBold(*heading);
    recentLayout_->addWidget(heading, 0, Qt::AlignHCenter);
    for (const RecentFile& file : files.mid(0, kRecentShown)) {
        const QString name = longNameOf(file.path);
        auto* button =
            new QPushButton(fontMetrics().elidedText(name, Qt::ElideMiddle, kRecentWidth).replace(QLatin1Char('&'), QLatin1String("&&")));
        if (!file.problem.isEmpty()) button->setText(tr("%1 – %2").arg(button->text(), file.problem));
        if (file.pinned) button->setIcon(actionIcon(QStringLiteral("pin")));
        button->setProperty(kPathProperty, file.path);
        button->setFlat(true);
        button->setEnabled(file.problem.isEmpty());
        const QString tip = file.pinned ? tr("Open the pinned file %1") : tr("Open %1");
        described(button, tip.arg(name), file.problem.isEmpty() ? tip.arg(file.path) : tr("%1: %2").arg(file.path, file.problem));
        connect(button, &QPushButton::clicked, this, [this, path = file.path] { emit openRequested(path); });
        recentLayout_->addWidget(button);
    }
    fitRecent();
}

int EmptyState::recentHeight() const { return recent_->isHidden() ? 0 : recent_->minimumSizeHint().height() + layout()->spacing(); }

QSize EmptyState::minimumSizeHint() const {
    const QSize all = layout()->totalMinimumSize();
    return {all.width(), all.height() - recentHeight()};
}

void EmptyState::fitRecent() {
    if (recentLayout_->count() < 2) return;
    int room = height() - layout()->totalMinimumHeightForWidth(width()) + recentHeight() - layout()->spacing();
    bool any = false;
    for (int i = 0; i < recentLayout_->count(); ++i) {
        QWidget* widget = recentLayout_->itemAt(i)->widget();
        room -= widget->sizeHint().height() + (i > 0 ? kRecentSpacing : 0);
        widget->setVisible(room >= 0);
        any = any || (i > 0 && room >= 0);
    }
    recent_->setVisible(any);
}

void EmptyState::resizeEvent(QResizeEvent*) { fitRecent(); }

void EmptyState::contextMenuEvent(QContextMenuEvent* event) {
    // Also of disabled buttons, so that missing files can be removed.
    const bool keyboard = event->reason() == QContextMenuEvent::Keyboard;
    const QWidget* entry = keyboard ? focusWidget() : childAt(event->pos());
    const QString path = entry ? entry->property(kPathProperty).toString() : QString();
    if (path.isEmpty()) return event->ignore();
    emit menuRequested(path, keyboard ? entry->mapToGlobal(QPoint(0, entry->height())) : event->globalPos());
}

void EmptyState::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().palette.color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(currentTheme().border, 1.5, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(16.5, 16.5, -16.5, -16.5), 10, 10);
}

}  // namespace parallax::ui
