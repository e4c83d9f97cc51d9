// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

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

}  // namespace

std::string toMarkdown(const std::vector<RunRecord>& records) {
    std::string md = "# Parallax report\n";
    for (const RunRecord& r : records) {
        md += fmt::format("\n## {} ({}, {} channels)\n\n", cell(r.input.name), formatSize(r.input.shape), r.input.shape.channels);
        for (const auto& step : r.recipe) md += fmt::format("* `{}`\n", step);
        md +=
            "\n| backend | ran on | compute (95 % interval) | end to end | speedup, compute | speedup, end to end | max error "
            "|\n|---|---|---|---|---|---|---|\n";
        std::string disagreements;
        for (const SummaryRow& row : summarise(r)) {
            if (!row.disagreement.empty()) disagreements += fmt::format("\n> {}: {}\n", row.label, row.disagreement);
            if (row.status != RunStatus::done) {
                md += fmt::format("| {} | {}: {} | | | | | |\n", cell(row.label), statusName(row.status), cell(row.reason));
                continue;
            }
            md += fmt::format("| {} | {} | {} ({} - {}) | {} | {} | {} | {} |\n", cell(row.label), cell(row.ranOn),
                              formatTime(row.compute.median), formatTime(row.compute.medianInterval.low),
                              formatTime(row.compute.medianInterval.high), formatTime(row.endToEnd.median),
                              formatSpeedup(row, row.computeSpeedup), formatSpeedup(row, row.endToEndSpeedup), formatError(row));
        }
        md += fmt::format("\n{}, {} cores, {} hardware threads; {}. Parallax {} ({}), {}. {}\n", r.machine.cpu, r.machine.cores,
                          r.machine.hardwareThreads, r.machine.os, r.toolVersion, r.git, r.compiler, r.when);
        for (const GpuRecord& g : r.machine.gpus) md += fmt::format("GPU: {}\n", g.name);
        if (!r.command.empty()) md += fmt::format("\n    {}\n", r.command);
        for (const SummaryRow& row : summarise(r))
            if (!row.statistics.empty()) md += fmt::format("\n{}: {}\n", row.label, row.statistics);
        md += disagreements;
        for (const auto& w : r.warnings) md += fmt::format("\n> {}\n", w);
        for (const RunEntry& e : r.entries)
            for (const auto& w : e.warnings) md += fmt::format("\n> {}: {}\n", e.label, w);
    }
    return md;
}

}  // namespace parallax
