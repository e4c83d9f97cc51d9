// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks are decoded directly into the planes of the image, here or by OpenEXR.
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
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "core/engine/run/run_context.hpp"
#include "core/image/error.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/formats.hpp"
#include "core/io/formats/exr/exr.hpp"
#include "core/io/formats/exr/exr_chunks.hpp"
#include "core/io/formats/exr/exr_header.hpp"
#include "core/io/limits.hpp"
#include "core/io/sample_budget.hpp"

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
        std::vector<StatisticsSum> sums(static_cast<std::size_t>(view_.shape.channels));
        for (const Result& r : results_) sums[static_cast<std::size_t>(r.channel)].add(r.statistics, r.samples);
        std::vector<SampleStatistics> all;
        for (const StatisticsSum& sum : sums) all.push_back(sum.result());
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

constexpr std::int64_t kLargestTile = 8192;

/// Header of a part whose sizes were checked.
struct CheckedHeader {
    Imath::Box2i window;
    Shape shape;
    std::vector<std::string> names;
    std::uint64_t tables = 0;  ///< offset of the tables of chunks
    bool subsampled = false;
};
CheckedHeader checkHeader(const std::string& path, const Imf::Header& header, std::uint64_t tables, const LoadOptions& options) {
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
        checkPlausible(path, {t.xSize, t.ySize, 1, static_cast<std::int64_t>(names.size())}, bytes, ratio, options);
    }
    return {window, {width, height, 1, static_cast<std::int64_t>(names.size())}, names, tables, subsampled};
}

/// Planes of full resolution in the order of the file's channel list.
std::vector<ExrPlane> planesOf(const Imf::Header& header, const std::vector<std::string>& names, const View<float>& view) {
    std::vector<ExrPlane> planes;
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it) {
        const auto c = std::find(names.begin(), names.end(), it.name()) - names.begin();
        planes.push_back({view.row(0, 0, c), view.rowStride});
    }
    return planes;
}

/// Rows of chunks that OpenEXR decodes in one call: eight chunks a thread, for the same reasons as bandLines().
std::size_t rowsOfChunks(const Imf::Header& header, const ExrChunks& chunks, const Shape& shape, int threads) {
    const std::size_t across = chunks.across(), rows = chunks.all().size() / across;
    if (chunks.tiled()) return std::clamp<std::size_t>((8 * static_cast<std::size_t>(threads) + across - 1) / across, 1, rows);
    return static_cast<std::size_t>(bandLines(header.compression(), shape, threads) / exrBlockLines(header.compression()));
}

/// Reads chunks of full resolution with OpenEXR: tiles in place, since it would copy each sample if it read them as scan lines.
class PartReader {
public:
    PartReader(Imf::MultiPartInputFile& file, const CheckedHeader& checked, const View<float>& view) : checked_(checked) {
        const Imf::FrameBuffer frame = planarFrame(view, checked.names, checked.window);
        if (isTiledPart(file.header(0))) {
            tiles_ = std::make_unique<Imf::TiledInputPart>(file, 0);
            tiles_->setFrameBuffer(frame);
        } else {
            lines_ = std::make_unique<Imf::InputPart>(file, 0);
            lines_->setFrameBuffer(frame);
        }
    }
    /// Reads the chunks of a rectangle. Returns false and sets `reason` if one is damaged.
    bool read(const ExrChunk& first, const ExrChunk& last, std::string& reason) {
        try {
            const auto line = [&](std::int64_t y) { return static_cast<int>(checked_.window.min.y + y); };
            if (lines_) lines_->readPixels(line(first.y), line(last.y + last.height - 1));
            else {
                const auto tile = [](std::int64_t at, unsigned size) { return static_cast<int>(at / size); };
                const unsigned w = tiles_->tileXSize(), h = tiles_->tileYSize();
                tiles_->readTiles(tile(first.x, w), tile(last.x, w), tile(first.y, h), tile(last.y, h), 0);
            }
            return true;
        } catch (const std::exception& e) {
            rethrowIfOutOfMemory(e);
            reason = e.what();
            return false;
        }
    }

private:
    const CheckedHeader& checked_;
    std::unique_ptr<Imf::InputPart> lines_;
    std::unique_ptr<Imf::TiledInputPart> tiles_;
};

