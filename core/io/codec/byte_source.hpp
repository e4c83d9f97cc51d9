// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of files: random access for small reads, and compressed streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace parallax {

struct LoadOptions;

/// A file or a buffer.
class ByteSource {
public:
    /// Throws Error(input) if the file cannot be opened.
    explicit ByteSource(const std::string& path);
    explicit ByteSource(std::vector<std::uint8_t> bytes);
    ~ByteSource();
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    std::uint64_t size() const { return size_; }
    /// Returns the number of bytes read: fewer than `n` at the end.
    std::size_t read(std::uint64_t offset, void* to, std::size_t n);

private:
    std::size_t readFile(std::uint64_t offset, void* to, std::size_t n);
    std::string path_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    std::vector<std::uint8_t> bytes_;  ///< all of them, or a window of the file
    std::uint64_t start_ = 0;          ///< of the window
};

/// A compressed stream of a file, decompressed from front to end.
class CompressedStream {
public:
    explicit CompressedStream(std::string path) : path_(std::move(path)) {}
    virtual ~CompressedStream() = default;
    CompressedStream(const CompressedStream&) = delete;
    CompressedStream& operator=(const CompressedStream&) = delete;

    /// Returns the number of bytes: fewer only at the end of the stream or of the file. Throws Error(input) for damaged data.
    virtual std::size_t readSome(void* to, std::size_t bytes) = 0;
    /// Throws Error(input) for damaged data and for a premature end.
    void read(void* to, std::size_t bytes);
    /// Skips bytes. Throws as read() does, and Error(cancelled).
    void skip(std::uint64_t bytes, const LoadOptions& options);
    /// Reads to the end of the stream, which its checksum verifies, but no further than kMaxTailBytes. Throws as skip() does, and
    /// Error(input) if the checksum does not match.
    void finish(const LoadOptions& options);

protected:
    const std::string& path() const { return path_; }

private:
    /// Whether the stream, with its checksum, has ended and no other has begun.
    virtual bool complete() const = 0;
    std::string path_;
};

}  // namespace parallax
