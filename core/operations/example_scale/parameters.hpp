// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the example. Defaults are the member initialisers.
#pragma once

#include "core/engine/operation/parameter_table.hpp"

namespace parallax {

struct ExampleScaleParameters {
    double factor = 2;
    double offset = 0;
};

const ParameterTable<ExampleScaleParameters>& exampleScaleParameterTable();

}  // namespace parallax
