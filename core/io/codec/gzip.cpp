// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/gzip.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <thread>

#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// For float samples this level is three times as fast as the default, at 2 % more bytes (CT).
constexpr int kLevel = 3;
constexpr std::size_t kPiece = 1 << 20;
constexpr std::size_t kDictionary = 1 << 15;

struct Piece {
    std::vector<std::uint8_t> deflated;
    uLong crc = 0;
    std::size_t length = 0;
};

/// Returns a part of a raw deflate stream that ends on a byte boundary: with an empty stored block, or with the last block.
Piece deflatePiece(std::span<const std::uint8_t> dictionary, std::span<const std::uint8_t> bytes, bool last) {
    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
    const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, [](z_stream* s) { return deflateEnd(s); });
    if (!dictionary.empty()) deflateSetDictionary(&stream, dictionary.data(), static_cast<uInt>(dictionary.size()));
    Piece piece;
    piece.length = bytes.size();
    piece.crc = crc32(0, bytes.data(), static_cast<uInt>(bytes.size()));
    piece.deflated.resize(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 64);
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = piece.deflated.data();
    stream.avail_out = static_cast<uInt>(piece.deflated.size());
    const int state = deflate(&stream, last ? Z_FINISH : Z_SYNC_FLUSH);
    if (state != (last ? Z_STREAM_END : Z_OK) || stream.avail_in > 0) throw std::bad_alloc();
    piece.deflated.resize(piece.deflated.size() - stream.avail_out);
    return piece;
}

}  // namespace

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
    for (std::uint64_t tail = 0; readSome(part.data(), part.size()) == part.size(); tail += part.size()) {
        options.throwIfStopped();
        if (tail > kMaxTailBytes) return;
    }
    if (!ended_) refuseFile(path_, "its compressed data end prematurely");
}

double InflateReader::position() const {
    const std::uint64_t size = source_.size();
    return size > 0 ? std::min(1.0, static_cast<double>(at_ - stream_.avail_in) / static_cast<double>(size)) : 0;
}

void writeGzip(AtomicFile& file, std::span<const std::uint8_t> head, std::span<const std::uint8_t> body, const LoadOptions& options) {
    // Without name and time, so that the same samples give the same bytes.
    static constexpr std::array<std::uint8_t, 10> kHeader{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff};
    file.write(kHeader.data(), kHeader.size());
    Piece first = deflatePiece({}, head, body.empty());
    file.write(first.deflated.data(), first.deflated.size());
    uLong crc = first.crc;
    const std::size_t pieces = (body.size() + kPiece - 1) / kPiece;
    const std::size_t threads =
        options.threads > 0 ? static_cast<std::size_t>(options.threads) : std::max(1U, std::thread::hardware_concurrency());
    // In batches, to limit the memory of deflated pieces that wait to be written.
    const std::size_t batch = 4 * threads;
    for (std::size_t begin = 0; begin < pieces; begin += batch) {
        const std::size_t n = std::min(batch, pieces - begin);
        std::vector<Piece> done(n);
        const auto share = [&](std::size_t i) { return static_cast<double>(i) / static_cast<double>(pieces); };
        runTasks(static_cast<std::int64_t>(n), options, {share(begin), share(begin + n)}, [&](std::int64_t i) {
            const std::size_t at = (begin + static_cast<std::size_t>(i)) * kPiece, length = std::min(kPiece, body.size() - at);
            const std::size_t before = std::min(at, kDictionary);
            done[static_cast<std::size_t>(i)] =
                deflatePiece(body.subspan(at - before, before), body.subspan(at, length), at + length == body.size());
        });
        for (Piece& p : done) {
            file.write(p.deflated.data(), p.deflated.size());
            crc = crc32_combine(crc, p.crc, static_cast<z_off_t>(p.length));
        }
    }
    const std::uint64_t length = head.size() + body.size();
    std::array<std::uint8_t, 8> end{};
    for (std::size_t i = 0; i < 4; ++i) {
        end[i] = static_cast<std::uint8_t>(crc >> (8 * i));
        end[4 + i] = static_cast<std::uint8_t>(length >> (8 * i));
    }
    file.write(end.data(), end.size());
}

}  // namespace parallax
