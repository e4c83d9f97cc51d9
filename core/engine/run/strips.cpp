// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/run/strips.hpp"

#include <algorithm>
#include <cmath>

#include "core/image/texts.hpp"

namespace parallax {
namespace {

constexpr std::int64_t kRowRounding = 64;  // a multiple of the rows of thread blocks
constexpr std::int64_t kHalosOfBand = 4;   // rows of a band for each row of its halo: at most a quarter is read twice

}  // namespace

StripBox StripBox::merged() const {
    StripBox box = *this;
    if (box.rows > 1 && box.hostRow == box.width && box.slotRow == box.width) {
        box.width *= box.rows;
        box.rows = 1;
    }
    if (box.rows == 1 && box.slices > 1) {
        box.rows = box.slices;
        box.slices = 1;
        box.hostRow = box.hostSlice;
        box.slotRow = box.slotSlice;
        return box.merged();
    }
    return box;
}

std::vector<StripBox> mergedBoxes(const std::vector<StripBox>& boxes) {
    constexpr std::int64_t kLongestRow = std::int64_t{1} << 28;  // row stride: copies by the device take less than 2 GiB
    std::vector<StripBox> transfers;
    for (const StripBox& given : boxes) {
        const StripBox box = given.merged();
        if (box.samples() == 0) continue;
        if (!transfers.empty() && box.rows == 1 && box.slices == 1 && box.host >= 0) {
            StripBox& last = transfers.back();
            const bool single = last.rows == 1;
            const std::int64_t host = box.host - last.host - (last.rows - 1) * last.hostRow;
            const std::int64_t slot = box.slot - last.slot - (last.rows - 1) * last.slotRow;
            if (last.image == box.image && last.host >= 0 && last.slices == 1 && last.width == box.width &&
                (single || (host == last.hostRow && slot == last.slotRow)) && std::min(host, slot) >= box.width &&
                std::max(host, slot) < kLongestRow) {
                last.hostRow = host, last.slotRow = slot;
                ++last.rows;
                continue;
            }
        }
        transfers.push_back(box);
    }
    return transfers;
}

std::uint64_t StripPlan::keptBytes() const {
    std::uint64_t bytes = 0;
    for (const std::int64_t samples : kept) bytes += static_cast<std::uint64_t>(samples) * sizeof(float);
    return bytes;
}

std::string StripPlan::text() const {
    if (!name.empty()) return name;
    return rows > 0 ? stripText(strips.size(), rows, "row") : stripText(strips.size(), planes, "plane");
}

std::uint64_t preferredStripBytes(const StripLimits& limits, std::uint64_t all) {
    const std::uint64_t best = limits.stripCost > 0
                                   ? static_cast<std::uint64_t>(std::sqrt(static_cast<double>(all) * static_cast<double>(limits.stripCost)))
                                   : all / static_cast<std::uint64_t>(std::max(1, limits.minStripCount));
    return std::clamp(best, limits.smallestStrip, std::max(limits.smallestStrip, limits.largestStrip));
}

std::vector<std::int64_t> gradedStripSizes(std::int64_t all, std::int64_t first, std::int64_t most, std::int64_t up, std::int64_t down,
                                           std::int64_t before) {
    // Lower bound of the end of the last download: for each strip, the uploads up to it and the downloads from it on follow each other.
    const std::int64_t least = std::max({all * up + first * down, first * up + all * down, before + all * down});
    std::vector<std::int64_t> sizes;
    for (std::int64_t left = all; left > 0; left -= sizes.back()) {
        std::int64_t size = std::clamp((least - (all - left) * up - left * down) / up, first, std::max(first, most));
        // The last one is not smaller than the others.
        if (size < left && left - size < first) size = left < 2 * first ? (left + 1) / 2 : left - first;
        sizes.push_back(std::min(size, left));
    }
    return sizes;
}

std::string stripText(std::size_t strips, std::int64_t size, const char* unit, bool upTo) {
    return counted(static_cast<std::int64_t>(strips), "strip") + (upTo ? " of up to " : " of ") + counted(size, unit);
}

Error stripMemoryError(std::uint64_t needed, std::uint64_t memory) {
    return Error(ErrorCode::memory, "Not enough memory for strips",
                 "the smallest ones need " + mebibytes(needed) + ", " + std::to_string(memory >> 20) + " MiB are free",
                 "Use a smaller image, another device or a CPU backend");
}

StripPlan planWithHalo(const Shape& shape, const StripSupport& support) {
    StripPlan plan;
    plan.shape = shape;
    plan.above = support.above;
    plan.below = support.below;
    plan.rowFor = support.rowFor;
    plan.fill = support.fill;
    return plan;
}

StripPlan planStrips(const Shape& shape, const StripSupport& support, const StripLimits& limits, std::uint64_t memory) {
    const std::uint64_t rowBytes = static_cast<std::uint64_t>(shape.width) * sizeof(float);
    const std::uint64_t planeBytes = rowBytes * static_cast<std::uint64_t>(shape.height);
    const std::int64_t planes = shape.depth * shape.channels;
    const std::uint64_t wanted = preferredStripBytes(limits, planeBytes * static_cast<std::uint64_t>(planes));
    const std::uint64_t slot = memory / static_cast<std::uint64_t>(limits.inFlight);

    StripPlan plan = planWithHalo(shape, support);
    if (const auto fit = static_cast<std::int64_t>(std::min(wanted / planeBytes, slot / (2 * planeBytes))); fit > 0) {
        const std::int64_t count = (planes + fit - 1) / fit;
        plan.planes = (planes + count - 1) / count;
        for (std::int64_t p = 0; p < planes; p += plan.planes)
            plan.strips.push_back({p, std::min(plan.planes, planes - p), 0, shape.height, true});
        plan.slotBytes = 2 * static_cast<std::uint64_t>(plan.planes) * planeBytes;
        return plan;
    }

    const std::int64_t halo = std::int64_t{support.above} + support.below;
    const std::uint64_t rowsInSlot = slot / rowBytes;
    if (rowsInSlot < static_cast<std::uint64_t>(halo) + 2) {
        const std::uint64_t needed = static_cast<std::uint64_t>(limits.inFlight) * (static_cast<std::uint64_t>(halo) + 2) * rowBytes;
        throw stripMemoryError(needed, memory);
    }
    const auto most = static_cast<std::int64_t>(
        std::min<std::uint64_t>((rowsInSlot - static_cast<std::uint64_t>(halo)) / 2, static_cast<std::uint64_t>(shape.height)));
    std::int64_t rows = std::max<std::int64_t>({1, static_cast<std::int64_t>(wanted / rowBytes), kHalosOfBand * halo});
    rows = std::min(rows, most);
    const std::int64_t count = (shape.height + rows - 1) / rows;
    rows = (shape.height + count - 1) / count;
    // Rounded up if that fits.
    if (rows > kRowRounding) {
        const std::int64_t up = (rows + kRowRounding - 1) / kRowRounding * kRowRounding;
        rows = up <= most ? up : rows / kRowRounding * kRowRounding;
    }
    plan.rows = rows;
    for (std::int64_t p = 0; p < planes; ++p)
        for (std::int64_t y = 0; y < shape.height; y += rows) plan.strips.push_back({p, 1, y, std::min(rows, shape.height - y), false});
    plan.slotBytes = static_cast<std::uint64_t>(2 * rows + halo) * rowBytes;
    return plan;
}

std::vector<RowRun> inputRuns(const StripPlan& plan, const Strip& strip) {
    std::vector<RowRun> runs;
    const std::int64_t begin = plan.inputRow(strip), end = begin + plan.inputRows(strip), height = plan.shape.height;
    const auto add = [&](std::int64_t row, std::int64_t count, bool outside) {
        if (!runs.empty() && runs.back().outside == outside) {
            RowRun& last = runs.back();
            if (row < 0 ? last.first < 0 : last.first >= 0 && last.first + last.count == row) {
                last.count += count;
                return;
            }
        }
        runs.push_back({row, count, outside});
    };
    for (std::int64_t y = begin; y < std::min<std::int64_t>(0, end); ++y) add(plan.rowFor(y), 1, true);
    const std::int64_t first = std::max<std::int64_t>(begin, 0), last = std::min(end, height);
    if (first < last) add(first, last - first, false);
    for (std::int64_t y = std::max(begin, height); y < end; ++y) add(plan.rowFor(y), 1, true);
    return runs;
}

std::int64_t sharedRows(const StripPlan& plan, std::size_t index) {
    if (index == 0 || !plan.parts.empty()) return 0;
    const Strip &strip = plan.strips[index], &before = plan.strips[index - 1];
    const bool follows = !strip.whole && !before.whole && before.plane == strip.plane && before.row + before.rows == strip.row;
    return !follows ? 0 : std::int64_t{plan.above} + plan.below;
}

std::vector<StripBox> uploadBoxes(const StripPlan& plan, const Strip& strip, std::int64_t shared) {
    if (!plan.parts.empty()) return plan.part(strip).up;
    const std::int64_t width = plan.shape.width;
    std::vector<StripBox> boxes;
    std::int64_t slot = 0;
    const auto add = [&](std::int64_t first, std::int64_t rows) {
        const std::int64_t left = std::min(rows, shared);
        shared -= left;
        slot += left * width;
        rows -= left;
        if (rows == 0) return;
        const std::int64_t host = first < 0 ? -1 : (strip.plane * plan.shape.height + first + left) * width;
        boxes.push_back({.host = host, .slot = slot, .width = width, .rows = rows, .hostRow = width, .slotRow = width});
        slot += rows * width;
    };
    if (strip.whole) add(0, plan.shape.height * strip.planes);
    else
        for (const RowRun& run : inputRuns(plan, strip)) add(run.first, run.count);
    return boxes;
}

std::vector<StripBox> downloadBoxes(const StripPlan& plan, const Strip& strip) {
    if (!plan.parts.empty()) return plan.part(strip).down;
    const std::int64_t width = plan.shape.width;
    return {{.host = (strip.plane * plan.shape.height + strip.row) * width,
             .width = width,
             .rows = strip.rows * strip.planes,
             .hostRow = width,
             .slotRow = width}};
}

}  // namespace parallax
