// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks are decoded directly into the planes of the image, here or by OpenEXR.
#include "core/io/formats/exr/exr_planes.hpp"

#include <IlmThreadPool.h>
#include <ImfInputPart.h>
#include <ImfTiledInputPart.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/formats/exr/exr_errors.hpp"
#include "core/io/formats/exr/exr_metadata.hpp"

namespace parallax {
namespace {

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

/// Reads chunks of full resolution with OpenEXR: tiles in place, since it would copy each sample if it read them as scan lines.
class PartReader {
public:
    PartReader(Imf::MultiPartInputFile& file, const CheckedHeader& checked, const View<float>& view) : checked_(checked) {
        const Imf::FrameBuffer frame = planarFrame(view, checked.selection.stored, checked.window);
        if (isTiledPart(file.header(checked.selection.part))) {
            tiles_ = std::make_unique<Imf::TiledInputPart>(file, checked.selection.part);
            tiles_->setFrameBuffer(frame);
        } else {
            lines_ = std::make_unique<Imf::InputPart>(file, checked.selection.part);
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
          chunks_(path, file, checked.selection.part, checked.tables),
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
        const std::vector<ExrPlane> planes = planesOf(file_.header(checked_.selection.part), checked_.selection.stored, view_);
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
        std::unique_ptr<Imf::MultiPartInputFile> again;
        std::unique_ptr<PartReader> single;
        const std::vector<ExrChunk>& chunks = chunks_.all();
        const std::size_t across = chunks_.across(), rows = chunks.size() / across;
        const std::size_t step = rowsOfChunks(file_.header(checked_.selection.part), chunks_, view_.shape, threads_);
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
            if (!single) {
                again = std::make_unique<Imf::MultiPartInputFile>(path_.c_str(), 0);
                single = std::make_unique<PartReader>(*again, checked_, view_);
            }
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

}  // namespace

void readPlanes(const std::string& path, Imf::MultiPartInputFile& file, const CheckedHeader& checked, Image& image, int threads,
                const LoadOptions& options) {
    PlaneReader(path, file, checked, image, threads, options).read();
}

}  // namespace parallax
