// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <locale>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "core/image/host/host_vector.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/exif.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/formats/png/png_handle.hpp"
#include "core/io/formats/png/png_rows.hpp"
#include "core/io/formats/png/png_texts.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

struct FileCloser {
    void operator()(std::FILE* f) const { std::fclose(f); }
};

struct Reader : PngHandle {
    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    bool start(std::FILE* file) {
        return start([&] { png_init_io(png, file); });
    }
    template <class F>
    bool start(const F& setSource) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, static_cast<PngHandle*>(this), &onError, &onWarning);
        if (!png) return false;
        info = png_create_info_struct(png);
        return info && attempt([&] {
                   setSource();
                   png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
                   png_set_chunk_malloc_max(png, kMaxTextBytes);
                   png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("cICP"), 1);
                   // Texts are read by readPngTexts(), the others are not used.
                   png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER,
                                               reinterpret_cast<png_const_bytep>("tEXt\0zTXt\0iTXt\0sPLT\0pCAL\0sCAL\0eXIf\0hIST"), 8);
                   png_read_info(png, info);
               });
    }
};

using Chromaticities = std::array<double, 8>;  ///< x and y of white, red, green and blue

/// Primaries of ITU-T H.273; nothing for codes that name none, or none of light.
std::optional<Chromaticities> primariesOfCode(int code) {
    switch (code) {
        case 4: return Chromaticities{0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08};
        case 5: return Chromaticities{0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06};
        case 6:
        case 7: return Chromaticities{0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070};
        case 9: return Chromaticities{0.3127, 0.3290, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046};
        case 11: return Chromaticities{0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060};
        case 12: return Chromaticities{0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060};
        default: return std::nullopt;
    }
}

/// Keeps them as metadata, so that a saved file names them, or at least not those of sRGB.
void noteChromaticities(Image& image, const std::optional<Chromaticities>& v) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    if (!v) text << kUnknownPrimaries;
    for (std::size_t i = 0; v && i < v->size(); ++i) text << (i ? " " : "") << (*v)[i];
    image.metadata.push_back({"cHRM", kChromaticitiesType, text.str(), {}});
}

/// Applies a cICP chunk, if there is one: code points of ITU-T H.273. Sets `characteristic` for a curve of decodingTableOf().
bool readCodePoints(const Reader& r, Image& image, int& characteristic) {
    SourceInfo& source = image.source;
    png_unknown_chunkp unknown = nullptr;
    const int unknowns = png_get_unknown_chunks(r.png, r.info, &unknown);
    const auto* const end = unknown + unknowns;
    const auto* const chunk = std::find_if(unknown, unknown + unknowns,
                                           [](const png_unknown_chunk& u) { return std::memcmp(u.name, "cICP", 4) == 0 && u.size == 4; });
    if (chunk == end) return false;
    const int primaries = chunk->data[0], transfer = chunk->data[1];
    if (!decodingTableOf(transfer, 1).empty()) {
        characteristic = transfer;
        useExponent(source, 1);
        source.warnings.push_back(transfer == 16 ? "The samples were decoded from PQ (cICP): 1 is the reference white of 203 cd/m2"
                                  : transfer == 18
                                      ? "The samples were decoded from HLG (cICP): light of the scene, 1 is the reference white"
                                      : "The samples were decoded from the transfer function of ITU-R BT.709 (cICP)");
    } else if (transfer == 4 || transfer == 5 || transfer == 8) {
        useExponent(source, transfer == 4 ? 2.2 : transfer == 5 ? 2.8 : 1);
    } else if (transfer != 13) {
        source.warnings.push_back("The file names transfer function " + std::to_string(transfer) +
                                  " of ITU-T H.273 (cICP), which is not applied; samples are taken as sRGB");
    }
    if (chunk->data[3] == 0)
        source.warnings.emplace_back(
            "The file declares samples of narrow range (cICP), which is not applied; they are taken as full range");
    if (primaries != 1) {
        source.warnings.push_back("The file names primaries " + std::to_string(primaries) +
                                  " of ITU-T H.273 (cICP), which are kept and not applied");
        noteChromaticities(image, primariesOfCode(primaries));
    }
    return true;
}

