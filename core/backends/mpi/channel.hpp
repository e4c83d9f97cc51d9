// SPDX-License-Identifier: GPL-3.0-or-later
// Frames between a client and rank 0 of its job, over a socket of one machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/backends/mpi/shared_memory.hpp"

namespace parallax {

enum class FrameKind : std::uint32_t {
    // From rank 0.
    hello = 1,
    busy,      ///< works on a request, and how far it is
    prepared,  ///< answers of requests
    done,
    laps,
    failed,
    lost,  ///< the job ends
    // From the client.
    prepare,
    run,
    askLaps,
    cancel,
    release,
    forget
};

struct Frame {
    FrameKind kind = FrameKind::failed;
    std::vector<std::byte> body;
    Descriptor descriptor;  ///< that came with it
};

/// Largest body of a frame: series of long solves take some megabytes.
constexpr std::size_t kLargestFrame = std::size_t{64} << 20;

class Channel {
public:
    /// A connected socket.
    explicit Channel(Descriptor socket);
    int descriptor() const { return socket_.get(); }
    /// From any thread. Throws Error(failed) if the other end does not take it within ten seconds.
    void send(FrameKind kind, std::span<const std::byte> body, int descriptor = -1);
    /// The next frame, once the socket is readable; nothing if the other end has closed. Throws Error(failed) for bytes that are no frame,
    /// and if the rest of a frame does not come within ten seconds.
    std::optional<Frame> receive();
    /// Ends both directions; the other end sees it.
    void shutdown();

private:
    Descriptor socket_;
    std::mutex sending_;
};

/// A socket without a file, on which a client of a random name listens.
class Listener {
public:
    /// Throws Error(failed).
    Listener();
    int descriptor() const { return socket_.get(); }
    const std::string& name() const { return name_; }
    /// The connection that waits; nothing if it came from another user.
    std::optional<Descriptor> accept() const;

private:
    Descriptor socket_;
    std::string name_;
};

/// Connects to a Listener of the same user. Throws Error(unavailable) if there is none.
Descriptor connectTo(const std::string& name);

}  // namespace parallax
