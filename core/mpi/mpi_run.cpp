// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/mpi_run.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace parallax {
namespace {

/// An error as the bytes that ranks send to each other.
std::vector<std::byte> bytesOf(const Error& error) {
    std::vector<std::byte> bytes{static_cast<std::byte>(error.code())};
    for (const std::string* text : {&error.summary(), &error.why(), &error.whatToDo()}) {
        const auto* const begin = reinterpret_cast<const std::byte*>(text->data());
        bytes.insert(bytes.end(), begin, begin + text->size());
        bytes.push_back(std::byte{0});
    }
    return bytes;
}

Error errorOf(std::span<const std::byte> bytes) {
    std::array<std::string, 3> texts;
    std::size_t text = 0;
    for (const std::byte b : bytes.subspan(1)) {
        if (b == std::byte{0}) ++text;
        else if (text < texts.size()) texts[text] += static_cast<char>(b);
    }
    return {static_cast<ErrorCode>(bytes[0]), texts[0], texts[1], texts[2]};
}

Error errorOf(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& e) {
        return e;
    } catch (const std::bad_alloc&) {
        return {ErrorCode::memory, "Not enough memory"};
    } catch (const std::exception& e) {
        return {ErrorCode::failed, e.what()};
    } catch (...) {
        return {ErrorCode::failed, "An unknown error"};
    }
}

/// Blocks of all ranks, from that of this rank on: after n rounds it has 2^n of them.
class Blocks {
public:
    Blocks(int rank, std::span<const std::byte> own, std::span<const std::int64_t> sizes) : rank_(static_cast<std::size_t>(rank)) {
        const std::size_t parts = sizes.size();
        for (std::size_t i = 0; i < parts; ++i) begins_.push_back(begins_.back() + static_cast<std::size_t>(sizes[(rank_ + i) % parts]));
        if (own.size() != begins_[1]) throw Error(ErrorCode::failed, kDisagreement);
        bytes_.resize(begins_.back());
        std::copy(own.begin(), own.end(), bytes_.begin());
        // Blocks before that of this rank come last.
        for (std::size_t i = 0; i < rank_; ++i) before_ += static_cast<std::size_t>(sizes[i]);
    }
    std::size_t bytes() const { return bytes_.size(); }

    /// exchange(received, from, sent, to)
    template <class F>
    void collect(F&& exchange) {
        const std::size_t parts = begins_.size() - 1;
        for (std::size_t have = 1; have < parts;) {
            const std::size_t more = std::min(have, parts - have);
            exchange(std::span(bytes_).subspan(begins_[have], begins_[have + more] - begins_[have]),
                     static_cast<int>((rank_ + have) % parts), std::span<const std::byte>(bytes_).first(begins_[more]),
                     static_cast<int>((rank_ + parts - have) % parts));
            have += more;
        }
    }
    void copyTo(std::span<std::byte> all) const {
        if (all.size() != bytes_.size()) throw Error(ErrorCode::failed, kDisagreement);
        const auto split = bytes_.end() - static_cast<std::ptrdiff_t>(before_);
        std::copy(split, bytes_.end(), all.begin());
        std::copy(bytes_.begin(), split, all.begin() + static_cast<std::ptrdiff_t>(before_));
    }

private:
    std::size_t rank_;
    std::vector<std::size_t> begins_{0};
    std::vector<std::byte> bytes_;
    std::size_t before_ = 0;
};

}  // namespace

void MpiRun::readCancels() {
    for (;;) {
        int found = 0;
        MPI_Status status;
        checkMpi(MPI_Iprobe(MPI_ANY_SOURCE, MpiWorld::cancel, world_.control, &found, &status), "MPI_Iprobe");
        if (!found) return;
        std::int64_t run = 0;
        checkMpi(MPI_Recv(&run, sizeof run, MPI_BYTE, status.MPI_SOURCE, MpiWorld::cancel, world_.control, MPI_STATUS_IGNORE), "MPI_Recv");
        world_.cancelled = std::max(world_.cancelled, run);
    }
}

/// Whether the run is cancelled. With the mutex held; the caller requests the stop when it has released it.
bool MpiRun::noticeCancel() {
    if (world_.cancelled >= number_) cancelled_ = true;
    return cancelled_;
}

/// Tells the other ranks; false if the run was cancelled before. With the mutex held.
bool MpiRun::announceCancel() {
    if (noticeCancel()) return false;
    cancelled_ = true;
    initiator_ = true;
    const std::int64_t& number = cancelNumber_.emplace_back(number_);
    for (int r = 0; r < parts_; ++r) {
        if (r == world_.rank) continue;
        MPI_Request request = MPI_REQUEST_NULL;
        checkMpi(MPI_Isend(&number, sizeof number, MPI_BYTE, r, MpiWorld::cancel, world_.control, &request), "MPI_Isend");
        cancelSends_.push_back(request);
    }
    return true;
}

