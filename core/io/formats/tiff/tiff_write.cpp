// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/deflate.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/tiff/tiff_file.hpp"

namespace parallax {
namespace {

/// Lets libtiff write to an AtomicFile. Exceptions are kept, since C frames must not be unwound.
struct Output {
    AtomicFile& file;
    std::uint64_t position = 0, end = 0;
    std::exception_ptr failure;

    static Output& of(thandle_t handle) { return *static_cast<Output*>(handle); }
    static tmsize_t read(thandle_t, void*, tmsize_t) { return 0; }
    static tmsize_t write(thandle_t handle, void* bytes, tmsize_t n) {
        Output& self = of(handle);
        try {
            self.file.writeAt(self.position, bytes, static_cast<std::size_t>(n));
        } catch (...) {
            if (!self.failure) self.failure = std::current_exception();
            return -1;
        }
        self.position += static_cast<std::uint64_t>(n);
        self.end = std::max(self.end, self.position);
        return n;
    }
    static toff_t seek(thandle_t handle, toff_t offset, int whence) {
        Output& self = of(handle);
        self.position = offset + (whence == SEEK_CUR ? self.position : whence == SEEK_END ? self.end : 0);
        return self.position;
    }
    static int close(thandle_t) { return 0; }
    static toff_t size(thandle_t handle) { return of(handle).end; }
};

struct SampleLayout {
    std::uint16_t bits = 16;
    bool floats = false;
    std::size_t bytes() const { return bits / 8U; }
};

SampleLayout layoutOf(const Image& image, StoredDepth depth) {
    constexpr SampleLayout kFloat{32, true};
    if (depth == StoredDepth::half || depth == StoredDepth::float32) return kFloat;
    if (depth == StoredDepth::uint8) return {8, false};
    if (depth == StoredDepth::uint16) return {16, false};
    const auto& stored = image.source.storedChannels;
    // EXR's "uint" and 32 bits and more are numbers, not codes.
    if (stored.empty() || !stored[0].type.starts_with("uint")) return kFloat;
    const int bits = std::atoi(stored[0].type.c_str() + 4);
    return bits == 0 || bits > 16 ? kFloat : SampleLayout{static_cast<std::uint16_t>(bits > 8 ? 16 : 8), false};
}

void copyFloats(const View<const float>& v, const std::vector<int>& channels, std::int64_t y, std::uint8_t* to) {
    for (std::int64_t x = 0; x < v.shape.width; ++x)
        for (const int c : channels) {
            std::memcpy(to, &v.at(x, y, 0, c), sizeof(float));
            to += sizeof(float);
        }
}

void describe(TIFF* tiff, const Shape& shape, std::size_t samples, const SampleLayout& layout, std::uint32_t rows) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, static_cast<std::uint32_t>(shape.width));
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, static_cast<std::uint32_t>(shape.height));
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, static_cast<int>(samples));
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, layout.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, layout.floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    // Smaller than LZW and faster to write; readers have had it as long.
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
    TIFFSetField(tiff, TIFFTAG_PREDICTOR, layout.floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows);
    if (samples % 2 == 0) {
        // Readers that must guess take it for different things.
        const std::uint16_t kind = layout.floats ? EXTRASAMPLE_ASSOCALPHA : EXTRASAMPLE_UNASSALPHA;
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
    }
}

/// Differences from the pixel to the left, from the end of a row on. `apart`: numbers between neighbours.
template <class T>
void differences(std::span<std::uint8_t> row, std::size_t apart) {
    auto* const numbers = reinterpret_cast<T*>(row.data());
    for (std::size_t i = row.size() / sizeof(T); i-- > apart;) numbers[i] = static_cast<T>(numbers[i] - numbers[i - apart]);
}

/// Predictor 3 (Adobe's TIFF technote 3): the bytes of the floats of a row in planes from the highest on, and their differences.
void differencesOfFloats(std::span<std::uint8_t> row, std::size_t apart, std::vector<std::uint8_t>& work) {
    constexpr std::size_t kBytes = sizeof(float);
    work.assign(row.begin(), row.end());
    const std::size_t n = row.size() / kBytes;
    for (std::size_t byte = 0; byte < kBytes; ++byte) {
        const std::size_t from = std::endian::native == std::endian::big ? byte : kBytes - 1 - byte;
        for (std::size_t i = 0; i < n; ++i) row[byte * n + i] = work[i * kBytes + from];
    }
    differences<std::uint8_t>(row, apart);
}

