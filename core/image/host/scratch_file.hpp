// SPDX-License-Identifier: GPL-3.0-or-later
// Scratch files: memory for images on a disk. They have no name, so that they are gone when the process ends, however it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace parallax {

/// Name of the folder that stands for none.
inline constexpr const char* kNoScratch = "none";

struct ScratchSpace {
    std::string folder;
    std::uint64_t free = 0;  ///< bytes that new scratch files may take
    std::string obstacle{};  ///< why there can be no scratch file, as a clause; empty if there can
    explicit operator bool() const { return obstacle.empty(); }
};

/// The folder of scratch files if none is set: PARALLAX_SCRATCH, else TMPDIR unless it is in memory, else /var/tmp.
std::string defaultScratchFolder();

/// Looks at a folder. A file system in memory (tmpfs) is refused. A part of the disk, 2 % or 1 GiB, is left free. Does not throw.
ScratchSpace lookAtScratchFolder(const std::string& folder);

/// Maps a new file of `bytes` zeros whose disk space is reserved, so that writing to it cannot fail for lack of space. Throws
/// Error(memory).
void* mapScratchFile(const std::string& folder, std::size_t bytes);
void unmapScratchFile(void* p, std::size_t bytes) noexcept;

}  // namespace parallax
