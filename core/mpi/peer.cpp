// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/peer.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

namespace parallax {

Peer::Peer(pid_t process) : descriptor_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))) {}

Peer::~Peer() {
    if (descriptor_ >= 0) (void)close(descriptor_);
}

Peer::Peer(Peer&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Peer& Peer::operator=(Peer&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

bool Peer::hasEnded() const {
    pollfd ended{.fd = descriptor_, .events = POLLIN, .revents = 0};
    return descriptor_ >= 0 && poll(&ended, 1, 0) == 1;
}

}  // namespace parallax
