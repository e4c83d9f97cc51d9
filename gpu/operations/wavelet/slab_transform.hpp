// SPDX-License-Identifier: GPL-3.0-or-later
// Carries out a SlabPlan on the device, a strip at a time.
#pragma once

#include <map>
#include <memory>

#include "gpu/operations/wavelet/slab_plan.hpp"
#include "gpu/operations/wavelet/transform.hpp"

namespace parallax::gpu {

class SlabTransform {
public:
    /// Allocates what all strips need.
    SlabTransform(SlabPlan plan, WaveletVariant variant, const CudaSession& session);

    const StripPlan& plan() const { return plan_.strips; }
    /// See Execution::runStrip().
    void runStrip(const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context);

private:
    void runPlanes(const SlabStep& step, const float* in, float* out, const RunContext& context);
    void runForwardSlab(const SlabStep& step, const float* in, float* out, const float* before, const RunContext& context);
    void runInverseSlab(const SlabStep& step, const float* in, float* out, const float* before, const RunContext& context);
    void runCoarserLevels(const SlabStep& step, const float* in, float* out, const RunContext& context);
    /// Copies slices of the approximation from or to the corner of slices of coefficients.
    void copyCorner(int level, float* slices, float* approximation, std::int64_t count, bool fromSlices) const;

    SlabPlan plan_;
    const CudaSession& session_;
    std::map<std::int64_t, std::unique_ptr<DeviceTransform>> planes_;  ///< by their number
    std::vector<std::unique_ptr<DeviceTransform>> levels_;             ///< index level - 1
    std::unique_ptr<DeviceTransform> coarser_;
    DeviceBuffer<float> approximation_, coefficients_;  ///< of the coarser levels
    const float* before_[2] = {};                       ///< input of the last strips, by the parity of their number
};

}  // namespace parallax::gpu
