// SPDX-License-Identifier: GPL-3.0-or-later
#include <zlib.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/io/codec/deflate.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/formats/png/png_filter.hpp"
#include "core/io/formats/png/png_rows.hpp"

namespace parallax {
namespace {

constexpr std::size_t kBandBytes = std::size_t{1} << 19;
constexpr std::size_t kSmallBandBytes = std::size_t{1} << 22;  ///< fewer breaks, for the smallest files

using Bytes = std::vector<std::uint8_t>;

std::array<std::uint8_t, 4> bigEndian(std::size_t value) {
    return {static_cast<std::uint8_t>(value >> 24), static_cast<std::uint8_t>(value >> 16), static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(value)};
}

void append(Bytes& to, std::span<const std::uint8_t> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

void writeChunk(AtomicFile& file, std::span<const std::uint8_t> data) {
    static constexpr std::array<std::uint8_t, 4> kType{'I', 'D', 'A', 'T'};
    Bytes head;
    append(head, bigEndian(data.size()));
    append(head, kType);
    file.write(head.data(), head.size());
    file.write(data.data(), data.size());
    const auto crc = bigEndian(crc32Of(data, crc32Of(kType)));
    file.write(crc.data(), crc.size());
}

/// A band of rows as a part of the stream.
struct Band {
    Bytes deflated;
    std::uint32_t checksum = 1;
    std::size_t length = 0;  ///< before it was deflated
};

/// Filters rows, each preceded by the number of its filter. The first row does not depend on the band before.
Bytes filterRows(const PngRowSource& rows, std::span<const std::uint8_t> samples, const SaveOptions& options, bool unfiltered) {
    constexpr std::size_t kGroup = 8;  // rows that share a filter, chosen for the first one of them
    const std::size_t n = samples.size() / rows.rowBytes;
    Bytes filtered(samples.size() + n), work(rows.rowBytes);
    PngFilter filter = PngFilter::none;
    for (std::size_t y = 0; y < n; ++y) {
        const auto row = samples.subspan(y * rows.rowBytes, rows.rowBytes);
        const std::uint8_t* const above = y > 0 ? row.data() - rows.rowBytes : nullptr;
        if (!unfiltered && (y == 0 || y % kGroup == 1))
            filter = choosePngFilter(row, above, rows.pixelBytes, options.compression != Compression::fast, work);
        std::uint8_t* const to = filtered.data() + y * (rows.rowBytes + 1);
        *to = static_cast<std::uint8_t>(filter);
        filterPngRow(filter, row, above, rows.pixelBytes, to + 1);
    }
    return filtered;
}

Band makeBand(const PngRowSource& rows, std::int64_t begin, std::int64_t end, const SaveOptions& options) {
    Bytes samples(static_cast<std::size_t>(end - begin) * rows.rowBytes);
    for (std::int64_t y = begin; y < end; ++y) rows.fetch(y, samples.data() + static_cast<std::size_t>(y - begin) * rows.rowBytes);
    const auto deflated = [&](bool unfiltered) {
        const Bytes filtered = filterRows(rows, samples, options, unfiltered);
        const auto input = unfiltered ? DeflateInput::samples : DeflateInput::residuals;
        return Band{deflatePart({}, filtered, end == rows.height, options.compression, input), adler32Of(filtered), filtered.size()};
    };
    Band band = deflated(false);
    if (options.compression != Compression::small) return band;
    // Images with few colours or with repetitions are smaller without a filter.
    Band plain = deflated(true);
    return plain.deflated.size() < band.deflated.size() ? plain : band;
}

}  // namespace

void writePngRows(AtomicFile& file, const PngRowSource& rows, const SaveOptions& options) {
    const std::size_t bandBytes = options.compression == Compression::small ? kSmallBandBytes : kBandBytes;
    const auto bandRows = static_cast<std::int64_t>(std::max<std::size_t>(1, bandBytes / rows.rowBytes));
    const std::int64_t n = (rows.height + bandRows - 1) / bandRows;
    std::vector<Band> bands(static_cast<std::size_t>(n));
    uLong checksum = 1;
    const auto make = [&](std::int64_t i) {
        bands[static_cast<std::size_t>(i)] = makeBand(rows, i * bandRows, std::min(rows.height, (i + 1) * bandRows), options);
    };
    const auto take = [&](std::int64_t i) {
        Band band = std::exchange(bands[static_cast<std::size_t>(i)], {});
        checksum = adler32_combine(checksum, band.checksum, static_cast<z_off_t>(band.length));
        if (i == 0) {
            // Window of 32 KiB, and the effort as zlib states it.
            constexpr std::array<std::uint8_t, 3> kEfforts{0x01, 0x9c, 0xda};
            const std::array<std::uint8_t, 2> head{0x78, kEfforts[static_cast<std::size_t>(options.compression)]};
            band.deflated.insert(band.deflated.begin(), head.begin(), head.end());
        }
        if (i + 1 == n) append(band.deflated, bigEndian(checksum));
        constexpr std::size_t kLargestChunk = std::size_t{1} << 30;
        for (std::span<const std::uint8_t> rest(band.deflated); !rest.empty();) {
            const std::size_t size = std::min(rest.size(), kLargestChunk);
            writeChunk(file, rest.first(size));
            rest = rest.subspan(size);
        }
    };
    runOrderedTasks(n, taskOptions(options), {}, make, take);
}

}  // namespace parallax
