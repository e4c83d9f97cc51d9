// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/batch/batch.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/engine/pipeline/next_problem.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/translated_errors.hpp"
#include "core/image/encoded_light.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/regular_grid.hpp"
#include "core/image/texts.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/file_strips.hpp"
#include "core/io/formats/input_files.hpp"
#include "core/io/refuse.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kMaxJobs = 16;  // more need much memory, and are hardly faster

std::int64_t since(Clock::time_point start) { return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count(); }

bool exists(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
}

/// Whether all files of an output are there and none is older than a file of the input.
bool isUpToDate(const BatchItem& item) {
    auto newest = fs::file_time_type::min();
    for (const std::string& file : filesOfInput(item.input)) {
        std::error_code error;
        const auto time = fs::last_write_time(file, error);
        if (!error) newest = std::max(newest, time);
    }
    const std::vector<std::string> files = filesOf(item.output);
    return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
        std::error_code failure;
        const auto written = fs::last_write_time(file, failure);
        return !failure && written >= newest;
    });
}

}  // namespace

std::string_view batchStateName(BatchState state) {
    switch (state) {
        case BatchState::waiting: return "waiting";
        case BatchState::running: return "running";
        case BatchState::done: return "done";
        case BatchState::upToDate: return "up to date";
        case BatchState::failed: return "failed";
        case BatchState::notRun: return "not run";
    }
    return "";
}

struct Batch::State {
    const Catalog* catalog;
    BatchOptions options;
    std::vector<BatchItem> items;
    std::vector<BatchResult> results;
    int jobs = 1, threads = 1;

    mutable std::mutex mutex;                          ///< guards `results` and `again`
    std::mutex calls;                                  ///< of `changed`
    std::unique_ptr<std::atomic<double>[]> fractions;  ///< of each item
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> ended = false;  ///< no further item begins
    std::vector<std::size_t> again;   ///< items that found too little memory beside others
    std::function<void(std::size_t)> changed;
    std::stop_token stop;

    void enter(std::size_t i, BatchState state) {
        const std::scoped_lock call(calls);
        {
            const std::scoped_lock lock(mutex);
            results[i].state = state;
        }
        fractions[i] = state == BatchState::running || state == BatchState::waiting ? 0 : 1;
        if (changed) changed(i);
    }

    /// Memory for image and result of one item; 0: no limit of our own.
    std::uint64_t memoryOfItem(bool alone) const {
        if (alone || jobs == 1) return options.memory;
        const std::uint64_t all = options.memory > 0 ? options.memory : availableMemory();
        return std::max<std::uint64_t>(1, all / static_cast<std::uint64_t>(jobs));
    }

    LoadOptions loadOptions(std::size_t i, int itemThreads, std::uint64_t memory) {
        LoadOptions load;
        load.threads = itemThreads;
        load.stop = stop;
        load.memory = memory / 2;
        load.progress = [this, i](double f) { fractions[i] = f / 3; };
        return load;
    }
    SaveOptions saveOptions(std::size_t i, int itemThreads) {
        SaveOptions save = options.save;
        save.overwrite = save.overwrite || options.resume;
        save.threads = itemThreads;
        save.stop = stop;
        save.progress = [this, i](double f) { fractions[i] = (2 + f) / 3; };
        return save;
    }
    Target targetOf(int itemThreads) const {
        Target target = options.target;
        target.threads = itemThreads;
        return target;
    }

    Image load(std::size_t i, const LoadOptions& load, BatchResult& result) const {
        Image image = openInput(items[i].input, load);
        for (const std::string& warning : image.source.warnings) result.notes.push_back(warning);
        if (options.encodedLight) {
            image = withEncodedColours(image);
            image.provenance.emplace_back("Colours as encoded values (--light encoded)");
        }
        if (options.regularGrid && !irregularityOf(image).empty()) image = onRegularGrid(image, stop);
        return image;
    }

