// SPDX-License-Identifier: GPL-3.0-or-later
// The middle slice of a raw file, as a preview of the layout that the user enters.
#pragma once

#include <QImage>
#include <QSize>
#include <stop_token>

#include "core/io/formats/raw/raw.hpp"

namespace parallax::ui {

struct RawPreview {
    QImage picture;      ///< null on failure
    QString problem;     ///< reason of a failure
    std::int64_t slice;  ///< index from 0
    SampleStatistics values;
};

/// Renders the middle slice in true aspect in at most `limit` pixels; 98 % of the samples lie between black and white.
RawPreview makeRawPreview(const RawRequest& layout, QSize limit, const std::stop_token& stop);

}  // namespace parallax::ui
