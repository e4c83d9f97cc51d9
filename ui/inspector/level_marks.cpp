// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/level_marks.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "ui/inspector/histogram_items.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pipeline_model.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

/// Sets exposure and offset only.
void setLevels(ViewState& view, const DisplaySettings& levels) {
    DisplaySettings settings = view.display();
    settings.exposure = levels.exposure;
    settings.offset = levels.offset;
    view.setDisplay(settings);
}

}  // namespace

LevelMarks::LevelMarks(QCustomPlot& plot, ViewState& view, PipelineModel& history, QObject* parent)
    : QObject(parent), plot_(plot), view_(view), history_(history) {
    plot_.setFocusPolicy(Qt::ClickFocus);  // for Esc
    plot_.installEventFilter(this);
    connect(&view_, &ViewState::displayChanged, this, &LevelMarks::place);
}

QCPAxisRect& LevelMarks::axes() const { return *plot_.axisRect(0); }

QCPAxis& LevelMarks::values() const { return *axes().axis(QCPAxis::atBottom); }

void LevelMarks::add(bool window) {
    const Theme& theme = currentTheme();
    const auto line = [&](Qt::PenStyle style) {
        auto* item = new QCPItemStraightLine(&plot_);
        item->setPen(QPen(theme.accent, 1.5, style));
        placeOnAxes({item->point1, item->point2}, axes(), QCPAxis::atLeft);
        item->setClipAxisRect(&axes());
        return item;
    };
    if (window) {
        window_ = addArea(axes(), QCPAxis::atLeft, translucent(theme.accent, 30));
        window_->setLayer(QStringLiteral("background"));
        window_->setClipAxisRect(&axes());
        // Full height, independent of the counts.
        for (QCPItemPosition* point : {window_->topLeft, window_->bottomRight}) point->setTypeY(QCPItemPosition::ptAxisRectRatio);
        level_ = line(Qt::DotLine);
    }
    white_ = line(Qt::SolidLine);
    black_ = line(Qt::DashLine);
    const auto text = [&](double ratio) {
        auto* item = new QCPItemText(&plot_);
        item->position->setTypeX(QCPItemPosition::ptPlotCoords);
        item->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        placeOnAxes({item->position}, axes(), QCPAxis::atLeft);
        item->position->setCoords(0, ratio);
        item->setLayer(QStringLiteral("overlay"));  // above the curve
        item->setFont(values().tickLabelFont());
        item->setColor(theme.palette.color(QPalette::HighlightedText));
        item->setBrush(theme.accent);
        item->setPadding(QMargins(4, 1, 4, 1));
        return item;
    };
    whiteText_ = text(0);
    blackText_ = text(0.2);
}

void LevelMarks::clear() {
    endDrag();
    white_ = black_ = level_ = nullptr;
    whiteText_ = blackText_ = nullptr;
    window_ = nullptr;
}

void LevelMarks::place() {
    if (!white_) return;
    const double white = whiteOf(view_.display()), black = blackOf(view_.display());
    placeLine(*white_, white);
    placeLine(*black_, black);
    placeText(*whiteText_, white, tr("white %1").arg(formatNumber(white)));
    placeText(*blackText_, black, tr("black %1").arg(formatNumber(black)));
    if (window_) {
        placeLine(*level_, windowCentre(view_.display()));
        const double least = values().scaleType() == QCPAxis::stLogarithmic ? values().range().lower : black;
        window_->topLeft->setCoords(std::max(black, least), 0);
        window_->bottomRight->setCoords(white, 1);
        window_->setVisible(white > least);
    }
    plot_.replot(QCustomPlot::rpQueuedReplot);
}

double LevelMarks::positionOf(double value) const {
    return values().coordToPixel(std::clamp(value, values().range().lower, values().range().upper));
}

void LevelMarks::placeLine(QCPItemStraightLine& line, double value) {
    // A logarithmic axis has no zero or negative values.
    line.setVisible(values().scaleType() != QCPAxis::stLogarithmic || value > 0);
    if (!line.visible()) return;
    line.point1->setCoords(value, 0.5);
    line.point2->setCoords(value, 1);
}

