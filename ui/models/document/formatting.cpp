// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/document/formatting.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace parallax::ui {
namespace {

int shownDigits = kDefaultDigits;

/// Formats with significant digits; with an exponent only below 1e-4 and from 1e7 on.
QString significant(double value, int digits) {
    if (value == 0) return QStringLiteral("0");
    // Rounding may add a digit: 0.9999 with three digits is 1.00.
    const double magnitude = std::floor(std::log10(std::fabs(QByteArray::number(value, 'e', digits - 1).toDouble())));
    if (magnitude < -4 || magnitude >= 7) return withMinus(QLocale().toString(value, 'e', digits - 1));
    const int decimals = std::max(0, digits - 1 - static_cast<int>(magnitude));
    return withMinus(QLocale().toString(value, 'f', decimals));
}

}  // namespace

void setShownDigits(int digits) { shownDigits = digits; }

QString formatDuration(double nanoseconds) {
    const double t = std::fabs(nanoseconds);
    if (t < 999.5) return significant(nanoseconds, 3) + QStringLiteral(" ns");
    if (t < 999.5e3) return significant(nanoseconds / 1e3, 3) + QStringLiteral(" µs");
    if (t < 999.5e6) return significant(nanoseconds / 1e6, 3) + QStringLiteral(" ms");
    return significant(nanoseconds / 1e9, 3) + QStringLiteral(" s");
}

QString formatBytes(double bytes) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1000 && unit < 4) {
        bytes /= 1024;
        ++unit;
    }
    return significant(bytes, bytes < 10 && unit > 0 ? 2 : 3) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

QString formatSample(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("+Inf") : QStringLiteral("−Inf");
    return withMinus(QLocale().toString(value, 'g', shownDigits));
}

QString formatQuantity(double value, const QString& unit) {
    if (unit == QLatin1String("%")) return formatPercent(value);
    QString number = formatSample(value);
    if (unit == QLatin1String("HU") && std::isfinite(value)) {
        const double tenths = std::round(10 * value);
        number = withMinus(QLocale().toString(tenths / 10 + 0.0, 'f', std::fmod(tenths, 10) == 0 ? 0 : 1));
    }
    return unit.isEmpty() ? number : number + QLatin1Char(' ') + unit;
}

QString formatPercent(double percent) {
    if (!std::isfinite(percent)) return formatSample(percent) + QStringLiteral(" %");
    if (percent != 0 && std::fabs(percent) < 0.005) return QStringLiteral("< ") + QLocale().toString(0.01, 'f', 2) + QStringLiteral(" %");
    const int decimals = percent == std::round(percent) ? 0 : std::fabs(percent) < 10 ? 2 : 1;
    return withMinus(QLocale().toString(percent, 'f', decimals)) + QStringLiteral(" %");
}

QString formatCount(std::uint64_t count) {
    QLocale locale;
    locale.setNumberOptions(locale.numberOptions() & ~QLocale::OmitGroupSeparator);
    return locale.toString(static_cast<qulonglong>(count));
}

QString formatPsnr(double decibels) { return std::isinf(decibels) ? QStringLiteral("∞") : withMinus(QLocale().toString(decibels, 'f', 1)); }

QString withMinus(QString number) { return number.replace(QLatin1Char('-'), QChar(0x2212)); }

QString formatShort(double value, double room) {
    QString text = formatSample(value);
    if (!std::isfinite(value)) return text;
    // Points and signs are half as wide as digits. Leading zeros of an exponent are dropped.
    const auto wide = [](const QString& t) {
        double sum = 0;
        for (const QChar c : t) sum += c.isLetterOrNumber() ? 1 : 0.5;
        return sum;
    };
    static const QRegularExpression zeros(QStringLiteral("([eE][+\\x{2212}])0+"));
    static const QRegularExpression plus(QStringLiteral("([eE])\\+"));
    for (int digits = shownDigits; digits > 1 && wide(text) > room; --digits)
        for (const char form : {'g', 'e'}) {
            text = withMinus(QLocale().toString(value, form, form == 'e' ? digits - 1 : digits));
            text.replace(zeros, QStringLiteral("\\1"));
            text.replace(plus, QStringLiteral("\\1"));
            if (wide(text) <= room) break;
        }
    return text;
}

QString formatError(double value) {
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return QStringLiteral("∞");
    if (value == 0) return QStringLiteral("0");
    // Three digits, but 1,370 instead of 1.37e+03.
    const bool thousands = std::fabs(value) >= 999.5 && std::fabs(value) < 999'999.5;
    return withMinus(thousands ? QLocale().toString(value, 'f', 0) : QLocale().toString(value, 'g', 3));
}

QString formatNumber(double value) { return std::isfinite(value) ? significant(value, 3) : formatSample(value); }

QString formatFactor(double factor) { return significant(factor, 3) + QStringLiteral("×"); }

QString formatExtent(std::int64_t width, std::int64_t height, std::int64_t depth) {
    QString text = QStringLiteral("%1 × %2").arg(width).arg(height);
    if (depth > 1) text += QStringLiteral(" × %1").arg(depth);
    return text;
}

QString beyondText(std::int64_t samples) {
    return samples == 1 ? QCoreApplication::translate("formatting", "1 sample beyond the range")
                        : QCoreApplication::translate("formatting", "%1 samples beyond the range")
                              .arg(QLocale().toString(static_cast<qlonglong>(samples)));
}

QString formatThreads(int threads) {
    return threads == 1 ? QCoreApplication::translate("formatting", "1 thread")
                        : QCoreApplication::translate("formatting", "%1 threads").arg(threads);
}

}  // namespace parallax::ui
