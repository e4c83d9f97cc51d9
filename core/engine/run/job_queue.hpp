// SPDX-License-Identifier: GPL-3.0-or-later
// Background jobs of which only the newest of each kind matters.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace parallax {

/// Runs one job at a time. A job replaces a waiting job with the same key and requests a running one to stop. Jobs with different keys run
/// in the order of submission. The destructor stops and joins.
class JobQueue {
public:
    using Job = std::function<void(std::stop_token)>;
    /// Measurements run with the priority of the process, so that their times do not depend on the queue.
    enum class Pace { nice, asProcess };
    /// `niceness`: added to that of the process (nice(1)) for jobs and the threads that they start. Above 0, the window goes first if there
    /// are more threads than processors. Ignored if the system does not support it.
    explicit JobQueue(int niceness = 0);
    ~JobQueue();
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;

    /// Jobs handle their own errors; exceptions are dropped.
    void submit(const std::string& key, Job job, Pace pace = Pace::nice);
    /// Drops the waiting job with this key and requests the running one to stop.
    void cancel(const std::string& key);
    void cancelAll();
    /// No job is waiting or running.
    bool idle() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
