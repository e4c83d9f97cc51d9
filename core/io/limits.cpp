// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/limits.hpp"

#include <algorithm>
#include <atomic>

#include "core/image/buffer.hpp"
#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/io/large_file.hpp"
#include "core/io/loader.hpp"
#include "core/io/refuse.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

std::atomic<bool> allowLarge = false;

}  // namespace

void allowLargeFiles(bool allowed) { allowLarge = allowed; }
bool largeFilesAllowed() { return allowLarge; }

void checkHeld(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio) {
    const std::string size = std::to_string(shape.width) + " x " + std::to_string(shape.height) +
                             (shape.depth > 1 ? " x " + std::to_string(shape.depth) + " samples" : " pixels");
    // Not Shape::empty(): the product of the extents may exceed 63 bits.
    if (shape.width <= 0 || shape.height <= 0 || shape.depth <= 0 || shape.channels <= 0) refuseFile(path, "its header declares " + size);
    const std::size_t bytes = checkedBytes(shape, SampleType::float32);
    constexpr std::uint64_t kSmallImage = std::uint64_t{16} << 20;
    if (largestRatio != kAnyRatio && bytes > kSmallImage && bytes / largestRatio > fileBytes)
        refuseFile(path, "its header declares " + size + ", which a file of " + std::to_string(fileBytes) + " bytes cannot hold");
}

std::uint64_t unpackedAllowed(std::uint64_t fileBytes, const LoadOptions& options) {
    if (largeFilesAllowed() || fileBytes > kAnyUnpacked / kUnpackedFactor) return kAnyUnpacked;
    return std::max(options.unpacked, kUnpackedFactor * fileBytes);
}

namespace {

bool isRead(const Shape& shape) {
    // LoadOptions::part is empty, or samples beyond the budget are not read.
    return shape.width > 0 && shape.height > 0 && shape.depth > 0 && withinSampleBudget(shape);
}
std::string needOf(std::size_t bytes) { return "its samples need " + std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

void checkUnpacked(const std::string& path, const Shape& shape, std::uint64_t fileBytes, const LoadOptions& options) {
    if (!isRead(shape)) return;
    const std::size_t bytes = checkedBytes(shape, SampleType::float32);
    if (bytes > unpackedAllowed(fileBytes, options))
        throw LargeFile(path,
                        needOf(bytes) + ", " + std::to_string(bytes / std::max<std::uint64_t>(1, fileBytes)) + " times the " +
                            std::to_string(fileBytes) + " bytes of the file",
                        bytes);
}

void checkAffordable(const std::string& path, const Shape& shape, std::uint64_t fileBytes, const LoadOptions& options) {
    if (!isRead(shape)) return;
    checkUnpacked(path, shape, fileBytes, options);
    const std::size_t bytes = checkedBytes(shape, SampleType::float32);
    const std::string need = needOf(bytes);
    if (options.memory > 0 && bytes > options.memory)
        throw Error(ErrorCode::memory, "Cannot open '" + path + "'",
                    need + ", and " + std::to_string(options.memory >> 20) + " MiB are allowed", "Raise --memory-limit");
    const std::uint64_t available = freeHostMemory();
    if (bytes <= available) return;
    if (const std::string why = whyNotInScratchFiles(bytes); !why.empty())
        throw Error(ErrorCode::memory, "Cannot open '" + path + "'",
                    need + " and " + std::to_string(available >> 20) + " MiB are available; " + why,
                    "Close other images, or use a smaller one");
}

void checkPlausible(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio,
                    const LoadOptions& options) {
    checkHeld(path, shape, fileBytes, largestRatio);
    checkAffordable(path, shape, fileBytes, options);
}

}  // namespace parallax
