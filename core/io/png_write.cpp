// SPDX-License-Identifier: GPL-3.0-or-later
#include <csetjmp>
#include <png.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "parallax/image/error.hpp"
#include "parallax/io/png.hpp"

namespace parallax {
namespace {

/// As in the reader: no destructors in frames that longjmp leaves. Errors of the file are kept and thrown afterwards.
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

    bool start(png_uint_32 width, png_uint_32 height, int depth, int colour, bool srgb, double gamma, png_textp texts, int textCount) {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, &onError, &onWarning);
        if (!png) return false;
        info = png_create_info_struct(png);
        if (!info || setjmp(png_jmpbuf(png))) return false;
        png_set_write_fn(png, this, &onWrite, &onFlush);
        png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
        png_set_IHDR(png, info, width, height, depth, colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
        if (srgb) png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        else png_set_gAMA(png, info, 1 / gamma);
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
        throw Error(ErrorCode::output, "The PNG cannot be written", message);
    }
};

int depthOf(const Image& image, StoredDepth depth) {
    if (depth == StoredDepth::uint8) return 8;
    if (depth == StoredDepth::uint16) return 16;
    // 8-bit sources come back as they were; everything finer needs 16.
    for (const StoredChannel& c : image.source.storedChannels)
        if (!c.type.starts_with("uint") || c.type == "uint16" || c.type == "uint32") return 16;
    return image.source.storedChannels.empty() ? 16 : 8;
}

}  // namespace

void writePng(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options) {
    const View<const float> v = image.view();
    const int n = static_cast<int>(channels.size()), depth = depthOf(image, options.depth), maximum = (1 << depth) - 1;
    const bool alpha = n == 2 || n == 4;
    static constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    const bool integerSource = image.source.format == "PNG";
    const TransferFunction transfer = integerSource ? image.source.transfer : TransferFunction::sRgb;
    const double gamma = transfer == TransferFunction::gamma ? image.source.gamma : 1.0;

    std::vector<std::string> keys, values;
    for (const MetadataEntry& e : image.metadata)
        if (e.type == "string" && !e.name.empty() && e.name.size() < 80) {
            keys.push_back(e.name);
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
    if (!w.start(static_cast<png_uint_32>(v.shape.width), static_cast<png_uint_32>(v.shape.height), depth, kColours[n - 1],
                 transfer == TransferFunction::sRgb, gamma, texts.data(), static_cast<int>(texts.size())))
        w.fail();
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
                    stored = encodeSample(static_cast<double>(a), TransferFunction::linear, 1, maximum);
                } else {
                    const double associated = static_cast<double>(v.at(x, y, 0, channels[static_cast<std::size_t>(c)]));
                    // PNG stores unassociated alpha; a colour without coverage cannot be kept.
                    stored = encodeSample(a > 0 ? associated / static_cast<double>(a) : 0, transfer, gamma, maximum);
                }
                if (depth == 16) *out++ = static_cast<png_byte>(stored >> 8);
                *out++ = static_cast<png_byte>(stored & 255);
            }
        }
        if (!w.row(row.data())) w.fail();
    }
    if (!w.finish()) w.fail();
}

}  // namespace parallax
