// SPDX-License-Identifier: GPL-3.0-or-later
// gzip files (RFC 1952), read piece by piece and written on several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/io/atomic_file.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// The inflated bytes from the beginning on. Files that are not compressed are read as they are.
class GzipReader {
public:
    /// Throws Error(input) if the file cannot be opened.
    explicit GzipReader(const std::string& path);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// Throws Error(input) for damaged data, and, unless `few` may be read, where they end early. Returns how many bytes came.
    std::size_t read(void* to, std::size_t bytes, bool few = false);
    /// Reads over bytes. Throws as read() does, and Error(cancelled).
    void skip(std::uint64_t bytes, const LoadOptions& options);
    /// Of the bytes on the disk, 0 to 1: for a progress.
    double position() const;

private:
    std::string path_;
    void* file_ = nullptr;
    std::uint64_t size_ = 0;
};

/// One gzip member of `head` and `body`, each piece deflated by itself with its neighbour's end as a dictionary, so that the result
/// is that of any number of threads. Throws Error(output, memory, cancelled).
void writeGzip(AtomicFile& file, std::span<const std::uint8_t> head, std::span<const std::uint8_t> body, const LoadOptions& options);

}  // namespace parallax
