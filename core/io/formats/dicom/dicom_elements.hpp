// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets to write, in explicit VR little endian (PS3.5), and unique identifiers.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/formats/dicom/dicom_header.hpp"

namespace parallax {

/// Elements of a data set; bytes() has them in ascending order of tags, as the standard requires.
class DicomElements {
public:
    /// Replaces an element that is there. Values are padded to an even length. Values of several parts are separated by backslashes.
    void text(DicomTag tag, const char* vr, std::string_view value);
    void number16(DicomTag tag, unsigned value);
    /// Decimal strings (DS) of at most 16 characters each.
    void decimals(DicomTag tag, std::span<const double> values);
    void integer(DicomTag tag, std::int64_t value) { text(tag, "IS", std::to_string(value)); }
    void sequence(DicomTag tag, std::span<const DicomElements> items);

    std::vector<std::uint8_t> bytes() const;

private:
    struct Value {
        char vr[2];
        std::vector<std::uint8_t> bytes;
    };
    std::map<DicomTag, Value> values_;
};

/// The most precise decimal string of a number within the 16 characters of DS.
std::string dicomDecimal(double value);

/// The beginning of a file: preamble and meta information (PS3.10) of explicit VR little endian.
std::vector<std::uint8_t> dicomFileMeta(const std::string& sopClass, const std::string& instanceUid);

/// Tag, VR and length of pixel data of 16-bit words or of bytes. An odd number of bytes is not allowed.
std::vector<std::uint8_t> dicomPixelHead(std::uint32_t bytes, bool words);

/// The same UID for the same bytes: "2.25." and a UUID of version 8 (RFC 9562) made of the first bits of their SHA-256.
std::string dicomUid(std::span<const std::uint8_t> bytes);
std::string dicomUid(std::string_view text);

}  // namespace parallax
