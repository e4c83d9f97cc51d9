// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/deflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

#ifdef PARALLAX_ISAL_VERSION
#include <isa-l.h>
#endif

namespace parallax {
namespace {

/// Both libraries count bytes in 32 bits.
constexpr std::size_t kMaxAtOnce = std::size_t{1} << 30;

/// Calls step(in, inBytes, out, outBytes, final) until all bytes are consumed and flushed. A step returns the unused bytes of both.
struct Unused {
    std::size_t in = 0, out = 0;
};
template <class Step>
std::vector<std::uint8_t> deflateAll(std::span<const std::uint8_t> bytes, const Step& step) {
    std::vector<std::uint8_t> out(bytes.size() + bytes.size() / 1024 + 1024);
    std::size_t done = 0;
    for (bool flushed = false; !flushed;) {
        if (done == out.size()) out.resize(out.size() + out.size() / 4);
        const std::size_t n = std::min(bytes.size(), kMaxAtOnce), room = std::min(out.size() - done, kMaxAtOnce);
        const Unused unused = step(bytes.data(), n, out.data() + done, room, n == bytes.size());
        // A full output may hide pending bytes.
        flushed = n == bytes.size() && unused.in == 0 && unused.out > 0;
        bytes = bytes.subspan(n - unused.in);
        done += room - unused.out;
    }
    out.resize(done);
    return out;
}

struct ZlibLevel {
    int level, strategy;
};
ZlibLevel zlibLevelOf(Compression compression, DeflateInput input) {
    if (input == DeflateInput::residuals) return compression == Compression::small ? ZlibLevel{9, Z_FILTERED} : ZlibLevel{1, Z_RLE};
    // For float samples level 3 is three times as fast as 6, at 2 % more bytes (CT).
    return {compression == Compression::small ? 9 : compression == Compression::standard ? 3 : 1, Z_DEFAULT_STRATEGY};
}

std::vector<std::uint8_t> deflateWithZlib(std::span<const std::uint8_t> dictionary, std::span<const std::uint8_t> bytes, bool last,
                                          ZlibLevel level) {
    z_stream stream{};
    if (deflateInit2(&stream, level.level, Z_DEFLATED, -MAX_WBITS, 8, level.strategy) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, [](z_stream* s) { return deflateEnd(s); });
    if (!dictionary.empty()) deflateSetDictionary(&stream, dictionary.data(), static_cast<uInt>(dictionary.size()));
    return deflateAll(bytes, [&](const std::uint8_t* in, std::size_t n, std::uint8_t* out, std::size_t room, bool final) -> Unused {
        stream.next_in = const_cast<Bytef*>(in);
        stream.avail_in = static_cast<uInt>(n);
        stream.next_out = out;
        stream.avail_out = static_cast<uInt>(room);
        if (deflate(&stream, !final ? Z_NO_FLUSH : last ? Z_FINISH : Z_SYNC_FLUSH) == Z_STREAM_ERROR) throw std::bad_alloc();
        return {stream.avail_in, stream.avail_out};
    });
}

#ifdef PARALLAX_ISAL_VERSION
std::vector<std::uint8_t> deflateWithIsal(std::span<const std::uint8_t> dictionary, std::span<const std::uint8_t> bytes, bool last,
                                          std::uint32_t level) {
    static_assert(ISAL_DEF_LVL2_DEFAULT >= ISAL_DEF_LVL1_DEFAULT);
    const auto work = std::make_unique_for_overwrite<std::uint8_t[]>(ISAL_DEF_LVL2_DEFAULT);
    const auto stream = std::make_unique_for_overwrite<isal_zstream>();
    isal_deflate_init(stream.get());
    stream->level = level;
    stream->level_buf = work.get();
    stream->level_buf_size = ISAL_DEF_LVL2_DEFAULT;
    if (!dictionary.empty())
        isal_deflate_set_dict(stream.get(), const_cast<std::uint8_t*>(dictionary.data()), static_cast<std::uint32_t>(dictionary.size()));
    return deflateAll(bytes, [&](const std::uint8_t* in, std::size_t n, std::uint8_t* out, std::size_t room, bool final) -> Unused {
        stream->next_in = const_cast<std::uint8_t*>(in);
        stream->avail_in = static_cast<std::uint32_t>(n);
        stream->next_out = out;
        stream->avail_out = static_cast<std::uint32_t>(room);
        stream->end_of_stream = final && last;
        stream->flush = final && !last ? SYNC_FLUSH : NO_FLUSH;
        if (isal_deflate(stream.get()) != COMP_OK) throw std::bad_alloc();
        return {stream->avail_in, stream->avail_out};
    });
}
#endif

}  // namespace

std::vector<std::uint8_t> deflatePart(std::span<const std::uint8_t> dictionary, std::span<const std::uint8_t> bytes, bool last,
                                      Compression compression, DeflateInput input) {
#ifdef PARALLAX_ISAL_VERSION
    if (compression != Compression::small)
        return deflateWithIsal(dictionary, bytes, last, compression == Compression::fast || input == DeflateInput::residuals ? 1 : 2);
#endif
    return deflateWithZlib(dictionary, bytes, last, zlibLevelOf(compression, input));
}

#ifdef PARALLAX_ISAL_VERSION
std::uint32_t crc32Of(std::span<const std::uint8_t> bytes, std::uint32_t start) {
    return crc32_gzip_refl(start, bytes.data(), bytes.size());
}
std::uint32_t adler32Of(std::span<const std::uint8_t> bytes, std::uint32_t start) {
    return isal_adler32(start, bytes.data(), bytes.size());
}
std::string isalVersion() { return PARALLAX_ISAL_VERSION; }
#else
std::uint32_t crc32Of(std::span<const std::uint8_t> bytes, std::uint32_t start) {
    return static_cast<std::uint32_t>(crc32_z(start, bytes.data(), bytes.size()));
}
std::uint32_t adler32Of(std::span<const std::uint8_t> bytes, std::uint32_t start) {
    return static_cast<std::uint32_t>(adler32_z(start, bytes.data(), bytes.size()));
}
std::string isalVersion() { return {}; }
#endif

}  // namespace parallax