void LevelMarks::placeText(QCPItemText& text, double value, const QString& shown) {
    text.setText(shown);
    // Values beyond the axis stay at its end, where they can be dragged.
    text.position->setCoords(std::clamp(value, values().range().lower, values().range().upper), text.position->coords().y());
    const double x = positionOf(value), half = QFontMetricsF(text.font()).horizontalAdvance(shown) / 2 + 6;
    const Qt::Alignment side = x - half < axes().left() ? Qt::AlignLeft : x + half > axes().right() ? Qt::AlignRight : Qt::AlignHCenter;
    text.setPositionAlignment(side | Qt::AlignTop);
}

LevelMarks::Mark LevelMarks::markAt(QPointF position) const {
    constexpr double kGrab = 6;
    const auto isOver = [&](const QCPItemText& text) {
        return QRectF(text.topLeft->pixelPosition(), text.bottomRight->pixelPosition()).contains(position);
    };
    if (isOver(*whiteText_)) return Mark::white;
    if (isOver(*blackText_)) return Mark::black;
    const double white = std::fabs(positionOf(whiteOf(view_.display())) - position.x());
    const double black = std::fabs(positionOf(blackOf(view_.display())) - position.x());
    if (std::min(white, black) > kGrab) return Mark::none;
    return white <= black ? Mark::white : Mark::black;
}

void LevelMarks::dragTo(double value) {
    const double white = whiteOf(view_.display()), black = blackOf(view_.display());
    if (dragged_ == Mark::black) {
        if (value < white) view_.setDisplay(withLevels(view_.display(), value, white));
    } else if (value > black) {
        DisplaySettings settings = withLevels(view_.display(), black, value);
        // Tenths of a stop, as the exposure box has them.
        if (black == 0) settings.exposure = std::round(10 * settings.exposure) / 10;
        view_.setDisplay(settings);
    }
}

void LevelMarks::endDrag() {
    const Mark mark = dragged_;
    dragged_ = Mark::none;
    if (mark == Mark::none) return;
    const auto valueOf = mark == Mark::white ? &whiteOf : &blackOf;
    const QString name = mark == Mark::white ? tr("White point %1 → %2") : tr("Black point %1 → %2");
    record(name.arg(formatNumber(valueOf(beforeDrag_)), formatNumber(valueOf(view_.display()))), beforeDrag_);
}

void LevelMarks::record(const QString& name, const DisplaySettings& before) {
    const DisplaySettings& after = view_.display();
    if (after.exposure == before.exposure && after.offset == before.offset) return;
    history_.recordView(
        name, [this, before] { setLevels(view_, before); }, [this, after] { setLevels(view_, after); });
}

void LevelMarks::reset() {
    dragged_ = Mark::none;
    const DisplaySettings before = view_.display();
    setLevels(view_, view_.firstDisplay());
    record(tr("Reset levels"), before);
}

void LevelMarks::handleMouse(QEvent::Type type, const QMouseEvent& event) {
    if (type == QEvent::MouseMove && dragged_ == Mark::none) {
        plot_.setCursor(markAt(event.position()) == Mark::none ? Qt::ArrowCursor : Qt::SplitHCursor);
    } else if (type == QEvent::MouseMove) {
        dragTo(values().pixelToCoord(event.position().x()));
    } else if (type == QEvent::MouseButtonRelease) {
        endDrag();
    } else if (event.button() == Qt::LeftButton) {
        const Mark mark = markAt(event.position());
        if (mark == Mark::none) return;
        if (type == QEvent::MouseButtonDblClick) return reset();
        dragged_ = mark;
        beforeDrag_ = view_.display();
    }
}

bool LevelMarks::eventFilter(QObject* watched, QEvent* event) {
    const QEvent::Type type = event->type();
    if (type == QEvent::Wheel) {
        event->ignore();  // scrolls the panel
        return true;
    }
    const bool key = type == QEvent::ShortcutOverride || type == QEvent::KeyPress;
    if (key && dragged_ != Mark::none && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        if (type == QEvent::ShortcutOverride) return true;
        dragged_ = Mark::none;
        setLevels(view_, beforeDrag_);
        return true;
    }
    const bool mouse = type == QEvent::MouseButtonPress || type == QEvent::MouseMove || type == QEvent::MouseButtonRelease ||
                       type == QEvent::MouseButtonDblClick;
    if (mouse && white_) handleMouse(type, *static_cast<QMouseEvent*>(event));
    return QObject::eventFilter(watched, event);
}

}  // namespace parallax::ui
