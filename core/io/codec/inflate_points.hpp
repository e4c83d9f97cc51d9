// SPDX-License-Identifier: GPL-3.0-or-later
// Access points in compressed files of several volumes: copies of the inflater's state. With them a volume costs little more than the
// inflation of its own bytes, instead of all bytes before it, too. Like the index of zlib's example zran.c, but made while reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/io/codec/gzip.hpp"

namespace parallax {

/// Most points that are kept, each of less than 100 KB.
constexpr std::size_t kMaxInflatePoints = 64;

/// Tells a file from others and from itself with other contents.
struct FileState {
    std::string path;
    std::uint64_t device = 0, inode = 0, size = 0;
    std::int64_t modified = 0;  ///< ns since the epoch
    bool operator==(const FileState&) const = default;
};

/// A stream of zlib or gzip in a file, read volume by volume. The process keeps the points of the file that was read last, unless it was
/// modified within the last second, when a second modification might not show.
class InflatedVolumes {
public:
    /// The stream begins at `offset` of the file; volume N begins at `first` + N * `bytes` of the inflated data, and `bytes` > 0.
    InflatedVolumes(const std::string& path, std::uint64_t offset, std::uint64_t first, std::uint64_t bytes);

    /// Opens the file and returns a reader at the beginning of a volume. Throws Error(input, cancelled).
    InflateReader& seek(std::uint64_t volume, const LoadOptions& options);
    /// Keeps the point behind the volume of seek(), which was read completely: the next volume begins there.
    void keepEnd();

private:
    void keep() const;

    FileState file_;
    std::uint64_t offset_, first_, bytes_;
    std::uint64_t at_ = 0;  ///< inflated bytes before the next one of the reader
    std::unique_ptr<InflateReader> reader_;
};

}  // namespace parallax
