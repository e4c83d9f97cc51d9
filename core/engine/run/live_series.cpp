// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/live_series.hpp"

#include <algorithm>
#include <utility>

namespace parallax {
namespace {

void keepEverySecond(std::vector<double>& values) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); i += 2) values[kept++] = values[i];
    values.resize(kept);
}

}  // namespace

SeriesRecord seriesRecordOf(int step, const std::string& operation, const RunSeriesInfo& info) {
    SeriesRecord record;
    record.step = step;
    record.operation = operation;
    record.key = info.key;
    record.title = info.title;
    record.xTitle = info.xTitle;
    record.yTitle = info.yTitle;
    record.xUnit = info.xUnit;
    record.yUnit = info.yUnit;
    record.help = info.help;
    record.logarithmic = info.logarithmic;
    return record;
}

void LiveSeries::beginRun(std::string name) {
    const std::scoped_lock lock(mutex_);
    run_ = std::move(name);
    curves_.clear();
    infos_.clear();
    version_.fetch_add(1, std::memory_order_relaxed);
}

void LiveSeries::beginStep(int step, std::string operation, std::vector<RunSeriesInfo> infos) {
    const std::scoped_lock lock(mutex_);
    step_ = step;
    operation_ = std::move(operation);
    infos_ = std::move(infos);
}

LiveSeries::Curve* LiveSeries::curveOf(std::string_view key, std::string_view label) {
    const auto known = std::find_if(curves_.begin(), curves_.end(), [&](const Curve& c) {
        return c.record.step == step_ && c.record.key == key && c.record.label == label;
    });
    if (known != curves_.end()) return &*known;
    const auto info = std::find_if(infos_.begin(), infos_.end(), [&](const RunSeriesInfo& i) { return i.key == key; });
    if (info == infos_.end() || curves_.size() == kMaxCurves) return nullptr;
    Curve& curve = curves_.emplace_back();
    curve.record = seriesRecordOf(step_, operation_, *info);
    curve.record.label = label;
    return &curve;
}

void LiveSeries::add(std::string_view key, std::string_view label, double x, double y, double tolerance) {
    const std::scoped_lock lock(mutex_);
    Curve* const curve = curveOf(key, label);
    if (!curve) return;
    curve->record.tolerance = tolerance;
    curve->lastX = x;
    curve->lastY = y;
    if (curve->count++ % curve->stride == 0) {
        if (curve->record.x.size() == kMaxPoints) {
            keepEverySecond(curve->record.x);
            keepEverySecond(curve->record.y);
            curve->stride *= 2;
        }
        curve->record.x.push_back(x);
        curve->record.y.push_back(y);
    }
    version_.fetch_add(1, std::memory_order_relaxed);
}

LiveSeries::Snapshot LiveSeries::snapshot() const {
    const std::scoped_lock lock(mutex_);
    Snapshot copy{run_, {}};
    for (const Curve& curve : curves_) {
        SeriesRecord& record = copy.series.emplace_back(curve.record);
        if ((curve.count - 1) % curve.stride == 0) continue;
        record.x.push_back(curve.lastX);
        record.y.push_back(curve.lastY);
    }
    return copy;
}

}  // namespace parallax
