// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_strips.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>
#include <utility>

#include "core/engine/run/band_run.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/formats/exr/exr.hpp"

namespace parallax {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

/// A line of /proc/self/status, in bytes.
std::uint64_t ownMemory(const std::string& key) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(key + ":")) return std::strtoull(line.c_str() + key.size() + 1, nullptr, 10) * 1024;
    return 0;
}

template <class F>
void timeEncode(StageTimes& times, F&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times[Stage::encode] += std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

constexpr const char* kMoreMemory = "Allow less memory, so that strips become smaller, or use fewer threads";

}  // namespace

std::uint64_t residentMemory() { return ownMemory("VmRSS"); }
std::uint64_t peakResidentMemory() { return ownMemory("VmHWM"); }

std::uint64_t availableMemory() {
    std::uint64_t available = hostDevice().memoryFree;
    if (available == 0) available = kNoLimit;
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
        // Half of it: stacks and arenas of threads that are yet to come take address space that never becomes memory.
        const std::uint64_t mapped = ownMemory("VmSize");
        available = std::min<std::uint64_t>(available, limit.rlim_cur > mapped ? (limit.rlim_cur - mapped) / 2 : 0);
    }
    return available;
}

std::uint64_t bytesInOneGo(const Shape& shape) { return 2 * checkedBytes(shape, SampleType::float32); }

std::optional<Shape> shapeForStrips(const std::string& input) {
    std::error_code ignored;
    if (lowerExtension(input) != "exr" || !std::filesystem::is_regular_file(input, ignored)) return {};
    try {
        return ExrRowReader(input, {.threads = 1}).shape();
    } catch (const std::exception&) {
        return {};  // who loads it will say why
    }
}

std::string whyNoFileStrips(const Pipeline& pipeline, const std::string& input, const std::string& output) {
    if (!splitChoice(input).choice.empty()) return "a chosen part or layer is read as a whole";
    if (lowerExtension(input) != "exr") return "only OpenEXR files can be read in strips";
    if (lowerExtension(output) != "exr") return "only OpenEXR files can be written in strips";
    if (std::count_if(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& s) { return s.enabled; }) != 1)
        return "only pipelines of one step work in strips";
    return {};
}

struct FileStripRun::State {
    State(const Catalog& catalog, const Pipeline& pipeline, std::string from, std::string to, const Target& target,
          const FileStripOptions& given, RunContext& context);
    /// Reads, computes and writes the whole file. Returns false if a channel did not fit its sample type, which is float from then on: the
    /// file has to be written again.
    bool pass(const RunContext& given, StageTimes& times, std::vector<std::string>& notes);
    bool fitTypes(const View<const float>& samples, std::vector<bool>& overflows, std::vector<std::string>& notes);
    void writeBand(ExrRowWriter& writer, const View<const float>& samples, const RunContext& context) const;
    /// Channels whose samples exceeded their type, and whether none did so far that has to be written in another one.
    struct Overflows {
        std::vector<bool> channels;
        bool fit = true;
    };
    bool passBands(ExrRowWriter* writer, const RunContext& context, StageTimes& times, std::vector<std::string>& notes);
    void hand(std::size_t index, ExrRowWriter* writer, const View<const float>& samples, Overflows& overflows,
              std::vector<std::string>& notes, const RunContext& context);
    View<const float> receive(std::size_t band);
    bool writes() const { return !options.ranks || options.ranks->rank() == 0; }
    std::size_t ranks() const { return options.ranks ? static_cast<std::size_t>(options.ranks->size()) : 1; }

    std::string input, output;
    FileStripOptions options;
    InMemoryOnly inMemory{"strips are for memory"};
    ExrRowReader reader;
    BandRun run;
    Image description;       ///< of the output
    std::vector<Strip> all;  ///< bands, also of other ranks
    Buffer received;         ///< a band of one of them
    std::uint64_t estimated = 0, allowed = 0;
    std::int64_t prepareNs = 0;
    std::vector<ExrType> types;
};

