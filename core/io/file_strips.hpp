// SPDX-License-Identifier: GPL-3.0-or-later
// Images larger than the memory of the host: one step is applied from file to file, in bands of rows, of which one is in memory at a time.
// The new file has the same bytes as that of a run in one go of the same implementation. Formats: those that can be read and written row
// by row, which is OpenEXR.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// Shape of the image in a file if that can be read in strips, from the header alone; nothing for any other. Does not throw.
std::optional<Shape> shapeForStrips(const std::string& input);

/// Why the result of a pipeline cannot be made in strips, by what is known without reading the file: a sentence, or empty.
std::string whyNoFileStrips(const Pipeline& pipeline, const std::string& input, const std::string& output);

/// Bytes that samples of the input and of a result of the same shape take together.
std::uint64_t bytesInOneGo(const Shape& shape);

/// Bytes that this process may still take: what the system has available, or half of what is left of a limited address space
/// (ulimit -v) if that is less.
std::uint64_t availableMemory();
/// Bytes of physical memory that the process has now, and the most that it ever had. 0: not known.
std::uint64_t residentMemory();
std::uint64_t peakResidentMemory();

struct FileStripOptions {
    std::uint64_t memory = 0;  ///< bytes that the process may have resident in all; 0: residentMemory() + availableMemory()
    /// Bytes of a strip's input that more would not make faster.
    std::uint64_t largestStrip = std::uint64_t{64} << 20;
    LoadOptions load;  ///< threads and stop; its progress is not used
    SaveOptions save;  ///< as of saveImage(); its progress is not used
};

/// A step that is prepared for a file.
class FileStripRun {
public:
    /// Reads the header and plans. Throws Error: usage (whyNoFileStrips()), input, output, memory, or unavailable where the
    /// implementation needs the whole image at once.
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
    std::int64_t rows() const;  ///< of a strip; the last one may have fewer
    /// Bytes that the process is going to have resident at most, about, and what it may have.
    std::uint64_t estimatedBytes() const;
    std::uint64_t allowedBytes() const;
    std::vector<std::string> warnings() const;  ///< of the input

    /// Reads, computes and writes. The output appears when all of it is there, and not otherwise. Throws Error: input where the file is
    /// damaged, also in its middle, output, memory, cancelled, or unavailable where samples turn up that the implementation cannot
    /// take, as infinities. Adds to `notes` what could not be kept. `context.progress` counts rows of a channel.
    StageTimes run(RunContext& context, std::vector<std::string>& notes);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
