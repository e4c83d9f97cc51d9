// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/channel.hpp"

#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/image/error.hpp"

namespace parallax {
namespace {

constexpr std::uint32_t kMagic = 0x4d584c50;  // "PLXM"
constexpr time_t kPatienceSeconds = 10;

struct Header {
    std::uint32_t magic = kMagic;
    FrameKind kind = FrameKind::failed;
    std::uint64_t bytes = 0;
};

[[noreturn]] void fail(const std::string& why) { throw Error(ErrorCode::failed, "The connection with the ranks is broken", why); }
[[noreturn]] void failWithErrno() { fail(std::strerror(errno)); }

/// The address of a name in the abstract namespace, and its length.
std::pair<sockaddr_un, socklen_t> addressOf(const std::string& name) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // Begins with a zero byte, which makes it abstract.
    const std::size_t count = std::min(name.size(), sizeof address.sun_path - 1);
    std::copy_n(name.data(), count, address.sun_path + 1);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + count)};
}

bool sameUser(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

Descriptor openSocket() {
    Descriptor made(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!made) failWithErrno();
    return made;
}

/// 32 hexadecimal digits that cannot be guessed.
std::string randomDigits() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) failWithErrno();
    std::string digits;
    for (const unsigned char byte : bytes) {
        digits += "0123456789abcdef"[byte >> 4];
        digits += "0123456789abcdef"[byte & 15];
    }
    return digits;
}

union Control {
    cmsghdr header;
    std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

/// Receives at least one byte, and the descriptor that comes with it. Returns 0 at the end.
std::size_t receiveSome(int socket, std::byte* data, std::size_t bytes, Descriptor* descriptor) {
    iovec part{data, bytes};
    Control control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    ssize_t count = 0;
    do count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) fail("the rest of a message did not come");
    if (count < 0 && errno == ECONNRESET) return 0;
    if (count < 0) failWithErrno();
    for (cmsghdr* part_ = CMSG_FIRSTHDR(&message); part_; part_ = CMSG_NXTHDR(&message, part_)) {
        if (part_->cmsg_level != SOL_SOCKET || part_->cmsg_type != SCM_RIGHTS || part_->cmsg_len < CMSG_LEN(sizeof(int))) continue;
        int number = -1;
        std::memcpy(&number, CMSG_DATA(part_), sizeof number);
        Descriptor received(number);
        if (descriptor) *descriptor = std::move(received);
    }
    return static_cast<std::size_t>(count);
}

/// Returns false at an end before the first byte.
bool receiveAll(int socket, std::byte* data, std::size_t bytes, Descriptor* descriptor) {
    for (std::size_t at = 0; at < bytes;) {
        const std::size_t count = receiveSome(socket, data + at, bytes - at, descriptor);
        if (count == 0 && at == 0) return false;
        if (count == 0) fail("it ended within a message");
        at += count;
    }
    return true;
}

}  // namespace

Channel::Channel(Descriptor socket) : socket_(std::move(socket)) {
    const timeval patience{kPatienceSeconds, 0};
    (void)setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    (void)setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

void Channel::send(FrameKind kind, std::span<const std::byte> body, int descriptor) {
    if (body.size() > kLargestFrame) fail("a message is too long");
    const Header header{.kind = kind, .bytes = body.size()};
    std::vector<std::byte> bytes(sizeof header + body.size());
    std::memcpy(bytes.data(), &header, sizeof header);
    std::copy(body.begin(), body.end(), bytes.begin() + sizeof header);
    const std::scoped_lock lock(sending_);
    for (std::size_t at = 0; at < bytes.size();) {
        iovec part{bytes.data() + at, bytes.size() - at};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        Control control{};
        if (at == 0 && descriptor >= 0) {
            message.msg_control = control.bytes.data();
            message.msg_controllen = control.bytes.size();
            control.header = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
            std::memcpy(CMSG_DATA(&control.header), &descriptor, sizeof descriptor);
        }
        const ssize_t count = sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) failWithErrno();
        at += static_cast<std::size_t>(count);
    }
}

std::optional<Frame> Channel::receive() {
    Frame frame;
    Header header;
    std::array<std::byte, sizeof header> bytes{};
    if (!receiveAll(socket_.get(), bytes.data(), bytes.size(), &frame.descriptor)) return std::nullopt;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.magic != kMagic || header.kind < FrameKind::hello || header.kind > FrameKind::forget) fail("it brings something else");
    if (header.bytes > kLargestFrame) fail("a message is too long");
    frame.kind = header.kind;
    // Memory is taken for what has come, whatever the header says.
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    while (frame.body.size() < header.bytes) {
        const std::size_t at = frame.body.size();
        frame.body.resize(at + std::min<std::size_t>(kPiece, header.bytes - at));
        if (!receiveAll(socket_.get(), frame.body.data() + at, frame.body.size() - at, nullptr)) fail("it ended within a message");
    }
    return frame;
}

void Channel::shutdown() { (void)::shutdown(socket_.get(), SHUT_RDWR); }

Listener::Listener() : socket_(openSocket()), name_("parallax-" + randomDigits()) {
    const auto [address, length] = addressOf(name_);
    if (bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0 || listen(socket_.get(), 8) != 0) failWithErrno();
}

std::optional<Descriptor> Listener::accept() const {
    Descriptor peer(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!peer || !sameUser(peer.get())) return std::nullopt;
    return peer;
}

Descriptor connectTo(const std::string& name) {
    Descriptor socket = openSocket();
    const auto [address, length] = addressOf(name);
    if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), length) != 0)
        throw Error(ErrorCode::unavailable, "No program waits for these ranks", std::strerror(errno),
                    "Rank 0 must run on the machine of the program that starts the job");
    if (!sameUser(socket.get())) throw Error(ErrorCode::unavailable, "The program that waits for these ranks belongs to another user");
    return socket;
}

}  // namespace parallax
