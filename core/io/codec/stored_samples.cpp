// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/codec/stored_samples.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/image/error.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

template <class T>
T swappedBytes(T value) {
    if constexpr (sizeof(T) == 1) return value;
    else if constexpr (sizeof(T) == 2) return std::bit_cast<T>(__builtin_bswap16(std::bit_cast<std::uint16_t>(value)));
    else if constexpr (sizeof(T) == 4) return std::bit_cast<T>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
    else return std::bit_cast<T>(__builtin_bswap64(std::bit_cast<std::uint64_t>(value)));
}

template <class T>
bool inexact(T v) {
    if constexpr (std::is_same_v<T, double>)
        return std::isfinite(v) && std::fabs(v) > static_cast<double>(std::numeric_limits<float>::max());
    else if constexpr (std::is_same_v<T, float> || sizeof(T) <= 2) return false;
    else {
        // The largest values round up to a float beyond the range of the integer.
        const auto f = static_cast<float>(v);
        return f >= static_cast<float>(std::numeric_limits<T>::max()) || static_cast<T>(f) != v;
    }
}

template <class T, bool Swapped>
std::uint64_t convert(const void* in, std::size_t n, const Rescale& rescale, float* out) {
    // Copied in aligned blocks, since `in` needs no alignment.
    constexpr std::size_t kBlock = 1024;
    std::array<T, kBlock> block;
    const auto* bytes = static_cast<const std::uint8_t*>(in);
    // 16-bit integers plus an integer stay exact in float: double is not needed.
    const bool exact =
        sizeof(T) <= 2 && rescale.slope == 1 && rescale.intercept == std::floor(rescale.intercept) && std::fabs(rescale.intercept) < 0x1p22;
    const bool plain = rescale == Rescale{};
    std::uint64_t lost = 0;
    for (std::size_t start = 0; start < n; start += kBlock) {
        const std::size_t m = std::min(kBlock, n - start);
        std::memcpy(block.data(), bytes + start * sizeof(T), m * sizeof(T));
        if constexpr (Swapped)
            for (std::size_t i = 0; i < m; ++i) block[i] = swappedBytes(block[i]);
        float* to = out + start;
        if (exact) {
            const auto intercept = static_cast<float>(rescale.intercept);
            for (std::size_t i = 0; i < m; ++i) to[i] = static_cast<float>(block[i]) + intercept;
        } else if (plain && std::is_same_v<T, float>) {
            for (std::size_t i = 0; i < m; ++i) to[i] = static_cast<float>(block[i]);
        } else {
            for (std::size_t i = 0; i < m; ++i)
                to[i] = static_cast<float>(static_cast<double>(block[i]) * rescale.slope + rescale.intercept);
        }
        if constexpr (sizeof(T) > 2 && !std::is_same_v<T, float>)
            for (std::size_t i = 0; i < m; ++i) lost += inexact(block[i]);
    }
    return lost;
}

template <class T>
std::uint64_t convertAny(bool swapped, const void* in, std::size_t n, const Rescale& rescale, float* out) {
    return swapped ? convert<T, true>(in, n, rescale, out) : convert<T, false>(in, n, rescale, out);
}

struct TypeInfo {
    StoredType type;
    const char* name;
    std::size_t bytes;
};
constexpr TypeInfo kTypes[] = {{StoredType::int8, "int8", 1},     {StoredType::uint8, "uint8", 1},   {StoredType::int16, "int16", 2},
                               {StoredType::uint16, "uint16", 2}, {StoredType::int32, "int32", 4},   {StoredType::uint32, "uint32", 4},
                               {StoredType::int64, "int64", 8},   {StoredType::uint64, "uint64", 8}, {StoredType::float32, "float", 4},
                               {StoredType::float64, "double", 8}};

const TypeInfo& infoOf(StoredType type) { return kTypes[static_cast<std::size_t>(type)]; }

}  // namespace

std::size_t bytesOf(StoredType type) { return infoOf(type).bytes; }

std::string nameOf(StoredType type) { return infoOf(type).name; }

StoredType storedTypeOf(std::string_view name) {
    if (name == "float32") return StoredType::float32;
    if (name == "float64") return StoredType::float64;
    std::string known;
    for (const TypeInfo& t : kTypes) {
        if (name == t.name) return t.type;
        known += (known.empty() ? "" : ", ") + std::string(t.name);
    }
    throw Error(ErrorCode::usage, "Unknown sample type '" + std::string(name) + "'", {}, "Choose one of " + known);
}

std::uint64_t toFloat(StoredType type, bool swapped, const void* in, std::size_t n, const Rescale& rescale, float* out) {
    switch (type) {
        case StoredType::int8: return convertAny<std::int8_t>(swapped, in, n, rescale, out);
        case StoredType::uint8: return convertAny<std::uint8_t>(swapped, in, n, rescale, out);
        case StoredType::int16: return convertAny<std::int16_t>(swapped, in, n, rescale, out);
        case StoredType::uint16: return convertAny<std::uint16_t>(swapped, in, n, rescale, out);
        case StoredType::int32: return convertAny<std::int32_t>(swapped, in, n, rescale, out);
        case StoredType::uint32: return convertAny<std::uint32_t>(swapped, in, n, rescale, out);
        case StoredType::int64: return convertAny<std::int64_t>(swapped, in, n, rescale, out);
        case StoredType::uint64: return convertAny<std::uint64_t>(swapped, in, n, rescale, out);
        case StoredType::float32: return convertAny<float>(swapped, in, n, rescale, out);
        case StoredType::float64: return convertAny<double>(swapped, in, n, rescale, out);
    }
    return 0;
}

