// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <sstream>

#include "core/image/texts.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\': out += "\\textbackslash{}"; break;
            case '~': out += "\\textasciitilde{}"; break;
            case '^': out += "\\textasciicircum{}"; break;
            case '<': out += "\\textless{}"; break;
            case '>': out += "\\textgreater{}"; break;
            case '|': out += "\\textbar{}"; break;
            case '"': out += "\\textquotedbl{}"; break;
            case '&':
            case '%':
            case '$':
            case '#':
            case '_':
            case '{':
            case '}':
                out += '\\';
                out += c;
                break;
            default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

/// Text for a comment line.
std::string comment(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return text;
}

/// Replaces the signs of documents by the macros of textcomp.
std::string withMacros(std::string text) {
    for (const auto& [sign, macro] : {std::pair(kDocumentSigns.micro, "\\textmu{}"), std::pair(kDocumentSigns.times, "\\texttimes{}"),
                                      std::pair(kDocumentSigns.minus, "\\textminus{}"), std::pair(kDocumentSigns.range, "--"),
                                      std::pair(kDocumentSigns.plusMinus, "\\textpm{}"), std::pair(std::string_view("°"), "\\textdegree{}"),
                                      std::pair(std::string_view("…"), "\\ldots{}")})
        for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos;) text.replace(at, sign.size(), macro);
    return text;
}

/// A text of formatTime() and the like.
std::string quantity(const std::string& text) { return withMacros(escaped(text)); }

std::string part(const ReportPart& p) {
    std::string tex;
    for (const std::string& note : p.notes) tex += "% " + comment(note) + "\n";
    if (p.table.empty()) return tex;
    tex += fmt::format("\\begin{{table}}\n  \\centering\n  \\begin{{tabular}}{{{}}}\n    \\toprule\n",
                       std::string(p.table.front().size(), 'l'));
    for (const auto& row : p.table) {
        for (std::size_t i = 0; i < row.size(); ++i) tex += (i == 0 ? "    " : " & ") + quantity(row[i]);
        tex += &row == &p.table.front() ? " \\\\\n    \\midrule\n" : " \\\\\n";
    }
    tex += "    \\bottomrule\n  \\end{tabular}\n  \\caption{" + escaped(p.title) + ".";
    for (const std::string& sentence : p.sentences) tex += " " + quantity(sentence);
    return tex + "}\n\\end{table}\n";
}

/// As comments, since a source is no part of a table.
std::string kernels(const RunRecord& r, const RunRecord* first) {
    std::string tex;
    for (const KernelRecord& k : newKernelsOf(r, first)) {
        tex += "% Kernel " + comment(k.title()) + "\n";
        if (k.source.empty()) continue;
        tex += "%   // " + comment(k.command) + "\n";
        std::istringstream lines(k.source);
        for (std::string line; std::getline(lines, line);) tex += "%   " + comment(line) + "\n";
    }
    return tex;
}

/// `first`: the record whose kernels were shown before, or null.
std::string section(const RunRecord& r, const RunRecord* first) {
    std::string tex = kernels(r, first);
    const Shape& s = r.input.shape;
    if (!r.command.empty()) tex += "% " + comment(r.command) + "\n";
    tex += "\\begin{table}\n  \\centering\n  \\begin{tabular}{llllll}\n    \\toprule\n    " + std::string(labelTitle(r)) +
           " & Compute (95\\,\\% interval) & End to end & Speedup, compute & Speedup, end to end & Max.\\ error \\\\\n    "
           "\\midrule\n";
    std::string memory;
    for (const SummaryRow& row : summarise(r, kDocumentSigns)) {
        if (row.status != RunStatus::done) {
            tex += fmt::format("    {} & \\multicolumn{{5}}{{l}}{{{}: {}}} \\\\\n", escaped(row.label), statusName(row.status),
                               escaped(row.reason));
            continue;
        }
        tex += fmt::format(
            "    {} & {} ({}) & {} & {} & {} & {} \\\\\n", escaped(row.label), quantity(formatTime(row.compute.median, row.signs)),
            quantity(formatTimes(row.compute.medianInterval, row.signs)), quantity(formatTime(row.endToEnd.median, row.signs)),
            quantity(formatSpeedup(row, row.computeSpeedup)), quantity(formatSpeedup(row, row.endToEndSpeedup)),
            quantity(formatError(row) + (row.metrics.empty() ? "" : "; " + row.metrics)));
        if (!row.memory.empty()) memory += (memory.empty() ? " Memory: " : "; ") + row.label + " " + row.memory;
    }
    if (!memory.empty()) memory += ".";
    tex += fmt::format(
        "    \\bottomrule\n  \\end{{tabular}}\n  \\caption{{{} on {} ({} $\\times$ {}{}, {}); {}, {} cores, {} hardware "
        "threads; Parallax {} ({}), {}.{}}}\n\\end{{table}}\n",
        quantity(joined(stepsOf(r), hasNamedRecipes(r) ? "; " : ", ")), escaped(r.input.name), s.width, s.height,
        s.depth > 1 ? fmt::format(" $\\times$ {}", s.depth) : "", formatChannels(r.input) + (r.protocol.coldCaches ? ", cold caches" : ""),
        escaped(r.machine.cpu), r.machine.cores, r.machine.hardwareThreads, escaped(r.toolVersion), escaped(r.git), escaped(r.compiler),
        quantity(memory));
    return tex;
}

}  // namespace

std::string toLatex(const std::vector<RunRecord>& records, const std::vector<NamedComparison>& comparisons) {
    std::string tex = "% Tables of Parallax. Preamble: \\usepackage[T1]{fontenc}\\usepackage{textcomp}\\usepackage{booktabs}\n";
    const RecordGroups groups = groupsOf(records);
    const RunRecord* first = nullptr;
    const auto add = [&](std::size_t i) {
        tex += section(records[i], first);
        if (!first) first = &records[i];
    };
    for (const std::size_t i : groups.single) add(i);
    for (const ReportPart& p : partsOf(records, groups, comparisons)) tex += part(p);
    for (const auto& sweep : groups.sweeps)
        for (const std::size_t i : sweep) add(i);
    return tex;
}

}  // namespace parallax
