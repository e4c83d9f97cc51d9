// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

std::string cell(std::string text) {
    for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) text.insert(i, "\\");
    for (char& c : text)
        if (c == '\n') c = ' ';
    return text;
}

std::string part(const ReportPart& p) {
    std::string md = "\n## " + cell(p.title) + "\n\n";
    for (const auto& row : p.table) {
        for (const std::string& text : row) md += "| " + cell(text) + " ";
        md += "|\n";
        if (&row != &p.table.front()) continue;
        for (std::size_t i = 0; i < row.size(); ++i) md += "|---";
        md += "|\n";
    }
    for (const std::string& sentence : p.sentences) md += "\n" + cell(sentence) + "\n";
    return md;
}

std::string section(const RunRecord& r) {
    std::string md = fmt::format("\n## {} ({}, {})\n\n", cell(r.input.name), formatSize(r.input.shape, kDocumentSigns),
                                 counted(r.input.shape.channels, "channel"));
    for (const std::string& step : stepsOf(r)) md += "* " + cell(step) + "\n";
    const auto rows = summarise(r, kDocumentSigns);
    md += fmt::format(
        "\n| {} | ran on | compute (95 % interval) | end to end | speedup, compute | speedup, end to end | max error "
        "|\n|---|---|---|---|---|---|---|\n",
        lowerCase(labelTitle(r)));
    std::string disagreements;
    for (const SummaryRow& row : rows) {
        if (!row.disagreement.empty()) disagreements += fmt::format("\n> {}: {}\n", row.label, row.disagreement);
        if (row.status != RunStatus::done) {
            md += fmt::format("| {} | {}: {} | | | | | |\n", cell(row.label), statusName(row.status), cell(row.reason));
            continue;
        }
        md += fmt::format("| {} | {} | {} ({}) | {} | {} | {} | {} |\n", cell(row.label), cell(row.ranOn),
                          formatTime(row.compute.median, row.signs), formatTimes(row.compute.medianInterval, row.signs),
                          formatTime(row.endToEnd.median, row.signs), formatSpeedup(row, row.computeSpeedup),
                          formatSpeedup(row, row.endToEndSpeedup), formatError(row));
    }
    md += fmt::format("\n{}, {} cores, {} hardware threads; {}. Parallax {} ({}), {}. {}\n", r.machine.cpu, r.machine.cores,
                      r.machine.hardwareThreads, r.machine.os, r.toolVersion, r.git, r.compiler, r.when);
    for (const GpuRecord& g : r.machine.gpus) md += fmt::format("GPU: {}\n", g.name);
    if (!r.command.empty()) md += fmt::format("\n    {}\n", r.command);
    for (const SummaryRow& row : rows)
        if (!row.metrics.empty()) md += fmt::format("\n{}: {}\n", row.label, row.metrics);
    for (const SummaryRow& row : rows)
        if (!row.statistics.empty()) md += fmt::format("\n{}: {}\n", row.label, row.statistics);
    md += disagreements;
    for (const auto& w : r.warnings) md += fmt::format("\n> {}\n", w);
    for (const SummaryRow& row : rows)
        for (const auto& w : row.warnings) md += fmt::format("\n> {}: {}\n", row.label, w);
    return md;
}

}  // namespace

std::string toMarkdown(const std::vector<RunRecord>& records) {
    std::string md = "# Parallax report\n";
    const RecordGroups groups = groupsOf(records);
    for (const std::size_t i : groups.single) md += section(records[i]);
    for (const ReportPart& p : partsOf(records, groups)) md += part(p);
    for (const auto& sweep : groups.sweeps)
        for (const std::size_t i : sweep) md += section(records[i]);
    return md;
}

}  // namespace parallax
