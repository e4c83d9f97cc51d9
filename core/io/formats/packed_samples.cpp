// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/formats/packed_samples.hpp"

#include <array>
#include <atomic>
#include <charconv>

#include "core/image/orientation.hpp"
#include "core/io/codec/parallel_tasks.hpp"

namespace parallax {
namespace {

/// Returns the samples as integers, or nothing if one of them is no such number.
template <class T>
HostArray<std::uint8_t> asIntegers(const Image& image, const SaveOptions& options) {
    const auto n = static_cast<std::size_t>(image.shape().samples());
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    auto bytes = makeHostArray<std::uint8_t>(n * sizeof(T));
    T* const integers = reinterpret_cast<T*>(bytes.get());
    std::atomic<bool> fit = true;
    LoadOptions tasks = taskOptions(options);
    tasks.progress = {};
    runTasks(static_cast<std::int64_t>((n + kPiece - 1) / kPiece), tasks, {}, [&](std::int64_t piece) {
        if (!fit) return;
        const std::size_t first = static_cast<std::size_t>(piece) * kPiece, count = std::min(kPiece, n - first);
        if (!storeIntegers(image.view().data + first, count, integers + first)) fit = false;
    });
    if (!fit) return {};
    return bytes;
}

}  // namespace

bool storedAsSmallIntegers(const Image& image) {
    const auto& stored = image.source.storedChannels;
    const auto small = {"int8", "uint8", "int16", "uint16"};
    return stored.size() == 1 && std::find(small.begin(), small.end(), stored[0].type) != small.end();
}

PackedSamples packSamples(const Image& image, const SaveOptions& options) {
    PackedSamples packed;
    packed.bytes = {static_cast<const std::uint8_t*>(image.samples().data()), image.samples().bytes()};
    if (options.depth != StoredDepth::automatic || !storedAsSmallIntegers(image)) return packed;
    packed.integers = asIntegers<std::int16_t>(image, options);
    packed.type = StoredType::int16;
    if (!packed.integers) {
        packed.integers = asIntegers<std::uint16_t>(image, options);
        packed.type = StoredType::uint16;
    }
    if (packed.integers) packed.bytes = {packed.integers.get(), packed.bytes.size() / 2};
    else packed.type = StoredType::float32;
    return packed;
}

void writePacked(const PackedSamples& samples, AtomicFile& file, const SaveOptions& options) {
    constexpr std::size_t kPiece = std::size_t{8} << 20;
    const std::span<const std::uint8_t> all = samples.bytes;
    for (std::size_t at = 0; at < all.size(); at += kPiece) {
        options.throwIfStopped();
        options.report(static_cast<double>(at) / static_cast<double>(all.size()));
        file.write(all.data() + at, std::min(kPiece, all.size() - at));
    }
}

std::string shortestText(double value) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value == 0 ? 0.0 : value).ptr};
}

void noteLostGeometry(const Image& image, bool keepsUnknownOrigin, std::vector<std::string>& notes) {
    if (!image.geometry) return;
    const Geometry& g = *image.geometry;
    if (!orientationKnown(image) && !keepsUnknownOrigin && g.origin != Geometry{}.origin)
        notes.emplace_back("The orientation in the patient is unknown, so that the origin was not saved");
    if (!g.slicePositions.empty())
        notes.push_back("The uneven slice distances were not saved; the file has their median, " + std::to_string(g.spacing[2]) +
                        " mm; .raw keeps them");
}

}  // namespace parallax
