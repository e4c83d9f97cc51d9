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
#include "core/io/saver.hpp"
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

/// Writes volumes of 4 x 3 x 2 voxels as one NIfTI file, 2 s apart: values 0 to 23 in the first, 100 to 123 in the second, ...
inline bool writeSeries(const QString& path, std::int16_t volumes) {
    Buffer samples(Shape{4, 3, 2, 1});
    for (std::int64_t i = 0; i < 24; ++i) samples.view<float>().data[i] = static_cast<float>(i);
    Image one(std::move(samples));
    one.geometry = straight({1, 1, 1});
    (void)saveImage(one, path.toStdString());
    QFile file(path);
    if (!file.open(QIODevice::ReadWrite) || !file.seek(40)) return false;
    const std::int16_t dims[] = {4, 4, 3, 2, volumes};
    file.write(reinterpret_cast<const char*>(dims), sizeof(dims));
    const float step = 2;
    file.seek(92);
    file.write(reinterpret_cast<const char*>(&step), sizeof(step));
    file.seek(123);
    file.write("\x0a", 1);  // mm and s
    file.seek(file.size());
    for (int volume = 1; volume < volumes; ++volume)
        for (int i = 0; i < 24; ++i) {
            const auto value = static_cast<float>(100 * volume + i);
            file.write(reinterpret_cast<const char*>(&value), sizeof(value));
        }
    return true;
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
