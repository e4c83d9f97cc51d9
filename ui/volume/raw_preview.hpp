// SPDX-License-Identifier: GPL-3.0-or-later
// The middle slice of raw samples as somebody is about to open them, made in the background: wrong entries look wrong.
#pragma once

#include <QImage>
#include <QSize>
#include <functional>

#include "core/engine/run/job_queue.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

struct RawPreview {
    QImage picture;      ///< null if there is none
    QString problem;     ///< why not
    std::int64_t slice;  ///< which, from 0
    SampleStatistics values;
};

class RawPreviewLoader {
public:
    using Deliver = std::function<void(const RawPreview&)>;

    /// A picture in true aspect of at most so many pixels; black and white are what 98 % of its samples lie between. `deliver` follows in
    /// the GUI thread, unless a newer request came in between.
    void request(const RawRequest& wanted, QSize most, Deliver deliver);
    void cancel() { queue_.cancelAll(); }

private:
    Inbox inbox_;
    JobQueue queue_{4};  // last: its thread ends before the inbox goes; whoever types goes first
};

}  // namespace parallax::ui
