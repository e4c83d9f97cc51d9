// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "core/parallel/communicator.hpp"
#include "core/parallel/sample_transport.hpp"

namespace parallax {

/// Parts of one process, each on a host thread of its own that lives as long as the team.
class ThreadTeam {
public:
    /// Starts the threads. `transport` copies what they exchange; null: it is in host memory. Throws std::system_error if the system
    /// refuses a thread.
    explicit ThreadTeam(int parts, std::shared_ptr<SampleTransport> transport = nullptr);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;
    int parts() const;

    /// Calls work() once on the thread of each part and returns when all have ended. Rethrows the first error of any part, or throws
    /// Error(cancelled) after a stop; the other parts then end at their next call of the communicator or check of its stop(). One run at a
    /// time.
    void run(const std::function<void(Communicator&)>& work, const std::stop_token& stop = {});

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
