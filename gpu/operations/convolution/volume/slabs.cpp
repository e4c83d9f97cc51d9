// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/convolution/volume/slabs.hpp"

#include <algorithm>

namespace parallax::gpu {
namespace {

/// The slices that stand for slices [begin, end) of a channel, in as few boxes as possible.
std::vector<StripBox> inputBoxes(const Shape& shape, BorderMode border, std::int64_t channel, std::int64_t begin, std::int64_t end) {
    const std::int64_t slice = shape.width * shape.height;
    std::vector<StripBox> boxes;
    std::int64_t last = -2;
    for (std::int64_t z = begin; z < end; ++z) {
        const std::int64_t from = borderIndex(z, shape.depth, border);
        if (from >= 0 && from == last + 1) {
            ++boxes.back().rows;
        } else {
            boxes.push_back({.host = from < 0 ? -1 : (channel * shape.depth + from) * slice,
                             .slot = (z - begin) * slice,
                             .width = slice,
                             .hostRow = slice,
                             .slotRow = slice});
        }
        last = from < 0 ? -2 : from;
    }
    return boxes;
}

}  // namespace

VolumeSlabs planVolumeSlabs(const Shape& shape, const VolumePlan& plan, const StripLimits& limits, std::uint64_t memory) {
    const std::int64_t slice = shape.width * shape.height, before = plan.kernel->before(2), after = plan.kernel->after(2);
    const std::int64_t halo = before + after;
    const std::uint64_t sliceBytes = static_cast<std::uint64_t>(slice) * sizeof(float);
    const std::uint64_t slot = memory / static_cast<std::uint64_t>(limits.inFlight), slicesOfSlot = slot / sliceBytes;
    if (slicesOfSlot < static_cast<std::uint64_t>(halo) + 2)
        throw stripMemoryError(static_cast<std::uint64_t>(limits.inFlight) * (static_cast<std::uint64_t>(halo) + 2) * sliceBytes, memory);
    const std::int64_t most = (static_cast<std::int64_t>(slicesOfSlot) - halo) / 2;
    const std::uint64_t preferred = preferredStripBytes(limits, sliceBytes * static_cast<std::uint64_t>(shape.depth * shape.channels));
    // At most a fifth is read twice.
    const std::int64_t wanted = std::max<std::int64_t>({1, static_cast<std::int64_t>(preferred / sliceBytes), 4 * halo});
    const std::int64_t fit = std::min({wanted, most, shape.depth}), count = (shape.depth + fit - 1) / fit;
    const std::int64_t each = (shape.depth + count - 1) / count;

    VolumeSlabs result;
    result.strips.shape = shape;
    result.strips.fill = plan.borderValue;
    for (std::int64_t c = 0; c < shape.channels; ++c) {
        const bool filtered = std::find(plan.filtered.begin(), plan.filtered.end(), static_cast<int>(c)) != plan.filtered.end();
        for (std::int64_t z = 0; z < shape.depth; z += each) {
            const std::int64_t slices = std::min(each, shape.depth - z);
            const std::int64_t begin = z - (filtered ? before : 0), end = z + slices + (filtered ? after : 0);
            StripPart part{.input = (end - begin) * slice, .output = slices * slice};
            part.up = inputBoxes(shape, plan.border, c, begin, end);
            part.down = inputBoxes(shape, plan.border, c, z, z + slices);
            result.strips.strips.push_back({static_cast<std::int64_t>(result.slabs.size()), 1, 0, slices * shape.height, false});
            result.strips.parts.push_back(std::move(part));
            result.slabs.push_back({filtered, z, slices});
        }
    }
    result.strips.slotBytes = static_cast<std::uint64_t>(2 * each + halo) * sliceBytes;
    result.strips.name = stripText(result.slabs.size(), each, "slice");
    return result;
}

}  // namespace parallax::gpu
