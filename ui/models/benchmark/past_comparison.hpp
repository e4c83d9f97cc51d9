// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "core/report/record/compare.hpp"

namespace parallax::ui {

struct PastComparison {
    QString baseline;  ///< name of the baseline for display
    RecordComparison result;
};

}  // namespace parallax::ui
