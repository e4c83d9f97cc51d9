// SPDX-License-Identifier: GPL-3.0-or-later
// Loads the middle slice of a raw file in the background, as a preview of the layout that the user enters.
#pragma once

#include <QImage>
#include <QSize>
#include <functional>

#include "core/engine/run/job_queue.hpp"
#include "core/io/formats/raw/raw.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

struct RawPreview {
    QImage picture;      ///< null on failure
    QString problem;     ///< reason of a failure
    std::int64_t slice;  ///< index from 0
    SampleStatistics values;
};

class RawPreviewLoader {
public:
    using Deliver = std::function<void(const RawPreview&)>;

    /// Renders a picture in true aspect of at most `limit` pixels; 98 % of the samples lie between black and white. Calls `deliver` in
    /// the GUI thread, unless a newer request arrives first.
    void request(const RawRequest& layout, QSize limit, Deliver deliver);
    void cancel() { queue_.cancelAll(); }

private:
    Inbox inbox_;
    JobQueue queue_{4};  // last: its thread ends before the inbox is destroyed; the GUI thread has priority
};

}  // namespace parallax::ui
