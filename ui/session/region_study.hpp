// SPDX-License-Identifier: GPL-3.0-or-later
// Looks into the parts that the result of A consists of, as the bands of a transform: their figures, and how exactly the picture comes
// back. Which parts there are, and what undoes them, is told by the descriptions of the operations. Works in the session's threads.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "core/image/difference.hpp"
#include "ui/models/regions/region_figures.hpp"
#include "ui/session/session.hpp"

namespace parallax::ui {

/// What was found. Never changes.
struct StudiedRegions {
    ImagePtr mosaic;  ///< whose parts they are
    std::vector<Region> regions;
    std::vector<std::vector<RegionFigures>> figures;  ///< channel, then region
    /// The same of the original, where the operation works on pictures and the parts are only seen through; else empty.
    std::vector<std::vector<RegionFigures>> before;
    /// The step that shows the parts where the result has none itself, as on the command line; else empty.
    QString seenThrough;
    bool roundTrip = false;                  ///< the error is of the picture that comes back from the parts; else of the result
    std::optional<DifferenceMetrics> error;  ///< against the original; none if the result should not look like it
};

class RegionStudy : public QObject {
    Q_OBJECT
public:
    explicit RegionStudy(Session& session, QObject* parent = nullptr);

    /// Nothing is computed while nobody looks.
    void setActive(bool active);
    /// The last one that went through; may be outdated while `pending`. Null: the result has no parts.
    const std::shared_ptr<const StudiedRegions>& result() const { return result_; }
    bool pending() const { return pending_; }
    /// Why there is none although there should be; empty if nothing failed.
    const QString& failure() const { return failure_; }
    /// Titles of the operations of which the results have parts, or that work in such.
    QStringList suitable() const;

signals:
    void changed();

private:
    void refresh();
    void clear();

    Session& session_;
    bool active_ = false, pending_ = false;
    std::shared_ptr<const SideResult> studied_;
    std::shared_ptr<const StudiedRegions> result_;
    /// Figures of the original, kept while sliders move.
    struct Before {
        ImagePtr original;
        QString step;
        std::vector<std::vector<RegionFigures>> figures;
    };
    std::shared_ptr<const Before> before_;
    QString failure_;
};

}  // namespace parallax::ui
