// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256, FIPS 180-4 (National Institute of Standards and Technology, 2015).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace parallax {

class Sha256 {
public:
    using Digest = std::array<std::uint8_t, 32>;
    /// `accelerated`: uses the SHA instructions of the processor if it has them.
    explicit Sha256(bool accelerated = true);
    void add(std::span<const std::byte> bytes);
    /// Returns that of all that was added. Nothing may be added afterwards.
    Digest digest();
    /// The digest as 64 hexadecimal digits, instead of digest().
    std::string finish();

private:
    using State = std::array<std::uint32_t, 8>;
    static constexpr std::size_t kBlock = 64;
    static void compressPortably(State& state, const std::byte* data, std::size_t blocks);
    static void compressAccelerated(State& state, const std::byte* data, std::size_t blocks);

    void (*compress_)(State& state, const std::byte* data, std::size_t blocks);
    State state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::byte, kBlock> block_{};
    std::size_t used_ = 0;  // bytes of `block_`
    std::uint64_t length_ = 0;
};

}  // namespace parallax
