// SPDX-License-Identifier: GPL-3.0-or-later
// The history of measurements that the window lists: a folder with a report for each, whose name begins with its time in UTC and sorts by
// it. Window and command line add to it at the same time; a file appears whole or not at all, and none replaces another.
#pragma once

#include <string>
#include <vector>

#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Settings of the window that concern the history: resources/manual/settings.md.
struct HistorySettings {
    bool keeps = true;  ///< "history/keep"
    int runs = 60;      ///< "history/max-runs"
};
/// Reads the settings file of the window, $XDG_CONFIG_HOME/parallax/parallax.conf or that in ~/.config. Without it, the defaults.
HistorySettings historySettings();
HistorySettings historySettings(const std::string& file);

/// dataFolder("history").
std::string historyFolder();
/// Adds a measurement and removes the oldest beyond `runs`. Returns the path of its file. Throws Error(output).
std::string addToHistory(const std::vector<RunRecord>& records, const std::string& folder, int runs);

}  // namespace parallax
