// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/drop/drop_overlay.hpp"

#include <QPainter>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

constexpr int kInset = 4, kRounding = 6, kPadding = 10;

double sizeOf(const QRect& area) { return static_cast<double>(area.width()) * area.height(); }

}  // namespace

DropOverlay::DropOverlay(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("dropOverlay"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void DropOverlay::showZones(std::vector<DropZone> zones) {
    zones_ = std::move(zones);
    marked_ = -1;
    setGeometry(parentWidget()->rect());
    raise();
    show();
    update();
}

int DropOverlay::indexAt(QPoint position) const {
    for (std::size_t i = 0; i < zones_.size(); ++i)
        for (const QRect& area : zones_[i].areas)
            if (area.contains(position)) return static_cast<int>(i);
    return -1;
}

void DropOverlay::pointAt(QPoint position) {
    const int at = indexAt(position);
    if (at == marked_) return;
    marked_ = at;
    update();
}

std::optional<DropZone> DropOverlay::zoneAt(QPoint position) const {
    const int at = indexAt(position);
    return at < 0 ? std::nullopt : std::optional(zones_[static_cast<std::size_t>(at)]);
}

void DropOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor veil = currentTheme().palette.color(QPalette::Window);
    veil.setAlpha(150);
    painter.fillRect(rect(), veil);
    const QColor accent = currentTheme().accent;
    QFont strong = font();
    strong.setBold(true);
    for (std::size_t i = 0; i < zones_.size(); ++i) {
        const bool marked = static_cast<int>(i) == marked_;
        QColor fill = accent;
        fill.setAlpha(marked ? 110 : 25);
        for (const QRect& area : zones_[i].areas) {
            painter.setPen(QPen(accent, marked ? 3 : 1.5, marked ? Qt::SolidLine : Qt::DashLine));
            painter.setBrush(fill);
            painter.drawRoundedRect(area.adjusted(kInset, kInset, -kInset, -kInset), kRounding, kRounding);
        }
        const auto largest = std::max_element(zones_[i].areas.begin(), zones_[i].areas.end(),
                                              [](const QRect& a, const QRect& b) { return sizeOf(a) < sizeOf(b); });
        if (largest == zones_[i].areas.end()) continue;
        // On a plate, so that the text is readable on any picture.
        painter.setFont(strong);
        const QRect zone = largest->adjusted(kInset, 0, -kInset, 0), room = zone.adjusted(kInset, 0, -kInset, 0);
        const QRect text = painter.boundingRect(room, Qt::AlignCenter | Qt::TextWordWrap, zones_[i].text);
        painter.setPen(Qt::NoPen);
        painter.setBrush(currentTheme().palette.color(marked ? QPalette::Highlight : QPalette::Window));
        painter.drawRoundedRect(text.adjusted(-kPadding, -kPadding / 2, kPadding, kPadding / 2) & zone, kRounding, kRounding);
        painter.setPen(currentTheme().palette.color(marked ? QPalette::HighlightedText : QPalette::WindowText));
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, zones_[i].text);
    }
}

}  // namespace parallax::ui
