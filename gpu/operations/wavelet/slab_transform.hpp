// SPDX-License-Identifier: GPL-3.0-or-later
// Executes a SlabPlan on the device, one strip at a time.
#pragma once

#include <map>
#include <memory>

#include "gpu/operations/wavelet/slab_plan.hpp"
#include "gpu/operations/wavelet/transform.hpp"

namespace parallax::gpu {

class SlabTransform {
public:
    /// Allocates the memory of all strips.
    SlabTransform(SlabPlan plan, WaveletVariant variant, const CudaSession& session);

    const StripPlan& plan() const { return plan_.strips; }
    /// See Execution::runStrip().
    void runStrip(const Strip& strip, const View<const float>& in, const View<float>& out, RunContext& context);

private:
    void runPlanes(const SlabStep& step, const float* in, float* out, const RunContext& context);
    void runForwardSlab(const SlabStep& step, const float* in, float* out, const float* before, const RunContext& context);
    void runInverseSlab(const SlabStep& step, const float* in, float* out, const float* before, const RunContext& context);
    void runCoarserLevels(const SlabStep& step, const float* in, float* out, const RunContext& context);
    /// Copies slices of the approximation between the corner of slices of coefficients and a dense array.
    void copyCorner(int level, float* slices, float* approximation, std::int64_t count, bool fromSlices) const;

    SlabPlan plan_;
    const CudaSession& session_;
    std::map<std::int64_t, std::unique_ptr<DeviceTransform>> planes_;  ///< key: number of planes
    std::vector<std::unique_ptr<DeviceTransform>> levels_;             ///< index level - 1
    std::unique_ptr<DeviceTransform> coarser_;
    DeviceBuffer<float> approximation_, coefficients_;  ///< of the coarser levels
    const float* before_[2] = {};                       ///< input of the last two strips, by the parity of their index
};

}  // namespace parallax::gpu
