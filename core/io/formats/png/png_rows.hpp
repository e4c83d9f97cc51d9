// SPDX-License-Identifier: GPL-3.0-or-later
// The image data of a PNG, written on several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Rows of a PNG without interlacing.
struct PngRowSource {
    std::int64_t height = 0;
    std::size_t rowBytes = 0, pixelBytes = 0;
    std::function<void(std::int64_t y, std::uint8_t* to)> fetch;  ///< stores the samples of a row; called on several threads
};

/// Writes the IDAT chunks. Bands of rows are filtered and deflated in parallel; the bytes do not depend on the number of threads. Throws
/// Error(output, cancelled).
void writePngRows(AtomicFile& file, const PngRowSource& rows, const SaveOptions& options);

/// Samples of 8 or 16 bits without interlacing and palette.
struct PngSamples {
    std::int64_t width = 0, height = 0;
    int channels = 1, bytes = 1;  ///< of a pixel, of a sample
};

/// Reads the image data on several threads: bands of rows are inflated, restored and converted in turn. `begin`: offset of the first IDAT
/// chunk. `table`: linear light of each code; colours are multiplied by alpha. Fills the samples of the image, or hands them to
/// LoadOptions::rows, and its stored statistics, and returns the offset behind the last IDAT chunk. Returns nothing for damaged data, which
/// libpng describes. Throws Error(cancelled).
std::optional<std::uint64_t> readPngRows(const std::string& path, std::uint64_t begin, const PngSamples& samples,
                                         const std::vector<float>& table, Image& image, const LoadOptions& options);

}  // namespace parallax
