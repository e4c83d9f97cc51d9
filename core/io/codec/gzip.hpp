// SPDX-License-Identifier: GPL-3.0-or-later
// Deflate streams (RFC 1951): raw or with the envelopes of zlib (RFC 1950) and gzip (RFC 1952).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/io/atomic_file.hpp"
#include "core/io/codec/byte_source.hpp"
#include "core/io/codec/inflate.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"

namespace parallax {

/// A point in a stream, from which it can be read on.
struct InflatePoint {
    std::uint64_t at = 0;                      ///< offset of the next byte to read from the file
    std::shared_ptr<const Inflater> inflater;  ///< null at the beginning
    bool ended = false;
};

/// Inflates a stream that begins at any offset of a file.
class InflateReader final : public CompressedStream {
public:
    enum class Envelope { none, zlibOrGzip };  ///< several gzip streams may follow each other
    /// Throws Error(input) if the file cannot be opened.
    InflateReader(const std::string& path, std::uint64_t offset, Envelope envelope = Envelope::zlibOrGzip);
    /// Reads on from a point of a reader of the same file and envelope.
    InflateReader(const std::string& path, const InflatePoint& point, Envelope envelope = Envelope::zlibOrGzip);
    InflatePoint point() const;

    std::size_t readSome(void* to, std::size_t bytes) override;

private:
    bool complete() const override { return ended_; }
    void fill();
    /// Begins the stream at the next byte. Returns false if there is none.
    bool nextStream();
    ByteSource source_;
    Envelope envelope_;
    std::uint64_t at_;  ///< offset of the next byte to read from the file
    std::vector<std::uint8_t> input_;
    std::span<const std::uint8_t> rest_;  ///< unused bytes of the input
    std::unique_ptr<Inflater> inflater_;  ///< of the current stream
    bool ended_ = false;                  ///< the stream, with its checksum
};

/// Writes one gzip member of `head` and `body`. Pieces are deflated in parallel, each with the end of its predecessor as dictionary; the
/// bytes do not depend on the number of threads. Throws Error(output, memory, cancelled).
void writeGzip(AtomicFile& file, std::span<const std::uint8_t> head, std::span<const std::uint8_t> body, const SaveOptions& options);

}  // namespace parallax