void readChromaticities(const Reader& r, Image& image) {
    Chromaticities v{};
    if (!png_get_cHRM(r.png, r.info, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7])) return;
    constexpr Chromaticities kSrgb{0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
    if (std::equal(v.begin(), v.end(), kSrgb.begin(), [](double a, double b) { return std::fabs(a - b) < 2e-3; })) return;
    noteChromaticities(image, v);
}

/// Reads the transfer function of a file without cICP, sRGB before iCCP: a file with both carries the profile of sRGB.
void readOtherTransfer(const Reader& r, Image& image, bool grey) {
    SourceInfo& source = image.source;
    png_charp profileName = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 profileBytes = 0;
    int method = 0, intent = 0;
    const bool hasProfile = png_get_iCCP(r.png, r.info, &profileName, &method, &profile, &profileBytes) != 0;
    const std::string name = toUtf8(profileName ? profileName : "");
    if (hasProfile) image.metadata.push_back({"iCCP", kIccProfileType, name, {profile, profile + profileBytes}});
    if (png_get_sRGB(r.png, r.info, &intent)) return;
    if (hasProfile) return useProfile(source, {profile, profileBytes}, name, grey);
    readChromaticities(r, image);
    double fileGamma = 0;
    if (!png_get_gAMA(r.png, r.info, &fileGamma) || fileGamma < 1e-3 || fileGamma > 100) return;
    // 0.45455 (1 / 2.2) is the approximation of sRGB for readers without sRGB chunk.
    if (std::fabs(fileGamma - 0.45455) >= 1e-3) useExponent(source, 1 / fileGamma);
}

/// Reads the transfer function in the order of precedence of the PNG specification (cICP, iCCP, sRGB, gAMA). Returns the characteristic of
/// decodingTableOf() that applies, or 0.
int readTransfer(const Reader& r, Image& image, bool grey) {
    image.source.transfer = TransferFunction::sRgb;
    int characteristic = 0;
    if (!readCodePoints(r, image, characteristic)) readOtherTransfer(r, image, grey);
    return characteristic;
}

/// Orientation in the Exif chunk, which may follow the samples; 1 without one.
int orientationOf(const std::string& path) {
    constexpr std::size_t kMaxChunks = std::size_t{1} << 20, kMaxBytes = std::size_t{1} << 16;
    ByteSource file(path);
    std::array<std::uint8_t, 8> head{};  // length and name
    std::uint64_t at = 8;
    for (std::size_t chunk = 0; chunk < kMaxChunks && file.read(at, head.data(), head.size()) == head.size(); ++chunk) {
        std::uint64_t length = 0;
        for (std::size_t i = 0; i < 4; ++i) length = length << 8 | head[i];
        if (std::memcmp(head.data() + 4, "eXIf", 4) == 0 && length <= kMaxBytes) {
            std::vector<std::uint8_t> exif(static_cast<std::size_t>(length));
            return file.read(at + head.size(), exif.data(), exif.size()) == exif.size() ? exifOrientation(exif) : 1;
        }
        at += length + 12;
    }
    return 1;
}

void readDensity(const Reader& r, Image& image) {
    png_uint_32 x = 0, y = 0;
    int unit = 0;
    if (png_get_pHYs(r.png, r.info, &x, &y, &unit) && x > 0 && y > 0) {
        image.metadata.push_back({"pHYs",
                                  kPixelDensityType,
                                  std::to_string(x) + " " + std::to_string(y) + (unit == PNG_RESOLUTION_METER ? " per metre" : ""),
                                  {}});
        // Pixels twice as dense along x are half as wide.
        image.pixelAspectRatio = static_cast<double>(y) / static_cast<double>(x);
    }
}

/// Samples as libpng delivers them.
struct Layout {
    png_uint_32 width = 0, height = 0;
    int depth = 8;                ///< bits of a stored sample, or of an index
    int channels = 1, bytes = 1;  ///< of a pixel, of a sample
    bool palette = false, grey = false, interlaced = false;
    png_color_16p key = nullptr;  ///< colour of transparent pixels

    int maximum() const { return (1 << (palette ? 8 : depth)) - 1; }
};

