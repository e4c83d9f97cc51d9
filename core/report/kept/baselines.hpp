// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements that others are compared with, each under a name: a folder of reports NAME.json, which can be copied to another machine.
// Window and command line share them.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/report/record/compare.hpp"

namespace parallax {

class Baselines {
public:
    /// dataFolder("baselines").
    static std::string standardFolder();
    explicit Baselines(std::string folder = standardFolder()) : folder_(std::move(folder)) {}

    /// Names in alphabetical order.
    std::vector<std::string> names() const;
    /// Path of the report, whether or not it exists.
    std::string pathOf(const std::string& name) const { return folder_ + "/" + name + ".json"; }
    bool has(const std::string& name) const;
    /// Throws Error(usage) unless a baseline has this name, or Error(input) if it is damaged.
    std::vector<RunRecord> load(const std::string& name) const;
    /// Throws Error(usage) for an unsuitable name, or Error(output), also if the name is taken and `replace` is not set.
    void save(const std::string& name, const std::vector<RunRecord>& records, bool replace) const;
    /// Throws Error(usage) if there is none of this name or another one has the new name.
    void rename(const std::string& name, const std::string& newName) const;
    /// Throws Error(usage) if there is none of this name.
    void remove(const std::string& name) const;

private:
    std::string folder_;
};

/// Throws Error(usage) unless the name suits a file and the command line: 1 to 80 bytes without '/', '=', control characters, and without
/// '.' at its beginning.
void checkBaselineName(const std::string& name);

/// A measurement to compare with.
struct NamedRecords {
    std::string name;
    std::vector<RunRecord> records;
};
/// "NAME=REPORT.json", "REPORT.json" under its file name, or the name of a saved baseline. Throws Error(usage, input).
NamedRecords baselineFor(const std::string& text, const Baselines& baselines);

/// Compares a measurement, or each point of a sweep, with a baseline of the same kind; labels of points include their value. Points that
/// the baseline lacks are left out.
NamedComparison compareWith(const NamedRecords& baseline, const std::vector<RunRecord>& current, double limitPercent);

/// A table with a row for each entry and a column for each baseline: time now, and how many times as long as before, with the 95 %
/// interval and the verdict. Then the warnings of each baseline.
std::string toText(const std::vector<NamedComparison>& comparisons);

}  // namespace parallax
