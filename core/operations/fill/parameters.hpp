// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of filling. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"

namespace parallax {

/// Samples that are filled, besides NaN.
enum class MissingSamples { nan, nonFinite, above, below, transparent, fireflies };
enum class FireflyWindow { three, five };
enum class FillInterpolation { harmonic, biharmonic };

struct FillParameters {
    MissingSamples missing = MissingSamples::nan;
    double threshold = 1;  ///< of above and below
    double factor = 10;    ///< of fireflies
    double black = 0.01;   ///< of fireflies
    FireflyWindow window = FireflyWindow::five;
    FillInterpolation interpolation = FillInterpolation::harmonic;
    double tolerance = 1e-10;
    int iterations = 10000;
    std::string channels = "all";
};

const ParameterTable<FillParameters>& fillParameterTable();

}  // namespace parallax
