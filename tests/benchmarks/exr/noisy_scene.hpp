// SPDX-License-Identifier: GPL-3.0-or-later
// The image of benchmarks of files.
#pragma once

#include "core/image/synthetic.hpp"

namespace parallax {

/// Noise over a smooth scene: compresses about as badly as a rendered or photographed image.
inline Image noisyScene(std::int64_t size) {
    Image image = makeSynthetic({SyntheticKind::hdrRamp, {size, size, 1, 3}, 1});
    const Image noise = makeSynthetic({SyntheticKind::noise, {size, size, 1, 3}, 5});
    float* samples = image.view().data;
    for (std::int64_t i = 0; i < image.shape().samples(); ++i) samples[i] *= 0.98F + 0.04F * noise.view().data[i];
    return image;
}

}  // namespace parallax
