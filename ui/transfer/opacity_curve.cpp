// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfer/opacity_curve.hpp"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/image/transfer.hpp"
#include "core/operations/render/transfer_curve.hpp"

namespace parallax::ui {
namespace {

constexpr double kLargest = 1e30;  // magnitude of a value
constexpr int kDigits = 6;

QColor fromLinear(const double* light) {
    const auto level = [](double v) { return static_cast<int>(std::lround(255 * std::clamp(linearToSrgb(v), 0.0, 1.0))); };
    return {level(light[0]), level(light[1]), level(light[2])};
}

}  // namespace

OpacityCurve::OpacityCurve() : OpacityCurve(QStringLiteral("0:0:#000000 1:0.1:#ffffff")) {}

OpacityCurve::OpacityCurve(const QString& text) {
    for (const render::CurveNode& node : render::parseCurve(text.toStdString()))
        nodes_.push_back({node.value, node.opacity, fromLinear(node.colour)});
}

QString OpacityCurve::text() const {
    QStringList all;
    for (const OpacityNode& node : nodes_)
        all << QString::number(node.value, 'g', kDigits) + QLatin1Char(':') + QString::number(node.opacity, 'g', kDigits) +
                   QLatin1Char(':') + node.colour.name();
    return all.join(QLatin1Char(' '));
}

OpacityNode OpacityCurve::at(double value) const {
    const auto above = std::find_if(nodes_.begin(), nodes_.end(), [&](const OpacityNode& node) { return node.value >= value; });
    if (above == nodes_.begin() || above == nodes_.end()) {
        OpacityNode end = above == nodes_.end() ? nodes_.back() : nodes_.front();
        end.value = value;
        return end;
    }
    const OpacityNode &a = *(above - 1), &b = *above;
    const double f = (value - a.value) / (b.value - a.value);
    // Colours are mixed in linear light, as the operation does.
    const double from[] = {a.colour.redF(), a.colour.greenF(), a.colour.blueF()};
    const double to[] = {b.colour.redF(), b.colour.greenF(), b.colour.blueF()};
    double light[3];
    for (int c = 0; c < 3; ++c) light[c] = srgbToLinear(from[c]) + f * (srgbToLinear(to[c]) - srgbToLinear(from[c]));
    return {value, a.opacity + f * (b.opacity - a.opacity), fromLinear(light)};
}

double OpacityCurve::gap(double value) const { return std::max(2e-5 * std::fabs(value), 1e-4 * (last() - first())); }

void OpacityCurve::move(std::size_t node, double value, double opacity) {
    const double low = node == 0 ? -kLargest : nodes_[node - 1].value + gap(nodes_[node - 1].value);
    const double high = node + 1 == nodes_.size() ? kLargest : nodes_[node + 1].value - gap(nodes_[node + 1].value);
    if (low <= high && std::isfinite(value)) nodes_[node].value = std::clamp(value, low, high);
    nodes_[node].opacity = std::clamp(opacity, 0.0, kMaxOpaque);
}

std::optional<std::size_t> OpacityCurve::add(double value, double opacity) {
    const bool taken =
        std::any_of(nodes_.begin(), nodes_.end(), [&](const OpacityNode& node) { return std::fabs(node.value - value) < gap(node.value); });
    if (taken || nodes_.size() >= kMaxNodes || !(std::fabs(value) <= kLargest)) return {};
    OpacityNode added = at(value);
    added.opacity = std::clamp(opacity, 0.0, kMaxOpaque);
    const auto behind = std::find_if(nodes_.begin(), nodes_.end(), [&](const OpacityNode& node) { return node.value > value; });
    const auto inserted = nodes_.insert(behind, added);
    return static_cast<std::size_t>(inserted - nodes_.begin());
}

bool OpacityCurve::remove(std::size_t node) {
    if (nodes_.size() <= 2) return false;
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(node));
    return true;
}

}  // namespace parallax::ui
