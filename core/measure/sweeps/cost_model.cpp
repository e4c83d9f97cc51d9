// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/sweeps/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/measure/sampling/entry_times.hpp"
#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax {
namespace {

/// Entry of a sweep with so many parts.
struct PartsPoint {
    const RunRecord* record = nullptr;
    const RunEntry* entry = nullptr;
};
using MeasuredParts = std::map<int, PartsPoint>;

double computeStage(const RunEntry& entry) {
    std::vector<double> times;
    for (const StageTimes& s : entry.samples) times.push_back(static_cast<double>(s[Stage::compute]));
    return median(times);
}

double computeTime(const RunEntry& entry) { return median(timesOf(entry, Time::compute).values); }

/// The worst values of a link; 0: not measured.
struct Link {
    double latency = 0, bandwidth = 0, reduction = 0;
};

Link slowestLink(const std::vector<CeilingRecord>& ceilings, const std::string& name, const std::string& backend) {
    Link slowest;
    for (const CeilingRecord& c : ceilings) {
        if (c.name != name || !(c.value > 0) || (!c.backend.empty() && c.backend != backend)) continue;
        if (c.level == "reduction") slowest.reduction = std::max(slowest.reduction, 1e3 * c.value);
        else if (c.level.starts_with("latency")) slowest.latency = std::max(slowest.latency, 1e3 * c.value);
        else slowest.bandwidth = slowest.bandwidth > 0 ? std::min(slowest.bandwidth, c.value) : c.value;
    }
    // Devices of one process reduce through the threads that drive them.
    if (name == kPeerLink) slowest.reduction = slowestLink(ceilings, kThreadLink, backend).reduction;
    return slowest;
}

/// Sets latency, bandwidth and reduction of the model; returns what is needed and missing.
CostGap setLink(CostModel& model, const RunEntry& entry, const std::vector<CeilingRecord>& known, const std::vector<CeilingRecord>& fresh) {
    const Link own = slowestLink(known, model.traffic.link, entry.backend), other = slowestLink(fresh, model.traffic.link, entry.backend);
    model.latency = own.latency > 0 ? own.latency : other.latency;
    model.bandwidth = own.bandwidth > 0 ? own.bandwidth : other.bandwidth;
    model.reduction = own.reduction > 0 ? own.reduction : other.reduction;
    const PartTraffic& received = model.traffic.received;
    if (received.messages > 0 && model.latency <= 0) return CostGap::latency;
    if ((received.bytes > 0 || received.collectiveBytes > 0) && model.bandwidth <= 0) return CostGap::bandwidth;
    if (received.collectives > 0 && model.reduction <= 0) return CostGap::reduction;
    return CostGap::none;
}

void check(CostPrediction& prediction, const MeasuredParts& measured) {
    for (const auto& [parts, at] : measured) {
        if (parts == prediction.model->fewest) continue;
        const int usable = at.record->machine.usableThreads;
        if (usable > 0 && at.entry->threads > usable) ++prediction.crowded;
        else prediction.checks.push_back({parts, computeTime(*at.entry), prediction.model->time(parts)});
    }
}

CostPrediction predict(const std::string& label, const MeasuredParts& measured, const std::vector<CeilingRecord>& fresh) {
    const auto& [fewest, base] = *measured.begin();
    const auto& [most, last] = *measured.rbegin();
    CostPrediction prediction{.label = label};
    if (!last.entry->traffic) {
        prediction.gap = CostGap::traffic;
        return prediction;
    }
    const Shape& shape = base.record->input.shape;
    CostModel model{.fewest = fewest,
                    .most = most,
                    .compute = computeStage(*base.entry),
                    .base = computeTime(*base.entry),
                    .rows = std::max<std::int64_t>(1, shape.depth > 1 ? shape.depth : shape.height),
                    .weak = base.record->sweep.axis == "weak",
                    .traffic = *last.entry->traffic};
    for (const auto& [parts, at] : measured) model.threads[parts] = at.entry->threads;
    prediction.link = model.traffic.link;
    prediction.uncounted = model.traffic.uncounted;
    prediction.gap = prediction.uncounted.empty() ? setLink(model, *last.entry, last.record->machine.ceilings, fresh) : CostGap::uncounted;
    if (prediction.gap != CostGap::none) return prediction;
    prediction.model = std::move(model);
    check(prediction, measured);
    return prediction;
}

std::vector<double> absoluteErrors(const std::vector<CostPrediction::Check>& checks) {
    std::vector<double> errors;
    for (const CostPrediction::Check& c : checks) errors.push_back(std::fabs(c.error()));
    return errors;
}

}  // namespace