/// Decodes channels at full resolution into their planes. Damaged chunks are cleared and counted.
class PlaneReader {
public:
    PlaneReader(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, Image& image, int threads,
                const LoadOptions& options)
        : path_(path),
          file_(file),
          checked_(checked),
          chunks_(path, file, checked.tables),
          image_(image),
          view_(image.view()),
          threads_(threads),
          options_(options) {}

    void read() {
        if (chunks_.decodable()) readHere();
        else readWithOpenExr();
        if (lost_ == 0) return;
        const bool tiled = chunks_.tiled();
        const std::int64_t all = tiled ? static_cast<std::int64_t>(chunks_.all().size()) : view_.shape.height;
        if (lost_ >= all) refuseFile(path_, reasonOf(reason_, path_));
        image_.source.incomplete = true;
        image_.source.warnings.push_back("The file is damaged: " + std::to_string(lost_) + " of " + std::to_string(all) +
                                         (tiled ? " tiles" : " lines") + " could not be read and are 0 (" + reasonOf(reason_, path_) + ")");
    }

private:
    void clear(const ExrChunk& chunk, const std::string& reason) {
        for (std::int64_t c = 0; c < view_.shape.channels; ++c)
            for (std::int64_t y = chunk.y; y < chunk.y + chunk.height; ++y) std::fill_n(view_.row(y, 0, c) + chunk.x, chunk.width, 0.0F);
        lost_ += chunks_.tiled() ? 1 : chunk.height;
        if (reason_.empty()) reason_ = reason;
    }

    /// A run of chunks for one thread.
    struct Task {
        std::vector<StatisticsSum> sums;
        std::vector<std::pair<std::size_t, std::string>> damaged;
    };

    void readHere() {
        const std::vector<ExrPlane> planes = planesOf(file_.header(0), checked_.names, view_);
        const std::vector<ExrChunk>& chunks = chunks_.all();
        constexpr std::int64_t kTaskSamples = std::int64_t{1} << 20;
        const std::int64_t perChunk = chunks[0].width * chunks[0].height * view_.shape.channels;
        const auto step = static_cast<std::size_t>(std::max<std::int64_t>(1, kTaskSamples / perChunk));
        std::vector<Task> tasks((chunks.size() + step - 1) / step);
        LoadOptions options = options_;
        options.threads = threads_;
        runTasks(static_cast<std::int64_t>(tasks.size()), options, {}, [&](std::int64_t index) {
            Task& task = tasks[static_cast<std::size_t>(index)];
            task.sums.resize(static_cast<std::size_t>(view_.shape.channels));
            ExrChunkWork work(path_);
            const std::size_t first = static_cast<std::size_t>(index) * step;
            for (std::size_t i = first; i < std::min(chunks.size(), first + step); ++i) {
                try {
                    chunks_.decode(chunks[i], work, planes, 0, view_.shape.height);
                    for (std::size_t c = 0; c < task.sums.size(); ++c) task.sums[c].add(statisticsOf(chunks[i], c), samplesOf(chunks[i]));
                } catch (const std::runtime_error& e) {
                    task.damaged.emplace_back(i, e.what());
                }
            }
        });
        std::vector<StatisticsSum> sums(static_cast<std::size_t>(view_.shape.channels));
        for (const Task& task : tasks) {
            for (const auto& [index, reason] : task.damaged) clear(chunks[index], reason);
            for (std::size_t c = 0; c < sums.size(); ++c) sums[c].add(task.sums[c].result(), task.sums[c].samples());
        }
        for (const StatisticsSum& sum : sums) image_.source.storedStatistics.push_back(sum.result());
    }
    SampleStatistics statisticsOf(const ExrChunk& chunk, std::size_t channel) const {
        View<const float> part = view_.channel(static_cast<std::int64_t>(channel));
        part.data += chunk.y * part.rowStride + chunk.x;
        part.shape.width = chunk.width;
        part.shape.height = chunk.height;
        return computeStatistics(part);
    }
    static std::uint64_t samplesOf(const ExrChunk& chunk) { return static_cast<std::uint64_t>(chunk.width * chunk.height); }

