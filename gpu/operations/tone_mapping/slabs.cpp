// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/tone_mapping/slabs.hpp"

#include <algorithm>
#include <utility>

#include "core/image/texts.hpp"

namespace parallax::gpu {
namespace {

constexpr std::int64_t kHalosOfStrip = 4;   // rows of a strip for each row of its halo: at most a fifth is uploaded twice
constexpr std::uint64_t kShareNotKept = 8;  // an eighth of what is left of the memory stays free
constexpr std::int64_t kVector = 4;         // samples; channels begin at multiples

std::uint64_t bytesOf(std::int64_t samples) { return static_cast<std::uint64_t>(samples) * sizeof(float); }

/// Makes the strips of all passes.
class Planner {
public:
    Planner(const ToneMappingPlan& plan, const Shape& shape, ToneSlabs& result)
        : plan_(plan),
          shape_(shape),
          colours_(static_cast<std::int64_t>(plan.colour.size())),
          copied_(static_cast<std::int64_t>(plan.copied.size())),
          halo_(plan.scales.empty() ? 0 : plan.scales.back().radius),
          result_(result) {}

    void chooseRows(const StripLimits& limits, std::uint64_t memory, std::uint64_t workspace) {
        const auto slots = static_cast<std::uint64_t>(limits.inFlight);
        const std::int64_t width = shape_.width, height = shape_.height, all = shape_.channels, extra = std::min(2 * halo_, height - 1);
        if (const std::uint64_t least = workspace + slots * slotBytes(1 + extra, 1); least > memory) throw stripMemoryError(least, memory);
        const auto samples = static_cast<std::int64_t>((memory - workspace) / slots / sizeof(float));
        const std::int64_t most = (samples - colours_ * extra * width - 2 * all * kVector) / (2 * all * width);
        const std::uint64_t rowBytes = bytesOf(width * all);
        const std::uint64_t preferred = preferredStripBytes(limits, rowBytes * static_cast<std::uint64_t>(height));
        const std::int64_t wanted = std::max(static_cast<std::int64_t>(preferred / rowBytes), kHalosOfStrip * extra);
        const std::int64_t rows = std::max<std::int64_t>(1, std::min({wanted, most, height})), count = (height + rows - 1) / rows;
        result_.rows = (height + count - 1) / count;
        result_.strips.slotBytes = slotBytes(std::min(result_.rows + extra, height), result_.rows);
        keepRows(memory - workspace - slots * result_.strips.slotBytes);
    }

    /// Adds the strips of a pass.
    void addPass(ToneSlab::Kind kind, TonePass pass = TonePass::luminance) {
        const bool isFirst = result_.slabs.empty(), maps = kind == ToneSlab::Kind::map;
        const std::size_t before = result_.slabs.size();
        const std::int64_t height = shape_.height, kept = isFirst ? 0 : keptInput();
        std::int64_t row = 0;
        const auto add = [&](std::int64_t end) {
            ToneSlab slab{.kind = kind, .pass = pass, .rows = {row, end}, .input = {row, end}};
            if (maps) slab.input = {std::max<std::int64_t>(0, row - halo_), std::min(height, end + halo_)};
            slab.kept = row < kept;
            slab.keeps = isFirst && row < result_.keptRows;
            result_.slabs.push_back(slab);
            row = end;
        };
        // Statistics of kept rows have nothing to transfer.
        while (row < kept) add(maps ? std::min(row + result_.rows, kept) : kept);
        while (row < height) add(std::min(row + result_.rows, height));
        result_.slabs[before].begins = true;
        result_.slabs.back().ends = true;
        ++passes_;
    }

