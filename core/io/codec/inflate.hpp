// SPDX-License-Identifier: GPL-3.0-or-later
// Compressed bytes that begin anywhere in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/io/loader.hpp"

namespace parallax {

/// What a zlib (RFC 1950) or gzip stream (RFC 1952; also several, one behind the other) inflates to, from its beginning on. Unlike
/// GzipReader it takes nothing else: bytes that are no such stream are damage.
class InflateReader {
public:
    /// Throws Error(input) if the file cannot be opened.
    InflateReader(const std::string& path, std::uint64_t offset);
    ~InflateReader();
    InflateReader(const InflateReader&) = delete;
    InflateReader& operator=(const InflateReader&) = delete;

    /// Throws Error(input) for damaged data and where they end early.
    void read(void* to, std::size_t bytes);
    /// Reads over bytes. Throws as read() does, and Error(cancelled).
    void skip(std::uint64_t bytes, const LoadOptions& options);
    /// Reads on to the checksum, over what there is beyond the samples: throws as skip() does, and if the checksum is another.
    void finish(const LoadOptions& options);
    /// Of the bytes in the file, 0 to 1: for a progress.
    double position() const;

private:
    struct State;
    std::size_t readSome(void* to, std::size_t bytes);
    std::unique_ptr<State> state_;
};

}  // namespace parallax
