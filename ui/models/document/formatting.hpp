// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them: few digits, a unit, their own decimal sign.
#pragma once

#include <QString>
#include <cstdint>

namespace parallax::ui {

/// "1.23 ms" from nanoseconds, three significant digits.
QString formatDuration(double nanoseconds);
/// "48 MiB".
QString formatBytes(double bytes);
/// A sample: six significant digits, "NaN", "+Inf", "-Inf".
QString formatSample(double value);
/// The same with as many of these digits as there is room for, in widths of a digit (at least 6).
QString formatShort(double value, double room);
/// An error or another small number: two or three significant digits, "0" when it is exactly nothing.
QString formatError(double value);
/// Three significant digits.
QString formatNumber(double value);
/// "12.3x".
QString formatFactor(double factor);
/// "2048 x 1024".
QString formatExtent(std::int64_t width, std::int64_t height, std::int64_t depth = 1);

/// "1 thread", "8 threads".
QString formatThreads(int threads);

}  // namespace parallax::ui
