// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "app/cli/console.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/output.hpp"
#include "app/cli/run/run_arguments.hpp"
#include "core/engine/pipeline/next_problem.hpp"
#include "core/image/texts.hpp"
#include "core/io/batch/batch.hpp"
#include "core/io/codec/text.hpp"
#include "core/io/file_strips.hpp"
#include "core/report/record/summary.hpp"

namespace parallax::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::string sizeText(const Shape& s) {
    return s.depth > 1 ? fmt::format("{} x {} x {}", s.width, s.height, s.depth) : fmt::format("{} x {}", s.width, s.height);
}

/// "convolve-tonemap"; "converted" without steps.
std::string operationsOf(const Pipeline& pipeline) {
    std::vector<std::string> ids;
    for (const Step& step : pipeline.steps)
        if (step.enabled) ids.push_back(step.operation->id());
    return ids.empty() ? "converted" : joined(ids, "-");
}

/// Each sentence once, with the items that it is on.
class Notes {
public:
    void add(const std::string& input, const std::vector<std::string>& notes) {
        for (const std::string& note : notes) {
            const auto known = std::find_if(all_.begin(), all_.end(), [&](const Note& n) { return n.text == note; });
            if (known == all_.end()) all_.push_back({note, input, 1});
            else ++known->items;
        }
    }
    void print() const {
        for (const Note& n : all_)
            printMessage("note: " + n.first + (n.items > 1 ? " and " + counted(n.items - 1, "other") : "") + ": " + n.text);
    }

private:
    struct Note {
        std::string text, first;
        std::int64_t items = 0;
    };
    std::vector<Note> all_;
};

/// Shows how far a batch is, ten times a second, on a terminal.
class BatchDisplay {
public:
    explicit BatchDisplay(const Batch& batch)
        : thread_([&batch](const std::stop_token& stop) {
              const auto start = Clock::now();
              std::mutex mutex;
              std::condition_variable_any stopped;
              std::unique_lock lock(mutex);
              while (!stopped.wait_for(lock, stop, std::chrono::milliseconds(100), [&] { return stop.stop_requested(); })) {
                  const double fraction = batch.fraction(), passed = std::chrono::duration<double>(Clock::now() - start).count();
                  const std::string left =
                      fraction > .02 && passed > 2 ? fmt::format(", about {:.0f} s left", passed / fraction - passed) : "";
                  printProgress(
                      fmt::format("{} of {}, {:.0f} %{}", batch.count(BatchState::done), batch.items().size(), 100 * fraction, left));
              }
          }) {}
    ~BatchDisplay() {
        thread_.request_stop();
        thread_.join();
        endProgress();
    }
    BatchDisplay(const BatchDisplay&) = delete;
    BatchDisplay& operator=(const BatchDisplay&) = delete;

private:
    std::jthread thread_;
};

Json jsonOf(const BatchItem& item, const BatchResult& r) {
    Json j{{"input", item.input}, {"output", item.output}, {"state", batchStateName(r.state)}};
    if (r.state == BatchState::done) {
        j.update({{"width", r.shape.width}, {"height", r.shape.height}, {"depth", r.shape.depth}, {"channels", r.shape.channels}});
        Json implementations = Json::array();
        for (const StepPlan& p : r.plan) implementations.push_back(p.implementation);
        j["implementations"] = std::move(implementations);
        j["stages_ns"] = stagesJson(r.times);
        j["whole_ns"] = r.wholeNs;
    }
    if (!r.notes.empty()) j["notes"] = r.notes;
    if (r.error) j["error"] = r.error->what();
    return j;
}

/// Errors of items, one below the other.
void printFailures(const Batch& batch) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < batch.items().size(); ++i)
        if (batch.result(i).error) width = std::max(width, batch.items()[i].input.size());
    for (std::size_t i = 0; i < batch.items().size(); ++i)
        if (const auto& error = batch.result(i).error)
            printError(fmt::format("{:<{}}  {}", batch.items()[i].input, std::min<std::size_t>(width, 60), error->what()));
}

/// "198 done, 1 failed, 1 up to date".
std::string countsOf(const Batch& batch) {
    std::string text;
    for (const BatchState state : {BatchState::done, BatchState::failed, BatchState::upToDate, BatchState::notRun})
        if (const std::int64_t n = batch.count(state); n > 0 || state == BatchState::done)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, batchStateName(state));
    return text;
}

int exitCodeAfter(const Batch& batch, bool keepGoing) {
    for (std::size_t i = 0; i < batch.items().size(); ++i)
        if (const auto& error = batch.result(i).error) return keepGoing ? kPartial : exitCodeOf(error->code());
    return kSuccess;
}

