// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {

struct SeparableTerms {
    int terms = 0;    ///< columns times rows whose sum the kernel is: 1 or 2, 0 where `openmp.separable` cannot
    Support support;  ///< and why not
};
SeparableTerms separableTerms(const Problem& problem, const Kernel& kernel);

}  // namespace parallax
