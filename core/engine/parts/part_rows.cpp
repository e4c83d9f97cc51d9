// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/part_rows.hpp"

#include <algorithm>
#include <utility>

#include "core/engine/parts/part_views.hpp"

namespace parallax {
namespace {

std::int64_t unitsOf(const Shape& image) { return inSlices(image) ? image.depth : image.height; }

/// Some rows of a part, or slices, of which it may have a single one.
template <class T>
View<T> unitsOf(View<T> part, bool slices, const PartRange& range) {
    part.data += range.first * (slices ? part.sliceStride : part.rowStride);
    (slices ? part.shape.depth : part.shape.height) = range.count();
    return part;
}

}  // namespace

PartRows::PartRows(const View<const float>& image)
    : shape_(image.shape), slices_(inSlices(shape_)), range_{0, unitsOf(shape_)}, own_(image) {}

PartRows::PartRows(const ImagePart& part, const View<const float>& own, const Needs& needs, Communicator& communicator)
    : shape_(part.image), slices_(part.slices()), range_(part.range), own_(own) {
    const Partition parts = placesOf(communicator, static_cast<std::size_t>(range_.count()));
    const int rank = communicator.rank();
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (int to = 0; to < parts.parts(); ++to) {
        if (parts[to].empty()) continue;
        for (const PartRange& needed : needs(parts[to])) {
            if (needed.empty()) continue;
            if (to == rank) copies_.push_back({needed, Buffer(shapeOf(shape_, needed))});
            for (int from = 0; from < parts.parts(); ++from) {
                const PartRange shared{std::max(needed.first, parts[from].first), std::min(needed.last, parts[from].last)};
                if (shared.empty() || from == to) continue;
                const auto within = [&](const PartRange& whole) {
                    return PartRange{shared.first - whole.first, shared.last - whole.first};
                };
                if (from == rank) sends.push_back({to, unitsOf(own, slices_, within(range_))});
                if (to == rank) receives.push_back({from, unitsOf(copies_.back().samples.view<float>(), slices_, within(needed))});
            }
        }
    }
    if (!sends.empty() || !receives.empty()) communicator.startExchange(std::move(sends), std::move(receives))->finish();
}

const float* PartRows::otherRow(std::int64_t unit, std::int64_t y, std::int64_t z, std::int64_t channel) const {
    for (const Copy& copy : copies_)
        if (unit >= copy.range.first && unit < copy.range.last) return rowOf(copy.samples.view<float>(), copy.range, y, z, channel);
    throw Error(ErrorCode::failed, "A part reads a row that it did not ask for");
}

PartRows::Needs neighboursUpTo(std::int64_t reach, const Shape& image) {
    return [reach, units = unitsOf(image)](const PartRange& own) {
        return std::vector<PartRange>{{std::max<std::int64_t>(0, own.first - reach), own.first},
                                      {own.last, std::min(units, own.last + reach)}};
    };
}

}  // namespace parallax
