// SPDX-License-Identifier: GPL-3.0-or-later
// OpenEXR files to images: decoded by OpenEXR straight into the planes of the image.
#include <ImfAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfCompressionAttribute.h>
#include <ImfEnvmapAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfInputPart.h>
#include <ImfIntAttribute.h>
#include <ImfIO.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPartType.h>
#include <ImfRgbaFile.h>
#include <ImfStringAttribute.h>
#include <ImfThreading.h>
#include <ImfVecAttribute.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <sstream>
#include <utility>

#include "parallax/engine/run_context.hpp"
#include "parallax/image/error.hpp"
#include "parallax/io/exr.hpp"
#include "parallax/io/formats.hpp"
#include "parallax/io/limits.hpp"

namespace parallax {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why, const std::string& advice = "Get the file again from its source") {
    throw Error(ErrorCode::input, "'" + path + "' cannot be read", why, advice);
}

/// Attributes that the writer makes anew from the image itself.
bool isStructural(const std::string& name) {
    static const char* const kNames[] = {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio", "type", "tiles",
                                         "chunkCount", "version", "name", "maxSamplesPerPixel", "preview"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](const char* n) { return name == n; });
}

/// Serialised attributes are read back by type name, so the bytes need no interpretation here.
class MemoryOStream final : public Imf::OStream {
public:
    MemoryOStream() : Imf::OStream("attribute") {}
    void write(const char c[], int n) override {
        const std::size_t end = position_ + static_cast<std::size_t>(n);
        if (bytes.size() < end) bytes.resize(end);
        std::memcpy(bytes.data() + position_, c, static_cast<std::size_t>(n));
        position_ = end;
    }
    std::uint64_t tellp() override { return position_; }
    void seekp(std::uint64_t p) override { position_ = p; }
    std::vector<std::uint8_t> bytes;

private:
    std::size_t position_ = 0;
};

std::string attributeText(const Imf::Attribute& a) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    if (const auto* s = dynamic_cast<const Imf::StringAttribute*>(&a)) text << s->value();
    else if (const auto* i = dynamic_cast<const Imf::IntAttribute*>(&a)) text << i->value();
    else if (const auto* f = dynamic_cast<const Imf::FloatAttribute*>(&a)) text << f->value();
    else if (const auto* v = dynamic_cast<const Imf::V2fAttribute*>(&a)) text << v->value().x << ' ' << v->value().y;
    else if (const auto* v3 = dynamic_cast<const Imf::V3fAttribute*>(&a)) text << v3->value().x << ' ' << v3->value().y << ' ' << v3->value().z;
    else if (const auto* c = dynamic_cast<const Imf::ChromaticitiesAttribute*>(&a))
        text << "red " << c->value().red.x << ' ' << c->value().red.y << ", green " << c->value().green.x << ' ' << c->value().green.y << ", blue "
             << c->value().blue.x << ' ' << c->value().blue.y << ", white " << c->value().white.x << ' ' << c->value().white.y;
    else text << '(' << a.typeName() << ')';
    return text.str();
}

std::vector<MetadataEntry> readMetadata(const Imf::Header& header) {
    std::vector<MetadataEntry> entries;
    for (auto it = header.begin(); it != header.end(); ++it) {
        if (isStructural(it.name())) continue;
        MemoryOStream stream;
        it.attribute().writeValueTo(stream, 1);
        entries.push_back({it.name(), it.attribute().typeName(), attributeText(it.attribute()), std::move(stream.bytes)});
    }
    return entries;
}

Window toWindow(const Imath::Box2i& b) { return {b.min.x, b.min.y, b.max.x, b.max.y}; }

const char* typeName(Imf::PixelType t) { return t == Imf::HALF ? "half" : t == Imf::FLOAT ? "float" : "uint"; }

/// Colour first in the order that people expect, then alpha, then the rest; a layer's channels stay together.
int rank(const std::string& name) {
    const auto dot = name.rfind('.');
    const std::string base = dot == std::string::npos ? name : name.substr(dot + 1);
    static const char* const kOrder[] = {"R", "G", "B", "Y", "RY", "BY", "A"};
    const auto it = std::find_if(std::begin(kOrder), std::end(kOrder), [&](const char* n) { return base == n; });
    return static_cast<int>(it - std::begin(kOrder));
}

