// SPDX-License-Identifier: GPL-3.0-or-later
// The budget of a file: how much it may make the program allocate, compute and print. Readers check the sizes that a header declares before
// they use them. Files from elsewhere may be made to exhaust the memory and the time of those who open them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/image/shape.hpp"

namespace parallax {

struct LoadOptions;

// Sizes of what is not samples. A file that exceeds them is refused, or read without the excess and with a note.
constexpr std::uint64_t kMaxTextBytes = std::uint64_t{16} << 20;  ///< all texts and other attributes of a file, inflated
constexpr std::size_t kMaxEntries = 4096;                         ///< texts, attributes, comments or keys of a file
constexpr std::size_t kMaxChannels = 4096;
constexpr std::size_t kMaxExrParts = 1024;
constexpr std::size_t kMaxPages = 65536;
constexpr std::size_t kMaxFolderFiles = 100000;
constexpr int kMaxFolderDepth = 32;
constexpr std::uint64_t kMaxTailBytes = std::uint64_t{64} << 20;  ///< inflated behind the last sample, only to verify a checksum

/// A file may unpack to this many times its size, and always to LoadOptions::unpacked bytes of float samples.
constexpr std::uint64_t kUnpackedFactor = 100;
constexpr std::uint64_t kUnpackedBytes = std::uint64_t{1} << 30;
/// For commands that describe files and keep no samples.
constexpr std::uint64_t kUnpackedToDescribe = std::uint64_t{256} << 20;

/// Users may lift the limits on what a file unpacks to (--allow-large). For the whole process.
void allowLargeFiles(bool allowed);
bool largeFilesAllowed();

/// Time to read a file of `fileBytes`; slow disks take far less.
constexpr std::chrono::seconds longestLoad(std::uint64_t fileBytes) { return std::chrono::seconds(60 + (fileBytes >> 20)); }

/// Maximum bytes of float samples per byte of a file. Deflate compresses at most 1,032 times; with 8-bit samples that makes 4,128.
constexpr std::uint64_t kDeflateRatio = 4200;
/// For codecs that store a uniform image in almost no bytes.
constexpr std::uint64_t kStrongRatio = 131072;
/// No known bound.
constexpr std::uint64_t kAnyRatio = 0;

/// Throws Error(input) if a file of `fileBytes` cannot hold the samples. Images of up to 16 MiB always pass.
void checkHeld(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio);
/// Bytes that a file may unpack to: the greater of `options.unpacked` and kUnpackedFactor times its size.
std::uint64_t unpackedAllowed(std::uint64_t fileBytes, const LoadOptions& options);
/// Throws Error(memory) if the samples as float exceed unpackedAllowed().
void checkUnpacked(const std::string& path, const Shape& shape, std::uint64_t fileBytes, const LoadOptions& options);
/// Throws Error(memory) if they exceed that, `options.memory` or the available memory.
void checkAffordable(const std::string& path, const Shape& shape, std::uint64_t fileBytes, const LoadOptions& options);
/// Calls checkHeld() and checkAffordable().
void checkPlausible(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio,
                    const LoadOptions& options);

}  // namespace parallax
