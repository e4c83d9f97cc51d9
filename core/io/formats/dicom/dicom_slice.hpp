// SPDX-License-Identifier: GPL-3.0-or-later
// One DICOM image: its attributes in terms of a slice, and its samples as float.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/formats/dicom/dicom_header.hpp"

namespace parallax {

using Vector3 = std::array<double, 3>;

struct DicomSlice {
    std::string path;
    DicomHeader header;
    std::string seriesUid, instanceUid, modality, photometric;
    std::int64_t seriesNumber = 0, instanceNumber = 0;
    std::int64_t width = 0, height = 0;
    int bitsAllocated = 16, bitsStored = 16, highBit = 15;
    bool isSigned = false;
    std::optional<Vector3> position;                   ///< mm, centre of the first sample
    std::optional<std::array<double, 6>> orientation;  ///< along a row, along a column; unit length, at right angles
    std::array<double, 2> pixelSpacing{1, 1};          ///< mm along x, along y
    bool spacingKnown = false, spacingOfDetector = false;
    double aspect = 1;  ///< of pixels without a spacing: height by width
    Rescale rescale;
    bool slopeWasZero = false;                    ///< in the file; 1 stands here instead
    std::optional<double> padding, paddingLimit;  ///< stored values
    std::vector<ValueWindow> windows;
    std::string unit;

    Vector3 normal() const;  ///< row x column; (0, 0, 1) without an orientation
    std::uint64_t bytes() const { return static_cast<std::uint64_t>(width * height) * static_cast<std::uint64_t>(bitsAllocated / 8); }
};

/// Throws Error(input): no DICOM, damaged, or no image that can be a slice (no pixel data, several frames, colour, odd depths), with
/// the reason.
DicomSlice readDicomSlice(const std::string& path);

struct SampleCounts {
    std::uint64_t padding = 0;  ///< that have the padding value
    std::uint64_t inexact = 0;  ///< that float could not hold exactly
};
/// Fills width * height samples. Throws Error(input): cut short, damaged, not decodable.
SampleCounts readDicomSamples(const DicomSlice& slice, float* to);
/// Throws Error(input) when the pixel data of an uncompressed slice are shorter than its size says: asked before memory is taken.
void checkDicomLength(const DicomSlice& slice);

/// The type that the stored samples have.
StoredType storedTypeOf(const DicomSlice& slice);

}  // namespace parallax
