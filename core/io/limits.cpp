// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/limits.hpp"

#include "core/engine/backend/backend.hpp"
#include "core/image/buffer.hpp"
#include "core/image/error.hpp"
#include "core/io/refuse.hpp"

namespace parallax {

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

void checkFitsMemory(const std::string& path, const Shape& shape) {
    const std::size_t bytes = checkedBytes(shape, SampleType::float32);
    const std::uint64_t available = hostDevice().memoryFree;
    if (available > 0 && bytes > available)
        throw Error(
            ErrorCode::memory, "Cannot open '" + path + "'",
            "its samples need " + std::to_string(bytes >> 20) + " MiB and " + std::to_string(available >> 20) + " MiB are available",
            "Close other images, or use a smaller one");
}

void checkPlausible(const std::string& path, const Shape& shape, std::uint64_t fileBytes, std::uint64_t largestRatio) {
    checkHeld(path, shape, fileBytes, largestRatio);
    checkFitsMemory(path, shape);
}

}  // namespace parallax
