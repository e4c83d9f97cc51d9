// SPDX-License-Identifier: GPL-3.0-or-later
// OpenEXR decodes directly into the planes of the image.
#include <IlmThreadPool.h>
#include <ImfAttribute.h>
#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfDoubleAttribute.h>
#include <ImfEnvmapAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>
#include <ImfIO.h>
#include <ImfInputPart.h>
#include <ImfIntAttribute.h>
#include <ImfMultiPartInputFile.h>
#include <ImfPartType.h>
#include <ImfRationalAttribute.h>
#include <ImfRgbaFile.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfThreading.h>
#include <ImfTiledInputPart.h>
#include <ImfVecAttribute.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>
#include <utility>

#include "core/engine/run/run_context.hpp"
#include "core/image/error.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/limits.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

/// Removes the name of the file from a message of OpenEXR: 'Cannot read image file "NAME". Why.' becomes 'Why'.
std::string reasonOf(const std::string& said, const std::string& path) {
    std::string why = said;
    const std::string name = '"' + path + "\". ";
    if (const auto at = why.find(name); at != std::string::npos) why.erase(0, at + name.size());
    while (!why.empty() && (why.back() == '.' || why.back() == ' ')) why.pop_back();
    return why.empty() ? said : why;
}

/// Throws std::bad_alloc if memory ran out, which is not damage. For exceptions of worker threads OpenEXR only passes on the text.
void rethrowIfOutOfMemory(const std::exception& e) {
    if (dynamic_cast<const std::bad_alloc*>(&e) || std::string_view(e.what()).find("bad_alloc") != std::string_view::npos)
        throw std::bad_alloc();
}

/// Attributes that the writer derives from the image.
bool isStructural(const std::string& name) {
    static const char* const kNames[] = {"channels", "compression", "dataWindow", "displayWindow", "lineOrder", "pixelAspectRatio",
                                         "type",     "tiles",       "chunkCount", "version",       "name",      "maxSamplesPerPixel",
                                         "preview"};
    return std::any_of(std::begin(kNames), std::end(kNames), [&](const char* n) { return name == n; });
}

