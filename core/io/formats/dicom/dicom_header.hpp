// SPDX-License-Identifier: GPL-3.0-or-later
// The elements of a DICOM file up to its pixel data (PS3.5, PS3.10). NOTES.md says why GDCM's reader is not used for them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/loader.hpp"

namespace parallax {

/// Group in the upper half, element in the lower one: 0x00280010 is (0028,0010).
using DicomTag = std::uint32_t;

/// Tag and keyword (PS3.6) of an attribute.
struct DicomAttribute {
    DicomTag tag;
    const char* keyword;
};
/// Attributes that identify the patient, place or time, or may do so in free text.
const std::vector<DicomAttribute>& personalAttributes();

/// Position of the samples.
struct DicomPixels {
    std::uint64_t offset = 0;    ///< of the value, from the beginning of the file (of the inflated data if the file is deflated)
    std::uint64_t length = 0;    ///< bytes available
    std::uint64_t promised = 0;  ///< bytes according to the header
    bool encapsulated = false;   ///< of undefined length: items of compressed frames
    bool words = false;          ///< 8-bit samples are in 16-bit words (VR OW), which matters in big-endian files
};

/// Frames of a file; sorting them takes quadratic time at worst.
constexpr std::size_t kMaxFrames = 16384;

/// Bytes of one frame, from the beginning of the pixel data.
struct DicomPart {
    std::uint64_t offset = 0, length = 0;
};

class DicomHeader {
public:
    /// Reads up to the pixel data. Throws Error(input) for damaged or other files, Error(memory) for deflated ones that are too large.
    /// Allocates no more than the file holds.
    static DicomHeader read(const std::string& path, const LoadOptions& options);

    /// Whether a file begins (132 bytes or more) as DICOM, with or without preamble.
    static bool recognises(std::span<const std::uint8_t> head);

    bool has(DicomTag tag) const { return find(tag) != nullptr; }
    /// Text of one value without padding; empty if missing.
    std::string text(DicomTag tag, std::size_t index = 0) const;
    /// All values as stored, separated by backslashes.
    std::string wholeText(DicomTag tag) const;
    /// The bytes of the value as stored, in the byte order of the file.
    std::string_view raw(DicomTag tag) const;
    /// All values in UTF-8.
    std::string utf8(DicomTag tag) const;
    /// Numbers of a decimal or integer string or of a binary element, up to the first value that is not a number.
    std::vector<double> numbers(DicomTag tag) const;
    std::optional<double> number(DicomTag tag) const;

    const std::string& transferSyntax() const { return transferSyntax_; }
    bool bigEndian() const { return bigEndian_; }
    const std::optional<DicomPixels>& pixels() const { return pixels_; }
    /// Whether the pixel data are within a deflated part of the file.
    bool deflated() const { return deflatedFrom_ > 0; }
    /// Reads the pixel data, or `length` bytes of them from `from` on. Headers of the frames of a deflated file share what they inflate.
    /// Throws Error(input) if the file has become shorter.
    std::vector<std::uint8_t> readPixels(const LoadOptions& options) const;
    std::vector<std::uint8_t> readPixels(std::uint64_t from, std::uint64_t length, const LoadOptions& options) const;

    /// Items of the Per-frame Functional Groups Sequence; 0: the file has none.
    std::size_t describedFrames() const { return frames_ ? frames_->size() : 0; }
    /// Whether the file has functional groups, as enhanced multi-frame images do (PS3.3 C.7.6.16).
    bool enhanced() const { return shared_ || frames_; }
    /// The header of one frame: attributes of its functional groups and of the shared ones precede those of the file. Numbers of functional
    /// groups are texts.
    DicomHeader ofFrame(std::size_t frame) const;

private:
    struct Inflated;
    struct Value {
        std::string bytes;
        char vr[2] = {'U', 'N'};
    };
    using Values = std::map<DicomTag, Value>;
    friend class DicomHeaderReader;
    const Value* find(DicomTag tag) const;
    std::string path_;
    std::string transferSyntax_ = "1.2.840.10008.1.2";
    bool bigEndian_ = false;
    std::uint64_t deflatedFrom_ = 0;  ///< offset of the deflated part; 0: none
    std::shared_ptr<Inflated> inflated_;
    std::optional<DicomPixels> pixels_;
    // Shared by the headers of the frames of a file.
    std::shared_ptr<Values> values_ = std::make_shared<Values>();
    std::shared_ptr<Values> shared_;               ///< of the Shared Functional Groups Sequence
    std::shared_ptr<std::vector<Values>> frames_;  ///< of the Per-frame Functional Groups Sequence
    std::optional<std::size_t> frame_;             ///< of ofFrame()
};

/// "(0028,0010)".
std::string toText(DicomTag tag);

}  // namespace parallax
