// SPDX-License-Identifier: GPL-3.0-or-later
// What the roofline shows, made in a worker thread: intervals by bootstrap take their time.
#pragma once

#include <QString>
#include <vector>

#include "parallax/measure/roofline.hpp"

namespace parallax::ui {

struct RooflineData {
    std::vector<Roof> roofs;  ///< of the first record that has some
    std::vector<RooflinePoint> points;
    QString source;  ///< name of the report; empty: of this session
};

inline RooflineData makeRooflineData(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh,
                                     const QString& source) {
    RooflineData data;
    for (const RunRecord& r : records)
        if (data.roofs.empty()) data.roofs = roofsOf(r.machine.ceilings);
    // Those of this machine are no measure for a report from elsewhere.
    const std::vector<CeilingRecord> none;
    if (data.roofs.empty() && source.isEmpty()) data.roofs = roofsOf(fresh);
    data.points = rooflinePoints(records, source.isEmpty() ? fresh : none);
    data.source = source;
    return data;
}

}  // namespace parallax::ui
