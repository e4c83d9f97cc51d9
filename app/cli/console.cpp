// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/text.hpp"

namespace parallax::cli {
namespace {

/// The first signal; 0: none.
std::atomic<int> received = 0;

/// Number of ResultsKept.
std::atomic<int> resultsKept = 0;

std::stop_source& source() {
    static std::stop_source s;
    return s;
}

/// Ends the process without waiting for work that is blocked, such as a read from a pipe.
[[noreturn]] void endAtOnce() {
    removeUnfinishedFiles();
    std::_Exit(interruptedExitCode());
}

/// A signal handler may call almost nothing, so a thread waits for the signals instead. Work that does not stop in time after the first
/// one is ended, as by a second one.
void waitForSignals(sigset_t set) {
    int signal = 0;
    if (sigwait(&set, &signal) != 0) return;
    received = signal;
    source().request_stop();
    constexpr timespec kTenth{.tv_sec = 0, .tv_nsec = 100'000'000};
    for (int tenths = 0; tenths < (resultsKept > 0 ? 100 : 10);) {
        if (sigtimedwait(&set, nullptr, &kTenth) >= 0) break;
        if (errno != EINTR) ++tenths;
    }
    endAtOnce();
}

bool progressShown = false;

std::string nameOfProgram = "parallax-cli", startOfProgram = nameOfProgram;

}  // namespace

void setProgram(const std::string& name, const std::string& start) {
    nameOfProgram = name;
    startOfProgram = start;
}
const std::string& programName() { return nameOfProgram; }
const std::string& programStart() { return startOfProgram; }

std::stop_token interruption() {
    static const bool installed = [] {
        // A closed pipe (head, less) ends the program silently.
        std::signal(SIGPIPE, SIG_DFL);
        // A write beyond the limit on the size of files (ulimit -f) then fails like one on a full disk.
        std::signal(SIGXFSZ, SIG_IGN);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGINT);
        sigaddset(&set, SIGTERM);
        sigaddset(&set, SIGHUP);  // terminal closed; nohup still works, since an ignored signal is not delivered
        pthread_sigmask(SIG_BLOCK, &set, nullptr);
        std::thread(waitForSignals, set).detach();
        return true;
    }();
    (void)installed;
    return source().get_token();
}

ResultsKept::ResultsKept() { ++resultsKept; }
ResultsKept::~ResultsKept() { --resultsKept; }

bool interrupted() { return source().stop_requested(); }

int interruptedExitCode() { return kSignalBase + (received != 0 ? received.load() : SIGINT); }

void printData(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Error(ErrorCode::output, "Cannot write to standard output");
}

void printMessage(const std::string& text) {
    endProgress();
    std::fprintf(stderr, "%s\n", printable(text, "\n").c_str());
}

void printError(const std::string& text) { printMessage(programName() + ": " + text); }

void printProgress(const std::string& text) {
    if (!isatty(STDERR_FILENO)) return;
    std::fprintf(stderr, "\r\033[K%s", text.c_str());
    std::fflush(stderr);
    progressShown = true;
}

void endProgress() {
    if (progressShown) std::fprintf(stderr, "\r\033[K");
    progressShown = false;
}

bool coloursOnStdout() {
    const char* noColour = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(noColour && *noColour);
}

}  // namespace parallax::cli
