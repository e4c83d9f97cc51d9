// SPDX-License-Identifier: GPL-3.0-or-later
// Ceilings: measured peak memory bandwidth and arithmetic rate of the CPU, and the link between parts of a run (link.hpp). Backends measure
// those of their devices (Backend::measureCeilings()). README.md describes loops, working sets and what counts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

struct CeilingOptions {
    std::vector<int> threads;                              ///< empty: 1, 2, 4, ..., all usable ones, and the link between two parts
    std::vector<std::string> levels;                       ///< empty: all; names as in CeilingRecord::level
    double seconds = 0.15;                                 ///< of one measurement, with ten repetitions or more
    std::uint64_t largestBytes = std::uint64_t{16} << 30;  ///< limit of the memory level, all threads together
    std::stop_token stop;
    std::function<void(const std::string& what, double fraction)> onProgress;
    /// Called for each measurement of a rate with those of its repetitions, in the unit of the record.
    std::function<void(const CeilingRecord&, const std::vector<double>& rates)> onMeasured;
};

/// Takes seconds to a minute, depending on caches and thread counts. Throws Error(cancelled, memory).
std::vector<CeilingRecord> measureCeilings(const CeilingOptions& options);

/// File of the CPU: $XDG_CACHE_HOME (or ~/.cache)/parallax/ceilings-KEY.tsv. KEY identifies host, CPU, usable threads and format version,
/// since machines may share a home folder. Empty without a home folder.
std::string ceilingsFile();
/// File of a device. KEY identifies host, backend and device with slot and driver, so that a new driver needs a new measurement.
std::string ceilingsFile(const std::string& backend, const DeviceInfo& device);
/// Whether a device is the CPU.
bool isProcessor(const DeviceInfo& device);
/// Saved ceilings of a device.
std::vector<CeilingRecord> loadCeilings(const std::string& backend, const DeviceInfo& device);
/// Saved ceilings of the CPU and of each device of the available backends.
std::vector<CeilingRecord> knownCeilings(const Catalog& catalog);
/// Empty if the file is missing, damaged or of another machine.
std::vector<CeilingRecord> loadCeilings(const std::string& path);
/// Writes atomically; false if that fails.
bool saveCeilings(const std::vector<CeilingRecord>& ceilings, const std::string& path);

}  // namespace parallax
