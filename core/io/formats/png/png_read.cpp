// SPDX-License-Identifier: GPL-3.0-or-later
#include <png.h>
#include <csetjmp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <locale>
#include <memory>
#include <sstream>

#include "core/image/error.hpp"
#include "core/io/codec/icc_profile.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

struct FileCloser {
    void operator()(std::FILE* f) const { std::fclose(f); }
};

/// libpng reports errors by a callback that must not return, and its C frames may lack unwinding tables. Therefore setjmp, in functions
/// without objects that need destructors.
struct Reader {
    png_structp png = nullptr;
    png_infop info = nullptr;
    char message[256] = "";
    char warning[256] = "";

    ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
    static void onError(png_structp p, png_const_charp text) {
        auto* self = static_cast<Reader*>(png_get_error_ptr(p));
        std::snprintf(self->message, sizeof self->message, "%s", text);
        longjmp(png_jmpbuf(p), 1);
    }
    static void onWarning(png_structp p, png_const_charp text) {
        auto* self = static_cast<Reader*>(png_get_error_ptr(p));
        if (!self->warning[0]) std::snprintf(self->warning, sizeof self->warning, "%s", text);
    }
    bool start(std::FILE* file) {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &onError, &onWarning);
        if (!png) return false;
        info = png_create_info_struct(png);
        if (!info) return false;
        if (setjmp(png_jmpbuf(png))) return false;
        png_init_io(png, file);
        png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
        png_set_chunk_malloc_max(png, 64U << 20);
        png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, reinterpret_cast<png_const_bytep>("cICP"), 1);
        png_read_info(png, info);
        return true;
    }
    bool update() {
        if (setjmp(png_jmpbuf(png))) return false;
        png_set_interlace_handling(png);
        png_read_update_info(png, info);
        return true;
    }
    bool row(png_bytep bytes) {
        if (setjmp(png_jmpbuf(png))) return false;
        png_read_row(png, bytes, nullptr);
        return true;
    }
    bool finish() {
        if (setjmp(png_jmpbuf(png))) return false;
        png_read_end(png, nullptr);
        return true;
    }
};

/// Reads the transfer function in the order of precedence of the PNG specification (cICP, iCCP, sRGB, gAMA), but sRGB before iCCP: a file
/// with both carries the profile of sRGB.
void readTransfer(const Reader& r, Image& image, bool grey) {
    SourceInfo& source = image.source;
    source.transfer = TransferFunction::sRgb;
    png_unknown_chunkp unknown = nullptr;
    const int unknowns = png_get_unknown_chunks(r.png, r.info, &unknown);
    for (int i = 0; i < unknowns; ++i) {
        if (std::memcmp(unknown[i].name, "cICP", 4) != 0 || unknown[i].size != 4) continue;
        // Code points of ITU-T H.273.
        const int primaries = unknown[i].data[0], transfer = unknown[i].data[1];
        if (transfer == 8) useExponent(source, 1);
        else if (transfer == 4) useExponent(source, 2.2);
        else if (transfer == 5) useExponent(source, 2.8);
        else if (transfer != 13)
            source.warnings.push_back("The file names transfer function " + std::to_string(transfer) +
                                      " of ITU-T H.273 (cICP), which is not applied; samples are taken as sRGB");
        if (primaries != 1)
            source.warnings.push_back("The file names primaries " + std::to_string(primaries) +
                                      " of ITU-T H.273 (cICP), which are not applied");
        return;
    }
    int intent = 0;
    png_charp profileName = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 profileBytes = 0;
    int method = 0;
    const bool hasProfile = png_get_iCCP(r.png, r.info, &profileName, &method, &profile, &profileBytes) != 0;
    if (hasProfile)
        image.metadata.push_back({"iCCP", kIccProfileType, toUtf8(profileName ? profileName : ""), {profile, profile + profileBytes}});
    if (png_get_sRGB(r.png, r.info, &intent)) return;
    if (hasProfile) {
        useProfile(source, {profile, profileBytes}, toUtf8(profileName ? profileName : ""), grey);
        return;
    }
    double whiteX = 0, whiteY = 0, redX = 0, redY = 0, greenX = 0, greenY = 0, blueX = 0, blueY = 0;
    if (png_get_cHRM(r.png, r.info, &whiteX, &whiteY, &redX, &redY, &greenX, &greenY, &blueX, &blueY)) {
        const double values[] = {whiteX, whiteY, redX, redY, greenX, greenY, blueX, blueY};
        const double srgb[] = {0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06};
        std::ostringstream text;
        text.imbue(std::locale::classic());
        bool same = true;
        for (std::size_t i = 0; i < 8; ++i) {
            text << (i ? " " : "") << values[i];
            same &= std::fabs(values[i] - srgb[i]) < 2e-3;
        }
        if (!same) image.metadata.push_back({"cHRM", kChromaticitiesType, text.str(), {}});
    }
    double fileGamma = 0;
    if (!png_get_gAMA(r.png, r.info, &fileGamma) || fileGamma < 1e-3 || fileGamma > 100) return;
    // 0.45455 (1 / 2.2) is the approximation of sRGB for readers without sRGB chunk.
    if (std::fabs(fileGamma - 0.45455) < 1e-3) return;
    useExponent(source, 1 / fileGamma);
}

