// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/last_words.hpp"

#include <algorithm>
#include <regex>
#include <sstream>
#include <string_view>

namespace parallax {
namespace {

constexpr std::string_view kFromWorker = "parallax-worker: ";
constexpr std::size_t kMaxCharacters = 300;

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// General advice of Open MPI on daemons that do not start; what ssh has said comes before it.
constexpr std::string_view kGeneral = "ORTE was unable to reliably start";

struct Advice {
    std::string_view sign, advice;
};
constexpr std::string_view kNetwork = "Name the network of the machines in the launcher: --mca btl_tcp_if_include 192.168.1.0/24";
constexpr Advice kAdvice[] = {
    {"not enough slots", "Use fewer ranks, or add --oversubscribe to the launcher"},
    {"allow-run-as-root", "In a container of your own, set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"},
    {"Could not resolve hostname", "Correct the host file, or make the name known on this machine (DNS or /etc/hosts)"},
    {"Permission denied (", "Let ssh log in without a password: ssh-copy-id"},
    {"Host key verification failed", "Log in by ssh once and accept the key of the machine"},
    {"/orted: ", "Install Open MPI at the same path on each machine"},
    {"could not access or execute an executable", "Install the same version of Parallax at the same path on each machine"},
    {"failed to TCP connect", kNetwork},
    {"Open MPI accepted a TCP connection from what appears", kNetwork},
};

std::string adviceOn(std::string_view output) {
    for (const Advice& a : kAdvice)
        if (contains(output, a.sign)) return std::string(a.advice);
    return {};
}

/// Finds "mpirun noticed that process rank 1 with PID 263 on node node2 exited on signal 9 (Killed)."
std::string lostRank(const std::string& text) {
    static const std::regex sentence("noticed that process rank ([0-9]+) with PID [0-9]+ on node ([^ ]+) exited on signal");
    std::smatch found;
    return std::regex_search(text, found, sentence) ? "rank " + found[1].str() + " on " + found[2].str() : std::string();
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
        // Open MPI warns of the process groups of ssh where it has no terminal.
        if (begin == std::string::npos || contains(line, "Warning: setpgid(")) continue;
        line = line.substr(begin, line.find_last_not_of(' ') + 1 - begin);
        text += (text.empty() ? "" : " ") + line;
    }
    if (const std::size_t general = text.find(kGeneral); general != std::string::npos && general > 0) text.resize(general - 1);
    const std::string lost = lostRank(text), advice = adviceOn(text);
    if (!ofWorker.empty()) text = ofWorker;
    if (text.size() > kMaxCharacters) text = text.substr(0, kMaxCharacters) + " ...";
    while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
    return {text, advice, !ofWorker.empty(), lost};
}

}  // namespace parallax
