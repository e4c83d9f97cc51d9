// SPDX-License-Identifier: GPL-3.0-or-later
// What every backend needs to know before it runs a convolution: halo and planes of strips, and whether weights fit in float.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/engine/backend/implementation.hpp"
#include "core/operations/convolution/kernel.hpp"

namespace parallax {

/// Returns whether the weights can be 32-bit floats, or the reason.
inline Support weightsFitFloat(const Kernel& kernel) {
    for (const double w : kernel.weights)
        if (std::fabs(w) > static_cast<double>(std::numeric_limits<float>::max()))
            return Support::no("A weight of the kernel is beyond the range of 32-bit floats");
    return {};
}

/// The rows of a band and of its halo are all that the window reaches.
inline StripSupport convolutionStrips(const Problem& problem) {
    const ConvolutionPlan plan = planConvolution(problem);
    return {.yes = true,
            .reason = {},
            .above = plan.kernel.top(),
            .below = plan.kernel.bottom(),
            .rowFor = [height = problem.shape.height, rule = plan.border](std::int64_t row) { return borderIndex(row, height, rule); },
            .fill = plan.borderValue};
}

/// Planes of a strip, counted from its first one.
struct StripPlanes {
    std::vector<int> filtered, copied;
};
inline StripPlanes planesOf(const ConvolutionSettings& plan, const Shape& image, const Strip& strip) {
    StripPlanes planes;
    for (std::int64_t p = 0; p < strip.planes; ++p) {
        const auto channel = static_cast<int>((strip.plane + p) / image.depth);
        const bool isFiltered = std::find(plan.filtered.begin(), plan.filtered.end(), channel) != plan.filtered.end();
        (isFiltered ? planes.filtered : planes.copied).push_back(static_cast<int>(p));
    }
    return planes;
}

/// Computes images and strips row by row. `Plan`: ConvolutionSettings and what the execution adds to them.
template <class Plan>
class RowsExecution : public Execution {
public:
    explicit RowsExecution(Plan plan) : plan_(std::move(plan)) {}

    void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext& context) final {
        runRows(inputs[0], outputs[0], {plan_.filtered, plan_.copied}, 0, context);
    }

    void runStrip(const StripPlan& plan, const Strip& strip, const View<const float>& in, const View<float>& out,
                  RunContext& context) final {
        // A strip includes its halo, so no window reaches beyond its rows.
        runRows(in, out, planesOf(plan_, plan.shape, strip), strip.whole ? 0 : plan.above, context);
    }

protected:
    /// Output row y is computed from the windows around input row y + top.
    virtual void runRows(const View<const float>& in, const View<float>& out, const StripPlanes& planes, std::int64_t top,
                         RunContext& context) = 0;
    const Plan plan_;
};

}  // namespace parallax
