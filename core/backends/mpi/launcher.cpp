// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "core/engine/backend/rank_launcher.hpp"
#include "core/image/error.hpp"
#include "core/parallel/ranks.hpp"

extern char** environ;

namespace parallax {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRanks = kLauncherRanks;
constexpr const char* kWorker = "parallax-worker";

bool isExecutable(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

std::string environmentOf(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

/// The path of a program as a shell finds it; empty if there is none.
std::string inPath(const std::string& program) {
    if (program.find('/') != std::string::npos) return isExecutable(program) ? program : "";
    const std::string folders = environmentOf("PATH");
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        if (end > begin)
            if (const fs::path file = fs::path(folders.substr(begin, end - begin)) / program; isExecutable(file)) return file.string();
        begin = end + 1;
    }
    return {};
}

bool isOpenMpiLauncher(const std::string& program) {
    const std::string name = fs::path(program).filename().string();
    return name == "mpiexec" || name == "mpirun" || name == "orterun" || name == "prterun" || name == "prun";
}

bool hasWord(const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Open MPI refuses to start as root unless the person says so, in the template or in the environment.
bool refusesRoot(const std::vector<std::string>& words) {
    return geteuid() == 0 && isOpenMpiLauncher(words.front()) && !hasWord(words, "--allow-run-as-root") &&
           (environmentOf("OMPI_ALLOW_RUN_AS_ROOT").empty() || environmentOf("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM").empty()) &&
           environmentOf("PRTE_ALLOW_RUN_AS_ROOT").empty();
}

Availability no(std::string reason, std::string whatToDo) { return {false, std::move(reason), std::move(whatToDo)}; }

Availability workerAvailability() {
    if (!workerPath().empty()) return {};
#ifdef PARALLAX_WITHOUT_MPI
    return no("This build is without MPI (" PARALLAX_WITHOUT_MPI ")", "Install libopenmpi-dev and openmpi-bin, and build Parallax again");
#else
    return no("parallax-worker was found neither beside the program nor in PATH", "Install the package parallax-worker and Open MPI");
#endif
}

Availability launcherAvailability(const std::vector<std::string>& words) {
    if (inPath(words.front()).empty())
        return no("The launcher '" + words.front() + "' was not found",
                  isOpenMpiLauncher(words.front())
                      ? "Install Open MPI, package openmpi-bin, or name another launcher in PARALLAX_MPI_LAUNCHER"
                      : "Correct PARALLAX_MPI_LAUNCHER or the setting of the window");
    if (refusesRoot(words))
        return no("Open MPI does not start ranks as root unless it is told to",
                  "In a container of your own, set OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1, or add "
                  "--allow-run-as-root to the launcher");
    return {};
}

/// Sets a variable unless it has a value.
void setDefault(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
    if (std::none_of(environment.begin(), environment.end(), [&](const std::string& e) { return e.starts_with(name + "="); }))
        environment.push_back(name + "=" + value);
}

/// Ranks divide the processors of a machine among themselves, so launchers need not bind them. The default launcher starts more ranks than
/// processors if it is asked to: a template of the person decides on its own.
std::vector<std::string> environmentFor(const std::string& launcher) {
    std::vector<std::string> environment;
    for (char** variable = environ; *variable; ++variable) environment.emplace_back(*variable);
    setDefault(environment, "OMPI_MCA_hwloc_base_binding_policy", "none");
    setDefault(environment, "PRTE_MCA_hwloc_default_binding_policy", "none");
    // When a rank is lost, Open MPI ends the others, and tells so, after they had this time to end in order. These own no files.
    setDefault(environment, "OMPI_MCA_odls_base_sigkill_timeout", "0");
    if (launcher != kDefaultMpiLauncher) return environment;
    setDefault(environment, "OMPI_MCA_rmaps_base_oversubscribe", "1");
    setDefault(environment, "PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
    return environment;
}

}  // namespace

std::string workerPath() {
    std::error_code error;
    if (const fs::path program = fs::read_symlink("/proc/self/exe", error); !error)
        if (const fs::path worker = program.parent_path() / kWorker; isExecutable(worker)) return worker.string();
    return inPath(kWorker);
}

Availability mpiAvailability() {
    if (processRanks()) return no("This program is a rank itself", "Name the backend of the ranks, as in --backend openmp");
    if (Availability worker = workerAvailability(); !worker.yes) return worker;
    try {
        return launcherAvailability(launcherWords(mpiLauncher()));
    } catch (const Error& e) {
        return no(e.summary() + (e.why().empty() ? "" : ": " + e.why()), e.whatToDo());
    }
}

Launch launchOf(const std::string& launcher, int ranks, const std::string& listener) {
    std::vector<std::string> words = launcherWords(launcher);
    for (const Availability& a : {workerAvailability(), launcherAvailability(words)})
        if (!a.yes) throw Error(ErrorCode::unavailable, "The ranks cannot be started", a.reason, a.whatToDo);
    words.front() = inPath(words.front());
    for (std::string& word : words)
        for (std::size_t at = word.find(kRanks); at != std::string::npos; at = word.find(kRanks, at))
            word.replace(at, kRanks.size(), std::to_string(ranks));
    const std::string worker = workerPath();
    std::vector<std::string> command{worker, "launch"};
    if (launcher == kDefaultMpiLauncher) command.emplace_back("--own-folder");
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {worker, "serve", "--client", listener});
    return {std::move(command), environmentFor(launcher)};
}

}  // namespace parallax
