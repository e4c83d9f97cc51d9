// SPDX-License-Identifier: GPL-3.0-or-later
// PNG files to images, row by row into the planes.
#include <csetjmp>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "parallax/image/error.hpp"
#include "parallax/image/transfer.hpp"
#include "parallax/io/formats.hpp"
#include "parallax/io/limits.hpp"
#include "parallax/io/png.hpp"

namespace parallax {
namespace {

struct FileCloser {
    void operator()(std::FILE* f) const { std::fclose(f); }
};

/// libpng reports errors by a callback that must not return; an exception is allowed to leave it when libpng is only
/// entered from C++ frames, but libpng itself is C without unwinding tables on some systems: so setjmp, in functions whose
/// frames hold nothing that needs a destructor.
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
    bool image(png_bytepp rows) {
        if (setjmp(png_jmpbuf(png))) return false;
        png_read_image(png, rows);
        return true;
    }
    bool finish() {
        if (setjmp(png_jmpbuf(png))) return false;
        png_read_end(png, nullptr);
        return true;
    }
};

/// Which transfer function do the chunks name?
void readTransfer(const Reader& r, SourceInfo& source, bool grey) {
    source.transfer = TransferFunction::sRgb;
    int intent = 0;
    double fileGamma = 0;
    if (png_get_sRGB(r.png, r.info, &intent)) return;
    png_charp profileName = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 profileBytes = 0;
    int method = 0;
    const bool hasGamma = png_get_gAMA(r.png, r.info, &fileGamma) != 0 && fileGamma > 1e-3 && fileGamma < 100;
    if (png_get_iCCP(r.png, r.info, &profileName, &method, &profile, &profileBytes)) {
        // The curve of a profile: "rTRC" (or "kTRC") of type "curv" with no entries is linear, with one entry a gamma.
        for (png_uint_32 tag = 0; profileBytes >= 132; ++tag) {
            const auto u32 = [&](std::uint64_t at) -> std::uint64_t {
                if (at + 4 > profileBytes) return 0;
                return (std::uint64_t{profile[at]} << 24) | (std::uint64_t{profile[at + 1]} << 16) | (std::uint64_t{profile[at + 2]} << 8) | profile[at + 3];
            };
            if (tag >= u32(128) || tag > 200) break;
            const std::uint64_t entry = 132 + 12ULL * tag, offset = u32(entry + 4);
            if (entry + 12 > profileBytes || std::memcmp(profile + entry, grey ? "kTRC" : "rTRC", 4) != 0) continue;
            if (offset + 14 > profileBytes) break;
            const bool curve = std::memcmp(profile + offset, "curv", 4) == 0, parametric = std::memcmp(profile + offset, "para", 4) == 0;
            const std::uint64_t count = u32(offset + 8);
            if ((curve && count == 0) || (parametric && (u32(offset + 8) >> 16) == 0 && u32(offset + 12) == 0x10000)) {
                source.transfer = TransferFunction::linear;
                return;
            }
            if (curve && count == 1) {
                source.transfer = TransferFunction::gamma;
                source.gamma = (profile[offset + 12] * 256 + profile[offset + 13]) / 256.0;
                if (source.gamma == 1.0) source.transfer = TransferFunction::linear;
                return;
            }
            break;
        }
        source.warnings.push_back(std::string("The colour profile '") + (profileName ? profileName : "") + "' is not applied; samples are taken as sRGB");
        return;
    }
    if (!hasGamma) return;
    // 0.45455 is how sRGB files say "about 1 / 2.2" for readers that know no sRGB chunk.
    if (std::fabs(fileGamma - 0.45455) < 1e-3) return;
    source.gamma = 1 / fileGamma;
    source.transfer = std::fabs(source.gamma - 1) < 1e-3 ? TransferFunction::linear : TransferFunction::gamma;
}

void readText(const Reader& r, Image& image) {
    png_textp text = nullptr;
    const int n = png_get_text(r.png, r.info, &text, nullptr);
    for (int i = 0; i < n; ++i) image.metadata.push_back({text[i].key, "string", text[i].text ? text[i].text : "", {}});
    png_uint_32 x = 0, y = 0;
    int unit = 0;
    if (png_get_pHYs(r.png, r.info, &x, &y, &unit))
        image.metadata.push_back({"pHYs", "pixels per metre", std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(unit), {}});
}

/// Integer statistics of stored samples: exact.
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
        return (head.size() >= 8 && png_sig_cmp(head.data(), 0, 8) == 0) || lowerExtension(path) == "png";
    }

    Image load(const std::string& path, const LoadOptions& options) const override {
        const auto refuse = [&](const std::string& why) {
            throw Error(ErrorCode::input, "'" + path + "' cannot be read", why, "Get the file again from its source");
        };
        const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
        if (!file) refuse("it cannot be opened");
        Reader r;
        if (!r.start(file.get())) refuse(std::string("it is not a valid PNG: ") + r.message);
        const png_uint_32 width = png_get_image_width(r.png, r.info), height = png_get_image_height(r.png, r.info);
        const int depth = png_get_bit_depth(r.png, r.info), colour = png_get_color_type(r.png, r.info);
        const bool palette = colour == PNG_COLOR_TYPE_PALETTE, transparent = png_get_valid(r.png, r.info, PNG_INFO_tRNS) != 0;
        const bool interlaced = png_get_interlace_type(r.png, r.info) != PNG_INTERLACE_NONE;
        const bool grey = colour == PNG_COLOR_TYPE_GRAY || colour == PNG_COLOR_TYPE_GRAY_ALPHA;
        const int storedMaximum = (1 << (palette ? 8 : depth)) - 1;
        if (palette) png_set_palette_to_rgb(r.png);
        // Depths below 8 come one sample a byte, not scaled: the table knows the maximum.
        if (!palette && depth < 8) png_set_packing(r.png);
        png_color_16p key = nullptr;
        png_bytep paletteAlpha = nullptr;
        int paletteAlphas = 0;
        if (transparent) png_get_tRNS(r.png, r.info, &paletteAlpha, &paletteAlphas, &key);
        if (palette && transparent) png_set_tRNS_to_alpha(r.png);
        if (!r.update()) refuse(r.message);

        const int stored = png_get_channels(r.png, r.info);
        const bool keyed = transparent && !palette && key;
        const bool alpha = keyed || (stored == 2 || stored == 4);
        const int channels = stored + (keyed ? 1 : 0), bytesPerSample = png_get_bit_depth(r.png, r.info) == 16 ? 2 : 1;
        const Shape shape{width, height, 1, channels};
        checkPlausible(path, shape, std::filesystem::file_size(path));

        Image image{Buffer(shape)};
        image.source.format = "PNG";
        image.source.straightAlpha = alpha;
        readTransfer(r, image.source, grey);
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
                    const bool matches = grey ? samples[0] == key->gray : samples[0] == key->red && samples[1] == key->green && samples[2] == key->blue;
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
            if (!r.image(rows.data())) refuse(std::string("it is damaged: ") + r.message);
            for (png_uint_32 y = 0; y < height; ++y) decodeRow(rows[y], y);
        } else {
            std::vector<png_byte> bytes(rowBytes);
            for (png_uint_32 y = 0; y < height; ++y) {
                if (y % 64 == 0) {
                    options.throwIfStopped();
                    options.report(static_cast<double>(y) / height);
                }
                if (!r.row(bytes.data())) refuse(std::string("it is damaged: ") + r.message);
                decodeRow(bytes.data(), y);
            }
        }
        if (!r.finish()) image.source.warnings.push_back(std::string("The end of the file is damaged: ") + r.message);
        if (r.warning[0]) image.source.warnings.push_back(std::string("PNG: ") + r.warning);

        const std::string type = "uint" + std::to_string(palette ? 8 : depth);
        for (int c = 0; c < stored; ++c) {
            image.source.storedChannels.push_back({image.channelNames()[static_cast<std::size_t>(c)], type});
            image.source.storedStatistics.push_back(statistics[static_cast<std::size_t>(c)].result());
        }
        if (palette) image.metadata.push_back({"palette", "note", "Stored with a palette of " + std::to_string(depth) + "-bit indices", {}});
        return image;
    }
};

}  // namespace

std::vector<float> decodingTable(TransferFunction transfer, double gamma, int maximum) {
    std::vector<float> table(static_cast<std::size_t>(maximum) + 1);
    for (int i = 0; i <= maximum; ++i) {
        const double v = static_cast<double>(i) / maximum;
        const double linear = transfer == TransferFunction::sRgb ? srgbToLinear(v) : transfer == TransferFunction::gamma ? std::pow(v, gamma) : v;
        table[static_cast<std::size_t>(i)] = static_cast<float>(linear);
    }
    return table;
}

int encodeSample(double linear, TransferFunction transfer, double gamma, int maximum) {
    if (!(linear > 0)) return 0;  // NaN too
    if (linear >= 1) return maximum;
    const double v = transfer == TransferFunction::sRgb ? linearToSrgb(linear) : transfer == TransferFunction::gamma ? std::pow(linear, 1 / gamma) : linear;
    return static_cast<int>(std::lround(v * maximum));
}

std::unique_ptr<Loader> makePngLoader() { return std::make_unique<PngLoader>(); }

}  // namespace parallax
