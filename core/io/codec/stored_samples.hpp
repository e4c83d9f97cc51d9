// SPDX-License-Identifier: GPL-3.0-or-later
// Samples as files of volumes store them, to float.
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
/// Also "float32" and "float64". Throws Error(usage) with what there is.
StoredType storedTypeOf(std::string_view name);

/// What a stored number means: stored * slope + intercept.
struct Rescale {
    double slope = 1, intercept = 0;
    friend bool operator==(const Rescale&, const Rescale&) = default;
};

/// out[i] = in[i] * slope + intercept, computed in double and rounded once; `in` needs no alignment, `swapped` says that its bytes
/// stand in the other order than this machine's. Returns how many samples lost more than a double's rounding does: integers
/// that float cannot hold exactly before the rescale, and finite doubles beyond float's range.
std::uint64_t toFloat(StoredType type, bool swapped, const void* in, std::size_t n, const Rescale& rescale, float* out);

/// Statistics of parts of one channel, put together. A part has `samples` samples, NaN and infinity among them.
class StatisticsSum {
public:
    void add(const SampleStatistics& part, std::uint64_t samples);
    SampleStatistics result() const;

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

/// Fills an image of one channel from an ordinary file, on several threads, and sets the statistics, format and type of its source.
/// The file must hold the block: Error(input) otherwise, and Error(cancelled).
void readStoredBlock(const std::string& path, const StoredBlock& block, Image& image, const LoadOptions& options);

/// Stored samples that come one after the other, as out of a compressed file.
struct StoredStream {
    StoredType type = StoredType::float32;
    bool swapped = false;
    Rescale rescale{};
    std::int64_t interleaved = 1, component = 0;            ///< values side by side for each sample, and which one of them is wanted
    std::function<void(void* to, std::size_t bytes)> read;  ///< the next bytes; throws where there are fewer
    std::function<double()> position;                       ///< 0 to 1, for the progress
};

/// Fills an image as readStoredBlock() does. Throws what `read` throws, and Error(cancelled).
void readStoredStream(const StoredStream& stream, Image& image, const LoadOptions& options);

/// The sentence for samples that toFloat() counted, if there are any.
void noteInexact(std::uint64_t samples, StoredType type, std::vector<std::string>& warnings);

}  // namespace parallax
