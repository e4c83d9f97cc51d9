// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/pane_data.hpp"

namespace parallax::ui {

void PaneData::show(PaneRole role, const ImagePtr& image) {
    pyramids_[static_cast<std::size_t>(role)] = std::make_shared<const Pyramid>(image);
    emit pyramidChanged(role);
    const Reduction reduction = role == PaneRole::difference ? Reduction::strongest : Reduction::mean;
    tasks_.submit(
        pyramidTask(role), tr("Preparing the view"),
        [image, reduction, memory = memory_](const std::stop_token& stop) {
            return std::make_shared<const Pyramid>(image, reduction, stop, memory);
        },
        [this, role](PyramidPtr complete) {
            pyramids_[static_cast<std::size_t>(role)] = std::move(complete);
            emit pyramidChanged(role);
        },
        Tasks::ignore);  // without reduced levels the view is only less smooth
}

void PaneData::hide(PaneRole role) {
    tasks_.drop(pyramidTask(role));
    pyramids_[static_cast<std::size_t>(role)].reset();
    emit pyramidChanged(role);
}

void PaneData::clear() {
    for (const PaneRole role : kAllPanes) tasks_.drop(pyramidTask(role));
    pyramids_ = {};
}

void PaneData::requestHistogram(const ImagePtr& image, HistogramScale scale, const QRect& pixels, HistogramOf of) {
    const auto show = [this](std::shared_ptr<const Histogram> histogram) {
        histogram_ = std::move(histogram);
        emit histogramChanged();
    };
    // A rectangle outside the image is not the same as none.
    if (!image || (!pixels.isEmpty() && (pixels & pixelsOf(*image)).isEmpty())) {
        tasks_.drop({TaskKind::histogram});
        return show(nullptr);
    }
    tasks_.submit(
        {TaskKind::histogram}, tr("Computing the histogram"),
        [image, scale, of, part = pixels & pixelsOf(*image)](const std::stop_token& stop) {
            return std::make_shared<const Histogram>(computeHistogram(*image, part, scale, stop, of));
        },
        show,
        [this, show](ErrorCode code, const Message& message) {
            show(nullptr);
            tasks_.raise(code, message);
        });
}

void PaneData::requestRegion(const SampleBox& box, const ImagePtr& original, const ImagePtr& a, const ImagePtr& b) {
    const auto show = [this](std::shared_ptr<const RegionStatistics> region) {
        region_ = std::move(region);
        emit regionChanged();
    };
    const SampleBox part = original ? clipped(box, original->shape()) : SampleBox{};
    if (part.isEmpty()) {
        tasks_.drop({TaskKind::selection});
        return show(nullptr);
    }
    tasks_.submit(
        {TaskKind::selection}, tr("Computing statistics of the selection"),
        [original, a, b, part](const std::stop_token& stop) {
            auto made = std::make_shared<RegionStatistics>();
            made->box = part;
            const auto statistics = [&](const ImagePtr& image) {
                const bool within = image && image->isVolume() == original->isVolume() && clipped(part, image->shape()) == part;
                return within ? channelStatistics(*image, part, stop) : std::vector<ChannelStatistics>{};
            };
            made->original = statistics(original);
            made->a = statistics(a);
            made->b = statistics(b);
            if (made->a.empty() || made->b.empty() || a->shape() != b->shape()) return made;
            made->bMinusA = differenceStatistics(*a, *b, part, stop);
            made->difference = compareViews(viewOf(*a, part), viewOf(*b, part), {.worstCount = 0});
            return made;
        },
        show,
        [this, show](ErrorCode code, const Message& message) {
            show(nullptr);
            tasks_.raise(code, message);
        });
}

}  // namespace parallax::ui
