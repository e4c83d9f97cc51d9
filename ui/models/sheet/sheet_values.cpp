// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sheet/sheet_values.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"
#include "ui/models/pipeline/slider_scale.hpp"
#include "ui/models/pipeline/step_text.hpp"

namespace parallax::ui {
namespace {

constexpr double kAround = 4;  // ratio of the ends of the initial range to the present value

class ContactSheet {
    Q_DECLARE_TR_FUNCTIONS(ContactSheet)
};

[[noreturn]] void refuse(const QString& what, const QString& why) { throw Error(ErrorCode::usage, what.toStdString(), why.toStdString()); }

double asNumber(const ParameterValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    const auto* real = std::get_if<double>(&value);
    return real ? *real : 0;
}

double roundedTo(double value, int digits) {
    if (value == 0) return 0;
    return QString::number(value, 'g', digits).toDouble();
}

/// An integer near the value that the operation accepts; the value itself if there is none.
std::int64_t acceptedNear(const Step& step, const ParameterInfo& info, std::int64_t value) {
    constexpr std::int64_t kFarthest = 8;
    for (std::int64_t by = 0; by <= kFarthest; ++by) {
        for (const std::int64_t to : {value + by, value - by}) {
            const auto number = static_cast<double>(to);
            if (number >= info.minimum && number <= info.maximum && acceptsValue(step, info.key, ParameterValue(to))) return to;
        }
    }
    return value;
}

}  // namespace

std::vector<const ParameterInfo*> sheetParameters(const Step& step) {
    std::vector<const ParameterInfo*> list;
    for (const ParameterInfo& info : step.parameters.table().infos())
        if (info.kind != ParameterKind::text && step.parameters.isShown(info.key)) list.push_back(&info);
    return list;
}

bool acceptsValue(const Step& step, const std::string& key, const ParameterValue& value) {
    // Checked with a large image: errors of the image itself are reported elsewhere.
    constexpr std::int64_t kSide = 4096;
    const auto works = [&](const ParameterBlock& block) {
        try {
            step.operation->check(
                Problem{.shape = {kSide, kSide, 1, 1}, .channelNames = {"Y"}, .statistics = {}, .parameters = block, .facts = {}});
            return true;
        } catch (const Error&) {
            return false;
        }
    };
    if (!works(step.parameters)) return true;  // another parameter is invalid
    ParameterBlock block = step.parameters;
    try {
        block.set(key, value);
    } catch (const Error&) {
        return true;
    }
    return works(block);
}

SheetRange initialRange(const Step& step, const ParameterInfo& info, const ValueScale& image) {
    const SliderScale slider(info, image);
    const double value = asNumber(step.parameters.get(info.key));
    SheetRange range{slider.minimum(), slider.maximum(), info.logarithmic && slider.minimum() > 0};
    const bool meansOther = !info.minimumMeans.empty() && value == info.minimum;
    if (value > 0 && info.minimum >= 0 && !meansOther) {
        range.from = std::max(range.from, value / kAround);
        range.to = std::min(range.to, value * kAround);
    }
    range.from = roundedTo(range.from, 3);
    range.to = roundedTo(range.to, 3);
    return range;
}

std::vector<ParameterValue> valuesIn(const Step& step, const ParameterInfo& info, const SheetRange& range, int count) {
    if (range.logarithmic && (range.from <= 0 || range.to <= 0))
        refuse(ContactSheet::tr("Logarithmic values need a range above 0"), ContactSheet::tr("0 and negative numbers have no logarithm"));
    std::vector<ParameterValue> values;
    for (int i = 0; i < count; ++i) {
        const double t = count > 1 ? static_cast<double>(i) / (count - 1) : 0;
        double value = range.logarithmic ? range.from * std::pow(range.to / range.from, t) : range.from + t * (range.to - range.from);
        if (i > 0 && i + 1 < count) value = roundedTo(value, 3);
        else value = i == 0 ? range.from : range.to;
        value = std::clamp(value, info.minimum, info.maximum);
        ParameterValue next(value);
        if (info.kind == ParameterKind::integer) next = acceptedNear(step, info, std::llround(value));
        if (std::find(values.begin(), values.end(), next) == values.end()) values.push_back(next);
    }
    return values;
}

double numberOf(const QString& text) {
    bool read = false;
    double value = 0;
    for (QLocale locale : {QLocale::c(), QLocale()}) {
        locale.setNumberOptions(QLocale::RejectGroupSeparator);  // "0,125" is a fraction or an error, never 125
        if (!read) value = locale.toDouble(text.trimmed(), &read);
    }
    if (!read || !std::isfinite(value)) refuse(ContactSheet::tr("'%1' is not a number").arg(text.trimmed()), {});
    return value;
}

std::vector<ParameterValue> valuesOf(const ParameterInfo& info, const QString& list) {
    static const QRegularExpression separators(QStringLiteral("[;\\s]+"));
    std::vector<ParameterValue> values;
    for (QString item : list.split(separators, Qt::SkipEmptyParts)) {
        if (item.endsWith(QLatin1Char(','))) item.chop(1);  // "1, 2, 3"
        const double value = numberOf(item);
        if (value < info.minimum || value > info.maximum)
            refuse(ContactSheet::tr("%1 is out of range").arg(item),
                   ContactSheet::tr("allowed are %1 to %2").arg(numberText(info.minimum), numberText(info.maximum)));
        const bool integer = info.kind == ParameterKind::integer;
        if (integer && value != std::floor(value)) refuse(ContactSheet::tr("%1 is not a whole number").arg(item), {});
        const ParameterValue next = integer ? ParameterValue(std::llround(value)) : ParameterValue(value);
        if (std::find(values.begin(), values.end(), next) == values.end()) values.push_back(next);
    }
    return values;
}

QString listOf(const std::vector<ParameterValue>& values) {
    QStringList texts;
    for (const ParameterValue& value : values) texts << numberText(asNumber(value));
    return texts.join(QStringLiteral("; "));
}

std::vector<Pipeline> sheetSteps(const Pipeline& steps, int row, const std::string& key, const std::vector<ParameterValue>& values) {
    if (values.size() < 2) refuse(ContactSheet::tr("A contact sheet needs at least two values"), {});
    if (values.size() > static_cast<std::size_t>(kMaxSides))
        refuse(ContactSheet::tr("A contact sheet has at most %1 values").arg(kMaxSides), {});
    std::vector<Pipeline> sheet;
    for (const ParameterValue& value : values) {
        Pipeline each = steps;
        Step& step = each.steps.at(static_cast<std::size_t>(row));
        step.enabled = true;
        step.parameters.set(key, value);
        sheet.push_back(std::move(each));
    }
    return sheet;
}

}  // namespace parallax::ui
