// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/backends/mpi/channel.hpp"
#include "core/backends/mpi/launched_process.hpp"
#include "core/backends/mpi/messages.hpp"
#include "core/engine/run/run_context.hpp"

namespace parallax {

/// Ranks that were started for this process and serve it until it ends them.
class Job {
public:
    /// Starts it and waits for rank 0. Throws Error(unavailable) if it does not start, with the last words of the launcher;
    /// Error(cancelled) after a stop; Error(usage) for a template that is wrong.
    Job(const std::string& launcher, int ranks, const std::stop_token& stop);
    ~Job();
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    /// Whether it can serve, as far as is known; one that ended while it was idle is noticed here.
    bool isAlive() noexcept;
    bool hasEnded() const { return process_->hasEnded(); }  ///< its launcher
    const HelloMessage& ranks() const { return hello_; }

    /// Sends a request and returns the answer to it; `memory` goes with it unless rank 0 knows it already. Requests of several threads wait
    /// for each other. `onBusy` gets the fraction that is done. Throws the error of the ranks; if the job has ended, which it has for good,
    /// Error(failed) with the reason; Error(cancelled) after a stop, within about a second.
    Frame request(FrameKind kind, const std::vector<std::byte>& body, const std::shared_ptr<SharedMemory>& memory, FrameKind answer,
                  const std::stop_token& stop, const std::function<void(double)>& onBusy = {});
    /// Sends something that has no answer, now or before the next request. Does not wait or throw.
    void tell(FrameKind kind, std::uint64_t id) noexcept;
    /// Ends it, without waiting.
    void end() noexcept;

private:
    void connect(const Listener& listener, const std::stop_token& stop);
    void greet(const std::stop_token& stop);
    [[noreturn]] void failToStart(const std::string& why, const std::string& whatToDo);
    void forgetMemory();
    void onTick();
    [[noreturn]] void die(const Error& error);
    [[noreturn]] void dieAtEnd(bool launcherEnded);
    [[noreturn]] void cancelHard();
    std::optional<Frame> waitForFrame(const std::stop_token& stop, int milliseconds, int wake);

    std::string launcher_;
    std::unique_ptr<Channel> channel_;
    HelloMessage hello_;
    std::atomic<bool> alive_ = false;
    std::timed_mutex requesting_;
    std::mutex knownMutex_;
    std::map<std::uint64_t, std::weak_ptr<SharedMemory>> known_;  // memory that rank 0 has mapped
    std::unique_ptr<LaunchedProcess> process_;                    // last: its thread calls onTick()
};

}  // namespace parallax
