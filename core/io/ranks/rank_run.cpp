// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/ranks/rank_run.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/target_bytes.hpp"
#include "core/engine/operation/fact_bytes.hpp"
#include "core/engine/parts/part_views.hpp"
#include "core/engine/parts/parts_run.hpp"
#include "core/engine/pipeline/run_results.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/image/texts.hpp"
#include "core/io/codec/stored_samples.hpp"
#include "core/io/file_strips.hpp"
#include "core/io/limits.hpp"
#include "core/io/ranks/hand_out.hpp"
#include "core/io/ranks/save_parts.hpp"
#include "core/io/sample_budget.hpp"
#include "core/parallel/bytes.hpp"

namespace parallax {

/// What ranks other than 0 need to know of an input that they do not open, since rank 0 hands out its rows.
struct HandedInput {
    Shape shape;
    std::vector<std::string> channelNames, storedTypes;
    std::vector<Fact> facts;
};

/// What rank 0 asks the other ranks for.
struct RankJob {
    enum class Kind : std::uint8_t { run, memory };
    Kind kind = Kind::run;
    RankRunRequest request;
    bool handsOut = false;
    HandedInput input;
};

template <Is<RankRunRequest> T, class F>
void forEachMember(T& r, F& each) {
    each(r.input), each(r.output), each(r.steps), each(r.target), each(r.memory), each(r.strips), each(r.compare), each(r.largeFiles);
    auto& save = r.save;
    each(save.overwrite), each(save.depth), each(save.encoding), each(save.withoutAlpha), each(save.compression), each(save.threads),
        each(save.exrCompression), each(save.keepPatient);
}
template <Is<HandedInput> T, class F>
void forEachMember(T& input, F& each) {
    each(input.shape), each(input.channelNames), each(input.storedTypes), each(input.facts);
}
template <Is<RankJob> T, class F>
void forEachMember(T& job, F& each) {
    each(job.kind), each(job.request), each(job.handsOut), each(job.input);
}

namespace {

HandedInput handedInput(const Image& description) {
    HandedInput input{.shape = description.shape(), .channelNames = description.channelNames()};
    for (const StoredChannel& channel : description.source.storedChannels) input.storedTypes.push_back(channel.type);
    input.facts = makeProblem(description, {}, {}).facts;
    return input;
}
Image descriptionOf(const HandedInput& input) {
    Image image(sampleBuffer(input.shape, PartRange{}), input.channelNames);
    for (std::size_t c = 0; c < std::min(input.storedTypes.size(), input.channelNames.size()); ++c)
        image.source.storedChannels.push_back({input.channelNames[c], input.storedTypes[c]});
    for (const Fact& fact : input.facts) image.metadata.push_back({fact.name, "string", fact.text, {}});
    return image;
}

std::int64_t now() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

/// The value of the rank that has most, on each rank.
std::uint64_t largest(Communicator& communicator, std::uint64_t value) {
    std::array<double, 1> all{static_cast<double>(value)};
    communicator.allReduce(all, Reduce::maximum);
    return static_cast<std::uint64_t>(all[0]);
}

/// Ranks on the machine of this one that take part.
int ranksHere(const Communicator& communicator) {
    const std::shared_ptr<Ranks> ranks = processRanks();
    int here = 0;
    for (int r = 0; r < communicator.size(); ++r) here += ranks->host(r) == ranks->host(communicator.rank());
    return here;
}

/// Bytes that this rank may use in all.
std::uint64_t availableHere(const Communicator& communicator) {
    const std::uint64_t free = hostDevice().memoryFree, own = availableMemory();
    return residentMemory() + (free > 0 ? std::min(own, free / static_cast<std::uint64_t>(ranksHere(communicator))) : own);
}

void leaveAvailable(Communicator& communicator, std::uint64_t& least) {
    std::array<double, 1> all{static_cast<double>(availableHere(communicator))};
    communicator.allReduce(all, Reduce::minimum);
    least = static_cast<std::uint64_t>(all[0]);
}

/// One rank of a run.
class RankRun {
public:
    RankRun(const Catalog& catalog, const RankJob& job, Communicator& communicator, Progress* progress)
        : catalog_(catalog),
          job_(job),
          request_(job.request),
          communicator_(communicator),
          pipeline_(parsePipeline(catalog, job.request.steps)) {
        context_.stop = communicator.stop();
        context_.progress = progress;
    }

