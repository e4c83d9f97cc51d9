// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the wavelet operations: transform, inverse, denoising, compression. Defaults are the member initialisers.
#pragma once

#include <string>

#include "core/engine/operation/parameter_table.hpp"
#include "core/operations/wavelet/extension.hpp"
#include "core/operations/wavelet/shrink_rule.hpp"

namespace parallax {

/// Position in the list of choices: haar, db1 .. db20, sym2 .. sym20, coif1 .. coif5, bior1.1 .. bior6.8, rbio1.1 .. rbio6.8, dmey, custom.
enum class WaveletId : int {
    haar = 0,
    db1 = 1,
    db2 = 2,
    db4 = 4,
    db20 = 20,
    sym2 = 21,
    coif1 = 40,
    bior1_1 = 45,
    rbio1_1 = 60,
    dmey = 75,
    custom = 76
};
inline constexpr int kWaveletCount = 77;

inline constexpr int kWaveletModeCount = 9;

/// Along which axes; `all` is x, y, and z of volumes (depth above 1).
enum class WaveletAxes { all, xy, x, y, z, xz, yz };
inline constexpr int kWaveletAxesCount = 7;

inline constexpr int kMaximumWaveletLevels = 16;
inline constexpr int kMaximumWaveletTaps = 128;

/// Parameters of a transform: those of `dwt`, and part of all others.
struct WaveletParameters {
    WaveletId wavelet = WaveletId::db4;
    std::string filters;  ///< of the custom wavelet
    WaveletMode mode = WaveletMode::symmetric;
    int levels = 3;  ///< 0: as many as fit
    WaveletAxes axes = WaveletAxes::all;
};

/// `idwt`: whatever is left at 0 is what the coefficients say about themselves, else the default of `dwt`.
struct InverseWaveletParameters {
    int wavelet = 0;  ///< 1 + WaveletId
    std::string filters;
    int mode = 0;  ///< 1 + WaveletMode
    int levels = 0;
    int axes = 0;                          ///< 1 + WaveletAxes
    int width = 0, height = 0, depth = 0;  ///< of the image
};

enum class ThresholdRule { bayes, universal, manual };
enum class NoiseSource { finest, eachLevel };

struct DenoiseParameters {
    WaveletId wavelet = WaveletId::db4;
    std::string filters;
    WaveletMode mode = WaveletMode::symmetric;
    int levels = 3;
    WaveletAxes axes = WaveletAxes::all;
    ShrinkageMethod method = ShrinkageMethod::soft;
    double ratio = 2;  ///< of the upper to the lower threshold of firm
    ThresholdRule rule = ThresholdRule::bayes;
    double threshold = 0.1;  ///< of the manual rule
    double strength = 1;     ///< factor on the thresholds of the other rules
    double noise = 0;        ///< standard deviation; 0: estimated
    NoiseSource noiseSource = NoiseSource::finest;
    std::string levelFactors;  ///< on the thresholds, finest level first; empty: 1
    std::string channels = "all";

    Shrinkage shrinkage() const { return {method, ratio / (ratio - 1)}; }
    /// The largest derivative by coefficient and threshold, of methods that are continuous.
    double slope() const { return method == ShrinkageMethod::garrote ? 2 : method == ShrinkageMethod::firm ? shrinkage().slope : 1; }

    WaveletParameters transform() const { return {wavelet, filters, mode, levels, axes}; }
};

struct CompressParameters {
    WaveletId wavelet = WaveletId::db4;
    std::string filters;
    WaveletMode mode = WaveletMode::symmetric;
    int levels = 3;
    WaveletAxes axes = WaveletAxes::all;
    double keep = 5;  ///< per cent of the coefficients
    std::string channels = "all";

    WaveletParameters transform() const { return {wavelet, filters, mode, levels, axes}; }
};

const ParameterTable<WaveletParameters>& waveletParameterTable();
const ParameterTable<InverseWaveletParameters>& inverseWaveletParameterTable();
const ParameterTable<DenoiseParameters>& denoiseParameterTable();
const ParameterTable<CompressParameters>& compressParameterTable();

}  // namespace parallax
