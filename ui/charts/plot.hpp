// SPDX-License-Identifier: GPL-3.0-or-later
// The only place that includes QCustomPlot.
#pragma once

#include <qcustomplot.h>
