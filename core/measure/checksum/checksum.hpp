// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums of images in records: they tell whether two measurements had the same input and the same result.
#pragma once

#include <stop_token>
#include <string>

#include "core/image/view.hpp"

namespace parallax {

/// SHA-256 of the samples as 32-bit IEEE floats with the lowest byte first, x fastest, then y, z, channel, without padding: the digest of
/// the bytes of a C-contiguous NumPy array of type '<f4' and shape (channels, depth, height, width). 64 hexadecimal digits; empty if
/// stopped.
std::string checksumOf(const View<const float>& samples, const std::stop_token& stop = {});

/// Whether two results have the same shape and the same bits, NaN included.
bool sameBits(const View<const float>& a, const View<const float>& b);

}  // namespace parallax
