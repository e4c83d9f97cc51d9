// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax::gpu {

enum class ConvolutionVariant { direct, separable, fft, tiled, naive };

/// For all variants but fft.
std::unique_ptr<Implementation> makeConvolution(ConvolutionVariant variant);
std::unique_ptr<Implementation> makeFftConvolution();
std::unique_ptr<Implementation> makeNppConvolution();

/// Whether `separable` and `fft` support a problem (convolution.cpp, fft.cpp).
Support separableSupports(const Problem& problem, const Kernel& kernel);
Support fftSupports(const Problem& problem, const Kernel& kernel);
/// Returns rank 1 with the reason if choice.hpp chooses this variant.
Preference convolutionPreference(ConvolutionVariant variant, const Problem& problem, int device);

}  // namespace parallax::gpu
