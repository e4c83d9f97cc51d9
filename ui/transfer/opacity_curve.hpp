// SPDX-License-Identifier: GPL-3.0-or-later
// The transfer function of a rendering while it is edited: nodes of value, opacity and colour, as in the parameter `curve` of `render`.
#pragma once

#include <QColor>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

namespace parallax::ui {

struct OpacityNode {
    double value = 0;
    double opacity = 0;  ///< of a layer as thick as the finest spacing, 0 to OpacityCurve::kMaxOpaque
    QColor colour;       ///< sRGB
    friend bool operator==(const OpacityNode&, const OpacityNode&) = default;
};

class OpacityCurve {
public:
    static constexpr std::size_t kMaxNodes = 64;
    static constexpr double kMaxOpaque = 0.999;

    /// From black, transparent at 0, to white at 1.
    OpacityCurve();
    /// Throws Error(usage) for a text that the operation refuses.
    explicit OpacityCurve(const QString& text);

    const std::vector<OpacityNode>& nodes() const { return nodes_; }
    double first() const { return nodes_.front().value; }
    double last() const { return nodes_.back().value; }
    /// The nodes with six digits: VALUE:OPACITY:#rrggbb, separated by blanks.
    QString text() const;
    /// Colour and opacity of a value; constant beyond the ends.
    OpacityNode at(double value) const;

    /// Moves a node. It stays between its neighbours.
    void move(std::size_t node, double value, double opacity);
    void setColour(std::size_t node, const QColor& colour) { nodes_[node].colour = colour; }
    /// Adds a node with the colour that the value has, and returns its position; nothing if there are too many, or one at this value.
    std::optional<std::size_t> add(double value, double opacity);
    /// Returns false if only two are left.
    bool remove(std::size_t node);

    friend bool operator==(const OpacityCurve&, const OpacityCurve&) = default;

private:
    /// Least distance of the values of neighbours around a value: six digits tell them apart.
    double gap(double value) const;

    std::vector<OpacityNode> nodes_;
};

}  // namespace parallax::ui
