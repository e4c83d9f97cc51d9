// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/gzip.hpp"

#include <algorithm>

#include "core/io/refuse.hpp"

namespace parallax {
InflateReader::InflateReader(const std::string& path, std::uint64_t offset, Envelope envelope)
    : path_(path), source_(path), envelope_(envelope), at_(offset), input_(1 << 17) {
    // 32: zlib or gzip, detected from the header.
    if (inflateInit2(&stream_, envelope == Envelope::none ? -MAX_WBITS : MAX_WBITS + 32) != Z_OK) throw std::bad_alloc();
}

std::size_t InflateReader::readSome(void* to, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
        if (stream_.avail_in == 0) {
            const std::size_t got = source_.read(at_, input_.data(), input_.size());
            at_ += got;
            stream_.next_in = input_.data();
            stream_.avail_in = static_cast<uInt>(got);
            if (got == 0) break;
        }
        if (ended_) {
            // Another gzip stream may follow; other bytes are ignored.
            if (envelope_ == Envelope::none || stream_.next_in[0] != 0x1f) break;
            if (inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
            ended_ = false;
        }
        const auto wanted = static_cast<uInt>(std::min<std::size_t>(bytes - done, 1U << 30));
        stream_.next_out = static_cast<Bytef*>(to) + done;
        stream_.avail_out = wanted;
        const int result = inflate(&stream_, Z_NO_FLUSH);
        done += wanted - stream_.avail_out;
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        if (result == Z_STREAM_END) ended_ = true;
        else if (result != Z_OK && result != Z_BUF_ERROR) refuseFile(path_, "its compressed data cannot be inflated");
    }
    return done;
}

void InflateReader::read(void* to, std::size_t bytes) {
    if (readSome(to, bytes) < bytes) refuseFile(path_, "it is truncated: the last samples are missing");
}

void InflateReader::skip(std::uint64_t bytes, const LoadOptions& options) {
    std::vector<std::uint8_t> part(static_cast<std::size_t>(std::min<std::uint64_t>(bytes, 1 << 20)));
    while (bytes > 0) {
        options.throwIfStopped();
        const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, part.size()));
        read(part.data(), n);
        bytes -= n;
    }
}

void InflateReader::finish(const LoadOptions& options) {
    std::vector<std::uint8_t> part(1 << 20);
    do options.throwIfStopped();
    while (readSome(part.data(), part.size()) == part.size());
    if (!ended_) refuseFile(path_, "its compressed data end prematurely");
}

double InflateReader::position() const {
    const std::uint64_t size = source_.size();
    return size > 0 ? std::min(1.0, static_cast<double>(at_ - stream_.avail_in) / static_cast<double>(size)) : 0;
}

}  // namespace parallax
