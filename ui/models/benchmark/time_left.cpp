// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/benchmark/time_left.hpp"

#include <QCoreApplication>
#include <cmath>

namespace parallax::ui {
namespace {

constexpr qint64 kWindow = 10'000;     // the speed is that of the last ten seconds
constexpr qint64 kEnoughTime = 1'500;  // less is a guess
constexpr double kEnoughShare = 0.02;
constexpr double kWorthTelling = 2;       // seconds left
constexpr qint64 kSilentBegin = 3'000;    // shorter tasks show no time
constexpr qint64 kTellingInterval = 950;  // faster updates are unreadable

/// Rounds seconds so that the text does not flicker.
QString spoken(double seconds) {
    const auto whole = static_cast<int>(std::ceil(seconds));
    if (whole <= 10) return QCoreApplication::translate("TimeLeft", "%1 s").arg(whole);
    if (whole <= 60) return QCoreApplication::translate("TimeLeft", "%1 s").arg((whole + 4) / 5 * 5);
    const int minutes = (whole + 59) / 60;
    if (minutes < 60) return QCoreApplication::translate("TimeLeft", "%1 min").arg(minutes);
    return QCoreApplication::translate("TimeLeft", "%1 h %2 min").arg(minutes / 60).arg(minutes % 60);
}

}  // namespace

void TimeLeft::update(const QString& stage, double fraction, qint64 now) {
    const bool back = !points_.empty() && fraction < points_.back().second;
    if (stage != stage_ || back) {
        stage_ = stage;
        begun_ = told_ = now;
        points_.clear();
        text_.clear();
    }
    if (stage_.isEmpty()) return;
    if (fraction > 0) points_.emplace_back(now, fraction);
    while (points_.size() > 2 && now - points_[1].first > kWindow) points_.pop_front();
    if (now - told_ < kTellingInterval) return;
    told_ = now;
    text_ = describe(now);
}

QString TimeLeft::describe(qint64 now) const {
    if (points_.empty())
        return now - begun_ < kSilentBegin ? QString() : QCoreApplication::translate("TimeLeft", "%1 s so far").arg((now - begun_) / 1000);
    const auto [firstTime, firstShare] = points_.front();
    const double share = points_.back().second, gained = share - firstShare;
    if (now - firstTime < kEnoughTime || share < kEnoughShare || gained <= 0) return {};
    const double left = (1 - share) / gained * static_cast<double>(now - firstTime) / 1000;
    return left < kWorthTelling ? QString() : QCoreApplication::translate("TimeLeft", "about %1 left").arg(spoken(left));
}

}  // namespace parallax::ui
