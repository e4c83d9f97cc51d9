// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/timing_summary.hpp"

#include "ui/models/pipeline/choice_text.hpp"

namespace parallax::ui {
namespace {

QStringList texts(const std::vector<std::string>& sentences) {
    QStringList list;
    for (const std::string& s : sentences) list << QString::fromStdString(s);
    return list;
}

}  // namespace

TimingSummary summariseTimings(const RunRecord& record) {
    TimingSummary summary;
    summary.baseline = QString::fromStdString(record.baseline);
    summary.warnings = texts(record.warnings);
    std::vector<SummaryRow> numbers = summarise(record);
    for (std::size_t i = 0; i < record.entries.size() && i < numbers.size(); ++i) {
        const RunEntry& entry = record.entries[i];
        TimingRow row;
        row.numbers = std::move(numbers[i]);
        row.entry = static_cast<int>(i);
        row.label = QString::fromStdString(entry.label);
        row.variant = QString::fromStdString(entry.variant);
        row.choices = choiceTexts(entry);
        row.device = QString::fromStdString(entry.device);
        row.reason = QString::fromStdString(entry.reason);
        row.toleranceReason = QString::fromStdString(entry.toleranceReason);
        row.threads = entry.threads;
        row.prepare = static_cast<double>(entry.prepare[Stage::prepare]);
        row.warnings = texts(entry.warnings);
        summary.rows.push_back(std::move(row));
    }
    return summary;
}

}  // namespace parallax::ui
