// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare/pair_metrics.hpp"

namespace parallax::ui {
namespace {

const TaskId kMetrics{TaskKind::metrics};

}  // namespace

void PairMetrics::enter(State state, const QString& failure) {
    state_ = state;
    failure_ = failure;
    emit changed();
}

void PairMetrics::setPair(ImagePtr a, ImagePtr b, const QString& title) {
    tasks_.drop(kMetrics);
    light_ = hasLight(*a);
    a_ = std::move(a);
    b_ = std::move(b);
    title_ = title;
    values_.reset();
    enter(State::waiting);
}

void PairMetrics::start() {
    if (state_ != State::waiting) return;
    enter(State::running);
    tasks_.submit(
        kMetrics, title_,
        [a = std::move(a_), b = std::move(b_), progress = tasks_.progress()](const std::stop_token& stop) {
            RunContext context{.stop = stop, .progress = progress.get()};
            return computeImageMetrics(*a, *b, {}, context);
        },
        [this](const ImageMetrics& values) {
            values_ = values;
            enter(State::known);
        },
        [this](ErrorCode code, const Message& message) {
            enter(State::failed, message.plainText());
            tasks_.raise(code, message);
        });
}

void PairMetrics::stop() {
    if (state_ != State::waiting && state_ != State::running) return;
    tasks_.drop(kMetrics);
    a_.reset();
    b_.reset();
    enter(State::none);
}

void PairMetrics::discard() {
    tasks_.drop(kMetrics);
    a_.reset();
    b_.reset();
    values_.reset();
    if (state_ != State::none) enter(State::none);
}

void PairMetrics::markCancelled() {
    if (state_ == State::waiting || state_ == State::running) enter(State::failed, tr("Cancelled"));
}

}  // namespace parallax::ui
