// SPDX-License-Identifier: GPL-3.0-or-later
// Images in strips: bands of rows of all channels go through the device once for each pass over the image, statistics first. Rows that
// fit in its memory stay there between the passes. The plan needs no device.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "core/operations/tone_mapping/plan.hpp"
#include "core/parallel/partition.hpp"
#include "gpu/operations/tone_mapping/state.hpp"

namespace parallax::gpu {

/// The work of one strip.
struct ToneSlab {
    enum class Kind {
        gather,  ///< statistics
        count,   ///< histogram: brightness of the pixels
        map      ///< the result
    };
    Kind kind = Kind::map;
    TonePass pass = TonePass::luminance;  ///< that is gathered
    PartRange rows;                       ///< of the image
    PartRange input;                      ///< the same with the halo of the local operator
    bool kept = false;                    ///< the colours of its input are on the device
    bool keeps = false;                   ///< its colours stay on the device for later passes
    bool begins = false, ends = false;    ///< first and last strip of its pass
};

struct ToneSlabs {
    std::vector<ToneSlab> slabs;
    StripPlan strips;           ///< strip i is slab i; without the workspace in StripPlan::ownBytes
    std::int64_t rows = 0;      ///< of a strip, at most
    std::int64_t keptRows = 0;  ///< that stay on the device, from the first one on
    std::int64_t width = 0;

    /// Samples from one channel of `count` rows to the next, in the buffers of strips and among the kept rows: vectors are aligned.
    std::int64_t channelSamples(std::int64_t count) const;
};

/// Divides an image so that the buffers of all strips in flight, kept rows and `workspace` bytes take at most `memory` bytes. In the
/// buffers of a strip, colours precede the channels that are copied. Throws Error(memory) with the bytes needed if not even single rows
/// fit.
ToneSlabs planToneSlabs(const ToneMappingPlan& plan, const Shape& shape, const StripLimits& limits, std::uint64_t memory,
                        std::uint64_t workspace);

}  // namespace parallax::gpu