    /// `description`: known on rank 0.
    RankRunResult run(const Image* description) {
        Image own;
        if (!description) {
            own = job_.handsOut ? descriptionOf(job_.input) : openInput(request_.input, loadOptions(PartRange{}));
            description = &own;
        }
        if (!job_.handsOut) agree(*description);
        RankRunResult result = request_.strips ? runStrips() : runParts(*description);
        result.peakBytes = largest(communicator_, peakResidentMemory());
        return result;
    }

private:
    LoadOptions loadOptions(const std::optional<PartRange>& part) const {
        LoadOptions options;
        options.threads = request_.target.threads > 0 ? request_.target.threads : threads_;
        options.stop = communicator_.stop();
        options.part = part;
        return options;
    }

    /// Throws unless the file that this rank sees is that of rank 0.
    void agree(const Image& description) const {
        std::error_code none;
        const std::string path = splitChoice(request_.input).path;
        const std::uintmax_t bytes = std::filesystem::is_regular_file(path, none) ? std::filesystem::file_size(path, none) : 0;
        ByteWriter writer;
        writer(description.shape());
        writer(description.channelNames());
        writer(bytes);
        const std::vector<std::byte> own = writer.take();
        std::array<std::int64_t, 1> size{static_cast<std::int64_t>(own.size())};
        communicator_.broadcast(std::as_writable_bytes(std::span(size)), 0);
        std::vector<std::byte> first = own;
        first.resize(static_cast<std::size_t>(size[0]));
        communicator_.broadcast(first, 0);
        if (first != own)
            throw Error(ErrorCode::input, "Cannot open '" + request_.input + "'", "it is another file than that of rank 0",
                        "Put the input in a folder that all machines share, or copy it to each of them");
    }

    RankRunResult runStrips() {
        FileStripOptions options;
        options.memory = request_.memory > 0 ? request_.memory : availableHere(communicator_);
        options.load.threads = options.save.threads = request_.target.threads;
        options.load.stop = communicator_.stop();
        options.save = saveOptions();
        options.ranks = &communicator_;
        Target target = request_.target;
        const auto devices = static_cast<int>(catalog_.availableBackend(target.backend).devices().size());
        target.device = deviceOfRank(target, *processRanks(), devices);
        target.otherDevices.clear();
        target.parts = 1;
        FileStripRun strips(catalog_, pipeline_, request_.input, request_.output, target, options, context_);
        RankRunResult result{.shape = strips.shape(), .channelNames = strips.channelNames(), .plan = {strips.step()}};
        result.plan.front().reason += "; on " + std::to_string(communicator_.size()) + " ranks";
        result.deviceName = strips.deviceName();
        result.times = strips.run(context_, result.notes);
        result.strips = RankRunResult::Strips{strips.strips(), strips.rows(), largest(communicator_, strips.allowedBytes()),
                                              largest(communicator_, strips.estimatedBytes())};
        std::array<std::int64_t, 1> threads{strips.threads()};
        communicator_.allReduce(threads);
        result.threads = static_cast<int>(threads[0]);
        return result;
    }

