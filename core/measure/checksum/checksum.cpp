// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/checksum/checksum.hpp"

#include <bit>
#include <cstring>
#include <span>

#include "core/image/sha256.hpp"

namespace parallax {
namespace {

static_assert(std::endian::native == std::endian::little, "samples are hashed as they are in memory");

/// Calls `f` with the position of each row until it returns false; returns whether it never did.
template <class F>
bool forEachRow(const Shape& shape, F&& f) {
    for (std::int64_t c = 0; c < shape.channels; ++c)
        for (std::int64_t z = 0; z < shape.depth; ++z)
            for (std::int64_t y = 0; y < shape.height; ++y)
                if (!f(y, z, c)) return false;
    return true;
}

}  // namespace

std::string checksumOf(const View<const float>& samples, const std::stop_token& stop) {
    Sha256 sha;
    const auto width = static_cast<std::size_t>(samples.shape.width);
    const bool complete = forEachRow(samples.shape, [&](std::int64_t y, std::int64_t z, std::int64_t c) {
        sha.add(std::as_bytes(std::span(samples.row(y, z, c), width)));
        return !stop.stop_requested();
    });
    return complete ? sha.finish() : std::string();
}

bool sameBits(const View<const float>& a, const View<const float>& b) {
    const std::size_t bytes = static_cast<std::size_t>(a.shape.width) * sizeof(float);
    return a.shape == b.shape && forEachRow(a.shape, [&](std::int64_t y, std::int64_t z, std::int64_t c) {
               return std::memcmp(a.row(y, z, c), b.row(y, z, c), bytes) == 0;
           });
}

}  // namespace parallax
