// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "core/image/error.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/refuse.hpp"

namespace parallax {

struct InflateReader::State {
    State(const std::string& file, std::uint64_t offset) : path(file), source(file), at(offset), input(1 << 17) {
        // 32: zlib or gzip, detected from the header.
        if (inflateInit2(&stream, MAX_WBITS + 32) != Z_OK) throw std::bad_alloc();
    }
    ~State() { inflateEnd(&stream); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    [[noreturn]] void refuse(const char* why) const { refuseFile(path, why); }
    /// False at the end of the file.
    bool fill() {
        if (stream.avail_in > 0) return true;
        const std::size_t got = source.read(at, input.data(), input.size());
        at += got;
        stream.next_in = input.data();
        stream.avail_in = static_cast<uInt>(got);
        return got > 0;
    }

    std::string path;
    ByteSource source;
    std::uint64_t at;  ///< offset of the next byte to read from the file
    std::vector<std::uint8_t> input;
    z_stream stream{};
    bool ended = false;  ///< the stream, with its checksum
};

InflateReader::InflateReader(const std::string& path, std::uint64_t offset) : state_(std::make_unique<State>(path, offset)) {}

InflateReader::~InflateReader() = default;

/// Returns fewer bytes than requested only at the end of the last stream.
std::size_t InflateReader::readSome(void* to, std::size_t bytes) {
    State& s = *state_;
    std::size_t done = 0;
    while (done < bytes) {
        if (!s.fill()) {
            if (s.ended) break;
            s.refuse("its compressed data end prematurely");
        }
        if (s.ended) {
            // Another gzip stream may follow; other bytes are ignored.
            if (s.stream.next_in[0] != 0x1f) break;
            if (inflateReset(&s.stream) != Z_OK) throw std::bad_alloc();
            s.ended = false;
        }
        const auto wanted = static_cast<uInt>(std::min<std::size_t>(bytes - done, 1U << 30));
        s.stream.next_out = static_cast<Bytef*>(to) + done;
        s.stream.avail_out = wanted;
        const int result = inflate(&s.stream, Z_NO_FLUSH);
        done += wanted - s.stream.avail_out;
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        if (result == Z_STREAM_END) s.ended = true;
        else if (result != Z_OK && result != Z_BUF_ERROR) s.refuse("its compressed data cannot be inflated");
    }
    return done;
}

void InflateReader::read(void* to, std::size_t bytes) {
    if (readSome(to, bytes) < bytes) state_->refuse("it is truncated: the last samples are missing");
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
}

double InflateReader::position() const {
    const std::uint64_t size = state_->source.size();
    return size > 0 ? std::min(1.0, static_cast<double>(state_->at - state_->stream.avail_in) / static_cast<double>(size)) : 0;
}

}  // namespace parallax
