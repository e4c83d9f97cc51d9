// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/image/texts.hpp"
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

/// "12.3 us" with the sign for micro.
std::string quantity(std::string text) {
    for (std::size_t at = 0; (at = text.find(" us", at)) != std::string::npos;) text.replace(at, 3, "~\\textmu{}s");
    return text;
}

}  // namespace

std::string toLatex(const std::vector<RunRecord>& records) {
    std::string tex = "% Tables of Parallax. Preamble: \\usepackage[T1]{fontenc}\\usepackage{textcomp}\\usepackage{booktabs}\n";
    for (const RunRecord& r : records) {
        const Shape& s = r.input.shape;
        if (!r.command.empty()) tex += "% " + comment(r.command) + "\n";
        tex +=
            "\\begin{table}\n  \\centering\n  \\begin{tabular}{llllll}\n    \\toprule\n"
            "    Backend & Compute (95\\,\\% interval) & End to end & Speedup, compute & Speedup, end to end & Max.\\ error \\\\\n    "
            "\\midrule\n";
        for (const SummaryRow& row : summarise(r)) {
            if (row.status != RunStatus::done) {
                tex += fmt::format("    {} & \\multicolumn{{5}}{{l}}{{{}: {}}} \\\\\n", escaped(row.label), statusName(row.status),
                                   escaped(row.reason));
                continue;
            }
            tex +=
                fmt::format("    {} & {} ({}--{}) & {} & {} & {} & {} \\\\\n", escaped(row.label), quantity(formatTime(row.compute.median)),
                            quantity(formatTime(row.compute.medianInterval.low)), quantity(formatTime(row.compute.medianInterval.high)),
                            quantity(formatTime(row.endToEnd.median)), escaped(formatSpeedup(row, row.computeSpeedup)),
                            escaped(formatSpeedup(row, row.endToEndSpeedup)), escaped(formatError(row)));
        }
        tex += fmt::format(
            "    \\bottomrule\n  \\end{{tabular}}\n  \\caption{{{} on {} ({} $\\times$ {}{}, {} channels); {}, {} cores, {} hardware "
            "threads; Parallax {} ({}), {}.}}\n\\end{{table}}\n",
            escaped(joined(r.recipe)), escaped(r.input.name), s.width, s.height, s.depth > 1 ? fmt::format(" $\\times$ {}", s.depth) : "",
            s.channels, escaped(r.machine.cpu), r.machine.cores, r.machine.hardwareThreads, escaped(r.toolVersion), escaped(r.git),
            escaped(r.compiler));
    }
    return tex;
}

}  // namespace parallax