void MpiRun::cancel(const Error& error) {
    {
        const std::scoped_lock lock(world_.mutex);
        if (announceCancel()) ownError_ = std::make_exception_ptr(error);
    }
    stop_.request_stop();
}

bool MpiRun::poll() {
    bool cancelled = false, arrived = true;
    {
        const std::scoped_lock lock(world_.mutex);
        readCancels();
        cancelled = noticeCancel();
        for (const MpiMessages* const messages : active_) arrived = messages->arrived() && arrived;
    }
    if (cancelled) stop_.request_stop();
    return !arrived;
}

void MpiRun::wait(MpiMessages& messages) {
    const Backoff backoff(world_.spinning, messages.bytes());
    for (;;) {
        bool cancelled = false;
        {
            const std::scoped_lock lock(world_.mutex);
            if (messages.ended()) return;
            readCancels();
            cancelled = noticeCancel();
        }
        if (cancelled) {
            stop_.request_stop();
            throwIfCancelled();
        }
        backoff.pause();
    }
}

void MpiRun::waitForVote(MpiMessages& messages) const {
    const Backoff backoff(world_.spinning);
    for (;;) {
        {
            const std::scoped_lock lock(world_.mutex);
            if (discarded_) (void)discarded_->discardArrived();
            if (messages.ended()) return;
        }
        backoff.pause();
    }
}

/// allGather() in one round, in which every rank sends to all others: ranks that share a processor wait once.
void MpiRun::gatherAtOnce(std::span<const std::byte> own, std::span<const std::int64_t> sizes, std::span<std::byte> all) {
    std::vector<std::span<std::byte>> places;
    std::size_t at = 0;
    for (const std::int64_t size : sizes) {
        const auto bytes = static_cast<std::size_t>(size);
        if (bytes > all.size() - at) throw Error(ErrorCode::failed, kDisagreement);
        places.push_back(all.subspan(at, bytes));
        at += bytes;
    }
    const auto rank = static_cast<std::size_t>(world_.rank);
    if (at != all.size() || own.size() != places[rank].size()) throw Error(ErrorCode::failed, kDisagreement);
    MpiTransfer transfer(*this);
    transfer.post([&](MpiMessages& messages) {
        for (std::size_t r = 0; r < places.size(); ++r)
            if (r != rank) messages.receive(places[r].data(), places[r].size(), static_cast<int>(r));
        for (std::size_t r = 0; r < places.size(); ++r)
            if (r != rank) messages.send(own.data(), own.size(), static_cast<int>(r));
    });
    transfer.wait();
    std::copy(own.begin(), own.end(), places[rank].begin());
}

void MpiRun::allGather(std::span<const std::byte> own, std::span<const std::int64_t> sizes, std::span<std::byte> all) {
    throwIfCancelled();
    constexpr int kFewRanks = 8;
    constexpr std::size_t kFewBytes = 4096;
    if (parts_ <= kFewRanks && all.size() <= kFewBytes) return gatherAtOnce(own, sizes, all);
    Blocks blocks(world_.rank, own, sizes);
    MpiTransfer transfer(*this);  // ends before the memory of its messages
    blocks.collect([&](std::span<std::byte> received, int from, std::span<const std::byte> sent, int to) {
        transfer.post([&](MpiMessages& messages) {
            messages.receive(received.data(), received.size(), from);
            messages.send(sent.data(), sent.size(), to);
        });
        transfer.wait();
    });
    blocks.copyTo(all);
}

/// allGather() of the vote, which no cancel interrupts.
std::vector<std::byte> MpiRun::voteOf(std::span<const std::byte> own, std::span<const std::int64_t> sizes) const {
    Blocks blocks(world_.rank, own, sizes);
    MpiMessages messages(world_.controlChannel(MpiWorld::vote));
    blocks.collect([&](std::span<std::byte> received, int from, std::span<const std::byte> sent, int to) {
        {
            const std::scoped_lock lock(world_.mutex);
            messages.receive(received.data(), received.size(), from);
            messages.send(sent.data(), sent.size(), to);
        }
        waitForVote(messages);
    });
    std::vector<std::byte> all(blocks.bytes());
    blocks.copyTo(all);
    return all;
}

