// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/inflate.hpp"

#include <algorithm>

#ifdef PARALLAX_ISAL_VERSION
#include <isa-l.h>
#else
#include <zlib.h>

#include <new>
#endif

namespace parallax {
namespace {

/// The libraries count bytes in 32 bits.
constexpr std::size_t kMaxAtOnce = std::size_t{1} << 30;

}  // namespace

#ifdef PARALLAX_ISAL_VERSION

struct Inflater::Library {
    inflate_state state;

    explicit Library(Envelope envelope) {
        isal_inflate_init(&state);
        state.crc_flag = envelope == Envelope::none ? ISAL_DEFLATE : envelope == Envelope::zlib ? ISAL_ZLIB : ISAL_GZIP;
    }
    State step(std::span<const std::uint8_t>& in, std::span<std::uint8_t>& out) {
        const std::size_t n = std::min(in.size(), kMaxAtOnce), room = std::min(out.size(), kMaxAtOnce);
        state.next_in = const_cast<std::uint8_t*>(in.data());
        state.avail_in = static_cast<std::uint32_t>(n);
        state.next_out = out.data();
        state.avail_out = static_cast<std::uint32_t>(room);
        const int result = isal_inflate(&state);
        in = in.subspan(n - state.avail_in);
        out = out.subspan(room - state.avail_out);
        if (result < 0 || result == ISAL_NEED_DICT) return State::damaged;
        return state.block_state == ISAL_BLOCK_FINISH ? State::ended : State::running;
    }
    std::size_t excess() const {
        return state.block_state == ISAL_BLOCK_FINISH ? static_cast<std::size_t>(std::max(0, state.read_in_length / 8)) : 0;
    }
};

#else

struct Inflater::Library {
    z_stream stream{};

    explicit Library(Envelope envelope) {
        const int bits = envelope == Envelope::none ? -MAX_WBITS : envelope == Envelope::zlib ? MAX_WBITS : MAX_WBITS + 16;
        if (inflateInit2(&stream, bits) != Z_OK) throw std::bad_alloc();
    }
    Library(const Library& from) {
        // zlib only reads the source.
        if (inflateCopy(&stream, const_cast<z_stream*>(&from.stream)) != Z_OK) throw std::bad_alloc();
    }
    ~Library() { inflateEnd(&stream); }
    State step(std::span<const std::uint8_t>& in, std::span<std::uint8_t>& out) {
        const std::size_t n = std::min(in.size(), kMaxAtOnce), room = std::min(out.size(), kMaxAtOnce);
        stream.next_in = const_cast<Bytef*>(in.data());
        stream.avail_in = static_cast<uInt>(n);
        stream.next_out = out.data();
        stream.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream, Z_NO_FLUSH);
        in = in.subspan(n - stream.avail_in);
        out = out.subspan(room - stream.avail_out);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        if (result == Z_STREAM_END) return State::ended;
        return result == Z_OK || result == Z_BUF_ERROR ? State::running : State::damaged;
    }
    static std::size_t excess() { return 0; }
};

#endif

Inflater::Inflater(Envelope envelope) : library_(std::make_unique<Library>(envelope)) {}
Inflater::~Inflater() = default;
Inflater::Inflater(const Inflater& from) : library_(std::make_unique<Library>(*from.library_)) {}
Inflater::State Inflater::step(std::span<const std::uint8_t>& in, std::span<std::uint8_t>& out) { return library_->step(in, out); }
std::size_t Inflater::excess() const { return library_->excess(); }

}  // namespace parallax