    /// OpenEXR decodes bands of chunks whose sizes are right. After a failure, and around damage, chunks are read one by one and once, from
    /// the file opened again with a single buffer: buffers keep what a failed call has half decoded, and a second call would take that.
    void readWithOpenExr() {
        StatisticsCollector statistics(image_);
        ExrChunkWork work(path_);
        PartReader part(file_, checked_, view_);
        std::optional<Imf::MultiPartInputFile> again;
        std::optional<PartReader> single;
        const std::vector<ExrChunk>& chunks = chunks_.all();
        const std::size_t across = chunks_.across(), rows = chunks.size() / across;
        const std::size_t step = rowsOfChunks(file_.header(0), chunks_, view_.shape, threads_);
        constexpr std::size_t kHopeless = 1000;
        std::size_t decoded = 0, damaged = 0;
        for (std::size_t row = 0; row < rows; row += step) {
            const std::size_t first = row * across, last = std::min(rows, row + step) * across;
            options_.throwIfStopped();
            options_.report(static_cast<double>(row) / static_cast<double>(rows));
            std::vector<std::string> reasons(last - first);
            for (std::size_t i = first; i < last; ++i) reasons[i - first] = chunks_.damage(chunks[i], work);
            const bool good = std::all_of(reasons.begin(), reasons.end(), [](const std::string& r) { return r.empty(); });
            if (good && part.read(chunks[first], chunks[last - 1], reasons[0])) {
                decoded += last - first;
                const std::int64_t y = chunks[first].y;
                statistics.add(0, y, view_.shape.width, chunks[last - 1].y + chunks[last - 1].height - y);
                continue;
            }
            if (!single) single.emplace(again.emplace(path_.c_str(), 0), checked_, view_);
            for (std::size_t i = first; i < last; ++i) {
                options_.throwIfStopped();
                const ExrChunk& chunk = chunks[i];
                std::string& reason = reasons[i - first];
                if ((good || reason.empty()) && single->read(chunk, chunk, reason)) {
                    ++decoded;
                    statistics.add(chunk.x, chunk.y, chunk.width, chunk.height);
                    continue;
                }
                clear(chunk, reason);
                if (++damaged > kHopeless && decoded == 0) refuseFile(path_, reasonOf(reason_, path_));
            }
        }
        image_.source.storedStatistics = statistics.finish();
    }

    const std::string& path_;
    Imf::MultiPartInputFile& file_;
    const CheckedHeader& checked_;
    ExrChunks chunks_;
    Image& image_;
    View<float> view_;
    int threads_;
    const LoadOptions& options_;
    std::int64_t lost_ = 0;  ///< lines or tiles
    std::string reason_;     ///< of the first failure
};