void StatisticsSum::add(const SampleStatistics& part, std::uint64_t samples) {
    const std::uint64_t finite = samples - std::min(samples, part.nonFinite());
    sum_.nan += part.nan;
    sum_.positiveInfinity += part.positiveInfinity;
    sum_.negativeInfinity += part.negativeInfinity;
    if (finite == 0) return;
    sum_.min = finite_ ? std::min(sum_.min, part.min) : part.min;
    sum_.max = finite_ ? std::max(sum_.max, part.max) : part.max;
    total_ += part.mean * static_cast<double>(finite);
    finite_ += finite;
}

SampleStatistics StatisticsSum::result() const {
    SampleStatistics s = sum_;
    s.mean = finite_ ? total_ / static_cast<double>(finite_) : 0;
    return s;
}

void describeStored(Image& image, StoredType type, const SampleStatistics& statistics, std::uint64_t inexact) {
    image.source.storedChannels = {{image.channelNames().front(), nameOf(type)}};
    image.source.storedStatistics = {statistics};
    noteInexact(inexact, type, image.source.warnings);
}

std::uint64_t firstSampleOfPart(const Shape& shape, const LoadOptions& options) {
    if (!options.part) return 0;
    return static_cast<std::uint64_t>(options.part->first * (shape.depth > 1 ? shape.width * shape.height : shape.width));
}

void readStoredBlock(const std::string& path, const StoredBlock& block, Image& image, const LoadOptions& options) {
    float* const samples = image.view().data;
    const auto n = static_cast<std::uint64_t>(image.shape().samples());
    const std::size_t width = bytesOf(block.type);
    constexpr std::uint64_t kPiece = 1 << 19;  // samples, so that the buffers of a thread stay in its cache
    const std::uint64_t pieces = (n + kPiece - 1) / kPiece;
    std::vector<SampleStatistics> statistics(pieces);
    std::atomic<std::uint64_t> lost{0};
    runTasks(static_cast<std::int64_t>(pieces), options, {}, [&](std::int64_t task) {
        const auto piece = static_cast<std::uint64_t>(task);
        const std::uint64_t first = piece * kPiece, count = std::min(kPiece, n - first);
        std::vector<std::uint8_t> bytes(count * width);
        if (ByteSource(path).read(block.offset + first * width, bytes.data(), bytes.size()) != bytes.size())
            refuseFile(path, "it is truncated: the last samples are missing");
        lost += toFloat(block.type, block.swapped, bytes.data(), count, block.rescale, samples + first);
        statistics[piece] = computeStatistics(denseView<const float>(samples + first, {static_cast<std::int64_t>(count), 1, 1, 1}));
    });
    StatisticsSum sum;
    for (std::uint64_t p = 0; p < pieces; ++p) sum.add(statistics[p], std::min(kPiece, n - p * kPiece));
    describeStored(image, block.type, sum.result(), lost);
}

void readStoredStream(const StoredStream& stream, Image& image, const LoadOptions& options) {
    float* const samples = image.view().data;
    const auto n = static_cast<std::uint64_t>(image.shape().samples());
    const std::size_t width = bytesOf(stream.type), group = width * static_cast<std::size_t>(stream.interleaved);
    constexpr std::uint64_t kPieceBytes = 1 << 20;
    const std::uint64_t piece = std::min<std::uint64_t>(n, std::max<std::uint64_t>(1, kPieceBytes / group));
    const std::uint64_t pieces = (n + piece - 1) / piece;
    std::vector<SampleStatistics> statistics(pieces);
    std::atomic<std::uint64_t> lost{0};
    OrderedStage reading;
    runTasks(static_cast<std::int64_t>(pieces), options, {}, [&](std::int64_t task) {
        const std::uint64_t at = static_cast<std::uint64_t>(task) * piece;
        const auto count = static_cast<std::size_t>(std::min(piece, n - at));
        std::vector<std::uint8_t> bytes(count * group);
        const bool read = reading.pass(task, [&] {
            options.throwIfStopped();
            stream.read(bytes.data(), bytes.size());
        });
        if (!read) return;
        if (stream.interleaved > 1)
            for (std::size_t i = 0; i < count; ++i)
                std::memmove(bytes.data() + i * width, bytes.data() + i * group + static_cast<std::size_t>(stream.component) * width,
                             width);
        lost += toFloat(stream.type, stream.swapped, bytes.data(), count, stream.rescale, samples + at);
        statistics[static_cast<std::size_t>(task)] =
            computeStatistics(denseView<const float>(samples + at, {static_cast<std::int64_t>(count), 1, 1, 1}));
    });
    StatisticsSum sum;
    for (std::uint64_t p = 0; p < pieces; ++p) sum.add(statistics[p], std::min(piece, n - p * piece));
    describeStored(image, stream.type, sum.result(), lost);
}

void noteInexact(std::uint64_t samples, StoredType type, std::vector<std::string>& warnings) {
    if (samples == 0) return;
    warnings.push_back(std::to_string(samples) + " samples of type " + nameOf(type) +
                       (type == StoredType::float64 ? " exceed the range of float and became infinite"
                                                    : " need more than the 24 bits of a float and were rounded"));
}

}  // namespace parallax
