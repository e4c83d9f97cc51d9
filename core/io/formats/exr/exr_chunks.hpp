// SPDX-License-Identifier: GPL-3.0-or-later
// The chunks (blocks of scan lines, or tiles) of a part of an OpenEXR file. OpenEXR 3.1 takes chunks that hold fewer samples than
// their place and fills the rest with old memory of the program, so sizes are checked here, and the common compressions are decoded here.
#pragma once

#include <ImfHeader.h>
#include <ImfMultiPartInputFile.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/io/codec/byte_source.hpp"

namespace parallax {

/// Where a chunk lies in the image and in the file.
struct ExrChunk {
    std::int64_t x = 0, y = 0, width = 0, height = 0;  ///< pixels from the corner of the data window
    std::uint64_t offset = 0;                          ///< of its header in the file; 0: missing
};

/// Samples of one channel: those of the pixels that its sampling divides, from the first one in the data window on.
struct ExrPlane {
    float* data = nullptr;
    std::int64_t rowStride = 0;
};

/// Buffers and file of one thread.
struct ExrChunkWork {
    explicit ExrChunkWork(const std::string& path) : file(path) {}
    ByteSource file;
    std::vector<std::uint8_t> packed, inflated, raw;
};

class ExrChunks {
public:
    /// Reads the offset table and, for the first part, searches the chunks that it lacks. `tables`: offset behind the headers of all parts.
    ExrChunks(std::string path, Imf::MultiPartInputFile& file, int part, std::uint64_t tables);

    const std::vector<ExrChunk>& all() const { return chunks_; }
    bool tiled() const { return tiled_; }
    std::size_t across() const { return across_; }  ///< chunks side by side
    /// Whether decode() supports the compression: none, rle, zips, zip.
    bool decodable() const;

    /// Returns why a chunk cannot be decoded, as far as its sizes tell; empty if nothing is known.
    std::string damage(const ExrChunk& chunk, ExrChunkWork& work) const;
    /// Decodes rows [from, to) of the image that the chunk has. `planes`: in the order of the file's channel list, without data for those
    /// that are not wanted; rows count from `from`.
    /// Throws std::runtime_error for damaged chunks. Subsampled planes only with all rows of the image.
    void decode(const ExrChunk& chunk, ExrChunkWork& work, const std::vector<ExrPlane>& planes, std::int64_t from, std::int64_t to) const;

private:
    struct Channel {
        std::string name;
        int type = 0, xSampling = 1, ySampling = 1;
        std::size_t bytes = 4;  ///< of a sample
    };
    struct Packed {
        std::uint64_t offset = 0, size = 0;
    };
    std::int64_t samplesAcross(const Channel& channel, const ExrChunk& chunk) const;
    std::uint64_t rawBytes(const ExrChunk& chunk) const;
    std::uint64_t rawBytes(const ExrChunk& chunk, const Channel& channel) const;
    std::size_t headerBytes() const { return (multiPart_ ? 4U : 0U) + (tiled_ ? 20U : 8U); }
    Packed locate(const ExrChunk& chunk, ByteSource& file) const;
    void searchMissing(std::uint64_t from);
    void checkCosine(const ExrChunk& chunk, const Packed& packed, ByteSource& file) const;
    void unpack(const ExrChunk& chunk, const std::uint8_t* raw, const std::vector<ExrPlane>& planes, std::int64_t from,
                std::int64_t to) const;

    std::string path_;
    int part_ = 0;
    bool tiled_ = false, multiPart_ = false;
    Imf::Compression compression_;
    Imath::Box2i window_;
    std::int64_t chunkWidth_ = 0, chunkHeight_ = 0;
    std::size_t across_ = 1;
    std::vector<Channel> channels_;
    std::vector<ExrChunk> chunks_;
};

}  // namespace parallax
