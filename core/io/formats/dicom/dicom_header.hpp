// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of a DICOM file up to its pixel data (PS3.5, PS3.10). Written here and not left to GDCM's reader, since the GDCM of
// Debian and Ubuntu is built with its assertions and ends the whole program at many a damaged file; of GDCM only the decoders of
// compressed pixel data are used, on frames that were looked at before (dicom_frames.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace parallax {

/// Group in the upper half, element in the lower one: 0x00280010 is (0028,0010).
using DicomTag = std::uint32_t;

/// An attribute by tag, with its keyword in PS3.6.
struct DicomAttribute {
    DicomTag tag;
    const char* keyword;
};
/// Attributes that say who the patient is, where and when, or may do so in free text.
const std::vector<DicomAttribute>& personalAttributes();

/// Where the samples are.
struct DicomPixels {
    std::uint64_t offset = 0;    ///< of the value, from the beginning of the file (of the inflated data if the file is deflated)
    std::uint64_t length = 0;    ///< bytes that are there
    std::uint64_t promised = 0;  ///< bytes that the header promises
    bool encapsulated = false;   ///< of undefined length: items of compressed frames
    bool words = false;          ///< 8-bit samples lie in 16-bit words (VR OW), which matters in big-endian files
};

class DicomHeader {
public:
    /// Reads up to the pixel data. Throws Error(input) for files that are no DICOM or damaged, Error(memory) for deflated ones that are
    /// too large. Nothing is allocated that the file does not hold.
    static DicomHeader read(const std::string& path);

    /// Is the beginning of a file (132 bytes or more) that of a DICOM file, with or without the preamble?
    static bool recognises(const std::uint8_t* head, std::size_t size);

    bool has(DicomTag tag) const { return values_.contains(tag); }
    /// Text without padding; of several values the first (or the one asked for). Empty if absent.
    std::string text(DicomTag tag, std::size_t index = 0) const;
    /// All values of a text, joined by backslashes as they are stored.
    std::string wholeText(DicomTag tag) const;
    /// A text in UTF-8.
    std::string utf8(DicomTag tag) const;
    /// Numbers of a decimal or integer string, or of a binary element. Values that are no numbers end the list.
    std::vector<double> numbers(DicomTag tag) const;
    std::optional<double> number(DicomTag tag) const;

    const std::string& transferSyntax() const { return transferSyntax_; }
    bool bigEndian() const { return bigEndian_; }
    const std::optional<DicomPixels>& pixels() const { return pixels_; }
    /// The pixel data, `length` bytes from the beginning of its value on. Throws Error(input) when the file has become shorter.
    std::vector<std::uint8_t> readPixels() const;

private:
    struct Value {
        std::string bytes;
        char vr[2] = {'U', 'N'};
    };
    friend class DicomHeaderReader;
    std::string path_;
    std::string transferSyntax_ = "1.2.840.10008.1.2";
    bool bigEndian_ = false;
    std::uint64_t deflatedFrom_ = 0;  ///< where the deflated part begins; 0: none
    std::optional<DicomPixels> pixels_;
    std::map<DicomTag, Value> values_;
};

/// "(0028,0010)".
std::string toText(DicomTag tag);

}  // namespace parallax
