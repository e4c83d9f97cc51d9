// SPDX-License-Identifier: GPL-3.0-or-later
// Data that panes and the Inspector show of images: pyramids, histograms, statistics of the selection. Computed in the background.
#pragma once

#include <QObject>
#include <QRect>
#include <array>
#include <memory>
#include <optional>

#include "ui/models/pipeline/side.hpp"
#include "ui/models/regions/region_statistics.hpp"
#include "ui/models/view/histogram.hpp"
#include "ui/models/view/pyramid.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

/// The original, the result of each side, and the difference of the compared pair.
enum class PaneRole { original, a, b, difference, c, d, e, f, g, h, i };
inline constexpr std::size_t kPaneCount = 11;
inline constexpr std::array<PaneRole, kPaneCount> kAllPanes{PaneRole::a, PaneRole::b,        PaneRole::c,         PaneRole::d,
                                                            PaneRole::e, PaneRole::f,        PaneRole::g,         PaneRole::h,
                                                            PaneRole::i, PaneRole::original, PaneRole::difference};

inline constexpr PaneRole roleOf(Side side) {
    if (side <= Side::b) return side == Side::a ? PaneRole::a : PaneRole::b;
    return static_cast<PaneRole>(static_cast<int>(PaneRole::c) + static_cast<int>(side) - static_cast<int>(Side::c));
}
/// The side whose result a pane shows, if it shows one.
inline constexpr std::optional<Side> sideOf(PaneRole role) {
    if (role == PaneRole::a) return Side::a;
    if (role == PaneRole::b) return Side::b;
    if (role < PaneRole::c) return {};
    return static_cast<Side>(static_cast<int>(Side::c) + static_cast<int>(role) - static_cast<int>(PaneRole::c));
}

class PaneData : public QObject {
    Q_OBJECT
public:
    PaneData(Tasks& tasks, std::shared_ptr<Allocator> memory) : tasks_(tasks), memory_(std::move(memory)) {}

    /// Null if there is no image. Complete pyramids follow as soon as they are made.
    PyramidPtr pyramid(PaneRole role) const { return pyramids_[static_cast<std::size_t>(role)]; }
    void show(PaneRole role, const ImagePtr& image);
    void hide(PaneRole role);
    /// Drops all pyramids without a signal.
    void clear();

    /// Computes the histogram of a rectangle (empty: all) of an image; null: none. The newest request wins.
    void requestHistogram(const ImagePtr& image, HistogramScale scale, const QRect& pixels, HistogramOf of);
    const std::shared_ptr<const Histogram>& histogram() const { return histogram_; }
    /// Computes statistics of a box of the images; none for an empty one.
    void requestRegion(const SampleBox& box, const ImagePtr& original, const ImagePtr& a, const ImagePtr& b);
    const std::shared_ptr<const RegionStatistics>& region() const { return region_; }

signals:
    void pyramidChanged(parallax::ui::PaneRole role);
    void histogramChanged();
    void regionChanged();

private:
    static TaskId pyramidTask(PaneRole role) { return {TaskKind::pyramid, QString::number(static_cast<int>(role))}; }

    Tasks& tasks_;
    std::shared_ptr<Allocator> memory_;
    std::array<PyramidPtr, kPaneCount> pyramids_;
    std::shared_ptr<const Histogram> histogram_;
    std::shared_ptr<const RegionStatistics> region_;
};

}  // namespace parallax::ui
