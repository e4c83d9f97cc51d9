// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/pipeline/step_summary.hpp"

#include <utility>
#include <vector>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr std::string_view kTimes = " \xC3\x97 ";  // multiplication sign
constexpr std::size_t kLongestText = 40;

/// Joins words by single blanks.
std::string asOneLine(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
        if (!blank) line += c;
        else if (!line.empty() && line.back() != ' ') line += ' ';
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

/// "3 x 3" for a matrix as text, "3 x 3 x 2" for slices separated by '|'; empty if rows differ.
std::string sizeOfMatrix(std::string_view text) {
    std::size_t rows = 0, columns = 0, inRow = 0, slices = 1;
    bool inWord = false, regular = true;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : '\n';
        const bool rowEnds = c == '\n' || c == ';' || c == ']' || c == '|';
        slices += c == '|';
        if (rowEnds || std::string_view(" \t\r,[()").find(c) != std::string_view::npos) inWord = false;
        else if (!std::exchange(inWord, true)) inRow += std::string_view("+-.0123456789").find(c) != std::string_view::npos;
        if (!rowEnds || inRow == 0) continue;
        if (rows == 0) columns = inRow;
        regular = regular && inRow == columns;
        inRow = 0;
        ++rows;
    }
    if (rows == 0 || !regular || rows % slices != 0) return {};
    std::string size = std::to_string(columns) + std::string(kTimes) + std::to_string(rows / slices);
    if (slices > 1) size += std::string(kTimes) + std::to_string(slices);
    return size;
}

class Summary {
public:
    Summary(const Step& step, const SummaryLanguage& language) : step_(step), language_(language) {}

    std::string text() {
        for (const ParameterInfo& info : step_.parameters.table().infos())
            if (step_.parameters.isShown(info.key)) add(info);
        std::string text = translated(step_.operation->title());
        if (!kind_.empty()) text += ": " + kind_;
        for (std::size_t i = 0; i < others_.size(); ++i) text += (i > 0 ? ", " : kind_.empty() ? ": " : ", ") + others_[i];
        return text;
    }

private:
    std::string translated(const std::string& text) const {
        return language_.translate && !text.empty() ? language_.translate(text) : text;
    }

    /// Windows extend along three axes.
    bool isVolume() const { return step_.parameters.table().find("axes") >= 0 && toText(step_.parameters.get("axes")) == "xyz"; }

    void add(const ParameterInfo& info) {
        const ParameterValue value = step_.parameters.get(info.key);
        const std::string valueText = toText(value);
        // The first choice says which kind of operation it is, and kernels have a size.
        if (info.kind == ParameterKind::choice && kind_.empty() && others_.empty()) {
            kind_ = valueIn(info, value);
        } else if (info.key == "size" && !kind_.empty()) {
            kind_ += " " + valueText + std::string(kTimes) + valueText;
            if (isVolume()) kind_ += std::string(kTimes) + valueText;
        } else if (info.editor == "kernel") {
            // Slices may also be separated in ways that only the operation knows.
            if (isVolume() && valueText.find('|') == std::string::npos) return;
            if (const std::string size = sizeOfMatrix(valueText); !size.empty()) kind_ += " " + size;
        } else if (value == info.defaultValue) {
            return;
        } else if (info.kind == ParameterKind::boolean) {
            others_.push_back(translated(info.title) + " " + translated(std::get<bool>(value) ? "on" : "off"));
        } else {
            others_.push_back(translated(info.title) + " " + valueIn(info, value));
        }
    }

    std::string valueIn(const ParameterInfo& info, const ParameterValue& value) const {
        const std::string text = toText(value);
        for (const ParameterChoice& choice : info.choices)
            if (choice.key == text) return translated(choice.title);
        if (info.kind == ParameterKind::text) {
            const std::string line = asOneLine(text);
            return line.size() <= kLongestText ? line : std::string("\xE2\x80\xA6");  // ellipsis
        }
        const double number =
            info.kind == ParameterKind::integer ? static_cast<double>(std::get<std::int64_t>(value)) : std::get<double>(value);
        if (number == info.minimum && !info.minimumMeans.empty()) return translated(info.minimumMeans);
        const std::string shown = info.kind == ParameterKind::real && language_.number ? language_.number(number) : text;
        if (info.unit.empty()) return shown;
        return info.unit == "deg" ? shown + "\xC2\xB0" : shown + " " + info.unit;
    }

    const Step& step_;
    const SummaryLanguage& language_;
    std::string kind_;
    std::vector<std::string> others_;
};

}  // namespace

std::string summaryOf(const Step& step, const SummaryLanguage& language) { return Summary(step, language).text(); }

std::string summaryOf(const Catalog& catalog, const std::string& stepText, const SummaryLanguage& language) {
    try {
        return summaryOf(parseStep(catalog, stepText), language);
    } catch (const Error&) {
        return asOneLine(stepText);  // of a build that has other operations
    }
}

}  // namespace parallax
