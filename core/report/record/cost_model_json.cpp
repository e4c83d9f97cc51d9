// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/record/cost_model_json.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "core/measure/sweeps/cost_model.hpp"
#include "core/measure/sweeps/sweep_series.hpp"
#include "core/report/record/record_groups.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax {
namespace {

using Json = nlohmann::ordered_json;

const char* nameOf(CostGap gap) {
    switch (gap) {
        case CostGap::traffic: return "traffic";
        case CostGap::uncounted: return "uncounted traffic";
        case CostGap::latency: return "latency";
        case CostGap::bandwidth: return "bandwidth";
        case CostGap::reduction: return "reduction";
        default: return "";
    }
}

Json costModelOf(const CostPrediction& p) {
    Json j{{"label", p.label}};
    if (!p.model) {
        j["missing"] = nameOf(p.gap);
        return j;
    }
    const CostModel& m = *p.model;
    Json threads = Json::object(), predictions = Json::array(), checks = Json::array();
    for (const auto& [parts, all] : m.threads) threads[std::to_string(parts)] = all;
    j["from"] = {{"compute_ns", jsonOf(m.compute)},
                 {"parts", m.fewest},
                 {"rows", m.rows},
                 {"weak", m.weak},
                 {"threads", std::move(threads)},
                 {"traffic", jsonOf(m.traffic)},
                 {"traffic_parts", m.most},
                 {"latency_ns", jsonOf(m.latency)},
                 {"bandwidth_gb_s", jsonOf(m.bandwidth)},
                 {"reduction_ns", jsonOf(m.reduction)}};
    for (const int parts : predictedParts(m.fewest))
        predictions.push_back({{"parts", parts},
                               {"compute_ns", jsonOf(m.time(parts))},
                               {"speedup", jsonOf(m.speedup(parts))},
                               {"efficiency", jsonOf(m.efficiency(parts))}});
    for (const CostPrediction::Check& c : p.checks)
        checks.push_back({{"parts", c.parts}, {"measured_ns", jsonOf(c.measured)}, {"predicted_ns", jsonOf(c.predicted)}});
    j["predictions"] = std::move(predictions);
    j["checks"] = std::move(checks);
    if (p.medianError()) {
        j["median_error"] = jsonOf(*p.medianError());
        j["worst_error"] = jsonOf(*p.worstError());
    }
    if (p.crowded > 0) j["not_compared"] = p.crowded;
    return j;
}

}  // namespace

nlohmann::ordered_json costModelsOf(const std::vector<RunRecord>& records) {
    Json models = Json::array();
    for (const auto& sweep : groupsOf(records).sweeps)
        if (sweepsParts(records[sweep.front()].sweep.axis))
            for (const CostPrediction& p : predictParts(selected(records, sweep))) models.push_back(costModelOf(p));
    return models;
}

}  // namespace parallax
