// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/image/view.hpp"
#include "core/operations/render/openmp/kernels.hpp"
#include "core/operations/render/plan.hpp"

namespace parallax::rendering {

/// Memory of the bricks of a volume, used again for each channel.
class Bricks {
public:
    explicit Bricks(const Shape& shape);
    /// Reads a channel once and fills the keys. Throws Error(cancelled).
    Volume describe(const View<const float>& channel, const RenderPlan& plan, const RunContext& context);
    static std::uint64_t bytes(const Shape& shape, int workers);

private:
    void group(const RunContext& context);

    int count_[3], groups_[3];
    std::vector<float> keys_, groupKeys_;
};

}  // namespace parallax::rendering
