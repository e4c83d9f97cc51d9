// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.hpp"

#include <fmt/format.h>

#include "app/cli/console.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {

void printJson(const Json& json) { printData(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

std::string stagesText(const StageTimes& times) {
    std::string text;
    for (const Stage s : kAllStages)
        if (times[s] > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", stageName(s), formatTime(static_cast<double>(times[s])));
    if (times.overlapped()) text += fmt::format("; stages overlap, end to end {}", formatTime(static_cast<double>(times.endToEnd())));
    return text;
}

Json stagesJson(const StageTimes& times) {
    Json stages = Json::object();
    for (const Stage s : kAllStages)
        if (times[s] > 0) stages[std::string(stageName(s))] = times[s];
    return stages;
}

}  // namespace parallax::cli