    /// Adds the transfers of all strips.
    void finish() {
        StripPlan& strips = result_.strips;
        const std::int64_t rows = shape_.height * shape_.channels, units = passes_ * shape_.height;
        std::int64_t pass = -1;
        for (const ToneSlab& slab : result_.slabs) {
            pass += slab.begins ? 1 : 0;
            const auto progressAt = [&](std::int64_t row) { return rows * (pass * shape_.height + row) / units; };
            strips.strips.push_back({.plane = static_cast<std::int64_t>(strips.parts.size()),
                                     .rows = progressAt(slab.rows.last) - progressAt(slab.rows.first),
                                     .whole = false});
            strips.parts.push_back(partOf(slab));
        }
        strips.shape = shape_;
        strips.name = stripText(static_cast<std::size_t>((shape_.height + result_.rows - 1) / result_.rows), result_.rows, "row") + " in " +
                      std::to_string(passes_) + " passes";
        if (result_.keptRows == shape_.height) strips.name += ", uploaded once";
        else if (result_.keptRows > 0) strips.name += ", of which " + counted(result_.keptRows, "row") + " are uploaded once";
    }

private:
    /// Rows whose input, with its halo, is kept.
    std::int64_t keptInput() const { return result_.keptRows == shape_.height ? result_.keptRows : result_.keptRows - halo_; }
    void keepRows(std::uint64_t memory) {
        const auto samples = static_cast<std::int64_t>((memory - memory / kShareNotKept) / bytesOf(colours_)) / kVector * kVector;
        const std::int64_t rows = std::min(shape_.height, samples / shape_.width);
        result_.keptRows = rows < shape_.height ? rows / result_.rows * result_.rows : rows;
        if (keptInput() <= 0) result_.keptRows = 0;
    }
    std::uint64_t slotBytes(std::int64_t input, std::int64_t rows) const {
        return bytesOf(colours_ * result_.channelSamples(input) + (2 * copied_ + colours_) * result_.channelSamples(rows));
    }

    void addBoxes(std::vector<StripBox>& boxes, const std::vector<int>& channels, const PartRange& rows, std::int64_t slot) const {
        const std::int64_t width = shape_.width;
        for (const int channel : channels) {
            boxes.push_back({.host = (channel * shape_.height + rows.first) * width,
                             .slot = slot,
                             .width = width,
                             .rows = rows.count(),
                             .hostRow = width,
                             .slotRow = width});
            slot += result_.channelSamples(rows.count());
        }
    }
    StripPart partOf(const ToneSlab& slab) const {
        StripPart part;
        if (!slab.kept) {
            addBoxes(part.up, plan_.colour, slab.input, 0);
            part.input = colours_ * result_.channelSamples(slab.input.count());
        }
        if (slab.kind != ToneSlab::Kind::map) return part;
        addBoxes(part.up, plan_.copied, slab.rows, part.input);
        part.input += copied_ * result_.channelSamples(slab.rows.count());
        addBoxes(part.down, plan_.colour, slab.rows, 0);
        part.output = colours_ * result_.channelSamples(slab.rows.count());
        addBoxes(part.down, plan_.copied, slab.rows, part.output);
        part.output += copied_ * result_.channelSamples(slab.rows.count());
        return part;
    }

    const ToneMappingPlan& plan_;
    Shape shape_;
    std::int64_t colours_, copied_, halo_;
    std::int64_t passes_ = 0;
    ToneSlabs& result_;
};

}  // namespace

std::int64_t ToneSlabs::channelSamples(std::int64_t count) const { return (count * width + kVector - 1) / kVector * kVector; }

ToneSlabs planToneSlabs(const ToneMappingPlan& plan, const Shape& shape, const StripLimits& limits, std::uint64_t memory,
                        std::uint64_t workspace) {
    ToneSlabs result;
    result.width = shape.width;
    Planner planner(plan, shape, result);
    planner.chooseRows(limits, memory, workspace);
    for (const TonePass pass : passesOf(plan.parameters.op)) planner.addPass(ToneSlab::Kind::gather, pass);
    if (plan.parameters.op == ToneOperator::histogram) planner.addPass(ToneSlab::Kind::count);
    planner.addPass(ToneSlab::Kind::map);
    planner.finish();
    result.strips.ownBytes =
        static_cast<std::uint64_t>(plan.colour.size()) * static_cast<std::uint64_t>(result.channelSamples(result.keptRows)) * sizeof(float);
    return result;
}

}  // namespace parallax::gpu
