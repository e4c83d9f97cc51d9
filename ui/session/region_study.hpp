// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the regions of the active pane's result, such as the sub-bands of a transform, and the reconstruction error. Operations
// describe their regions and the operation that undoes them. Runs as a task of the session.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "core/image/difference.hpp"
#include "ui/models/regions/region_figures.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

/// The result of a study; immutable.
struct StudiedRegions {
    Side side = Side::a;
    ImagePtr mosaic;  ///< image that consists of the regions
    std::vector<Region> regions;
    std::vector<std::vector<RegionFigures>> figures;  ///< channel, then region
    /// The same for the original, if `seenThrough` is set; else empty.
    std::vector<std::vector<RegionFigures>> before;
    /// The step that makes regions of a result without any, in command-line form; else empty.
    QString seenThrough;
    bool roundTrip = false;                  ///< the error is of the reconstruction; else of the result
    std::optional<DifferenceMetrics> error;  ///< against the original; none if the result does not approximate it
};

/// Statistics of the regions of the original, cached while sliders move.
struct OriginalFigures {
    ImagePtr original;
    QString step;
    std::vector<std::vector<RegionFigures>> figures;
};

class RegionStudy : public QObject {
    Q_OBJECT
public:
    explicit RegionStudy(Session& session, QObject* parent = nullptr);

    /// Computes only while active.
    void setActive(bool active);
    /// The last completed study; may be outdated while `pending`. Null: the result has no regions.
    const std::shared_ptr<const StudiedRegions>& result() const { return result_; }
    bool pending() const { return pending_; }
    /// The reason of a failure, or empty.
    const QString& failure() const { return failure_; }
    /// Titles of the operations whose results have regions, or that work in regions.
    QStringList suitable() const;

signals:
    void changed();

private:
    Side active() const;
    void refresh();
    void clear();

    Session& session_;
    bool active_ = false, pending_ = false;
    std::shared_ptr<const SideResult> studied_;
    std::shared_ptr<const StudiedRegions> result_;
    std::shared_ptr<const OriginalFigures> before_;
    QString failure_;
};

}  // namespace parallax::ui
