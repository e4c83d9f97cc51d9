// SPDX-License-Identifier: GPL-3.0-or-later
// A DICOM image, or a frame of one, as a slice: attributes, and samples as float.
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
    int samplesPerPixel = 1;
    bool planar = false;                               ///< colours plane by plane
    std::optional<Vector3> position;                   ///< of the centre of the first sample, in mm
    std::optional<std::array<double, 6>> orientation;  ///< along a row and along a column; orthonormal
    std::array<double, 2> pixelSpacing{1, 1};          ///< mm along x, along y
    bool spacingKnown = false, spacingOfDetector = false;
    double aspect = 1;  ///< height by width of pixels without spacing
    Rescale rescale;
    bool slopeWasZero = false;                    ///< the file has a slope of 0; `rescale` has 1
    std::optional<double> padding, paddingLimit;  ///< stored values
    std::vector<ValueWindow> windows;
    std::string unit;
    std::int64_t frame = 0, frames = 1;  ///< index and number of frames in the file
    DicomPart part;                      ///< of the pixel data, if there are several frames

    Vector3 normal() const;  ///< row x column; (0, 0, 1) without an orientation
    /// RGB, YBR_FULL, YBR_FULL_422 or PALETTE COLOR.
    bool isColour() const { return samplesPerPixel == 3 || photometric == "PALETTE COLOR"; }
    /// Bytes of an uncompressed frame. Two pixels of YBR_FULL_422 share their colours.
    std::uint64_t bytes() const {
        const int samples = photometric == "YBR_FULL_422" ? 2 : samplesPerPixel;
        return static_cast<std::uint64_t>(width * height) * static_cast<std::uint64_t>(samples * bitsAllocated / 8);
    }
};

/// Reads the frames of a file, one for single-frame images. Frames without positions of their own have none. Throws Error(input) if the
/// file is not DICOM, damaged, or has no frames that can be read (no pixel data, unsupported colours or depth).
std::vector<DicomSlice> readDicomSlices(const std::string& path, const LoadOptions& options);

struct SampleCounts {
    std::uint64_t padding = 0;  ///< samples with the padding value
    std::uint64_t inexact = 0;  ///< samples that float cannot hold exactly
};
/// The bytes of an image or of a frame, as items if they are encapsulated.
std::vector<std::uint8_t> readDicomPixels(const DicomSlice& slice, const LoadOptions& options);
/// Reads width * height samples: grey ones, or indices of a palette. Throws Error(input) if they are truncated, damaged or cannot be
/// decoded.
SampleCounts readDicomSamples(const DicomSlice& slice, float* to, const LoadOptions& options);
/// Throws Error(input) if the pixel data of an uncompressed slice are too short; called before memory is allocated.
void checkDicomLength(const DicomSlice& slice);

/// Type of the stored samples.
StoredType storedTypeOf(const DicomSlice& slice);

}  // namespace parallax
