// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/parts/part_execution.hpp"
#include "core/operations/wavelet/parts/transform.hpp"

namespace parallax {

/// dwt or idwt on parts. Coefficients are computed where the lines of the image are, and lie in the rows of the mosaic: between the two
/// they are exchanged.
class PartTransformExecution final : public Execution, public PartExecution {
public:
    PartTransformExecution(const WaveletPlan& plan, bool inverse, std::unique_ptr<LevelPasses<float>> passes)
        : plan_(plan), inverse_(inverse), transform_(plan, std::move(passes)) {}
    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) override;
    void runPart(const ImagePart& part, const View<const float>& input, const View<float>& output, Communicator& communicator,
                 RunContext& context) override;

private:
    WaveletPlan plan_;
    bool inverse_;
    PartTransform<float> transform_;
    Buffer mosaic_;
};

}  // namespace parallax