std::vector<std::string> orderedChannels(const Imf::ChannelList& channels) {
    std::vector<std::string> names;
    for (auto it = channels.begin(); it != channels.end(); ++it) names.emplace_back(it.name());
    const auto layer = [](const std::string& n) { return n.rfind('.') == std::string::npos ? std::string() : n.substr(0, n.rfind('.')); };
    std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
        if (layer(a) != layer(b)) return layer(a) < layer(b);
        return rank(a) < rank(b);
    });
    return names;
}

/// Reads lines [first, last] of one part. A damaged file gives the lines before the damage.
class LineReader {
public:
    LineReader(Imf::InputPart& part, Imath::Box2i window, const LoadOptions& options) : part_(part), window_(window), options_(options) {}

    /// Calls `finished(from, to)` for each band that was read. Returns the number of lines read.
    template <class F>
    int readAll(int bandLines, F&& finished) {
        const int total = window_.max.y - window_.min.y + 1;
        int done = 0;
        while (done < total) {
            options_.throwIfStopped();
            const int from = window_.min.y + done, to = std::min(window_.max.y, from + bandLines - 1);
            try {
                part_.readPixels(from, to);
            } catch (const std::exception& e) {
                error_ = e.what();
                for (int y = from; y <= to; ++y) {
                    try {
                        part_.readPixels(y, y);
                    } catch (const std::exception&) {
                        if (y > from) finished(from - window_.min.y, y - 1 - window_.min.y);
                        return y - window_.min.y;
                    }
                }
            }
            finished(from - window_.min.y, to - window_.min.y);
            done = to - window_.min.y + 1;
            options_.report(static_cast<double>(done) / total);
        }
        return done;
    }
    const std::string& error() const { return error_; }

private:
    Imf::InputPart& part_;
    Imath::Box2i window_;
    const LoadOptions& options_;
    std::string error_;
};

void mergeStatistics(SampleStatistics& all, std::uint64_t& allCount, const SampleStatistics& part, std::uint64_t partSamples) {
    const std::uint64_t finite = partSamples - part.nonFinite();
    if (finite > 0) {
        all.min = allCount ? std::min(all.min, part.min) : part.min;
        all.max = allCount ? std::max(all.max, part.max) : part.max;
        all.mean += part.mean * static_cast<double>(finite);  // a sum until the end
    }
    allCount += finite;
    all.nan += part.nan;
    all.positiveInfinity += part.positiveInfinity;
    all.negativeInfinity += part.negativeInfinity;
}

/// The usual case: every channel at full resolution, decoded into its plane.
void readPlanes(const std::string& path, Imf::InputPart& part, const std::vector<std::string>& names, const Imath::Box2i& window, Image& image,
                const LoadOptions& options) {
    const View<float> v = image.view();
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const std::ptrdiff_t toOrigin = static_cast<std::ptrdiff_t>(window.min.y) * v.rowStride + window.min.x;
        frame.insert(names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(v.row(0, 0, static_cast<std::int64_t>(c)) - toOrigin), sizeof(float),
                                          sizeof(float) * static_cast<std::size_t>(v.rowStride)));
    }
    part.setFrameBuffer(frame);
    std::vector<SampleStatistics> statistics(names.size());
    std::vector<std::uint64_t> counts(names.size());
    LineReader reader(part, window, options);
    // Bands large enough to keep all decoding threads busy, small enough to notice a cancel and to find the samples still in
    // the cache when their statistics are taken.
    constexpr int kBandLines = 512;
    const int lines = reader.readAll(kBandLines, [&](int from, int to) {
        for (std::size_t c = 0; c < names.size(); ++c) {
            View<const float> band = std::as_const(image).view().channel(static_cast<std::int64_t>(c));
            band.data += from * band.rowStride;
            band.shape.height = to - from + 1;
            mergeStatistics(statistics[c], counts[c], computeStatistics(band), static_cast<std::uint64_t>(band.shape.pixels()));
        }
    });
    for (std::size_t c = 0; c < names.size(); ++c) {
        statistics[c].mean = counts[c] ? statistics[c].mean / static_cast<double>(counts[c]) : 0;
        image.source.storedStatistics.push_back(statistics[c]);
    }
    if (lines == v.shape.height) return;
    if (lines == 0) refuse(path, reader.error());
    for (std::int64_t c = 0; c < v.shape.channels; ++c) std::fill(v.row(lines, 0, c), v.row(0, 0, c) + v.shape.pixels(), 0.0F);
    image.source.incomplete = true;
    image.source.warnings.push_back("The file is damaged: only the first " + std::to_string(lines) + " of " + std::to_string(v.shape.height) +
                                    " lines could be read, the others are 0 (" + reader.error() + ")");
}

