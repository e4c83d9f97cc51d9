// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/image/texts.hpp"
#include "core/report/charts/report_parts.hpp"

namespace parallax {
namespace {

std::string factorText(double factor) { return formatNumber(factor) + std::string(kDocumentSigns.times); }

/// "+25.0 %": how much longer a run takes.
std::string changeText(const ComparedEntry& e) {
    const double percent = 100 * (e.ratioOfMedians() - 1);
    return fmt::format("{}{:.1f} %", percent < 0 ? kDocumentSigns.minus : "+", std::abs(percent));
}

std::string intervalText(const ComparedEntry& e) {
    return fmt::format("{}{}{}", formatNumber(e.ratio.low), kDocumentSigns.range, formatNumber(e.ratio.high));
}

std::string verdictText(const ComparedEntry& e) { return std::string(verdictName(e.verdict)) + (e.regression ? ", REGRESSION" : ""); }

std::string resultText(const ComparedEntry& e) {
    return !e.sameResult ? std::string(kDocumentSigns.range) : *e.sameResult ? "same bits" : "other bits";
}

/// A bar for each row and baseline, those of a row together.
Drawing comparisonChart(const std::vector<NamedComparison>& comparisons, const std::vector<std::string>& labels) {
    BarChart chart{"Time now divided by time before", "ratio of medians of compute with 95 % interval", {}, {}, {}};
    const bool several = comparisons.size() > 1;
    for (std::size_t b = 0; several && b < comparisons.size(); ++b) {
        chart.partNames.push_back(comparisons[b].name);
        chart.partStyles.push_back(static_cast<int>(b));
    }
    for (const std::string& label : labels)
        for (std::size_t b = 0; b < comparisons.size(); ++b)
            for (const ComparedEntry& e : comparisons[b].result.entries) {
                if (e.label != label || !(e.baseNs > 0)) continue;
                std::vector<double> parts(b + 1, 0.0);
                parts.back() = e.ratioOfMedians();
                chart.bars.push_back({label, factorText(e.ratioOfMedians()) + " " + verdictText(e), std::move(parts), e.ratio});
            }
    return draw(chart);
}

/// Notes have the signs of terminals.
std::string withDocumentSigns(std::string text) {
    for (std::size_t at = 0; (at = text.find(kAsciiSigns.plusMinus, at)) != std::string::npos;)
        text.replace(at, kAsciiSigns.plusMinus.size(), kDocumentSigns.plusMinus);
    return text;
}

/// The notes of all comparisons, each once with the names of the baselines that it is about.
std::vector<std::string> notesOf(const std::vector<NamedComparison>& comparisons) {
    std::vector<std::pair<std::string, std::vector<std::string>>> notes;
    for (const NamedComparison& c : comparisons)
        for (const std::string& warning : c.result.warnings) {
            auto note = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.first == warning; });
            if (note == notes.end()) note = notes.insert(notes.end(), {warning, {}});
            note->second.push_back(c.name);
        }
    std::vector<std::string> texts;
    for (const auto& [warning, names] : notes) texts.push_back(joined(names, ", ") + ": " + withDocumentSigns(warning) + ".");
    return texts;
}

}  // namespace

ReportPart comparisonPart(const std::vector<NamedComparison>& comparisons) {
    std::vector<std::string> labels;
    for (const NamedComparison& c : comparisons)
        for (const ComparedEntry& e : c.result.entries)
            if (std::find(labels.begin(), labels.end(), e.label) == labels.end()) labels.push_back(e.label);
    if (comparisons.empty()) return {};
    ReportPart part;
    part.title = comparisons.size() == 1 ? "Comparison with " + comparisons.front().name
                                         : fmt::format("Comparison with {} baselines", comparisons.size());
    part.table.push_back({"Backend", "Baseline", "Before", "Now", "Change", "Ratio, 95 % interval", "Verdict", "Result"});
    for (const std::string& label : labels)
        for (const NamedComparison& c : comparisons)
            for (const ComparedEntry& e : c.result.entries)
                if (e.label == label)
                    part.table.push_back({label, c.name, formatTime(e.baseNs, kDocumentSigns), formatTime(e.newNs, kDocumentSigns),
                                          changeText(e), fmt::format("{} ({})", factorText(e.ratioOfMedians()), intervalText(e)),
                                          verdictText(e), resultText(e)});
    if (labels.empty()) part.table.clear();
    else {
        part.charts.push_back(comparisonChart(comparisons, labels));
        part.sentences.emplace_back(
            "Before and now are medians of compute. Verdicts follow from the 99 % interval of the ratio; changes within 2 % count as the "
            "same.");
    }
    part.notes = notesOf(comparisons);
    return part;
}

}  // namespace parallax