std::int64_t CostModel::largestPart(int parts) const {
    const std::int64_t all = weak ? std::max<std::int64_t>(1, rows / fewest) * parts : rows;
    const std::int64_t unit = std::max<std::int64_t>(1, traffic.unit), units = (all + unit - 1) / unit;
    return std::min(all, (units + parts - 1) / parts * unit);
}

int CostModel::threadsOfPart(int parts) const {
    const int total = threads.begin()->second;
    if (total == 0) return 1;
    const bool shared = std::all_of(threads.begin(), threads.end(), [&](const auto& t) { return t.second == total; });
    if (shared) return std::max(1, total / parts);
    auto nearest = threads.upper_bound(parts);
    if (nearest != threads.begin()) --nearest;
    return std::max(1, nearest->second / nearest->first);
}

double CostModel::exchange(int parts) const {
    const std::int64_t edge = std::max<std::int64_t>(2, traffic.edge);
    const auto ratio = [&](auto&& of) { return of(most) > 0 ? of(parts) / of(most) : 0; };
    const auto partners = [&](int p) {
        const double reach = std::ceil(static_cast<double>(edge) / 2 / static_cast<double>(largestPart(p)));
        return std::min(static_cast<double>(p - 1), 2 * reach);
    };
    const auto sides = [](int p) { return static_cast<double>(std::min(p - 1, 2)); };
    const auto interior = [&](int p) { return static_cast<double>(std::max<std::int64_t>(0, largestPart(p) - edge)); };
    const PartTraffic& received = traffic.received;
    double cost = static_cast<double>(received.messages) * ratio(partners) * latency;
    if (bandwidth > 0) cost += static_cast<double>(received.bytes) * ratio(sides) / bandwidth;
    return std::max(0.0, cost - static_cast<double>(received.overlapped) * ratio(interior));
}

double CostModel::time(int parts) const {
    const double perRow = compute * threadsOfPart(fewest) / static_cast<double>(largestPart(fewest));
    double time = perRow * static_cast<double>(largestPart(parts)) / threadsOfPart(parts);
    if (parts == 1) return time;
    const PartTraffic& received = traffic.received;
    time += exchange(parts);
    time += static_cast<double>(received.collectives) * std::bit_width(static_cast<unsigned>(parts - 1)) * reduction;
    if (bandwidth > 0) time += static_cast<double>(received.collectiveBytes) / bandwidth;
    return time;
}

std::optional<double> CostPrediction::medianError() const {
    return checks.empty() ? std::nullopt : std::optional(median(absoluteErrors(checks)));
}

std::optional<double> CostPrediction::worstError() const {
    const std::vector<double> errors = absoluteErrors(checks);
    return errors.empty() ? std::nullopt : std::optional(*std::max_element(errors.begin(), errors.end()));
}

std::vector<CostPrediction> predictParts(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh) {
    std::vector<std::pair<std::string, MeasuredParts>> backends;
    for (const RunRecord& record : records)
        for (const RunEntry& entry : record.entries) {
            const int parts = partsOfLabel(entry.label);
            if (entry.samples.empty() || entry.verification == Verification::disagrees || !(computeTime(entry) > 0)) continue;
            if (parts > kMaxPredictedParts) continue;
            const std::string label = labelWithoutParts(entry.label);
            auto at = std::find_if(backends.begin(), backends.end(), [&](const auto& b) { return b.first == label; });
            if (at == backends.end()) at = backends.insert(at, {label, {}});
            at->second.try_emplace(parts, PartsPoint{&record, &entry});
        }
    std::vector<CostPrediction> predictions;
    for (const auto& [label, measured] : backends)
        if (measured.size() > 1) predictions.push_back(predict(label, measured, fresh));
    return predictions;
}

std::vector<int> predictedParts(int from) {
    std::vector<int> parts{from};
    for (int p = 1; p <= kMaxPredictedParts; p *= 2)
        if (p > from) parts.push_back(p);
    return parts;
}

}  // namespace parallax
