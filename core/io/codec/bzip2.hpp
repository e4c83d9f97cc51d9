// SPDX-License-Identifier: GPL-3.0-or-later
// bzip2 streams, by libbz2 where this build has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/io/codec/byte_source.hpp"

namespace parallax {

/// Whether this build reads bzip2, and the reason if not.
bool hasBzip2();
std::string whyNoBzip2();

/// Decompresses a stream that begins at any offset of a file, and those that follow it.
class Bzip2Reader final : public CompressedStream {
public:
    /// Throws Error(input) if the file cannot be opened, Error(unavailable) without libbz2.
    Bzip2Reader(const std::string& path, std::uint64_t offset);
    ~Bzip2Reader() override;
    std::size_t readSome(void* to, std::size_t bytes) override;

private:
    bool complete() const override;
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace parallax
