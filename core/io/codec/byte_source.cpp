// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/io/limits.hpp"
#include "core/io/loader.hpp"
#include "core/io/refuse.hpp"

namespace parallax {

// Without O_NONBLOCK, opening a pipe waits for a writer.
ByteSource::ByteSource(const std::string& path) : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0) {
        const int reason = errno;
        if (descriptor_ >= 0) ::close(descriptor_);
        refuseUnopened(path, reason);
    }
    if (!S_ISREG(info.st_mode)) {
        ::close(descriptor_);
        refuseFile(path, "it is not an ordinary file", "Give a file");
    }
    size_ = static_cast<std::uint64_t>(std::max<off_t>(0, info.st_size));
}

ByteSource::ByteSource(std::vector<std::uint8_t> bytes) : size_(bytes.size()), bytes_(std::move(bytes)) {}

ByteSource::~ByteSource() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t ByteSource::readFile(std::uint64_t offset, void* to, std::size_t n) {
    std::size_t done = 0;
    while (done < n) {
        const ssize_t got = ::pread(descriptor_, static_cast<char*>(to) + done, n - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuseFile(path_, std::strerror(errno), "Check the disk");
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return done;
}

std::size_t ByteSource::read(std::uint64_t offset, void* to, std::size_t n) {
    if (offset >= size_) return 0;
    n = static_cast<std::size_t>(std::min<std::uint64_t>(n, size_ - offset));
    if (descriptor_ >= 0 && (offset < start_ || offset + n > start_ + bytes_.size())) {
        constexpr std::size_t kWindow = 1 << 14;
        if (n > kWindow) return readFile(offset, to, n);
        bytes_.resize(kWindow);
        start_ = offset;
        bytes_.resize(readFile(offset, bytes_.data(), kWindow));
        n = std::min(n, bytes_.size());
    }
    if (n > 0) std::memcpy(to, bytes_.data() + (offset - start_), n);
    return n;
}

void CompressedStream::read(void* to, std::size_t bytes) {
    if (readSome(to, bytes) < bytes) refuseFile(path_, "it is truncated: the last samples are missing");
}

void CompressedStream::skip(std::uint64_t bytes, const LoadOptions& options) {
    std::vector<std::uint8_t> part(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 20)));
    while (bytes > 0) {
        options.throwIfStopped();
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, part.size()));
        read(part.data(), n);
        bytes -= n;
    }
}

void CompressedStream::finish(const LoadOptions& options) {
    std::vector<std::uint8_t> part(1 << 20);
    for (std::uint64_t tail = 0; readSome(part.data(), part.size()) == part.size(); tail += part.size()) {
        options.throwIfStopped();
        if (tail > kMaxTailBytes) return;
    }
    if (!complete()) refuseFile(path_, "its compressed data end prematurely");
}

}  // namespace parallax
