// SPDX-License-Identifier: GPL-3.0-or-later
// The one place that includes QCustomPlot, so that a change of the charting library stays in this folder.
#pragma once

#include <qcustomplot.h>
