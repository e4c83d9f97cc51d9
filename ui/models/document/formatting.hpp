// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers for the window: few digits, a unit, the decimal sign of the locale, a true minus. Texts for programs, such as the clipboard, use
// QString::number().
#pragma once

#include <QString>
#include <cstdint>

namespace parallax::ui {

constexpr int kDefaultDigits = 6;
/// Significant digits of samples from now on. Called by Settings, in the GUI thread.
void setShownDigits(int digits);

/// "1.23 ms" from nanoseconds, three significant digits.
QString formatDuration(double nanoseconds);
/// "48 MiB".
QString formatBytes(double bytes);
/// A sample value: setShownDigits() significant digits, "NaN", "+Inf", "−Inf".
QString formatSample(double value);
/// A sample with its unit, if it has one: "46.1 HU", at most one decimal for HU; "%" as formatPercent().
QString formatQuantity(double value, const QString& unit);
/// "0.71 %", "< 0.01 %": two decimals at most.
QString formatPercent(double percent);
/// A number of things, in groups of three digits: "1,234,567".
QString formatCount(std::uint64_t count);
/// A PSNR in dB, without the unit: one decimal, "∞".
QString formatPsnr(double decibels);
/// Replaces the hyphens of negative numbers and exponents by the minus sign.
QString withMinus(QString number);
/// The same with as many digits as fit into `room` (in widths of a digit, at least 6).
QString formatShort(double value, double room);
/// An error or another small number: three significant digits, "0" for exactly zero.
QString formatError(double value);
/// Three significant digits.
QString formatNumber(double value);
/// "12.3x".
QString formatFactor(double factor);
/// "2048 x 1024".
QString formatExtent(std::int64_t width, std::int64_t height, std::int64_t depth = 1);

/// "1,234 samples beyond the range".
QString beyondText(std::int64_t samples);

/// "1 thread", "8 threads".
QString formatThreads(int threads);

}  // namespace parallax::ui
