// SPDX-License-Identifier: GPL-3.0-or-later
// Radiance HDR and PFM. OpenCV supports both, but through temporary files, with errors on the terminal, and ignores a full disk.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

namespace parallax {
namespace {

template <class Options>
void step(const Options& options, std::int64_t y, std::int64_t height) {
    if (y % 64 != 0) return;
    options.throwIfStopped();
    options.report(static_cast<double>(y) / static_cast<double>(height));
}

void markIncomplete(const std::string& path, Image& image, std::int64_t lines) {
    if (lines == 0) refuseFile(path, "it is truncated before the first scan line");
    image.source.incomplete = true;
    image.source.warnings.push_back("The file is truncated: " + std::to_string(lines) + " of " + std::to_string(image.shape().height) +
                                    " scan lines were read, the others are 0");
}

void clear(Image& image) {
    if (!image.samples().empty()) std::memset(image.samples().data(), 0, image.samples().bytes());
}

/// Four bytes per pixel: mantissas of red, green and blue, and their common exponent.
using Rgbe = std::array<std::uint8_t, 4>;

bool readPixel(std::streambuf& in, Rgbe& pixel) { return in.sgetn(reinterpret_cast<char*>(pixel.data()), 4) == 4; }

/// Old run-length encoding: (1, 1, 1, n) repeats the last pixel; consecutive ones count in base 256.
bool readOldLine(std::streambuf& in, Rgbe pixel, std::vector<Rgbe>& pixels) {
    int shift = 0;
    for (std::size_t x = 0;;) {
        if (pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1) {
            if (x == 0 || shift > 16) return false;
            const std::size_t n = static_cast<std::size_t>(pixel[3]) << shift;
            if (n > pixels.size() - x) return false;
            for (std::size_t i = 0; i < n; ++i, ++x) pixels[x] = pixels[x - 1];
            shift += 8;
        } else {
            pixels[x++] = pixel;
            shift = 0;
        }
        if (x == pixels.size()) return true;
        if (!readPixel(in, pixel)) return false;
    }
}

bool readLine(std::streambuf& in, std::vector<Rgbe>& pixels) {
    Rgbe first{};
    if (!readPixel(in, first)) return false;
    const std::size_t width = pixels.size();
    const bool planes = width >= 8 && width < 32768 && first[0] == 2 && first[1] == 2 && first[2] < 128;
    if (!planes) return readOldLine(in, first, pixels);
    if (static_cast<std::size_t>(first[2]) * 256 + first[3] != width) return false;
    for (std::size_t component = 0; component < 4; ++component)
        for (std::size_t x = 0; x < width;) {
            const int count = in.sbumpc();
            if (count == std::char_traits<char>::eof() || count == 0) return false;
            const bool run = count > 128;
            const std::size_t n = static_cast<std::size_t>(run ? count - 128 : count);
            if (x + n > width) return false;
            int value = 0;
            for (std::size_t i = 0; i < n; ++i) {
                if (!run || i == 0) value = in.sbumpc();
                if (value == std::char_traits<char>::eof()) return false;
                pixels[x++][component] = static_cast<std::uint8_t>(value);
            }
        }
    return true;
}

/// Factors of the stored colours, EXPOSURE and COLORCORR of the header: the light is the quotient. Lines multiply each other.
struct RadianceScale {
    double exposure = 1;
    std::array<double, 3> correction{1, 1, 1};
    std::vector<std::string> warnings{};

