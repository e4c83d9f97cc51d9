// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/report/charts/record_charts.hpp"
#include "core/report/charts/report_parts.hpp"
#include "core/report/charts/svg_chart.hpp"
#include "core/report/formats/formats.hpp"
#include "core/report/formats/markup.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

/// Limit of all pictures of a page, in bytes of base64.
constexpr std::size_t kMaxPictureBytes = std::size_t{4} << 20;
/// Width of a figure in CSS pixels at least: both ends of the scale of a difference have room.
constexpr int kSmallestFigure = 192;

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--bg:#fff;--fg:#1c1f23;--soft:#5c6570;--line:#d5dae0;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#17191c;--fg:#e6e8ea;--soft:#9aa3ad;--line:#3a4048;--bad:#ff8a80}}
body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top}tr{border-bottom:1px solid var(--line)}tr:has(+.more){border:0}.more td{padding-top:0}
td.n{font-variant-numeric:tabular-nums}td.n:nth-child(2){min-width:12rem}td.n:nth-child(3),.whole{white-space:nowrap}td.n:last-child{min-width:8.5rem}
.bad{color:var(--bad);font-weight:600}.soft{color:var(--soft)}pre{background:color-mix(in srgb,var(--fg) 7%,transparent);padding:.7rem;white-space:pre-wrap;overflow-wrap:anywhere}
.pictures{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;max-width:100%}figcaption{font-size:.85rem}
img{display:block;max-width:100%;image-rendering:pixelated;border:1px solid var(--line)}
.scale{display:flex;justify-content:space-between;font-size:.8rem;padding:0 .2rem;color:#fff;text-shadow:0 0 3px #000,0 0 3px #000}
@media print{h2{break-before:auto}figure,svg,tr{break-inside:avoid}}
)";

struct HtmlLanguage {
    static std::string escaped(std::string_view text) { return escapeHtml(toUtf8(text)); }
};
using Html = Markup<HtmlLanguage>;

template <class... A>
Html html(fmt::format_string<MarkedArgument<HtmlLanguage, A>...> literal, const A&... arguments) {
    return marked<HtmlLanguage, A...>(literal, arguments...);
}

Html row(const SummaryRow& r) {
    if (r.status != RunStatus::done && r.compute.count == 0)
        return html("<tr><td>{}</td><td colspan=\"6\" class=\"soft\">{}: {}</td></tr>\n", r.label, statusName(r.status), r.reason);
    const bool bad = r.verification == Verification::disagrees;
    return html(
        "<tr><td>{}<br><span class=\"soft\">{}</span></td><td class=\"n\">{}<br><span class=\"soft\">{}<br>{}</span></td><td "
        "class=\"n\">{}{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n{}\">{}<br><span class=\"soft\">{}{}</span></td><td class=\"n\"><span class=\"whole\">{} "
        "GFLOP/s<br>{} GB/s{}</span>{}</td></tr>\n{}",
        r.label, r.ranOn, formatTime(r.compute.median, r.signs), formatTimes(r.compute.medianInterval, r.signs), spreadText(r.compute),
        formatTime(r.endToEnd.median, r.signs),
        r.firstRun > 0 ? html("<br><span class=\"soft\">first run {}</span>", formatTime(r.firstRun, r.signs)) : Html{},
        formatSpeedup(r, r.computeSpeedup), formatSpeedup(r, r.endToEndSpeedup), bad ? " bad" : "", formatError(r), formatAllowed(r),
        r.metrics.empty() ? Html{} : html("<br>{}", r.metrics), formatNumber(r.gigaflops, r.signs),
        formatNumber(r.gigabytesPerSecond, r.signs), r.energy.empty() ? Html{} : html("<br>{}", r.energy),
        r.memory.empty() ? Html{} : html("<br><span class=\"soft\">memory {}</span>", r.memory),
        r.statistics.empty() ? Html{} : html("<tr class=\"more\"><td colspan=\"7\" class=\"soft\">{}</td></tr>\n", r.statistics));
}

std::string base64(const std::string& bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k) word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : kDigits[word >> (18 - 6 * k) & 63];
    }
    return text;
}

