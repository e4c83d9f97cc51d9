// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operations/convolution/planes.hpp"

#include <cmath>
#include <limits>
#include <string>

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

std::vector<PlaneGroup> planeGroups(const std::vector<int>& filtered, const View<const float>& in, const View<float>& out) {
    std::vector<PlaneGroup> groups;
    for (const int c : filtered) {
        if (in.shape.depth > 1) groups.push_back({c, static_cast<int>(in.shape.depth), in.sliceStride, out.sliceStride});
        else if (!groups.empty() && groups.back().channel + groups.back().planes == c) ++groups.back().planes;
        else groups.push_back({c, 1, in.channelStride, out.channelStride});
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

Support axesFit(const Shape& shape) {
    constexpr std::int64_t most = std::numeric_limits<int>::max() - 4096;
    if (shape.width > most || shape.height > most || shape.depth > most)
        return Support::no("an axis has more than " + std::to_string(most) + " samples");
    return {};
}

Support weightsFitFloat(const Kernel& kernel) {
    for (const double w : kernel.weights)
        if (std::fabs(w) > static_cast<double>(std::numeric_limits<float>::max()))
            return Support::no("A weight of the kernel is beyond the range of 32-bit floats");
    return {};
}

}  // namespace parallax::gpu
