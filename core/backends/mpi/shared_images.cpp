// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/shared_images.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

constexpr std::size_t kKeptImages = 2;

struct Copy {
    std::weak_ptr<const Image> image;
    std::shared_ptr<SharedMemory> samples;
};

std::mutex mutex;
std::vector<Copy> copies;  // in the order of use

void dropExpired() {
    std::erase_if(copies, [](const Copy& copy) { return copy.image.expired(); });
}

/// The copy of an image, now the one that was used last; null if there is none.
std::shared_ptr<SharedMemory> findCopy(const ImagePtr& image) {
    dropExpired();
    const auto found = std::find_if(copies.begin(), copies.end(), [&](const Copy& copy) { return copy.image.lock() == image; });
    if (found == copies.end()) return nullptr;
    std::rotate(found, found + 1, copies.end());
    return copies.back().samples;
}

void copySamples(const View<const float>& from, float* to, const RunContext& context) {
    const Shape& shape = from.shape;
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z) {
            context.throwIfStopped();
            for (std::int64_t y = 0; y < shape.height; ++y) to = std::copy_n(from.row(y, z, c), shape.width, to);
        }
}

}  // namespace

std::shared_ptr<SharedMemory> sharedSamples(const ImagePtr& image, const RunContext& context) {
    {
        const std::scoped_lock lock(mutex);
        if (auto known = findCopy(image)) return known;
    }
    const std::size_t bytes = checkedBytes(image->shape(), SampleType::float32);
    if (const std::uint64_t available = hostDevice().memoryFree; available > 0 && bytes > available)
        throw Error(ErrorCode::memory, "Not enough memory",
                    "the ranks read a copy of the image, which needs " + mebibytes(bytes) + ", " + mebibytes(available) + " are available",
                    kCloseImages);
    std::shared_ptr<SharedMemory> samples = SharedMemory::create(bytes);
    copySamples(image->view(), static_cast<float*>(samples->data()), context);
    const std::scoped_lock lock(mutex);
    if (auto known = findCopy(image)) return known;  // of another thread meanwhile
    copies.push_back({image, samples});
    if (copies.size() > kKeptImages) copies.erase(copies.begin());
    return samples;
}

void dropSharedSamples() {
    const std::scoped_lock lock(mutex);
    dropExpired();
}

}  // namespace parallax
