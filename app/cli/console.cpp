// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "app/cli/exit_codes.hpp"
#include "core/image/error.hpp"

namespace parallax::cli {
namespace {

/// The first signal; 0: none.
std::atomic<int> received = 0;

std::stop_source& source() {
    static std::stop_source s;
    return s;
}

/// A signal handler may call almost nothing, so a thread waits for the signals instead.
void waitForSignals(sigset_t set) {
    int signal = 0;
    while (sigwait(&set, &signal) == 0) {
        if (source().stop_requested()) std::_Exit(interruptedExitCode());  // second signal: end at once
        received = signal;
        source().request_stop();
    }
}

bool progressShown = false;

}  // namespace

std::stop_token interruption() {
    static const bool installed = [] {
        // A closed pipe (head, less) ends the program silently.
        std::signal(SIGPIPE, SIG_DFL);
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

bool interrupted() { return source().stop_requested(); }

int interruptedExitCode() { return kSignalBase + (received != 0 ? received.load() : SIGINT); }

void printData(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw Error(ErrorCode::output, "Cannot write to standard output");
}

void printMessage(const std::string& text) {
    endProgress();
    std::fprintf(stderr, "%s\n", text.c_str());
}

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