/// Whether any rank has failed. Waits until all have come so far.
bool MpiRun::anyFailed(bool own) const {
    const std::vector<std::int64_t> sizes(static_cast<std::size_t>(parts_), 1);
    const std::array<std::byte, 1> flag{own ? std::byte{1} : std::byte{0}};
    const std::vector<std::byte> all = voteOf(flag, sizes);
    return std::any_of(all.begin(), all.end(), [](std::byte b) { return b != std::byte{0}; });
}

/// After the vote on a run that has failed: receives what others have sent in it, until all have sent it.
void MpiRun::settle() {
    DiscardedMessages discarded(world_.dataChannel(number_));
    const auto settled = [&] {
        const std::scoped_lock lock(world_.mutex);
        const bool received = discarded.discardArrived();
        return std::all_of(active_.begin(), active_.end(), [](MpiMessages* messages) { return messages->smallSendsEnded(); }) && received;
    };
    for (const Backoff backoff(world_.spinning); !settled();) backoff.pause();
    discarded_ = &discarded;
    (void)anyFailed(true);
    discarded_ = nullptr;
    for (const Backoff backoff(world_.spinning); !settled();) backoff.pause();
}

/// Leaves the run although messages of this rank are on their way.
void MpiRun::leave() noexcept {
    {
        const std::scoped_lock lock(world_.mutex);
        if (left_) return;
        left_ = true;
        (void)announceCancel();
        for (MpiMessages* const messages : active_) messages->cancelReceives();
    }
    stop_.request_stop();
    // Without the mutex, which the monitor needs: a rank that sends may be slow.
    const auto ended = [this] {
        const std::scoped_lock lock(world_.mutex);
        return std::all_of(active_.begin(), active_.end(), [](MpiMessages* messages) { return messages->receivesEnded(); });
    };
    for (const Backoff backoff(world_.spinning); !ended();) backoff.pause();
    (void)anyFailed(true);
    settle();
    const std::scoped_lock lock(world_.mutex);
    for (MpiMessages* const messages : active_) messages->abandonSends();
}

void MpiRun::finish(const std::exception_ptr& failure) {
    bool failed = false;
    {
        const std::scoped_lock lock(world_.mutex);
        // An error after a cancel is a consequence of it, except the one during which this rank has left the run.
        if (failure) (void)announceCancel();
        if (failure && initiator_ && !ownError_) ownError_ = failure;
        failed = failure || cancelled_;
    }
    if (!left_) {
        failed = anyFailed(failed);
        if (failed) settle();
    }
    {
        const std::scoped_lock lock(world_.mutex);
        for (MPI_Request& request : cancelSends_) checkMpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
        cancelSends_.clear();
        if (failed) cancelled_ = true;
    }
    if (!failed) return;
    stop_.request_stop();
    throwFirstError();
}

/// All ranks throw the error of the same one: of those that cancelled the run at the same time, the lowest.
void MpiRun::throwFirstError() {
    std::exception_ptr own;
    {
        const std::scoped_lock lock(world_.mutex);
        own = ownError_;
    }
    const std::vector<std::byte> text = own ? bytesOf(errorOf(own)) : std::vector<std::byte>();
    const std::array<std::int64_t, 1> size{static_cast<std::int64_t>(text.size())};
    const std::vector<std::byte> all =
        voteOf(std::as_bytes(std::span(size)), std::vector<std::int64_t>(static_cast<std::size_t>(parts_), sizeof(std::int64_t)));
    std::vector<std::int64_t> sizes(static_cast<std::size_t>(parts_));
    std::memcpy(sizes.data(), all.data(), all.size());
    const std::vector<std::byte> texts = voteOf(text, sizes);
    std::size_t at = 0;
    for (int r = 0; r < parts_; ++r) {
        const auto bytes = static_cast<std::size_t>(sizes[static_cast<std::size_t>(r)]);
        if (bytes > 0 && r == world_.rank) std::rethrow_exception(own);
        if (bytes > 0) {
            const Error e = errorOf(std::span(texts).subspan(at, bytes));
            if (e.code() == ErrorCode::cancelled) throw e;
            throw Error(e.code(), e.summary(), (e.why().empty() ? "" : e.why() + "; ") + world_.placeOf(r), e.whatToDo());
        }
        at += bytes;
    }
    throw Error(ErrorCode::cancelled, "Cancelled");
}

MpiTransfer::MpiTransfer(MpiRun& run) : run_(run), messages_(run.world().dataChannel(run.number_)) {
    const std::scoped_lock lock(run.world().mutex);
    run.active_.push_back(&messages_);
}

MpiTransfer::~MpiTransfer() {
    if (pending_) run_.leave();
    const std::scoped_lock lock(run_.world().mutex);
    std::erase(run_.active_, &messages_);
}

void MpiTransfer::wait() {
    run_.wait(messages_);
    pending_ = false;
}

}  // namespace parallax
