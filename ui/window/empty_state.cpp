// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/ui/window/empty_state.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "parallax/ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

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

EmptyState::EmptyState(QAction& open, QAction& sample, QAction& generate, QWidget* parent) : QWidget(parent) {
    auto* title = new QLabel(tr("Open an image to begin"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.7);
    large.setBold(true);
    title->setFont(large);
    auto* text = new QLabel(
        tr("Drop a file here, or choose one. Two backends filter it at once,\nside by side, with their difference and the time of each."));
    text->setAlignment(Qt::AlignCenter);
    auto* formats = new QLabel(tr("OpenEXR, PNG, JPEG, TIFF, Radiance HDR, PFM"));
    for (QLabel* label : {title, formats}) label->setAlignment(Qt::AlignCenter);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(12);
    buttons->addStretch();
    buttons->addWidget(startButton(open, tr("Open …")));
    buttons->addWidget(startButton(sample, tr("Open the sample")));
    buttons->addWidget(startButton(generate, tr("Generate …")));
    buttons->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(14);
    layout->addStretch(3);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addSpacing(4);
    layout->addWidget(formats);
    layout->addStretch(4);
}

void EmptyState::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().palette.color(QPalette::Base));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(currentTheme().border, 1.5, Qt::DashLine));
    painter.drawRoundedRect(QRectF(rect()).adjusted(16.5, 16.5, -16.5, -16.5), 10, 10);
}

}  // namespace parallax::ui