/// Reads subsampled channels at their own size.
struct SampledPlane {
    std::int64_t width = 0, height = 0;
    std::vector<float> samples;
};
std::vector<SampledPlane> readSampled(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, int threads,
                                      const LoadOptions& options) {
    const Imath::Box2i& window = checked.window;
    Imf::InputPart part(file, 0);
    std::vector<SampledPlane> planes(checked.names.size());
    std::vector<ExrPlane> inFileOrder;
    Imf::FrameBuffer frame;
    for (auto it = part.header().channels().begin(); it != part.header().channels().end(); ++it) {
        const Imf::Channel& channel = it.channel();
        const auto first = [](int lo, int s) { return (lo >= 0 ? (lo + s - 1) / s : lo / s); };
        const auto last = [](int hi, int s) { return (hi >= 0 ? hi / s : -((-hi + s - 1) / s)); };
        const int x0 = first(window.min.x, channel.xSampling), x1 = last(window.max.x, channel.xSampling);
        const int y0 = first(window.min.y, channel.ySampling), y1 = last(window.max.y, channel.ySampling);
        SampledPlane& p =
            planes[static_cast<std::size_t>(std::find(checked.names.begin(), checked.names.end(), it.name()) - checked.names.begin())];
        p.width = std::max(0, x1 - x0 + 1);
        p.height = std::max(0, y1 - y0 + 1);
        p.samples.resize(static_cast<std::size_t>(p.width * p.height));
        inFileOrder.push_back({p.samples.data(), p.width});
        frame.insert(it.name(), Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(p.samples.data() - (y0 * p.width + x0)), sizeof(float),
                                           sizeof(float) * static_cast<std::size_t>(p.width), channel.xSampling, channel.ySampling));
    }
    part.setFrameBuffer(frame);
    const ExrChunks chunks(path, file, checked.tables);
    const std::size_t step = rowsOfChunks(file.header(0), chunks, checked.shape, threads);
    ExrChunkWork work(path);
    for (std::size_t i = 0; i < chunks.all().size(); i += step) {
        options.throwIfStopped();
        const std::span band = std::span(chunks.all()).subspan(i, std::min(step, chunks.all().size() - i));
        for (const ExrChunk& chunk : band) {
            if (const std::string why = chunks.damage(chunk, work); !why.empty()) throw std::runtime_error(why);
            if (chunks.decodable()) chunks.decode(chunk, work, inFileOrder, 0, checked.shape.height);
        }
        if (!chunks.decodable())
            part.readPixels(static_cast<int>(window.min.y + band.front().y),
                            static_cast<int>(window.min.y + band.back().y + band.back().height - 1));
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

void describe(Image& image, Imf::MultiPartInputFile& file, const std::vector<std::string>& names) {
    const Imf::Header& header = file.header(0);
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

void repeatTo(View<float> v, const SampledPlane& p) {
    for (std::int64_t y = 0; y < v.shape.height; ++y)
        for (std::int64_t x = 0; x < v.shape.width; ++x)
            v.at(x, y) = p.samples.empty()
                             ? 0.0F
                             : p.samples[static_cast<std::size_t>(std::min(p.height - 1, y * p.height / v.shape.height) * p.width +
                                                                  std::min(p.width - 1, x * p.width / v.shape.width))];
}

/// Throws what `work` throws, exceptions of OpenEXR as Error(input) or std::bad_alloc.
template <class F>
auto withReason(const std::string& path, F&& work) {
    try {
        return work();
    } catch (const Error&) {
        throw;
    } catch (const std::exception& e) {
        rethrowIfOutOfMemory(e);
        refuseFile(path, reasonOf(e.what(), path));
    }
}

/// Loads channels of lower resolution: enlarged, or converted from luminance and chroma to R, G and B.
Image loadSampled(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, int threads,
                  const LoadOptions& options) {
    const Imf::ChannelList& channels = file.header(0).channels();
    const auto has = [&](const char* n) { return channels.findChannel(n) != nullptr; };
    const bool chroma = has("RY") && has("BY") && has("Y");
    const auto planes = readSampled(path, file, checked, threads, options);
    std::vector<std::string> names = checked.names;
    if (chroma) names = {"R", "G", "B"};
    if (chroma && has("A")) names.emplace_back("A");
    Image image(Buffer(Shape{checked.shape.width, checked.shape.height, 1, static_cast<std::int64_t>(names.size())}), names);
    if (chroma) convertLuminanceChroma(path, image, checked.window, threads, options);
    else
        for (std::size_t c = 0; c < names.size(); ++c) repeatTo(image.view().channel(static_cast<std::int64_t>(c)), planes[c]);
    describe(image, file, checked.names);
    for (const SampledPlane& p : planes)
        image.source.storedStatistics.push_back(
            p.samples.empty() ? SampleStatistics{} : computeStatistics(denseView(p.samples.data(), Shape{p.width, p.height})));
    image.source.warnings.push_back(chroma ? "Luminance and subsampled chroma were converted to R, G and B"
                                           : "Channels of lower resolution were enlarged by repeating samples");
    return image;
}

Image loadParts(const std::string& path, const LoadOptions& options) {
    const int threads = useExrThreads(options.threads);
    const std::uint64_t tables = checkExrHeaders(path);
    Imf::MultiPartInputFile file(path.c_str(), threads);
    const CheckedHeader checked = checkHeader(path, file.header(0), tables, options);
    checkAffordable(path, checked.shape, std::filesystem::file_size(path), options);
    Image image;
    if (!withinSampleBudget(checked.shape)) {
        image = Image(sampleBuffer(checked.shape), checked.names);
        describe(image, file, checked.names);
        return image;
    }
    if (checked.subsampled) {
        image = loadSampled(path, file, checked, threads, options);
    } else {
        image = Image(Buffer(checked.shape), checked.names);
        describe(image, file, checked.names);
        PlaneReader(path, file, checked, image, threads, options).read();
    }
    for (std::size_t c = 0; c < checked.names.size(); ++c)
        if (file.header(0).channels()[checked.names[c]].type == Imf::UINT && image.source.storedStatistics[c].max > 0x1p24)
            image.source.warnings.push_back("Channel '" + checked.names[c] + "' has integers above 2^24, which float cannot hold exactly");
    return image;
}

}  // namespace

Loader exrLoader() {
    return {"OpenEXR",
            {"exr"},
            [](std::span<const std::uint8_t> head, const std::string& path) {
                return startsWith(head, "\x76\x2f\x31\x01") || hasExtension(path, {"exr"});
            },
            [](const std::string& path, const std::string&, const LoadOptions& options) {
                return withReason(path, [&] { return loadParts(path, options); });
            }};
}

int useExrThreads(int wanted) {
    RunContext context;
    context.threads = wanted;
    const int threads = effectiveThreads(context);
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
    std::unique_ptr<ExrChunks> chunks;
    CheckedHeader checked;
    Shape shape;
    Image description;
};

ExrRowReader::ExrRowReader(const std::string& path, const LoadOptions& options) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.path = path;
    s.options = options;
    withReason(path, [&] {
        s.threads = useExrThreads(options.threads);
        const std::uint64_t tables = checkExrHeaders(path);
        s.file = std::make_unique<Imf::MultiPartInputFile>(path.c_str(), s.threads);
        s.checked = checkHeader(path, s.file->header(0), tables, options);
        s.shape = s.checked.shape;
        if (s.checked.subsampled)
            throw Error(ErrorCode::unavailable, "Cannot read '" + path + "' in strips", "some of its channels have a lower resolution",
                        "Leave out --strips");
        s.description = Image(Buffer(Shape{1, 1, 1, s.shape.channels}), s.checked.names);
        describe(s.description, *s.file, s.checked.names);
        s.chunks = std::make_unique<ExrChunks>(path, *s.file, tables);
        s.part = std::make_unique<Imf::InputPart>(*s.file, 0);
    });
}

