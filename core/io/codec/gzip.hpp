// SPDX-License-Identifier: GPL-3.0-or-later
// gzip files (RFC 1952), read as a stream and written on several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/io/atomic_file.hpp"
#include "core/io/codec/parallel_tasks.hpp"
#include "core/io/loader.hpp"

namespace parallax {

/// Reads the inflated bytes in order. Uncompressed files are read unchanged.
class GzipReader {
public:
    /// Throws Error(input) if the file cannot be opened.
    explicit GzipReader(const std::string& path);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// Returns the number of bytes read. Throws Error(input) for damaged data and, unless `few` is set, for a premature end.
    std::size_t read(void* to, std::size_t bytes, bool few = false);
    /// Skips bytes. Throws as read() does, and Error(cancelled).
    void skip(std::uint64_t bytes, const LoadOptions& options);
    /// Fraction of the file read so far, for progress.
    double position() const;

private:
    std::string path_;
    void* file_ = nullptr;
    std::uint64_t size_ = 0;
};

/// Writes one gzip member of `head` and `body`. Pieces are deflated in parallel, each with the end of its predecessor as dictionary; the
/// bytes do not depend on the number of threads. Throws Error(output, memory, cancelled).
void writeGzip(AtomicFile& file, std::span<const std::uint8_t> head, std::span<const std::uint8_t> body, const LoadOptions& options);

}  // namespace parallax
