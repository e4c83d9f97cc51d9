// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/operation/parameter_table.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <optional>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

[[noreturn]] void refuse(const ParameterInfo& info, const std::string& value, const std::string& allowed) {
    throw Error(ErrorCode::usage, "Parameter '" + info.key + "' cannot be '" + value + "'", allowed);
}

std::string rangeText(const ParameterInfo& info) {
    return "allowed are " + toText(info.minimum) + " to " + toText(info.maximum) + (info.unit.empty() ? "" : " " + info.unit) +
           (info.minimumWord.empty() ? "" : ", and " + info.minimumWord);
}

std::optional<bool> booleanOf(std::string_view text) {
    if (text == "true" || text == "1" || text == "yes" || text == "on") return true;
    if (text == "false" || text == "0" || text == "no" || text == "off") return false;
    return std::nullopt;
}

bool hasChoice(const ParameterInfo& info, std::string_view key) {
    return std::any_of(info.choices.begin(), info.choices.end(), [&](const ParameterChoice& c) { return c.key == key; });
}

/// The key of a choice; "yes" and the like also for choices between true, false and more.
std::string choiceOf(const ParameterInfo& info, std::string_view text) {
    const std::optional<bool> value = booleanOf(text);
    const std::string key = value ? toText(*value) : std::string();
    return value && !hasChoice(info, text) && hasChoice(info, key) ? key : std::string(text);
}

}  // namespace

std::string toText(const ParameterValue& value) {
    if (const bool* b = std::get_if<bool>(&value)) return *b ? "true" : "false";
    if (const auto* s = std::get_if<std::string>(&value)) return *s;
    char buffer[64];
    const auto result = std::holds_alternative<double>(value)
                            ? std::to_chars(buffer, buffer + sizeof buffer, std::get<double>(value))
                            : std::to_chars(buffer, buffer + sizeof buffer, std::get<std::int64_t>(value));
    return {buffer, result.ptr};
}

int ParameterTableBase::find(std::string_view key) const {
    for (std::size_t i = 0; i < infos_.size(); ++i)
        if (infos_[i].key == key) return static_cast<int>(i);
    return -1;
}

std::size_t ParameterBlock::indexOf(std::string_view key) const {
    const int index = table_ ? table_->find(key) : -1;
    if (index < 0)
        throw Error(ErrorCode::usage, "There is no parameter '" + std::string(key) + "'",
                    "known are " + (table_ ? joined(table_->infos(), ", ", &ParameterInfo::key) : std::string()));
    return static_cast<std::size_t>(index);
}

std::uint64_t ParameterBlock::nextRevision() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

ParameterValue ParameterBlock::get(std::string_view key) const { return table_->get(values_, indexOf(key)); }

ParameterValue ParameterBlock::written(std::string_view key) const {
    const ParameterInfo& info = table_->infos()[indexOf(key)];
    const ParameterValue value = get(key);
    return !info.minimumWord.empty() && value == ParameterValue(info.minimum) ? ParameterValue(info.minimumWord) : value;
}

void ParameterBlock::set(std::string_view key, const ParameterValue& given) {
    const std::size_t index = indexOf(key);
    const ParameterInfo& info = table_->infos()[index];
    ParameterValue value = given;
    if (!info.minimumWord.empty() && given == ParameterValue(info.minimumWord)) value = info.minimum;
    switch (info.kind) {
        case ParameterKind::boolean:
            if (!std::holds_alternative<bool>(value)) refuse(info, toText(value), "allowed are true and false");
            break;
        case ParameterKind::integer:
            if (const double* d = std::get_if<double>(&value); d && std::floor(*d) == *d && std::fabs(*d) < 1e15)
                value = static_cast<std::int64_t>(*d);
            if (!std::holds_alternative<std::int64_t>(value)) refuse(info, toText(value), "a whole number is needed; " + rangeText(info));
            if (const auto n = static_cast<double>(std::get<std::int64_t>(value)); n < info.minimum || n > info.maximum)
                refuse(info, toText(value), rangeText(info));
            break;
        case ParameterKind::real:
            if (const auto* n = std::get_if<std::int64_t>(&value)) value = static_cast<double>(*n);
            if (!std::holds_alternative<double>(value)) refuse(info, toText(value), "a number is needed; " + rangeText(info));
            // Written so that NaN is refused too.
            if (const double d = std::get<double>(value); !(d >= info.minimum && d <= info.maximum))
                refuse(info, toText(value), rangeText(info));
            break;
        case ParameterKind::choice: {
            // Written by versions in which the parameter was on or off.
            if (const bool* b = std::get_if<bool>(&value)) value = toText(*b);
            const auto* s = std::get_if<std::string>(&value);
            if (!s || !hasChoice(info, *s)) refuse(info, toText(value), "allowed are " + joined(info.choices, ", ", &ParameterChoice::key));
            break;
        }
        case ParameterKind::text:
            if (!std::holds_alternative<std::string>(value)) refuse(info, toText(value), "text is needed");
            break;
    }
    table_->assign(values_, index, value);
    revision_ = nextRevision();
}

void ParameterBlock::setText(std::string_view key, std::string_view text) {
    const ParameterInfo& info = table_->infos()[indexOf(key)];
    const std::string_view number = text.starts_with('+') ? text.substr(1) : text;
    if (!info.minimumWord.empty() && text == info.minimumWord) return set(key, info.minimumWord);
    switch (info.kind) {
        case ParameterKind::boolean:
            if (const auto value = booleanOf(text)) return set(key, *value);
            refuse(info, std::string(text), "allowed are true and false");
        case ParameterKind::integer: {
            std::int64_t n = 0;
            if (!parseNumber(number, n)) refuse(info, std::string(text), "a whole number is needed; " + rangeText(info));
            return set(key, n);
        }
        case ParameterKind::real: {
            double d = 0;
            if (!parseNumber(number, d)) refuse(info, std::string(text), "a number is needed; " + rangeText(info));
            return set(key, d);
        }
        case ParameterKind::choice: return set(key, choiceOf(info, text));
        case ParameterKind::text: return set(key, std::string(text));
    }
}

void ParameterBlock::takeChecked(std::any values) {
    ParameterBlock checked(*table_);
    for (std::size_t i = 0; i < table_->infos().size(); ++i) checked.set(table_->infos()[i].key, table_->get(values, i));
    values_ = std::move(values);
    revision_ = nextRevision();
}

std::string ParameterBlock::text(std::string_view key) const { return toText(written(key)); }

bool ParameterBlock::isShown(std::string_view key) const {
    const ParameterInfo& info = table_->infos()[indexOf(key)];
    if (info.shownIfKey.empty()) return true;
    const std::string value = text(info.shownIfKey);
    return std::find(info.shownIfValues.begin(), info.shownIfValues.end(), value) != info.shownIfValues.end();
}

bool ParameterBlock::operator==(const ParameterBlock& other) const {
    if (table_ != other.table_) return false;
    if (!table_) return true;
    for (std::size_t i = 0; i < table_->infos().size(); ++i)
        if (table_->get(values_, i) != table_->get(other.values_, i)) return false;
    return true;
}

}  // namespace parallax