/// Serialised attributes are read back by type name, so the bytes need no interpretation here.
class MemoryOStream final : public Imf::OStream {
public:
    MemoryOStream() : Imf::OStream("attribute") {}
    void write(const char c[], int n) override {
        if (n <= 0) return;
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
    else if (const auto* v3 = dynamic_cast<const Imf::V3fAttribute*>(&a))
        text << v3->value().x << ' ' << v3->value().y << ' ' << v3->value().z;
    else if (const auto* c = dynamic_cast<const Imf::ChromaticitiesAttribute*>(&a))
        text << "red " << c->value().red.x << ' ' << c->value().red.y << ", green " << c->value().green.x << ' ' << c->value().green.y
             << ", blue " << c->value().blue.x << ' ' << c->value().blue.y << ", white " << c->value().white.x << ' ' << c->value().white.y;
    else if (const auto* d = dynamic_cast<const Imf::DoubleAttribute*>(&a)) text << d->value();
    else if (const auto* v2 = dynamic_cast<const Imf::V2iAttribute*>(&a)) text << v2->value().x << ' ' << v2->value().y;
    else if (const auto* r = dynamic_cast<const Imf::RationalAttribute*>(&a)) text << r->value().n << '/' << r->value().d;
    else if (const auto* e = dynamic_cast<const Imf::EnvmapAttribute*>(&a))
        text << (e->value() == Imf::ENVMAP_CUBE ? "cube" : "latitude and longitude");
    else if (const auto* box = dynamic_cast<const Imf::Box2iAttribute*>(&a))
        text << box->value().min.x << ' ' << box->value().min.y << ' ' << box->value().max.x << ' ' << box->value().max.y;
    else if (const auto* list = dynamic_cast<const Imf::StringVectorAttribute*>(&a)) {
        for (std::size_t k = 0; k < list->value().size(); ++k) text << (k ? ", " : "") << list->value()[k];
    } else text << '(' << a.typeName() << ')';
    return text.str();
}

bool isTiledPart(const Imf::Header& header) { return header.hasType() ? Imf::isTiled(header.type()) : header.hasTileDescription(); }

std::vector<MetadataEntry> readMetadata(const Imf::Header& header) {
    std::vector<MetadataEntry> entries;
    const auto& compressions = exrCompressions();
    const auto compression = static_cast<std::size_t>(header.compression());
    std::string storage = isTiledPart(header) ? "tiles" : "scan lines";
    if (isTiledPart(header) && header.hasTileDescription())
        storage += " of " + std::to_string(header.tileDescription().xSize) + " x " + std::to_string(header.tileDescription().ySize);
    entries.push_back(
        {"storage", "note", storage + ", compression " + (compression < compressions.size() ? compressions[compression] : "unknown"), {}});
    for (auto it = header.begin(); it != header.end(); ++it) {
        if (isStructural(it.name()) || std::string_view(it.name()) == kExrProvenance) continue;
        MemoryOStream stream;
        it.attribute().writeValueTo(stream, 1);
        entries.push_back({it.name(), it.attribute().typeName(), toUtf8(attributeText(it.attribute())), std::move(stream.bytes)});
    }
    return entries;
}

Window toWindow(const Imath::Box2i& b) { return {b.min.x, b.min.y, b.max.x, b.max.y}; }

const char* typeName(Imf::PixelType t) { return t == Imf::HALF ? "half" : t == Imf::FLOAT ? "float" : "uint"; }

/// Sort key within a layer: colours in their usual order, alpha, others.
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

void mergeStatistics(SampleStatistics& all, std::uint64_t& allCount, const SampleStatistics& part, std::uint64_t partSamples) {
    const std::uint64_t finite = partSamples - part.nonFinite();
    if (finite > 0) {
        all.min = allCount ? std::min(all.min, part.min) : part.min;
        all.max = allCount ? std::max(all.max, part.max) : part.max;
        all.mean += part.mean * static_cast<double>(finite);  // divided at the end
    }
    allCount += finite;
    all.nan += part.nan;
    all.positiveInfinity += part.positiveInfinity;
    all.negativeInfinity += part.negativeInfinity;
}

/// Computes statistics on OpenEXR's threads while later rows are still being decoded.
class StatisticsCollector {
public:
    explicit StatisticsCollector(const Image& image) : view_(image.view()) {}

    /// Called once the samples of the rectangle are final.
    void add(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
        constexpr std::int64_t kTaskSamples = std::int64_t{1} << 20;
        const std::int64_t lines = std::max<std::int64_t>(1, kTaskSamples / width);
        for (std::int64_t c = 0; c < view_.shape.channels; ++c)
            for (std::int64_t from = 0; from < height; from += lines) {
                View<const float> part = view_.channel(c);
                part.data += (y + from) * part.rowStride + x;
                part.shape.width = width;
                part.shape.height = std::min(lines, height - from);
                results_.push_back({c, static_cast<std::uint64_t>(part.shape.pixels()), {}});
                IlmThread::ThreadPool::addGlobalTask(new Task(group_.get(), part, results_.back().statistics));
            }
    }
    /// Statistics in the order of the channels.
    std::vector<SampleStatistics> finish() {
        group_.reset();  // waits for the tasks
        std::vector<SampleStatistics> all(static_cast<std::size_t>(view_.shape.channels));
        std::vector<std::uint64_t> counts(all.size());
        for (const Result& r : results_) {
            const auto c = static_cast<std::size_t>(r.channel);
            mergeStatistics(all[c], counts[c], r.statistics, r.samples);
        }
        for (std::size_t c = 0; c < all.size(); ++c) all[c].mean = counts[c] ? all[c].mean / static_cast<double>(counts[c]) : 0;
        return all;
    }

private:
    struct Result {
        std::int64_t channel;
        std::uint64_t samples;
        SampleStatistics statistics;
    };
    class Task final : public IlmThread::Task {
    public:
        Task(IlmThread::TaskGroup* group, const View<const float>& part, SampleStatistics& result)
            : IlmThread::Task(group), part_(part), result_(result) {}
        void execute() override { result_ = computeStatistics(part_); }

