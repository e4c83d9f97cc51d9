// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/launched_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kKeptWords = 4096;

std::pair<Descriptor, Descriptor> openPipe() {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(ErrorCode::memory, "Cannot start the ranks", std::strerror(errno));
    return {Descriptor(ends[0]), Descriptor(ends[1])};
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

/// Turns the new process into the launcher, by calls that are safe after fork() in a program with threads. Tells errno if that fails.
[[noreturn]] void becomeLauncher(char* const* arguments, char* const* environment, int input, int output, int failure) {
    (void)setpgid(0, 0);
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT}) (void)std::signal(signal, SIG_DFL);
    if (dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0)
        (void)execve(arguments[0], arguments, environment);
    const int error = errno;
    (void)!write(failure, &error, sizeof error);
    _exit(127);
}

}  // namespace

LaunchedProcess::LaunchedProcess(const Launch& launch, std::function<void()> onTick)
    : onTick_(std::move(onTick)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), ended_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake_ || !ended_) throw Error(ErrorCode::memory, "Cannot start the ranks", std::strerror(errno));
    watcher_ = std::thread([this, &launch] { watch(launch); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return started_; });
    if (startError_ == 0) return;
    lock.unlock();
    watcher_.join();
    throw Error(startError_ == ENOMEM || startError_ == EAGAIN ? ErrorCode::memory : ErrorCode::unavailable,
                "Cannot start '" + launch.command.front() + "'", std::strerror(startError_));
}

LaunchedProcess::~LaunchedProcess() {
    end(2s);
    if (watcher_.joinable()) watcher_.join();
}

void LaunchedProcess::start(const Launch& launch) {
    auto [read, write] = openPipe();
    auto [failed, tellFailure] = openPipe();
    auto [input, lifeline] = openPipe();
    const std::vector<char*> arguments = pointersTo(launch.command), environment = pointersTo(launch.environment);
    const pid_t process = fork();
    if (process == 0) becomeLauncher(arguments.data(), environment.data(), input.get(), write.get(), tellFailure.get());
    if (process < 0) {
        startError_ = errno;
        return;
    }
    (void)setpgid(process, process);
    tellFailure.reset();
    int error = 0;
    ssize_t count = 0;
    do count = ::read(failed.get(), &error, sizeof error);
    while (count < 0 && errno == EINTR);
    if (count == sizeof error) {
        (void)waitpid(process, nullptr, 0);
        startError_ = error != 0 ? error : ESRCH;
        return;
    }
    (void)fcntl(read.get(), F_SETFL, O_NONBLOCK);
    output_ = std::move(read);
    lifeline_ = std::move(lifeline);
    process_ = process;
}

void LaunchedProcess::watch(const Launch& launch) {
    try {
        start(launch);
    } catch (const std::exception&) {
        startError_ = ENOMEM;
    }
    {
        const std::scoped_lock lock(mutex_);
        started_ = true;
        changed_.notify_all();
        if (startError_ != 0) return;
    }
    const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, process_, 0)));
    bool open = true;
    for (;;) {
        std::array<pollfd, 3> events{pollfd{process.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0},
                                     pollfd{open ? output_.get() : -1, POLLIN, 0}};
        int timeout = 1000;
        {
            const std::scoped_lock lock(mutex_);
            if (terminateAt_) timeout = 50;
        }
        const int ready = poll(events.data(), events.size(), timeout);
        if (open && (events[2].revents != 0 || ready == 0)) open = readOutput();
        std::uint64_t count = 0;
        (void)!read(wake_.get(), &count, sizeof count);
        int status = 0;
        if (waitpid(process_, &status, WNOHANG) == process_) {
            if (open) (void)readOutput();
            const std::scoped_lock lock(mutex_);
            status_ = status;
            const std::uint64_t one = 1;
            (void)!write(ended_.get(), &one, sizeof one);
            changed_.notify_all();
            return;
        }
        signalWhenDue(Clock::now());
        if (ready == 0 && onTick_) onTick_();
    }
}

/// Keeps what has been written; whether more may come.
bool LaunchedProcess::readOutput() {
    std::array<char, 4096> piece{};
    for (;;) {
        const ssize_t count = read(output_.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        const std::scoped_lock lock(mutex_);
        words_.append(piece.data(), static_cast<std::size_t>(count));
        if (words_.size() > kKeptWords) words_.erase(0, words_.size() - kKeptWords);
    }
}

void LaunchedProcess::signalWhenDue(Clock::time_point now) {
    const std::scoped_lock lock(mutex_);
    if (!terminateAt_ || now < *terminateAt_) return;
    // The group holds what the launcher has started on this machine, unless it has made groups of its own.
    (void)kill(terminated_ ? -process_ : process_, terminated_ ? SIGKILL : SIGTERM);
    terminated_ = true;
    terminateAt_ = now + 5s;
}

void LaunchedProcess::end(std::chrono::milliseconds patience) {
    const std::scoped_lock lock(mutex_);
    if (status_) return;
    lifeline_.reset();
    const Clock::time_point at = Clock::now() + patience;
    if (!terminateAt_ || (!terminated_ && at < *terminateAt_)) terminateAt_ = at;
    const std::uint64_t one = 1;
    (void)!write(wake_.get(), &one, sizeof one);
}

bool LaunchedProcess::hasEnded() const {
    const std::scoped_lock lock(mutex_);
    return status_.has_value();
}

void LaunchedProcess::waitFor(std::chrono::milliseconds patience) const {
    std::unique_lock lock(mutex_);
    (void)changed_.wait_for(lock, patience, [&] { return status_.has_value(); });
}

std::string LaunchedProcess::how() const {
    const std::scoped_lock lock(mutex_);
    if (!status_) return {};
    return WIFSIGNALED(*status_) ? "signal " + std::to_string(WTERMSIG(*status_)) : "exit code " + std::to_string(WEXITSTATUS(*status_));
}

std::string LaunchedProcess::lastWords() const {
    const std::scoped_lock lock(mutex_);
    return words_;
}

}  // namespace parallax
