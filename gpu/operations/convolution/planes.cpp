// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/convolution/planes.hpp"

#include <limits>
#include <string>

#include "gpu/runtime/device.hpp"

namespace parallax::gpu {
namespace {

/// Returns the table of indices beyond both ends of an axis (EdgeTable): before, then after.
std::vector<int> edgeTable(std::int64_t n, BorderMode rule) {
    std::vector<int> table;
    table.reserve(2 * kEdgeReach);
    for (std::int64_t i = 0; i < kEdgeReach; ++i) table.push_back(static_cast<int>(borderIndex(-1 - i, n, rule)));
    for (std::int64_t i = 0; i < kEdgeReach; ++i) table.push_back(static_cast<int>(borderIndex(n + i, n, rule)));
    return table;
}

}  // namespace

std::vector<Planes> planeGroups(const std::vector<int>& filtered, const View<const float>& in, const View<float>& out) {
    const bool isVolume = in.shape.depth > 1;
    const auto height = static_cast<int>(in.shape.height);
    std::vector<Planes> groups;
    int next = -1;
    for (const int c : filtered) {
        if (!isVolume && c == next) ++groups.back().depth;
        else
            groups.push_back({.in = in.row(0, 0, c),
                              .out = out.row(0, 0, c),
                              .inRowStride = in.rowStride,
                              .inSliceStride = isVolume ? in.sliceStride : in.channelStride,
                              .outRowStride = out.rowStride,
                              .outSliceStride = isVolume ? out.sliceStride : out.channelStride,
                              .width = static_cast<int>(in.shape.width),
                              .height = height,
                              .depth = static_cast<int>(in.shape.depth),
                              .rowBegin = 0,
                              .rowEnd = height});
        next = c + 1;
    }
    return groups;
}

void copyChannels(const std::vector<int>& copied, const View<const float>& allIn, const View<float>& allOut, cudaStream_t stream,
                  RunContext& context) {
    for (const int c : copied) {
        const View<const float> in = allIn.channel(c);
        const View<float> out = allOut.channel(c);
        const auto width = static_cast<std::size_t>(in.shape.width) * sizeof(float);
        for (std::int64_t z = 0; z < in.shape.depth; ++z)
            check(cudaMemcpy2DAsync(out.row(0, z), static_cast<std::size_t>(out.rowStride) * sizeof(float), in.row(0, z),
                                    static_cast<std::size_t>(in.rowStride) * sizeof(float), width,
                                    static_cast<std::size_t>(in.shape.height), cudaMemcpyDeviceToDevice, stream),
                  "A channel could not be copied");
        if (context.progress) context.progress->add(in.shape.height * in.shape.depth);
    }
}

EdgeTables::EdgeTables(const Shape& shape, BorderMode rule, const CudaSession& session)
    : width_(static_cast<int>(shape.width)),
      height_(static_cast<int>(shape.height)),
      rule_(rule),
      columns_(session.allocator(), std::span<const int>(edgeTable(shape.width, rule)), session.stream()),
      rows_(session.allocator(), std::span<const int>(edgeTable(shape.height, rule)), session.stream()) {}

ConvolutionLaunch launchOf(const ConvolutionPlan& plan, const EdgeTables& edges, const Shape& shape, int device) {
    const DeviceLimits& limits = deviceLimits(device);
    ConvolutionLaunch l;
    l.kernelWidth = plan.kernel.width;
    l.kernelHeight = plan.kernel.height;
    l.anchorX = plan.kernel.anchorX;
    l.anchorY = plan.kernel.anchorY;
    l.rule = plan.border;
    l.borderValue = plan.borderValue;
    l.offset = plan.offset;
    l.columns = edges.columns();
    l.rows = edges.rows();
    l.multiprocessors = limits.multiprocessors;
    l.streaming = 2 * sizeof(float) * static_cast<std::uint64_t>(shape.samples()) > limits.cacheBytes;
    return l;
}

Support axesFit(const Shape& shape) {
    constexpr std::int64_t most = std::numeric_limits<int>::max() - 4096;
    if (shape.width > most || shape.height > most || shape.depth > most)
        return Support::no("an axis has more than " + std::to_string(most) + " samples");
    return {};
}

}  // namespace parallax::gpu
