// SPDX-License-Identifier: GPL-3.0-or-later
// A run on ranks from file to file: each rank reads the rows (or slices) of its part, computes them and hands them to saveParts(), so that
// no rank holds the whole image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/engine/run/engine.hpp"
#include "core/image/difference.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/parallel/communicator.hpp"

namespace parallax {

struct RankRunRequest {
    std::string input, output;
    std::vector<std::string> steps;  ///< as toText(Step)
    Target target;                   ///< on two parts or more
    SaveOptions save;                ///< without progress and stop token
    std::uint64_t memory = 0;        ///< bytes that each rank may use; 0: what its machine has, divided among its ranks
    bool strips = false;             ///< bands of rows go to the ranks in turn (FileStripRun), so that none holds more than a few
    bool compare = false;            ///< computes RankRunResult::againstInput
    bool largeFiles = false;         ///< largeFilesAllowed()
};

struct RankRunResult {
    Shape shape;
    std::vector<std::string> channelNames;
    std::vector<StepPlan> plan;
    std::vector<StatisticRecord> statistics;
    std::vector<SeriesRecord> series;
    LapsRecord laps;
    std::vector<std::string> warnings, notes;  ///< on the result; what could not be saved
    std::string deviceName;
    int threads = 0;   ///< of all ranks
    StageTimes times;  ///< of the slowest rank in each stage
    std::optional<DifferenceMetrics> againstInput;
    struct Strips {
        std::int64_t count = 0, rows = 0;
        std::uint64_t allowed = 0, estimated = 0;  ///< bytes of the rank that needs most
    };
    std::optional<Strips> strips;
    std::uint64_t peakBytes = 0;  ///< resident, of the rank with most
};

/// Bytes of the largest part of the image and of a result of the same shape.
std::uint64_t bytesOfLargestPart(const Shape& shape, int parts);
/// Bytes that each rank may use if `memory` is not given: those of the rank that has least. Called by rank 0 alone, it asks the others.
std::uint64_t availableMemoryOfRanks(int parts);

/// Called by rank 0. `description`: of the input, without samples (LoadOptions::part). Throws Error: that of any rank.
RankRunResult runOnRanks(const Catalog& catalog, const RankRunRequest& request, const Image& description, RunContext& context);

/// Does the work of the other ranks: the jobs of this layer, see serveRanks().
inline constexpr const char* kRankRunLayer = "files";
void serveRankRun(const Catalog& catalog, std::span<const std::byte> job, Communicator& communicator);

}  // namespace parallax
