// SPDX-License-Identifier: GPL-3.0-or-later
// Reproducible test patterns: the same request gives the same bits on every machine.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/image/image.hpp"

namespace parallax {

enum class SyntheticKind { gradient, impulse, checker, zonePlate, noise, hdrRamp, sheppLogan };

struct SyntheticRequest {
    SyntheticKind kind = SyntheticKind::gradient;
    Shape shape{512, 512, 1, 1};
    std::uint64_t seed = 1;
};

struct SyntheticKindInfo {
    SyntheticKind kind;
    std::string key, title, help;
};
const std::vector<SyntheticKindInfo>& syntheticKinds();

/// The text starts with "synthetic:".
bool isSynthetic(std::string_view text);
/// "synthetic:KIND:WxH[xD][,channels=N][,seed=S]" with KIND gradient, impulse, checker, zone-plate, noise, hdr-ramp,
/// shepp-logan. Throws Error(usage).
SyntheticRequest parseSynthetic(std::string_view text);
std::string toText(const SyntheticRequest& request);
/// Values: gradient 0..1 along x (another direction for each channel); impulse 1 at the centre sample; checker of 8-pixel
/// squares; zone plate (1 + cos(pi r^2 / max(w, h))) / 2; noise uniform in [0, 1); HDR ramp 2^-10 .. 2^10 in equal
/// ratios; Shepp-Logan phantom (Shepp and Logan 1974, contrast of Toft 1996; 3D ellipsoids of Kak and Slaney).
/// Throws Error(cancelled) soon after a stop request.
Image makeSynthetic(const SyntheticRequest& request, const std::stop_token& stop = {});
/// The rows of the image, or slices of the volume, from `first` on that `samples` has room for. Only describes the image if `samples` has
/// no memory.
Image makeSyntheticPart(const SyntheticRequest& request, Buffer samples, std::int64_t first, const std::stop_token& stop = {});

}  // namespace parallax
