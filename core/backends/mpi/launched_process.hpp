// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/backends/mpi/launcher.hpp"
#include "core/backends/mpi/shared_memory.hpp"

namespace parallax {

/// The process of a launcher, in a process group of its own so that a Ctrl+C in the terminal reaches this program alone. Standard output
/// and error are read; the last of it is kept. Standard input closes when this program ends, however it ends.
class LaunchedProcess {
public:
    /// Starts it. `onTick` is called about once a second from the thread that waits for the process. Throws Error(unavailable, memory).
    explicit LaunchedProcess(const Launch& launch, std::function<void()> onTick = {});
    /// Waits until it has ended; see end().
    ~LaunchedProcess();
    LaunchedProcess(const LaunchedProcess&) = delete;
    LaunchedProcess& operator=(const LaunchedProcess&) = delete;

    /// Lets it end, without waiting: its standard input closes, after `patience` it gets SIGTERM, and SIGKILL five seconds after that.
    void end(std::chrono::milliseconds patience);
    bool hasEnded() const;
    /// Readable once it has ended.
    int endDescriptor() const { return ended_.get(); }
    /// Waits for its end, but not longer than this.
    void waitFor(std::chrono::milliseconds patience) const;
    /// "exit code 1" or "signal 9"; empty while it runs.
    std::string how() const;
    /// The last lines that it, or a rank, has written.
    std::string lastWords() const;

private:
    using Clock = std::chrono::steady_clock;
    void start(const Launch& launch);
    void watch(const Launch& launch);
    bool readOutput();
    void signalWhenDue(Clock::time_point now);

    std::function<void()> onTick_;
    Descriptor lifeline_, output_, wake_, ended_;
    pid_t process_ = -1;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::string words_;
    std::optional<int> status_;  // of waitpid()
    std::optional<Clock::time_point> terminateAt_;
    bool terminated_ = false;
    int startError_ = 0;  // errno
    bool started_ = false;
    std::thread watcher_;
};

}  // namespace parallax
