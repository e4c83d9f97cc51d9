// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/sweep_series.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "core/image/texts.hpp"
#include "core/measure/sampling/entry_times.hpp"

namespace parallax {
namespace {

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    return parseNumber(text, value) && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

int mostThreads(const RunRecord& record) {
    int threads = 0;
    for (const RunEntry& e : record.entries) threads = std::max(threads, e.threads);
    return threads;
}

/// Axis and value of each record.
std::vector<SweepRecord> places(const std::vector<RunRecord>& records) {
    std::vector<SweepRecord> list;
    if (records.size() == 1 && records.front().sweep.axis.empty()) return {SweepRecord{}};
    const auto differ = [&](auto&& property) {
        return std::any_of(records.begin(), records.end(), [&](const RunRecord& r) { return property(r) != property(records.front()); });
    };
    const bool byThreads = differ(mostThreads), bySize = differ([](const RunRecord&r) { return r.input.shape.width; });
    const bool byRecipe = !bySize && differ([](const RunRecord& r) { return r.recipe; });
    for (const RunRecord& r : records) {
        if (!r.sweep.axis.empty()) list.push_back(r.sweep);
        else if (byThreads) list.push_back({"threads", std::to_string(mostThreads(r))});
        else if (byRecipe) list.push_back({"recipe", joined(r.recipe)});
        else list.push_back({"size", std::to_string(r.input.shape.width)});
    }
    return list;
}

/// Label of an entry in a sweep over threads, where all numbers of threads make one series. An entry with fewer threads than another one of
/// the same backend, such as the serial baseline, keeps its own.
std::string labelOverThreads(const RunRecord& record, const RunEntry& entry) {
    const std::string label = labelWithoutThreads(entry.label);
    const bool fewer = std::any_of(record.entries.begin(), record.entries.end(),
                                   [&](const RunEntry& e) { return e.threads > entry.threads && labelWithoutThreads(e.label) == label; });
    return fewer ? entry.label : label;
}

struct Winner {
    std::size_t series = 0;
    const SeriesPoint* point = nullptr;
};

const SeriesPoint* pointAt(const Series& s, double x) {
    const auto it = std::find_if(s.points.begin(), s.points.end(), [&](const SeriesPoint& p) { return p.x == x && !p.wrong; });
    return it == s.points.end() ? nullptr : &*it;
}

/// Without the number that follows a sign, and its unit.
std::string labelWithout(const std::string& label, char sign) {
    const auto at = label.find(sign);
    if (at == std::string::npos) return label;
    const auto end = label.find_first_of("@:#", at + 1);
    return label.substr(0, at) + (end == std::string::npos ? std::string() : label.substr(end));
}

bool apart(const Interval& a, const Interval& b) { return a.high < b.low || b.high < a.low; }

}  // namespace

std::string labelWithoutThreads(const std::string& label) { return labelWithout(label, ':'); }
std::string labelWithoutParts(const std::string& label) { return labelWithout(label, '@'); }
int partsOfLabel(const std::string& label) {
    const auto at = label.find('@');
    int parts = 1;
    const bool known = at != std::string::npos &&
                       parseNumber(std::string_view(label).substr(at + 1, label.find_first_of(":#", at) - at - 1), parts) && parts > 0;
    return known ? parts : 1;
}

bool SweepSeries::logarithmic() const {
    double least = 0, most = 0;
    for (const Series& s : series)
        for (const SeriesPoint& p : s.points) {
            if (p.x <= 0) return false;
            least = least == 0 ? p.x : std::min(least, p.x);
            most = std::max(most, p.x);
        }
    // Logarithmic ticks of a small range are hard to read.
    return numeric && most >= 4 * least;
}

SweepSeries seriesOf(const std::vector<RunRecord>& records) {
    SweepSeries sweep;
    if (records.empty()) return sweep;
    const std::vector<SweepRecord> at = places(records);
    sweep.axis = at.front().axis;
    for (const SweepRecord& place : at) {
        sweep.values.push_back(place.value);
        sweep.numeric = sweep.numeric && numberOf(place.value).has_value();
    }
    std::map<std::string, std::size_t> known;
    for (std::size_t r = 0; r < records.size(); ++r) {
        const double x = sweep.numeric ? numberOf(at[r].value).value_or(0) : static_cast<double>(r);
        for (std::size_t i = 0; i < records[r].entries.size(); ++i) {
            const RunEntry& e = records[r].entries[i];
            const std::string label = sweep.axis == "threads"   ? labelOverThreads(records[r], e)
                                      : sweepsParts(sweep.axis) ? labelWithoutParts(e.label)
                                                                : e.label;
            const auto [it, fresh] = known.try_emplace(label, sweep.series.size());
            if (fresh) sweep.series.push_back({label, {}});
            if (e.samples.empty()) continue;
            sweep.series[it->second].points.push_back({x, r, i, summarise(timesOf(e, Time::compute)), summarise(timesOf(e, Time::endToEnd)),
                                                       e.verification == Verification::disagrees, e.threads});
        }
    }
    for (Series& s : sweep.series)
        std::stable_sort(s.points.begin(), s.points.end(), [](const SeriesPoint& a, const SeriesPoint& b) { return a.x < b.x; });
    return sweep;
}

std::vector<Crossover> crossovers(const SweepSeries& sweep, Time time) {
    if (!sweep.numeric) return {};  // values have no order
    std::vector<double> xs;
    for (const Series& s : sweep.series)
        for (const SeriesPoint& p : s.points) xs.push_back(p.x);
    std::sort(xs.begin(), xs.end());
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    const auto fastest = [&](double x) {
        Winner best;
        for (std::size_t i = 0; i < sweep.series.size(); ++i)
            if (const SeriesPoint* p = pointAt(sweep.series[i], x); p && timeOf(*p, time).median > 0)
                if (!best.point || timeOf(*p, time).median < timeOf(*best.point, time).median) best = {i, p};
        return best;
    };
    std::vector<Crossover> found;
    for (std::size_t i = 1; i < xs.size(); ++i) {
        const Winner before = fastest(xs[i - 1]), after = fastest(xs[i]);
        if (!before.point || !after.point || before.series == after.series) continue;
        const SeriesPoint* loser = pointAt(sweep.series[after.series], xs[i - 1]);
        const SeriesPoint* overtaken = pointAt(sweep.series[before.series], xs[i]);
        if (!loser || !overtaken) continue;
        const auto log = [&](const SeriesPoint& p) { return std::log(timeOf(p, time).median); };
        // Logarithmic distance of both at the left and at the right.
        const double left = log(*loser) - log(*before.point), right = log(*overtaken) - log(*after.point);
        const double share = left + right > 0 ? left / (left + right) : 0.5;
        const bool ratios = xs[i - 1] > 0;
        Crossover c;
        c.x = ratios ? std::exp(std::log(xs[i - 1]) + share * (std::log(xs[i]) - std::log(xs[i - 1])))
                     : xs[i - 1] + share * (xs[i] - xs[i - 1]);
        c.time = std::exp(log(*before.point) + share * (log(*overtaken) - log(*before.point)));
        c.from = before.series;
        c.to = after.series;
        c.sure = apart(timeOf(*loser, time).medianInterval, timeOf(*before.point, time).medianInterval) &&
                 apart(timeOf(*overtaken, time).medianInterval, timeOf(*after.point, time).medianInterval);
        found.push_back(c);
    }
    return found;
}

}  // namespace parallax