ExrRowReader::~ExrRowReader() = default;
const Image& ExrRowReader::description() const { return state_->description; }
const Shape& ExrRowReader::shape() const { return state_->shape; }

void ExrRowReader::read(std::int64_t row, const View<float>& to) {
    State& s = *state_;
    std::vector<ExrChunk> needed;
    for (const ExrChunk& chunk : s.chunks->all())
        if (chunk.y < row + to.shape.height && chunk.y + chunk.height > row) needed.push_back(chunk);
    const auto refuse = [&](const ExrChunk& chunk, const std::string& why) {
        refuseFile(s.path, "rows " + std::to_string(chunk.y) + " to " + std::to_string(chunk.y + chunk.height - 1) +
                               " cannot be read: " + reasonOf(why, s.path));
    };
    LoadOptions options = s.options;
    options.threads = s.threads;
    options.progress = {};
    const std::vector<ExrPlane> planes = planesOf(s.file->header(0), s.checked.names, to);
    runTasks(static_cast<std::int64_t>(needed.size()), options, {}, [&](std::int64_t i) {
        const ExrChunk& chunk = needed[static_cast<std::size_t>(i)];
        ExrChunkWork work(s.path);
        try {
            if (s.chunks->decodable()) s.chunks->decode(chunk, work, planes, row, row + to.shape.height);
            else if (const std::string why = s.chunks->damage(chunk, work); !why.empty()) refuse(chunk, why);
        } catch (const std::runtime_error& e) {
            refuse(chunk, e.what());
        }
    });
    if (s.chunks->decodable()) return;
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
            refuse({0, y, 0, end - y, 0}, e.what());
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

}  // namespace parallax
