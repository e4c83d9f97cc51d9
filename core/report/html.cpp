// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parallax/report/formats.hpp"
#include "parallax/report/summary.hpp"
#include "parallax/report/svg_chart.hpp"

namespace parallax {
namespace {

// Okabe and Ito's colours, told apart by people with any colour vision.
constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--bg:#fff;--fg:#1c1f23;--soft:#5c6570;--line:#d5dae0;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#17191c;--fg:#e6e8ea;--soft:#9aa3ad;--line:#3a4048;--bad:#ff8a80}}
body{background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;max-width:68rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{border-bottom:1px solid var(--line);padding:.4rem .6rem;text-align:left;vertical-align:top}td.n{font-variant-numeric:tabular-nums;white-space:nowrap}
.bad{color:var(--bad);font-weight:600}.soft{color:var(--soft)}pre{background:color-mix(in srgb,var(--fg) 7%,transparent);padding:.7rem;overflow-x:auto}
svg{width:100%;height:auto;margin:.8rem 0}svg text{font:13px system-ui,sans-serif;fill:var(--fg)}svg .title{font-weight:600}svg .label{text-anchor:end}
.error{stroke:var(--fg);stroke-width:1.4;fill:none}
.c0{fill:#0072b2}.c1{fill:#e69f00}.c2{fill:#009e73}.c3{fill:#cc79a7}.c4{fill:#56b4e9}.c5{fill:#d55e00}
)";

/// What the median does not tell.
std::string spread(const SampleSummary& s) {
    return fmt::format("least {}, quartiles {} - {}, p95 {}; {} samples, {} outlier(s) kept", formatTime(s.minimum),
                       formatTime(s.firstQuartile), formatTime(s.thirdQuartile), formatTime(s.p95), s.count, s.outliers);
}

std::string row(const SummaryRow& r) {
    if (r.status != RunStatus::done && r.compute.count == 0)
        return fmt::format("<tr><td>{}</td><td colspan=\"6\" class=\"soft\">{}: {}</td></tr>\n", escapeHtml(r.label), statusName(r.status),
                           escapeHtml(r.reason));
    const bool bad = r.verification == Verification::disagrees;
    return fmt::format(
        "<tr><td>{}<br><span class=\"soft\">{}</span></td><td class=\"n\">{}<br><span class=\"soft\">{} - {}<br>{}</span></td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"n{}\">{}<br><span class=\"soft\">allowed {}</span></td><td class=\"n\">{} GFLOP/s<br>{} "
        "GB/s</td></tr>\n",
        escapeHtml(r.label), escapeHtml(r.ranOn), formatTime(r.compute.median), formatTime(r.compute.medianInterval.low),
        formatTime(r.compute.medianInterval.high), spread(r.compute), formatTime(r.endToEnd.median), formatSpeedup(r, r.computeSpeedup),
        formatSpeedup(r, r.endToEndSpeedup), bad ? " bad" : "", formatError(r), formatNumber(r.tolerance), formatNumber(r.gigaflops),
        formatNumber(r.gigabytesPerSecond));
}

double medianStage(const RunEntry& e, Stage s) {
    std::vector<double> times;
    for (const StageTimes& t : e.samples) times.push_back(static_cast<double>(t[s]));
    return median(times);
}

Interval milliseconds(const Interval& ns) { return {ns.low / 1e6, ns.high / 1e6}; }

std::string charts(const RunRecord& record, const std::vector<SummaryRow>& rows) {
    static constexpr std::array<Stage, 5> kShown{Stage::allocate, Stage::upload, Stage::compute, Stage::exchange, Stage::download};
    BarChart compute{"Compute", "ms, median with its 95 % interval", {}, {}};
    BarChart stages{"End to end",
                    "ms, stack of the stages' medians with the interval of the whole",
                    {"allocate", "upload", "compute", "exchange", "download"},
                    {}};
    BarChart speedups{"Speedup of compute against " + record.baseline, "times", {}, {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const SummaryRow& r = rows[i];
        if (r.compute.count == 0) continue;
        compute.bars.push_back({r.label, formatTime(r.compute.median), {r.compute.median / 1e6}, milliseconds(r.compute.medianInterval)});
        Bar bar{r.label, formatTime(r.endToEnd.median), {}, milliseconds(r.endToEnd.medianInterval)};
        for (const Stage s : kShown) bar.parts.push_back(medianStage(record.entries[i], s) / 1e6);
        stages.bars.push_back(std::move(bar));
        if (r.isBaseline) speedups.bars.push_back({r.label, "1 (baseline)", {1}, {}});
        else if (r.computeSpeedup)
            speedups.bars.push_back({r.label, formatSpeedup(r, r.computeSpeedup), {r.computeSpeedup->ratio}, r.computeSpeedup->interval});
        else if (r.verification == Verification::disagrees) speedups.bars.push_back({r.label, "none: the result disagrees", {0}, {}});
    }
    return (stages.bars.empty() ? "" : toSvg(compute) + toSvg(stages)) + (speedups.bars.empty() ? "" : toSvg(speedups));
}

std::string machine(const RunRecord& r) {
    const MachineRecord& m = r.machine;
    std::string caches, simd, gpus, nodes, ceilings;
    for (const auto& n : m.numa) nodes += "<br><span class=\"soft\">" + escapeHtml(n) + "</span>";
    for (const auto& c : m.ceilings)
        ceilings += fmt::format("{}{} {}, {} thread(s): {} {}", ceilings.empty() ? "" : "; ", escapeHtml(c.name), escapeHtml(c.level),
                                c.threads, formatNumber(c.value), escapeHtml(c.unit));
    if (!ceilings.empty()) ceilings = "<tr><th>Ceilings</th><td>" + ceilings + "</td></tr>\n";
    for (const auto& c : m.caches) caches += (caches.empty() ? "" : ", ") + c;
    for (const auto& s : m.simd) simd += (simd.empty() ? "" : " ") + s;
    for (const auto& g : m.gpus) {
        gpus += "<tr><th>GPU</th><td>" + escapeHtml(g.name);
        for (const auto& [k, v] : g.details) gpus += "<br><span class=\"soft\">" + escapeHtml(k + ": " + v) + "</span>";
        gpus += "</td></tr>\n";
    }
    return fmt::format(
        "<table><tr><th>Processor</th><td>{}: {} socket(s), {} cores, {} hardware threads<br><span class=\"soft\">{}; "
        "{}</span></td></tr>\n{}<tr><th>Memory</th><td>{} GiB{}</td></tr>{}"
        "<tr><th>System</th><td>{}, {}{}{}</td></tr><tr><th>Parallax</th><td>{} ({}), {}, {} {}</td></tr><tr><th>Measured</th><td>{}; "
        "effort "
        "{}: at least {} samples and {} s, warm-up {}, "
        "order seed {}</td></tr></table>\n",
        escapeHtml(m.cpu), m.sockets, m.cores, m.hardwareThreads, escapeHtml(caches), escapeHtml(simd), gpus, m.memory >> 30, nodes,
        ceilings, escapeHtml(m.os), escapeHtml(m.kernel), m.governor.empty() ? "" : ", governor " + escapeHtml(m.governor),
        m.virtualMachine ? ", a virtual machine" : "", escapeHtml(r.toolVersion), escapeHtml(r.git), escapeHtml(r.buildType),
        escapeHtml(r.compiler), escapeHtml(r.flags), escapeHtml(r.when), escapeHtml(r.protocol.effort), r.protocol.minimumSamples,
        r.protocol.minimumSeconds, r.protocol.warmUp, r.protocol.seed);
}

}  // namespace

std::string toHtml(const std::vector<RunRecord>& records) {
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width\"><title>Parallax report</title>"
        "<style>{}</style></head><body>\n<h1>Parallax report</h1>\n",
        kStyle);
    for (const RunRecord& r : records) {
        const auto rows = summarise(r);
        const Shape& s = r.input.shape;
        html += fmt::format("<h2>{} <span class=\"soft\">{} x {}{}, {} channel(s)</span></h2>\n", escapeHtml(r.input.name), s.width,
                            s.height, s.depth > 1 ? fmt::format(" x {}", s.depth) : "", s.channels);
        for (const auto& step : r.recipe) html += "<pre>" + escapeHtml(step) + "</pre>\n";
        html +=
            "<table><tr><th>Backend</th><th>Compute<br><span class=\"soft\">median, 95 %</span></th><th>End to end</th><th>Speedup, "
            "compute</th><th>Speedup, end to end</th>"
            "<th>Largest error</th><th>Rate</th></tr>\n";
        for (const SummaryRow& row_ : rows) html += row(row_);
        html += "</table>\n" + charts(r, rows);
        for (const SummaryRow& row_ : rows)
            if (!row_.disagreement.empty()) html += "<p class=\"bad\">" + escapeHtml(row_.label + ": " + row_.disagreement) + "</p>\n";
        for (const auto& w : r.warnings) html += "<p class=\"bad\">" + escapeHtml(w) + "</p>\n";
        for (const SummaryRow& row_ : rows)
            for (const auto& w : row_.warnings) html += "<p class=\"soft\">" + escapeHtml(row_.label + ": " + w) + "</p>\n";
        html +=
            "<p class=\"soft\">Compute is the computation alone. End to end adds allocation and transfers. A result that disagrees with "
            "the serial double-precision reference "
            "beyond its tolerance has no speedup. FASTER and SLOWER are said only when the whole 95 % interval of the ratio says so. Rates "
            "count the least work of the "
            "operation (model).</p>\n";
        html += "<h3>Machine and build</h3>\n" + machine(r);
        if (!r.command.empty()) html += "<h3>Reproduce</h3>\n<pre>" + escapeHtml(r.command) + "</pre>\n";
    }
    return html + "</body></html>\n";
}

}  // namespace parallax
