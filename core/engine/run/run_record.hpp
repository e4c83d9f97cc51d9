// SPDX-License-Identifier: GPL-3.0-or-later
// Records of measurements: input, machine, times and verification. Charts, reports and comparisons read nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/run_memory.hpp"
#include "core/engine/run/stages.hpp"
#include "core/image/difference.hpp"
#include "core/image/shape.hpp"
#include "core/parallel/part_traffic.hpp"
#include "core/parallel/rank_hosts.hpp"

namespace parallax {

inline constexpr int kRunRecordVersion = 1;
/// Version of a record with series, judgements or laps.
inline constexpr int kSeriesVersion = 3;
/// Version of a record whose labels have numbers of threads or parts: "openmp:4t", "openmp@2". Before, "openmp@2" meant 2 threads.
inline constexpr int kPartsVersion = 4;
/// Version of a record whose timing samples began with cold caches: readers of older versions would take them for warm.
inline constexpr int kColdCachesVersion = 6;

/// Links between the parts of a run: host threads of one process, devices of one process, MPI ranks.
inline constexpr const char *kThreadLink = "threads", *kPeerLink = "peer", *kRankLink = "ranks";

struct GpuRecord {
    std::string name;
    std::uint64_t memory = 0;
    std::vector<std::pair<std::string, std::string>> details;
};

/// A measured ceiling of the CPU or of another device. Method: core/measure/ceilings/ceilings.hpp.
struct CeilingRecord {
    /// "copy", "triad", "fma"; for a device also "upload" and "download" between host and device. Links between the parts of a run:
    /// kThreadLink, kPeerLink, kRankLink.
    std::string name;
    /// CPU: "L1", "L2", "L3", "memory" (bandwidths) and "scalar", "avx2", "avx512" (rates). Device: "device" (its own memory), "float"
    /// (rates), "pinned", "pageable" (the host memory of a transfer). Links: "bandwidth", "latency" and "reduction", between devices "to 1"
    /// (the other one) and "latency to 1".
    std::string level;
    int threads = 0;          ///< of the CPU, running at the same time; 0 for a device
    double value = 0;         ///< the best of several repetitions
    std::string unit;         ///< "GB/s" (10^9), "GFLOP/s" (10^9, an FMA counts two) or "us"
    std::uint64_t bytes = 0;  ///< all arrays of all threads together, or a message; 0 for rates
    std::string device;       ///< empty: the CPU; else the name of the device, as in RunEntry::device
    std::string backend;      ///< id of the backend of a device: "cuda"
    int deviceIndex = 0;      ///< in Backend::devices()
};

/// Backend::buildDetails(): {"compiler", "NVIDIA 13.0.88"}, {"flags", "-O3"}, ...
struct BackendBuild {
    std::string id;
    std::vector<std::pair<std::string, std::string>> details;
};

struct MachineRecord {
    std::string cpu, os, kernel, host, governor;
    int sockets = 0, cores = 0, hardwareThreads = 0;
    int usableThreads = 0;          ///< by this process: fewer in a container or under taskset; 0: unknown
    int threadsPerCore = 0;         ///< 2 with hyper-threading; 0: unknown
    double minMHz = 0, maxMHz = 0;  ///< limits of the clock rate; 0: unknown
    bool virtualMachine = false;    ///< as reported by the CPU
    double timerResolutionNs = 0;   ///< smallest step of the clock that times host backends
    std::vector<std::string> numa;  ///< one line for each node: "node 0: CPUs 0-15, 64 GiB"
    std::uint64_t memory = 0;
    std::vector<std::string> caches;  ///< "L1d 48K", "L2 2048K", "L3 105M"
    std::vector<std::string> simd;    ///< "avx2", "avx512f", ...
    std::vector<GpuRecord> gpus;
    std::vector<CeilingRecord> ceilings;  ///< if they were measured on this machine before
};

struct InputRecord {
    std::string name;  ///< file name or synthetic description
    Shape shape;
    std::vector<std::string> channels;
    std::string hash;  ///< of the float samples, hexadecimal (64-bit FNV-1a unless stated otherwise)
    std::uint64_t nonFinite = 0;
    std::string light = {};   ///< "encoded": colours are codes of a transfer curve; empty: linear light, or no colours
    std::string sha256 = {};  ///< checksumOf() the float samples; empty in records of older versions
};

/// A statistic of one step.
struct StatisticRecord {
    int step = 0;                        ///< among the enabled ones
    std::string operation;               ///< id
    std::string key, title, unit, help;  ///< see StatisticInfo; records keep no help
    double value = 0;
};

/// Named x/y data of one step, such as the residual of each iteration of a solver.
struct SeriesRecord {
    int step = 0;           ///< among the enabled ones
    std::string operation;  ///< id
    /// See RunSeriesInfo; records keep no help.
    std::string key, title, xTitle, yTitle, xUnit, yUnit, help;
    bool logarithmic = false;
    std::string label, end;  ///< see RunSeries
    std::vector<double> x, y;
    double tolerance = 0;  ///< y that the run aims at; 0: none, or a record of an older version
};

/// A part of the compute stage of one step.
struct LapRecord {
    int step = 0;                  ///< among the enabled ones
    std::string operation;         ///< id
    std::string key, title, help;  ///< see RunLapInfo; records keep no help
    std::string label;             ///< see RunLap
    std::int64_t nanoseconds = 0, count = 0;
};
/// How the compute stage of one run is divided.
struct LapsRecord {
    std::int64_t compute = 0;  ///< ns of the stage; what the laps leave of it is other work
    std::vector<LapRecord> laps;
    bool empty() const { return laps.empty(); }
};

/// One criterion by which a step judged its own result: see JudgesResult.
struct JudgementRecord {
    std::string operation;  ///< id
    std::string criterion, reason;
    double value = 0, bound = 0;
};

/// ns of one part in one run.
struct PartTimes {
    std::int64_t compute = 0;
    std::int64_t exchange = 0;  ///< waits for halos and for the other parts
};

/// Traffic between the parts of a run in its compute and exchange stages.
struct TrafficRecord {
    std::string link;                ///< kThreadLink, kPeerLink or kRankLink
    std::string uncounted;           ///< implementation that exchanges more than is counted here; empty: everything is counted
    std::int64_t unit = 1;           ///< parts begin at multiples of so many rows or slices
    std::int64_t edge = 0;           ///< rows of a part that need rows of other parts: of the step with most
    PartTraffic received;            ///< by the busiest part, in one run
    std::vector<PartTimes> times{};  ///< of each part, in the same run; empty in records of older versions
};

struct ProtocolRecord {
    std::string effort;  ///< quick, normal, thorough
    int warmUp = 0, minimumSamples = 0;
    double minimumSeconds = 0, maximumSeconds = 0, targetNoise = 0;
    std::uint64_t seed = 0;
    bool coldCaches = false;  ///< caches were emptied before each timing sample
};

/// The point of a sweep that a record belongs to; empty if it is not part of a sweep.
struct SweepRecord {
    std::string axis;   ///< "size", "threads", "parts", "weak", "convolve.size"
    std::string value;  ///< as text: "512"
};

enum class RunStatus { done, cancelled, failed, skipped };
/// inconclusive: the tolerance allows any result, see verify.hpp. holds: not compared with the reference, but the operation's own judgement
/// of the result holds (RunEntry::judgements).
enum class Verification { notDone, agrees, disagrees, inconclusive, holds };
/// Names in records and reports, in the order of the enumerators.
inline constexpr std::array<const char*, 4> kRunStatusNames{"done", "cancelled", "failed", "skipped"};
inline constexpr std::array<const char*, 5> kVerificationNames{"not done", "agrees", "disagrees", "not judged", "holds"};

/// A result against that of the reference, by the metrics of core/metrics.
struct ResultMetrics {
    std::optional<double> ssim, ssimLinear;  ///< 1: equal; of light as displayed, and of the samples
    std::optional<double> flip;              ///< mean, 0: equal; of light only
    bool highDynamicRange = false;           ///< `flip` is HDR-FLIP
    std::uint64_t largestUlp = 0;            ///< largest distance in floating-point numbers
};

/// Whether the runs of an entry gave the same bits.
struct BitsRecord {
    std::string hash;         ///< hashSamples() of the first result
    std::int64_t runs = 0;    ///< whose results were looked at
    std::int64_t others = 0;  ///< of them, with other bits than the first
};

/// Energy of runs that followed each other after the timing samples.
struct EnergyRecord {
    std::string source;     ///< "RAPL (package-0, dram)": of the whole processor; "NVML": of the whole device
    double joules = 0;      ///< of all runs, with what the device uses when it is idle
    double seconds = 0;     ///< from the first to the last reading of the counter
    std::int64_t runs = 0;  ///< in between
    double perRun() const { return runs > 0 ? joules / static_cast<double>(runs) : 0; }
    double watts() const { return seconds > 0 ? joules / seconds : 0; }
};

/// One backend's part of a comparison.
struct RunEntry {
    std::string label;                     ///< as requested: "cuda.tiled", or "openmp@2:4t" on 2 parts with 4 threads
    std::string backend, variant, device;  ///< that ran
    int threads = 0;
    std::vector<RankHost> hosts;     ///< machines of the ranks; empty unless it ran on ranks, and in records of older versions
    std::vector<std::string> modes;  ///< of the target, in alphabetical order, such as "overlapped"
    RunStatus status = RunStatus::done;
    std::string reason;                        ///< unless it is done: why
    std::vector<std::string> implementations;  ///< of each step
    std::vector<std::string> choices;          ///< reason for each of them; empty in records of older versions
    StageTimes prepare;
    StageTimes cold;                  ///< the first run
    std::vector<StageTimes> samples;  ///< all timing samples, in order
    /// Index of the first timing sample of each block of the measurement. Blocks are the same for all entries; between them work that is
    /// cheap to prepare was prepared again (SamplingSchedule). Empty in records of older versions.
    std::vector<std::size_t> blocks;
    Verification verification = Verification::notDone;
    DifferenceMetrics difference;          ///< against the reference; `compared` is 0 if it did not run
    std::optional<ResultMetrics> metrics;  ///< if they were asked for; of the result, not of `judgedStep`
    std::optional<BitsRecord> bits;        ///< if they were asked for
    std::string sha256;                    ///< checksumOf() the first result; empty in records of older versions
    std::optional<EnergyRecord> energy;    ///< if it was asked for and the device tells it
    double tolerance = 0;
    std::string toleranceReason;
    double ambiguous = 0;  ///< share of the samples that may deviate by more: see Tolerance
    /// If the tolerance of the whole pipeline is inconclusive, each step is compared alone: id of the operation that came closest to its
    /// tolerance. `difference` and `tolerance` are then those of this step. Empty: those of the result.
    std::string judgedStep;
    std::vector<StatisticRecord> statistics;  ///< of the first run; all runs have the same
    std::vector<SeriesRecord> series;         ///< of the first run
    std::vector<JudgementRecord> judgements;  ///< of the first run, of pipelines of one step
    LapsRecord laps;                          ///< of the last timing sample
    std::optional<TrafficRecord> traffic;     ///< of the last timing sample, on two parts or more
    double flops = 0, bytes = 0;              ///< model counts
    RunMemory memory;                         ///< of preparation and first run; 0: unknown, as what was taken in records of older versions
    std::vector<std::string> warnings;

    /// Whether `difference` says anything. A result that its operation judges wrong need not have been compared.
    bool isCompared() const { return verification != Verification::notDone && (judgements.empty() || difference.compared != 0); }
};

struct RunRecord {
    int version = kRunRecordVersion;
    std::string toolVersion, git, buildType, compiler, flags;
    std::vector<BackendBuild> backends;  ///< those that are available and have build details
    std::string when;                    ///< UTC, ISO 8601
    std::string command;                 ///< reproduces the measurement
    MachineRecord machine;
    InputRecord input;
    std::vector<std::string> recipe;  ///< enabled steps as text
    ProtocolRecord protocol;
    SweepRecord sweep;
    std::string baseline;  ///< label of the entry that speedups refer to
    std::vector<RunEntry> entries;
    std::vector<std::string> warnings;
};

}  // namespace parallax
