// SPDX-License-Identifier: GPL-3.0-or-later
// TIFF 6.0 and BigTIFF through libtiff.
#include <half.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/image/host/host_vector.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/exif.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/formats/tiff/tiff_file.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

/// Fields of the directory of a page.
struct Page {
    std::uint32_t width = 0, height = 0;
    int samples = 1, bits = 1;
    std::uint16_t format = SAMPLEFORMAT_UINT, photometric = PHOTOMETRIC_MINISBLACK, compression = COMPRESSION_NONE;
    bool separate = false, tiled = false;
    std::optional<std::uint16_t> extra;  ///< kind of the first sample beyond the colours, where the file names it

    bool rgb() const { return photometric == PHOTOMETRIC_RGB || photometric == PHOTOMETRIC_LOGLUV; }
    bool grey() const { return photometric == PHOTOMETRIC_MINISWHITE || photometric == PHOTOMETRIC_MINISBLACK; }
    bool palette() const { return photometric == PHOTOMETRIC_PALETTE; }
    /// Unsigned integers of up to 16 bits are codes of light; all other samples are numbers as they are stored.
    bool codes() const { return (format == SAMPLEFORMAT_UINT || format == SAMPLEFORMAT_VOID) && bits <= 16; }
    bool floats() const { return format == SAMPLEFORMAT_IEEEFP; }
    int colours() const { return rgb() || palette() ? 3 : 1; }
    /// RGB has alpha unless the file says otherwise; grey only if the file says so.
    bool alpha() const {
        const bool named = extra == EXTRASAMPLE_ASSOCALPHA || extra == EXTRASAMPLE_UNASSALPHA;
        return samples > colours() && (codes() || floats()) && (named || (rgb() && samples == 4));
    }
    StoredAlpha storedAlpha() const {
        if (extra == EXTRASAMPLE_UNASSALPHA) return StoredAlpha::straight;
        if (!codes()) return StoredAlpha::associated;
        return extra == EXTRASAMPLE_ASSOCALPHA ? StoredAlpha::encoded : StoredAlpha::straight;
    }
    /// libtiff converts these to RGB of 8 bits.
    bool converted() const {
        return photometric == PHOTOMETRIC_SEPARATED || photometric == PHOTOMETRIC_YCBCR || photometric == PHOTOMETRIC_CIELAB ||
               photometric == PHOTOMETRIC_ICCLAB || photometric == PHOTOMETRIC_ITULAB || compression == COMPRESSION_OJPEG;
    }
};

