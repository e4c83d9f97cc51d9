// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a pane that measures: ruler, angle, scale bar.
#include <QLineF>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "ui/volume/volume_pane.hpp"

namespace parallax::ui {
namespace {

constexpr double kGrabDistance = 8, kShortest = 3;  // pixels
constexpr int kWidestBar = 160, kSmallestPane = 200;

double distance(QPointF a, QPointF b) { return QLineF(a, b).length(); }

}  // namespace

const Measurement* VolumePane::measurement() const {
    const std::optional<Measurement>& shown = state_.measurement();
    return shown && shown->kind == kind_ && shown->slice == slice() ? &*shown : nullptr;
}

void VolumePane::beginMeasurement(QPointF position) {
    const QPointF mm = state_.mmAt(state_.axes(kind_), fromMiddle(position));
    Measurement begun{kind_, slice(), {mm, mm}};
    // From one end of a length: the other side of an angle.
    if (const Measurement* shown = measurement(); shown && shown->points.size() == 2)
        for (const std::size_t end : {std::size_t{0}, std::size_t{1}})
            if (distance(placeOf(shown->points[end]), position) <= kGrabDistance)
                begun.points = {shown->points[1 - end], shown->points[end], mm};
    state_.setMeasurement(std::move(begun));
}

void VolumePane::moveMeasurement(QPointF position) {
    if (!measurement()) return;
    Measurement moved = *measurement();
    moved.points.back() = state_.mmAt(state_.axes(kind_), fromMiddle(position));
    state_.setMeasurement(std::move(moved));
}

void VolumePane::endMeasurement() {
    if (!measurement()) return;
    Measurement ended = *measurement();
    const std::vector<QPointF>& points = ended.points;
    if (distance(placeOf(points.back()), placeOf(points[points.size() - 2])) >= kShortest) return;
    // A click is no measurement.
    if (points.size() == 2) return state_.setMeasurement({});
    ended.points.pop_back();
    state_.setMeasurement(std::move(ended));
}

QString VolumePane::lengthText(double length) const {
    const QLocale locale;
    if (!state_.frame().geometry()) return tr("%1 voxels").arg(locale.toString(length, 'f', 1));
    return tr("%1 mm").arg(locale.toString(length, 'f', length < 10 ? 2 : 1));
}

QStringList VolumePane::measurementTexts() const {
    const Measurement* shown = measurement();
    if (!shown) return {};
    QStringList texts;
    for (const double length : lengthsOf(*shown, state_.frame())) texts << lengthText(length);
    if (shown->points.size() == 3) texts << tr("%1°").arg(QLocale().toString(angleOf(*shown, state_.frame()), 'f', 1));
    return texts;
}

std::optional<VolumePane::ScaleBar> VolumePane::scaleBar() const {
    if (width() < kSmallestPane || height() < kSmallestPane / 2) return {};
    const double pixels = state_.scale() / devicePixelRatioF();  // to a mm
    const double length = roundLength(std::min<double>(kWidestBar, width() / 4.0) / pixels);
    const QLocale locale;
    const bool metric = state_.frame().geometry().has_value();
    const QString number = locale.toString(length, 'g', 6);
    const int height = QFontMetrics(font()).height() + 10, width = static_cast<int>(std::lround(length * pixels));
    return ScaleBar{length, metric ? tr("%1 mm").arg(number) : tr("%1 voxels").arg(number),
                    QRect(this->width() - 10 - width, this->height() - 6 - height, width, height)};
}

}  // namespace parallax::ui