    private:
        View<const float> part_;
        SampleStatistics& result_;
    };
    View<const float> view_;
    std::deque<Result> results_;  // tasks hold references: elements must not move
    std::unique_ptr<IlmThread::TaskGroup> group_ = std::make_unique<IlmThread::TaskGroup>();
};

/// Lines decoded in one call: many blocks per thread, but few enough to notice a cancellation promptly. A multiple of 256, so that no block
/// of any compression is decoded twice.
std::int64_t bandLines(Imf::Compression compression, const Shape& shape, int threads) {
    const std::int64_t blockLines = exrBlockLines(compression);
    constexpr std::int64_t kBlocksPerThread = 8, kMaxSamples = std::int64_t{64} << 20;
    std::int64_t lines = kBlocksPerThread * threads * blockLines;
    lines = std::min(lines, std::max(kMaxSamples / std::max<std::int64_t>(1, shape.width * shape.channels), 2 * threads * blockLines));
    return (lines + 255) / 256 * 256;
}

/// Blocks that could not be decoded. If a call for many blocks fails, they are read one by one, so that only damaged ones are lost.
struct Damage {
    std::int64_t lostLines = 0, lostTiles = 0;
    std::string firstReason;
    bool any() const { return lostLines > 0 || lostTiles > 0; }
    void note(const std::exception& e) {
        if (firstReason.empty()) firstReason = e.what();
    }
};

/// Tries twice, since OpenEXR may report the error of an earlier call again.
template <class F>
bool readable(F&& attempt) {
    for (int i = 0; i < 2; ++i) {
        try {
            attempt();
            return true;
        } catch (const std::exception& e) {
            rethrowIfOutOfMemory(e);
            // other errors were noted with the whole call
        }
    }
    return false;
}

void clearRectangle(View<float> v, std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height) {
    for (std::int64_t c = 0; c < v.shape.channels; ++c)
        for (std::int64_t row = y; row < y + height; ++row) std::fill_n(v.row(row, 0, c) + x, width, 0.0F);
}

Imf::FrameBuffer planarFrame(View<float> v, const std::vector<std::string>& names, const Imath::Box2i& window) {
    Imf::FrameBuffer frame;
    for (std::size_t c = 0; c < names.size(); ++c) {
        // OpenEXR addresses samples from pixel (0, 0), which may lie outside.
        const std::ptrdiff_t toOrigin = static_cast<std::ptrdiff_t>(window.min.y) * v.rowStride + window.min.x;
        frame.insert(names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(v.row(0, 0, static_cast<std::int64_t>(c)) - toOrigin),
                                          sizeof(float), sizeof(float) * static_cast<std::size_t>(v.rowStride)));
    }
    return frame;
}

Damage readScanLines(Imf::MultiPartInputFile& file, const std::vector<std::string>& names, const Imath::Box2i& window, View<float> v,
                     StatisticsCollector& statistics, int threads, const LoadOptions& options) {
    Imf::InputPart part(file, 0);
    part.setFrameBuffer(planarFrame(v, names, window));
    Damage damage;
    const std::int64_t step = bandLines(file.header(0).compression(), v.shape, threads);
    for (std::int64_t y = 0; y < v.shape.height; y += step) {
        options.throwIfStopped();
        const std::int64_t end = std::min(v.shape.height, y + step);
        const auto read = [&](std::int64_t from, std::int64_t to) {
            part.readPixels(static_cast<int>(window.min.y + from), static_cast<int>(window.min.y + to - 1));
        };
        try {
            read(y, end);
            statistics.add(0, y, v.shape.width, end - y);
        } catch (const std::exception& e) {
            rethrowIfOutOfMemory(e);
            damage.note(e);
            for (std::int64_t line = y; line < end; ++line) {
                if (line % 16 == 0) options.throwIfStopped();
                if (readable([&] { read(line, line + 1); })) {
                    statistics.add(0, line, v.shape.width, 1);
                } else {
                    clearRectangle(v, 0, line, v.shape.width, 1);
                    ++damage.lostLines;
                }
            }
        }
        options.report(static_cast<double>(end) / static_cast<double>(v.shape.height));
    }
    return damage;
}

