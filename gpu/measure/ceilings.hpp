// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the ceilings of a GPU.
//
// Device memory, counted as in STREAM: copy a[i] = b[i] moves 8 bytes per element, triad a[i] = b[i] + s * c[i] moves 12. Arrays of half
// a gigabyte exceed the L2 cache many times. The best of several launch shapes counts, for copy also the driver's own.
// Rate: independent chains of fused multiply-adds on float registers; an FMA counts as two operations.
// Transfers: 256 MiB between the device and page-locked ("pinned") or pageable host memory, the latter by the driver's own path. The
// host thread runs on processors close to the device, as in nvbandwidth.
//
// Links: 256 MiB to each other device, by its copy engine; through host memory where the devices cannot access the memory of each other.
//
// Times are those of device events around batches of some milliseconds, for pageable memory of the host's clock. The best repetition
// counts.
#pragma once

#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax::gpu {

/// Returns "copy" and "triad" of level "device", "fma" of "float", "upload" and "download" of "pinned" and "pageable", "peer" of "to N" and
/// "latency to N" for each other device N. Arrays take at most a quarter of the free memory each. Throws Error(memory, cancelled, failed).
std::vector<CeilingRecord> measureDeviceCeilings(int device, const CeilingProbe& probe);

}  // namespace parallax::gpu