/// Packs strips of rows, and compresses them on several threads.
class StripMaker {
public:
    StripMaker(const View<const float>& image, const std::vector<int>& channels, const SampleLayout& layout)
        : image_(image), channels_(channels), layout_(layout) {
        if (!layout.floats) pack_.emplace(image, channels, layout.bits, TransferFunction::sRgb, 1);
    }
    std::size_t rowBytes() const { return static_cast<std::size_t>(image_.shape.width) * channels_.size() * layout_.bytes(); }
    std::vector<std::uint8_t> make(std::int64_t first, std::int64_t rows) {
        std::vector<std::uint8_t> strip(rowBytes() * static_cast<std::size_t>(rows)), work;
        for (std::int64_t y = 0; y < rows; ++y) {
            const std::span row = std::span(strip).subspan(static_cast<std::size_t>(y) * rowBytes(), rowBytes());
            if (pack_) clipped_ += (*pack_)(first + y, row.data());
            else copyFloats(image_, channels_, first + y, row.data());
            if (layout_.floats) differencesOfFloats(row, channels_.size(), work);
            else if (layout_.bits == 16) differences<std::uint16_t>(row, channels_.size());
            else differences<std::uint8_t>(row, channels_.size());
        }
        std::vector<std::uint8_t> stream = deflatePart({}, strip, true, Compression::standard, DeflateInput::residuals);
        constexpr std::array<std::uint8_t, 2> kZlibHead{0x78, 0x01};
        stream.insert(stream.begin(), kZlibHead.begin(), kZlibHead.end());
        const std::uint32_t checksum = adler32Of(strip);
        for (const int shift : {24, 16, 8, 0}) stream.push_back(static_cast<std::uint8_t>(checksum >> shift));
        return stream;
    }
    std::uint64_t clipped() const { return clipped_; }

private:
    View<const float> image_;
    const std::vector<int>& channels_;
    SampleLayout layout_;
    std::optional<RowPacker> pack_;
    std::atomic<std::uint64_t> clipped_{0};
};

}  // namespace

void writeTiff(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
               std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    constexpr std::int64_t kLargestSide = std::int64_t{1} << 30;
    if (v.shape.width > kLargestSide || v.shape.height > kLargestSide)
        throw Error(ErrorCode::usage, "The image is too large for TIFF", "a side has more than 1,073,741,824 pixels", "Save it as EXR");
    const SampleLayout layout = layoutOf(image, options.depth);
    StripMaker strips(v, channels, layout);
    const std::size_t rowBytes = strips.rowBytes();
    constexpr std::size_t kStripBytes = std::size_t{1} << 18;
    const auto rows = static_cast<std::uint32_t>(
        std::min<std::size_t>(std::max<std::size_t>(1, kStripBytes / rowBytes), static_cast<std::size_t>(v.shape.height)));

    Output output{file, 0, 0, {}};
    std::string why;
    const TiffOptions tiffOptions(why, std::max<std::uint64_t>(std::uint64_t{1} << 28, 16 * rowBytes * rows));
    // Deflate enlarges noise by less than one part in a thousand, and tables need a little more.
    const bool big = rowBytes > (std::uint64_t{15} << 28) / static_cast<std::uint64_t>(v.shape.height);
    TiffHandle tiff(TIFFClientOpenExt("TIFF", big ? "w8" : "w", &output, Output::read, Output::write, Output::seek, Output::close,
                                      Output::size, nullptr, nullptr, tiffOptions.get()));
    bool good = tiff != nullptr;
    if (good) {
        describe(tiff.get(), v.shape, channels.size(), layout, rows);
        const std::int64_t n = (v.shape.height + rows - 1) / rows;
        std::vector<std::vector<std::uint8_t>> made(static_cast<std::size_t>(n));
        const auto make = [&](std::int64_t i) {
            const std::int64_t y = i * rows;
            made[static_cast<std::size_t>(i)] = strips.make(y, std::min<std::int64_t>(rows, v.shape.height - y));
        };
        const auto take = [&](std::int64_t i) {
            std::vector<std::uint8_t> strip = std::exchange(made[static_cast<std::size_t>(i)], {});
            const auto bytes = static_cast<tmsize_t>(strip.size());
            if (TIFFWriteRawStrip(tiff.get(), static_cast<std::uint32_t>(i), strip.data(), bytes) == bytes) return;
            if (output.failure) std::rethrow_exception(output.failure);
            throw Error(ErrorCode::output, "The TIFF cannot be written", why);
        };
        runOrderedTasks(n, taskOptions(options), {}, make, take);
        good = TIFFWriteDirectory(tiff.get());
    }
    tiff.reset();
    if (output.failure) std::rethrow_exception(output.failure);
    if (!good) throw Error(ErrorCode::output, "The TIFF cannot be written", why);
    noteClipped(strips.clipped(), notes);
}

}  // namespace parallax
