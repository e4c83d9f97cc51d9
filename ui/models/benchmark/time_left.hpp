// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates the remaining time of a task.
#pragma once

#include <QString>
#include <deque>
#include <utility>

namespace parallax::ui {

class TimeLeft {
public:
    /// How far a stage is: `fraction` from 0 to 1, not above 0 if it is not known; `now` in milliseconds of any clock. Another stage, or
    /// a fraction that falls, starts again.
    void update(const QString& stage, double fraction, qint64 now);
    void reset() { update({}, 0, 0); }
    /// Returns "about 20 s left", "20 s so far" if the fraction is unknown, or an empty text near begin and end.
    const QString& text() const { return text_; }

private:
    QString describe(qint64 now) const;

    QString stage_, text_;
    qint64 begun_ = 0, told_ = 0;
    std::deque<std::pair<qint64, double>> points_;  // points of the last seconds, since the speed may change
};

}  // namespace parallax::ui
