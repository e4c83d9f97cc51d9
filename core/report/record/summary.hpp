// SPDX-License-Identifier: GPL-3.0-or-later
// A record as the rows that every report and chart shows.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/run/run_record.hpp"
#include "core/measure/sampling/statistics.hpp"

namespace parallax {

/// Signs in formatted texts: ASCII for terminals and logs, which scripts read; typographic ones for documents.
struct Signs {
    std::string_view micro, times, minus, range, plusMinus;
};
inline constexpr Signs kAsciiSigns{"u", "x", "-", "-", "+-"};
inline constexpr Signs kDocumentSigns{"\u00b5", "\u00d7", "\u2212", "\u2013", "\u00b1"};

struct Speedup {
    double ratio = 1;                      ///< baseline time / time, of medians
    Interval interval;                     ///< 95 %
    Verdict verdict = Verdict::undecided;  ///< from the 99 % interval
};

struct SummaryRow {
    std::string label;
    std::string ranOn;  ///< "simd on Intel Xeon, 2 threads", "separable (rank 1: 14 instead of 49 ...) on NVIDIA H200"
    RunStatus status = RunStatus::done;
    std::string reason;
    SampleSummary compute, endToEnd;                 ///< ns
    std::array<double, kAllStages.size()> stages{};  ///< median of each stage, ns
    std::string judgedStep;                          ///< see RunEntry
    /// Relative to the baseline; absent for the baseline, without samples and for wrong results.
    std::optional<Speedup> computeSpeedup, endToEndSpeedup;
    bool isBaseline = false;
    bool isOracle = false;  ///< the reference, unless the baseline is of it: for correctness, so it has no speedups
    Verification verification = Verification::notDone;
    double maxAbsError = 0, tolerance = 0, psnr = 0;
    /// The operation's judgement of its own result, if that decides: there was no comparison with the reference, or the judgement fails.
    std::optional<JudgementRecord> judgement;
    std::optional<double> toleranceShare;  ///< see ClosestToTolerance
    /// "SSIM 0.999998, FLIP 0.000120, at most 3 ULP" against the reference, and "same bits in 45 runs"; empty if not computed.
    std::string metrics;
    double firstRun = 0;     ///< preparation and first run end to end, ns
    std::string statistics;  ///< "log-average luminance: 0.213", formatHosts() and formatParts(); empty if there are none
    std::string energy;      ///< "1.23 J", of one run; empty if it was not measured
    std::string memory;      ///< see formatMemory()
    std::uint64_t mismatches = 0;
    std::uint64_t ambiguousBeyond = 0;  ///< ambiguous samples beyond the tolerance of a result that agrees, see Tolerance
    /// "maximum difference at x 3, y 4, channel G: 0.25, reference 0.5, tolerance 1e-06" of a wrong result; else empty.
    std::string disagreement;
    double gigaflops = 0, gigabytesPerSecond = 0, megapixelsPerSecond = 0;  ///< of compute, from the model counts
    std::vector<std::string> warnings;
    Signs signs = kAsciiSigns;  ///< of the texts that are formatted from this row

    double stage(Stage s) const { return stages[static_cast<std::size_t>(s)]; }
    /// Length of the stacked bar of the stages chart: the sum of the medians of kStackedStages, ns.
    double stackedTime() const;
    /// Stages worked at the same time: a run takes less than their sum.
    bool stagesOverlap() const { return stackedTime() > 1.05 * endToEnd.median; }
};

/// The stages between input and result in memory, in the order of a run: their sum is the time from end to end unless they overlap.
inline constexpr std::array kStackedStages{Stage::allocate, Stage::upload, Stage::compute, Stage::exchange, Stage::download};

/// The steps in words, such as "Convolution: Gaussian 7 × 7"; the text of the record for one that this build does not know. Of named
/// recipes one line each: "B: Convolution: Gaussian 7 × 7 | Tone mapping".
std::vector<std::string> stepsOf(const RunRecord& record);
/// One row for each entry, in their order.
std::vector<SummaryRow> summarise(const RunRecord& record, const Signs& signs = kAsciiSigns);

/// "1.23 ms", "45.6 us": three digits.
std::string formatTime(double nanoseconds, const Signs& signs = kAsciiSigns);
/// "1.20 ms - 1.30 ms".
std::string formatTimes(const Interval& nanoseconds, const Signs& signs = kAsciiSigns);
/// Three significant digits, locale-independent.
std::string formatNumber(double value, const Signs& signs = kAsciiSigns);
/// "3 channels", or "3 channels as encoded values".
std::string formatChannels(const InputRecord& input);
/// "640 x 480", "64 x 64 x 20".
std::string formatSize(const Shape& shape, const Signs& signs = kAsciiSigns);
std::string formatAllowed(const SummaryRow& row);  ///< "tolerance 3.1e-06", "at most 0.31 of the local tolerance"
/// ", largest difference 1.2e-07, allowed 3.1e-06" below a picture of all differences; empty where these are not those of the picture.
std::string formatLargest(const SummaryRow& row);
std::string formatError(const SummaryRow& row);  ///< "1.2e-07 ok", "0.4 in 7 near a threshold, ok", "0.5 DISAGREES", "not verified", ...
std::string formatSpeedup(const SummaryRow& row,
                          const std::optional<Speedup>& speedup);  ///< "6.10x (5.90-6.30) FASTER", "baseline", "oracle", "-"
inline const char* statusName(RunStatus status) { return kRunStatusNames[static_cast<std::size_t>(status)]; }
std::string formatBits(const BitsRecord& bits);                                          ///< "same bits in 45 runs (hash 0123456789abcdef)"
std::string formatEnergy(const EnergyRecord& energy, const Signs& signs = kAsciiSigns);  ///< "1.23 J a run (35.0 W, RAPL (package-0))"
/// "13.1 MiB (12.0 MiB estimated), on the device 24.0 MiB (24.0 MiB estimated)": the most that preparation and first run took besides the
/// input. "12.0 MiB estimated" where that is unknown; empty if nothing is known.
std::string formatMemory(const RunMemory& memory, const Signs& signs = kAsciiSigns);
/// "Caches emptied before each timing sample", or that they were not.
std::string formatCaches(const RunRecord& record);
/// "SHA-256 of the input: 0123...", then the same of the results; equal ones share a line. Empty in records of older versions.
std::vector<std::string> checksumLines(const RunRecord& record);
/// "log-average luminance: 0.213; clipped: 22.0 %".
std::string formatStatistics(const std::vector<StatisticRecord>& statistics, const Signs& signs = kAsciiSigns);
/// "2 ranks on node1 (8 threads, AMD EPYC 7413), 2 ranks on node2 (...)".
std::string formatHosts(const std::vector<RankHost>& hosts);
/// "compute of the slowest part 1.2 ms, median 1.1 ms, imbalance 4.0 %, longest exchange 0.1 ms, ...": of the last timing sample. Needs
/// `times`; the imbalance is that of the slowest part over the mean.
std::string formatParts(const TrafficRecord& traffic, const Signs& signs = kAsciiSigns);

}  // namespace parallax
