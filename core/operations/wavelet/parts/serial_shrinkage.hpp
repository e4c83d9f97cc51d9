// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/operations/wavelet/parts/coefficient_change.hpp"
#include "core/operations/wavelet/shrinkage.hpp"

namespace parallax {

/// Denoising and compression of the reference: coefficients and statistics in double, order statistics by sorting.
std::unique_ptr<CoefficientChange<double>> makeSerialChange(const Problem& problem, const DenoisePlan& plan);
std::unique_ptr<CoefficientChange<double>> makeSerialChange(const Problem& problem, const CompressPlan& plan);

}  // namespace parallax
