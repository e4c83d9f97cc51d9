// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <sstream>

#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/formats/markup.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

struct MarkdownLanguage {
    /// Characters with a meaning within a line are escaped; a line end would begin a new paragraph, heading or row.
    static std::string escaped(std::string_view text) {
        std::string out;
        for (const char c : toUtf8(text)) {
            if (std::string_view("\\`*[]<>|&").find(c) != std::string_view::npos) out += '\\';
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
        return out;
    }
};
using Markdown = Markup<MarkdownLanguage>;

template <class... A>
Markdown md(fmt::format_string<MarkedArgument<MarkdownLanguage, A>...> literal, const A&... arguments) {
    return marked<MarkdownLanguage, A...>(literal, arguments...);
}

/// A line of an indented block of code, where backslashes escape nothing.
Markdown codeLine(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return {"\n    " + text + "\n"};
}

Markdown part(const ReportPart& p) {
    Markdown all = md("\n## {}\n\n", p.title);
    for (const auto& row : p.table) {
        for (const std::string& text : row) all += md("| {} ", text);
        all += md("|\n");
        if (&row != &p.table.front()) continue;
        for (std::size_t i = 0; i < row.size(); ++i) all += md("|---");
        all += md("|\n");
    }
    for (const std::string& sentence : p.sentences) all += md("\n{}\n", sentence);
    for (const std::string& note : p.notes) all += md("\n> {}\n", note);
    return all;
}

/// The ends of the series of all entries.
Markdown seriesTable(const RunRecord& r) {
    Markdown all;
    for (const RunEntry& e : r.entries)
        for (const SeriesRecord& s : e.series) {
            if (s.x.empty()) continue;
            if (all.text.empty())
                all += md("\n| {} | series | x | first | last | end |\n|---|---|---|---|---|---|\n", lowerCase(labelTitle(r)));
            const std::string unit = s.xUnit.empty() ? std::string() : " " + s.xUnit;
            all += md("| {} | {} | {} {}{} | {} | {} | {} |\n", e.label, s.title + (s.label.empty() ? "" : ", " + s.label),
                      lowerCase(s.xTitle), fmt::format("{:.6g}", s.x.back()), unit, formatNumber(s.y.front(), kDocumentSigns),
                      formatNumber(s.y.back(), kDocumentSigns), s.end);
        }
    return all;
}

Markdown lapsTable(const RunRecord& r) {
    Markdown all;
    for (const auto& row : partsTable(r)) {
        if (all.text.empty()) {
            all += md("\n| {} | {} | {} | {} | {} |\n|---|---|---|---|---|\n", lowerCase(row[0]), lowerCase(row[1]), lowerCase(row[2]),
                      lowerCase(row[3]), lowerCase(row[4]));
            continue;
        }
        all += md("| {} | {} | {} | {} | {} |\n", row[0], row[1], row[2], row[3], row[4]);
    }
    return all;
}

/// Lines of an indented block of code.
Markdown code(const std::string& text) {
    Markdown all{"\n"};
    std::istringstream lines(toUtf8(text));
    for (std::string line; std::getline(lines, line);) {
        for (char& c : line)
            if (static_cast<unsigned char>(c) < 0x20) c = ' ';
        all.text += line.empty() ? "\n" : "    " + line + "\n";
    }
    return all;
}

Markdown kernels(const RunRecord& r, const RunRecord* first) {
    Markdown all;
    for (const KernelRecord& k : newKernelsOf(r, first)) {
        all += md("\nKernel {}\n", k.title());
        if (!k.source.empty()) all += code("// " + k.command + "\n" + k.source);
    }
    return all;
}

/// `first`: the record whose kernels were shown before, or null.
Markdown section(const RunRecord& r, const RunRecord* first) {
    Markdown all = md("\n## {} ({}, {})\n\n", r.input.name, formatSize(r.input.shape, kDocumentSigns), formatChannels(r.input));
    for (const std::string& step : stepsOf(r)) all += md("* {}\n", step);
    const auto rows = summarise(r, kDocumentSigns);
    all +=
        md("\n| {} | ran on | compute (95 % interval) | end to end | speedup, compute | speedup, end to end | max error "
           "|\n|---|---|---|---|---|---|---|\n",
           lowerCase(labelTitle(r)));
    Markdown disagreements;
    for (const SummaryRow& row : rows) {
        if (!row.disagreement.empty()) disagreements += md("\n> {}: {}\n", row.label, row.disagreement);
        if (row.status != RunStatus::done) {
            all += md("| {} | {}: {} | | | | | |\n", row.label, statusName(row.status), row.reason);
            continue;
        }
        all += md("| {} | {} | {} ({}) | {} | {} | {} | {} |\n", row.label, row.ranOn, formatTime(row.compute.median, row.signs),
                  formatTimes(row.compute.medianInterval, row.signs), formatTime(row.endToEnd.median, row.signs),
                  formatSpeedup(row, row.computeSpeedup), formatSpeedup(row, row.endToEndSpeedup), formatError(row));
    }
    all += md("\n{}, {} cores, {} hardware threads; {}. Parallax {} ({}), {}. {}\n", r.machine.cpu, r.machine.cores,
              r.machine.hardwareThreads, r.machine.os, r.toolVersion, r.git, r.compiler, r.when);
    for (const GpuRecord& g : r.machine.gpus) all += md("GPU: {}\n", g.name);
    if (!r.command.empty()) all += codeLine(r.command);
    for (const SummaryRow& row : rows)
        if (!row.metrics.empty()) all += md("\n{}: {}\n", row.label, row.metrics);
    for (const SummaryRow& row : rows)
        if (!row.memory.empty()) all += md("\n{}: memory {}\n", row.label, row.memory);
    for (const SummaryRow& row : rows)
        if (!row.statistics.empty()) all += md("\n{}: {}\n", row.label, row.statistics);
    for (const std::string& line : checksumLines(r)) all += md("\n{}\n", line);
    if (r.protocol.coldCaches) all += md("\nMeasured with {}.\n", formatCaches(r));
    all += seriesTable(r) + lapsTable(r) + kernels(r, first) + disagreements;
    for (const auto& w : r.warnings) all += md("\n> {}\n", w);
    for (const SummaryRow& row : rows)
        for (const auto& w : row.warnings) all += md("\n> {}: {}\n", row.label, w);
    return all;
}

}  // namespace

std::string toMarkdown(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons) {
    Markdown all = md("# Parallax report\n");
    const RecordGroups groups = groupsOf(records);
    const RunRecord* first = nullptr;
    const auto add = [&](std::size_t i) {
        all += section(records[i], first);
        if (!first) first = &records[i];
    };
    for (const std::size_t i : groups.single) add(i);
    for (const ReportPart& p : partsOf(records, groups, comparisons)) all += part(p);
    for (const auto& sweep : groups.sweeps)
        for (const std::size_t i : sweep) add(i);
    return all.text;
}

}  // namespace parallax
