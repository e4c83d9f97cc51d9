// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/worker/supervise.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/backends/mpi/shared_memory.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kFolderPrefix = "parallax-ranks-";

/// A folder for the files of one job. Locked while the job lives, so that one that was left behind by a crash is recognised.
class JobFolder {
public:
    JobFolder() {
        std::error_code error;
        fs::path base = "/dev/shm";  // where Open MPI keeps shared memory
        if (access(base.c_str(), W_OK) != 0) base = fs::temp_directory_path(error);
        if (error) return;
        removeAbandoned(base);
        std::string name = (base / kFolderPrefix).string() + "XXXXXX";
        if (!mkdtemp(name.data())) return;
        path_ = name;
        lock_ = lockOf(path_);
        for (const char* variable : {"OMPI_MCA_orte_tmpdir_base", "OMPI_MCA_btl_vader_backing_directory",
                                     "OMPI_MCA_btl_sm_backing_directory", "PRTE_MCA_prte_tmpdir_base"})
            (void)setenv(variable, path_.c_str(), 0);
    }
    ~JobFolder() {
        std::error_code error;
        if (!path_.empty()) fs::remove_all(path_, error);
    }
    JobFolder(const JobFolder&) = delete;
    JobFolder& operator=(const JobFolder&) = delete;

private:
    /// None if another process has it.
    static Descriptor lockOf(const fs::path& folder) {
        Descriptor lock(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
        if (lock && flock(lock.get(), LOCK_EX | LOCK_NB) != 0) lock.reset();
        return lock;
    }
    static void removeAbandoned(const fs::path& base) {
        std::error_code error;
        std::vector<fs::path> found;
        for (fs::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error))
            if (entry->path().filename().string().starts_with(kFolderPrefix)) found.push_back(entry->path());
        // Another one that is just being made has no lock yet.
        for (const fs::path& folder : found)
            if (const auto age = fs::file_time_type::clock::now() - fs::last_write_time(folder, error); !error && age > 1min)
                if (const Descriptor lock = lockOf(folder)) fs::remove_all(folder, error);
    }

    fs::path path_;
    Descriptor lock_;
};

/// Children of this process, those that it has adopted included.
std::vector<pid_t> children() {
    std::ifstream file("/proc/self/task/" + std::to_string(getpid()) + "/children");
    std::vector<pid_t> all;
    for (pid_t child = 0; file >> child;) all.push_back(child);
    return all;
}

void signalAll(const std::vector<pid_t>& processes, int signal) {
    for (const pid_t process : processes) (void)kill(process, signal);
}

pid_t startLauncher(char* const* arguments) {
    const pid_t process = fork();
    if (process != 0) return process;
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, nullptr);
    if (const int nothing = open("/dev/null", O_RDONLY); nothing >= 0) (void)dup2(nothing, STDIN_FILENO);
    (void)execv(arguments[0], arguments);
    std::fprintf(stderr, "parallax-worker: Cannot start '%s': %s\n", arguments[0], std::strerror(errno));
    _exit(127);
}

class Supervisor {
public:
    Supervisor() {
        (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
        sigset_t signals;
        (void)sigemptyset(&signals);
        for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) (void)sigaddset(&signals, signal);
        (void)sigprocmask(SIG_BLOCK, &signals, nullptr);
        signals_ = Descriptor(signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    }

    /// Returns the status of the launcher, see waitpid(), once no process of the job is left.
    int run(char* const* arguments) {
        launcher_ = startLauncher(arguments);
        if (launcher_ < 0) return 0x7f00;
        while (reap()) {
            waitForEvent();
            const auto now = Clock::now();
            if (!status_ && terminateAt_ && now >= *terminateAt_) {
                // Processes that the launcher does not end soon are ended below.
                (void)kill(launcher_, SIGTERM);
                terminateAt_.reset();
                killAt_ = now + 1500ms;
            }
            if (killAt_ && now >= *killAt_) {
                signalAll(children(), SIGKILL);
                killAt_ = now + 500ms;
            }
        }
        return *status_;
    }

private:
    /// Collects processes that have ended; false once none is left.
    bool reap() {
        int status = 0;
        for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) != 0;) {
            if (ended < 0) return errno == EINTR;
            if (ended != launcher_) continue;
            status_ = status;
            // Ranks that lose their launcher notice it within a tenth of a second.
            killAt_ = Clock::now() + 500ms;
        }
        return true;
    }
    void waitForEvent() {
        std::array<pollfd, 2> events{pollfd{signals_.get(), POLLIN, 0}, pollfd{clientEnded_ ? -1 : STDIN_FILENO, POLLIN, 0}};
        (void)poll(events.data(), events.size(), terminateAt_ || killAt_ ? 50 : -1);
        signalfd_siginfo signal{};
        while (read(signals_.get(), &signal, sizeof signal) == sizeof signal)
            if (signal.ssi_signo != SIGCHLD) terminateAt_ = Clock::now();
        if (events[1].revents == 0) return;
        std::array<char, 16> ignored{};
        if (read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) return;
        clientEnded_ = true;
        if (!terminateAt_) terminateAt_ = Clock::now() + 1s;
    }

    Descriptor signals_;
    pid_t launcher_ = -1;
    std::optional<int> status_;
    std::optional<Clock::time_point> terminateAt_, killAt_;
    bool clientEnded_ = false;
};

}  // namespace

int superviseLauncher(int argc, char** argv) {
    int status = 0;
    {
        int first = 2;
        std::optional<JobFolder> folder;
        if (argc > first && std::string_view(argv[first]) == "--own-folder") {
            folder.emplace();
            ++first;
        }
        if (argc <= first) {
            std::fprintf(stderr, "parallax-worker: No launcher given\n");
            return 2;
        }
        status = Supervisor().run(argv + first);
    }
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    // Ends as the launcher did.
    sigset_t none;
    (void)sigemptyset(&none);
    (void)std::signal(WTERMSIG(status), SIG_DFL);
    (void)sigprocmask(SIG_SETMASK, &none, nullptr);
    (void)raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

}  // namespace parallax
