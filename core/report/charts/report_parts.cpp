// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/charts/report_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/image/texts.hpp"
#include "core/report/charts/chart_data.hpp"
#include "core/report/record/summary.hpp"

namespace parallax {
namespace {

const char* nameOf(Time time) { return time == Time::compute ? "Compute" : "End to end"; }

std::string axisTitle(const std::string& axis) {
    if (axis == "size") return "Width and height, pixels";
    if (axis == "threads") return "Threads";
    if (axis == "parts") return "Parts";
    if (axis == "weak") return "Parts, with an image that grows with them";
    return axis;
}

std::string timeText(double ns) { return formatTime(ns, kDocumentSigns); }
std::string numberText(double value) { return formatNumber(value, kDocumentSigns); }
std::string factorText(double factor) { return fmt::format("{}{}", formatNumber(factor), kDocumentSigns.times); }

/// Speedup and efficiency over the number of threads or parts.
std::vector<Drawing> scalingCharts(const std::vector<ScalingCurve>& curves, const std::string& axis, SeriesStyles& styles) {
    if (curves.empty()) return {};
    const char* const one = sweepsParts(axis) ? "part" : "thread";
    const char* const what = axis == "weak" ? "Scaled speedup" : "Speedup";
    LineChart speedup{
        fmt::format("{} of compute over one {}, with 95 % interval", what, one), axisTitle(axis), {}, {}, LineChart::Values::factor};
    LineChart efficiency{
        fmt::format("Efficiency: speedup divided by {}s, with 95 % interval", one), axisTitle(axis), {}, {}, LineChart::Values::percent};
    double fewest = std::numeric_limits<double>::infinity(), most = 0;
    for (const ScalingCurve& curve : curves) {
        LineSeries over{curve.label, {}, styles.of(curve.label)}, share = over;
        for (const ScalingCurvePoint& p : curve.points) {
            over.points.push_back({p.threads, p.speedup, p.speedupInterval});
            share.points.push_back({p.threads, p.efficiency, p.efficiencyInterval});
            fewest = std::min(fewest, p.threads);
            most = std::max(most, p.threads);
        }
        speedup.series.push_back(std::move(over));
        efficiency.series.push_back(std::move(share));
        if (!curve.prediction || !curve.prediction->model) continue;
        const CostModel& model = *curve.prediction->model;
        LineSeries modelled{curve.label + " (model)", {}, styles.of(curve.label), LineSeries::Look::model}, modelledShare = modelled;
        for (const int parts : predictedParts(model.fewest)) {
            modelled.points.push_back({static_cast<double>(parts), model.speedup(parts), {}});
            modelledShare.points.push_back({static_cast<double>(parts), model.efficiency(parts), {}});
        }
        most = std::max(most, modelled.points.back().x);
        speedup.logarithmicY = true;
        speedup.series.push_back(std::move(modelled));
        efficiency.series.push_back(std::move(modelledShare));
    }
    const auto addGuide = [&](const std::string& name, const auto& speedupOf) {
        LineSeries guide{name, {}, 0, LineSeries::Look::guide};
        // Enough points for a straight line on any pair of axes.
        constexpr int kPoints = 40;
        for (int i = 0; i <= kPoints; ++i) {
            const double threads = fewest * std::pow(most / fewest, static_cast<double>(i) / kPoints);
            guide.points.push_back({threads, speedupOf(threads), {}});
        }
        speedup.series.push_back(std::move(guide));
    };
    addGuide("ideal", [](double threads) { return threads; });
    for (const ScalingCurve& curve : curves)
        if (curve.followsAmdahl())
            addGuide(curve.label + " (Amdahl's law)", [&](double threads) { return curve.fit->oneThread / curve.fit->time(threads); });
    efficiency.series.push_back({"ideal", {{fewest, 1, {}}, {most, 1, {}}}, 0, LineSeries::Look::guide});
    return {draw(speedup), draw(efficiency)};
}

std::string describe(const ScalingCurve& curve, const std::string& axis) {
    if (!curve.fit) return {};
    if (!curve.followsAmdahl())
        return fmt::format("{}: the times do not follow Amdahl's law (the best fit deviates by {:.0f} %).", curve.label,
                           100 * curve.fit->residual);
    if (std::isinf(curve.fit->largestSpeedup())) return curve.label + ": no serial share found (Amdahl's law).";
    return fmt::format("{}: {:.1f} % serial, so at most {} with any number of {} (Amdahl's law).", curve.label,
                       100 * curve.fit->serialShare, factorText(curve.fit->largestSpeedup()), axis);
}

/// Predictions of the cost model and their deviation from the measured points, or the reason why there are none.
std::string describe(const CostPrediction& p) {
    const std::string none = p.label + ": no prediction by the cost model, because ";
    const std::string link = p.link == kPeerLink ? "devices" : p.link == kRankLink ? "ranks" : "threads";
    const auto unmeasured = [&](const char* quantity) {
        return fmt::format("{}the {} between {} was not measured. Run 'parallax-cli ceilings --fresh', then the sweep.", none, quantity,
                           link);
    };
    switch (p.gap) {
        case CostGap::traffic: return none + "the record does not say what the parts exchanged.";
        case CostGap::uncounted: return none + p.uncounted + " exchanges inside of its kernels, where it is not counted.";
        case CostGap::latency: return unmeasured("latency");
        case CostGap::bandwidth: return unmeasured("bandwidth");
        case CostGap::reduction: return unmeasured("latency of a reduction");
        case CostGap::none: break;
    }
    std::string text = p.label + ", predicted by the cost model (dashed):";
    for (int parts = 4; parts <= kMaxPredictedParts; parts *= 4)
        if (parts > p.model->most)
            text += fmt::format(" {} parts {} (efficiency {:.0f} %){}", parts, timeText(p.model->time(parts)),
                                100 * p.model->efficiency(parts), 4 * parts > kMaxPredictedParts ? "." : ",");
    text += p.checks.empty()
                ? " No measured point to compare it with."
                : fmt::format(" It deviates from {} by {:.1f} % (median), {:.1f} % (worst).",
                              counted(static_cast<int>(p.checks.size()), "measured point"), 100 * *p.medianError(), 100 * *p.worstError());
    if (p.crowded > 0)
        text += fmt::format(" {} with more threads than the machine has {} not compared.", counted(p.crowded, "point"),
                            p.crowded == 1 ? "is" : "are");
    return text;
}

/// Median compute times: a row for each value, a column for each series.
std::vector<std::vector<std::string>> sweepTable(const SweepSeries& sweep) {
    std::vector<std::vector<std::string>> table{{axisTitle(sweep.axis)}};
    for (const Series& s : sweep.series) table.front().push_back(s.label);
    for (std::size_t r = 0; r < sweep.values.size(); ++r) {
        auto& row = table.emplace_back(std::vector<std::string>{sweep.values[r]});
        for (const Series& s : sweep.series) {
            const auto at = std::find_if(s.points.begin(), s.points.end(), [&](const SeriesPoint& p) { return p.record == r; });
            row.push_back(at == s.points.end() ? std::string(kDocumentSigns.range)
                          : at->wrong          ? "wrong result"
                                               : timeText(at->compute.median));
        }
    }
    return table;
}

ReportPart sweepPart(const std::vector<RunRecord>& records, SeriesStyles& styles) {
    const SweepSeries sweep = seriesOf(records);
    const bool scaling = sweep.axis == "threads" || sweepsParts(sweep.axis), weak = sweep.axis == "weak";
    ReportPart part;
    part.title = fmt::format("{} over {}, {} measurements",
                             weak      ? "Weak scaling"
                             : scaling ? "Scaling"
                                       : "Sweep",
                             weak ? "parts" : sweep.axis, records.size());
    if (scaling) {
        const std::vector<ScalingCurve> curves = scalingCurves(sweep, records);
        part.charts = scalingCharts(curves, sweep.axis, styles);
        for (const ScalingCurve& curve : curves) {
            if (std::string sentence = describe(curve, sweep.axis); !sentence.empty()) part.sentences.push_back(std::move(sentence));
            if (curve.prediction) part.sentences.push_back(describe(*curve.prediction));
        }
    }
    for (Drawing& chart : sweepCharts(records, styles)) part.charts.push_back(std::move(chart));
    for (std::string& sentence : sweepSentences(records)) part.sentences.push_back(std::move(sentence));
    part.table = sweepTable(sweep);
    return part;
}

std::string nameOf(const Ceiling& c) {
    const std::string what =
        fmt::format("{} {} {}", formatNumber(c.value), c.isRate ? "GFLOP/s" : "GB/s", c.name == "device" ? std::string("memory") : c.name);
    return c.device.empty() ? what : what + " of " + c.device;
}

/// Lines of the ceilings between the ends of the axis of operations per byte: bandwidths end at the highest rate of their device, rates
/// begin at its highest bandwidth. Both are straight on logarithmic axes.
std::vector<LineSeries> ceilingLines(const std::vector<Ceiling>& ceilings, double left, double right, RooflineQuantity quantity) {
    std::map<std::string, std::pair<double, double>> best;  // highest bandwidth and rate of each device
    for (const Ceiling& c : ceilings) {
        auto& [bandwidth, rate] = best[c.device];
        (c.isRate ? rate : bandwidth) = std::max(c.isRate ? rate : bandwidth, c.value);
    }
    std::vector<LineSeries> lines;
    for (const Ceiling& c : ceilings) {
        const auto& [bandwidth, rate] = best[c.device];
        const double from = c.isRate && bandwidth > 0 ? std::clamp(c.value / bandwidth, left, right) : left;
        const double to = !c.isRate && rate > 0 ? std::clamp(rate / c.value, left, right) : right;
        if (from < to)
            lines.push_back(
                {nameOf(c), {{from, valueAt(c, from, quantity), {}}, {to, valueAt(c, to, quantity), {}}}, 0, LineSeries::Look::guide});
    }
    return lines;
}

const char* titleOf(RooflineQuantity quantity) {
    switch (quantity) {
        case RooflineQuantity::operations: return "operations a second";
        case RooflineQuantity::bytes: return "bytes a second";
        case RooflineQuantity::samples: return "samples a second";
    }
    return "";
}

Drawing rooflineChart(const RooflineChartData& data, RooflineQuantity quantity, SeriesStyles& styles) {
    LineChart chart{fmt::format("Roofline: {}, {}, from the counts of the model", titleOf(quantity), unitOf(quantity)),
                    "Operations per byte, FLOP/byte",
                    {},
                    {},
                    LineChart::Values::number,
                    true};
    double left = std::numeric_limits<double>::infinity(), right = 0;
    for (const RooflinePoint& p : data.points) left = std::min(left, p.intensity), right = std::max(right, p.intensity);
    const bool hasLines = quantity != RooflineQuantity::samples;
    // Wide enough for the corners, at which a device is limited by memory and arithmetic alike.
    for (const Ceiling& rate : data.ceilings)
        for (const Ceiling& bandwidth : data.ceilings)
            if (hasLines && rate.isRate && !bandwidth.isRate && rate.device == bandwidth.device) {
                left = std::min(left, rate.value / bandwidth.value);
                right = std::max(right, rate.value / bandwidth.value);
            }
    left /= 3;
    right *= 3;
    chart.left = left;
    chart.right = right;
    if (hasLines) chart.series = ceilingLines(data.ceilings, left, right, quantity);
    for (const RooflinePoint& p : data.points) {
        const double scale = p.scale(quantity);
        // Steps differ in operations a sample, so each point has a ceiling of its own.
        if (!hasLines && p.attainable > 0)
            chart.series.push_back({"ceiling of " + p.label + ", " + p.boundBy,
                                    {{p.intensity / 1.25, p.attainable * scale, {}}, {p.intensity * 1.25, p.attainable * scale, {}}},
                                    0,
                                    LineSeries::Look::guide});
        const std::string label = data.seriesLabel(p);
        const auto same = std::find_if(chart.series.begin(), chart.series.end(),
                                       [&](const LineSeries& s) { return s.name == label && s.look == LineSeries::Look::points; });
        LineSeries& series = same != chart.series.end()
                                 ? *same
                                 : chart.series.emplace_back(LineSeries{label, {}, styles.of(label), LineSeries::Look::points});
        series.points.push_back({p.intensity, p.gigaflops * scale, {p.low * scale, p.high * scale}});
    }
    return draw(chart);
}

std::string verdictOf(const RooflinePoint& p) {
    if (p.wrong) return "wrong result";
    if (p.impossible) return "above every ceiling: check the count and the time";
    if (p.aboveCeiling) return "above the ceiling: data from a cache, or a wrong count";
    return {};
}

ReportPart rooflinePart(const std::vector<RunRecord>& records, const RecordGroups& groups, SeriesStyles& styles) {
    std::vector<RooflineChartPart> parts;
    for (const std::size_t i : groups.single) parts.push_back({{records[i]}, {}});
    for (const auto& sweep : groups.sweeps) parts.push_back({selected(records, sweep), {}});
    const RooflineChartData data = rooflineChartData(std::move(parts), {});
    if (data.ceilings.empty() || data.points.empty()) return {};
    ReportPart part;
    part.title = "Roofline";
    for (const RooflineQuantity quantity : kRooflineQuantities) part.charts.push_back(rooflineChart(data, quantity, styles));
    const bool anySweep = !groups.sweeps.empty();
    part.table.push_back({"Backend", "Sweep", "FLOP/byte", "GFLOP/s", "GB/s", "Gsample/s", "Ceiling, GFLOP/s", "Share", "Bound by"});
    for (const RooflinePoint& p : data.points) {
        const std::string at =
            data.isSwept(p) ? data.positions[p.record].axis + " = " + data.positions[p.record].value : std::string(kDocumentSigns.range);
        const bool known = p.attainable > 0;
        part.table.push_back(
            {p.label, at, numberText(p.intensity), numberText(p.gigaflops), numberText(p.gigabytes), numberText(p.gigasamples),
             known ? numberText(p.attainable) : "unknown",
             known ? fmt::format("{:.{}f} %", 100 * p.share(), p.share() < 0.1 ? 1 : 0) : std::string(kDocumentSigns.range), p.boundBy});
        if (const std::string verdict = verdictOf(p); !verdict.empty())
            part.sentences.push_back(p.label + (data.isSwept(p) ? " (" + at + "): " : ": ") + verdict + ".");
    }
    if (!anySweep)
        for (auto& row : part.table) row.erase(row.begin() + 1);
    return part;
}

}  // namespace

std::vector<Drawing> sweepCharts(const std::vector<RunRecord>& records, SeriesStyles& styles) {
    if (records.size() < 2) return {};
    const SweepSeries sweep = seriesOf(records);
    std::vector<Drawing> drawings;
    for (const Time time : {Time::compute, Time::endToEnd}) {
        LineChart chart{fmt::format("{}, median with 95 % interval", nameOf(time)), axisTitle(sweep.axis), {}, {}};
        if (!sweep.numeric) chart.ticks = sweep.values;
        for (const Series& series : sweep.series) {
            LineSeries line{series.label, {}, styles.of(series.label)};
            for (const SeriesPoint& p : series.points)
                if (!p.wrong) line.points.push_back({p.x, timeOf(p, time).median, timeOf(p, time).medianInterval});
            if (!line.points.empty()) chart.series.push_back(std::move(line));
        }
        if (!chart.empty()) drawings.push_back(draw(chart));
    }
    return drawings;
}

std::vector<std::string> sweepSentences(const std::vector<RunRecord>& records, const Signs& signs) {
    if (records.size() < 2) return {};
    const SweepSeries sweep = seriesOf(records);
    std::vector<std::string> sentences;
    for (const Time time : {Time::compute, Time::endToEnd})
        for (const Crossover& c : crossovers(sweep, time))
            sentences.push_back(fmt::format("{}: from {} = {}, {} {} faster than {}{}.", nameOf(time), sweep.axis, formatNumber(c.x, signs),
                                            sweep.series[c.to].label, c.sure ? "is" : "may be", sweep.series[c.from].label,
                                            c.sure ? "" : ", but the intervals overlap"));
    return sentences;
}

std::vector<ReportPart> partsOf(const std::vector<RunRecord>& records, const RecordGroups& groups,
                                const std::vector<NamedComparison>& comparisons) {
    SeriesStyles styles;
    // The order of the benchmark decides, so that a backend looks the same whichever sweeps there are.
    for (const std::size_t i : groups.single)
        for (const RunEntry& e : records[i].entries) (void)styles.of(e.label);
    std::vector<ReportPart> parts;
    if (ReportPart comparison = comparisonPart(comparisons); !comparison.title.empty()) parts.push_back(std::move(comparison));
    for (const auto& sweep : groups.sweeps) parts.push_back(sweepPart(selected(records, sweep), styles));
    if (ReportPart roofline = rooflinePart(records, groups, styles); !roofline.title.empty()) parts.push_back(std::move(roofline));
    return parts;
}

}  // namespace parallax
