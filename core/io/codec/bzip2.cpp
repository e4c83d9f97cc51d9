// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/bzip2.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/io/refuse.hpp"

#ifdef PARALLAX_HAS_BZIP2
#include <bzlib.h>

namespace parallax {

bool hasBzip2() { return true; }
std::string whyNoBzip2() { return {}; }

struct Bzip2Reader::State {
    State(const std::string& file, std::uint64_t offset) : source(file), at(offset), input(1 << 16) {}
    ~State() {
        if (open) BZ2_bzDecompressEnd(&stream);
    }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// Reads more input if all is used; false at the end of the file.
    bool fill() {
        if (stream.avail_in > 0) return true;
        const std::size_t got = source.read(at, input.data(), input.size());
        at += got;
        stream.next_in = reinterpret_cast<char*>(input.data());
        stream.avail_in = static_cast<unsigned>(got);
        return got > 0;
    }
    /// Begins a stream at the next byte.
    void begin() {
        const auto next = stream.next_in;
        const unsigned left = stream.avail_in;
        stream = {};
        if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
        stream.next_in = next;
        stream.avail_in = left;
        open = true;
    }
    void end() {
        BZ2_bzDecompressEnd(&stream);
        open = false;
        ended = true;
    }

    ByteSource source;
    std::uint64_t at;  ///< offset of the next byte to read from the file
    std::vector<std::uint8_t> input;
    bz_stream stream{};
    bool open = false;   ///< within a stream
    bool ended = false;  ///< a stream, with its checksum
};

Bzip2Reader::Bzip2Reader(const std::string& path, std::uint64_t offset)
    : CompressedStream(path), state_(std::make_unique<State>(path, offset)) {}

std::size_t Bzip2Reader::readSome(void* to, std::size_t bytes) {
    State& s = *state_;
    std::size_t done = 0;
    while (done < bytes) {
        const bool more = s.fill();
        if (!s.open) {
            // Another stream may follow; other bytes are ignored.
            if (!more || (s.ended && *s.stream.next_in != 'B')) break;
            s.begin();
        }
        s.stream.next_out = static_cast<char*>(to) + done;
        s.stream.avail_out = static_cast<unsigned>(std::min<std::size_t>(bytes - done, 1U << 30));
        const unsigned room = s.stream.avail_out, input = s.stream.avail_in;
        const int result = BZ2_bzDecompress(&s.stream);
        const unsigned got = room - s.stream.avail_out;
        done += got;
        if (result == BZ_MEM_ERROR) throw std::bad_alloc();
        if (result == BZ_STREAM_END) s.end();
        else if (result != BZ_OK) refuseFile(path(), "its compressed data cannot be decompressed");
        else if (!more && got == 0 && s.stream.avail_in == input) break;
    }
    return done;
}

bool Bzip2Reader::complete() const { return state_->ended && !state_->open; }

#else

namespace parallax {

bool hasBzip2() { return false; }
std::string whyNoBzip2() { return "this build has no libbz2"; }

struct Bzip2Reader::State {};

Bzip2Reader::Bzip2Reader(const std::string& path, std::uint64_t) : CompressedStream(path) {
    throw Error(ErrorCode::unavailable, "Cannot open '" + path + "'", whyNoBzip2(), "Save it with the encoding raw or gzip");
}
std::size_t Bzip2Reader::readSome(void*, std::size_t) { return 0; }
bool Bzip2Reader::complete() const { return true; }

#endif

Bzip2Reader::~Bzip2Reader() = default;

}  // namespace parallax
