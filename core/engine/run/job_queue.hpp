// SPDX-License-Identifier: GPL-3.0-or-later
// Background work where only the newest request of a kind matters.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace parallax {

/// One job at a time. A job submitted under a key replaces a waiting job of that key and asks a running one to stop:
/// the newest wins. Jobs of different keys run in the order of submission. The destructor stops and joins.
class JobQueue {
public:
    using Job = std::function<void(std::stop_token)>;
    /// What is measured has the priority of the process: how long it takes would tell of the queue otherwise.
    enum class Pace { nice, asProcess };
    /// How much nicer than this process, as of nice(1), jobs and the threads that they start are: above 0, whoever waits for a mouse goes
    /// first when there are more threads than processors. Not honoured where the system does not know it.
    explicit JobQueue(int niceness = 0);
    ~JobQueue();
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;

    /// Jobs handle their own errors; one that throws all the same is dropped.
    void submit(const std::string& key, Job job, Pace pace = Pace::nice);
    /// Drops the waiting job of the key and asks the running one to stop.
    void cancel(const std::string& key);
    void cancelAll();
    /// Is nothing waiting or running?
    bool idle() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
