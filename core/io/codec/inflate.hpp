// SPDX-License-Identifier: GPL-3.0-or-later
// Decompression of deflate (RFC 1951) by ISA-L if the build has it, else by zlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace parallax {

/// Inflates one stream from buffers of any size.
class Inflater {
public:
    enum class Envelope { none, zlib, gzip };
    enum class State {
        running,  ///< the input or the room for the output is used up
        ended,    ///< the end of the stream was read, and its checksum matches
        damaged
    };
    /// Throws std::bad_alloc.
    explicit Inflater(Envelope envelope);
    ~Inflater();
    /// Copies the state in the stream. Throws std::bad_alloc.
    Inflater(const Inflater&);
    Inflater& operator=(const Inflater&) = delete;

    /// Removes the consumed bytes from `in` and the filled ones from `out`. Each call takes at most 1 GiB of both.
    State step(std::span<const std::uint8_t>& in, std::span<std::uint8_t>& out);
    /// Consumed bytes that lie behind the end of the stream, since a library reads ahead.
    std::size_t excess() const;

private:
    struct Library;
    std::unique_ptr<Library> library_;
};

}  // namespace parallax
