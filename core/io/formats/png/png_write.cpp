// SPDX-License-Identifier: GPL-3.0-or-later
#include <png.h>
#include <csetjmp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <locale>
#include <optional>
#include <sstream>

#include "core/image/error.hpp"
#include "core/io/codec/primaries.hpp"
#include "core/io/formats/png/png.hpp"

namespace parallax {
namespace {

/// As in the reader, no destructors in frames that longjmp leaves. Errors of the file are thrown afterwards.
struct Writer {
    png_structp png = nullptr;
    png_infop info = nullptr;
    AtomicFile* file = nullptr;
    std::exception_ptr fileError;
    char message[256] = "";

    ~Writer() { png_destroy_write_struct(&png, &info); }
    static void onError(png_structp p, png_const_charp text) {
        auto* self = static_cast<Writer*>(png_get_error_ptr(p));
        std::snprintf(self->message, sizeof self->message, "%s", text);
        longjmp(png_jmpbuf(p), 1);
    }
    static void onWarning(png_structp, png_const_charp) {}
    static bool tryWrite(Writer& self, png_bytep bytes, std::size_t n) {
        try {
            self.file->write(bytes, n);
            return true;
        } catch (...) {
            self.fileError = std::current_exception();
            return false;
        }
    }
    static void onWrite(png_structp p, png_bytep bytes, std::size_t n) {
        if (!tryWrite(*static_cast<Writer*>(png_get_io_ptr(p)), bytes, n)) png_error(p, "write error");
    }
    static void onFlush(png_structp) {}

    struct Colour {
        bool srgb = true;
        double gamma = 1;
        const MetadataEntry* profile = nullptr;
        std::optional<Primaries> primaries;  ///< other than those of sRGB
        const std::array<png_uint_32, 3>* density = nullptr;
    };
    bool start(png_uint_32 width, png_uint_32 height, int depth, int type, const Colour& colour, png_textp texts, int textCount) {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, &onError, &onWarning);
        if (!png) return false;
        info = png_create_info_struct(png);
        if (!info || setjmp(png_jmpbuf(png))) return false;
        png_set_write_fn(png, this, &onWrite, &onFlush);
        png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
        png_set_IHDR(png, info, width, height, depth, type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        png_set_benign_errors(png, 1);  // invalid metadata must not prevent saving
        if (colour.profile) {
            png_set_iCCP(png, info, colour.profile->text.empty() ? "profile" : colour.profile->text.c_str(), PNG_COMPRESSION_TYPE_BASE,
                         colour.profile->raw.data(), static_cast<png_uint_32>(colour.profile->raw.size()));
        } else if (colour.primaries) {
            const Primaries& p = *colour.primaries;
            png_set_gAMA(png, info, colour.srgb ? 0.45455 : 1 / colour.gamma);
            png_set_cHRM(png, info, p.white[0], p.white[1], p.red[0], p.red[1], p.green[0], p.green[1], p.blue[0], p.blue[1]);
        } else if (colour.srgb) {
            png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        } else {
            png_set_gAMA(png, info, 1 / colour.gamma);
        }
        if (colour.density) png_set_pHYs(png, info, (*colour.density)[0], (*colour.density)[1], static_cast<int>((*colour.density)[2]));
        if (textCount > 0) png_set_text(png, info, texts, textCount);
        png_write_info(png, info);
        return true;
    }
    bool row(png_const_bytep bytes) {
        if (setjmp(png_jmpbuf(png))) return false;
        png_write_row(png, bytes);
        return true;
    }
    bool finish() {
        if (setjmp(png_jmpbuf(png))) return false;
        png_write_end(png, info);
        return true;
    }
    [[noreturn]] void fail() const {
        if (fileError) std::rethrow_exception(fileError);
        throw Error(ErrorCode::output, "Cannot write the PNG", message);
    }
};

int depthOf(const Image& image, StoredDepth depth) {
    if (depth == StoredDepth::uint8) return 8;
    if (depth == StoredDepth::uint16) return 16;
    // 8-bit sources keep 8 bits; all others need 16.
    for (const StoredChannel& c : image.source.storedChannels)
        if (!c.type.starts_with("uint") || c.type == "uint16" || c.type == "uint32") return 16;
    return image.source.storedChannels.empty() ? 16 : 8;
}

/// Returns a valid keyword of 1 to 79 printable characters; libpng refuses files with others.
std::string keyword(const std::string& name) {
    std::string key;
    for (const char c : name.substr(0, 79)) key += c > ' ' && c < 0x7f ? c : '_';
    return key;
}

const MetadataEntry* findEntry(const Image& image, const std::string& type) {
    const auto it = std::find_if(image.metadata.begin(), image.metadata.end(), [&](const MetadataEntry& e) { return e.type == type; });
    return it == image.metadata.end() ? nullptr : &*it;
}

template <class T, std::size_t N>
bool readNumbers(const std::string& text, std::array<T, N>& values, std::size_t needed) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    for (std::size_t i = 0; i < needed; ++i)
        if (!(in >> values[i])) return false;
    return true;
}

/// Readers refuse a profile for grey in a colour file and the reverse.
bool profileFits(const MetadataEntry& profile, int channels) {
    return profile.raw.size() > 132 && std::memcmp(profile.raw.data() + 16, channels <= 2 ? "GRAY" : "RGB ", 4) == 0;
}

}  // namespace

