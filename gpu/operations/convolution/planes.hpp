// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the executions of all variants: groups of planes, channels that are only copied, border modes as tables on the device.
#pragma once

#include <cstdint>
#include <vector>

#include "core/engine/run/run_context.hpp"
#include "core/operations/convolution/strips.hpp"
#include "gpu/operations/convolution/kernels/launchers.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"

namespace parallax::gpu {

/// Returns the planes of each launch, all rows: all slices of a channel or, in an image, consecutive channels, since a single channel of a
/// small image leaves most of a large GPU idle.
std::vector<Planes> planeGroups(const std::vector<int>& filtered, const View<const float>& in, const View<float>& out);

/// Returns the largest number of planes in a group.
inline std::int64_t launchPlanes(const Shape& shape, const std::vector<int>& filtered) {
    return shape.depth > 1 ? shape.depth : static_cast<std::int64_t>(filtered.size());
}

/// Enqueues copies of the channels that are not filtered.
void copyChannels(const std::vector<int>& copied, const View<const float>& in, const View<float>& out, cudaStream_t stream,
                  RunContext& context);

/// The device memory of EdgeTable for both axes.
class EdgeTables {
public:
    EdgeTables(const Shape& shape, BorderMode rule, const CudaSession& session);
    EdgeTable columns() const { return {columns_.data(), columns_.data() + kEdgeReach, width_, EdgeTable::lineOf(width_, rule_)}; }
    EdgeTable rows() const { return {rows_.data(), rows_.data() + kEdgeReach, height_, EdgeTable::lineOf(height_, rule_)}; }
    static constexpr std::uint64_t kBytes = std::uint64_t{4} * kEdgeReach * sizeof(int);

private:
    int width_, height_;
    BorderMode rule_;
    DeviceBuffer<int> columns_, rows_;
};

/// Returns a launch without planes and weights. Results larger than the cache of the device bypass it.
ConvolutionLaunch launchOf(const ConvolutionPlan& plan, const EdgeTables& edges, const Shape& shape, int device);

/// Returns whether the kernels can index an image, or the reason.
Support axesFit(const Shape& shape);

}  // namespace parallax::gpu
