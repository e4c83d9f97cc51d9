// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed pixel data of one DICOM image: extracted from its items, checked, and decoded by GDCM. Decoders only get streams whose markers
// and sizes agree with the image, without application data (NOTES.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/io/formats/dicom/dicom_header.hpp"

namespace parallax {

/// Layout of the samples according to the header.
struct FrameLayout {
    std::string transferSyntax;
    std::int64_t width = 0, height = 0;
    int bitsAllocated = 16;
    int components = 1;  ///< 3: colours
};

/// Little-endian samples, of which the lower `bits` are used.
struct DecodedFrame {
    std::vector<std::uint8_t> bytes;
    int bytesPerSample = 2;
    int bits = 16;
};

/// Whether this build decodes compressed images, and the reason if not.
bool canDecodeFrames();
std::string whyNoFrames();

/// "JPEG Lossless, Process 14 SV1 (1.2.840.10008.1.2.4.70)"; unknown ones by their UID alone.
std::string nameOfTransferSyntax(const std::string& uid);
bool isUncompressed(const std::string& uid);

/// Joins the items of an encapsulated image, without its offset table, to one code stream. Throws Error(input) without the name of the
/// file, which the caller adds.
std::vector<std::uint8_t> joinItems(const std::vector<std::uint8_t>& encapsulated);

/// Divides encapsulated pixel data of `length` bytes among several frames: one item each, or by the offset table. `read` returns the
/// number of bytes that it read. The parts consist of whole items. Throws Error(input) without the name of the file.
std::vector<DicomPart> framesOfItems(std::uint64_t length,
                                     const std::function<std::size_t(std::uint64_t from, void* to, std::size_t n)>& read,
                                     std::uint64_t frames);

/// Checks the sizes of a code stream and removes segments that are not needed. Sets `bits` to the precision of its samples. Throws
/// Error(input).
std::vector<std::uint8_t> checkedStream(const FrameLayout& layout, const std::vector<std::uint8_t>& stream, int& bits);

/// Throws Error(input), Error(unavailable) without GDCM.
DecodedFrame decodeFrame(const FrameLayout& layout, const std::vector<std::uint8_t>& encapsulated);

}  // namespace parallax
