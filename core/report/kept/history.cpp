// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/kept/history.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "core/image/error.hpp"
#include "core/image/texts.hpp"
#include "core/io/atomic_file.hpp"
#include "core/report/kept/data_folder.hpp"
#include "core/report/record/record_json.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;

/// "20260131-120000-123".
std::string idOfNow() {
    const auto now = std::chrono::system_clock::now();
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
    return fmt::format("{:%Y%m%d-%H%M%S}-{:03}", fmt::gmtime(std::chrono::system_clock::to_time_t(now)), milliseconds);
}

/// Removes the oldest reports beyond so many, with the summaries that the window keeps beside them.
void trim(const std::string& folder, int runs) {
    std::error_code error;
    std::vector<fs::path> reports;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") reports.push_back(entry.path());
    // By name without the extension: a number behind it comes after none.
    std::sort(reports.begin(), reports.end(), [](const fs::path& a, const fs::path& b) { return a.stem() > b.stem(); });
    for (std::size_t i = static_cast<std::size_t>(std::max(1, runs)); i < reports.size(); ++i) {
        fs::remove(reports[i], error);
        fs::remove(fs::path(reports[i]).replace_extension(".facts"), error);
    }
}

}  // namespace

HistorySettings historySettings() {
    const std::string file = configurationFile("parallax.conf");
    return file.empty() ? HistorySettings{} : historySettings(file);
}

HistorySettings historySettings(const std::string& file) {
    HistorySettings settings;
    std::ifstream lines(file);
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('[')) inside = line.starts_with("[history]");
        const auto equals = line.find('=');
        if (!inside || equals == std::string::npos) continue;
        const std::string key = line.substr(0, equals), value = line.substr(equals + 1);
        if (key == "keep") settings.keeps = value != "false" && value != "0";
        // As the window, which takes the nearest number of its range.
        if (int runs = 0; key == "max-runs" && parseNumber(value, runs)) settings.runs = std::clamp(runs, 1, 1000);
    }
    return settings;
}

std::string historyFolder() { return dataFolder("history"); }

std::string addToHistory(const std::vector<RunRecord>& records, const std::string& folder, int runs) {
    if (!createFolder(folder))
        throw Error(ErrorCode::output, "The measurement is not kept in the history", "the folder '" + folder + "' cannot be created",
                    "Check XDG_DATA_HOME, or use --no-history");
    const std::string text = toJson(records), id = idOfNow();
    constexpr int kMaxNamesOfAMillisecond = 1000;
    for (int number = 1;; ++number) {
        const std::string path = folder + "/" + id + (number > 1 ? "-" + std::to_string(number) : "") + ".json";
        try {
            AtomicFile file(path, false);
            file.write(text);
            file.commit();
        } catch (const Error&) {
            // Another process took the name: the next one is free.
            std::error_code error;
            if (number == kMaxNamesOfAMillisecond || !fs::exists(path, error)) throw;
            continue;
        }
        trim(folder, runs);
        return path;
    }
}

}  // namespace parallax
