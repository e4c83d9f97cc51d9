// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/record_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/image/texts.hpp"
#include "core/io/codec/text.hpp"
#include "core/kernels/kernel_record.hpp"
#include "core/report/charts/chart_data.hpp"
#include "core/report/charts/charts.hpp"
#include "core/report/charts/laps_data.hpp"
#include "core/report/charts/series_data.hpp"

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

/// A line for each number of threads.
std::vector<MachineFact> ceilings(const MachineRecord& m) {
    std::vector<MachineFact> facts;
    const CeilingRecord* before = nullptr;
    for (const CeilingRecord& c : m.ceilings) {
        const std::string title = c.device.empty() ? "Ceilings, CPU" : fmt::format("Ceilings, {} {}", c.device, c.deviceIndex);
        const bool newFact = facts.empty() || facts.back().title != title;
        if (newFact) facts.push_back({title, {}, true});
        std::vector<std::string>& lines = facts.back().lines;
        const bool newLine = newFact || (c.device.empty() && c.threads != before->threads);
        if (newLine) lines.push_back(c.device.empty() ? counted(c.threads, "thread") + ": " : std::string());
        else lines.back() += "; ";
        lines.back() += fmt::format("{} {} {} {}", c.name, c.level, formatNumber(c.value),
                                    c.unit == "us" ? fmt::format("{}s", kDocumentSigns.micro) : c.unit);
        before = &c;
    }
    return facts;
}

/// The parts of the compute stage of all entries that have them; parts too narrow to see count as other.
BarChart partsChart(const RunRecord& record) {
    const LapsChartData laps = lapsChart(record);
    BarChart chart{"Parts of compute", "ms, of the last sample", {}, {}, {}};
    for (const LapPart& part : laps.parts)
        if (!part.isSmall) chart.partNames.push_back(part.name());
    chart.partNames.emplace_back("other");
    for (std::size_t i = 0; i < chart.partNames.size(); ++i) chart.partStyles.push_back(static_cast<int>(i));
    for (const LapRow& row : laps.rows) {
        Bar bar{row.entry, formatTime(row.compute, kDocumentSigns), {}, {}};
        for (std::size_t i = 0; i < laps.parts.size(); ++i)
            if (!laps.parts[i].isSmall) bar.parts.push_back(row.nanoseconds[i] / 1e6);
        bar.parts.push_back(row.rest(laps.parts, true) / 1e6);
        chart.bars.push_back(std::move(bar));
    }
    return chart;
}

/// "tolerance 1.00e-08", with the entries that have it if others have another one.
std::string toleranceText(const SeriesChartData& data, const SeriesTolerance& tolerance) {
    std::string text = "tolerance " + formatNumber(tolerance.value, kDocumentSigns);
    return data.tolerances.size() > 1 ? text + " (" + joined(tolerance.entries, ", ") + ")" : text;
}

/// One chart for each step and key, with the series of all entries. An entry has one colour, whatever curves it has.
std::vector<Drawing> convergenceCharts(const RunRecord& record) {
    constexpr std::size_t kMaxPoints = 100;  // more could not be told apart
    std::vector<Drawing> drawings;
    for (const SeriesChartData& data : seriesCharts(record)) {
        LineChart chart{data.title + ": " + lowerCase(data.yTitle) + (data.yUnit.empty() ? "" : ", " + data.yUnit),
                        data.xTitle + (data.xUnit.empty() ? "" : ", " + data.xUnit),
                        {},
                        {}};
        chart.values = LineChart::Values::number;
        chart.decades = data.logarithmicY;
        chart.logarithmicX = data.logarithmicX;
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (const SeriesCurve& curve : data.curves) {
            LineSeries line{curve.name(), {}, static_cast<int>(curve.index)};
            for (const auto& [x, y] : data.points(curve, kMaxPoints)) {
                line.points.push_back({x, y, {}});
                least = std::min(least, x);
                most = std::max(most, x);
            }
            if (!line.points.empty()) chart.series.push_back(std::move(line));
        }
        if (chart.empty()) continue;
        for (const SeriesTolerance& t : data.tolerances)
            chart.series.push_back({toleranceText(data, t), {{least, t.value, {}}, {most, t.value, {}}}, 0, LineSeries::Look::guide});
        drawings.push_back(draw(chart));
    }
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
    if (const BarChart parts = partsChart(record); !parts.empty()) drawings.push_back(draw(parts));
    for (Drawing& drawing : convergenceCharts(record)) drawings.push_back(std::move(drawing));
    return drawings;
}

std::vector<std::vector<std::string>> partsTable(const RunRecord& record) {
    const LapsChartData laps = lapsChart(record);
    std::vector<std::vector<std::string>> table;
    if (laps.rows.empty()) return table;
    table.push_back({"Backend", "Part of compute", "Time", "Share", "Count"});
    const auto add = [&](const LapRow& row, const std::string& part, double time, double count) {
        if (!(time > 0)) return;
        table.push_back({row.entry, part, formatTime(time, kDocumentSigns), fmt::format("{:.1f} %", 100 * time / row.compute),
                         count > 0 ? fmt::format("{:.0f}", count) : std::string(kDocumentSigns.range)});
    };
    for (const LapRow& row : laps.rows) {
        for (std::size_t i = 0; i < laps.parts.size(); ++i) add(row, laps.parts[i].name(), row.nanoseconds[i], row.counts[i]);
        add(row, "other", row.rest(laps.parts, false), 0);
    }
    return table;
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
    for (MachineFact& f : ceilings(m)) facts.push_back(std::move(f));
    MachineFact system{"System", {m.os + (m.virtualMachine ? ", virtual machine" : "")}};
    if (!m.kernel.empty()) system.lines.push_back(m.kernel);
    if (!m.governor.empty()) system.lines.push_back("governor " + m.governor);
    facts.push_back(std::move(system));
    if (m.timerResolutionNs > 0) facts.push_back({"Timer resolution", {formatTime(m.timerResolutionNs, kDocumentSigns)}, true});
    facts.push_back(
        {"Parallax", {fmt::format("{} ({}), {} build", r.toolVersion, r.git, r.buildType), fmt::format("{}, {}", r.compiler, r.flags)}});
    for (const BackendBuild& b : r.backends) {
        if (isKernel(b)) continue;
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
          fmt::format("warm-up {}, order seed {}, {}", p.warmUp, p.seed, formatCaches(r)), fmt::format("input hash {}", r.input.hash)}});
    for (std::string& line : checksumLines(r)) facts.back().lines.push_back(std::move(line));
    return facts;
}

std::vector<KernelRecord> newKernelsOf(const RunRecord& record, const RunRecord* first) {
    std::vector<KernelRecord> kernels = kernelsOf(record);
    if (first) {
        const std::vector<KernelRecord> shown = kernelsOf(*first);
        std::erase_if(kernels, [&](const KernelRecord& k) { return std::find(shown.begin(), shown.end(), k) != shown.end(); });
    }
    return kernels;
}

bool sameSurroundings(const RunRecord& a, const RunRecord& b) {
    const auto stated = [](const RunRecord& r) {
        auto facts = machineFacts(r);
        facts.pop_back();  // the measurement itself
        std::erase_if(facts, [](const MachineFact& f) { return f.measured; });
        return facts;
    };
    const auto before = stated(a), after = stated(b);
    return a.command == b.command && a.protocol.effort == b.protocol.effort &&
           std::equal(before.begin(), before.end(), after.begin(), after.end(),
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
           "hardware counters. Memory is the most that preparation and first run took besides the input, and the estimate before.";
}

}  // namespace parallax
