// SPDX-License-Identifier: GPL-3.0-or-later
// Data of the roofline chart, prepared in a worker thread because of the bootstrap intervals.
#pragma once

#include <QString>
#include <vector>

#include "core/measure/ceilings/roofline.hpp"

namespace parallax::ui {

/// A benchmark (one record) or the records of a sweep.
struct RooflinePart {
    std::vector<RunRecord> records;
    QString source;  ///< name of the report; empty: of this session

    bool swept() const { return records.size() != 1 || !records.front().sweep.axis.empty(); }
    /// Measured with the same processor and devices on the same host: under the same ceilings.
    bool sameMachine(const RooflinePart& other) const;
};

struct RooflineData {
    std::vector<Ceiling> ceilings;  ///< of the first record that has ceilings
    std::vector<RooflinePoint> points;
    /// Position of each record in its sweep; without an axis: the benchmark.
    std::vector<SweepRecord> at;
    QString source;   ///< names of the reports; empty: all of this session
    QString leftOut;  ///< the machine of a part that is not shown, since it has other ceilings; empty: none

    bool swept(const RooflinePoint& p) const { return p.record < at.size() && !at[p.record].axis.empty(); }
};

/// The first part counts; others are left out where they are of another machine. Records are numbered through all parts that are
/// shown. `fresh` are the ceilings of this machine.
RooflineData makeRooflineData(std::vector<RooflinePart> parts, const std::vector<CeilingRecord>& fresh);
/// Of one part alone.
RooflineData makeRooflineData(const std::vector<RunRecord>& records, const std::vector<CeilingRecord>& fresh, const QString& source);

}  // namespace parallax::ui