    /// `memory`: bytes for image and result; 0: no limit of our own.
    void runInMemory(std::size_t i, int itemThreads, std::uint64_t memory, BatchResult& result) {
        const auto start = Clock::now();
        const HostMemoryUse before = hostMemoryUse();
        Image image = load(i, loadOptions(i, itemThreads, memory), result);
        const std::int64_t loadNs = since(start);
        if (const std::uint64_t needed = bytesInOneGo(image.shape()); memory > 0 && needed > memory)
            throw Error(ErrorCode::memory, "Not enough memory",
                        "image and result need " + mebibytes(needed) + ", " + mebibytes(memory) + " are allowed",
                        "Allow more, or use fewer jobs");
        if (image.isVolume()) checkHolds(items[i].output, resultShape(options.pipeline, image));
        if (options.pipeline.hasEnabledSteps()) {
            Progress progress;
            RunContext context{.stop = stop, .progress = &progress};
            RunResult run =
                Engine(*catalog).run(options.pipeline, std::make_shared<Image>(std::move(image)), targetOf(itemThreads), context);
            image = std::move(run.image);
            result.plan = std::move(run.plan);
            result.times = std::move(run.times);
            if (run.memory.scratch > 0 || before.scratch < hostMemoryUse().scratch)
                result.notes.emplace_back("Memory is short: it was in scratch files, which takes longer");
            for (std::string& warning : run.warnings) result.notes.push_back(std::move(warning));
            for (const StepPlan& step : result.plan) result.notes.insert(result.notes.end(), step.notes.begin(), step.notes.end());
        }
        result.shape = image.shape();
        result.times[Stage::load] = loadNs;
        const auto encoding = Clock::now();
        for (std::string& note : saveImage(image, items[i].output, saveOptions(i, itemThreads))) result.notes.push_back(std::move(note));
        result.times[Stage::encode] = since(encoding);
    }

    /// For an image that does not fit into memory.
    void runInStrips(std::size_t i, int itemThreads, BatchResult& result) {
        FileStripOptions strips{.memory = options.memory, .load = loadOptions(i, itemThreads, 0), .save = saveOptions(i, itemThreads)};
        RunContext context{.stop = stop};
        FileStripRun run(*catalog, options.pipeline, items[i].input, items[i].output, targetOf(itemThreads), strips, context);
        result.notes = run.warnings();
        result.times = run.run(context, result.notes);
        result.shape = run.shape();
        result.plan = {run.step()};
    }

    void runOnce(std::size_t i, int itemThreads, bool alone, BatchResult& result) {
        const std::uint64_t memory = memoryOfItem(alone);
        if (const std::optional<Shape> shape = alone ? shapeForStrips(items[i].input) : std::nullopt;
            shape && !options.encodedLight && bytesInOneGo(*shape) > (memory > 0 ? memory : availableMemory()) &&
            whyNoFileStrips(options.pipeline, items[i].input, items[i].output).empty())
            try {
                return runInStrips(i, itemThreads, result);
            } catch (const Error& e) {
                // As in a run of one image: the step needs the whole image, or loading keeps what is left of a damaged file.
                if (e.code() != ErrorCode::unavailable && e.code() != ErrorCode::input) throw;
                result = {};
            }
        runInMemory(i, itemThreads, alone && scratchSpace() ? 0 : memory, result);
    }

    /// `alone`: no other item is in work.
    void runItem(std::size_t i, bool alone) {
        if (options.resume && isUpToDate(items[i])) return enter(i, BatchState::upToDate);
        enter(i, BatchState::running);
        const auto start = Clock::now();
        BatchResult result;
        try {
            translated("The batch",
                       [&] { runOnce(i, alone ? static_cast<int>(threadsOf(options.target.threads)) : threads, alone, result); });
            result.state = BatchState::done;
        } catch (const Error& e) {
            if (e.code() == ErrorCode::memory && !alone) {
                {
                    const std::scoped_lock lock(mutex);
                    again.push_back(i);
                }
                return enter(i, BatchState::waiting);
            }
            result.state = e.code() == ErrorCode::cancelled ? BatchState::notRun : BatchState::failed;
            if (result.state == BatchState::failed) {
                result.error = e;
                if (!options.keepGoing) ended = true;
            }
        }
        result.wholeNs = since(start);
        const BatchState state = result.state;
        {
            const std::scoped_lock lock(mutex);
            results[i] = std::move(result);
        }
        enter(i, state);
    }

