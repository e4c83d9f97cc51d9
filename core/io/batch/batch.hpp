// SPDX-License-Identifier: GPL-3.0-or-later
// The same steps on many files. Several files are in work at the same time, each with a share of the threads, so that reading, computing
// and writing overlap and small images keep all processors busy. The outputs have the bytes of runs on one file each.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/pipeline/pipeline.hpp"
#include "core/image/error.hpp"
#include "core/io/batch/batch_items.hpp"
#include "core/io/saver.hpp"

namespace parallax {

struct BatchOptions {
    Pipeline pipeline;          ///< without enabled steps, files are converted
    Target target;              ///< not used without steps; its threads are those of all items together, also to read and write
    SaveOptions save;           ///< threads, stop token and progress are not used
    bool encodedLight = false;  ///< works on colours as they are encoded
    bool regularGrid = false;   ///< puts volumes with uneven or sheared slices on a regular grid first
    int jobs = 0;               ///< items processed at the same time; 0: one for each thread, sixteen at most, and one on several parts
    std::uint64_t memory = 0;   ///< bytes for images and results of all items in memory; 0: the available memory
    bool keepGoing = false;     ///< an item that fails does not end the batch
    bool resume = false;        ///< leaves out items whose output is there and not older than any file of the input
};

enum class BatchState {
    waiting,
    running,
    done,
    upToDate,  ///< left out, see BatchOptions::resume
    failed,
    notRun  ///< the batch ended before
};
/// "done", "up to date", ...
std::string_view batchStateName(BatchState state);

/// Outcome of an item.
struct BatchResult {
    BatchState state = BatchState::waiting;
    Shape shape;                     ///< of the output
    std::vector<StepPlan> plan;      ///< empty without steps
    StageTimes times;                ///< with load and encode
    std::int64_t wholeNs = 0;        ///< from the beginning of reading to the end of writing
    std::vector<std::string> notes;  ///< sentences on the input, on parameters and on what the output could not keep
    std::optional<Error> error;      ///< if it failed
};

class Batch {
public:
    Batch(const Catalog& catalog, BatchOptions options, std::vector<BatchItem> items);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    const std::vector<BatchItem>& items() const;
    int jobs() const;
    int threadsOfItem() const;

    /// Checks formats and options of all outputs, and which are there already, before anything is read. Throws Error(usage), or
    /// Error(output) if an output exists and may neither be replaced nor left out.
    void check() const;

    /// Makes the folders of the outputs and runs all items. `changed(i)`: item i has begun or ended; called by the threads that work, one
    /// at a time. Errors of items are in their results. An item that finds too little memory beside others is run again alone at the end,
    /// in strips where that is possible, else in scratch files. Throws Error(output) if a folder cannot be made, and Error(cancelled), when
    /// results() are complete, too.
    void run(const std::stop_token& stop, const std::function<void(std::size_t)>& changed);

    /// The result of an item that has ended, or of that of `changed`.
    const BatchResult& result(std::size_t item) const;
    /// Number of items that are in a state by now. Thread-safe.
    std::int64_t count(BatchState state) const;
    /// 0 to 1. Thread-safe.
    double fraction() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
