// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/backend/catalog.hpp"
#include "core/engine/run/run_record.hpp"

namespace parallax {

/// Describes this machine from /proc and /sys, and GPUs from the devices of the available backends. Unknown facts stay empty.
/// `root`: "/", or in tests a folder with proc/ and sys/ of another machine.
MachineRecord describeMachine(const Catalog& catalog, const std::string& root = "/");

/// First line of a file; empty if it cannot be read.
std::string firstLine(const std::string& path);

/// A cache as /sys describes it: "2", "Unified", "2048K", "0-1,8-9".
struct CacheInfo {
    std::string level, type, size;
    std::string sharers;  ///< processors that have it together
    std::uint64_t bytes() const;
};
/// The caches of a processor.
std::vector<CacheInfo> listCaches(const std::string& root = "/", int processor = 0);

/// Smallest step of the steady clock in a few hundred readings, ns.
double timerResolution();

/// 16 digits.
std::string hexadecimal(std::uint64_t value);

/// 64-bit FNV-1a of shape and samples, as 16 hexadecimal digits.
std::string hashSamples(View<const float> view);

std::string utcNow();  ///< "2026-01-31T12:00:00Z"

}  // namespace parallax
