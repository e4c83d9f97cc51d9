// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "core/image/texts.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/formats/pdf_page.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

constexpr PdfText kSoft{.soft = true}, kBad{.bad = true}, kCode{.size = 8, .fixedWidth = true}, kSource{.size = 6.5, .fixedWidth = true};

/// Pages drop blanks at the begin of a line; no-break spaces are kept.
std::string indented(const std::string& source) {
    std::string text;
    bool atBegin = true;
    for (const char c : source) {
        const bool blank = c == ' ' || c == '\t';
        if (c != '\r') text += atBegin && blank ? (c == '\t' ? "\u00a0\u00a0\u00a0\u00a0" : "\u00a0") : std::string(1, c == '\t' ? ' ' : c);
        atBegin = c == '\n' || (atBegin && blank);
    }
    return text;
}

std::vector<std::vector<PdfCell>> resultTable(const RunRecord& record, const std::vector<SummaryRow>& rows) {
    const PdfText head{.size = 7.5, .bold = true}, cell{.size = 7.5}, bad{.size = 7.5, .bad = true}, soft{.size = 7.5, .soft = true};
    std::vector<std::vector<PdfCell>> table{{{labelTitle(record), head},
                                             {"Compute\nmedian, 95 % interval", head},
                                             {"End to end", head},
                                             {"Speedup,\ncompute", head},
                                             {"Speedup,\nend to end", head},
                                             {"Maximum error", head},
                                             {"Rate (model),\nmemory", head}}};
    const PdfCell none{std::string(kDocumentSigns.range), soft};
    for (const SummaryRow& r : rows) {
        if (r.status != RunStatus::done && r.compute.count == 0) {
            table.push_back({{r.label, cell}, {statusName(r.status), soft}, none, none, none, none, none});
            continue;
        }
        table.push_back(
            {{r.label + "\n" + r.ranOn + (r.statistics.empty() ? "" : "\n" + r.statistics), cell},
             {fmt::format("{}\n{}\n{}", formatTime(r.compute.median, r.signs), formatTimes(r.compute.medianInterval, r.signs),
                          spreadText(r.compute)),
              cell},
             {formatTime(r.endToEnd.median, r.signs) + (r.firstRun > 0 ? "\nfirst run " + formatTime(r.firstRun, r.signs) : ""), cell},
             {formatSpeedup(r, r.computeSpeedup), cell},
             {formatSpeedup(r, r.endToEndSpeedup), cell},
             {formatError(r) + "\n" + formatAllowed(r) + (r.metrics.empty() ? "" : "\n" + r.metrics),
              r.verification == Verification::disagrees ? bad : cell},
             {formatNumber(r.gigaflops, r.signs) + " GFLOP/s\n" + formatNumber(r.gigabytesPerSecond, r.signs) + " GB/s" +
                  (r.memory.empty() ? "" : "\nmemory " + r.memory),
              cell}});
    }
    return table;
}

void pictures(PdfPages& pages, const ReportPictures& shown, const std::vector<SummaryRow>& rows) {
    if (shown.empty()) return;
    std::vector<PdfPages::Figure> figures;
    constexpr int kColours = 64;
    std::vector<std::uint32_t> colours;
    for (int k = 0; k < kColours; ++k) colours.push_back(differenceColour((2 * k + 1 - kColours) / (kColours - 1.0)));
    const int largest = std::max(shown.input.width, shown.input.height);
    if (!shown.input.empty()) figures.push_back({&shown.input, "Input", {}, {}});
    for (const SummaryRow& r : rows) {
        const EntryPictures* e = shown.of(r.label);
        if (!e) continue;
        if (!e->result.empty()) figures.push_back({&e->result, r.label, {}, {}});
        if (!e->difference.empty())
            figures.push_back({&e->difference,
                               e->scale > 0 || r.mismatches > 0 ? r.label + " minus reference" + formatLargest(r)
                                                                : r.label + " minus reference: identical",
                               e->scale > 0 ? formatNumber(e->scale, kDocumentSigns) : "", colours});
    }
    if (figures.empty()) return;
    pages.heading("Pictures", 3);
    // Pictures of a sweep are small and many.
    pages.figures(figures, largest > pictureSide(2) ? 3 : 5);
    pages.paragraph(shown.note + ". sRGB encoding, exposure 0; NaN in magenta; the colours cover 99 % of the pixels that differ.", kSoft);
}

void kernels(PdfPages& pages, const RunRecord& r, const RunRecord* first) {
    for (const KernelRecord& k : newKernelsOf(r, first)) {
        pages.heading("Kernel " + k.target, 3);
        pages.paragraph(k.title(), {});
        if (k.source.empty()) continue;
        pages.paragraph(k.command, kSoft);
        pages.paragraph(indented(k.source), kSource);
    }
}

