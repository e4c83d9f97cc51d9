// SPDX-License-Identifier: GPL-3.0-or-later
// Shared helpers of the tests of volumes in the window.
#pragma once

#include <QString>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "core/image/image.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/volume/volume_frame.hpp"

namespace parallax::ui {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
// Odd sizes and unequal spacing reveal swapped axes.
inline const QString kVolume = QStringLiteral("synthetic:noise:40x30x20");

/// Rows to the left, columns to the back, slices to the head.
inline Geometry straight(std::array<double, 3> spacing) {
    return {.spacing = spacing, .origin = {-10, -20, 30}, .direction = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .unit = "HU", .slicePositions = {}};
}

/// As sagittal MR: rows to the back, columns to the feet, slices to the right.
inline Geometry sagittal() {
    return {.spacing = {1, 2, 3}, .origin = {0, 0, 0}, .direction = {0, 0, -1, 1, 0, 0, 0, -1, 0}, .unit = "", .slicePositions = {}};
}

inline ImagePtr randomVolume(Shape shape, bool withNan = false) {
    Buffer buffer(shape);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-1000, 1000);
    for (std::int64_t i = 0; i < shape.samples(); ++i) buffer.view<float>().data[i] = values(random);
    if (withNan) buffer.view<float>().at(1, 2, 3) = kNan;
    return std::make_shared<const Image>(std::move(buffer));
}

inline std::vector<float> bytesOf(const Image& image) { return {image.view().data, image.view().data + image.shape().samples()}; }

inline QString letters(const VolumeFrame& frame, PlaneKind kind, bool radiological) {
    const PlaneAxes axes = frame.plane(kind, radiological);
    return frame.letters(axes.u, axes.flipU) + frame.letters(axes.u, !axes.flipU) + frame.letters(axes.v, axes.flipV) +
           frame.letters(axes.v, !axes.flipV);
}

inline void wheel(QWidget& widget, int delta, Qt::KeyboardModifiers modifiers = {}) {
    wheel(widget, QPointF(widget.rect().center()), delta, modifiers);
}

/// A window that shows volumes without processing, A and the original.
inline std::unique_ptr<MainWindow> volumeWindow() {
    auto window = shownWindow({1300, 900});
    window->session().pipeline().setEnabled(0, false);
    return window;
}

}  // namespace parallax::ui
