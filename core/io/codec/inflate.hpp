// SPDX-License-Identifier: GPL-3.0-or-later
// zlib and gzip streams at any offset of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/io/loader.hpp"

namespace parallax {

/// Inflates a zlib stream (RFC 1950) or consecutive gzip streams (RFC 1952). Unlike GzipReader it takes any other bytes for damage.
class InflateReader {
public:
    /// Throws Error(input) if the file cannot be opened.
    InflateReader(const std::string& path, std::uint64_t offset);
    ~InflateReader();
    InflateReader(const InflateReader&) = delete;
    InflateReader& operator=(const InflateReader&) = delete;

    /// Throws Error(input) for damaged data and for a premature end.
    void read(void* to, std::size_t bytes);
    /// Skips bytes. Throws as read() does, and Error(cancelled).
    void skip(std::uint64_t bytes, const LoadOptions& options);
    /// Reads to the end of the stream. Throws as skip() does, and Error(input) if the checksum does not match.
    void finish(const LoadOptions& options);
    /// Fraction of the file read so far, for progress.
    double position() const;

private:
    struct State;
    std::size_t readSome(void* to, std::size_t bytes);
    std::unique_ptr<State> state_;
};

}  // namespace parallax
