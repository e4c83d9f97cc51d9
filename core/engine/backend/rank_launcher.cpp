// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/backend/rank_launcher.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <mutex>

#include "core/image/error.hpp"

namespace parallax {
namespace {

std::mutex mutex;
std::string chosen;

std::string fromEnvironment() {
    const char* const value = std::getenv("PARALLAX_MPI_LAUNCHER");
    return value ? value : "";
}

}  // namespace

void setMpiLauncher(const std::string& launcher) {
    const std::scoped_lock lock(mutex);
    chosen = launcher;
}

bool environmentSetsMpiLauncher() { return !fromEnvironment().empty(); }

std::string mpiLauncher() {
    if (environmentSetsMpiLauncher()) return fromEnvironment();
    const std::scoped_lock lock(mutex);
    return chosen.empty() ? kDefaultMpiLauncher : chosen;
}

std::vector<std::string> launcherWords(const std::string& launcher) {
    std::vector<std::string> words;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < launcher.size(); ++i) {
        const char c = launcher[i];
        if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
            inWord = false;
            continue;
        }
        if (!inWord) words.emplace_back();
        inWord = true;
        if (quote == 0 && (c == '\'' || c == '"')) quote = c;
        else if (c == quote) quote = 0;
        else if (c == '\\' && quote != '\'' && i + 1 < launcher.size()) words.back() += launcher[++i];
        else words.back() += c;
    }
    const auto wrong = [&](const std::string& why) {
        throw Error(ErrorCode::usage, "'" + launcher + "' is not a valid launcher of ranks", why,
                    "Write it as 'mpiexec -n {ranks}' or 'srun -n {ranks}'");
    };
    if (quote != 0) wrong("a quote is not closed");
    if (words.empty() || words.front().empty()) wrong("it names no program");
    if (std::none_of(words.begin(), words.end(), [](const std::string& w) { return w.find(kLauncherRanks) != std::string::npos; }))
        wrong("it has no place for the number of ranks, {ranks}");
    return words;
}

}  // namespace parallax
