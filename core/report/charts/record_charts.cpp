// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/record_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/report/charts/chart_data.hpp"
#include "core/report/charts/charts.hpp"

namespace parallax {
namespace {

Interval milliseconds(const Interval& ns) { return {ns.low / 1e6, ns.high / 1e6}; }

MachineFact processor(const MachineRecord& m) {
    MachineFact f{"CPU", {m.cpu}};
    std::string threads =
        counted(m.sockets, "socket") + ", " + counted(m.cores, "core") + ", " + counted(m.hardwareThreads, "hardware thread");
    if (m.threadsPerCore > 0) threads += fmt::format(" ({} per core, {})", m.threadsPerCore, m.threadsPerCore > 1 ? "SMT" : "no SMT");
    if (m.usableThreads > 0 && m.usableThreads < m.hardwareThreads) threads += fmt::format(", {} usable", m.usableThreads);
    f.lines.push_back(threads);
    if (m.maxMHz > 0) f.lines.push_back(fmt::format("clock {:.0f} {} {:.0f} MHz", m.minMHz, kDocumentSigns.range, m.maxMHz));
    if (!m.caches.empty()) f.lines.push_back("caches " + joined(m.caches, ", "));
    if (!m.simd.empty()) f.lines.push_back(joined(m.simd, " "));
    return f;
}

std::vector<MachineFact> ceilings(const MachineRecord& m) {
    std::vector<MachineFact> facts;
    for (const CeilingRecord& c : m.ceilings) {
        const std::string title = c.device.empty() ? "Ceilings, CPU" : fmt::format("Ceilings, {} {}", c.device, c.deviceIndex);
        if (facts.empty() || facts.back().title != title) facts.push_back({title, {}});
        facts.back().lines.push_back(fmt::format(
            "{} {}{}: {} {}", c.name, c.level, c.device.empty() ? ", " + counted(c.threads, "thread") : "", formatNumber(c.value), c.unit));
    }
    return facts;
}

/// At most about a hundred points, the first and the last among them: more could not be told apart.
LineSeries lineOf(const RunEntry& e, const SeriesRecord& s, SeriesStyles& styles) {
    LineSeries line{e.label + (s.label.empty() ? std::string() : ", " + s.label), {}, 0};
    line.style = styles.of(line.name);
    const std::size_t step = std::max<std::size_t>(s.x.size() / 100, 1);
    for (std::size_t i = 0; i < s.x.size(); ++i)
        if ((i % step == 0 || i + 1 == s.x.size()) && std::isfinite(s.y[i]) && (s.y[i] > 0 || !s.logarithmic))
            line.points.push_back({s.x[i], s.y[i], {}});
    return line;
}

/// One chart for each key, with the series of all entries.
std::vector<Drawing> seriesCharts(const RunRecord& record) {
    std::vector<std::string> keys;
    std::vector<LineChart> charts;
    SeriesStyles styles;
    for (const RunEntry& e : record.entries)
        for (const SeriesRecord& s : e.series) {
            const std::string key = s.operation + "/" + std::to_string(s.step) + "/" + s.key;
            const auto at = static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
            if (at == keys.size()) {
                keys.push_back(key);
                LineChart chart{s.title + ": " + lowerCase(s.yTitle) + (s.yUnit.empty() ? "" : ", " + s.yUnit),
                                s.xTitle + (s.xUnit.empty() ? "" : ", " + s.xUnit),
                                {},
                                {}};
                chart.values = LineChart::Values::number;
                chart.decades = s.logarithmic;
                charts.push_back(std::move(chart));
            }
            if (LineSeries line = lineOf(e, s, styles); !line.points.empty()) charts[at].series.push_back(std::move(line));
        }
    std::vector<Drawing> drawings;
    for (const LineChart& chart : charts)
        if (!chart.empty()) drawings.push_back(draw(chart));
    return drawings;
}

}  // namespace

std::vector<Drawing> chartsOf(const RunRecord& record, const std::vector<SummaryRow>& rows) {
    BarChart compute{"Compute", "ms, median with 95 % interval", {}, {styleOf(Stage::compute)}, {}};
    BarChart stages{"End to end", "ms, medians of the stages, 95 % interval of the total", {}, {}, {}};
    for (const Stage s : kStackedStages) {
        stages.partNames.emplace_back(stageName(s));
        stages.partStyles.push_back(styleOf(s));
    }
    BarChart speedups{"Compute speedup over " + record.baseline, "ratio of medians with 95 % interval", {}, {styleOf(Stage::compute)}, {}};
    for (const SummaryRow& r : rows) {
        if (r.compute.count == 0) continue;
        compute.bars.push_back(
            {r.label, formatTime(r.compute.median, kDocumentSigns), {r.compute.median / 1e6}, milliseconds(r.compute.medianInterval)});
        Bar bar{r.label, formatTime(r.endToEnd.median, kDocumentSigns), {}, milliseconds(r.endToEnd.medianInterval)};
        for (const Stage s : kStackedStages) bar.parts.push_back(r.stage(s) / 1e6);
        stages.bars.push_back(std::move(bar));
        if (r.isBaseline) speedups.bars.push_back({r.label, "1 (baseline)", {1}, {}});
        else if (r.computeSpeedup)
            speedups.bars.push_back({r.label, formatSpeedup(r, r.computeSpeedup), {r.computeSpeedup->ratio}, r.computeSpeedup->interval});
        else if (r.verification == Verification::disagrees) speedups.bars.push_back({r.label, "none: wrong result", {0}, {}});
    }
    std::vector<Drawing> drawings;
    for (const BarChart* chart : {&compute, &stages, &speedups})
        if (!chart->empty()) drawings.push_back(draw(*chart));
    for (Drawing& drawing : seriesCharts(record)) drawings.push_back(std::move(drawing));
    return drawings;
}

std::vector<MachineFact> machineFacts(const RunRecord& r) {
    const MachineRecord& m = r.machine;
    std::vector<MachineFact> facts{processor(m)};
    for (const GpuRecord& g : m.gpus) {
        MachineFact f{"GPU", {g.name}};
        for (const auto& [k, v] : g.details) f.lines.push_back(k + ": " + v);
        facts.push_back(std::move(f));
    }
    MachineFact memory{"Memory", {fmt::format("{} GiB", m.memory >> 30)}};
    memory.lines.insert(memory.lines.end(), m.numa.begin(), m.numa.end());
    facts.push_back(std::move(memory));
    for (MachineFact& f : ceilings(m)) facts.push_back({f.title, {joined(f.lines, "; ")}});
    MachineFact system{"System", {m.os + (m.virtualMachine ? ", virtual machine" : "")}};
    if (!m.kernel.empty()) system.lines.push_back(m.kernel);
    if (!m.governor.empty()) system.lines.push_back("governor " + m.governor);
    if (m.timerResolutionNs > 0) system.lines.push_back("timer resolution " + formatTime(m.timerResolutionNs, kDocumentSigns));
    facts.push_back(std::move(system));
    facts.push_back(
        {"Parallax", {fmt::format("{} ({}), {} build", r.toolVersion, r.git, r.buildType), fmt::format("{}, {}", r.compiler, r.flags)}});
    for (const BackendBuild& b : r.backends) {
        std::vector<std::string> details;
        for (const auto& [k, v] : b.details) details.push_back(k + " " + v);
        facts.back().lines.push_back(b.id + ": " + joined(details, ", "));
    }
    const ProtocolRecord& p = r.protocol;
    facts.push_back(
        {"Measurement",
         {r.when,
          fmt::format("effort {}: at least {} samples and {} s, at most {} s, target {}{} % of the median", p.effort, p.minimumSamples,
                      p.minimumSeconds, p.maximumSeconds, kDocumentSigns.plusMinus, formatNumber(100 * p.targetNoise)),
          fmt::format("warm-up {}, order seed {}", p.warmUp, p.seed), fmt::format("input hash {}", r.input.hash)}});
    return facts;
}

bool sameSurroundings(const RunRecord& a, const RunRecord& b) {
    const auto before = machineFacts(a), after = machineFacts(b);
    // The last fact is the measurement itself.
    return a.command == b.command && a.protocol.effort == b.protocol.effort &&
           std::equal(before.begin(), before.end() - 1, after.begin(), after.end() - 1,
                      [](const MachineFact& x, const MachineFact& y) { return x.title == y.title && x.lines == y.lines; });
}

std::string spreadText(const SampleSummary& s) {
    return fmt::format("minimum {}, quartiles {}, p95 {}; {}, {} kept", formatTime(s.minimum, kDocumentSigns),
                       formatTimes({s.firstQuartile, s.thirdQuartile}, kDocumentSigns), formatTime(s.p95, kDocumentSigns),
                       counted(static_cast<std::int64_t>(s.count), "sample"), counted(static_cast<std::int64_t>(s.outliers), "outlier"));
}

std::string readingHelp() {
    return "Compute is the time of the operations alone; end to end adds allocation and transfers, and is less than the sum of the stages "
           "where they overlap. Intervals are 95 % confidence intervals of medians. FASTER, SLOWER and SAME follow from the 99 % interval "
           "of "
           "the ratio, with a margin of 2 %. The reference is an oracle, serial in double precision: it has no speedup unless it is the "
           "baseline, and neither has a result that exceeds its tolerance against it. Rates use the operation counts of the model, not "
           "hardware counters.";
}

}  // namespace parallax
