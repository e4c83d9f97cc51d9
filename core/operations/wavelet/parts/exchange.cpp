// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/wavelet/parts/exchange.hpp"

#include <algorithm>

#include "core/engine/backend/backend.hpp"

namespace parallax {
namespace {

template <class T>
auto asFloats(const View<T>& view) {
    using Float = std::conditional_t<std::is_const_v<T>, const float, float>;
    constexpr std::int64_t kFloats = sizeof(T) / sizeof(float);
    Shape shape = view.shape;
    shape.width *= kFloats;
    return View<Float>{reinterpret_cast<Float*>(view.data), shape, view.rowStride * kFloats, view.sliceStride * kFloats,
                       view.channelStride * kFloats};
}

template <class T>
View<T> boxOf(View<T> view, const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& extent) {
    view.data = &view.at(first[0], first[1], first[2]);
    view.shape = {extent[0], extent[1], extent[2], 1};
    return view;
}

void copyBox(const View<const float>& from, const View<float>& to) {
    for (std::int64_t z = 0; z < from.shape.depth; ++z)
        for (std::int64_t y = 0; y < from.shape.height; ++y) std::copy_n(from.row(y, z), from.shape.width, to.row(y, z));
}

/// Limits a box along an axis to [range.first, range.last); false if nothing is left.
bool clip(std::int64_t& first, std::int64_t& end, const PartRange& range) {
    first = std::max(first, range.first);
    end = std::min(end, range.last);
    return first < end;
}

}  // namespace

ExchangeTime::ExchangeTime(const RunContext& context) : session_(context.session) {
    if (!session_) return;
    session_->clock().end();
    session_->clock().begin(Stage::exchange);
}

ExchangeTime::~ExchangeTime() {
    if (!session_) return;
    session_->clock().end();
    session_->clock().begin(Stage::compute);
}

template <class T>
PartLines<T> LineExchange<T>::add(const View<const T>& own, const Shape& shape, Buffer& memory) {
    const std::size_t axis = levels_.axis();
    const PartRange range = levels_.range(level_);
    PartLines<T> lines{.shape = shape, .axis = axis, .own = own, .first = range.first, .last = range.last, .haloLines = halo_.lines};
    if (!halo_.lines.empty()) {
        Shape of = shape;
        (axis == 2 ? of.depth : of.height) = static_cast<std::int64_t>(halo_.lines.size());
        constexpr SampleType kType = sizeof(T) == sizeof(double) ? SampleType::float64 : SampleType::float32;
        if (memory.empty() || memory.shape() != of || memory.type() != kType) memory = Buffer(of, kType);
        lines.halo = memory.view<T>();
    }
    for (const LineCopy& c : halo_.copies) {
        if (c.from == levels_.rank()) sends_.push_back({c.to, asFloats(linesOf(own, axis, c.line - range.first, c.count))});
        if (c.to == levels_.rank()) receives_.push_back({c.from, asFloats(linesOf(memory.view<T>(), axis, c.at, c.count))});
    }
    return lines;
}

template <class T>
void LineExchange<T>::run(Communicator& communicator, const RunContext& context) {
    if (sends_.empty() && receives_.empty()) return;
    const ExchangeTime time(context);
    communicator.startExchange(std::move(sends_), std::move(receives_))->finish();
}

template class LineExchange<float>;
template class LineExchange<double>;

std::vector<MosaicBox> mosaicBoxes(const PartLevels& levels, const Partition& mosaic) {
    std::vector<MosaicBox> boxes;
    const WaveletPlan& plan = levels.whole();
    const std::size_t axis = plan.mosaic.depth > 1 ? 2 : 1;
    const std::vector<WaveletBand> bands = plan.bands();
    for (int computes = 0; computes < mosaic.parts(); ++computes) {
        const std::vector<WaveletBand> own = levels.planOf(computes).bands();
        for (std::size_t b = 0; b < bands.size(); ++b) {
            // Where the samples of this rank lie in the one mosaic.
            std::array<std::int64_t, 3> first = bands[b].origin;
            first[levels.axis()] += levels.partition(bands[b].level)[computes].first;
            if (own[b].samples() == 0) continue;
            for (int keeps = 0; keeps < mosaic.parts(); ++keeps) {
                MosaicBox box{
                    .computes = computes, .keeps = keeps, .band = b, .own = own[b].origin, .rows = first, .extent = own[b].extent};
                std::int64_t end = box.rows[axis] + box.extent[axis];
                if ((computes != levels.rank() && keeps != levels.rank()) || !clip(box.rows[axis], end, mosaic[keeps])) continue;
                box.own[axis] += box.rows[axis] - first[axis];
                box.extent[axis] = end - box.rows[axis];
                box.rows[axis] -= mosaic[keeps].first;
                boxes.push_back(box);
            }
        }
    }
    return boxes;
}

MosaicExchange::MosaicExchange(const PartLevels& levels, const Partition& mosaic)
    : rank_(levels.rank()), boxes_(mosaicBoxes(levels, mosaic)) {
    const WaveletPlan& plan = levels.whole();
    const std::size_t axis = plan.mosaic.depth > 1 ? 2 : 1;
    for (WaveletGap gap : plan.gaps()) {
        const PartRange own = mosaic[rank_];
        if (!clip(gap.first[axis], gap.end[axis], own)) continue;
        gap.first[axis] -= own.first;
        gap.end[axis] -= own.first;
        gaps_.push_back(gap);
    }
}

void MosaicExchange::move(const View<const float>& from, const View<float>& to, bool toRows, Communicator& communicator,
                          const RunContext& context) const {
    const auto source = [&](const MosaicBox& box) { return boxOf(from, toRows ? box.own : box.rows, box.extent); };
    const auto target = [&](const MosaicBox& box) { return boxOf(to, toRows ? box.rows : box.own, box.extent); };
    const ExchangeTime time(context);
    std::vector<HaloSend> sends;
    std::vector<HaloReceive> receives;
    for (const MosaicBox& box : boxes_) {
        const int sender = toRows ? box.computes : box.keeps, receiver = toRows ? box.keeps : box.computes;
        if (sender == receiver) continue;
        if (sender == rank_) sends.push_back({receiver, source(box)});
        else receives.push_back({sender, target(box)});
    }
    std::unique_ptr<HaloExchange> exchange;
    if (!sends.empty() || !receives.empty()) exchange = communicator.startExchange(std::move(sends), std::move(receives));
    for (const MosaicBox& box : boxes_)
        if (box.computes == box.keeps) copyBox(source(box), target(box));
    if (exchange) exchange->finish();
}

void MosaicExchange::toRows(const View<const float>& own, const View<float>& rows, Communicator& communicator,
                            const RunContext& context) const {
    move(own, rows, true, communicator, context);
    for (const WaveletGap& gap : gaps_)
        for (std::int64_t z = gap.first[2]; z < gap.end[2]; ++z)
            for (std::int64_t y = gap.first[1]; y < gap.end[1]; ++y)
                std::fill(rows.row(y, z) + gap.first[0], rows.row(y, z) + gap.end[0], 0.0F);
}

void MosaicExchange::fromRows(const View<const float>& rows, const View<float>& own, Communicator& communicator,
                              const RunContext& context) const {
    move(rows, own, false, communicator, context);
}

}  // namespace parallax