/// Decodes tiles of the full resolution in place; read as scan lines, OpenEXR would copy each sample.
Damage readTiles(Imf::MultiPartInputFile& file, const std::vector<std::string>& names, const Imath::Box2i& window, View<float> v,
                 StatisticsCollector& statistics, int threads, const LoadOptions& options) {
    Imf::TiledInputPart part(file, 0);
    part.setFrameBuffer(planarFrame(v, names, window));
    Damage damage;
    const int across = part.numXTiles(0), down = part.numYTiles(0);
    const std::int64_t tileHeight = part.tileYSize();
    // Eight tiles a thread, for the same reasons as bandLines.
    const int step = std::clamp((8 * threads + across - 1) / across, 1, down);
    for (int ty = 0; ty < down; ty += step) {
        options.throwIfStopped();
        const int last = std::min(down, ty + step) - 1;
        const std::int64_t from = ty * tileHeight, to = std::min(v.shape.height, (last + 1) * tileHeight);
        try {
            part.readTiles(0, across - 1, ty, last, 0);
            statistics.add(0, from, v.shape.width, to - from);
        } catch (const std::exception& e) {
            rethrowIfOutOfMemory(e);
            damage.note(e);
            for (int row = ty; row <= last; ++row)
                for (int column = 0; column < across; ++column) {
                    if (column % 16 == 0) options.throwIfStopped();
                    const Imath::Box2i box = part.dataWindowForTile(column, row, 0);
                    const std::int64_t x = box.min.x - window.min.x, y = box.min.y - window.min.y;
                    const std::int64_t width = box.max.x - box.min.x + 1, height = box.max.y - box.min.y + 1;
                    if (readable([&] { part.readTile(column, row, 0); })) {
                        statistics.add(x, y, width, height);
                    } else {
                        clearRectangle(v, x, y, width, height);
                        ++damage.lostTiles;
                    }
                }
        }
        options.report(static_cast<double>(to) / static_cast<double>(v.shape.height));
    }
    return damage;
}

/// Decodes channels at full resolution into their planes.
void readPlanes(const std::string& path, Imf::MultiPartInputFile& file, const std::vector<std::string>& names, const Imath::Box2i& window,
                Image& image, int threads, const LoadOptions& options) {
    const View<float> v = image.view();
    StatisticsCollector statistics(image);
    const bool tiled = isTiledPart(file.header(0));
    const Damage damage = tiled ? readTiles(file, names, window, v, statistics, threads, options)
                                : readScanLines(file, names, window, v, statistics, threads, options);
    image.source.storedStatistics = statistics.finish();
    if (!damage.any()) return;
    std::int64_t blocks = v.shape.height;
    if (tiled) {
        const Imf::TileDescription& t = file.header(0).tileDescription();
        const std::int64_t w = t.xSize, h = t.ySize;
        blocks = ((v.shape.width + w - 1) / w) * ((v.shape.height + h - 1) / h);
    }
    const std::int64_t lost = tiled ? damage.lostTiles : damage.lostLines;
    if (lost >= blocks) refuseFile(path, reasonOf(damage.firstReason, path));
    image.source.incomplete = true;
    image.source.warnings.push_back("The file is damaged: " + std::to_string(lost) + " of " + std::to_string(blocks) +
                                    (tiled ? " tiles" : " lines") + " could not be read and are 0 (" + reasonOf(damage.firstReason, path) +
                                    ")");
}

/// Reads subsampled channels at their own size.
struct SampledPlane {
    std::int64_t width = 0, height = 0;
    std::vector<float> samples;
};
std::vector<SampledPlane> readSampled(Imf::MultiPartInputFile& file, const std::vector<std::string>& names, const Imath::Box2i& window,
                                      const LoadOptions& options) {
    Imf::InputPart part(file, 0);
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
    constexpr std::int64_t kBandLines = 512;
    for (std::int64_t y = window.min.y; y <= window.max.y; y += kBandLines) {
        options.throwIfStopped();
        part.readPixels(static_cast<int>(y), static_cast<int>(std::min<std::int64_t>(window.max.y, y + kBandLines - 1)));
    }
    return planes;
}

