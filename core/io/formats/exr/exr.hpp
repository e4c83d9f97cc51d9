// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the reader and the writer of OpenEXR files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Attribute that keeps Image::provenance, one step a line.
constexpr char kExrProvenance[] = "parallaxProvenance";

/// Grows OpenEXR's thread pool if needed; returns the number of threads to use for a file.
int useExrThreads(int threads);

/// Compression names as in SaveOptions.
const std::vector<std::string>& exrCompressions();

/// Lines of a compressed block, by Imf::Compression.
std::int64_t exrBlockLines(int compression);
/// Bytes of the blocks that OpenEXR holds at a time for a file of scan lines: two a thread, raw, compressed and in between.
std::uint64_t exrBlockBytes(int compression, std::uint64_t rowBytes, std::int64_t height, int threads);

/// Stored types, in OpenEXR's own numbers.
enum class ExrType { uint32, half, float32 };

/// The type that a channel is stored as if its samples allow it: what is asked for, or else that of the source. `description` has the
/// names of the channels and the source; its samples do not count.
ExrType wantedExrType(const Image& description, std::size_t channel, StoredDepth depth);
/// Can it hold the samples of a channel? Half: no finite one becomes infinite; uint32: all are whole.
bool holds(ExrType type, const View<const float>& channel);
/// For people: the samples of a channel are not all held by half, which was asked for, or which is what the source has.
std::string halfBecameInfinite(const std::string& channel);
std::string halfBecameFloat(const std::string& channel);

/// Writes an image row by row, from the first one down.
class ExrRowWriter {
public:
    /// Of `description` everything but the samples is taken, and `shape` is that of the whole image: depth 1. `target` must live
    /// longer. Throws Error(usage).
    ExrRowWriter(AtomicFile& target, const Image& description, const Shape& shape, std::vector<ExrType> types, const SaveOptions& options);
    ~ExrRowWriter();
    ExrRowWriter(const ExrRowWriter&) = delete;
    ExrRowWriter& operator=(const ExrRowWriter&) = delete;
    /// The next rows, of all channels. Throws Error(output, cancelled), and what OpenEXR throws. The file is complete after the last row
    /// and the end of the writer; AtomicFile::commit() is left to the caller.
    void write(const View<const float>& rows);
    /// That keep every thread at work, and are written soon enough that a cancel between two calls is noticed at once.
    std::int64_t rowsAtOnce() const;
    /// About the bytes that OpenEXR and the conversion take, besides the rows.
    static std::uint64_t workBytes(const Shape& shape, const SaveOptions& options);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Reads rows of the first part of a file, in any order, without ever holding all of them.
class ExrRowReader {
public:
    /// Reads the header. Throws Error(input) as a loader does, Error(unavailable) for what can only be read as a whole.
    ExrRowReader(const std::string& path, const LoadOptions& options);
    ~ExrRowReader();
    ExrRowReader(const ExrRowReader&) = delete;
    ExrRowReader& operator=(const ExrRowReader&) = delete;
    /// Everything but the samples: an image of one pixel.
    const Image& description() const;
    const Shape& shape() const;
    /// Rows [row, row + to.shape.height) of all channels. Throws Error(input) where the file is damaged, and Error(cancelled).
    void read(std::int64_t row, const View<float>& to);
    /// About the bytes that OpenEXR takes, besides the rows.
    std::uint64_t workBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Adds to `notes` what could not be kept.
void writeExr(const Image& image, AtomicFile& target, const SaveOptions& options, std::vector<std::string>& notes);

}  // namespace parallax