    RankRunResult runParts(const Image& description) {
        RunTarget target(catalog_, request_.target, context_);
        threads_ = target.threads();
        const std::int64_t start = now();
        // Parts are read again in the rare case that the statistics of their samples move them.
        RunPlan plan = planRun(catalog_, pipeline_, makeProblem(description, {}, {.max = 1}), target, context_);
        checkMemory(plan);
        Image part;
        SampleStatistics statistics;
        Partition read;
        do {
            read = plan.partition;
            part = Image();
            part = job_.handsOut ? handedPart(description, read) : load(read[communicator_.rank()]);
            statistics = statisticsOf(part);
            plan = planRun(catalog_, pipeline_, makeProblem(description, {}, statistics), target, context_);
        } while (plan.partition != read);
        const std::int64_t loaded = now();

        PartsRun parts(plan, target);
        const RunContext context = target.contextFor(context_);
        parts.prepareRank(communicator_, context);
        const std::int64_t prepared = now();
        const PartRange& own = plan.steps.back().partition[communicator_.rank()];
        const Shape& outputShape = plan.steps.back().outputShape;
        Buffer output;
        if (!own.empty()) output = Buffer(shapeOf(outputShape, own));
        if (context_.progress) context_.progress->start(std::max<std::int64_t>(1, rowsOf(plan)));
        parts.runRankOnRows(part.view(), output.view<float>(), communicator_, context);

        RankRunResult result;
        if (request_.compare && outputShape == description.shape()) result.againstInput = compared(part, statistics, std::as_const(output));
        part = Image();
        Image described = description.withSamples(sampleBuffer(outputShape, PartRange{}));
        for (const PlannedStep& step : plan.steps) result.plan.push_back(step.record);
        describeResult(described, plan.facts, result.plan);
        if (communicator_.rank() == 0) {
            const StageTimes times = parts.times();
            const FinishedRun finished{plan, target, [&](std::size_t step) -> Execution& { return parts.execution(step); },
                                       times.compute()};
            result.statistics = statisticsOfRun(finished, context);
            result.series = seriesOfRun(finished, context);
            result.laps = lapsOfRun(finished, context);
            result.warnings = warningsOfRun(finished, context);
            result.times = times;
        }
        const std::int64_t saving = now();
        result.times[Stage::load] = slowest(loaded - start);
        result.times[Stage::prepare] = slowest(prepared - loaded);
        result.notes = saveParts(communicator_, described, plan.steps.back().partition, std::as_const(output).view<float>(),
                                 request_.output, saveOptions());
        result.notes.insert(result.notes.begin(), found_.begin(), found_.end());
        result.times[Stage::encode] = now() - saving;
        result.shape = outputShape;
        result.channelNames = described.channelNames();
        result.deviceName = target.deviceName();
        result.threads = parts.threads();
        target.drain();
        return result;
    }

    SaveOptions saveOptions() const {
        SaveOptions options = request_.save;
        options.stop = communicator_.stop();
        return options;
    }

    std::int64_t slowest(std::int64_t time) const {
        return static_cast<std::int64_t>(largest(communicator_, static_cast<std::uint64_t>(std::max<std::int64_t>(0, time))));
    }

    /// On rank 0, keeps what reading the samples has found.
    Image handedPart(const Image& description, const Partition& partition) {
        Buffer rows = handOutRows(communicator_, description.shape(), partition, [&](const TakeRows& take) {
            LoadOptions options = loadOptions({});
            options.rows = take;
            const Image read = openInput(request_.input, options);
            found_.clear();
            for (const std::string& warning : read.source.warnings)
                if (std::find(description.source.warnings.begin(), description.source.warnings.end(), warning) ==
                    description.source.warnings.end())
                    found_.push_back(warning);
        });
        return rows.empty() ? Image() : Image(std::move(rows), description.channelNames());
    }

    Image load(const PartRange& range) const {
        if (range.empty()) return {};
        LoadOptions options = loadOptions(range);
        options.memory = request_.memory;
        return openInput(request_.input, options);
    }

    /// Returns the statistics of the whole image.
    SampleStatistics statisticsOf(const Image& part) const {
        struct Counted {
            SampleStatistics statistics;
            std::uint64_t samples = 0;
        };
        Counted own{.samples = static_cast<std::uint64_t>(part.shape().samples())};
        if (own.samples > 0) own.statistics = computeStatistics(part);
        StatisticsSum sum;
        for (const Counted& c : gatherBlocks(communicator_, std::span<const Counted>(&own, 1)))
            if (c.samples > 0) sum.add(c.statistics, c.samples);
        return sum.result();
    }

    /// Rows of all channels of the results of this rank.
    std::int64_t rowsOf(const RunPlan& plan) const {
        std::int64_t rows = 0;
        for (const PlannedStep& step : plan.steps) {
            const Shape shape = shapeOf(step.outputShape, step.partition[communicator_.rank()]);
            rows += shape.height * shape.depth * shape.channels;
        }
        return rows;
    }

