// SPDX-License-Identifier: GPL-3.0-or-later
// SSIM, FLIP and ULP distance of the compared pair, computed in the background.
#pragma once

#include <QObject>
#include <optional>

#include "core/metrics/image_metrics.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

class PairMetrics : public QObject {
    Q_OBJECT
public:
    enum class State {
        none,
        waiting,  ///< for start()
        running,
        known,
        failed
    };

    explicit PairMetrics(Tasks& tasks) : tasks_(tasks) {}

    State state() const { return state_; }
    /// Metrics of the pair, or of the previous pair after stop().
    const std::optional<ImageMetrics>& values() const { return values_; }
    /// Are the samples of the pair light? See hasLight().
    bool light() const { return light_; }
    /// Why there are no values in State::failed.
    const QString& failure() const { return failure_; }

    /// Discards the previous values; start() computes those of `b` against `a`.
    void setPair(ImagePtr a, ImagePtr b, const QString& title);
    void start();
    /// Stops the computation; values that are known stay until the next pair.
    void stop();
    void discard();
    /// Marks values that are being computed or about to be as cancelled.
    void markCancelled();

signals:
    void changed();

private:
    void enter(State state, const QString& failure = {});

    Tasks& tasks_;
    ImagePtr a_, b_;  // until start()
    bool light_ = false;
    QString title_, failure_;
    State state_ = State::none;
    std::optional<ImageMetrics> values_;
};

}  // namespace parallax::ui
