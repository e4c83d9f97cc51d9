// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/collapsible_section.hpp"

#include <QKeyEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QVBoxLayout>

#include "ui/models/document/settings.hpp"
#include "ui/theme/theme.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kArrow = 10, kGap = 6, kPadding = 3;

}  // namespace

SectionHeader::SectionHeader(const QString& title, QWidget* parent) : QToolButton(parent) {
    setText(title);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
    makeBold(*this);
}

QSize SectionHeader::sizeHint() const {
    return {kArrow + 2 * kGap + fontMetrics().horizontalAdvance(text()), fontMetrics().height() + 2 * kPadding};
}

void SectionHeader::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = currentTheme();
    if (underMouse()) painter.fillRect(rect(), palette().color(QPalette::Midlight));
    painter.setPen(theme.border);
    painter.drawLine(0, 0, width(), 0);
    const bool leftToRight = layoutDirection() == Qt::LeftToRight;
    QStyleOption arrow;
    arrow.initFrom(this);
    arrow.rect = QStyle::visualRect(layoutDirection(), rect(), QRect(0, (height() - kArrow) / 2, kArrow, kArrow));
    const auto closed = leftToRight ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowLeft;
    style()->drawPrimitive(isChecked() ? QStyle::PE_IndicatorArrowDown : closed, &arrow, &painter, this);
    painter.setPen(palette().color(QPalette::WindowText));
    const QRect textRect = QStyle::visualRect(layoutDirection(), rect(), rect().adjusted(kArrow + kGap, 0, 0, 0));
    painter.drawText(textRect, static_cast<int>(Qt::AlignVCenter | (leftToRight ? Qt::AlignLeft : Qt::AlignRight)),
                     fontMetrics().elidedText(text(), Qt::ElideRight, textRect.width()));
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.accent, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void SectionHeader::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Return:
        case Qt::Key_Enter: toggle(); break;
        case Qt::Key_Right: setChecked(true); break;
        case Qt::Key_Left: setChecked(false); break;
        default: QToolButton::keyPressEvent(event); break;
    }
}

CollapsibleSection::CollapsibleSection(const QString& title, const char* name, std::initializer_list<QWidget*> content, QWidget* parent)
    : QWidget(parent), header_(new SectionHeader(title)), content_(new QWidget) {
    setObjectName(QLatin1String(name));
    auto* layout = makeLayout<QVBoxLayout>(this, 4);
    layout->addWidget(header_);
    layout->addWidget(content_);
    auto* inner = makeLayout<QVBoxLayout>(content_, 4);
    for (QWidget* widget : content) inner->addWidget(widget);
    setTitle(title);
    const QString key = QStringLiteral("sections/") + objectName();
    header_->setChecked(Settings::instance().remembered(key, true).toBool());
    showState(isOpen());
    connect(header_, &SectionHeader::toggled, this, [this, key](bool open) {
        showState(open);
        Settings::instance().remember(key, open);
    });
}

void CollapsibleSection::setTitle(const QString& title) {
    header_->setText(title);
    header_->setAccessibleName(tr("%1, section").arg(title));
    header_->setToolTip(tr("Show or hide the section “%1”").arg(title));
}

void CollapsibleSection::showState(bool open) {
    content_->setVisible(open);
    header_->setAccessibleDescription(open ? tr("Open") : tr("Closed"));
}

}  // namespace parallax::ui
