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

/// Attribute with Image::provenance, one step per line.
constexpr char kExrProvenance[] = "parallaxProvenance";

/// Grows OpenEXR's thread pool if needed. Returns the number of threads to use for a file. `wanted`: 0 for all.
int useExrThreads(int wanted);

/// Compression names as in SaveOptions.
const std::vector<std::string>& exrCompressions();

/// Lines of a compressed block, by Imf::Compression.
std::int64_t exrBlockLines(int compression);
/// Bytes of the blocks that OpenEXR holds for a scan line file: two per thread, each raw, compressed and intermediate.
std::uint64_t exrBlockBytes(int compression, std::uint64_t rowBytes, std::int64_t height, int threads);

/// Stored types, in OpenEXR's own numbers.
enum class ExrType { uint32, half, float32 };

/// Type to store a channel as if its samples allow it: the requested depth, or the type of the source. Uses only channel names and source
/// of `description`.
ExrType wantedExrType(const Image& description, std::size_t channel, StoredDepth depth);
/// Whether the type holds the samples of a channel. Half: no finite sample becomes infinite; uint32: all are whole numbers.
bool holds(ExrType type, const View<const float>& channel);
/// Notes for samples beyond the range of half: where half was requested, and where it is the type of the source.
std::string halfBecameInfinite(const std::string& channel);
std::string halfBecameFloat(const std::string& channel);

/// Writes an image row by row, top down.
class ExrRowWriter {
public:
    /// Takes everything but the samples from `description`. `shape`: of the whole image, depth 1. `target` must outlive the writer. Throws
    /// Error(usage).
    ExrRowWriter(AtomicFile& target, const Image& description, const Shape& shape, std::vector<ExrType> types, const SaveOptions& options);
    ~ExrRowWriter();
    ExrRowWriter(const ExrRowWriter&) = delete;
    ExrRowWriter& operator=(const ExrRowWriter&) = delete;
    /// Writes the next rows of all channels. Throws Error(output, cancelled), and exceptions of OpenEXR. The file is complete once the
    /// writer is destroyed; the caller commits it.
    void write(const View<const float>& rows);
    /// Rows per call that keep every thread busy and let the caller react to a cancellation promptly.
    std::int64_t rowsAtOnce() const;
    /// Estimated bytes that OpenEXR and the conversion need besides the rows.
    static std::uint64_t workBytes(const Shape& shape, const SaveOptions& options);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Reads rows of a part of a file in any order.
class ExrRowReader {
public:
    /// Reads the header. `choice`: as of a loader. Throws Error(input) as a loader does, Error(unavailable) for files that can only be read
    /// as a whole.
    ExrRowReader(const std::string& path, const LoadOptions& options, const std::string& choice = {});
    ~ExrRowReader();
    ExrRowReader(const ExrRowReader&) = delete;
    ExrRowReader& operator=(const ExrRowReader&) = delete;
    /// An image of one pixel with everything but the samples.
    const Image& description() const;
    const Shape& shape() const;
    /// Rows [row, row + to.shape.height) of all channels. Throws Error(input) for damaged rows, and Error(cancelled).
    void read(std::int64_t row, const View<float>& to);
    /// Estimated bytes that OpenEXR needs besides the rows.
    std::uint64_t workBytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
