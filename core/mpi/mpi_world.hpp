// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/mpi/messages.hpp"

namespace parallax {

/// MPI as the threads of this process share it.
struct MpiWorld {
    /// Guards every call of MPI: the library need not be made for several threads at the same time.
    std::mutex mutex;
    MPI_Comm data = MPI_COMM_NULL;     ///< messages of runs, with the number of the run as the tag
    MPI_Comm control = MPI_COMM_NULL;  ///< orders, cancels and votes
    int rank = 0, size = 1;
    std::size_t largest = 0;  ///< MpiRanks::setLargestMessage()
    int largestTag = 0;
    std::vector<std::string> hosts;         ///< of all ranks
    std::vector<std::string> processors;    ///< names of their CPUs
    std::chrono::microseconds spinning{0};  ///< how long waits keep a processor busy
    std::condition_variable_any changed;    ///< wakes the monitor when a run or an exchange begins or ends
    std::int64_t cancelled = 0;             ///< number of the latest run that was cancelled; with the mutex held

    enum Tag { order = 1, cancel, vote, loss, life };
    MpiChannel controlChannel(Tag tag) const { return {control, tag, largest}; }
    MpiChannel dataChannel(std::int64_t run) const { return {data, static_cast<int>(1 + run % (largestTag - 1)), largest}; }
    /// "rank 3 on node7".
    std::string placeOf(int r) const { return "rank " + std::to_string(r) + " on " + hosts[static_cast<std::size_t>(r)]; }
};

/// Pauses of a wait: none at first, later longer ones, so that processes which share a processor get on. Messages of many bytes travel in
/// fragments, each of which needs a step of both processes: with `bytes` on their way, a wait sleeps later.
class Backoff {
public:
    explicit Backoff(std::chrono::microseconds spinning, std::size_t bytes = 0)
        : spinning_(spinning),
          awake_(std::chrono::microseconds(50 + bytes / kBytesAwake) + 10 * spinning),
          begin_(std::chrono::steady_clock::now()) {}
    void pause() const {
        using namespace std::chrono_literals;
        const auto waited = std::chrono::steady_clock::now() - begin_;
        if (waited < spinning_) return;
        if (waited < awake_) std::this_thread::yield();
        else std::this_thread::sleep_for(waited < 20ms ? 50us : waited < 2s ? 500us : 5ms);
    }
    std::chrono::steady_clock::duration waited() const { return std::chrono::steady_clock::now() - begin_; }

private:
    static constexpr std::size_t kBytesAwake = 256;  // a microsecond: a slow link

    std::chrono::microseconds spinning_;
    std::chrono::microseconds awake_;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace parallax