void readText(const Reader& r, Image& image) {
    png_textp text = nullptr;
    const int n = png_get_text(r.png, r.info, &text, nullptr);
    for (int i = 0; i < n; ++i) image.metadata.push_back({toUtf8(text[i].key), "string", toUtf8(text[i].text ? text[i].text : ""), {}});
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

/// Exact statistics of stored integers.
struct IntegerStatistics {
    std::uint32_t min = 0xffffffff, max = 0;
    std::uint64_t sum = 0, count = 0;
    void add(std::uint32_t v) {
        min = std::min(min, v);
        max = std::max(max, v);
        sum += v;
        ++count;
    }
    SampleStatistics result() const {
        SampleStatistics s;
        if (count == 0) return s;
        s.min = min;
        s.max = max;
        s.mean = static_cast<double>(sum) / static_cast<double>(count);
        return s;
    }
};

class PngLoader final : public Loader {
public:
    std::string format() const override { return "PNG"; }
    std::vector<std::string> extensions() const override { return {"png", "apng"}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        // A transfer as text changes the other bytes of the signature: reported as a damaged PNG.
        const bool letters = head.size() >= 4 && std::memcmp(head.data() + 1, "PNG", 3) == 0;
        const std::string extension = lowerExtension(path);
        return letters || extension == "png" || extension == "apng";
    }

    Image load(const std::string& path, const LoadOptions& options) const override {
        const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
        if (!file) refuseFile(path, "it cannot be opened");
        Reader r;
        if (!r.start(file.get())) refuseFile(path, std::string("it is not a valid PNG: ") + r.message);
        const png_uint_32 width = png_get_image_width(r.png, r.info), height = png_get_image_height(r.png, r.info);
        const int depth = png_get_bit_depth(r.png, r.info), colour = png_get_color_type(r.png, r.info);
        const bool palette = colour == PNG_COLOR_TYPE_PALETTE, transparent = png_get_valid(r.png, r.info, PNG_INFO_tRNS) != 0;
        const bool interlaced = png_get_interlace_type(r.png, r.info) != PNG_INTERLACE_NONE;
        const bool grey = colour == PNG_COLOR_TYPE_GRAY || colour == PNG_COLOR_TYPE_GRAY_ALPHA;
        const int storedMaximum = (1 << (palette ? 8 : depth)) - 1;
        if (palette) png_set_palette_to_rgb(r.png);
        // Depths below 8 are unpacked to bytes without scaling.
        if (!palette && depth < 8) png_set_packing(r.png);
        png_color_16p key = nullptr;
        png_bytep paletteAlpha = nullptr;
        int paletteAlphas = 0;
        if (transparent) png_get_tRNS(r.png, r.info, &paletteAlpha, &paletteAlphas, &key);
        if (palette && transparent) png_set_tRNS_to_alpha(r.png);
        // Checked before libpng allocates and clears its rows.
        const std::uint64_t rawBits = static_cast<std::uint64_t>(depth) * png_get_channels(r.png, r.info);
        // Deflate compresses at most 1,032 times; rows are bits, not samples.
        constexpr std::uint64_t kDeflate = 1032;
        const std::uint64_t raw = static_cast<std::uint64_t>(height) * ((static_cast<std::uint64_t>(width) * rawBits + 7) / 8 + 1),
                            onDisk = std::filesystem::file_size(path);
        if (raw > (1U << 20) && raw / (kDeflate + 8) > onDisk)
            refuseFile(path, "its header declares " + std::to_string(width) + " x " + std::to_string(height) + " pixels, which a file of " +
                                 std::to_string(onDisk) + " bytes cannot hold");
        checkPlausible(path, {width, height, 1, 1}, onDisk, kAnyRatio);
        if (!r.update()) refuseFile(path, r.message);

        const int stored = png_get_channels(r.png, r.info);
        const bool keyed = transparent && !palette && key;
        const bool alpha = keyed || (stored == 2 || stored == 4);
        const int channels = stored + (keyed ? 1 : 0), bytesPerSample = png_get_bit_depth(r.png, r.info) == 16 ? 2 : 1;
        const Shape shape{width, height, 1, channels};
        checkPlausible(path, shape, onDisk, kAnyRatio);

        Image image{Buffer(shape)};
        image.source.format = "PNG";
        image.source.straightAlpha = alpha;
        readTransfer(r, image, grey);
        readText(r, image);
        const std::vector<float> table = decodingTable(image.source.transfer, image.source.gamma, storedMaximum);
        std::vector<IntegerStatistics> statistics(static_cast<std::size_t>(stored));
        const View<float> v = image.view();
        const auto decodeRow = [&](const png_byte* bytes, std::int64_t y) {
            for (std::int64_t x = 0; x < v.shape.width; ++x) {
                std::uint32_t samples[4] = {};
                for (int c = 0; c < stored; ++c) {
                    const png_byte* p = bytes + (x * stored + c) * bytesPerSample;
                    samples[c] = bytesPerSample == 2 ? static_cast<std::uint32_t>(p[0]) << 8 | p[1] : p[0];
                    statistics[static_cast<std::size_t>(c)].add(samples[c]);
                }
                const int colours = alpha && !keyed ? stored - 1 : stored;
                float a = 1;
                if (keyed) {
                    const bool matches =
                        grey ? samples[0] == key->gray : samples[0] == key->red && samples[1] == key->green && samples[2] == key->blue;
                    a = matches ? 0.0F : 1.0F;
                } else if (alpha) {
                    a = static_cast<float>(samples[colours]) / static_cast<float>(storedMaximum);
                }
                // Associated alpha inside, as in EXR.
                for (int c = 0; c < colours; ++c) v.at(x, y, 0, c) = table[samples[c]] * a;
                if (alpha) v.at(x, y, 0, colours) = a;
            }
        };
        const std::size_t rowBytes = png_get_rowbytes(r.png, r.info);
        if (interlaced) {
            std::vector<png_byte> all(rowBytes * height);
            std::vector<png_bytep> rows(height);
            for (png_uint_32 y = 0; y < height; ++y) rows[y] = all.data() + y * rowBytes;
            constexpr int kPasses = 7;
            for (int pass = 0; pass < kPasses; ++pass)
                for (png_uint_32 y = 0; y < height; ++y) {
                    if (y % 64 == 0) {
                        options.throwIfStopped();
                        options.report((pass + static_cast<double>(y) / height) / kPasses);
                    }
                    if (!r.row(rows[y])) refuseFile(path, std::string("it is damaged: ") + r.message);
                }
            for (png_uint_32 y = 0; y < height; ++y) decodeRow(rows[y], y);
        } else {
            std::vector<png_byte> bytes(rowBytes);
            for (png_uint_32 y = 0; y < height; ++y) {
                if (y % 64 == 0) {
                    options.throwIfStopped();
                    options.report(static_cast<double>(y) / height);
                }
                if (!r.row(bytes.data())) refuseFile(path, std::string("it is damaged: ") + r.message);
                decodeRow(bytes.data(), y);
            }
        }
        if (!r.finish()) image.source.warnings.push_back(std::string("The end of the file is damaged: ") + r.message);
        // Many programs attach outdated copies of the sRGB profile.
        const bool knownCopy =
            std::strstr(r.warning, "known incorrect sRGB profile") != nullptr && image.source.transfer == TransferFunction::sRgb;
        if (r.warning[0] && !knownCopy) image.source.warnings.push_back(std::string("PNG: ") + r.warning);

        const std::string type = "uint" + std::to_string(palette ? 8 : depth);
        for (int c = 0; c < stored; ++c) {
            image.source.storedChannels.push_back({image.channelNames()[static_cast<std::size_t>(c)], type});
            image.source.storedStatistics.push_back(statistics[static_cast<std::size_t>(c)].result());
        }
        if (palette) image.metadata.push_back({"storage", "note", "palette, indices of " + std::to_string(depth) + " bits", {}});
        return image;
    }
};

}  // namespace

std::unique_ptr<Loader> makePngLoader() { return std::make_unique<PngLoader>(); }

}  // namespace parallax