Page describe(const TiffFile& file) {
    Page page;
    page.compression = file.shortOr(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    page.samples = file.shortOr(TIFFTAG_SAMPLESPERPIXEL, 1);
    page.photometric = file.shortOr(TIFFTAG_PHOTOMETRIC, page.samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    // Both make libtiff decode to plain samples: they change what the following fields return.
    if (page.compression == COMPRESSION_SGILOG || page.compression == COMPRESSION_SGILOG24)
        TIFFSetField(file.get(), TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
    if (page.compression == COMPRESSION_JPEG && page.photometric == PHOTOMETRIC_YCBCR) {
        TIFFSetField(file.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        page.photometric = PHOTOMETRIC_RGB;
    }
    page.width = file.longOr(TIFFTAG_IMAGEWIDTH, 0);
    page.height = file.longOr(TIFFTAG_IMAGELENGTH, 0);
    page.bits = file.shortOr(TIFFTAG_BITSPERSAMPLE, 1);
    page.format = file.shortOr(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    page.separate = page.samples > 1 && file.shortOr(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    if (page.converted()) page.format = SAMPLEFORMAT_UINT;
    page.tiled = TIFFIsTiled(file.get()) != 0;
    std::uint16_t extras = 0;
    std::uint16_t* kinds = nullptr;
    if (TIFFGetField(file.get(), TIFFTAG_EXTRASAMPLES, &extras, &kinds) && extras > 0 && kinds) page.extra = kinds[0];
    return page;
}

/// Turns a row of samples as libtiff decodes them into floats.
class RowDecoder {
public:
    explicit RowDecoder(const Page& page) : bits_(page.bits) {
        const bool sign = page.format == SAMPLEFORMAT_INT;
        const auto use = [this](StoredType type) {
            type_ = type;
            plain_ = true;
        };
        if (page.floats()) {
            half_ = bits_ == 16;
            if (bits_ == 32) use(StoredType::float32);
            if (bits_ == 64) use(StoredType::float64);
        } else if (page.codes() || sign) {
            if (bits_ == 8) use(sign ? StoredType::int8 : StoredType::uint8);
            if (bits_ == 16) use(sign ? StoredType::int16 : StoredType::uint16);
            packed_ = !plain_ && !sign && bits_ > 0;
        }
        const bool integer = sign || page.format == SAMPLEFORMAT_UINT || page.format == SAMPLEFORMAT_VOID;
        if (integer && bits_ == 32) use(sign ? StoredType::int32 : StoredType::uint32);
        if (integer && bits_ == 64) use(sign ? StoredType::int64 : StoredType::uint64);
    }
    bool supported() const { return plain_ || half_ || packed_; }
    std::string typeName() const { return half_ ? "half" : packed_ ? "uint" + std::to_string(bits_) : nameOf(type_); }

    void operator()(const std::uint8_t* row, std::size_t n, float* out) {
        if (plain_) {
            lost_ += toFloat(type_, false, row, n, {}, out);
        } else if (half_) {
            for (std::size_t i = 0; i < n; ++i) {
                std::uint16_t bits = 0;
                std::memcpy(&bits, row + 2 * i, 2);
                out[i] = imath_half_to_float(bits);
            }
        } else {
            // Packed from the highest bit of each byte down.
            std::uint32_t buffer = 0;
            int held = 0;
            for (std::size_t i = 0; i < n; ++i) {
                for (; held < bits_; held += 8) buffer = buffer << 8 | *row++;
                held -= bits_;
                out[i] = static_cast<float>(buffer >> held & ((1U << bits_) - 1));
            }
        }
    }
    void addLost(const RowDecoder& other) { lost_ += other.lost_; }
    void noteLost(std::vector<std::string>& warnings) const {
        if (plain_) noteInexact(lost_, type_, warnings);
    }

private:
    StoredType type_ = StoredType::uint8;  // of plain numbers
    bool plain_ = false, half_ = false, packed_ = false;
    int bits_;
    std::uint64_t lost_ = 0;
};

/// How many bytes of float samples one byte of the file can become.
std::uint64_t ratioOf(const Page& page) {
    switch (page.compression) {
        case COMPRESSION_NONE: return 128;  // samples of one bit
        case COMPRESSION_PACKBITS:
        case COMPRESSION_LZW:
        case COMPRESSION_DEFLATE:
        case COMPRESSION_ADOBE_DEFLATE: return kStrongRatio;
        case COMPRESSION_JPEG: return 4 * kDeflateRatio;
        default: return kAnyRatio;
    }
}

void checkSupported(const std::string& path, const TiffFile& file, const Page& page, const LoadOptions& options) {
    const Shape shape{page.width, page.height, 1, page.palette() ? 3 : page.samples};
    checkHeld(path, shape, file.bytes(), ratioOf(page));
    checkUnpacked(path, shape, file.bytes(), options);
    if (file.longOr(TIFFTAG_IMAGEDEPTH, 1) > 1)
        refuseFile(path, "a page holds several slices (ImageDepth), which is not supported", "Save the slices as pages");
    if (!TIFFIsCODECConfigured(page.compression))
        refuseFile(path, "its compression (" + std::to_string(page.compression) + ") is not supported", "Save it with LZW or Deflate");
    if (page.converted()) {
        char why[1024] = "";
        if (page.bits != 8)
            refuseFile(path,
                       "its samples are not red, green and blue (PhotometricInterpretation " + std::to_string(page.photometric) +
                           "), which is read with 8 bits only",
                       "Convert it to RGB");
        if (!TIFFRGBAImageOK(file.get(), why)) refuseFile(path, why, "Convert it to RGB");
        return;
    }
    if (!RowDecoder(page).supported())
        refuseFile(
            path,
            "samples of " + std::to_string(page.bits) + " bits and SampleFormat " + std::to_string(page.format) + " are not supported",
            "Convert it to 16-bit integers or float");
    if (page.palette() && (page.samples != 1 || !page.codes()))
        refuseFile(path, "it has a palette and " + std::to_string(page.samples) + " samples a pixel", "Convert it to RGB");
    if (page.samples < page.colours() && !page.palette())
        refuseFile(path, "it is said to be RGB and has " + std::to_string(page.samples) + " samples a pixel", "Convert it to RGB");
}

std::vector<std::string> namesOf(const Page& page) {
    if (page.palette() || page.converted()) return {"R", "G", "B"};
    std::vector<std::string> names;
    if (page.rgb()) names = {"R", "G", "B"};
    else if (page.samples == 1 || page.alpha()) names = {"Y"};
    if (page.alpha()) names.emplace_back("A");
    while (static_cast<int>(names.size()) < page.samples) names.push_back("C" + std::to_string(names.size()));
    return names;
}

/// Size of the strips or tiles of a page.
struct Blocks {
    std::uint32_t width = 0, height = 0, across = 0, down = 0;
    std::uint64_t rowBytes = 0;
    int perPixel = 1, planes = 1;  ///< samples of a pixel in a block; blocks for each place

    Blocks(const std::string& path, const TiffFile& file, const Page& page)
        : perPixel(page.separate ? 1 : page.samples), planes(page.separate ? page.samples : 1) {
        TIFF* const tiff = file.get();
        width = page.tiled ? file.longOr(TIFFTAG_TILEWIDTH, 0) : page.width;
        height = page.tiled ? file.longOr(TIFFTAG_TILELENGTH, 0) : std::min(file.longOr(TIFFTAG_ROWSPERSTRIP, page.height), page.height);
        rowBytes = page.tiled ? TIFFTileRowSize64(tiff) : TIFFScanlineSize64(tiff);
        const std::uint64_t bits = std::uint64_t{width} * static_cast<std::uint64_t>(perPixel) * static_cast<std::uint64_t>(page.bits);
        if (width == 0 || height == 0 || rowBytes != (bits + 7) / 8) refuseFile(path, "its strips or tiles have no valid size");
        constexpr std::uint64_t kSmallBlock = std::uint64_t{64} << 20;
        const std::uint64_t pageBytes = std::uint64_t{page.width} * page.height * static_cast<std::uint64_t>(page.samples) * 8;
        if (rowBytes > std::max(kSmallBlock, pageBytes) / height)
            refuseFile(path, "its tiles of " + std::to_string(width) + " x " + std::to_string(height) + " are far larger than the image");
        across = (page.width - 1) / width + 1;
        down = (page.height - 1) / height + 1;
    }
    std::uint64_t bytes() const { return rowBytes * height; }
    std::int64_t count() const { return std::int64_t{across} * down * planes; }
};

/// Reads strips and tiles, and puts the stored numbers into the channels of an image.
class BlockReader {
public:
    /// `file`: of this reader alone.
    BlockReader(const TiffFile& file, const Page& page, const Blocks& blocks)
        : file_(file),
          page_(page),
          blocks_(blocks),
          decoder_(page),
          bytes_(blocks.bytes()),
          row_(std::size_t{std::min(blocks.width, page.width)} * static_cast<std::size_t>(blocks.perPixel)) {}

    /// Returns false, and fills the block with 0, if it is damaged. `top`: row of the page with which `v` begins.
    bool read(std::int64_t index, std::int64_t top, const View<float>& v) {
        const std::int64_t inPlane = std::int64_t{blocks_.across} * blocks_.down;
        const auto plane = static_cast<std::uint16_t>(index / inPlane);
        const auto x = static_cast<std::uint32_t>(index % inPlane % blocks_.across) * blocks_.width,
                   y = static_cast<std::uint32_t>(index % inPlane / blocks_.across) * blocks_.height;
        const std::uint32_t rows = std::min(blocks_.height, page_.height - y), columns = std::min(blocks_.width, page_.width - x);
        const auto wanted = static_cast<tmsize_t>(page_.tiled ? bytes_.size() : blocks_.rowBytes * rows);
        TIFF* const tiff = file_.get();
        const tmsize_t got = page_.tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, plane), bytes_.data(), wanted)
                                         : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, plane), bytes_.data(), wanted);
        const auto perPixel = static_cast<std::size_t>(blocks_.perPixel);
        for (std::uint32_t r = 0; r < rows; ++r) {
            if (got == wanted) decoder_(bytes_.data() + r * blocks_.rowBytes, columns * perPixel, row_.data());
            for (std::size_t c = 0; c < perPixel; ++c) {
                float* const to = &v.at(x, y + r - top, 0, page_.separate ? plane : static_cast<std::int64_t>(c));
                if (got != wanted) std::fill_n(to, columns, 0.0F);
                else
                    for (std::uint32_t k = 0; k < columns; ++k) to[k] = row_[k * perPixel + c];
            }
        }
        return got == wanted;
    }
    std::string error() const { return file_.error("they end too early"); }
    const RowDecoder& decoder() const { return decoder_; }

private:
    const TiffFile& file_;
    const Page& page_;
    const Blocks& blocks_;
    RowDecoder decoder_;
    std::vector<std::uint8_t> bytes_;
    std::vector<float> row_;
};

/// Counts damaged blocks, on all threads.
class BlockDamage {
public:
    explicit BlockDamage(const std::string& path) : path_(path) {}
    void count(std::int64_t index, bool good, const BlockReader& reader) {
        const std::lock_guard lock(mutex_);
        if (good) {
            ++read_;
            return;
        }
        if (lost_++ == 0 || index < first_) {
            first_ = index;
            why_ = reader.error();
        }
        constexpr std::uint64_t kHopeless = 1000;
        if (read_ == 0 && lost_ > kHopeless)
            refuseFile(path_, "its first " + std::to_string(lost_) + " strips or tiles are damaged (" + why_ + ")");
    }
    void note(Image& image) const {
        if (lost_ == 0) return;
        if (read_ == 0) refuseFile(path_, "none of its " + std::to_string(lost_) + " strips or tiles can be decoded (" + why_ + ")");
        image.source.incomplete = true;
        image.source.warnings.push_back(std::to_string(lost_) + " of " + std::to_string(lost_ + read_) +
                                        " strips or tiles are damaged and shown as 0 (" + why_ + ")");
    }

private:
    const std::string& path_;
    std::mutex mutex_;
    std::int64_t first_ = 0;
    std::uint64_t lost_ = 0, read_ = 0;
    std::string why_;
};

/// Reads strips and tiles on several threads, each with a handle of its own: libtiff's are for one thread.
class PageReader {
public:
    /// `offset`: of the directory of the page.
    PageReader(const std::string& path, const TiffFile& file, const Page& page, std::uint64_t offset, const LoadOptions& options)
        : path_(path), offset_(offset), blocks_(path, file, page), tasks_(options), damage_(path) {
        constexpr std::uint64_t kBufferBytes = std::uint64_t{256} << 20;
        tasks_.threads = static_cast<int>(
            std::clamp<std::uint64_t>(kBufferBytes / blocks_.bytes(), 1, static_cast<std::uint64_t>(threadsOf(options.threads))));
    }
    const Blocks& blocks() const { return blocks_; }
    /// Reads the strips or rows of tiles [first, last) into an image, of which `to` begins with the first row of the first one.
    void read(std::int64_t first, std::int64_t last, const View<float>& to) {
        constexpr std::uint64_t kTaskBytes = std::uint64_t{1} << 20;
        const auto perTask = static_cast<std::int64_t>(std::max<std::uint64_t>(1, kTaskBytes / blocks_.bytes()));
        const std::int64_t inPlane = (last - first) * blocks_.across, count = inPlane * blocks_.planes;
        const auto blockOf = [&](std::int64_t i) { return (i / inPlane * blocks_.down + first) * blocks_.across + i % inPlane; };
        runTasks((count + perTask - 1) / perTask, tasks_, {0, 0.7}, [&](std::int64_t task) {
            tasks_.throwIfStopped();
            std::unique_ptr<Worker> worker = takeWorker();
            for (std::int64_t i = task * perTask; i < std::min(count, (task + 1) * perTask); ++i)
                damage_.count(blockOf(i), worker->reader->read(blockOf(i), first * blocks_.height, to), *worker->reader);
            const std::lock_guard lock(mutex_);
            idle_.push_back(std::move(worker));
        });
    }
    /// Adds what was found in all blocks.
    void note(RowDecoder& decoder, Image& image) const {
        for (const auto& worker : idle_) decoder.addLost(worker->reader->decoder());
        damage_.note(image);
    }

private:
    struct Worker {
        Worker(const std::string& name, std::uint64_t directory) : file(name), page((file.choosePage(directory), describe(file))) {}
        TiffFile file;
        Page page;
        std::optional<BlockReader> reader;
    };
    std::unique_ptr<Worker> takeWorker() {
        {
            const std::lock_guard lock(mutex_);
            if (!idle_.empty()) {
                std::unique_ptr<Worker> worker = std::move(idle_.back());
                idle_.pop_back();
                return worker;
            }
        }
        auto worker = std::make_unique<Worker>(path_, offset_);
        worker->reader.emplace(worker->file, worker->page, blocks_);
        return worker;
    }

    const std::string& path_;
    std::uint64_t offset_;
    Blocks blocks_;
    LoadOptions tasks_;
    BlockDamage damage_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Worker>> idle_;
};

/// CMYK, YCbCr and Lab of 8 bits, which libtiff converts to RGB.
void readConverted(const std::string& path, const TiffFile& file, const Page& page, Image& image) {
    HostVector<std::uint32_t> raster(std::size_t{page.width} * page.height);
    TIFFRGBAImage rgba;
    char why[1024] = "";
    if (!TIFFRGBAImageBegin(&rgba, file.get(), 1, why)) refuseFile(path, why, "Convert it to RGB");
    // The stored order: not turned.
    rgba.orientation = rgba.req_orientation = ORIENTATION_TOPLEFT;
    const int good = TIFFRGBAImageGet(&rgba, raster.data(), page.width, page.height);
    TIFFRGBAImageEnd(&rgba);
    if (!good) refuseFile(path, "its samples are damaged (" + file.error("libtiff gives no reason") + ")");
    const View<float> v = image.view();
    for (std::int64_t y = 0; y < v.shape.height; ++y)
        for (std::int64_t x = 0; x < v.shape.width; ++x) {
            const std::uint32_t pixel = raster[static_cast<std::size_t>(y * v.shape.width + x)];
            v.at(x, y, 0, 0) = static_cast<float>(TIFFGetR(pixel));
            v.at(x, y, 0, 1) = static_cast<float>(TIFFGetG(pixel));
            v.at(x, y, 0, 2) = static_cast<float>(TIFFGetB(pixel));
        }
}

/// Colours of a page with a palette.
class Palette {
public:
    Palette(const std::string& path, const TiffFile& file, int bits) {
        if (!TIFFGetField(file.get(), TIFFTAG_COLORMAP, &maps_[0], &maps_[1], &maps_[2])) refuseFile(path, "its palette is missing");
        const std::size_t n = std::size_t{1} << bits;
        // Colours of 8 bits are stored as v * 257, v * 256 or, by old programs, as v.
        const auto every = [&](auto&& holds) {
            return std::all_of(maps_.begin(), maps_.end(), [&](const std::uint16_t* m) { return std::all_of(m, m + n, holds); });
        };
        for (const int d : {257, 256})
            if (divisor_ == 1 && every([&](std::uint16_t v) { return v % d == 0; })) divisor_ = d;
        bits_ = divisor_ > 1 || every([](std::uint16_t v) { return v < 256; }) ? 8 : 16;
    }
    /// Bits of a colour: 8 where that is exact.
    int bits() const { return bits_; }
    /// Replaces the indices in the first channel by the colours.
    void apply(const View<float>& v) const {
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x) {
                const auto index = static_cast<std::size_t>(v.at(x, y));
                for (std::size_t c = 0; c < 3; ++c)
                    v.at(x, y, 0, static_cast<std::int64_t>(c)) = static_cast<float>(maps_[c][index] / divisor_);
            }
    }

private:
    std::array<std::uint16_t*, 3> maps_{};
    int divisor_ = 1, bits_ = 16;
};

/// CIE XYZ to linear Rec. 709 (IEC 61966-2-1).
void xyzToRgb(Image& image) {
    const View<float> v = image.view();
    for (std::int64_t y = 0; y < v.shape.height; ++y)
        for (std::int64_t x = 0; x < v.shape.width; ++x) {
            const float a = v.at(x, y, 0, 0), b = v.at(x, y, 0, 1), c = v.at(x, y, 0, 2);
            v.at(x, y, 0, 0) = 3.2406F * a - 1.5372F * b - 0.4986F * c;
            v.at(x, y, 0, 1) = -0.9689F * a + 1.8758F * b + 0.0415F * c;
            v.at(x, y, 0, 2) = 0.0557F * a - 0.2040F * b + 1.0570F * c;
        }
}

void readProfile(const TiffFile& file, const Page& page, Image& image) {
    std::uint32_t size = 0;
    void* data = nullptr;
    if (!page.codes() || page.converted() || !TIFFGetField(file.get(), TIFFTAG_ICCPROFILE, &size, &data) || size == 0 || !data) return;
    const std::span<const std::uint8_t> profile(static_cast<const std::uint8_t*>(data), size);
    image.metadata.push_back({"iCCP", kIccProfileType, "", {profile.begin(), profile.end()}});
    if (namesSrgb(profile)) return;
    useProfile(image.source, profile, {}, page.grey());
}

void noteProperties(const Page& page, Image& image) {
    auto& warnings = image.source.warnings;
    if (page.photometric == PHOTOMETRIC_MINISWHITE && !page.codes())
        warnings.emplace_back("The file says that 0 is white; its samples are not inverted, since their type has no largest value");
    if (!page.codes() && !page.floats() && !page.converted())
        warnings.emplace_back("Samples of type " + image.source.storedChannels[0].type +
                              " are opened as numbers, without a transfer curve");
    if (!page.grey() && !page.rgb() && !page.palette() && !page.converted() && page.photometric != PHOTOMETRIC_LOGL)
        warnings.emplace_back("The meaning of the samples (PhotometricInterpretation " + std::to_string(page.photometric) +
                              ") is not supported; they are opened as they are stored");
}

void invert(Image& image, float maximum) {
    const View<float> v = image.view();
    for (std::int64_t c = 0; c < v.shape.channels; ++c) {
        if (c == image.alphaChannel()) continue;
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x) v.at(x, y, 0, c) = maximum - v.at(x, y, 0, c);
    }
}