    void checkMemory(const RunPlan& plan) const {
        const auto bytes = [&](const Shape& whole, const Partition& partition) {
            const PartRange& range = partition[communicator_.rank()];
            return range.empty() ? 0 : checkedBytes(shapeOf(whole, range), SampleType::float32);
        };
        std::uint64_t needed = bytes(plan.steps.front().problem.shape, plan.partition);
        for (const PlannedStep& step : plan.steps) needed += bytes(step.outputShape, step.partition);
        const std::uint64_t allowed = request_.memory > 0 ? request_.memory : availableHere(communicator_);
        if (needed > allowed)
            throw Error(ErrorCode::memory, "Not enough memory",
                        "a part of the image and its results need " + mebibytes(needed) + ", " + mebibytes(allowed) +
                            (request_.memory > 0 ? " are allowed" : " are available"),
                        "Use more ranks or machines, or OpenEXR files and a single step, which are streamed in strips");
    }

    /// Returns the difference of the whole images.
    DifferenceMetrics compared(const Image& input, const SampleStatistics& statistics, const Buffer& output) const {
        struct Sums {
            double maxAbs = 0, squares = 0;
            std::uint64_t compared = 0, nan = 0, infinity = 0;
        } own;
        if (!output.empty()) {
            const DifferenceMetrics d = compareViews(input.view(), output.view<float>(), {.worstCount = 0});
            own = {d.maxAbs, d.rmse * d.rmse * static_cast<double>(d.compared), d.compared, d.nanMismatches, d.infinityMismatches};
        }
        DifferenceMetrics all;
        double squares = 0;
        for (const Sums& s : gatherBlocks(communicator_, std::span<const Sums>(&own, 1))) {
            all.maxAbs = std::max(all.maxAbs, s.maxAbs);
            squares += s.squares;
            all.compared += s.compared;
            all.nanMismatches += s.nan;
            all.infinityMismatches += s.infinity;
        }
        if (all.compared > 0) all.rmse = std::sqrt(squares / static_cast<double>(all.compared));
        all.peak = statistics.maxAbs() > 0 ? statistics.maxAbs() : 1;
        all.psnr = 20 * std::log10(all.peak / all.rmse);
        return all;
    }

    const Catalog& catalog_;
    const RankJob& job_;
    const RankRunRequest& request_;
    Communicator& communicator_;
    Pipeline pipeline_;
    std::vector<std::string> found_;
    RunContext context_;
    int threads_ = 1;
};

std::vector<std::byte> orderOf(const RankJob& job) {
    return RankOrder{.kind = RankOrder::Kind::job, .layer = kRankRunLayer, .job = bytesOf(job)}.bytes();
}

}  // namespace

std::uint64_t bytesOfLargestPart(const Shape& shape, int parts) {
    const PartRange largestPart = Partition(inSlices(shape) ? shape.depth : shape.height, parts)[0];
    return 2 * checkedBytes(shapeOf(shape, largestPart), SampleType::float32);
}

std::uint64_t availableMemoryOfRanks(int parts) {
    std::uint64_t least = 0;
    processRanks()->lead(orderOf({.kind = RankJob::Kind::memory}), parts,
                         [&](Communicator& communicator) { leaveAvailable(communicator, least); }, {});
    return least;
}

RankRunResult runOnRanks(const Catalog& catalog, const RankRunRequest& request, const Image& description, RunContext& context) {
    RankRunResult result;
    processRanks()->setExchangeMode(request.target.has(kBlockingMode) ? ExchangeMode::blocking : ExchangeMode::overlapped);
    RankJob job{.kind = RankJob::Kind::run, .request = request, .handsOut = isReadInOrder(description)};
    if (job.handsOut) job.input = handedInput(description);
    processRanks()->lead(
        orderOf(job), request.target.parts,
        [&](Communicator& communicator) {
            result =
                translated(request.target.label(), [&] { return RankRun(catalog, job, communicator, context.progress).run(&description); });
        },
        context.stop);
    return result;
}

void serveRankRun(const Catalog& catalog, std::span<const std::byte> job, Communicator& communicator) {
    const RankJob asked = messageOf<RankJob>(job);
    const RankRunRequest& request = asked.request;
    std::uint64_t least = 0;
    if (asked.kind == RankJob::Kind::memory) return leaveAvailable(communicator, least);
    allowLargeFiles(request.largeFiles);
    translated(request.target.label(), [&] { (void)RankRun(catalog, asked, communicator, nullptr).run(nullptr); });
}

}  // namespace parallax
