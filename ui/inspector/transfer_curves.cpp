// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/transfer_curves.hpp"

#include <algorithm>
#include <utility>

#include "core/image/transfer.hpp"
#include "ui/inspector/histogram_items.hpp"
#include "ui/models/pipeline/compare_setup.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace parallax::ui {
namespace {

/// Position of a linear value on the axis of the curve: sRGB, which is about perceptually uniform.
double shownHeight(double light) { return 100 * linearToSrgb(std::clamp(light, 0.0, 1.0)); }

const TransferRecord* firstCurve(const SideState& side) {
    if (!side.result || side.error) return nullptr;
    for (const TransferRecord& record : side.result->transfers)
        if (record.step == 0) return &record;
    return nullptr;
}

}  // namespace

bool hasCurve(const SideState& side) { return firstCurve(side) != nullptr; }

std::vector<PaneCurve> curvesOf(const Session& session, const std::shared_ptr<const Image>& image) {
    std::vector<PaneCurve> found;
    if (!image) return found;
    const CompareSetup& setup = session.pipeline().setup();
    const Side active = session.pipeline().active();
    for (const Side side : session.sides()) {
        const SideState& state = session.side(side);
        const TransferRecord* record = firstCurve(state);
        if (!record || state.result->input != image) continue;
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const PaneCurve& curve) { return sameSteps(setup.stepsOf(curve.side), setup.stepsOf(side)); });
        if (same == found.end()) {
            found.push_back({side, side == active, letterOf(side), state.result, record});
            continue;
        }
        same->letters += QLatin1Char(' ') + letterOf(side);
        if (side == active) *same = {side, true, same->letters, state.result, record};
    }
    return found;
}

void TransferCurves::add(const QString& label) {
    const Theme& theme = currentTheme();
    QCPAxisRect& axes = *plot_.axisRect(0);
    QCPAxis& shown = *axes.axis(QCPAxis::atRight);
    shown.setRange(0, 106);
    shown.setLabel(label);
    shown.grid()->setVisible(false);
    shown.ticker()->setTickCount(3);
    shown.setVisible(false);
    clipped_ = addArea(axes, QCPAxis::atRight, translucent(theme.dark ? QColor(255, 90, 70) : QColor(200, 40, 20), 60));
    clipped_->setVisible(false);
}

void TransferCurves::clear() {
    clipped_ = nullptr;
    lines_.clear();
    letters_.clear();
    curves_.clear();
}

bool TransferCurves::show(std::vector<PaneCurve> curves) {
    if (!clipped_ || curves == curves_) return false;
    curves_ = std::move(curves);
    for (QCPGraph* line : std::as_const(lines_)) plot_.removePlottable(line);
    for (QCPItemText* letters : std::as_const(letters_)) plot_.removeItem(letters);
    lines_.clear();
    letters_.clear();
    plot_.axisRect(0)->axis(QCPAxis::atRight)->setVisible(!curves_.empty());
    clipped_->setVisible(false);
    for (std::size_t i = 0; i < curves_.size(); ++i) draw(curves_[i], i, curves_.size());
    if (const PaneCurve* curve = described()) markClipped(curve->record->curve);
    plot_.replot(QCustomPlot::rpQueuedReplot);
    return true;
}

const PaneCurve* TransferCurves::described() const {
    const auto active = std::find_if(curves_.begin(), curves_.end(), [](const PaneCurve& curve) { return curve.active; });
    if (active != curves_.end()) return &*active;
    return curves_.empty() ? nullptr : &curves_.front();
}

void TransferCurves::draw(const PaneCurve& curve, std::size_t index, std::size_t count) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    QCPAxisRect& axes = *plot_.axisRect(0);
    QCPAxis *values = axes.axis(QCPAxis::atBottom), *shown = axes.axis(QCPAxis::atRight);
    const TransferCurve& samples = curve.record->curve;
    QVector<QCPGraphData> points, visible;
    for (std::size_t i = 0; i < samples.input.size(); ++i) {
        points.append({samples.input[i], shownHeight(samples.output[i])});
        if (values->range().contains(points.back().key)) visible.append(points.back());
    }
    const QColor colour = currentTheme().badge(letterOf(curve.side));
    auto* line = new QCPGraph(values, shown);
    line->setPen(QPen(colour, 2, styles[index % std::size(styles)]));
    line->data()->set(points, true);
    lines_ << line;
    if (visible.isEmpty()) return;
    // Each at another place, because curves often meet at their ends.
    const QCPGraphData& at = visible[static_cast<qsizetype>((index + 1) * static_cast<std::size_t>(visible.size()) / (count + 1))];
    auto* letters = new QCPItemText(&plot_);
    placeOnAxes({letters->position}, axes, QCPAxis::atRight);
    letters->position->setCoords(at.key, at.value);
    letters->setLayer(QStringLiteral("overlay"));
    letters->setText(curve.letters);
    letters->setFont(values->tickLabelFont());
    letters->setColor(Qt::white);  // as on the badges of panes
    letters->setBrush(colour);
    letters->setPadding(QMargins(3, 0, 3, 0));
    letters_ << letters;
}

void TransferCurves::markClipped(const TransferCurve& curve) {
    constexpr double kRounding = 1e-6;
    const auto first = std::find_if(curve.output.begin(), curve.output.end(), [](double output) { return output > 1 + kRounding; });
    if (first == curve.output.end()) return;
    const QCPAxisRect& axes = *plot_.axisRect(0);
    const double from = curve.input[static_cast<std::size_t>(first - curve.output.begin())];
    clipped_->topLeft->setCoords(from, axes.axis(QCPAxis::atRight)->range().upper);
    clipped_->bottomRight->setCoords(axes.axis(QCPAxis::atBottom)->range().upper, 0);
    clipped_->setVisible(true);
}

}  // namespace parallax::ui
