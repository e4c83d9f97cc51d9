// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the edge magnitude. Defaults are the member initialisers.
#pragma once

#include "core/engine/operation/parameter_table.hpp"
#include "core/operations/convolution/parameters.hpp"

namespace parallax {

enum class EdgeFilter { sobel, scharr, prewitt };

struct EdgesParameters {
    EdgeFilter filter = EdgeFilter::sobel;
    WindowAxes axes = WindowAxes::xy;
    BorderMode border = BorderMode::replicate;
    double borderValue = 0;
};

const ParameterTable<EdgesParameters>& edgesParameterTable();

}  // namespace parallax
