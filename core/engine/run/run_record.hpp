// SPDX-License-Identifier: GPL-3.0-or-later
// What was run, where, how long it took and whether it was right. Charts, reports and comparisons read only this.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/run/stages.hpp"
#include "core/image/difference.hpp"
#include "core/image/shape.hpp"

namespace parallax {

inline constexpr int kRunRecordVersion = 1;

struct GpuRecord {
    std::string name;
    std::uint64_t memory = 0;
    std::vector<std::pair<std::string, std::string>> details;
};

/// A measured ceiling of the processor or of a device: see core/measure/ceilings/ceilings.hpp for the method. Ceilings of devices are told
/// from those of the processor by `device`, never by their own name alone.
struct CeilingRecord {
    std::string name;  ///< "copy", "triad", "fma"; of a device also "upload" and "download", between host and device
    /// Of the processor "L1", "L2", "L3", "memory" (bandwidths) and "scalar", "avx2", "avx512" (rates); of a device "device"
    /// (its own memory), "float" (rates) and "pinned", "pageable": the host memory of a transfer.
    std::string level;
    int threads = 0;          ///< of the processor, that ran at the same time; 0 for a device
    double value = 0;         ///< the best of several repetitions
    std::string unit;         ///< "GB/s" (10^9) or "GFLOP/s" (10^9, an FMA counts two)
    std::uint64_t bytes = 0;  ///< all arrays of all threads together; 0 for rates
    std::string device;       ///< empty: the processor; else the name of a device, as entries have it
    std::string backend;      ///< of a device, id of the backend whose it is: "cuda"
    int deviceIndex = 0;      ///< among the devices of that backend
};

/// How a backend was built, as it says itself: {"compiler", "NVIDIA 13.0.88"}, {"flags", "-O3"}, ...
struct BackendBuild {
    std::string id;
    std::vector<std::pair<std::string, std::string>> details;
};

struct MachineRecord {
    std::string cpu, os, kernel, host, governor;
    int sockets = 0, cores = 0, hardwareThreads = 0;
    int usableThreads = 0;          ///< that this process may use: less in a container or under taskset; 0: not known
    int threadsPerCore = 0;         ///< 2 with hyper-threading; 0: not known
    double minMHz = 0, maxMHz = 0;  ///< limits of the clock; 0: not known
    bool virtualMachine = false;    ///< the processor says that it is one
    double timerResolutionNs = 0;   ///< smallest step of the clock that times host backends
    std::vector<std::string> numa;  ///< a line a node: "node 0: CPUs 0-15, 64 GiB"
    std::uint64_t memory = 0;
    std::vector<std::string> caches;  ///< "L1d 48K", "L2 2048K", "L3 105M"
    std::vector<std::string> simd;    ///< "avx2", "avx512f", ...
    std::vector<GpuRecord> gpus;
    std::vector<CeilingRecord> ceilings;  ///< empty unless they were measured on this machine before
};

struct InputRecord {
    std::string name;  ///< file name or synthetic description
    Shape shape;
    std::vector<std::string> channels;
    std::string hash;  ///< of the float samples, hexadecimal (64-bit FNV-1a unless stated otherwise)
    std::uint64_t nonFinite = 0;
};

/// What a step found out beside its samples, as the white point that it chose.
struct StatisticRecord {
    int step = 0;                        ///< among the enabled ones
    std::string operation;               ///< id
    std::string key, title, unit, help;  ///< see StatisticInfo; records keep no help
    double value = 0;
};

struct ProtocolRecord {
    std::string effort;  ///< quick, normal, thorough
    int warmUp = 0, minimumSamples = 0;
    double minimumSeconds = 0, maximumSeconds = 0, targetNoise = 0;
    std::uint64_t seed = 0;
};

/// Which point of a sweep a record is; both empty for one that is none.
struct SweepRecord {
    std::string axis;   ///< "size", "threads", "convolve.size"
    std::string value;  ///< as text: "512"
};

enum class RunStatus { done, cancelled, failed, skipped };
/// inconclusive: the difference lies within the bound, but so would any other result, see verify.hpp.
enum class Verification { notDone, agrees, disagrees, inconclusive };

/// One backend's part of a comparison.
struct RunEntry {
    std::string label;                     ///< as asked for: "cuda.tiled", or "openmp@4" when threads were given
    std::string backend, variant, device;  ///< that really ran
    int threads = 0;
    std::vector<std::string> modes;  ///< in which the backend ran, in alphabetical order, as "overlapped"; empty: its plain way
    RunStatus status = RunStatus::done;
    std::string reason;                        ///< why it is not done
    std::vector<std::string> implementations;  ///< one a step
    std::vector<std::string> choices;          ///< why that one, one a step; empty in records of older versions
    StageTimes prepare;
    StageTimes cold;                  ///< the first run
    std::vector<StageTimes> samples;  ///< every one, in order, never dropped
    /// Of each block of the measurement, the same for all entries, the index of the first sample here: between blocks the work was prepared
    /// again where that is cheap (SamplingSchedule). Empty in records of older versions.
    std::vector<std::size_t> blocks;
    Verification verification = Verification::notDone;
    DifferenceMetrics difference;  ///< against the reference
    double tolerance = 0;
    std::string toleranceReason;
    double ambiguous = 0;  ///< share of the samples that may be farther off: see Tolerance
    /// Where the bound of the whole pipeline cannot judge, each step was compared alone: id of the operation that came closest to its
    /// bound. `difference` and `tolerance` are then those of this step. Empty: of the result.
    std::string judgedStep;
    std::vector<StatisticRecord> statistics;               ///< of the first run: every run of the same work finds the same
    double flops = 0, bytes = 0;                           ///< model counts
    std::uint64_t peakHostBytes = 0, peakDeviceBytes = 0;  ///< estimated beforehand
    std::vector<std::string> warnings;
};

struct RunRecord {
    int version = kRunRecordVersion;
    std::string toolVersion, git, buildType, compiler, flags;
    std::vector<BackendBuild> backends;  ///< those that were available and have something to say
    std::string when;                    ///< UTC, ISO 8601
    std::string command;                 ///< that reproduces it
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
