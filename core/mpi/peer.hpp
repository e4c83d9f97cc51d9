// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

namespace parallax {

/// Watches another process of this machine.
class Peer {
public:
    Peer() = default;
    /// A process in the same PID namespace. Never seen to end if the system refuses.
    explicit Peer(pid_t process);
    ~Peer();
    Peer(Peer&& other) noexcept;
    Peer& operator=(Peer&& other) noexcept;
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    bool hasEnded() const;

private:
    int descriptor_ = -1;
};

}  // namespace parallax