/// Channels with subsampling: read each at its own size, for the statistics and for repetition to full size.
struct SampledPlane {
    std::int64_t width = 0, height = 0;
    std::vector<float> samples;
};
std::vector<SampledPlane> readSampled(Imf::InputPart& part, const std::vector<std::string>& names, const Imath::Box2i& window) {
    std::vector<SampledPlane> planes(names.size());
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < names.size(); ++c) {
        const Imf::Channel& channel = part.header().channels()[names[c]];
        const auto first = [](int lo, int s) { return (lo >= 0 ? (lo + s - 1) / s : lo / s); };
        const auto last = [](int hi, int s) { return (hi >= 0 ? hi / s : -((-hi + s - 1) / s)); };
        const int x0 = first(window.min.x, channel.xSampling), x1 = last(window.max.x, channel.xSampling);
        const int y0 = first(window.min.y, channel.ySampling), y1 = last(window.max.y, channel.ySampling);
        SampledPlane& p = planes[c];
        p.width = std::max(0, x1 - x0 + 1);
        p.height = std::max(0, y1 - y0 + 1);
        p.samples.resize(static_cast<std::size_t>(p.width * p.height));
        frame.insert(names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(p.samples.data() - (y0 * p.width + x0)), sizeof(float),
                                          sizeof(float) * static_cast<std::size_t>(p.width), channel.xSampling, channel.ySampling));
    }
    part.setFrameBuffer(frame);
    part.readPixels(window.min.y, window.max.y);
    return planes;
}

void convertLuminanceChroma(const std::string& path, Image& image, const Imath::Box2i& window, int threads) {
    Imf::RgbaInputFile file(path.c_str(), threads);
    const View<float> v = image.view();
    constexpr int kBandLines = 64;
    std::vector<Imf::Rgba> band(static_cast<std::size_t>(v.shape.width) * kBandLines);
    for (int y = window.min.y; y <= window.max.y; y += kBandLines) {
        const int end = std::min(window.max.y, y + kBandLines - 1);
        file.setFrameBuffer(band.data() - (static_cast<std::ptrdiff_t>(y) * v.shape.width + window.min.x), 1, static_cast<std::size_t>(v.shape.width));
        file.readPixels(y, end);
        for (int row = y; row <= end; ++row)
            for (std::int64_t x = 0; x < v.shape.width; ++x) {
                const Imf::Rgba& p = band[static_cast<std::size_t>((row - y) * v.shape.width + x)];
                const std::int64_t iy = row - window.min.y;
                v.at(x, iy, 0, 0) = p.r;
                v.at(x, iy, 0, 1) = p.g;
                v.at(x, iy, 0, 2) = p.b;
                if (v.shape.channels > 3) v.at(x, iy, 0, 3) = p.a;
            }
    }
}