/// Chooses conversions and checks the size, before libpng allocates and clears its rows.
Layout prepare(const std::string& path, Reader& r, const LoadOptions& options) {
    const int colour = png_get_color_type(r.png, r.info);
    Layout l;
    l.width = png_get_image_width(r.png, r.info);
    l.height = png_get_image_height(r.png, r.info);
    l.depth = png_get_bit_depth(r.png, r.info);
    l.palette = colour == PNG_COLOR_TYPE_PALETTE;
    l.grey = colour == PNG_COLOR_TYPE_GRAY || colour == PNG_COLOR_TYPE_GRAY_ALPHA;
    l.interlaced = png_get_interlace_type(r.png, r.info) != PNG_INTERLACE_NONE;
    if (l.palette) png_set_palette_to_rgb(r.png);
    // Depths below 8 are unpacked to bytes without scaling.
    else if (l.depth < 8) png_set_packing(r.png);
    if (png_get_valid(r.png, r.info, PNG_INFO_tRNS)) {
        png_bytep alphas = nullptr;
        int count = 0;
        if (l.palette) png_set_tRNS_to_alpha(r.png);
        else png_get_tRNS(r.png, r.info, &alphas, &count, &l.key);
    }
    // Deflate compresses at most 1,032 times; rows are bits, not samples.
    constexpr std::uint64_t kDeflate = 1032;
    const std::uint64_t pixelBits = static_cast<std::uint64_t>(l.depth) * png_get_channels(r.png, r.info),
                        raw = l.height * ((l.width * pixelBits + 7) / 8 + 1), onDisk = std::filesystem::file_size(path);
    if (raw > (1U << 20) && raw / (kDeflate + 8) > onDisk)
        refuseFile(path, "its header declares " + std::to_string(l.width) + " x " + std::to_string(l.height) + " pixels, which a file of " +
                             std::to_string(onDisk) + " bytes cannot hold");
    checkUnpacked(path, {l.width, l.height, 1, 1}, onDisk, options);
    const bool updated = r.attempt([&] {
        png_set_interlace_handling(r.png);
        png_read_update_info(r.png, r.info);
    });
    if (!updated) refuseFile(path, r.message);
    l.channels = png_get_channels(r.png, r.info);
    l.bytes = png_get_bit_depth(r.png, r.info) == 16 ? 2 : 1;
    return l;
}

/// Copies the stored numbers of a row. A pixel of the transparent colour has alpha 0, others the maximum.
void copyRow(const Layout& l, const png_byte* p, View<float> v, std::int64_t y) {
    for (std::int64_t x = 0; x < v.shape.width; ++x) {
        std::array<int, 4> s{};
        for (int c = 0; c < l.channels; ++c, p += l.bytes) {
            s[static_cast<std::size_t>(c)] = l.bytes == 2 ? p[0] << 8 | p[1] : p[0];
            v.at(x, y, 0, c) = static_cast<float>(s[static_cast<std::size_t>(c)]);
        }
        if (!l.key) continue;
        const bool matches = l.grey ? s[0] == l.key->gray : s[0] == l.key->red && s[1] == l.key->green && s[2] == l.key->blue;
        v.at(x, y, 0, l.channels) = matches ? 0.0F : static_cast<float>(l.maximum());
    }
}

void readRows(const std::string& path, Reader& r, const Layout& l, View<float> v, const LoadOptions& options) {
    const std::size_t rowBytes = png_get_rowbytes(r.png, r.info);
    // Each pass of an interlaced file adds to the rows of the one before.
    const int passes = l.interlaced ? 7 : 1;
    HostVector<png_byte> rows(rowBytes * (l.interlaced ? l.height : 1));
    for (int pass = 0; pass < passes; ++pass)
        for (png_uint_32 y = 0; y < l.height; ++y) {
            if (y % 64 == 0) {
                options.throwIfStopped();
                options.report(0.7 * (pass + static_cast<double>(y) / l.height) / passes);
            }
            png_bytep const row = rows.data() + (l.interlaced ? y * rowBytes : 0);
            if (!r.attempt([&] { png_read_row(r.png, row, nullptr); })) refuseFile(path, std::string("it is damaged: ") + r.message);
            if (pass + 1 == passes) copyRow(l, row, v, y);
        }
}

