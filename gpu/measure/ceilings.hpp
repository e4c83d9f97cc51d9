// SPDX-License-Identifier: GPL-3.0-or-later
// The ceilings of a GPU, measured on the spot.
//
// Device memory, as STREAM counts it: copy a[i] = b[i] moves 8 bytes an element of four bytes, triad a[i] = b[i] + s * c[i] moves
// 12. Arrays of half a gigabyte each, many times the L2. Of copy the driver's own and kernels of several shapes are tried, of triad
// kernels: a ceiling is what the device can do, not what one launch shape does.
// Rate: independent chains of fused multiply-adds over float registers; an FMA counts two operations.
// Transfers: one copy of 256 MiB between the device and page-locked ("pinned") or ordinary ("pageable") host memory, the latter
// by the driver's own path, counted once. The thread that owns the host memory runs on processors close to the device, as
// nvbandwidth has it: a transfer through another socket shows the link between the sockets.
//
// Times come from device events around batches of some milliseconds, so that launching does not count, except those of pageable
// memory, which the host copies: there it is the host's clock until the copy is complete. The best of several repetitions counts.
#pragma once

#include <vector>

#include "core/engine/backend/backend.hpp"

namespace parallax::gpu {

/// "copy" and "triad" of level "device", "fma" of "float", "upload" and "download" of "pinned" and "pageable". Arrays shrink
/// to a quarter of the free memory where it is short. Throws Error(memory, cancelled, failed).
std::vector<CeilingRecord> measureDeviceCeilings(int device, const CeilingProbe& probe);

}  // namespace parallax::gpu
