// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of stored samples to float.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/image/image.hpp"
#include "core/io/loader.hpp"

namespace parallax {

enum class StoredType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

std::size_t bytesOf(StoredType type);
/// "int8" ... "uint64", "float", "double".
std::string nameOf(StoredType type);
/// Inverse of nameOf(); also accepts "float32" and "float64". Throws Error(usage).
StoredType storedTypeOf(std::string_view name);

/// Maps a stored number to stored * slope + intercept.
struct Rescale {
    double slope = 1, intercept = 0;
    friend bool operator==(const Rescale&, const Rescale&) = default;
};

/// out[i] = in[i] * slope + intercept, computed in double and rounded once. `in` needs no alignment; `swapped`: its byte order is not that
/// of this machine. Returns the number of integers that float cannot hold exactly and of finite doubles beyond the range of float.
std::uint64_t toFloat(StoredType type, bool swapped, const void* in, std::size_t n, const Rescale& rescale, float* out);

/// Merges the statistics of parts of one channel. `samples` counts all samples of a part, including NaN and infinity.
class StatisticsSum {
public:
    void add(const SampleStatistics& part, std::uint64_t samples);
    SampleStatistics result() const;
    /// All samples so far, including NaN and infinity.
    std::uint64_t samples() const { return finite_ + sum_.nonFinite(); }

private:
    SampleStatistics sum_;
    double total_ = 0;
    std::uint64_t finite_ = 0;
};

/// A dense block of stored samples in a file.
struct StoredBlock {
    StoredType type = StoredType::float32;
    bool swapped = false;
    std::uint64_t offset = 0;  ///< bytes from the beginning of the file
    Rescale rescale;
};

/// Number of the first sample of LoadOptions::part in an image of one channel.
std::uint64_t firstSampleOfPart(const Shape& shape, const LoadOptions& options);

/// Fills an image of one channel on several threads, and sets the statistics and type of its source. Throws Error(input) if the file does
/// not hold the block, and Error(cancelled).
void readStoredBlock(const std::string& path, const StoredBlock& block, Image& image, const LoadOptions& options);

/// Stored samples that can only be read in order, as from a compressed file.
struct StoredStream {
    StoredType type = StoredType::float32;
    bool swapped = false;
    Rescale rescale{};
    std::int64_t interleaved = 1, component = 0;            ///< values per sample, and the index of the one to read
    std::function<void(void* to, std::size_t bytes)> read;  ///< reads the next bytes, on any thread; throws if there are fewer
};

/// Fills an image as readStoredBlock() does. Throws what `read` throws, and Error(cancelled).
void readStoredStream(const StoredStream& stream, Image& image, const LoadOptions& options);

/// Sets type and statistics of the source of an image of one channel. `inexact`: as counted by toFloat().
void describeStored(Image& image, StoredType type, const SampleStatistics& statistics, std::uint64_t inexact);
/// Adds a warning if toFloat() counted samples.
void noteInexact(std::uint64_t samples, StoredType type, std::vector<std::string>& warnings);

}  // namespace parallax
