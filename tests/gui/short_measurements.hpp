// SPDX-License-Identifier: GPL-3.0-or-later
// For tests that measure but do not depend on the times.
#pragma once

#include <QtGlobal>

namespace parallax::ui {

/// While it exists, measurements of this process and of programs that it starts end after a few samples.
struct ShortMeasurements {
    ShortMeasurements() { qputenv("PARALLAX_SAMPLING_SECONDS", "0.05"); }
    ~ShortMeasurements() { qunsetenv("PARALLAX_SAMPLING_SECONDS"); }
};

}  // namespace parallax::ui