    /// Takes a line of the header if it is one of both.
    bool take(const std::string& name, const std::string& value) {
        const bool exposed = name == "EXPOSURE";
        if (!exposed && name != "COLORCORR") return false;
        std::istringstream in(value);
        in.imbue(std::locale::classic());
        std::array<double, 3> factors{1, 1, 1};
        in >> factors[0];
        if (!exposed) in >> factors[1] >> factors[2];
        const bool valid =
            static_cast<bool>(in) && std::all_of(factors.begin(), factors.end(), [](double f) { return f > 0 && std::isfinite(f); });
        if (!valid) {
            warnings.push_back("The " + name + " in the header, '" + toUtf8(value) + "', is not valid and was ignored");
            return true;
        }
        if (exposed) exposure *= factors[0];
        for (std::size_t c = 0; !exposed && c < 3; ++c) correction[c] *= factors[c];
        return true;
    }
    std::array<double, 3> lightPerValue() const {
        return {1 / (exposure * correction[0]), 1 / (exposure * correction[1]), 1 / (exposure * correction[2])};
    }
    /// Says that samples were divided.
    void note(Image& image) const {
        const auto add = [&](const char* name, const std::string& value) {
            image.metadata.push_back({name, "note", value + " (samples were divided by it)", {}});
        };
        std::ostringstream text;
        text.imbue(std::locale::classic());
        if (exposure != 1) {
            text << exposure;
            add("EXPOSURE", text.str());
        }
        if (correction != std::array<double, 3>{1, 1, 1}) {
            text.str({});
            text << correction[0] << " " << correction[1] << " " << correction[2];
            add("COLORCORR", text.str());
        }
        image.source.warnings.insert(image.source.warnings.end(), warnings.begin(), warnings.end());
    }
};

Image loadRadiance(const std::string& path, const std::string&, const LoadOptions& options) {
    std::ifstream file(path, std::ios::binary);
    std::vector<MetadataEntry> metadata;
    RadianceScale scale;
    std::string line;
    constexpr std::size_t kLongestLine = 4096, kMaxLines = 1000;
    std::size_t lines = 0;
    for (; std::getline(file, line) && !line.empty() && line != "\r"; ++lines) {
        if (lines > kMaxLines || line.size() > kLongestLine) refuseFile(path, "its header does not end");
        if (line.back() == '\r') line.pop_back();
        const auto equals = line.find('=');
        // Ignores comments and repeated signatures.
        if (line.starts_with("#") || equals == std::string::npos) continue;
        if (line.starts_with("FORMAT=") && line.find("32-bit_rle_rgbe") == std::string::npos)
            refuseFile(path, "its samples are stored as '" + toUtf8(line.substr(equals + 1)) + "', only 32-bit_rle_rgbe is supported",
                       "Convert it to RGBE");
        if (!scale.take(line.substr(0, equals), line.substr(equals + 1)))
            metadata.push_back({toUtf8(line.substr(0, equals)), "string", toUtf8(line.substr(equals + 1)), {}});
    }
    std::getline(file, line);
    char signs[2] = {}, axes[2] = {};
    long long extents[2] = {};
    std::istringstream resolution(line.substr(0, kLongestLine));
    resolution.imbue(std::locale::classic());
    resolution >> signs[0] >> axes[0] >> extents[0] >> signs[1] >> axes[1] >> extents[1];
    if (!resolution || axes[0] + axes[1] != 'X' + 'Y' || extents[0] <= 0 || extents[1] <= 0)
        refuseFile(path, "its header has no valid size");
    if (axes[0] != 'Y')
        refuseFile(path, "its scan lines are vertical, which is not supported", "Rotate it by 90 degrees in another program");
    const Shape shape{extents[1], extents[0], 1, 3};
    checkPlausible(path, shape, std::filesystem::file_size(path), kDeflateRatio, options);

    Image image{sampleBuffer(shape)};
    clear(image);
    const View<float> v = image.view();
    const bool described = image.samples().empty();
    const std::array<double, 3> perValue = scale.lightPerValue();
    std::vector<Rgbe> pixels(static_cast<std::size_t>(shape.width));
    std::int64_t y = 0;
    for (; !described && y < shape.height && readLine(*file.rdbuf(), pixels); ++y) {
        step(options, y, shape.height);
        const std::int64_t row = signs[0] == '-' ? y : shape.height - 1 - y;
        for (std::int64_t x = 0; x < shape.width; ++x) {
            const Rgbe& p = pixels[static_cast<std::size_t>(signs[1] == '+' ? x : shape.width - 1 - x)];
            const double unit = p[3] == 0 ? 0 : std::ldexp(1, p[3] - 136);
            for (std::size_t c = 0; c < 3; ++c)
                v.at(x, row, 0, static_cast<std::int64_t>(c)) = static_cast<float>(p[c] * unit * perValue[c]);
        }
    }
    if (!described && y < shape.height) markIncomplete(path, image, y);
    image.metadata = std::move(metadata);
    scale.note(image);
    describeAsFloat(image, "Radiance HDR");
    return image;
}

Image loadPfm(const std::string& path, const std::string&, const LoadOptions& options) {
    std::ifstream file(path, std::ios::binary);
    file.imbue(std::locale::classic());
    std::string kind;
    long long width = 0, height = 0;
    double scale = 0;
    file >> kind >> width >> height >> scale;
    if (!file || width <= 0 || height <= 0 || !std::isspace(file.get())) refuseFile(path, "its header has no valid size");
    const Shape shape{width, height, 1, kind == "PF" ? 3 : 1};
    checkPlausible(path, shape, std::filesystem::file_size(path), 4, options);

    Image image{sampleBuffer(shape)};
    clear(image);
    const View<float> v = image.view();
    const bool described = image.samples().empty();
    std::vector<std::uint32_t> samples(static_cast<std::size_t>(width * shape.channels));
    const bool little = scale < 0;
    std::int64_t y = 0;
    for (; !described && y < height; ++y) {
        step(options, y, height);
        if (!file.read(reinterpret_cast<char*>(samples.data()), static_cast<std::streamsize>(samples.size() * 4))) break;
        // Stored bottom up.
        const std::uint32_t* p = samples.data();
        for (std::int64_t x = 0; x < width; ++x)
            for (std::int64_t c = 0; c < shape.channels; ++c, ++p)
                v.at(x, height - 1 - y, 0, c) =
                    std::bit_cast<float>(little == (std::endian::native == std::endian::little) ? *p : __builtin_bswap32(*p));
    }
    if (!described && y < height) markIncomplete(path, image, y);
    // The scale has no defined unit: samples stay as stored, as in other programs.
    if (std::fabs(scale) != 1) {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text << std::fabs(scale);
        image.metadata.push_back({"scale", "string", text.str(), {}});
    }
    describeAsFloat(image, "PFM");
    return image;
}

Rgbe toRgbe(const std::array<float, 3>& colour) {
    const float largest = std::max({colour[0], colour[1], colour[2]});
    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    // Rounding may carry into the next power of two.
    if (std::lround(std::ldexp(largest, 8 - exponent)) > 255) ++exponent;
    if (!(largest > 0) || exponent < -127) return {};
    Rgbe p{};
    for (std::size_t c = 0; c < 3; ++c) p[c] = static_cast<std::uint8_t>(std::lround(std::ldexp(colour[c], 8 - exponent)));
    p[3] = static_cast<std::uint8_t>(exponent + 128);
    return p;
}

/// Writes runs of at least 4 equal bytes, and literal bytes between them.
void packPlane(const std::vector<Rgbe>& pixels, std::size_t component, std::vector<std::uint8_t>& out) {
    constexpr std::size_t kShortestRun = 4, kLongestRun = 127, kLongestRest = 128;
    const std::size_t n = pixels.size();
    const auto runAt = [&](std::size_t x) {
        std::size_t end = x + 1;
        while (end < n && end - x < kLongestRun && pixels[end][component] == pixels[x][component]) ++end;
        return end - x;
    };
    for (std::size_t x = 0; x < n;) {
        const std::size_t run = runAt(x);
        if (run >= kShortestRun) {
            out.push_back(static_cast<std::uint8_t>(128 + run));
            out.push_back(pixels[x][component]);
            x += run;
            continue;
        }
        const std::size_t start = x;
        while (x < n && x - start < kLongestRest) {
            const std::size_t next = runAt(x);
            if (next >= kShortestRun) break;
            x = std::min(x + next, start + kLongestRest);
        }
        out.push_back(static_cast<std::uint8_t>(x - start));
        for (std::size_t i = start; i < x; ++i) out.push_back(pixels[i][component]);
    }
}

}  // namespace

void writeRadiance(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
                   std::vector<std::string>& notes) {
    const View<const float> v = image.view();
    file.write("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(v.shape.height) + " +X " + std::to_string(v.shape.width) +
               "\n");
    const bool packed = v.shape.width >= 8 && v.shape.width < 32768;
    // Largest sample of the format.
    const float limit = std::ldexp(255.0F, 255 - 136);
    std::uint64_t clipped = 0;
    std::vector<Rgbe> pixels(static_cast<std::size_t>(v.shape.width));
    std::vector<std::uint8_t> line;
    for (std::int64_t y = 0; y < v.shape.height; ++y) {
        step(options, y, v.shape.height);
        for (std::int64_t x = 0; x < v.shape.width; ++x) {
            std::array<float, 3> colour{};
            for (std::size_t c = 0; c < 3; ++c) {
                const float s = v.at(x, y, 0, channels[channels.size() == 1 ? 0 : c]);
                colour[c] = s > 0 ? std::min(s, limit) : 0.0F;
                clipped += colour[c] != s;  // true for NaN
            }
            pixels[static_cast<std::size_t>(x)] = toRgbe(colour);
        }
        line.clear();
        if (packed) {
            line = {2, 2, static_cast<std::uint8_t>(v.shape.width >> 8), static_cast<std::uint8_t>(v.shape.width & 255)};
            for (std::size_t component = 0; component < 4; ++component) packPlane(pixels, component, line);
        } else {
            // (1, 1, 1, n) would be read as a repetition.
            for (Rgbe& p : pixels)
                if (p[0] == 1 && p[1] == 1 && p[2] == 1) p[0] = 2;
            for (const Rgbe& p : pixels) line.insert(line.end(), p.begin(), p.end());
        }
        file.write(line.data(), line.size());
    }
    if (clipped > 0)
        notes.push_back(std::to_string(clipped) +
                        " samples were negative, too large or NaN, which Radiance HDR cannot hold; EXR and PFM keep them");
}

void writePfm(const Image& image, const std::vector<int>& channels, AtomicFile& file, const SaveOptions& options,
              std::vector<std::string>&) {
    const View<const float> v = image.view();
    const bool little = std::endian::native == std::endian::little;
    file.write((channels.size() == 1 ? "Pf\n" : "PF\n") + std::to_string(v.shape.width) + " " + std::to_string(v.shape.height) +
               (little ? "\n-1.0\n" : "\n1.0\n"));
    std::vector<float> line(static_cast<std::size_t>(v.shape.width) * channels.size());
    for (std::int64_t y = 0; y < v.shape.height; ++y) {
        step(options, y, v.shape.height);
        float* out = line.data();
        for (std::int64_t x = 0; x < v.shape.width; ++x)
            for (const int c : channels) *out++ = v.at(x, v.shape.height - 1 - y, 0, c);
        file.write(line.data(), line.size() * sizeof(float));
    }
}

Loader radianceLoader() {
    return {"Radiance HDR",
            {"hdr", "pic"},
            [](std::span<const std::uint8_t> head, const std::string&) { return startsWith(head, "#?"); },
            loadRadiance};
}

Loader pfmLoader() {
    return {"PFM",
            {"pfm"},
            [](std::span<const std::uint8_t> head, const std::string&) {
                return head.size() > 2 && head[0] == 'P' && (head[1] == 'F' || head[1] == 'f') && std::isspace(head[2]);
            },
            loadPfm};
}

}  // namespace parallax
