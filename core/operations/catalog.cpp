// SPDX-License-Identifier: GPL-3.0-or-later
// The only list of operations. A new operation needs an #include and a line below; see CONTRIBUTING.md, "Add an operation".
#include "core/operations/catalog.hpp"

#include <cstdlib>

#include "core/operations/convolution/convolution.hpp"
#include "core/operations/diffuse/diffuse.hpp"
#include "core/operations/edges/edges.hpp"
#include "core/operations/example_scale/example_scale.hpp"
#include "core/operations/fill/fill.hpp"
#include "core/operations/poisson/poisson.hpp"
#include "core/operations/render/render.hpp"
#include "core/operations/repair/repair.hpp"
#include "core/operations/tone_mapping/tone_mapping.hpp"
#include "core/operations/wavelet/wavelet.hpp"

namespace parallax {

std::vector<std::unique_ptr<Operation>> makeOperations() {
    std::vector<std::unique_ptr<Operation>> operations;
    operations.push_back(makeConvolution());
    operations.push_back(makeEdges());
    operations.push_back(makeToneMapping());
    operations.push_back(makeWaveletTransform());
    operations.push_back(makeInverseWaveletTransform());
    operations.push_back(makeWaveletDenoise());
    operations.push_back(makeWaveletCompress());
    operations.push_back(makeDiffuse());
    operations.push_back(makePoisson());
    operations.push_back(makeFill());
    operations.push_back(makeRepair());
    operations.push_back(makeRender());
    // Insert new operations here: menus and listings show them in this order.
    // The template for new operations is hidden from users.
    if (std::getenv("PARALLAX_EXAMPLES")) operations.push_back(makeExampleScale());
    return operations;
}

}  // namespace parallax