FileStripRun::State::State(const Catalog& catalog, const Pipeline& pipeline, std::string from, std::string to, const Target& target,
                           const FileStripOptions& given, RunContext& context)
    : input(std::move(from)),
      output(std::move(to)),
      options(given),
      reader(input, given.load),
      run(catalog, *std::find_if(pipeline.steps.begin(), pipeline.steps.end(), [](const Step& step) { return step.enabled; }),
          reader.description(), reader.shape(), target, context) {
    options.save.progress = {};
    description = reader.description().withSamples(Buffer(reader.description().shape()));
    std::erase_if(description.metadata, [](const MetadataEntry& e) { return e.name.starts_with(kFactPrefix); });
    for (const Fact& fact : run.facts()) description.metadata.push_back({fact.name, "string", fact.text, {}});
    description.provenance.push_back(run.record().step + " [" + run.record().implementation + "]");
    for (std::size_t c = 0; c < description.channelNames().size(); ++c) types.push_back(wantedExrType(description, c, options.save.depth));

    const std::uint64_t resident = residentMemory(), available = availableMemory();
    std::uint64_t fixed = resident + reader.workBytes() + (writes() ? ExrRowWriter::workBytes(reader.shape(), options.save) : 0);
    allowed = options.memory > 0 ? options.memory : available > kNoLimit - resident ? available : resident + available;
    if (options.ranks) {
        // The bands of all ranks are those of the one that has least.
        std::array<double, 2> least{static_cast<double>(allowed), -static_cast<double>(fixed)};
        options.ranks->allReduce(least, Reduce::minimum);
        allowed = static_cast<std::uint64_t>(least[0]);
        fixed = static_cast<std::uint64_t>(-least[1]);
    }
    run.planBands(allowed, fixed, options.largestStrip, "Allow more, or use fewer threads, for each of which blocks of the files are held");
    all = run.bands();
    if (options.ranks) run.keepBands(static_cast<std::size_t>(options.ranks->rank()), ranks());
    estimated = fixed + run.hostBytes() + run.bandBytes();
}

/// The result of a band of another rank.
View<const float> FileStripRun::State::receive(std::size_t band) {
    Shape shape = run.shape();
    shape.height = all[band].rows;
    if (received.empty() || received.shape() != shape) received = Buffer(shape);
    options.ranks->startExchange({}, {{static_cast<int>(band % ranks()), received.view<float>()}})->finish();
    return std::as_const(received).view<float>();
}

/// Writes a band of this rank, and on rank 0 those of the others up to the next one of its own.
void FileStripRun::State::hand(std::size_t index, ExrRowWriter* writer, const View<const float>& samples, Overflows& overflows,
                               std::vector<std::string>& notes, const RunContext& context) {
    const auto write = [&](const View<const float>& band) {
        if (overflows.fit) overflows.fit = fitTypes(band, overflows.channels, notes);
        if (overflows.fit) writeBand(*writer, band, context);
    };
    if (!writes()) return options.ranks->startExchange({{0, samples}}, {})->finish();
    write(samples);
    if (!options.ranks) return;
    for (std::size_t band = index * ranks() + 1; band < std::min(all.size(), (index + 1) * ranks()); ++band) write(receive(band));
}

/// Changes the type of channels that cannot hold their samples. Returns whether the type of a written channel changed.
bool FileStripRun::State::fitTypes(const View<const float>& samples, std::vector<bool>& overflows, std::vector<std::string>& notes) {
    bool fits = true;
    for (std::size_t c = 0; c < types.size(); ++c) {
        if (overflows[c] || holds(types[c], samples.channel(static_cast<std::int64_t>(c)))) continue;
        const std::string& name = description.channelNames()[c];
        overflows[c] = true;
        if (options.save.depth == StoredDepth::half) {
            notes.push_back(halfBecameInfinite(name));
            continue;
        }
        if (types[c] == ExrType::half) notes.push_back(halfBecameFloat(name));
        types[c] = ExrType::float32;
        fits = false;
    }
    return fits;
}

void FileStripRun::State::writeBand(ExrRowWriter& writer, const View<const float>& samples, const RunContext& context) const {
    try {
        View<const float> rows = samples;
        for (std::int64_t y = 0; y < samples.shape.height; y += writer.rowsAtOnce()) {
            context.throwIfStopped();
            rows.data = samples.row(y);
            rows.shape.height = std::min(writer.rowsAtOnce(), samples.shape.height - y);
            writer.write(rows);
            if (context.progress) context.progress->add(rows.shape.height * samples.shape.channels);
        }
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        throw Error(ErrorCode::output, "'" + output + "' cannot be written", e.what(), "Free some space or choose another folder");
    }
}