    bool goesOn() const { return !ended && !stop.stop_requested(); }

    void work() {
        while (goesOn()) {
            const std::size_t i = next++;
            if (i >= items.size()) return;
            runItem(i, jobs == 1);
        }
    }
};

Batch::Batch(const Catalog& catalog, BatchOptions options, std::vector<BatchItem> items) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.catalog = &catalog;
    s.options = std::move(options);
    s.items = std::move(items);
    s.results.resize(s.items.size());
    s.fractions = std::make_unique<std::atomic<double>[]>(s.items.size());
    const auto all = static_cast<int>(threadsOf(s.options.target.threads));
    int jobs = s.options.jobs;
    if (jobs == 0) jobs = s.options.target.parts > 1 ? 1 : std::min(all, kMaxJobs);
    s.jobs = std::clamp(jobs, 1, std::max(1, static_cast<int>(s.items.size())));
    s.threads = std::max(1, all / s.jobs);
}

Batch::~Batch() = default;

const std::vector<BatchItem>& Batch::items() const { return state_->items; }
int Batch::jobs() const { return state_->jobs; }
int Batch::threadsOfItem() const { return state_->threads; }

void Batch::check() const {
    const BatchOptions& options = state_->options;
    std::string first;
    std::int64_t there = 0;
    for (const BatchItem& item : state_->items) {
        checkSavable(item.output, options.save);
        const std::vector<std::string> files = filesOf(item.output);
        const auto existing = std::find_if(files.begin(), files.end(), exists);
        if (existing == files.end()) continue;
        if (there++ == 0) first = *existing;
    }
    if (there == 0 || options.save.overwrite || options.resume) return;
    throw Error(ErrorCode::output, there == 1 ? "'" + first + "' exists" : counted(there, "output") + " exist, '" + first + "' among them",
                {}, "Overwrite with --force, or skip outputs that are up to date with --resume");
}

void Batch::run(const std::stop_token& stop, const std::function<void(std::size_t)>& changed) {
    State& s = *state_;
    s.changed = changed;
    s.stop = stop;
    for (const BatchItem& item : s.items) {
        // An output that is a folder appears with its files.
        const bool isFolder = item.output.ends_with('/');
        const fs::path folder = fs::path(isFolder ? item.output.substr(0, item.output.size() - 1) : item.output).parent_path();
        std::error_code error;
        if (!folder.empty()) fs::create_directories(folder, error);
        if (error)
            throw Error(ErrorCode::output, "Cannot make the folder '" + folder.string() + "'", error.message(),
                        adviceOnWriting(error.value()));
    }
    std::vector<std::jthread> workers;
    translated("The batch", [&] {
        for (int job = 1; job < s.jobs; ++job) workers.emplace_back([&s] { s.work(); });
    });
    s.work();
    workers.clear();
    std::sort(s.again.begin(), s.again.end());
    for (const std::size_t i : s.again)
        if (s.goesOn()) s.runItem(i, true);
    for (std::size_t i = 0; i < s.items.size(); ++i)
        if (s.results[i].state == BatchState::waiting) s.enter(i, BatchState::notRun);
    if (stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
}

const BatchResult& Batch::result(std::size_t item) const { return state_->results[item]; }

std::int64_t Batch::count(BatchState state) const {
    const std::scoped_lock lock(state_->mutex);
    return std::count_if(state_->results.begin(), state_->results.end(), [&](const BatchResult& r) { return r.state == state; });
}

double Batch::fraction() const {
    double sum = 0;
    for (std::size_t i = 0; i < state_->items.size(); ++i) sum += state_->fractions[i];
    return state_->items.empty() ? 1 : sum / static_cast<double>(state_->items.size());
}

}  // namespace parallax
