// SPDX-License-Identifier: GPL-3.0-or-later
// Ceilings: measured peak memory bandwidth and arithmetic rate of the CPU. Backends measure those of their devices
// (Backend::measureCeilings()). README.md describes loops, working sets and what counts.
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
    std::vector<int> threads;                             ///< empty: 1, 2, 4, ..., all usable ones
    std::vector<std::string> levels;                      ///< empty: all; names as in CeilingRecord::level
    double seconds = 0.15;                                ///< of one measurement, with ten repetitions or more
    std::uint64_t largestBytes = std::uint64_t{2} << 30;  ///< limit of the memory level, all threads together
    std::stop_token stop;
    std::function<void(const std::string& what, double fraction)> onProgress;
    /// Called for each measurement with the rates of its repetitions, in the unit of the record.
    std::function<void(const CeilingRecord&, const std::vector<double>& rates)> onMeasured;
};

/// Takes seconds to a minute, depending on caches and thread counts. Throws Error(cancelled, memory).
std::vector<CeilingRecord> measureCeilings(const CeilingOptions& options);

/// Where they are kept: $XDG_CACHE_HOME (or ~/.cache)/parallax/ceilings-KEY.tsv; KEY names host, processor, threads that may be
/// used and version of this format, so that machines that share a home do not share ceilings. Empty without a home.
std::string ceilingsFile();
/// Of a device: the name holds host, backend, device with its slot and driver, so that a new driver is measured anew.
std::string ceilingsFile(const std::string& backend, const DeviceInfo& device);
/// Whether a device is the processor that this program runs on.
bool isProcessor(const DeviceInfo& device);
/// What is kept of one device.
std::vector<CeilingRecord> loadCeilings(const std::string& backend, const DeviceInfo& device);
/// What is kept of the processor and of each device of the backends that are available.
std::vector<CeilingRecord> knownCeilings(const Catalog& catalog);
/// Nothing when the file is missing, damaged or of another machine.
std::vector<CeilingRecord> loadCeilings(const std::string& path);
/// Written whole or not at all; false when it cannot be, which is no reason to fail.
bool saveCeilings(const std::vector<CeilingRecord>& ceilings, const std::string& path);

}  // namespace parallax
