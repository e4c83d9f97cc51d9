// SPDX-License-Identifier: GPL-3.0-or-later
// The roofs of this machine, measured on the spot: how many bytes a second it moves and how many operations it does at most. Here
// those of the processor; backends with devices of their own measure these (Backend::measureCeilings()).
//
// Bandwidth, after STREAM (McCalpin 1995): copy a[i] = b[i] and triad a[i] = b[i] + s * c[i] over doubles, each thread pinned to a
// hardware thread of its own (one of each core first) with arrays of its own, which it has touched first; all start together, and the
// time runs from the first start to the last end. The loops take turns, and the best of ten repetitions or more counts. As in STREAM
// only the named reads and writes count, 16 and 24 bytes an element, although a processor that reads a line before it writes it moves
// more: this is what a program that counts its own bytes can compare itself with. "copy-streaming" and "triad-streaming" write past the
// caches and show what that costs. Memory comes in huge pages where the system has them, and arrays begin out of step with each other:
// a roof is what can be reached, and both cost up to some twenty percent otherwise, by chance. Working sets: L1 half of it; L2 between L1
// and three quarters of L2; L3 half of it over all threads, and at least twice the L2; memory three arrays of four times the L3 each, as
// STREAM asks, where a quarter of the free memory and the limit below allow it.
//
// Rate: independent chains of fused multiply-adds over float registers, twelve of them, so that the latency is hidden; an FMA
// counts two operations. Scalar, AVX2 and AVX-512 as far as the processor has them. Where it has no FMA, a multiplication and
// an addition.
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
    std::vector<int> threads;                             ///< empty: 1, 2, 4, ... and all that this process may use
    std::vector<std::string> levels;                      ///< empty: all; else of these levels only, as in CeilingRecord::level
    double seconds = 0.15;                                ///< of one measurement: repetitions until then, ten at least
    std::uint64_t largestBytes = std::uint64_t{2} << 30;  ///< of the memory level, all threads together
    std::stop_token stop;
    std::function<void(const std::string& what, double fraction)> onProgress;
    /// Each measurement with the rates of its repetitions in the unit of the record, whose value is the largest of them.
    std::function<void(const CeilingRecord&, const std::vector<double>& rates)> onMeasured;
};

/// Throws Error(cancelled, memory). Takes seconds to a minute, by the size of the caches and the number of threads.
std::vector<CeilingRecord> measureCeilings(const CeilingOptions& options);

/// Where they are kept: $XDG_CACHE_HOME (or ~/.cache)/parallax/ceilings-KEY.tsv; KEY names host, processor, threads that may be
/// used and version of this format, so that machines that share a home do not share roofs. Empty without a home.
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