/// Prints what a batch would do. Opens every input, and reads only its description where the format allows that. Returns the exit code.
int dryRun(const RunArguments& a, const Batch& batch, const Pipeline& pipeline, const std::string& how) {
    struct Row {
        std::string size = "-", memory = "-", output, error;
        std::uint64_t bytes = 0;
    };
    std::vector<Row> rows;
    Json list = Json::array();
    int code = kSuccess;
    for (const BatchItem& item : batch.items()) {
        Row row{.output = item.output};
        Json j{{"input", item.input}, {"output", item.output}};
        try {
            LoadOptions options = loadOptions(a.target.threads);
            options.part = PartRange{};
            const Image image = openInput(item.input, options);
            const Shape result = resultShape(pipeline, image);
            if (image.isVolume()) checkHolds(item.output, result);
            row.size = sizeText(image.shape());
            row.bytes = bytesInOneGo(image.shape());
            row.memory = mebibytes(row.bytes);
            j.update({{"width", image.shape().width},
                      {"height", image.shape().height},
                      {"depth", image.shape().depth},
                      {"channels", image.shape().channels},
                      {"memory_bytes", row.bytes}});
        } catch (const Error& e) {
            if (e.code() == ErrorCode::cancelled) throw;
            row.error = e.what();
            j["error"] = row.error;
            code = a.keepGoing ? kPartial : code == kSuccess ? exitCodeOf(e.code()) : code;
        }
        std::error_code ignored;
        j["exists"] = std::filesystem::exists(item.output, ignored);
        list.push_back(std::move(j));
        rows.push_back(std::move(row));
    }
    endProgress();
    std::vector<std::uint64_t> bytes;
    for (const Row& row : rows) bytes.push_back(row.bytes);
    std::sort(bytes.rbegin(), bytes.rend());
    std::uint64_t together = 0;
    for (std::size_t i = 0; i < bytes.size() && i < static_cast<std::size_t>(batch.jobs()); ++i) together += bytes[i];
    if (a.json) {
        printJson({{"schema", "parallax.batch"},
                   {"schema_version", 1},
                   {"dry_run", true},
                   {"jobs", batch.jobs()},
                   {"memory_bytes", together},
                   {"items", std::move(list)}});
        return code;
    }
    std::size_t inputs = 5, sizes = 4, memories = 6;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        inputs = std::max(inputs, batch.items()[i].input.size());
        sizes = std::max(sizes, rows[i].size.size());
        memories = std::max(memories, rows[i].memory.size());
    }
    std::string text = fmt::format("{:<{}}  {:<{}}  {:>{}}  output\n", "input", inputs, "size", sizes, "memory", memories);
    for (std::size_t i = 0; i < rows.size(); ++i)
        text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {}\n", batch.items()[i].input, inputs, rows[i].size, sizes, rows[i].memory, memories,
                            rows[i].error.empty() ? rows[i].output : rows[i].error);
    printData(printable(text, "\n"));
    printMessage(fmt::format("{}; images and results in memory at the same time need up to {}, {} are {}; nothing was written", how,
                             mebibytes(together), mebibytes(a.memoryLimit > 0 ? a.memoryLimit << 20 : availableMemory()),
                             a.memoryLimit > 0 ? "allowed" : "available"));
    return code;
}

}  // namespace

int runBatch(const RunArguments& a, const std::vector<std::string>& inputs) {
    if (a.strips) throw Error(ErrorCode::usage, "--strips is for one image", "a batch streams the images that do not fit into memory");
    if (a.kernels.sanitize) throw Error(ErrorCode::usage, "--sanitize is for one image", {}, "Run it on one of them without a batch");
    limitMemory(a);
    const Catalog& catalog = processCatalog();
    BatchOptions options{.pipeline = a.hasSteps() ? a.pipeline.build(catalog) : Pipeline{},
                         .target = {.threads = a.target.threads},
                         .save = saveOptionsOf(a),
                         .encodedLight = a.light.encoded(),
                         .regularGrid = a.resample,
                         .jobs = a.jobs,
                         .memory = a.memoryLimit << 20,
                         .keepGoing = a.keepGoing,
                         .resume = a.resume};
    const Pipeline pipeline = options.pipeline;
    (void)a.kernels.open();
    if (a.hasSteps()) options.target = a.target.availableTarget(catalog, chosenBackend(catalog, a.backend));
    const std::string backend = a.hasSteps() ? options.target.label() : "";
    Batch batch(catalog, std::move(options), planBatch(inputs, a.output, {operationsOf(pipeline), backend}));
    const std::string how = fmt::format("{}{}, {} at a time with {} each", counted(static_cast<std::int64_t>(inputs.size()), "image"),
                                        backend.empty() ? "" : " on " + backend, batch.jobs(), counted(batch.threadsOfItem(), "thread"));
    if (a.dryRun) return dryRun(a, batch, pipeline, how);
    batch.check();
    for (const std::string& note : a.pipeline.notes(catalog)) printMessage("note: " + note);
    printMessage(how);
    const auto start = Clock::now();
    std::exception_ptr stopped;
    {
        const BatchDisplay display(batch);
        try {
            batch.run(interruption(), {});
        } catch (...) {
            stopped = std::current_exception();
        }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    Notes notes;
    for (std::size_t i = 0; i < batch.items().size(); ++i) notes.add(batch.items()[i].input, batch.result(i).notes);
    notes.print();
    printFailures(batch);
    const std::int64_t done = batch.count(BatchState::done), left = batch.count(BatchState::notRun);
    if (a.json) {
        Json list = Json::array();
        for (std::size_t i = 0; i < batch.items().size(); ++i) list.push_back(jsonOf(batch.items()[i], batch.result(i)));
        printJson({{"schema", "parallax.batch"},
                   {"schema_version", 1},
                   {"dry_run", false},
                   {"backend", backend},
                   {"jobs", batch.jobs()},
                   {"done", done},
                   {"failed", batch.count(BatchState::failed)},
                   {"up_to_date", batch.count(BatchState::upToDate)},
                   {"not_run", left},
                   {"whole_ns", static_cast<std::int64_t>(1e9 * seconds)},
                   {"items", std::move(list)}});
    }
    printMessage(fmt::format("{} in {:.1f} s{}{}", countsOf(batch), seconds,
                             done > 1 && seconds > 0 ? fmt::format(", {:.3g} images a second", static_cast<double>(done) / seconds) : "",
                             left > 0 ? "; --resume goes on with the others" : ""));
    if (stopped) std::rethrow_exception(stopped);
    return exitCodeAfter(batch, a.keepGoing);
}

}  // namespace parallax::cli
