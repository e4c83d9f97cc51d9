// SPDX-License-Identifier: GPL-3.0-or-later
// The options of 'bench' about measurements that are kept: baselines and history.
#pragma once

#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "core/report/kept/baselines.hpp"

namespace parallax::cli {

struct KeptArguments {
    std::vector<std::string> compareWith;
    std::string saveBaseline;
    bool noHistory = false;

    void addHistory(CLI::App& app);
    void add(CLI::App& app);
    /// Reads the baselines to compare with and checks the name of the one to save. Throws Error(usage, input, output).
    std::vector<NamedRecords> open(bool replace) const;
    /// Adds the measurement to the history, and saves it as a baseline if that was asked for. A history that cannot be written is a note.
    /// Throws Error(output).
    void keep(const std::vector<RunRecord>& records, bool replace) const;
};

}  // namespace parallax::cli