/// Calls visit(first, rows) for images that together have all rows of the page, in order.
template <class Visit>
void readInBands(PageReader& reader, const Page& page, const std::vector<std::string>& names, Visit&& visit) {
    constexpr std::int64_t kBandBytes = std::int64_t{8} << 20;
    const Blocks& blocks = reader.blocks();
    const auto channels = static_cast<std::int64_t>(names.size());
    const std::int64_t blockBytes = std::int64_t{page.width} * blocks.height * channels * 4;
    const std::int64_t step = std::max<std::int64_t>(1, kBandBytes / blockBytes);
    for (std::int64_t block = 0; block < blocks.down; block += step) {
        const std::int64_t last = std::min<std::int64_t>(block + step, blocks.down), top = block * blocks.height;
        const std::int64_t rows = std::min<std::int64_t>(last * blocks.height, page.height) - top;
        Image band(Buffer({page.width, rows, 1, channels}), names);
        reader.read(block, last, band.view());
        visit(top, band);
    }
}

Image load(const std::string& path, const std::string& choice, const LoadOptions& options) {
    TiffFile file(path);
    const std::vector<std::uint64_t> pages = file.pages();
    if (pages.empty()) refuseFile(path, "it holds no page");
    const std::int64_t chosen = chosenVolume(path, choice, static_cast<std::int64_t>(pages.size()), "page");
    const std::uint64_t offset = pages[static_cast<std::size_t>(chosen)];
    file.choosePage(offset);
    const Page page = describe(file);
    checkSupported(path, file, page, options);
    options.throwIfStopped();

    const std::vector<std::string> names = namesOf(page);
    const Shape shape{page.width, page.height, 1, static_cast<std::int64_t>(names.size())};
    const int orientation = file.shortOr(TIFFTAG_ORIENTATION, 1);
    const bool turned = orientation >= 2 && orientation <= 8;
    // Without samples here: the description alone, or rows that are handed out.
    const bool handsOut = options.rows && !page.converted() && !turned;
    const bool apart = handsOut || (options.part && options.part->empty() && !page.converted() && !turned);
    if (!apart) checkAffordable(path, shape, file.bytes(), options);
    Image image{apart ? sampleBuffer(shape, PartRange{}) : sampleBuffer(shape), names};
    RowDecoder decoder(page);
    std::optional<Palette> palette;
    if (page.palette()) {
        palette.emplace(path, file, page.bits);
        image.metadata.push_back({"storage", "note", "palette, indices of " + std::to_string(page.bits) + " bits", {}});
    }
    const int codeBits = palette ? palette->bits() : page.bits;
    SourceInfo& source = image.source;
    source.format = "TIFF";
    source.transfer = page.codes() ? TransferFunction::sRgb : TransferFunction::linear;
    const std::string type = page.converted() || page.palette() ? "uint" + std::to_string(codeBits) : decoder.typeName();
    for (const auto& c : image.channelNames()) source.storedChannels.push_back({c, type});
    readProfile(file, page, image);
    const bool alpha = image.alphaChannel() >= 0;
    source.straightAlpha = alpha && page.storedAlpha() == StoredAlpha::straight;
    std::vector<float> table;
    if (page.codes()) table = decodingTable(source.transfer, source.gamma, (1 << codeBits) - 1);

    const auto toLight = [&](Image& rows) {
        if (palette) palette->apply(rows.view());
        if (page.photometric == PHOTOMETRIC_LOGLUV) xyzToRgb(rows);
        if (page.photometric == PHOTOMETRIC_MINISWHITE && page.codes() && !page.converted())
            invert(rows, static_cast<float>(table.size() - 1));
        decodeColours(rows, table, page.storedAlpha(), options);
    };
    const bool described = image.samples().empty() && !handsOut;
    if (!described && page.converted()) {
        readConverted(path, file, page, image);
        toLight(image);
    } else if (!described) {
        PageReader reader(path, file, page, offset, options);
        if (handsOut) {
            readInBands(reader, page, names, [&](std::int64_t first, Image& band) {
                toLight(band);
                options.rows(first, std::as_const(band).view());
            });
        } else {
            reader.read(0, reader.blocks().down, image.view());
            toLight(image);
        }
        reader.note(decoder, image);
    }
    decoder.noteLost(source.warnings);
    noteProperties(page, image);
    makeUpright(image, orientation);
    noteVolume(image, chosen, static_cast<std::int64_t>(pages.size()), choice, "pages");
    return image;
}

}  // namespace

Loader tiffLoader() {
    return {"TIFF",
            {"tif", "tiff"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                using namespace std::string_view_literals;
                return startsWith(head, "II*\0"sv) || startsWith(head, "MM\0*"sv) || startsWith(head, "II+\0"sv) ||
                       startsWith(head, "MM\0+"sv) || hasExtension(path, {"tif", "tiff"});
            },
            load,
            true,
            true};
}

}  // namespace parallax
