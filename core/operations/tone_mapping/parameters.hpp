// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of tone mapping. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"

namespace parallax {

enum class ToneOperator { global, local, photoreceptor, histogram, gradient };
enum class LuminanceWeights { rec709, rec601, paper };
enum class ToneScaling { range, none };
enum class ToneOutput { image, scale };
enum class ToneEncoding { linear, srgb, gamma, decode };

/// The largest Gaussian of the local operator, ratio^scales, in pixels.
inline constexpr double kLargestToneScale = 1024;
inline constexpr int kMaximumToneScales = 16;
inline constexpr int kMaximumToneBins = 4096;
/// Levels of the pyramid of the gradient operator.
inline constexpr int kMaximumToneLevels = 16;

struct ToneMappingParameters {
    ToneOperator op = ToneOperator::global;
    // Reinhard et al. 2002, global and local
    double key = 0.18;    ///< output value of the log-average
    double white = 0;     ///< luminance that is mapped to white; 0: the largest one
    double delta = 1e-5;  ///< added to each luminance before its logarithm is taken; all operators but the photoreceptor model
    double phi = 8;
    double epsilon = 0.05;
    int scales = 8;
    double ratio = 1.6;  ///< of one scale to the one before
    ToneOutput output = ToneOutput::image;
    // Reinhard and Devlin 2005
    double intensity = 0;
    double contrast = 0;  ///< 0: from the key of the image
    double chromatic = 0;
    double light = 1;
    ToneScaling scaling = ToneScaling::range;
    // Ward Larson, Rushmeier and Piatko 1997
    int bins = 256;
    double displayRange = 100;  ///< largest luminance of the display divided by its smallest
    bool ceiling = true;
    // Fattal, Lischinski and Werman 2002
    double alpha = 0.5;      ///< gradient that stays, as a share of the mean magnitude of its level
    double beta = 0.9;       ///< exponent of magnitudes, per level
    double noise = 0.1;      ///< added to magnitudes, as a share of the mean of their level
    int levels = 0;          ///< of the pyramid, at most; 0: until the smaller side is below 64
    double clipWhite = 0.5;  ///< % of the pixels that become white or brighter
    double clipBlack = 0.1;  ///< % of the pixels that become black
    int iterations = 10000;  ///< of the solver, at most
    // common
    double saturation = 1;
    LuminanceWeights luminance = LuminanceWeights::rec709;
    ToneEncoding encoding = ToneEncoding::linear;
    double gamma = 2.2;
    std::string channels = "auto";
};

const ParameterTable<ToneMappingParameters>& toneMappingParameterTable();

}  // namespace parallax