/// The filters that reconstruct chroma and the conversion are OpenEXR's own.
void convertLuminanceChroma(const std::string& path, Image& image, const Imath::Box2i& window, int threads, const LoadOptions& options) {
    Imf::RgbaInputFile file(path.c_str(), threads);
    const View<float> v = image.view();
    constexpr int kLines = 64;
    std::vector<Imf::Rgba> band(static_cast<std::size_t>(v.shape.width) * kLines);
    for (int y = window.min.y; y <= window.max.y; y += kLines) {
        options.throwIfStopped();
        options.report(static_cast<double>(y - window.min.y) / static_cast<double>(v.shape.height));
        const int end = std::min(window.max.y, y + kLines - 1);
        file.setFrameBuffer(band.data() - (static_cast<std::ptrdiff_t>(y) * v.shape.width + window.min.x), 1,
                            static_cast<std::size_t>(v.shape.width));
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

constexpr std::int64_t kLargestTile = 8192;

/// Header of a part whose sizes were checked.
struct CheckedHeader {
    Imath::Box2i window;
    Shape shape;
    std::vector<std::string> names;
    bool subsampled = false;
};
CheckedHeader checkHeader(const std::string& path, const Imf::Header& header) {
    if (header.hasType() && Imf::isDeepData(header.type()))
        refuseFile(path, "it holds deep data (several samples a pixel), which is not supported", "Flatten it to an ordinary EXR image");
    const Imath::Box2i window = header.dataWindow();
    const std::int64_t width = std::int64_t{window.max.x} - window.min.x + 1, height = std::int64_t{window.max.y} - window.min.y + 1;
    const std::vector<std::string> names = orderedChannels(header.channels());
    if (width <= 0 || height <= 0 || names.empty()) refuseFile(path, "its header describes no pixels");
    const std::uint64_t bytes = std::filesystem::file_size(path);
    const bool cosine = header.compression() == Imf::DWAA_COMPRESSION || header.compression() == Imf::DWAB_COMPRESSION;
    const std::uint64_t ratio = cosine ? kStrongRatio : kDeflateRatio;
    checkHeld(path, {width, height, 1, static_cast<std::int64_t>(names.size())}, bytes, ratio);

    bool subsampled = false;
    for (const auto& n : names) subsampled |= header.channels()[n].xSampling != 1 || header.channels()[n].ySampling != 1;
    // A tile is decoded as a whole, however small the image.
    if (isTiledPart(header) && header.hasTileDescription()) {
        const Imf::TileDescription& t = header.tileDescription();
        if (t.xSize > std::max<std::int64_t>(width, kLargestTile) || t.ySize > std::max<std::int64_t>(height, kLargestTile))
            refuseFile(path, "its header declares tiles of " + std::to_string(t.xSize) + " x " + std::to_string(t.ySize) + " pixels");
        checkPlausible(path, {t.xSize, t.ySize, 1, static_cast<std::int64_t>(names.size())}, bytes, ratio);
    }
    return {window, {width, height, 1, static_cast<std::int64_t>(names.size())}, names, subsampled};
}

void describe(Image& image, Imf::MultiPartInputFile& file, const Imf::Header& header, const std::vector<std::string>& names) {
    image.source.format = "OpenEXR";
    for (const auto& n : names) {
        const Imf::Channel& c = header.channels()[n];
        image.source.storedChannels.push_back({n, typeName(c.type), c.xSampling, c.ySampling});
    }
    image.dataWindow = toWindow(header.dataWindow());
    image.displayWindow = toWindow(header.displayWindow());
    image.pixelAspectRatio = static_cast<double>(header.pixelAspectRatio());
    image.metadata = readMetadata(header);
    if (const auto* steps = header.findTypedAttribute<Imf::StringAttribute>(kExrProvenance)) {
        std::istringstream lines(steps->value());
        for (std::string line; std::getline(lines, line);) image.provenance.push_back(line);
    }
    for (int p = 0; p < file.parts(); ++p)
        image.source.parts.push_back(file.header(p).hasName() ? file.header(p).name() : "part " + std::to_string(p));
    if (file.parts() > 1)
        image.source.warnings.push_back("The file has " + std::to_string(file.parts()) + " parts; part 0, '" + image.source.parts[0] +
                                        "', was opened");
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
            rethrowIfOutOfMemory(e);
            refuseFile(path, reasonOf(e.what(), path));
        }
    }

private:
    static Image loadParts(const std::string& path, const LoadOptions& options) {
        RunContext context;
        context.threads = options.threads;
        const int threads = useExrThreads(effectiveThreads(context));
        Imf::MultiPartInputFile file(path.c_str(), threads);
        const Imf::Header& header = file.header(0);
        const CheckedHeader checked = checkHeader(path, header);
        checkFitsMemory(path, checked.shape);
        const Imath::Box2i window = checked.window;
        const std::vector<std::string>& names = checked.names;
        const std::int64_t width = checked.shape.width, height = checked.shape.height;
        const bool chroma =
            header.channels().findChannel("RY") && header.channels().findChannel("BY") && header.channels().findChannel("Y");
        const auto has = [&](const char* n) { return header.channels().findChannel(n) != nullptr; };

        Image image;
        if (!checked.subsampled) {
            image = Image(Buffer(Shape{width, height, 1, static_cast<std::int64_t>(names.size())}), names);
            describe(image, file, header, names);
            readPlanes(path, file, names, window, image, threads, options);
        } else {
            const auto planes = readSampled(file, names, window, options);
            if (chroma) {
                const std::vector<std::string> rgb =
                    has("A") ? std::vector<std::string>{"R", "G", "B", "A"} : std::vector<std::string>{"R", "G", "B"};
                image = Image(Buffer(Shape{width, height, 1, static_cast<std::int64_t>(rgb.size())}), rgb);
                convertLuminanceChroma(path, image, window, threads, options);
            } else {
                image = Image(Buffer(Shape{width, height, 1, static_cast<std::int64_t>(names.size())}), names);
                for (std::size_t c = 0; c < names.size(); ++c) repeatTo(image.view().channel(static_cast<std::int64_t>(c)), planes[c]);
            }
            describe(image, file, header, names);
            for (const SampledPlane& p : planes)
                image.source.storedStatistics.push_back(
                    p.samples.empty() ? SampleStatistics{} : computeStatistics(denseView(p.samples.data(), Shape{p.width, p.height})));
            image.source.warnings.push_back(chroma ? "Luminance and subsampled chroma were converted to R, G and B"
                                                   : "Channels of lower resolution were enlarged by repeating samples");
        }
        for (std::size_t c = 0; c < names.size(); ++c)
            if (header.channels()[names[c]].type == Imf::UINT && image.source.storedStatistics[c].max > 0x1p24)
                image.source.warnings.push_back("Channel '" + names[c] + "' has integers above 2^24, which float cannot hold exactly");
        return image;
    }

    static void repeatTo(View<float> v, const SampledPlane& p) {
        for (std::int64_t y = 0; y < v.shape.height; ++y)
            for (std::int64_t x = 0; x < v.shape.width; ++x)
                v.at(x, y) = p.samples.empty()
                                 ? 0.0F
                                 : p.samples[static_cast<std::size_t>(std::min(p.height - 1, y * p.height / v.shape.height) * p.width +
                                                                      std::min(p.width - 1, x * p.width / v.shape.width))];
    }
};

}  // namespace

