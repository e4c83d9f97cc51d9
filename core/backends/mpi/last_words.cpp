// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/last_words.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

namespace parallax {
namespace {

constexpr std::string_view kFromWorker = "parallax-worker: ";
constexpr std::size_t kMostCharacters = 300;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string adviceOn(std::string_view output) {
    if (contains(output, "not enough slots")) return "Use fewer ranks, or add --oversubscribe to the launcher";
    if (contains(output, "allow-run-as-root"))
        return "In a container of your own, set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
    return {};
}

}  // namespace

LastWords lastWordsOf(const std::string& output) {
    std::istringstream lines(output);
    std::string text, ofWorker;
    for (std::string line; std::getline(lines, line);) {
        // Other bytes would be control sequences on a terminal.
        for (char& c : line)
            if (static_cast<unsigned char>(c) < ' ') c = ' ';
        if (line.starts_with(kFromWorker) && ofWorker.empty()) ofWorker = line.substr(kFromWorker.size());
        const std::size_t begin = line.find_first_not_of(" -");
        if (begin == std::string::npos) continue;
        line = line.substr(begin, line.find_last_not_of(' ') + 1 - begin);
        text += (text.empty() ? "" : " ") + line;
    }
    if (!ofWorker.empty()) text = ofWorker;
    if (text.size() > kMostCharacters) text = text.substr(0, kMostCharacters) + " ...";
    while (!text.empty() && text.back() == '.') text.pop_back();
    return {text, adviceOn(output), !ofWorker.empty()};
}

}  // namespace parallax
