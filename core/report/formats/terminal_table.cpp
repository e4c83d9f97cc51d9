// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

/// Number of UTF-8 characters.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

}  // namespace

std::string toTerminalTable(const RunRecord& record, bool colour) {
    constexpr std::size_t kColumns = 8;
    using Line = std::array<std::string, kColumns>;
    std::vector<Line> lines{
        {lowerCase(labelTitle(record)), "compute", "95 % interval", "end to end", "speedup compute", "end to end", "max error", "energy"}};
    std::vector<const char*> colours{"\033[1m"};
    std::vector<std::string> notes;
    for (const SummaryRow& r : summarise(record)) {
        if (r.status != RunStatus::done && r.compute.count == 0) {
            lines.push_back({r.label, statusName(r.status), "", "", "", "", "", ""});
            colours.push_back("\033[2m");
            notes.push_back(fmt::format("{}: {}: {}", r.label, statusName(r.status), r.reason));
            continue;
        }
        lines.push_back({r.label, formatTime(r.compute.median),
                         fmt::format("{} - {}", formatTime(r.compute.medianInterval.low), formatTime(r.compute.medianInterval.high)),
                         formatTime(r.endToEnd.median), formatSpeedup(r, r.computeSpeedup), formatSpeedup(r, r.endToEndSpeedup),
                         formatError(r), r.energy});
        colours.push_back(r.verification == Verification::disagrees ? "\033[31m" : "");
        notes.push_back(fmt::format("{}: {}; {}; {} GFLOP/s, {} GB/s, {} Mpixel/s", r.label, r.ranOn,
                                    counted(static_cast<std::int64_t>(r.compute.count), "sample"), formatNumber(r.gigaflops),
                                    formatNumber(r.gigabytesPerSecond), formatNumber(r.megapixelsPerSecond)));
        if (r.firstRun > 0) notes.back() += "; first run " + formatTime(r.firstRun);
        if (!r.memory.empty()) notes.back() += "; memory " + r.memory;
        if (r.compute.outliers > 0) notes.back() += "; " + counted(static_cast<std::int64_t>(r.compute.outliers), "outlier") + " kept";
        if (!r.metrics.empty()) notes.push_back(fmt::format("{}: {}", r.label, r.metrics));
        if (!r.statistics.empty()) notes.push_back(fmt::format("{}: {}", r.label, r.statistics));
        if (!r.disagreement.empty()) notes.push_back(fmt::format("{}: {}", r.label, r.disagreement));
        for (const auto& w : r.warnings) notes.push_back(fmt::format("{}: note: {}", r.label, w));
    }
    if (std::none_of(lines.begin() + 1, lines.end(), [](const Line& l) { return !l.back().empty(); })) lines.front().back().clear();
    std::array<std::size_t, kColumns> widths{};
    for (Line& l : lines)
        for (std::string& text : l) text = printable(text);  // records may come from elsewhere
    for (const Line& l : lines)
        for (std::size_t c = 0; c < kColumns; ++c) widths[c] = std::max(widths[c], width(l[c]));
    std::string table;
    if (hasNamedRecipes(record))
        for (const std::string& recipe : record.recipe) table += printable(recipe) + "\n";
    if (record.protocol.coldCaches) table += formatCaches(record) + "\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::string text;
        for (std::size_t c = 0; c < kColumns; ++c) text += lines[i][c] + std::string(widths[c] - width(lines[i][c]) + 2, ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        table += colour && colours[i][0] ? colours[i] + text + "\033[0m\n" : text + "\n";
    }
    for (const auto& n : notes) table += printable(n) + "\n";
    for (const auto& w : record.warnings) table += "note: " + printable(w) + "\n";
    return table;
}

}  // namespace parallax
