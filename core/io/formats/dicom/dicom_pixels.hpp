// SPDX-License-Identifier: GPL-3.0-or-later
// Samples as DICOM files store them: 16-bit words with a rescale, or codes of colours and of grey light.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/saver.hpp"

namespace parallax {

struct DicomStored {
    std::vector<std::uint8_t> bytes;  ///< little-endian, slice behind slice
    std::size_t sliceBytes = 0;       ///< of one slice, without padding to an even number
    unsigned samplesPerPixel = 1, bits = 16;
    bool isSigned = false;
    bool values = false;  ///< stored * slope + intercept is a sample; otherwise the words are codes of sRGB
    Rescale rescale;
    double least = 0, largest = 0;  ///< of the finite samples

    std::span<const std::uint8_t> slice(std::size_t z) const { return std::span(bytes).subspan(z * sliceBytes, sliceBytes); }
};

/// Stores the samples of an image of one channel in 16 bits: as they are if all are integers of 16 bits, otherwise with the slope of a
/// power of two that holds all exactly or, if there is none, with the smallest slope that spans them. Notes the largest error, and samples
/// that are NaN (stored as the smallest value) or infinite. Throws Error(cancelled).
DicomStored storeDicomValues(const Image& image, const SaveOptions& options, std::vector<std::string>& notes);

/// Stores colours (R, G, B) in 8 bits, or one channel of light in 16 bits, as sRGB. `channels`: their indices. Notes clipped samples.
DicomStored storeDicomColours(const Image& image, const std::vector<int>& channels, const SaveOptions& options,
                              std::vector<std::string>& notes);

}  // namespace parallax
