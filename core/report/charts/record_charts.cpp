// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/record_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/measure/sweeps/sweep_series.hpp"
#include "core/report/charts/charts.hpp"
#include "core/report/record/swept_axis.hpp"

namespace parallax {
namespace {

double medianStage(const RunEntry& e, Stage s) {
    std::vector<double> times;
    for (const StageTimes& t : e.samples) times.push_back(static_cast<double>(t[s]));
    return median(times);
}

Interval milliseconds(const Interval& ns) { return {ns.low / 1e6, ns.high / 1e6}; }

std::string joined(const std::vector<std::string>& parts, const char* between) {
    std::string all;
    for (const auto& p : parts) all += (all.empty() ? "" : between) + p;
    return all;
}

std::string plural(std::int64_t n, const std::string& what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

MachineFact processor(const MachineRecord& m) {
    MachineFact f{"Processor", {m.cpu}};
    std::string threads =
        plural(m.sockets, "socket") + ", " + plural(m.cores, "core") + ", " + plural(m.hardwareThreads, "hardware thread");
    if (m.threadsPerCore > 0) threads += fmt::format(" ({} a core{})", m.threadsPerCore, m.threadsPerCore > 1 ? ": SMT" : ", no SMT");
    if (m.usableThreads > 0 && m.usableThreads < m.hardwareThreads) threads += fmt::format(", {} of them usable", m.usableThreads);
    f.lines.push_back(threads);
    if (m.maxMHz > 0) f.lines.push_back(fmt::format("clock {:.0f} - {:.0f} MHz", m.minMHz, m.maxMHz));
    if (!m.caches.empty()) f.lines.push_back("caches " + joined(m.caches, ", "));
    if (!m.simd.empty()) f.lines.push_back(joined(m.simd, " "));
    return f;
}

std::vector<MachineFact> ceilings(const MachineRecord& m) {
    std::vector<MachineFact> facts;
    for (const CeilingRecord& c : m.ceilings) {
        const std::string title = c.device.empty() ? "Ceilings, processor" : fmt::format("Ceilings, {} {}", c.device, c.deviceIndex);
        if (facts.empty() || facts.back().title != title) facts.push_back({title, {}});
        facts.back().lines.push_back(fmt::format(
            "{} {}{}: {} {}", c.name, c.level, c.device.empty() ? ", " + plural(c.threads, "thread") : "", formatNumber(c.value), c.unit));
    }
    return facts;
}

}  // namespace

std::vector<Drawing> chartsOf(const RunRecord& record, const std::vector<SummaryRow>& rows) {
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
    std::vector<Drawing> drawings;
    for (const BarChart* chart : {&compute, &stages, &speedups})
        if (!chart->empty()) drawings.push_back(draw(*chart));
    return drawings;
}

std::vector<Drawing> sweepCharts(const std::vector<RunRecord>& records) {
    const auto axis = sweptAxisOf(records);
    if (!axis) return {};
    // In the order of the axis, whatever that of the sweep was.
    std::vector<std::size_t> order(records.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return axis->values[a] < axis->values[b]; });
    LineChart compute{"Compute, median with its 95 % interval", axis->title, axis->texts, {}};
    LineChart whole{"End to end, median with its 95 % interval", axis->title, axis->texts, {}};
    const auto series = [](LineChart& chart, const std::string& name) -> LineSeries& {
        for (LineSeries& s : chart.series)
            if (s.name == name) return s;
        return chart.series.emplace_back(LineSeries{name, {}});
    };
    for (const std::size_t r : order) {
        const auto rows = summarise(records[r]);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            // A wrong result is no point of a curve.
            if (rows[i].compute.count == 0 || rows[i].verification == Verification::disagrees) continue;
            const std::string name = seriesName(records[r].entries[i], *axis);
            series(compute, name).points.push_back({axis->values[r], rows[i].compute.median, rows[i].compute.medianInterval});
            series(whole, name).points.push_back({axis->values[r], rows[i].endToEnd.median, rows[i].endToEnd.medianInterval});
        }
    }
    if (compute.empty()) return {};
    return {draw(compute), draw(whole)};
}

std::vector<std::string> sweepSentences(const std::vector<RunRecord>& records) {
    if (!sweptAxisOf(records)) return {};
    const SweepSeries sweep = seriesOf(records);
    std::vector<std::string> sentences;
    for (const bool endToEnd : {false, true})
        for (const Crossover& c : crossovers(sweep, endToEnd))
            sentences.push_back(fmt::format("{}: from {} {} on {} {} faster than {}{}.", endToEnd ? "End to end" : "Compute", sweep.axis,
                                            formatNumber(c.x), sweep.series[c.to].label, c.sure ? "is" : "may be",
                                            sweep.series[c.from].label, c.sure ? "" : ", since the intervals touch"));
    return sentences;
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
    MachineFact system{"System", {m.os + (m.virtualMachine ? ", a virtual machine" : "")}};
    if (!m.kernel.empty()) system.lines.push_back(m.kernel);
    if (!m.governor.empty()) system.lines.push_back("governor " + m.governor);
    if (m.timerResolutionNs > 0) system.lines.push_back("clock of the host in steps of " + formatTime(m.timerResolutionNs));
    facts.push_back(std::move(system));
    facts.push_back(
        {"Parallax", {fmt::format("{} ({}), {} build", r.toolVersion, r.git, r.buildType), fmt::format("{}, {}", r.compiler, r.flags)}});
    for (const BackendBuild& b : r.backends) {
        std::vector<std::string> details;
        for (const auto& [k, v] : b.details) details.push_back(k + " " + v);
        facts.back().lines.push_back(b.id + ": " + joined(details, ", "));
    }
    const ProtocolRecord& p = r.protocol;
    facts.push_back({"Measured",
                     {r.when,
                      fmt::format("effort {}: at least {} samples and {} s, at most {} s, until the interval is within {} %", p.effort,
                                  p.minimumSamples, p.minimumSeconds, p.maximumSeconds, formatNumber(100 * p.targetNoise)),
                      fmt::format("warm-up {}, order seed {}", p.warmUp, p.seed), fmt::format("input hash {}", r.input.hash)}});
    return facts;
}

bool sameSurroundings(const RunRecord& a, const RunRecord& b) {
    const auto before = machineFacts(a), after = machineFacts(b);
    // The last one is when and how long it was measured.
    return a.command == b.command && a.protocol.effort == b.protocol.effort &&
           std::equal(before.begin(), before.end() - 1, after.begin(), after.end() - 1,
                      [](const MachineFact& x, const MachineFact& y) { return x.title == y.title && x.lines == y.lines; });
}

std::string spreadText(const SampleSummary& s) {
    return fmt::format("least {}, quartiles {} - {}, p95 {}; {} sample{}, {} outlier{} kept", formatTime(s.minimum),
                       formatTime(s.firstQuartile), formatTime(s.thirdQuartile), formatTime(s.p95), s.count, s.count == 1 ? "" : "s",
                       s.outliers, s.outliers == 1 ? "" : "s");
}

std::string readingHelp() {
    return "Compute is the computation alone. End to end adds allocation and transfers. A result that disagrees with the serial "
           "double-precision reference beyond its tolerance has no speedup. Intervals are 95 % intervals; FASTER and SLOWER are said only "
           "when the whole 99 % interval of the ratio says so. Where stages overlap, end to end is less than their stack. Rates count the "
           "least work of the operation (model).";
}

}  // namespace parallax
