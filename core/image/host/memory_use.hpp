// SPDX-License-Identifier: GPL-3.0-or-later
// Host memory of this process: how much of it images may take, and how much they take. Large blocks that exceed it are in scratch files.
#pragma once

#include <cstdint>
#include <string>

#include "core/image/host/scratch_file.hpp"

namespace parallax {

/// Sets the bytes of memory that the process may take for itself (anonymous memory, without files that are mapped); 0: what is available.
/// Like all settings of this header for the whole process; thread-safe.
void setHostMemoryLimit(std::uint64_t bytes);
std::uint64_t hostMemoryLimit();

/// Bytes that new blocks can take in memory, at least 1: what is available on the machine and in the control groups, less what blocks have
/// been promised but did not touch yet, within the limit of the process and RLIMIT_DATA.
std::uint64_t freeHostMemory();

/// Sets the folder of scratch files; empty: defaultScratchFolder(), kNoScratch: none. Throws Error(usage) if it cannot be used.
void setScratchFolder(const std::string& folder);
/// Where scratch files are made, and what they may take: at most PARALLAX_SCRATCH_LIMIT MiB in all. Does not throw.
ScratchSpace scratchSpace();
/// Why scratch files cannot take so many bytes, as a clause; empty if they can, and for 0 bytes.
std::string whyNotInScratchFiles(std::uint64_t bytes);

/// For InMemoryOnly.
inline constexpr const char* kMeasuredInMemory = "measurements use no scratch files, whose times would be those of the disk ('run' does)";

/// While one exists, blocks are in memory or refused.
class InMemoryOnly {
public:
    /// `why`: a clause for errors, kept by reference.
    explicit InMemoryOnly(const char* why);
    ~InMemoryOnly();
    InMemoryOnly(const InMemoryOnly&) = delete;
    InMemoryOnly& operator=(const InMemoryOnly&) = delete;
};

/// Whether a block of hostAllocator() is in a scratch file. `p`: its beginning.
bool isInScratchFile(const void* p);

/// Bytes of the blocks of hostAllocator() in use. Blocks set aside for later do not count.
struct HostMemoryUse {
    std::uint64_t memory = 0, scratch = 0;
};
HostMemoryUse hostMemoryUse();
/// For allocators that keep released blocks of hostAllocator() for later: sets so many bytes of them aside, or uses them again. The process
/// still takes that memory.
void setHostMemoryAside(std::uint64_t bytes) noexcept;
void useHostMemoryAgain(std::uint64_t bytes) noexcept;

/// Measures the most that blocks take while it exists, those of other threads included.
class HostMemoryPeak {
public:
    HostMemoryPeak();
    ~HostMemoryPeak();
    HostMemoryPeak(const HostMemoryPeak&) = delete;
    HostMemoryPeak& operator=(const HostMemoryPeak&) = delete;
    /// Of memory and of scratch files, at different times where they differ.
    HostMemoryUse most() const;

private:
    friend class HostMemoryAccount;
    HostMemoryUse most_;
};

/// Anonymous memory of the process, as it is in memory: RssAnon of Linux. 0: unknown.
std::uint64_t anonymousMemory();
/// The most of it that was seen so far: now, and whenever a large block was released. The system keeps no such number.
std::uint64_t peakAnonymousMemory();

}  // namespace parallax
