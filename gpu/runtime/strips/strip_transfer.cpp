// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/strips/strip_transfer.hpp"

#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

void enqueueCopy(const BoxSide<float>& to, const BoxSide<const float>& from, const StripBox& box, cudaMemcpyKind kind, const Stream& stream,
                 const char* failed) {
    if (box.samples() == 0) return;
    const auto bytes = [](std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(float); };
    if (box.rows == 1) return check(cudaMemcpyAsync(to.data, from.data, bytes(box.width), kind, stream.get()), failed);
    if (box.slices == 1)
        return check(cudaMemcpy2DAsync(to.data, bytes(to.row), from.data, bytes(from.row), bytes(box.width),
                                       static_cast<std::size_t>(box.rows), kind, stream.get()),
                     failed);
    const auto pitched = [&](float* data, std::int64_t row, std::int64_t slice) {
        return cudaPitchedPtr{data, bytes(row), bytes(box.width), static_cast<std::size_t>(slice / row)};
    };
    cudaMemcpy3DParms p{};
    p.srcPtr = pitched(const_cast<float*>(from.data), from.row, from.slice);
    p.dstPtr = pitched(to.data, to.row, to.slice);
    p.extent = cudaExtent{bytes(box.width), static_cast<std::size_t>(box.rows), static_cast<std::size_t>(box.slices)};
    p.kind = kind;
    check(cudaMemcpy3DAsync(&p, stream.get()), failed);
}

}  // namespace parallax::gpu
