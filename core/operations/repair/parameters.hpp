// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of replacing NaN and infinity. Defaults are the member initialisers.
#pragma once

#include "core/engine/operation/parameter_table.hpp"

namespace parallax {

struct RepairParameters {
    double nan = 0;
    double low = 0;   ///< for -infinity
    double high = 0;  ///< for +infinity
};

const ParameterTable<RepairParameters>& repairParameterTable();

}  // namespace parallax
