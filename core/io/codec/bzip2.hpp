// SPDX-License-Identifier: GPL-3.0-or-later
// bzip2 streams, by libbz2 where this build has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/io/loader.hpp"

namespace parallax {

/// Whether this build reads bzip2, and the reason if not.
bool hasBzip2();
std::string whyNoBzip2();

/// Decompresses a stream that begins at any offset of a file, and those that follow it. Used like InflateReader.
class Bzip2Reader {
public:
    /// Throws Error(input) if the file cannot be opened, Error(unavailable) without libbz2.
    Bzip2Reader(const std::string& path, std::uint64_t offset);
    ~Bzip2Reader();
    Bzip2Reader(const Bzip2Reader&) = delete;
    Bzip2Reader& operator=(const Bzip2Reader&) = delete;

    /// Throws Error(input) for damaged data and for a premature end.
    void read(void* to, std::size_t bytes);
    /// Skips bytes. Throws as read() does, and Error(cancelled).
    void skip(std::uint64_t bytes, const LoadOptions& options);
    /// Reads to the end of the stream, whose checksum is verified, but no further than kMaxTailBytes. Throws as skip() does.
    void finish(const LoadOptions& options);

private:
    std::size_t readSome(void* to, std::size_t bytes);
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