int useExrThreads(int threads) {
    // One pool for the process. It only grows, so that concurrent loads do not take threads from each other.
    static std::mutex growing;
    const std::lock_guard lock(growing);
    if (Imf::globalThreadCount() < threads) Imf::setGlobalThreadCount(threads);
    return threads;
}

std::int64_t exrBlockLines(int compression) {
    switch (compression) {
        case Imf::ZIP_COMPRESSION:
        case Imf::PXR24_COMPRESSION: return 16;
        case Imf::PIZ_COMPRESSION:
        case Imf::B44_COMPRESSION:
        case Imf::B44A_COMPRESSION:
        case Imf::DWAA_COMPRESSION: return 32;
        case Imf::DWAB_COMPRESSION: return 256;
        default: return 1;
    }
}

std::uint64_t exrBlockBytes(int compression, std::uint64_t rowBytes, std::int64_t height, int threads) {
    const std::int64_t lines = exrBlockLines(compression), blocks = std::min<std::int64_t>(2 * threads, (height + lines - 1) / lines);
    constexpr std::uint64_t kCopies = 3;
    return kCopies * static_cast<std::uint64_t>(blocks * lines) * rowBytes;
}

struct ExrRowReader::State {
    std::string path;
    LoadOptions options;
    int threads = 1;
    std::unique_ptr<Imf::MultiPartInputFile> file;
    std::unique_ptr<Imf::InputPart> part;
    CheckedHeader checked;
    Shape shape;
    Image description;
};