/// Adds pictures up to the limit.
class PictureRoom {
public:
    /// Empty beyond the limit.
    Html figure(const ReportPicture& p, const std::string& alt, const Html& below) {
        if (p.empty()) return {};
        const std::string data = base64(encodePng(p.width, p.height, p.rgb));
        if (used_ + data.size() > kMaxPictureBytes) {
            ++leftOut_;
            return {};
        }
        used_ += data.size();
        // Small pictures are enlarged by an integer factor.
        const int zoom = std::max(1, kSmallestFigure / std::max(p.width, p.height));
        const int width = zoom * p.width;
        return html(
            "<figure style=\"width:{}px\"><img src=\"data:image/png;base64,{}\" width=\"{}\" height=\"{}\" alt=\"{}\">{}</figure>\n",
            std::max(width, kSmallestFigure), data, width, zoom * p.height, alt, below);
    }
    int leftOut() const { return leftOut_; }

private:
    std::size_t used_ = 0;
    int leftOut_ = 0;
};

Html scaleBar(const EntryPictures& e) {
    std::string colours;
    for (int i = -4; i <= 4; ++i) colours += fmt::format("{}#{:06x}", colours.empty() ? "" : ",", differenceColour(i / 4.0));
    return html("<div class=\"scale\" style=\"background:linear-gradient(90deg,{})\"><span>{}{}</span><span>0</span><span>+{}</span></div>",
                colours, kDocumentSigns.minus, formatNumber(e.scale, kDocumentSigns), formatNumber(e.scale, kDocumentSigns));
}

Html pictures(const ReportPictures& pictures, const std::vector<SummaryRow>& rows, PictureRoom& room) {
    if (pictures.empty()) return {};
    Html figures = room.figure(pictures.input, "Input", html("<figcaption>Input</figcaption>"));
    for (const SummaryRow& r : rows) {
        const EntryPictures* e = pictures.of(r.label);
        if (!e) continue;
        figures += room.figure(e->result, "Result of " + r.label, html("<figcaption>{}</figcaption>", r.label));
        const bool differs = e->scale > 0 || r.mismatches > 0;
        const std::string what = r.label + " minus reference" + (differs ? formatLargest(r) : ": identical");
        figures += room.figure(e->difference, "Difference of " + r.label + " from the reference",
                               (e->scale > 0 ? scaleBar(*e) : Html{}) + html("<figcaption>{}</figcaption>", what));
    }
    if (figures.empty()) return {};
    return html(
        "<h3>Pictures</h3>\n<div class=\"pictures\">\n{}</div>\n<p class=\"soft\">{}. sRGB encoding, exposure 0; NaN in magenta; the "
        "colours cover 99 % of the pixels that differ.</p>\n",
        figures, pictures.note);
}

Html machine(const RunRecord& r) {
    Html table = html("<table>");
    for (const MachineFact& f : machineFacts(r)) {
        table += html("<tr><th>{}</th><td>", f.title);
        for (std::size_t i = 0; i < f.lines.size(); ++i)
            table += i == 0 ? html("{}", f.lines[i]) : html("<br><span class=\"soft\">{}</span>", f.lines[i]);
        table += html("</td></tr>\n");
    }
    return table + html("</table>\n");
}

Html remarks(const RunRecord& r, const std::vector<SummaryRow>& rows) {
    Html all;
    for (const SummaryRow& row_ : rows)
        if (!row_.disagreement.empty()) all += html("<p class=\"bad\">{}: {}</p>\n", row_.label, row_.disagreement);
    for (const auto& w : r.warnings) all += html("<p class=\"bad\">{}</p>\n", w);
    for (const SummaryRow& row_ : rows)
        for (const auto& w : row_.warnings) all += html("<p class=\"soft\">{}: {}</p>\n", row_.label, w);
    return all;
}

Html table(const std::vector<std::vector<std::string>>& rows) {
    Html all = html("<table>");
    for (const auto& row : rows) {
        const char* const tag = &row == &rows.front() ? "th" : "td";
        all += html("<tr>");
        for (const std::string& cell : row) all += html("<{0}>{1}</{0}>", tag, cell);
        all += html("</tr>\n");
    }
    return all + html("</table>\n");
}

