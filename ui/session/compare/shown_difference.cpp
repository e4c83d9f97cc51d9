// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/shown_difference.hpp"

#include <cmath>

#include "core/metrics/image_metrics.hpp"

namespace parallax::ui {
namespace {

const TaskId kMap{TaskKind::shownDifference}, kCount{TaskKind::shownDifference, QStringLiteral("beyond")};

/// The mode whose image a mode displays.
DifferenceMode contentOf(DifferenceMode mode) {
    return mode == DifferenceMode::absolute || mode == DifferenceMode::squared ? DifferenceMode::signedValue : mode;
}

Image makeMap(const Image& a, const Image& b, DifferenceMode mode, const std::stop_token& stop, const std::shared_ptr<Allocator>& memory) {
    if (mode == DifferenceMode::relative) return relativeDifference(a, b, stop, memory);
    RunContext context{.stop = stop};
    return makeErrorMap(a, b, mode == DifferenceMode::flip ? ErrorMap::flip : ErrorMap::ssim, {}, context, memory);
}

std::int64_t countLarger(const Image& image, float limit, const std::stop_token& stop) {
    const Shape& s = image.shape();
    std::int64_t count = 0;
    for (std::int64_t row = 0; row < s.height * s.depth; ++row) {
        if ((row & 63) == 0 && stop.stop_requested()) throw Error(ErrorCode::cancelled, "Cancelled");
        const float* v = image.view().row(row % s.height, row / s.height);
        for (std::int64_t x = 0; x < s.width; ++x) count += std::fabs(v[x]) > limit ? 1 : 0;
    }
    return count;
}

}  // namespace

void ShownDifference::setMode(DifferenceMode mode) {
    if (contentOf(mode) == wanted_) return;
    wanted_ = contentOf(mode);
    if (difference_) compute();
}

void ShownDifference::setPair(ImagePtr a, ImagePtr b, ImagePtr difference, const DifferenceRange& range) {
    a_ = std::move(a);
    b_ = std::move(b);
    difference_ = std::move(difference);
    plainRange_ = range;
    show(difference_, DifferenceMode::signedValue, range);
    if (wanted_ != DifferenceMode::signedValue) compute();
}

void ShownDifference::compute() {
    if (wanted_ == DifferenceMode::signedValue) {
        tasks_.drop(kMap);
        return show(difference_, wanted_, plainRange_);
    }
    tasks_.submit(
        kMap, tr("Preparing the view"),
        [a = a_, b = b_, mode = wanted_, memory = memory_](const std::stop_token& stop) {
            auto map = std::make_shared<const Image>(makeMap(*a, *b, mode, stop, memory));
            const DifferenceRange range = rangeOf(*map);
            return std::pair(ImagePtr(std::move(map)), range);
        },
        [this, mode = wanted_](const std::pair<ImagePtr, DifferenceRange>& made) { show(made.first, mode, made.second); },
        [this](ErrorCode code, const Message& message) {
            show(difference_, DifferenceMode::signedValue, plainRange_);
            tasks_.raise(code, message);
        });
}

void ShownDifference::show(ImagePtr image, DifferenceMode content, const DifferenceRange& range) {
    image_ = std::move(image);
    content_ = content;
    range_ = range;
    limit_ = -1;
    beyond_.reset();
    tasks_.drop(kCount);
    panes_.show(PaneRole::difference, image_);
    emit changed();
}

void ShownDifference::stop() {
    tasks_.drop(kMap);
    tasks_.drop(kCount);
    // The next pair, or the mode, starts them again.
    a_.reset();
    b_.reset();
    difference_.reset();
}

void ShownDifference::discard() {
    stop();
    image_.reset();
    content_ = DifferenceMode::signedValue;
    limit_ = -1;
    beyond_.reset();
}

void ShownDifference::countBeyond(double limit) {
    if (limit == limit_ || !image_) return;
    limit_ = limit;
    beyond_.reset();
    if (limit >= range_.largest && !range_.infinite) {
        tasks_.drop(kCount);
        beyond_ = 0;
        return emit beyondChanged();
    }
    tasks_.submit(
        kCount, {},
        [image = image_, limit = static_cast<float>(limit)](const std::stop_token& stop) { return countLarger(*image, limit, stop); },
        [this](std::int64_t count) {
            beyond_ = count;
            emit beyondChanged();
        },
        Tasks::ignore);
}

}  // namespace parallax::ui
