// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of volumes as files store them: float32, or 16-bit integers where those hold all of them. Shared by the writers of volumes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/image/image.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Whether the samples were stored as integers of at most 16 bits.
bool storedAsSmallIntegers(const Image& image);

/// Stores the nearest integers; returns whether all samples are such numbers.
template <class T>
bool storeIntegers(const float* in, std::size_t count, T* out) {
    constexpr float kSmallest = std::numeric_limits<T>::min(), kLargest = std::numeric_limits<T>::max();
    bool all = true;
    for (std::size_t i = 0; i < count; ++i) {
        const float inRange = in[i] > kSmallest ? std::min(in[i], kLargest) : kSmallest;  // also for NaN
        out[i] = static_cast<T>(inRange);
        all &= static_cast<float>(out[i]) == in[i];
    }
    return all;
}

struct PackedSamples {
    StoredType type = StoredType::float32;  ///< float32, int16 or uint16
    std::span<const std::uint8_t> bytes;    ///< in `integers`, or the samples of the image
    HostArray<std::uint8_t> integers;
};
/// Integers if the depth is automatic, the source had integers of at most 16 bits and all samples are such numbers; otherwise the samples
/// of the image, which must outlive the result. Throws Error(cancelled).
PackedSamples packSamples(const Image& image, const SaveOptions& options);
/// Throws Error(output, cancelled).
void writePacked(const PackedSamples& samples, AtomicFile& file, const SaveOptions& options);

/// Shortest text that reads as the same number.
std::string shortestText(double value);
/// Notes what volumes lose in formats with an affine geometry only.
void noteLostGeometry(const Image& image, bool keepsUnknownOrigin, std::vector<std::string>& notes);

}  // namespace parallax
