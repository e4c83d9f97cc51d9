// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of steps that iterate, after a few iterations: shown until the result is there, and for nothing else. They are no results:
// metrics, checks, files and records never see them.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

#include "core/engine/backend/catalog.hpp"
#include "ui/models/view/pyramid.hpp"

namespace parallax::ui {

struct FirstPicture {
    ImagePtr image;
    std::optional<double> residual;  ///< relative: the largest of the steps that iterate
    Target target;
    bool current = true;           ///< of the present parameters; else a newer one is being computed
    std::int64_t nanoseconds = 0;  ///< that it took
    QString problem;               ///< see SideResult
};

/// Decides from the times of earlier runs whether a first picture is worth its time.
class FirstPicturePace {
public:
    static constexpr std::int64_t kQuick = 150'000'000;  ///< ns; results that come sooner need no first picture
    static constexpr double kMaxShare = 0.5;             ///< of the time of the result that a first picture may take

    /// `kind`: of the next run; times of other kinds say nothing about it. Without times a first picture is worth a try.
    bool worthwhile(const QString& kind);
    void noteFirst(std::int64_t nanoseconds) { first_ = nanoseconds; }
    void noteResult(std::int64_t nanoseconds) { result_ = nanoseconds; }

private:
    QString kind_;
    std::optional<std::int64_t> first_, result_;
};

}  // namespace parallax::ui
