// SPDX-License-Identifier: GPL-3.0-or-later
// Large images: applies one step from one OpenEXR file to another, one strip of rows at a time. A strip is read while the one before is
// computed and the result before that is written. The output has the same bytes as a run on the whole image by the same implementation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax {

/// Returns the shape from the header if the file can be read in strips. Does not throw.
std::optional<Shape> shapeForStrips(const std::string& input);

/// Returns the reason why a pipeline cannot run in strips, as far as it is known without reading the file; empty if there is none.
std::string whyNoFileStrips(const Pipeline& pipeline, const std::string& input, const std::string& output);

/// Bytes of the input samples and of a result of the same shape.
std::uint64_t bytesInOneGo(const Shape& shape);

/// Bytes that this process may still allocate: the available memory of the system, or half of the remaining address space (ulimit -v) if
/// that is less.
std::uint64_t availableMemory();
/// Resident bytes of the process, now and at most so far; 0: unknown.
std::uint64_t residentMemory();
std::uint64_t peakResidentMemory();

struct FileStripOptions {
    std::uint64_t memory = 0;  ///< resident bytes allowed; 0: residentMemory() + availableMemory()
    /// Largest input of a strip in bytes; larger ones are not faster.
    std::uint64_t largestStrip = std::uint64_t{32} << 20;
    /// Null, or all ranks of a run make the same one: bands go to them in turn, and rank 0 writes the file.
    Communicator* ranks = nullptr;
    LoadOptions load;  ///< threads (1 with save.threads: nothing overlaps) and stop token; progress is not used
    SaveOptions save;  ///< as for saveImage(); progress is not used
};

/// A step prepared for a file.
class FileStripRun {
public:
    /// Reads the header and plans. Throws Error: usage (whyNoFileStrips()), input, output, memory, or unavailable if the
    /// implementation needs the whole image.
    FileStripRun(const Catalog& catalog, const Pipeline& pipeline, std::string input, std::string output, const Target& target,
                 const FileStripOptions& options, RunContext& context);
    ~FileStripRun();
    FileStripRun(const FileStripRun&) = delete;
    FileStripRun& operator=(const FileStripRun&) = delete;

    const Shape& shape() const;
    const std::vector<std::string>& channelNames() const;
    const StepPlan& step() const;
    const std::string& deviceName() const;
    int threads() const;  ///< 0 for a device backend
    std::int64_t strips() const;
    std::int64_t rows() const;  ///< rows of a strip; the last one may have fewer
    /// Estimated peak of resident bytes, and the allowed bytes.
    std::uint64_t estimatedBytes() const;
    std::uint64_t allowedBytes() const;
    std::vector<std::string> warnings() const;  ///< on the input

    /// Reads, computes and writes; stages overlap, so that their sum exceeds the time of the call. The output appears only once it is
    /// complete. Throws Error: input for a damaged file, output, memory, cancelled, or unavailable if the implementation does not support
    /// some samples, such as infinities. Adds to `notes` what could not be kept. `context.progress` counts rows of a channel.
    StageTimes run(RunContext& context, std::vector<std::string>& notes);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
