// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/volume/box_edit.hpp"

#include <algorithm>
#include <cmath>

namespace parallax::ui {
namespace {

std::size_t indexOf(int axis) { return static_cast<std::size_t>(axis); }

/// Position of the lower edge of a voxel.
double edgeOf(const AxisMap& map, std::int64_t voxel) { return map.mmOf(static_cast<double>(voxel) - 0.5); }
/// The voxel whose lower edge is nearest; the count of the axis for the upper edge of the last one.
std::int64_t nearestEdge(const AxisMap& map, double mm) {
    return std::clamp<std::int64_t>(std::llround(map.indexOf(mm) + 0.5), 0, map.count());
}

double lengthOf(const SampleBox& box, const VolumeFrame& frame, int axis) {
    const AxisMap& map = frame.axis(axis);
    return edgeOf(map, box.first[indexOf(axis)] + box.extent[indexOf(axis)]) - edgeOf(map, box.first[indexOf(axis)]);
}

void dragAxis(SampleBox& box, int side, bool whole, const AxisMap& map, std::size_t axis, double from, double to) {
    std::int64_t first = box.first[axis], end = first + box.extent[axis];
    if (whole) {
        const std::int64_t by = std::clamp<std::int64_t>(std::llround(map.indexOf(to) - map.indexOf(from)), -first, map.count() - end);
        first += by;
        end += by;
    } else if (side < 0) {
        first = std::min(nearestEdge(map, to), end - 1);
    } else if (side > 0) {
        end = std::max(nearestEdge(map, to), first + 1);
    }
    box.first[axis] = first;
    box.extent[axis] = end - first;
}

}  // namespace

QRectF edgesOf(const SampleBox& box, const VolumeFrame& frame, const PlaneAxes& axes) {
    return {edgeOf(frame.axis(axes.u), box.first[indexOf(axes.u)]), edgeOf(frame.axis(axes.v), box.first[indexOf(axes.v)]),
            lengthOf(box, frame, axes.u), lengthOf(box, frame, axes.v)};
}

bool crosses(const SampleBox& box, const PlaneAxes& axes, std::int64_t slice) {
    return slice >= box.first[indexOf(axes.n)] && slice <= box.last(indexOf(axes.n));
}

std::optional<BoxGrip> gripAt(const QRectF& edges, QPointF position, double reach) {
    const QRectF around = edges.adjusted(-reach, -reach, reach, reach);
    if (!around.contains(position)) return {};
    const auto sideOf = [reach](double at, double low, double high) {
        // The nearer side of a box that is narrower than the reach.
        if (std::fabs(at - low) <= reach && std::fabs(at - low) <= std::fabs(at - high)) return -1;
        return std::fabs(at - high) <= reach ? 1 : 0;
    };
    return BoxGrip{sideOf(position.x(), edges.left(), edges.right()), sideOf(position.y(), edges.top(), edges.bottom())};
}

SampleBox boxBetween(const VolumeFrame& frame, const PlaneAxes& axes, std::int64_t slice, QPointF from, QPointF to) {
    SampleBox box;
    const auto span = [&](int axis, double a, double b) {
        const std::int64_t one = frame.axis(axis).nearest(a), two = frame.axis(axis).nearest(b);
        box.first[indexOf(axis)] = std::min(one, two);
        box.extent[indexOf(axis)] = std::abs(two - one) + 1;
    };
    span(axes.u, from.x(), to.x());
    span(axes.v, from.y(), to.y());
    const double half = 0.5 * std::min(lengthOf(box, frame, axes.u), lengthOf(box, frame, axes.v)) * (1 - 1e-9);
    const AxisMap& through = frame.axis(axes.n);
    const double middle = through.mmOf(static_cast<double>(slice));
    span(axes.n, middle - half, middle + half);
    return box;
}

SampleBox dragged(const SampleBox& box, const BoxGrip& grip, const VolumeFrame& frame, const PlaneAxes& axes, QPointF from, QPointF to) {
    SampleBox moved = box;
    dragAxis(moved, grip.u, grip.holdsWhole(), frame.axis(axes.u), indexOf(axes.u), from.x(), to.x());
    dragAxis(moved, grip.v, grip.holdsWhole(), frame.axis(axes.v), indexOf(axes.v), from.y(), to.y());
    return moved;
}

std::optional<SampleBox> inside(const std::optional<SampleBox>& box, const VolumeFrame& frame) {
    if (!box) return {};
    const Voxel counts = frame.counts();
    const SampleBox part = clipped(*box, {.width = counts[0], .height = counts[1], .depth = counts[2], .channels = 1});
    return part.isEmpty() ? std::nullopt : std::optional(part);
}

double volumeOf(const SampleBox& box, const VolumeFrame& frame) {
    double volume = 1;
    for (const int axis : {0, 1, 2}) volume *= lengthOf(box, frame, axis);
    const double xy = frame.cosine(0, 1), xz = frame.cosine(0, 2), yz = frame.cosine(1, 2);
    return volume * std::sqrt(std::max(0.0, 1 + 2 * xy * xz * yz - xy * xy - xz * xz - yz * yz));
}

}  // namespace parallax::ui