/// `first`: the record whose machine was shown before, or null.
void section(PdfPages& pages, const RunRecord& r, const RunRecord* first, const ReportPictures& shown) {
    const auto rows = summarise(r, kDocumentSigns);
    pages.heading(r.input.name + ", " + formatSize(r.input.shape, kDocumentSigns) + ", " + formatChannels(r.input), 2);
    for (const std::string& step : stepsOf(r)) pages.paragraph(step, {});
    pages.table(resultTable(r, rows), {1.5, 1.6, 0.9, 1.15, 1.15, 1.1, 1.05});
    for (const SummaryRow& row : rows)
        if (row.status != RunStatus::done && row.compute.count == 0)
            pages.paragraph(fmt::format("{}: {}: {}", row.label, statusName(row.status), row.reason), kSoft);
    for (const Drawing& chart : chartsOf(r, rows)) pages.drawing(chart);
    for (const SummaryRow& row : rows)
        if (!row.disagreement.empty()) pages.paragraph(row.label + ": " + row.disagreement, kBad);
    for (const auto& w : r.warnings) pages.paragraph(w, kBad);
    for (const SummaryRow& row : rows)
        for (const auto& w : row.warnings) pages.paragraph(row.label + ": " + w, kSoft);
    kernels(pages, r, first);
    pictures(pages, shown, rows);
    if (!first) pages.paragraph(readingHelp(), kSoft);
    if (first && sameSurroundings(*first, r)) {
        pages.paragraph(
            "Same machine, build and command as the first measurement. Measured " + r.when + ", input hash " + r.input.hash + ".", kSoft);
        return;
    }
    pages.heading("Machine and build", 3);
    std::vector<std::vector<PdfCell>> facts;
    const PdfText head{.size = 8, .bold = true}, cell{.size = 8};
    facts.push_back({{"Property", head}, {"Value", head}});
    for (const MachineFact& f : machineFacts(r)) facts.push_back({{f.title, cell}, {joined(f.lines, "\n"), cell}});
    pages.table(facts, {1, 4.2});
    if (!r.command.empty()) {
        pages.heading("Reproduce", 3);
        pages.paragraph(r.command, kCode);
    }
}

void part(PdfPages& pages, const ReportPart& p) {
    pages.heading(p.title, 2, p.charts.empty() ? nullptr : p.charts.data());
    for (const Drawing& chart : p.charts) pages.drawing(chart);
    for (const std::string& sentence : p.sentences) pages.paragraph(sentence, {});
    std::vector<std::vector<PdfCell>> table;
    for (const auto& row : p.table) {
        table.emplace_back();
        for (const std::string& cell : row) table.back().push_back({cell, {.size = 7.5, .bold = table.size() == 1}});
    }
    if (!table.empty()) pages.table(table, std::vector<double>(table.front().size(), 1.0));
    for (const std::string& note : p.notes) pages.paragraph(note, kSoft);
}

int fill(PdfPages& pages, const std::vector<RunRecord>& records, const std::vector<ReportPictures>& shown,
         const std::vector<NamedComparison>& comparisons) {
    if (!records.empty())
        pages.metadata("Parallax report", "Parallax " + records.front().toolVersion + " (" + records.front().git + ")",
                       records.front().when);
    pages.heading("Parallax report", 1);
    const RunRecord* first = nullptr;
    const auto add = [&](std::size_t i) {
        section(pages, records[i], first, i < shown.size() ? shown[i] : ReportPictures{});
        if (!first) first = &records[i];
    };
    const RecordGroups groups = groupsOf(records);
    for (const std::size_t i : groups.single) add(i);
    for (const ReportPart& p : partsOf(records, groups, comparisons)) part(pages, p);
    for (const auto& sweep : groups.sweeps)
        for (const std::size_t i : sweep) add(i);
    return pages.finish();
}

}  // namespace

bool canMakePdf() { return true; }

std::string toPdf(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& shown,
                  const std::vector<NamedComparison>& comparisons) {
    const std::string footer =
        records.empty() ? std::string("Parallax")
                        : fmt::format("Parallax {} ({}), {}", records.front().toolVersion, records.front().git, records.front().when);
    // The first pass counts the pages for the footer of the second.
    const auto& module = libraryModule<PdfModule>("pdf_page");
    const int count = fill(*module.makePages(nullptr, 0, footer), records, shown, comparisons);
    std::string pdf;
    (void)fill(*module.makePages(&pdf, count, footer), records, shown, comparisons);
    return pdf;
}

}  // namespace parallax
