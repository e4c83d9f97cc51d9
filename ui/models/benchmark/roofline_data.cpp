// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/roofline_data.hpp"

#include <QStringList>
#include <algorithm>

#include "core/measure/sweeps/sweep_series.hpp"

namespace parallax::ui {
namespace {

/// Records of older versions lack the sweep: their axis is the parameter that differs.
std::vector<SweepRecord> placesOf(const RooflinePart& part) {
    std::vector<SweepRecord> places;
    if (!part.swept()) return {SweepRecord{}};
    const SweepSeries series = seriesOf(part.records);
    for (std::size_t i = 0; i < part.records.size(); ++i)
        places.push_back({series.axis, i < series.values.size() ? series.values[i] : std::string()});
    return places;
}

}  // namespace

bool RooflinePart::sameMachine(const RooflinePart& other) const {
    if (records.empty() || other.records.empty()) return true;
    const MachineRecord &a = records.front().machine, &b = other.records.front().machine;
    const auto names = [](const MachineRecord& m) {
        std::vector<std::string> list;
        for (const GpuRecord& g : m.gpus) list.push_back(g.name);
        return list;
    };
    return a.cpu == b.cpu && a.host == b.host && a.usableThreads == b.usableThreads && names(a) == names(b);
}

RooflineData makeRooflineData(std::vector<RooflinePart> parts, const std::vector<CeilingRecord>& fresh) {
    RooflineData data;
    std::erase_if(parts, [](const RooflinePart& p) { return p.records.empty(); });
    std::vector<RunRecord> records;
    QStringList sources;
    bool ours = false;
    for (const RooflinePart& part : parts) {
        if (!part.sameMachine(parts.front())) {
            data.leftOut = QString::fromStdString(part.records.front().machine.cpu);
            continue;
        }
        for (SweepRecord& place : placesOf(part)) data.at.push_back(std::move(place));
        records.insert(records.end(), part.records.begin(), part.records.end());
        ours = ours || part.source.isEmpty();
        if (!part.source.isEmpty() && !sources.contains(part.source)) sources << part.source;
    }
    for (const RunRecord& r : records)
        if (data.ceilings.empty()) data.ceilings = bestCeilings(r.machine.ceilings);
    // Ceilings of this machine do not apply to a report from elsewhere.
    const std::vector<CeilingRecord> none;
    if (data.ceilings.empty() && ours) data.ceilings = bestCeilings(fresh);
    data.points = rooflinePoints(records, ours ? fresh : none);
    data.source = sources.join(QStringLiteral(", "));
    return data;
}

RooflineData makeRooflineData(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh, const QString& source) {
    return makeRooflineData({RooflinePart{records, source}}, fresh);
}

}  // namespace parallax::ui