class ExrLoader final : public Loader {
public:
    std::string format() const override { return "OpenEXR"; }
    std::vector<std::string> extensions() const override { return {"exr"}; }
    bool recognises(std::span<const std::uint8_t> head, const std::string& path) const override {
        static constexpr std::uint8_t kMagic[] = {0x76, 0x2f, 0x31, 0x01};
        return (head.size() >= 4 && std::equal(std::begin(kMagic), std::end(kMagic), head.begin())) || lowerExtension(path) == "exr";
    }
    Image load(const std::string& path, const LoadOptions& options) const override {
        try {
            return loadParts(path, options);
        } catch (const Error&) {
            throw;
        } catch (const std::exception& e) {
            refuse(path, e.what());
        }
    }

private:
    static Image loadParts(const std::string& path, const LoadOptions& options) {
        RunContext context;
        context.threads = options.threads;
        const int threads = useExrThreads(effectiveThreads(context));
        Imf::MultiPartInputFile file(path.c_str(), threads);
        const Imf::Header& header = file.header(0);
        if (header.hasType() && Imf::isDeepData(header.type()))
            refuse(path, "it holds deep data (several samples a pixel), which Parallax does not support", "Flatten it to an ordinary EXR image first");
        const Imath::Box2i window = header.dataWindow();
        const std::int64_t width = std::int64_t{window.max.x} - window.min.x + 1, height = std::int64_t{window.max.y} - window.min.y + 1;
        const std::vector<std::string> names = orderedChannels(header.channels());
        if (width <= 0 || height <= 0 || names.empty()) refuse(path, "its header describes no pixels");
        const std::uint64_t bytes = std::filesystem::file_size(path);
        checkPlausible(path, {width, height, 1, static_cast<std::int64_t>(names.size())}, bytes);

        bool subsampled = false;
        for (const auto& n : names) subsampled |= header.channels()[n].xSampling != 1 || header.channels()[n].ySampling != 1;
        const bool chroma = header.channels().findChannel("RY") && header.channels().findChannel("BY") && header.channels().findChannel("Y");
        const auto has = [&](const char* n) { return header.channels().findChannel(n) != nullptr; };

        Imf::InputPart part(file, 0);
        Image image;
        if (!subsampled) {
            image = Image(Buffer(Shape{width, height, 1, static_cast<std::int64_t>(names.size())}), names);
            describe(image, file, header, names);
            readPlanes(path, part, names, window, image, options);
        } else {
            const auto planes = readSampled(part, names, window);
            if (chroma) {
                const std::vector<std::string> rgb = has("A") ? std::vector<std::string>{"R", "G", "B", "A"} : std::vector<std::string>{"R", "G", "B"};
                image = Image(Buffer(Shape{width, height, 1, static_cast<std::int64_t>(rgb.size())}), rgb);
                convertLuminanceChroma(path, image, window, threads);
            } else {
                image = Image(Buffer(Shape{width, height, 1, static_cast<std::int64_t>(names.size())}), names);
                for (std::size_t c = 0; c < names.size(); ++c) repeatTo(image.view().channel(static_cast<std::int64_t>(c)), planes[c]);
            }
            describe(image, file, header, names);
            for (const SampledPlane& p : planes)
                image.source.storedStatistics.push_back(
                    p.samples.empty() ? SampleStatistics{} : computeStatistics(denseView(p.samples.data(), Shape{p.width, p.height})));
            image.source.warnings.push_back(chroma ? "Stored as luminance and subsampled chroma, converted to R, G and B"
                                                   : "Some channels are stored at lower resolution; their samples were repeated");
        }
        for (std::size_t c = 0; c < names.size(); ++c)
            if (header.channels()[names[c]].type == Imf::UINT && image.source.storedStatistics[c].max > 0x1p24)
                image.source.warnings.push_back("Channel '" + names[c] + "' holds whole numbers above 2^24, which float cannot hold exactly");
        return image;
    }

    static void describe(Image& image, Imf::MultiPartInputFile& file, const Imf::Header& header, const std::vector<std::string>& names) {
        image.source.format = "OpenEXR";
        for (const auto& n : names) {
            const Imf::Channel& c = header.channels()[n];
            image.source.storedChannels.push_back({n, typeName(c.type), c.xSampling, c.ySampling});
        }
        image.dataWindow = toWindow(header.dataWindow());
        image.displayWindow = toWindow(header.displayWindow());
        image.pixelAspectRatio = static_cast<double>(header.pixelAspectRatio());
        image.metadata = readMetadata(header);
        for (int p = 0; p < file.parts(); ++p)
            image.source.parts.push_back(file.header(p).hasName() ? file.header(p).name() : "part " + std::to_string(p));
        if (file.parts() > 1)
            image.source.warnings.push_back("The file has " + std::to_string(file.parts()) + " parts; the first one, '" + image.source.parts[0] + "', is shown");
        if (!file.partComplete(0)) image.source.warnings.push_back("The file is not complete: some of its blocks are missing");
    }

    static void repeatTo(View<float> v, const SampledPlane& p) {
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x)
                v.at(x, y) = p.samples.empty() ? 0.0F
                                               : p.samples[static_cast<std::size_t>(std::min(p.height - 1, y * p.height / v.shape.height) * p.width +
                                                                                    std::min(p.width - 1, x * p.width / v.shape.width))];
    }
};

}  // namespace

int useExrThreads(int threads) {
    // The pool is one for the process. It only grows here, so that loads side by side do not take threads from each other.
    if (Imf::globalThreadCount() < threads) Imf::setGlobalThreadCount(threads);
    return threads;
}

std::unique_ptr<Loader> makeExrLoader() { return std::make_unique<ExrLoader>(); }

}  // namespace parallax
