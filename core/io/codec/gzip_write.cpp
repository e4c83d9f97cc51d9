// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/io/codec/deflate.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/codec/parallel_tasks.hpp"

namespace parallax {
namespace {

constexpr std::size_t kPiece = 1 << 20;
constexpr std::size_t kDictionary = 1 << 15;

struct Piece {
    std::vector<std::uint8_t> deflated;
    std::uint32_t crc = 0;
    std::size_t length = 0;
};

}  // namespace

void writeGzip(AtomicFile& file, std::span<const std::uint8_t> head, std::span<const std::uint8_t> body, const SaveOptions& options) {
    // Without name and time, so that the same samples give the same bytes.
    static constexpr std::array<std::uint8_t, 10> kHeader{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff};
    file.write(kHeader.data(), kHeader.size());
    const auto deflated = [&](std::span<const std::uint8_t> dictionary, std::span<const std::uint8_t> bytes, bool last) {
        return Piece{deflatePart(dictionary, bytes, last, options.compression, DeflateInput::samples), crc32Of(bytes), bytes.size()};
    };
    const Piece first = deflated({}, head, body.empty());
    file.write(first.deflated.data(), first.deflated.size());
    uLong crc = first.crc;
    const std::size_t n = (body.size() + kPiece - 1) / kPiece;
    std::vector<Piece> pieces(n);
    const auto make = [&](std::int64_t i) {
        const std::size_t at = static_cast<std::size_t>(i) * kPiece, length = std::min(kPiece, body.size() - at);
        const std::size_t before = std::min(at, kDictionary);
        pieces[static_cast<std::size_t>(i)] =
            deflated(body.subspan(at - before, before), body.subspan(at, length), at + length == body.size());
    };
    const auto take = [&](std::int64_t i) {
        const Piece piece = std::exchange(pieces[static_cast<std::size_t>(i)], {});
        file.write(piece.deflated.data(), piece.deflated.size());
        crc = crc32_combine(crc, piece.crc, static_cast<z_off_t>(piece.length));
    };
    runOrderedTasks(static_cast<std::int64_t>(n), taskOptions(options), {}, make, take);
    const std::uint64_t length = head.size() + body.size();
    std::array<std::uint8_t, 8> end{};
    for (std::size_t i = 0; i < 4; ++i) {
        end[i] = static_cast<std::uint8_t>(crc >> (8 * i));
        end[4 + i] = static_cast<std::uint8_t>(length >> (8 * i));
    }
    file.write(end.data(), end.size());
}

}  // namespace parallax
