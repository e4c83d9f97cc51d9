// SPDX-License-Identifier: GPL-3.0-or-later
// Records of which the times are known.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Five samples within 0.2 % of a time in ns.
inline RunEntry labEntry(const std::string& label, double computeNs, int threads = 1) {
    RunEntry e;
    e.label = label;
    e.backend = label.substr(0, label.find_first_of(".@:#"));
    e.device = threads > 0 ? "CPU" : "GPU";
    e.threads = threads;
    e.flops = 1e9;
    e.bytes = 1e8;
    e.verification = Verification::agrees;
    for (int i = -2; i <= 2; ++i) {
        StageTimes t;
        t[Stage::compute] = static_cast<std::int64_t>(computeNs * (1 + 0.001 * i));
        t[Stage::upload] = threads > 0 ? 0 : 1000;
        e.samples.push_back(t);
    }
    return e;
}

inline RunRecord labRecord(const std::string& axis, const std::string& value, std::vector<RunEntry> entries) {
    RunRecord r;
    r.sweep = {axis, value};
    r.entries = std::move(entries);
    r.baseline = r.entries.front().label;
    return r;
}

}  // namespace parallax
