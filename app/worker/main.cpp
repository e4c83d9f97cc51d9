// SPDX-License-Identifier: GPL-3.0-or-later
// One of several ranks, as started by mpirun or srun. Rank 0 is the command line; the others compute for it.
#include <cstdlib>
#include <memory>
#include <string_view>

#include "app/cli/exit_codes.hpp"
#include "app/command_line.hpp"
#include "app/worker/serve.hpp"
#include "app/worker/supervise.hpp"
#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/resource_limits.hpp"
#include "core/engine/parts/serve_ranks.hpp"
#include "core/engine/run/build_info.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/ranks/rank_run.hpp"
#include "core/measure/ceilings/link.hpp"
#include "core/mpi/mpi_ranks.hpp"

namespace {

using namespace parallax;

constexpr const char* kName = "parallax-worker";
constexpr const char* kHelp =
    "Apply image operations on the ranks of an MPI job: each computes a part of the image. The result has the bytes of parallax-cli.\n\n"
    "Examples:\n"
    "  mpirun -n 4 parallax-worker run -i scene.exr -o out.exr --op convolve:size=7 --op tonemap\n"
    "  mpirun -n 4 parallax-worker bench -i scene.exr --op convolve:size=7 --backend openmp --backend openmp+blocking --report r.html\n"
    "  mpirun -n 8 parallax-worker bench -i scene.exr --op convolve:size=7 --backend openmp --sweep parts=1,2,4,8\n"
    "  mpirun -n 2 parallax-worker run -i scene.exr -o out.exr --op convolve:size=7 --backend cuda\n"
    "  srun -n 16 parallax-worker run -i scan.nii -o filtered.nii --op wavelet-denoise --threads 4";

/// Adds the commands with the options of ranks.
void addCommands(CLI::App& app, cli::Action& action, const std::string& commandLine) {
    cli::addRun(app, action);
    cli::addBench(app, action, commandLine);
    for (CLI::App* const command : app.get_subcommands([](CLI::App*) { return true; }))
        command->get_option("--threads")->description("Threads of each rank; 0: its share of the processors [0]");
}

/// What ranks other than the first do besides runs in memory.
RankJobs jobsOfRanks() {
    return {{kRankRunLayer, [](auto job, Communicator& communicator) { serveRankRun(processCatalog(), job, communicator); }},
            {kRankLinkLayer, serveRankLink}};
}

/// Ranks of different builds would not understand each other. Returns whether all are alike; otherwise rank 0 throws Error(unavailable).
bool areAlike(const MpiRanks& ranks) {
    const int other = ranks.otherBuild();
    if (other < 0) return true;
    if (ranks.rank() > 0) return false;
    throw Error(ErrorCode::unavailable, "The ranks are of different builds",
                std::string(kName) + " of rank " + std::to_string(other) + " on " + ranks.host(other) + " is not that of rank 0 on " +
                    ranks.host(0),
                "Install the same version on all machines");
}

/// Reports why the job cannot go on, unless a signal ended it. Returns the exit code.
int reportLoss(const Error& error) {
    if (cli::interrupted()) return cli::interruptedExitCode();
    cli::printError(error.what());
    removeUnfinishedFiles();
    return cli::exitCodeOf(error.code());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "launch") return superviseLauncher(argc, argv);
    cli::prepareProcess();
    cli::setProgram(kName, kName);
    return cli::exitCodeAfter([&] {
        std::shared_ptr<MpiRanks> ranks = startMpi(buildInfo().stamp + " " + buildInfo().git, processorName());
        ranks->setLossHandler(reportLoss);
        if (!areAlike(*ranks)) return int{cli::kUnavailable};
        setProcessRanks(ranks);
        setResourceLimits({.threads = ranks->threads(ranks->rank())});
        int code = cli::kSuccess;
        if (ranks->rank() > 0) {
            serveRanks(processCatalog(), *ranks, jobsOfRanks());
        } else {
            const std::string start = "mpirun -n " + std::to_string(ranks->size()) + " " + kName;
            const auto addAll = [&](CLI::App& app, cli::Action& action, const std::string& commandLine) {
                addCommands(app, action, commandLine);
                addServe(app, action, ranks);
            };
            code = cli::runProgram({kName, start, kHelp, addAll}, argc, argv);
            ranks->dismiss();
        }
        // An interrupted launcher no longer answers, so MPI could not shut down.
        if (cli::interrupted()) std::_Exit(cli::interruptedExitCode());
        setProcessRanks(nullptr);
        return code;
    });
}