/// In each round one band is read, the one before is computed and the result of the one before that is written, at the same time unless
/// only one thread may be used. Returns false as pass() does.
bool FileStripRun::State::passBands(ExrRowWriter* writer, const RunContext& context, StageTimes& times, std::vector<std::string>& notes) {
    const std::vector<Strip>& bands = run.bands();
    const auto policy = options.load.threads == 1 && options.save.threads == 1 ? std::launch::deferred : std::launch::async;
    const auto addRows = [&](std::size_t band) {
        if (context.progress) context.progress->add(bands[band].rows * run.shape().channels);
    };
    Overflows overflows{std::vector<bool>(types.size(), false)};
    View<const float> result, computed;
    // Ranks go on after an overflow, since others wait for them.
    for (std::size_t round = 0; round < bands.size() + 2 && (overflows.fit || options.ranks); ++round) {
        context.throwIfStopped();
        StageTimes reading, writing;
        // If one of the three throws, the destructors wait for the others.
        std::future<void> read, write;
        if (round < bands.size())
            read = std::async(policy, [&] {
                run.read(
                    round, [&](std::int64_t first, const View<float>& rows) { reader.read(first, rows); }, reading);
                addRows(round);
            });
        if (round >= 2)
            write = std::async(policy, [&] { timeEncode(writing, [&] { hand(round - 2, writer, result, overflows, notes, context); }); });
        if (round >= 1 && round <= bands.size()) {
            computed = run.compute(round - 1, context, times);
            addRows(round - 1);
        }
        if (write.valid()) write.get();
        if (read.valid()) read.get();
        times += reading;
        times += writing;
        result = computed;
    }
    if (!options.ranks) return overflows.fit;
    std::array<std::int64_t, 1> failed{overflows.fit ? 0 : 1};
    options.ranks->allReduce(failed);
    return failed[0] == 0;
}

bool FileStripRun::State::pass(const RunContext& context, StageTimes& times, std::vector<std::string>& notes) {
    const Shape& shape = run.shape();
    constexpr std::int64_t kParts = 3;  // of the progress: reading, computing, writing
    if (context.progress) context.progress->start(kParts * shape.height * shape.channels / static_cast<std::int64_t>(ranks()));
    if (!writes()) return passBands(nullptr, context, times, notes);

    AtomicFile file(output, options.save.overwrite);
    {
        ExrRowWriter writer(file, description, shape, types, options.save);
        if (!passBands(&writer, context, times, notes)) return false;
    }
    timeEncode(times, [&] { file.commit(); });
    return true;
}

FileStripRun::FileStripRun(const Catalog& catalog, const Pipeline& pipeline, std::string input, std::string output, const Target& target,
                           const FileStripOptions& options, RunContext& context) {
    const auto start = std::chrono::steady_clock::now();
    if (const std::string why = whyNoFileStrips(pipeline, input, output); !why.empty())
        throw Error(ErrorCode::usage, "This cannot be done in strips", why, "Leave --strips out, or use OpenEXR files and one step");
    RunContext own = context;
    state_ = translated(
        "Preparing strips",
        [&] { return std::make_unique<State>(catalog, pipeline, std::move(input), std::move(output), target, options, own); }, kMoreMemory);
    state_->prepareNs = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
}

FileStripRun::~FileStripRun() = default;

const Shape& FileStripRun::shape() const { return state_->run.shape(); }
const std::vector<std::string>& FileStripRun::channelNames() const { return state_->description.channelNames(); }
const StepPlan& FileStripRun::step() const { return state_->run.record(); }
const std::string& FileStripRun::deviceName() const { return state_->run.deviceName(); }
int FileStripRun::threads() const { return state_->run.threads(); }
std::int64_t FileStripRun::strips() const { return static_cast<std::int64_t>(state_->all.size()); }
std::int64_t FileStripRun::rows() const { return state_->all.front().rows; }
std::uint64_t FileStripRun::estimatedBytes() const { return state_->estimated; }
std::uint64_t FileStripRun::allowedBytes() const { return state_->allowed; }
std::vector<std::string> FileStripRun::warnings() const { return state_->description.source.warnings; }

StageTimes FileStripRun::run(RunContext& context, std::vector<std::string>& notes) {
    State& s = *state_;
    const auto runAll = [&] {
        StageTimes times;
        times[Stage::prepare] = s.prepareNs;
        try {
            while (!s.pass(context, times, notes)) {}
        } catch (...) {
            s.run.drain();
            throw;
        }
        return times;
    };
    return translated("The run in strips", runAll, kMoreMemory);
}

}  // namespace parallax