/// A file with an empty stream in place of its image data, so that libpng reads everything else.
struct FileWithoutRows {
    std::FILE* file = nullptr;
    std::uint64_t begin = 0, end = 0;  ///< of the image data
    std::uint64_t at = 0;              ///< in the file; within the empty stream: `begin`
    std::size_t inserted = 0;          ///< bytes of the empty stream that were read

    static void onRead(png_structp p, png_bytep to, std::size_t n) {
        auto& self = *static_cast<FileWithoutRows*>(png_get_io_ptr(p));
        // Length, type, zlib stream and CRC.
        static constexpr png_byte kChunk[] = {0, 0, 0, 8, 'I', 'D', 'A', 'T', 0x78, 0x01, 0x03, 0, 0, 0, 0, 1, 0xc6, 0x19, 0x9e, 0x2e};
        for (std::size_t done = 0; done < n;) {
            std::size_t part = n - done;
            if (self.at == self.begin) {
                part = std::min(part, sizeof kChunk - self.inserted);
                std::memcpy(to + done, kChunk + self.inserted, part);
                self.inserted += part;
                if (self.inserted == sizeof kChunk) self.at = self.end;
            } else {
                if (self.at < self.begin) part = static_cast<std::size_t>(std::min<std::uint64_t>(part, self.begin - self.at));
                if (fseeko(self.file, static_cast<off_t>(self.at), SEEK_SET) != 0 || std::fread(to + done, 1, part, self.file) != part)
                    png_error(p, "Read Error");
                self.at += part;
            }
            done += part;
        }
    }
};

/// Reads the samples and the end of the file with readPngRows(). Returns false if that is not possible; then libpng has read neither.
bool readFast(const std::string& path, std::FILE* file, Reader& r, const Layout& l, const std::vector<float>& table, Image& image,
              const LoadOptions& options) {
    if (l.palette || l.key || l.interlaced || l.depth < 8) return false;
    // libpng has read the header of the first IDAT chunk.
    const auto begin = static_cast<std::uint64_t>(ftello(file)) - 8;
    const auto end = readPngRows(path, begin, {l.width, l.height, l.channels, l.bytes}, table, image, options);
    if (!end) {
        if (fseeko(file, static_cast<off_t>(begin + 8), SEEK_SET) != 0) refuseFile(path, "it cannot be read");
        return false;
    }
    FileWithoutRows rest{file, begin, *end};
    Reader others;
    const bool started = others.start([&] { png_set_read_fn(others.png, &rest, &FileWithoutRows::onRead); });
    if (!started || !others.attempt([&] {
            png_read_update_info(others.png, others.info);
            png_read_end(others.png, nullptr);
        }))
        image.source.warnings.push_back(std::string("The end of the file is damaged: ") + others.message);
    std::memcpy(r.warning, others.warning, sizeof r.warning);  // also those on the header
    return true;
}

/// Hands out the rows of a file without interlacing.
void handOutRows(const std::string& path, Reader& r, const Layout& l, const std::vector<float>& table, const Image& image,
                 const LoadOptions& options) {
    constexpr std::int64_t kRows = 64;
    const Shape& shape = image.shape();
    std::vector<png_byte> row(png_get_rowbytes(r.png, r.info));
    for (std::int64_t first = 0; first < shape.height; first += kRows) {
        options.throwIfStopped();
        Image band(Buffer({shape.width, std::min(kRows, shape.height - first), 1, shape.channels}), image.channelNames());
        for (std::int64_t y = 0; y < band.shape().height; ++y) {
            if (!r.attempt([&] { png_read_row(r.png, row.data(), nullptr); })) refuseFile(path, std::string("it is damaged: ") + r.message);
            copyRow(l, row.data(), band.view(), y);
        }
        decodeColours(band, table, StoredAlpha::straight, options);
        options.rows(first, std::as_const(band).view());
    }
}