ExrRowReader::ExrRowReader(const std::string& path, const LoadOptions& options) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.path = path;
    s.options = options;
    try {
        RunContext context;
        context.threads = options.threads;
        s.threads = useExrThreads(effectiveThreads(context));
        s.file = std::make_unique<Imf::MultiPartInputFile>(path.c_str(), s.threads);
        const Imf::Header& header = s.file->header(0);
        s.checked = checkHeader(path, header);
        s.shape = s.checked.shape;
        if (s.checked.subsampled)
            throw Error(ErrorCode::unavailable, "Cannot read '" + path + "' in strips", "some of its channels have a lower resolution",
                        "Leave out --strips");
        s.description = Image(Buffer(Shape{1, 1, 1, s.shape.channels}), s.checked.names);
        describe(s.description, *s.file, header, s.checked.names);
        s.part = std::make_unique<Imf::InputPart>(*s.file, 0);
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        rethrowIfOutOfMemory(e);
        refuseFile(path, reasonOf(e.what(), path));
    }
}

ExrRowReader::~ExrRowReader() = default;
const Image& ExrRowReader::description() const { return state_->description; }
const Shape& ExrRowReader::shape() const { return state_->shape; }

void ExrRowReader::read(std::int64_t row, const View<float>& to) {
    State& s = *state_;
    // OpenEXR addresses rows from 0 of pixel space.
    View<float> shifted = to;
    shifted.data -= row * to.rowStride;
    const std::int64_t step = bandLines(s.file->header(0).compression(), s.shape, s.threads);
    for (std::int64_t y = row; y < row + to.shape.height; y += step) {
        s.options.throwIfStopped();
        const std::int64_t end = std::min(row + to.shape.height, y + step);
        try {
            s.part->setFrameBuffer(planarFrame(shifted, s.checked.names, s.checked.window));
            s.part->readPixels(static_cast<int>(s.checked.window.min.y + y), static_cast<int>(s.checked.window.min.y + end - 1));
        } catch (const std::exception& e) {
            rethrowIfOutOfMemory(e);
            refuseFile(s.path,
                       "rows " + std::to_string(y) + " to " + std::to_string(end - 1) + " cannot be read: " + reasonOf(e.what(), s.path));
        }
    }
}

std::uint64_t ExrRowReader::workBytes() const {
    const State& s = *state_;
    const Imf::Header& header = s.file->header(0);
    const auto rowBytes = static_cast<std::uint64_t>(s.shape.width * s.shape.channels) * sizeof(float);
    if (!isTiledPart(header)) return exrBlockBytes(header.compression(), rowBytes, s.shape.height, s.threads);
    // One decoded row of tiles, and two tiles per thread.
    const Imf::TileDescription& t = header.tileDescription();
    const std::uint64_t tile = std::uint64_t{t.xSize} * t.ySize * static_cast<std::uint64_t>(s.shape.channels) * sizeof(float);
    return rowBytes * t.ySize + 3 * tile * 2 * static_cast<std::uint64_t>(s.threads);
}

std::unique_ptr<Loader> makeExrLoader() { return std::make_unique<ExrLoader>(); }

}  // namespace parallax
