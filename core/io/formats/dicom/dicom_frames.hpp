// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed pixel data of one DICOM image: taken out of its items, looked at, and decoded by GDCM. The decoders get only what was
// found sound: markers and sizes that agree with the image, one grey component, nothing beside the samples.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parallax {

/// Layout of the samples of an image, from its header.
struct FrameLayout {
    std::string transferSyntax;
    std::int64_t width = 0, height = 0;
    int bitsAllocated = 16;
};

/// Little-endian samples, `bits` of each are used (the lower ones).
struct DecodedFrame {
    std::vector<std::uint8_t> bytes;
    int bytesPerSample = 2;
    int bits = 16;
};

/// Can compressed images be decoded by this build? Else why not.
bool canDecodeFrames();
std::string whyNoFrames();

/// "JPEG Lossless, Process 14 SV1 (1.2.840.10008.1.2.4.70)"; unknown ones by their number alone.
std::string nameOfTransferSyntax(const std::string& uid);
bool isUncompressed(const std::string& uid);

/// The items of an encapsulated image (its offset table left out) joined to one code stream. Throws Error(input) naming no file:
/// the caller does.
std::vector<std::uint8_t> joinItems(const std::vector<std::uint8_t>& encapsulated);

/// A code stream without what is not needed for the samples, its sizes checked. `bits` is set to the precision of its samples.
/// Throws Error(input).
std::vector<std::uint8_t> checkedStream(const FrameLayout& layout, const std::vector<std::uint8_t>& stream, int& bits);

/// Throws Error(input), Error(unavailable) without GDCM.
DecodedFrame decodeFrame(const FrameLayout& layout, const std::vector<std::uint8_t>& encapsulated);

}  // namespace parallax