/// Reads the samples and the end of the file with libpng alone.
void readWithLibpng(const std::string& path, Reader& r, const Layout& l, const std::vector<float>& table, Image& image,
                    const LoadOptions& options) {
    if (options.rows) handOutRows(path, r, l, table, image, options);
    else readRows(path, r, l, image.view(), options);
    if (!r.attempt([&] { png_read_end(r.png, nullptr); }))
        image.source.warnings.push_back(std::string("The end of the file is damaged: ") + r.message);
    if (!options.rows) decodeColours(image, table, StoredAlpha::straight, options);
}

/// `handed`: the number of first rows that were handed out. Returns options that hand out the others, since damaged data are read twice.
LoadOptions onlyNewRows(const LoadOptions& options, std::int64_t& handed) {
    LoadOptions rest = options;
    if (options.rows)
        rest.rows = [&options, &handed](std::int64_t first, View<const float> rows) {
            const std::int64_t known = std::clamp<std::int64_t>(handed - first, 0, rows.shape.height);
            rows.data = rows.data + known * rows.rowStride;
            rows.shape.height -= known;
            if (rows.shape.height == 0) return;
            options.rows(first + known, rows);
            handed = first + known + rows.shape.height;
        };
    return rest;
}

Image load(const std::string& path, const std::string&, const LoadOptions& given) {
    std::int64_t handed = 0;
    LoadOptions options = onlyNewRows(given, handed);
    const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
    if (!file) refuseFile(path, "it cannot be opened");
    PngTexts texts = readPngTexts(path, options);
    Reader r;
    if (!r.start(file.get())) refuseFile(path, std::string("it is not a valid PNG: ") + r.message);
    const Layout l = prepare(path, r, options);
    const Shape shape{l.width, l.height, 1, l.channels + (l.key ? 1 : 0)};
    const int orientation = orientationOf(path);
    const bool turned = orientation >= 2 && orientation <= 8;
    // Without samples here: the description alone, or rows that are handed out.
    const bool apart = !l.interlaced && !turned && (options.rows || (options.part && options.part->empty()));
    if (!apart) options.rows = {};
    const std::uint64_t onDisk = std::filesystem::file_size(path);
    if (apart) checkUnpacked(path, shape, onDisk, options);
    else checkAffordable(path, shape, onDisk, options);

    Image image{apart ? sampleBuffer(shape, PartRange{}) : sampleBuffer(shape)};
    SourceInfo& source = image.source;
    source.format = "PNG";
    source.straightAlpha = image.alphaChannel() >= 0;
    const int characteristic = readTransfer(r, image, l.grey);
    std::move(texts.entries.begin(), texts.entries.end(), std::back_inserter(image.metadata));
    std::move(texts.notes.begin(), texts.notes.end(), std::back_inserter(source.warnings));
    readDensity(r, image);
    const std::vector<float> table =
        characteristic ? decodingTableOf(characteristic, l.maximum()) : decodingTable(source.transfer, source.gamma, l.maximum());
    const bool described = image.samples().empty() && !options.rows;
    if (!described && !readFast(path, file.get(), r, l, table, image, options)) readWithLibpng(path, r, l, table, image, options);
    // Many programs attach outdated copies of the sRGB profile.
    const bool knownCopy = std::strstr(r.warning, "known incorrect sRGB profile") != nullptr && source.transfer == TransferFunction::sRgb;
    if (r.warning[0] && !knownCopy) source.warnings.push_back(std::string("PNG: ") + r.warning);
    source.storedStatistics.resize(described ? 0 : static_cast<std::size_t>(l.channels));  // without the alpha of a transparent colour
    for (int c = 0; c < l.channels; ++c)
        source.storedChannels.push_back(
            {image.channelNames()[static_cast<std::size_t>(c)], "uint" + std::to_string(l.palette ? 8 : l.depth)});
    if (l.palette) image.metadata.push_back({"storage", "note", "palette, indices of " + std::to_string(l.depth) + " bits", {}});
    makeUpright(image, orientation);
    return image;
}

}  // namespace

Loader pngLoader() {
    return {"PNG",
            {"png", "apng"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                // A transfer as text changes the other bytes of the signature: reported as a damaged PNG.
                return startsWith(head, "PNG", 1) || hasExtension(path, {"png", "apng"});
            },
            load,
            false,
            true};
}

}  // namespace parallax
