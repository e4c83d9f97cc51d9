// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/image/error.hpp"
#include "core/mpi/mpi_world.hpp"

namespace parallax {

/// One run as this rank sees it: its messages, and how it ends on all ranks together.
///
/// A rank that fails tells the others, which leave the run at their next call. No memory may be released while another rank still reads it,
/// so a rank that leaves with messages on their way first takes back its receives and waits for the vote that ends the run: once all ranks
/// have come to it, none uses anything that is still sent in this run. They receive and discard it then, until a second vote, so that
/// failed runs leave nothing in the memory of MPI.
class MpiRun {
public:
    /// `number`: the same on all ranks, higher than that of the run before.
    MpiRun(MpiWorld& world, std::int64_t number, int parts) : world_(world), number_(number), parts_(parts) {}
    MpiRun(const MpiRun&) = delete;
    MpiRun& operator=(const MpiRun&) = delete;

    MpiWorld& world() const { return world_; }
    int rank() const { return world_.rank; }
    int parts() const { return parts_; }
    std::stop_token stop() const { return stop_.get_token(); }
    /// Number of exchanges that were started, to wake the monitor.
    std::atomic<std::int64_t>& exchanges() { return exchanges_; }
    std::int64_t exchanges() const { return exchanges_; }

    /// Cancels the run of all ranks with this error, unless it was cancelled before. From any thread.
    void cancel(const Error& error);
    void throwIfCancelled() const {
        if (cancelled_) throw Error(ErrorCode::cancelled, "Cancelled");
    }
    /// Makes progress and notices whether another rank has cancelled the run. Returns whether messages are still on their way. From any
    /// thread.
    bool poll();
    /// Collects the data of all ranks, of which rank r has sizes[r] bytes, in as many rounds as the number of ranks has bits (Bruck et al.,
    /// IEEE TPDS 8, 1997). Throws Error(cancelled), or Error(failed) if ranks disagree on the sizes.
    void allGather(std::span<const std::byte> own, std::span<const std::int64_t> sizes, std::span<std::byte> all);

    /// Ends the run on all ranks: rethrows `failure`, or throws the first error of another rank.
    void finish(const std::exception_ptr& failure);

private:
    friend class MpiTransfer;
    void gatherAtOnce(std::span<const std::byte> own, std::span<const std::int64_t> sizes, std::span<std::byte> all);
    void readCancels();
    bool noticeCancel();
    bool announceCancel();
    void wait(MpiMessages& messages);
    void waitForVote(MpiMessages& messages) const;
    std::vector<std::byte> voteOf(std::span<const std::byte> own, std::span<const std::int64_t> sizes) const;
    bool anyFailed(bool own) const;
    void settle();
    void leave() noexcept;
    [[noreturn]] void throwFirstError();

    MpiWorld& world_;
    const std::int64_t number_;
    const int parts_;
    std::stop_source stop_;
    std::atomic<bool> cancelled_ = false;
    std::atomic<std::int64_t> exchanges_ = 0;
    std::vector<MpiMessages*> active_;       // with messages on their way
    std::deque<std::int64_t> cancelNumber_;  // what cancel messages send
    std::vector<MPI_Request> cancelSends_;

    // With the mutex of MPI held.
    bool initiator_ = false;                  // cancelled by this rank, before it knew of another one
    std::exception_ptr ownError_;             // for that reason
    bool left_ = false;                       // this rank has voted already
    DiscardedMessages* discarded_ = nullptr;  // while the run settles
};

/// Messages of a run. Destroying them before wait() has returned cancels the run and waits for its vote.
class MpiTransfer {
public:
    explicit MpiTransfer(MpiRun& run);
    ~MpiTransfer();
    MpiTransfer(const MpiTransfer&) = delete;
    MpiTransfer& operator=(const MpiTransfer&) = delete;
    /// Calls post() with the messages and the lock of MPI held.
    template <class F>
    void post(F&& f) {
        const std::scoped_lock lock(run_.world().mutex);
        pending_ = true;
        f(messages_);
    }
    void wait();

private:
    MpiRun& run_;
    MpiMessages messages_;
    bool pending_ = false;
};

}  // namespace parallax
