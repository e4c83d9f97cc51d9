// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <locale>
#include <optional>
#include <sstream>
#include <utility>

#include "core/image/error.hpp"
#include "core/io/codec/colour_profile.hpp"
#include "core/io/codec/stored_colours.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/png/png.hpp"
#include "core/io/formats/png/png_handle.hpp"
#include "core/io/formats/png/png_rows.hpp"

namespace parallax {
namespace {

/// Colours and pixels as a file describes them.
struct Colour {
    TransferFunction transfer = TransferFunction::sRgb;
    double gamma = 1;                        ///< if `transfer` is a gamma
    const MetadataEntry* profile = nullptr;  ///< replaces the others
    std::optional<Primaries> primaries;      ///< other than those of sRGB
    bool unknownPrimaries = false;           ///< other than those of sRGB, and nothing more is known of them
    std::array<png_uint_32, 3> density{};    ///< pixels per unit across and down, and the unit; 0: unknown
};

/// Exceptions of the file are kept, since they must not pass C frames.
struct Writer : PngHandle {
    AtomicFile& file;
    std::exception_ptr fileError;

    explicit Writer(AtomicFile& to) : file(to) {}
    ~Writer() { png_destroy_write_struct(&png, &info); }
    static bool tryWrite(Writer& self, png_bytep bytes, std::size_t n) {
        try {
            self.file.write(bytes, n);
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

    /// Calls functions of libpng. Throws what the file threw, or Error(output).
    template <class F>
    void call(const F& calls) {
        if (attempt(calls)) return;
        if (fileError) std::rethrow_exception(fileError);
        throw Error(ErrorCode::output, "Cannot write the PNG", message);
    }
    void start(const Shape& shape, int depth, int type, const Colour& colour, std::vector<png_text>& texts) {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, static_cast<PngHandle*>(this), &onError, &onWarning);
        info = png ? png_create_info_struct(png) : nullptr;
        if (!info) throw std::bad_alloc();
        call([&] {
            png_set_write_fn(png, this, &onWrite, &onFlush);
            png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
            png_set_IHDR(png, info, static_cast<png_uint_32>(shape.width), static_cast<png_uint_32>(shape.height), depth, type,
                         PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
            png_set_benign_errors(png, 1);  // invalid metadata must not prevent saving
            setColour(colour);
            if (colour.density[0] > 0) png_set_pHYs(png, info, colour.density[0], colour.density[1], static_cast<int>(colour.density[2]));
            if (!texts.empty()) png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
            png_write_info(png, info);
        });
    }
    void setColour(const Colour& colour) {
        const bool srgb = colour.transfer == TransferFunction::sRgb;
        if (colour.profile) {
            png_set_iCCP(png, info, colour.profile->text.empty() ? "profile" : colour.profile->text.c_str(), PNG_COMPRESSION_TYPE_BASE,
                         colour.profile->raw.data(), static_cast<png_uint_32>(colour.profile->raw.size()));
        } else if (srgb && !colour.primaries && !colour.unknownPrimaries) {
            png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
        } else {
            png_set_gAMA(png, info, srgb ? 0.45455 : 1 / colour.gamma);
            if (const auto& p = colour.primaries)
                png_set_cHRM(png, info, p->white[0], p->white[1], p->red[0], p->red[1], p->green[0], p->green[1], p->blue[0], p->blue[1]);
        }
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

/// Readers refuse a profile for grey in a colour file and the reverse.
bool profileFits(const MetadataEntry& profile, int channels) {
    return profile.raw.size() > 132 && std::memcmp(profile.raw.data() + 16, channels <= 2 ? "GRAY" : "RGB ", 4) == 0;
}

/// The properties of a PNG that an image came from are kept where they are still true.
Colour colourOf(const Image& image, int channels, StoredEncoding encoding, std::vector<std::string>& notes) {
    const bool fromPng = image.source.format == "PNG", asItCame = fromPng && encoding == StoredEncoding::automatic;
    Colour colour;
    if (asItCame) colour.transfer = image.source.transfer;
    else if (encoding == StoredEncoding::linear) colour.transfer = TransferFunction::linear;
    if (colour.transfer == TransferFunction::gamma) colour.gamma = image.source.gamma;
    // The sRGB chunk would name primaries, too.
    if (channels >= 3 || fromPng) colour.primaries = unusualPrimaries(image);
    colour.unknownPrimaries = hasUnknownPrimaries(image);
    if (const MetadataEntry* const profile = findEntry(image, kIccProfileType);
        profile && profileFits(*profile, channels) && (fromPng || !namesSrgb(profile->raw))) {
        if (asItCame) colour.profile = profile;
        else notes.emplace_back("The colour profile was not saved: its tone curve may not be that of the file, which names no primaries");
        colour.unknownPrimaries = channels >= 3 && !namesSrgb(profile->raw);
    }
    if (!fromPng) return colour;
    if (const MetadataEntry* const dots = findEntry(image, kPixelDensityType)) {
        std::istringstream in(dots->text);
        in.imbue(std::locale::classic());
        if (!(in >> colour.density[0] >> colour.density[1])) colour.density[0] = 0;
        colour.density[2] = dots->text.ends_with("metre") ? PNG_RESOLUTION_METER : PNG_RESOLUTION_UNKNOWN;
    }
    return colour;
}

/// Texts with their storage, to which png_text points.
struct Texts {
    std::vector<std::pair<std::string, std::string>> entries;
    std::vector<png_text> list;

    explicit Texts(const Image& image) {
        for (const MetadataEntry& e : image.metadata)
            if (e.type == "string" && !e.name.empty()) entries.emplace_back(keyword(e.name), e.text);
        for (const std::string& p : image.provenance) entries.emplace_back("Processing", p);
        for (auto& [key, value] : entries) {
            png_text& text = list.emplace_back(png_text{});
            text.compression = PNG_ITXT_COMPRESSION_NONE;
            text.key = key.data();
            text.text = value.data();
            text.itxt_length = value.size();
        }
    }
};

}  // namespace

void writePng(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
              std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    const int n = static_cast<int>(channels.size()), depth = depthOf(image, options.depth);
    static constexpr int kColours[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    if (v.shape.width > 0x7fffffff || v.shape.height > 0x7fffffff) throw Error(ErrorCode::usage, "The image is too large for PNG");
    const Colour colour = colourOf(image, n, options.encoding, notes);
    Texts texts(image);
    Writer w(file);
    w.start(v.shape, depth, kColours[n - 1], colour, texts.list);
    const RowPacker pack(v, channels, depth, colour.transfer, colour.gamma, std::endian::big);
    const std::size_t pixelBytes = static_cast<std::size_t>(n * depth / 8);
    std::atomic<std::uint64_t> clipped{0};
    writePngRows(file, {v.shape.height, pack.rowBytes(), pixelBytes, [&](std::int64_t y, std::uint8_t* to) { clipped += pack(y, to); }},
                 options);
    // png_write_end() would miss the rows.
    w.call([&] { png_write_chunk(w.png, reinterpret_cast<png_const_bytep>("IEND"), nullptr, 0); });
    noteClipped(clipped, notes);
}

std::string encodePng(int width, int height, const std::vector<std::uint8_t>& rgb) {
    if (width < 1 || height < 1 || rgb.size() != std::size_t{3} * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
        throw Error(ErrorCode::failed, "A picture has the wrong number of samples");
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(width);
    image.height = static_cast<png_uint_32>(height);
    image.format = PNG_FORMAT_RGB;
    // An upper bound, so that it is compressed once.
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string file(bytes, '\0');
    if (!png_image_write_to_memory(&image, file.data(), &bytes, 0, rgb.data(), 0, nullptr))
        throw Error(ErrorCode::failed, "A picture could not be encoded", image.message);
    file.resize(bytes);
    return file;
}

}  // namespace parallax