void writePng(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
              std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    const int n = static_cast<int>(channels.size()), depth = depthOf(image, options.depth), maximum = (1 << depth) - 1;
    const bool alpha = n == 2 || n == 4;
    static constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    const bool integerSource = image.source.format == "PNG";
    const bool asItCame = integerSource && options.encoding == StoredEncoding::automatic;
    const TransferFunction transfer = asItCame                                     ? image.source.transfer
                                      : options.encoding == StoredEncoding::linear ? TransferFunction::linear
                                                                                   : TransferFunction::sRgb;
    const double gamma = transfer == TransferFunction::gamma ? image.source.gamma : 1.0;

    std::vector<std::string> keys, values;
    for (const MetadataEntry& e : image.metadata)
        if (e.type == "string" && !e.name.empty()) {
            keys.push_back(keyword(e.name));
            values.push_back(e.text);
        }
    for (const std::string& p : image.provenance) {
        keys.emplace_back("Processing");
        values.push_back(p);
    }
    std::vector<png_text> texts(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        texts[i] = png_text{};
        texts[i].compression = PNG_ITXT_COMPRESSION_NONE;
        texts[i].key = keys[i].data();
        texts[i].text = values[i].data();
        texts[i].itxt_length = values[i].size();
    }

    Writer w;
    w.file = &file;
    Writer::Colour colour;
    colour.srgb = transfer == TransferFunction::sRgb;
    colour.gamma = gamma;
    // The sRGB chunk would name primaries, too.
    if (n >= 3 || integerSource) colour.primaries = unusualPrimaries(image);
    std::array<png_uint_32, 3> density{};
    if (integerSource) {
        // The pixel density always stays; the profile, which has a tone curve, only if the curve is kept.
        const MetadataEntry* profile = findEntry(image, kIccProfileType);
        const MetadataEntry* dots = findEntry(image, kPixelDensityType);
        if (profile && profileFits(*profile, n)) {
            if (asItCame) colour.profile = profile;
            else notes.emplace_back("The colour profile was not saved: its tone curve is not that of the chosen encoding");
        }
        if (dots && readNumbers(dots->text, density, 2)) {
            density[2] = dots->text.ends_with("metre") ? PNG_RESOLUTION_METER : PNG_RESOLUTION_UNKNOWN;
            colour.density = &density;
        }
    }
    if (v.shape.width > 0x7fffffff || v.shape.height > 0x7fffffff) throw Error(ErrorCode::usage, "The image is too large for PNG");
    if (!w.start(static_cast<png_uint_32>(v.shape.width), static_cast<png_uint_32>(v.shape.height), depth, kColours[n - 1], colour,
                 texts.data(), static_cast<int>(texts.size())))
        w.fail();
    SampleEncoder encodeColour(transfer, gamma, maximum), encodeAlpha(TransferFunction::linear, 1, maximum);
    std::vector<png_byte> row(static_cast<std::size_t>(v.shape.width) * static_cast<std::size_t>(n) * (depth == 16 ? 2 : 1));
    for (std::int64_t y = 0; y < v.shape.height; ++y) {
        if (y % 64 == 0) {
            if (options.stop.stop_requested()) throw Error(ErrorCode::cancelled, "Saving was cancelled");
            if (options.progress) options.progress(static_cast<double>(y) / static_cast<double>(v.shape.height));
        }
        png_bytep out = row.data();
        for (std::int64_t x = 0; x < v.shape.width; ++x) {
            const float a = alpha ? v.at(x, y, 0, channels.back()) : 1.0F;
            for (int c = 0; c < n; ++c) {
                int stored = 0;
                if (alpha && c == n - 1) {
                    stored = encodeAlpha(a);
                } else {
                    const float associated = v.at(x, y, 0, channels[static_cast<std::size_t>(c)]);
                    // PNG stores unassociated alpha: the colour of a transparent pixel is lost.
                    stored = encodeColour(alpha ? (a > 0 ? associated / a : 0) : associated);
                }
                if (depth == 16) *out++ = static_cast<png_byte>(stored >> 8);
                *out++ = static_cast<png_byte>(stored & 255);
            }
        }
        if (!w.row(row.data())) w.fail();
    }
    if (!w.finish()) w.fail();
    noteClipped(encodeColour.outside() + encodeAlpha.outside(), notes);
}

}  // namespace parallax