/// Folded, since sources can be long.
Html kernels(const RunRecord& r, const RunRecord* first) {
    Html all;
    for (const KernelRecord& k : newKernelsOf(r, first)) {
        if (k.source.empty()) {
            all += html("<p class=\"soft\">{}</p>\n", k.title());
            continue;
        }
        all += html("<details><summary>{}</summary><p class=\"soft\">{}</p><pre>{}</pre></details>\n", k.title(), k.command, k.source);
    }
    return all;
}

/// `first`: the record whose machine was shown before, or null.
Html section(const RunRecord& r, const RunRecord* first, const ReportPictures& shown, PictureRoom& room) {
    const auto rows = summarise(r, kDocumentSigns);
    Html page = html("<h2>{} <span class=\"soft\">{}, {}</span></h2>\n", r.input.name, formatSize(r.input.shape, kDocumentSigns),
                     formatChannels(r.input));
    const std::vector<std::string> steps = stepsOf(r);
    // The exact text can be pasted into a command line.
    for (std::size_t i = 0; i < steps.size(); ++i)
        page += html("<details><summary>{}</summary><pre>{}</pre></details>\n", steps[i], r.recipe[i]);
    page += html(
        "<table><tr><th>{}</th><th>Compute<br><span class=\"soft\">median, 95 % interval</span></th><th>End to end</th><th>Speedup, "
        "compute</th><th>Speedup, end to end</th>"
        "<th>Maximum error</th><th>Rate (model), memory</th></tr>\n",
        labelTitle(r));
    for (const SummaryRow& row_ : rows) page += row(row_);
    page += html("</table>\n");
    for (const Drawing& chart : chartsOf(r, rows)) page += Html{toSvg(chart)};
    if (const auto parts = partsTable(r); !parts.empty())
        page += html("<details><summary>Parts of compute</summary>") + table(parts) + html("</details>\n");
    page += kernels(r, first) + remarks(r, rows) + pictures(shown, rows, room);
    if (!first) page += html("<p class=\"soft\">{}</p>\n", readingHelp());
    if (first && sameSurroundings(*first, r))
        return page + html("<p class=\"soft\">Same machine, build and command as the first measurement. Measured {}, input hash {}.</p>\n",
                           r.when, r.input.hash);
    page += html("<h3>Machine and build</h3>\n") + machine(r);
    if (!r.command.empty()) page += html("<h3>Reproduce</h3>\n<pre>{}</pre>\n", r.command);
    return page;
}

Html part(const ReportPart& p) {
    Html all = html("<h2>{}</h2>\n", p.title);
    for (const Drawing& chart : p.charts) all += Html{toSvg(chart)};
    for (const std::string& sentence : p.sentences) all += html("<p>{}</p>\n", sentence);
    if (!p.table.empty()) all += table(p.table);
    for (const std::string& note : p.notes) all += html("<p class=\"soft\">{}</p>\n", note);
    return all;
}

}  // namespace

std::string toHtml(const std::vector<RunRecord>& records, const std::vector<ReportPictures>& shown,
                   const std::vector<NamedComparison>& comparisons) {
    Html page = html(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>Parallax report</title>"
        "<style>{}{}</style></head><body>\n<h1>Parallax report</h1>\n",
        Html{kStyle}, Html{svgStyle()});
    PictureRoom room;
    const RunRecord* first = nullptr;
    const auto add = [&](std::size_t i) {
        page += section(records[i], first, i < shown.size() ? shown[i] : ReportPictures{}, room);
        if (!first) first = &records[i];
    };
    const RecordGroups groups = groupsOf(records);
    for (const std::size_t i : groups.single) add(i);
    for (const ReportPart& p : partsOf(records, groups, comparisons)) page += part(p);
    for (const auto& sweep : groups.sweeps)
        for (const std::size_t i : sweep) add(i);
    if (room.leftOut() > 0)
        page += html("<p class=\"soft\">{} more picture{} omitted to limit the size of the page.</p>\n", room.leftOut(),
                     room.leftOut() == 1 ? " was" : "s were");
    return page.text + "</body></html>\n";
}

}  // namespace parallax
