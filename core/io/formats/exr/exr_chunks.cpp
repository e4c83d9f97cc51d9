// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/exr/exr_chunks.hpp"

#include <ImfChannelList.h>
#include <ImfPartType.h>
#include <ImfTileDescription.h>
#include <ImfTiledInputPart.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/io/codec/text.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/exr/exr_unpack.hpp"

namespace parallax {
namespace {

/// Quotient rounded down, for a positive divisor.
std::int64_t floorDivided(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/// Number of multiples of `step` in [first, first + count).
std::int64_t multiples(std::int64_t first, std::int64_t count, std::int64_t step) {
    return floorDivided(first + count - 1, step) - floorDivided(first - 1, step);
}

/// Entries of the offset table of a part without the attribute chunkCount.
std::uint64_t tableEntries(Imf::MultiPartInputFile& file, int part, std::uint64_t ofFirstLevel) {
    const Imf::Header& header = file.header(part);
    if (header.hasChunkCount()) return static_cast<std::uint64_t>(std::max(0, header.chunkCount()));
    if (!header.hasTileDescription() || header.tileDescription().mode == Imf::ONE_LEVEL) return ofFirstLevel;
    const Imf::TiledInputPart tiles(file, part);
    std::uint64_t entries = 0;
    for (int ly = 0; ly < tiles.numYLevels(); ++ly)
        for (int lx = 0; lx < tiles.numXLevels(); ++lx)
            if (tiles.isValidLevel(lx, ly))
                entries += static_cast<std::uint64_t>(tiles.numXTiles(lx)) * static_cast<std::uint64_t>(tiles.numYTiles(ly));
    return entries;
}

/// Decoded sizes that the header of a DWAA or DWAB chunk must declare, so that no sample comes from old memory.
struct CosineSizes {
    std::uint64_t unknown = 0, runs = 0, constants = 0;  ///< bytes, bytes, and one number for each block of 8 x 8 samples
};

}  // namespace

ExrChunks::ExrChunks(std::string path, Imf::MultiPartInputFile& file, int part, std::uint64_t tables)
    : path_(std::move(path)),
      part_(part),
      multiPart_(file.parts() > 1),
      compression_(file.header(part).compression()),
      window_(file.header(part).dataWindow()) {
    const Imf::Header& header = file.header(part);
    for (int p = 0; p < part; ++p) {
        if (!file.header(p).hasChunkCount()) throw std::runtime_error("a part does not say how many blocks it has");
        tables += 8 * static_cast<std::uint64_t>(std::max(0, file.header(p).chunkCount()));
    }
    tiled_ = header.hasType() ? Imf::isTiled(header.type()) : header.hasTileDescription();
    const Imf::ChannelList& list = header.channels();
    for (auto it = list.begin(); it != list.end(); ++it)
        channels_.push_back({it.name(), it.channel().type, it.channel().xSampling, it.channel().ySampling,
                             it.channel().type == Imf::HALF ? std::size_t{2} : std::size_t{4}});
    const std::int64_t width = std::int64_t{window_.max.x} - window_.min.x + 1, height = std::int64_t{window_.max.y} - window_.min.y + 1;
    chunkWidth_ = tiled_ ? header.tileDescription().xSize : width;
    chunkHeight_ = tiled_ ? header.tileDescription().ySize : exrBlockLines(compression_);
    across_ = static_cast<std::size_t>((width - 1) / chunkWidth_ + 1);
    const auto down = static_cast<std::size_t>((height - 1) / chunkHeight_ + 1);
    ByteSource source(path_);
    chunks_.resize(across_ * down);
    bool missing = false;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        const std::int64_t x = static_cast<std::int64_t>(i % across_) * chunkWidth_,
                           y = static_cast<std::int64_t>(i / across_) * chunkHeight_;
        chunks_[i] = {x, y, std::min(chunkWidth_, width - x), std::min(chunkHeight_, height - y), 0};
        // The chunks of the full resolution come first.
        std::array<std::uint8_t, 8> entry{};
        if (source.read(tables + 8 * i, entry.data(), 8) == 8) chunks_[i].offset = exrNumber<std::uint64_t>(entry.data());
        missing = missing || chunks_[i].offset == 0;
        if (chunks_[i].offset < tables || chunks_[i].offset >= source.size()) chunks_[i].offset = 0;
    }
    if (!missing || part_ > 0) return;
    std::uint64_t from = tables;
    for (int p = 0; p < file.parts(); ++p) from += 8 * tableEntries(file, p, chunks_.size());
    searchMissing(from);
}

/// A writer that was interrupted has not written the table: the chunks follow each other.
void ExrChunks::searchMissing(std::uint64_t from) {
    ByteSource source(path_);
    std::array<std::uint8_t, 24> head{};
    const std::size_t bytes = headerBytes();
    for (std::uint64_t at = from; source.read(at, head.data(), bytes) == bytes;) {
        const std::uint8_t* field = head.data();
        if (multiPart_ && (exrNumber<std::uint32_t>(std::exchange(field, field + 4)) != 0)) return;
        std::int64_t x = 0, y = exrNumber<std::int32_t>(field);
        bool full = true;
        if (tiled_) {
            x = std::exchange(y, exrNumber<std::int32_t>(field + 4));
            full = exrNumber<std::uint32_t>(field + 8) == 0 && exrNumber<std::uint32_t>(field + 12) == 0;
        } else {
            y -= window_.min.y;
            if (y < 0 || y % chunkHeight_ != 0) return;
            y /= chunkHeight_;
        }
        const auto size = exrNumber<std::int32_t>(head.data() + bytes - 4);
        if (size <= 0 || static_cast<std::uint64_t>(size) > source.size() - at - bytes) return;
        const auto columns = static_cast<std::int64_t>(across_);
        const bool inside = x >= 0 && x < columns && y >= 0 && y < static_cast<std::int64_t>(chunks_.size()) / columns;
        if (full && !inside) return;
        if (full)
            if (ExrChunk& chunk = chunks_[static_cast<std::size_t>(y * columns + x)]; chunk.offset == 0) chunk.offset = at;
        at += bytes + static_cast<std::uint64_t>(size);
    }
}

bool ExrChunks::decodable() const {
    return compression_ == Imf::NO_COMPRESSION || compression_ == Imf::RLE_COMPRESSION || compression_ == Imf::ZIPS_COMPRESSION ||
           compression_ == Imf::ZIP_COMPRESSION;
}

std::int64_t ExrChunks::samplesAcross(const Channel& channel, const ExrChunk& chunk) const {
    return multiples(window_.min.x + chunk.x, chunk.width, channel.xSampling);
}

std::uint64_t ExrChunks::rawBytes(const ExrChunk& chunk, const Channel& channel) const {
    return static_cast<std::uint64_t>(samplesAcross(channel, chunk) * multiples(window_.min.y + chunk.y, chunk.height, channel.ySampling)) *
           channel.bytes;
}

std::uint64_t ExrChunks::rawBytes(const ExrChunk& chunk) const {
    std::uint64_t bytes = 0;
    for (const Channel& channel : channels_) bytes += rawBytes(chunk, channel);
    return bytes;
}

/// Throws std::runtime_error unless the chunk is complete and is the one that the table promises.
ExrChunks::Packed ExrChunks::locate(const ExrChunk& chunk, ByteSource& file) const {
    std::array<std::uint8_t, 24> head{};
    const std::size_t bytes = headerBytes();
    if (chunk.offset == 0 || file.read(chunk.offset, head.data(), bytes) != bytes) throw std::runtime_error("a block is missing");
    const std::uint8_t* const field = head.data() + (multiPart_ ? 4 : 0);
    const bool right = !multiPart_ || exrNumber<std::uint32_t>(head.data()) == static_cast<std::uint32_t>(part_);
    const bool place = tiled_ ? exrNumber<std::int32_t>(field) == chunk.x / chunkWidth_ &&
                                    exrNumber<std::int32_t>(field + 4) == chunk.y / chunkHeight_ &&
                                    exrNumber<std::uint32_t>(field + 8) == 0 && exrNumber<std::uint32_t>(field + 12) == 0
                              : exrNumber<std::int32_t>(field) == window_.min.y + chunk.y;
    if (!right || !place) throw std::runtime_error("a block lies at the place of another one");
    const auto size = exrNumber<std::int32_t>(head.data() + bytes - 4);
    const std::uint64_t raw = rawBytes(chunk);
    const Packed packed{chunk.offset + bytes, static_cast<std::uint64_t>(std::max(0, size))};
    if (raw == 0) return packed;
    if (size <= 0 || packed.size > raw || (compression_ == Imf::NO_COMPRESSION && packed.size != raw))
        throw std::runtime_error(kExrWrongSize);
    if (packed.size > file.size() - std::min(file.size(), packed.offset)) throw std::runtime_error("the file is truncated within a block");
    return packed;
}

std::string ExrChunks::damage(const ExrChunk& chunk, ExrChunkWork& work) const {
    try {
        const Packed packed = locate(chunk, work.file);
        const bool cosine = compression_ == Imf::DWAA_COMPRESSION || compression_ == Imf::DWAB_COMPRESSION;
        if (cosine && packed.size < rawBytes(chunk)) checkCosine(chunk, packed, work.file);
        return {};
    } catch (const std::runtime_error& e) {
        return e.what();
    }
}

/// The header of DWA: eleven numbers, and since version 2 rules that choose a codec by the ends of channel names and their types. Channels
/// of an unknown kind, in runs, and as constants of cosine transforms are decoded to buffers that must be full.
void ExrChunks::checkCosine(const ExrChunk& chunk, const Packed& packed, ByteSource& file) const {
    constexpr std::size_t kNumbers = 11;
    enum Number { version = 0, unknownSize = 1, unknownPacked = 2, runsPacked = 5, runsInflated = 6, runsSize = 7, constants = 9 };
    std::array<std::uint8_t, 8 * kNumbers> head{};
    std::vector<std::uint8_t> rules;
    if (packed.size < head.size() || file.read(packed.offset, head.data(), head.size()) != head.size())
        throw std::runtime_error(kExrWrongSize);
    std::array<std::uint64_t, kNumbers> n{};
    for (std::size_t i = 0; i < kNumbers; ++i) n[i] = exrNumber<std::uint64_t>(head.data() + 8 * i);
    struct Rule {
        std::string end;
        int codec = 0, type = 0;
        bool anyCase = true;
    };
    constexpr int kCosine = 1, kRuns = 2;
    std::vector<Rule> known;
    if (n[version] < 2) {
        for (const char* const name : {"r", "red", "g", "grn", "green", "b", "blu", "blue", "y", "by", "ry"})
            for (const int type : {Imf::HALF, Imf::FLOAT}) known.push_back({name, kCosine, type, true});
        for (const int type : {Imf::UINT, Imf::HALF, Imf::FLOAT}) known.push_back({"a", kRuns, type, true});
    } else {
        std::array<std::uint8_t, 2> size{};
        if (file.read(packed.offset + head.size(), size.data(), 2) != 2) throw std::runtime_error(kExrWrongSize);
        const std::size_t bytes = exrNumber<std::uint16_t>(size.data());
        if (bytes < 2 || bytes > packed.size - head.size()) throw std::runtime_error(kExrWrongSize);
        rules.resize(bytes - 2);
        if (file.read(packed.offset + head.size() + 2, rules.data(), rules.size()) != rules.size()) throw std::runtime_error(kExrWrongSize);
        for (auto at = rules.begin(); at != rules.end();) {
            const auto zero = std::find(at, rules.end(), 0);
            if (rules.end() - zero < 3) throw std::runtime_error(kExrWrongSize);
            known.push_back({std::string(at, zero), zero[1] >> 2 & 3, zero[2], (zero[1] & 1) != 0});
            at = zero + 3;
        }
    }
    CosineSizes expected;
    for (const Channel& channel : channels_) {
        const std::string end = channel.name.substr(channel.name.rfind('.') + 1);
        const auto rule = std::find_if(known.begin(), known.end(), [&](const Rule& r) {
            return r.type == channel.type && (r.anyCase ? lowerCase(r.end) == lowerCase(end) : r.end == end);
        });
        const int codec = rule == known.end() ? 0 : rule->codec;
        const std::int64_t across = samplesAcross(channel, chunk),
                           down = multiples(window_.min.y + chunk.y, chunk.height, channel.ySampling);
        if (codec == kCosine) expected.constants += static_cast<std::uint64_t>(((across + 7) / 8) * ((down + 7) / 8));
        else (codec == kRuns ? expected.runs : expected.unknown) += rawBytes(chunk, channel);
    }
    if (n[unknownSize] != expected.unknown || n[runsSize] != expected.runs || n[constants] != expected.constants ||
        (expected.unknown > 0 && n[unknownPacked] == 0) || (expected.runs > 0 && (n[runsPacked] == 0 || n[runsInflated] == 0)))
        throw std::runtime_error(kExrWrongSize);
}

void ExrChunks::decode(const ExrChunk& chunk, ExrChunkWork& work, const std::vector<ExrPlane>& planes, std::int64_t from,
                       std::int64_t to) const {
    const Packed packed = locate(chunk, work.file);
    const std::uint64_t raw = rawBytes(chunk);
    if (raw == 0) return;
    work.packed.resize(packed.size);
    if (work.file.read(packed.offset, work.packed.data(), packed.size) != packed.size)
        throw std::runtime_error("the file is truncated within a block");
    if (packed.size == raw) return unpack(chunk, work.packed.data(), planes, from, to);
    work.raw.resize(raw);
    unpackExr(compression_ == Imf::RLE_COMPRESSION, work.packed, work.inflated, work.raw);
    unpack(chunk, work.raw.data(), planes, from, to);
}

void ExrChunks::unpack(const ExrChunk& chunk, const std::uint8_t* raw, const std::vector<ExrPlane>& planes, std::int64_t from,
                       std::int64_t to) const {
    for (std::int64_t y = chunk.y; y < chunk.y + chunk.height; ++y)
        for (std::size_t c = 0; c < channels_.size(); ++c) {
            const Channel& channel = channels_[c];
            if (multiples(window_.min.y + y, 1, channel.ySampling) == 0) continue;
            const std::int64_t n = samplesAcross(channel, chunk);
            if (y >= from && y < to && planes[c].data) {
                const std::int64_t row = multiples(window_.min.y + from, y - from, channel.ySampling),
                                   column = multiples(window_.min.x, chunk.x, channel.xSampling);
                exrFloats(channel.type, raw, n, planes[c].data + row * planes[c].rowStride + column);
            }
            raw += static_cast<std::size_t>(n) * channel.bytes;
        }
}

}  // namespace parallax
