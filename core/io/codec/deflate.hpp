// SPDX-License-Identifier: GPL-3.0-or-later
// Compression with deflate (RFC 1951) in parts that are made in parallel and joined to one stream. ISA-L is used if the build has it, else
// zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/io/saver.hpp"

namespace parallax {

/// Properties of the bytes to compress.
enum class DeflateInput {
    samples,   ///< repetitions are frequent
    residuals  ///< differences from a prediction, such as filtered rows of a PNG: repetitions are rare
};

/// Returns a part of a raw deflate stream that ends on a byte boundary: with an empty stored block, or with the last block of the stream.
/// `dictionary`: bytes that precede `bytes` in the stream, up to 32 KiB; may be empty. The result depends on the library and on the
/// instruction set of the processor. Throws std::bad_alloc.
std::vector<std::uint8_t> deflatePart(std::span<const std::uint8_t> dictionary, std::span<const std::uint8_t> bytes, bool last,
                                      Compression compression, DeflateInput input);

/// Checksums of gzip and PNG, and of zlib. `start`: the checksum of the bytes before, which is 0 and 1 at the beginning.
std::uint32_t crc32Of(std::span<const std::uint8_t> bytes, std::uint32_t start = 0);
std::uint32_t adler32Of(std::span<const std::uint8_t> bytes, std::uint32_t start = 1);

/// Returns the version of ISA-L, or an empty text if this build uses zlib alone.
std::string isalVersion();

}  // namespace parallax
