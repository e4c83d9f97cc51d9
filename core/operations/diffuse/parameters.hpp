// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of diffusion. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"

namespace parallax {

enum class DiffusionWeights { uniform, edges, peronaMalik };
enum class DiffusionGuide { logarithm, linear };
enum class Conductivity { rational, exponential };

struct DiffuseParameters {
    DiffusionWeights weights = DiffusionWeights::edges;
    double time = 4;        ///< of uniform and perona-malik: px^2 or mm^2
    double lambda = 1;      ///< of edges
    double alpha = 1.2;     ///< of edges
    double epsilon = 1e-4;  ///< of edges
    DiffusionGuide guide = DiffusionGuide::logarithm;
    double black = 1e-4;  ///< added to the luminance before the logarithm
    Conductivity conductivity = Conductivity::rational;
    double contrast = 0.05;  ///< K of perona-malik, a px or a mm
    int steps = 5;           ///< of perona-malik: weights are computed again in each
    double tolerance = 1e-6;
    int iterations = 1000;
    std::string channels = "all";
};

const ParameterTable<DiffuseParameters>& diffuseParameterTable();

}  // namespace parallax
