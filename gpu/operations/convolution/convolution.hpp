// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax::gpu {

enum class ConvolutionVariant { direct, separable, fft, tiled, naive };

std::unique_ptr<Implementation> makeConvolution(ConvolutionVariant variant);

/// Can `separable` and `fft` do this? fft.cpp and convolution.cpp
Support separableSupports(const Problem& problem, const Kernel& kernel);
Support fftSupports(const Problem& problem, const Kernel& kernel);
/// What choice.hpp says of this variant: rank 1 and the reason if it is the chosen one.
Preference convolutionPreference(ConvolutionVariant variant, const Problem& problem, int device);

std::unique_ptr<Implementation> makeFftConvolution();
std::unique_ptr<Implementation> makeNppConvolution();

}  // namespace parallax::gpu
