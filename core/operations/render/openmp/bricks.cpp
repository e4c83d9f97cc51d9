// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/render/openmp/bricks.hpp"

#include <algorithm>
#include <limits>

#include "core/backends/openmp/parallel.hpp"

namespace parallax::rendering {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

int bricksAlong(std::int64_t size) { return static_cast<int>((size + kBrick - 1) / kBrick); }

int groupsAlong(int bricks) { return (bricks + kGroup - 1) / kGroup; }

std::size_t product(const int (&count)[3]) {
    return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(count[2]);
}

/// Range of the samples that a worker has read, on a cache line of its own.
struct alignas(64) Found {
    float low = kInfinity, high = -kInfinity;
    bool hasGaps = false;
};

}  // namespace

Bricks::Bricks(const Shape& shape)
    : count_{bricksAlong(shape.width), bricksAlong(shape.height), bricksAlong(shape.depth)},
      groups_{groupsAlong(count_[0]), groupsAlong(count_[1]), groupsAlong(count_[2])},
      keys_(product(count_)),
      groupKeys_(product(groups_)) {}

std::uint64_t Bricks::bytes(const Shape& shape, int workers) {
    const auto bricks = static_cast<std::uint64_t>(bricksAlong(shape.width)) * static_cast<std::uint64_t>(bricksAlong(shape.height)) *
                        static_cast<std::uint64_t>(bricksAlong(shape.depth));
    const auto groups = static_cast<std::uint64_t>(groupsAlong(bricksAlong(shape.width))) *
                        static_cast<std::uint64_t>(groupsAlong(bricksAlong(shape.height))) *
                        static_cast<std::uint64_t>(groupsAlong(bricksAlong(shape.depth)));
    return sizeof(float) * (bricks + groups + 2 * static_cast<std::uint64_t>(workers) * static_cast<std::uint64_t>(shape.width));
}

Volume Bricks::describe(const View<const float>& channel, const RenderPlan& plan, const RunContext& context) {
    const Shape& shape = channel.shape;
    const RenderMode mode = plan.parameters.mode;
    const int workers = effectiveThreads(context);
    std::vector<Found> found(static_cast<std::size_t>(workers));
    std::vector<std::vector<float>> columns(static_cast<std::size_t>(workers));
    // A task is a row of bricks along x.
    parallelTasks(context, static_cast<std::int64_t>(count_[1]) * count_[2], workers, [&](std::int64_t task, int worker) {
        std::vector<float>& memory = columns[static_cast<std::size_t>(worker)];
        memory.resize(2 * static_cast<std::size_t>(shape.width));
        float* const low = memory.data();
        float* const high = low + shape.width;
        std::fill_n(low, shape.width, kInfinity);
        std::fill_n(high, shape.width, -kInfinity);
        const std::int64_t firstY = task % count_[1] * kBrick, firstZ = task / count_[1] * kBrick;
        Found& own = found[static_cast<std::size_t>(worker)];
        for (std::int64_t z = firstZ; z <= std::min(firstZ + kBrick, shape.depth - 1); ++z)
            for (std::int64_t y = firstY; y <= std::min(firstY + kBrick, shape.height - 1); ++y)
                if (!extendRanges(channel.row(y, z), shape.width, low, high)) own.hasGaps = true;
        for (int brick = 0; brick < count_[0]; ++brick) {
            const std::int64_t first = static_cast<std::int64_t>(brick) * kBrick, end = std::min(first + kBrick + 1, shape.width);
            const float lowest = *std::min_element(low + first, low + end), highest = *std::max_element(high + first, high + end);
            own.low = std::min(own.low, lowest);
            own.high = std::max(own.high, highest);
            float& key = keys_[static_cast<std::size_t>(task * count_[0] + brick)];
            if (mode == RenderMode::minimum) key = -lowest;
            else if (mode != RenderMode::transfer) key = highest;
            else key = lowest <= highest && plan.table.isOpaque(lowest, highest) ? 1.0F : 0.0F;
        }
    });
    group(context);
    Volume volume{.samples = channel.data,
                  .size = {static_cast<int>(shape.width), static_cast<int>(shape.height), static_cast<int>(shape.depth)},
                  .rowStride = static_cast<int>(channel.rowStride),
                  .sliceStride = static_cast<int>(channel.sliceStride),
                  .bricks = {{count_[0], count_[1], count_[2]}, keys_.data()},
                  .groups = {{groups_[0], groups_[1], groups_[2]}, groupKeys_.data()}};
    Found all;
    for (const Found& one : found) {
        all.low = std::min(all.low, one.low);
        all.high = std::max(all.high, one.high);
        volume.hasGaps = volume.hasGaps || one.hasGaps;
    }
    if (all.low <= all.high) {
        volume.smallest = all.low;
        volume.largest = all.high;
    }
    return volume;
}

void Bricks::group(const RunContext& context) {
    parallelTasks(context, static_cast<std::int64_t>(groups_[1]) * groups_[2], effectiveThreads(context), [&](std::int64_t task, int) {
        float* const keys = groupKeys_.data() + task * groups_[0];
        std::fill_n(keys, groups_[0], -kInfinity);
        const int firstY = static_cast<int>(task % groups_[1]) * kGroup, firstZ = static_cast<int>(task / groups_[1]) * kGroup;
        for (int z = firstZ; z < std::min(firstZ + kGroup, count_[2]); ++z)
            for (int y = firstY; y < std::min(firstY + kGroup, count_[1]); ++y) {
                const float* const row = keys_.data() + (static_cast<std::int64_t>(z) * count_[1] + y) * count_[0];
                for (int x = 0; x < count_[0]; ++x) keys[x >> kGroupBits] = std::max(keys[x >> kGroupBits], row[x]);
            }
    });
}

}  // namespace parallax::rendering
