// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace parallax {

/// Throws Error(failed) with the text of MPI if a call failed. `call`: its name.
void checkMpi(int code, const char* call);

inline constexpr const char* kDisagreement = "Two parts disagree on the numbers that they exchange";

/// Where messages go: those of one channel and pair of ranks arrive in the order in which they are sent.
struct MpiChannel {
    MPI_Comm communicator = MPI_COMM_NULL;
    int tag = 0;
    std::size_t largest = 0;  ///< bytes of a message; more is sent in pieces, since counts of MPI are 32-bit
};

/// Messages on their way, sent and received. The caller holds the lock of MPI in every function; memory stays valid until they have ended.
class MpiMessages {
public:
    explicit MpiMessages(const MpiChannel& channel) : channel_(channel) {}
    ~MpiMessages() = default;
    MpiMessages(const MpiMessages&) = delete;
    MpiMessages& operator=(const MpiMessages&) = delete;

    /// Zero bytes are a message, too.
    void send(const void* data, std::size_t bytes, int to);
    void receive(void* data, std::size_t bytes, int from);
    /// Bytes of those that have not ended.
    std::size_t bytes() const;
    /// Makes progress; whether all have ended. Throws Error(failed) if a message has another size than the receiver expects.
    bool ended();
    /// Makes progress; whether ended() has nothing to wait for.
    bool arrived() const;
    /// Takes back the receives. No memory is written once receivesEnded().
    void cancelReceives();
    /// Makes progress; whether all receives have ended or were taken back.
    bool receivesEnded();
    /// Makes progress; whether all sends have ended that discardArrived() receives.
    bool smallSendsEnded();
    /// Gives up the sends, once no rank receives them any more.
    void abandonSends();

private:
    template <class F>
    void inPieces(std::size_t bytes, F&& post) const;

    struct Expected {
        bool isReceive;
        int bytes;
    };
    MpiChannel channel_;
    std::vector<MPI_Request> requests_;  // those that have not ended
    std::vector<Expected> expected_;     // of each of them
};

/// Receives the small messages of a channel that no one else receives, so that they do not stay in memory. Large ones hold memory of their
/// sender alone. The caller holds the lock of MPI.
class DiscardedMessages {
public:
    explicit DiscardedMessages(const MpiChannel& channel) : channel_(channel) {}
    /// Makes progress; whether all have ended that have arrived.
    bool discardArrived();

private:
    struct Discarded {
        std::vector<std::byte> bytes = {};
        MPI_Request request = MPI_REQUEST_NULL;
    };
    MpiChannel channel_;
    std::vector<Discarded> messages_;  // on their way
};

}  // namespace parallax
