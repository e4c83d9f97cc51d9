// SPDX-License-Identifier: GPL-3.0-or-later
// The list of operations: one line each. Nothing else lists them.
#include "core/operations/catalog.hpp"

#include <cstdlib>

#include "core/operations/convolution/convolution.hpp"
#include "core/operations/example_scale/example_scale.hpp"
#include "core/operations/tone_mapping/tone_mapping.hpp"
#include "core/operations/wavelet/wavelet.hpp"

namespace parallax {

std::vector<std::unique_ptr<Operation>> makeOperations() {
    std::vector<std::unique_ptr<Operation>> operations;
    operations.push_back(makeConvolution());
    operations.push_back(makeToneMapping());
    operations.push_back(makeWaveletTransform());
    operations.push_back(makeInverseWaveletTransform());
    operations.push_back(makeWaveletDenoise());
    operations.push_back(makeWaveletCompress());
    // A template for new operations, not of use to users.
    if (std::getenv("PARALLAX_EXAMPLES")) operations.push_back(makeExampleScale());
    return operations;
}

}  // namespace parallax
