// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/strips/strip_transfer.hpp"

#include <algorithm>
#include <cstring>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"

namespace parallax::gpu {
namespace {

constexpr std::size_t kCopyPiece = std::size_t{256} << 10;  // bytes

std::size_t bytesOf(std::int64_t samples) { return static_cast<std::size_t>(samples) * sizeof(float); }
float* samplesOf(Buffer& staged) { return staged.empty() ? nullptr : staged.view<float>().data; }

/// One side of a copy, with strides in samples.
template <class T>
struct BoxSide {
    T* data;
    std::int64_t row, slice;
};
/// A buffer with the layout of the slot. Gaps between its rows are left unchanged.
template <class T>
BoxSide<T> slotSide(T* buffer, const StripBox& box) {
    return {buffer + box.slot, box.slotRow, box.slotSlice};
}
template <class T>
BoxSide<T> hostSide(T* image, const StripBox& box) {
    return {image + box.host, box.hostRow, box.hostSlice};
}

/// Enqueues the copy of a box.
void enqueueCopy(const BoxSide<float>& to, const BoxSide<const float>& from, const StripBox& box, cudaMemcpyKind kind,
                 const Stream& stream) {
    if (box.samples() == 0) return;
    const char* const failed = kind == cudaMemcpyHostToDevice ? "A strip could not be uploaded" : "A strip could not be downloaded";
    if (box.rows == 1) return check(cudaMemcpyAsync(to.data, from.data, bytesOf(box.width), kind, stream.get()), failed);
    if (box.slices == 1)
        return check(cudaMemcpy2DAsync(to.data, bytesOf(to.row), from.data, bytesOf(from.row), bytesOf(box.width),
                                       static_cast<std::size_t>(box.rows), kind, stream.get()),
                     failed);
    const auto pitched = [&](float* data, std::int64_t row, std::int64_t slice) {
        return cudaPitchedPtr{data, bytesOf(row), bytesOf(box.width), static_cast<std::size_t>(slice / row)};
    };
    cudaMemcpy3DParms p{};
    p.srcPtr = pitched(const_cast<float*>(from.data), from.row, from.slice);
    p.dstPtr = pitched(to.data, to.row, to.slice);
    p.extent = cudaExtent{bytesOf(box.width), static_cast<std::size_t>(box.rows), static_cast<std::size_t>(box.slices)};
    p.kind = kind;
    check(cudaMemcpy3DAsync(&p, stream.get()), failed);
}

/// Samples that are contiguous both in host memory and in the buffer of the strip.
struct Run {
    const StripBox& box;
    std::int64_t host;  ///< negative: StripSupport::fill
    std::int64_t slot, samples;
};

/// Calls f(Run) for the rows of a piece; rows are counted through all boxes.
template <class F>
void forRuns(const StripBoxes& boxes, const CopyPiece& piece, F&& f) {
    std::int64_t all = 0;
    for (const StripBox& box : boxes) all += box.rows * box.slices;
    const std::int64_t begin = all * piece.index / piece.count, end = all * (piece.index + 1) / piece.count;
    std::int64_t first = 0;  // first row of the box
    for (const StripBox& box : boxes) {
        const std::int64_t rows = box.rows * box.slices;
        for (std::int64_t row = std::max(begin, first) - first; row < std::min(end, first + rows) - first;) {
            const std::int64_t slice = row / box.rows, y = row % box.rows;
            const bool dense = box.slotRow == box.width && (box.host < 0 || box.hostRow == box.width);
            const std::int64_t count = dense ? std::min(box.rows - y, std::min(end, first + rows) - first - row) : 1;
            f(Run{box, box.host < 0 ? -1 : box.host + slice * box.hostSlice + y * box.hostRow,
                  box.slot + slice * box.slotSlice + y * box.slotRow, count * box.width});
            row += count;
        }
        first += rows;
    }
}

}  // namespace

template <class T>
StripImages<T>::StripImages(std::vector<T*> images) : images_(std::move(images)), copiesOnHost_(!isPinned(images_.front())) {}

template <class T>
int StripImages<T>::pieces(const StripBoxes& boxes) const {
    if (!copiesOnHost_) return 1;
    std::int64_t samples = 0;
    for (const StripBox& box : boxes) samples += box.samples();
    return std::max(1, static_cast<int>((bytesOf(samples) + kCopyPiece - 1) / kCopyPiece));
}

template class StripImages<const float>;
template class StripImages<float>;

void StripInput::fill(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const {
    float* const staged = samplesOf(slot.stagedInput);
    forRuns(boxes, piece, [&](const Run& run) {
        if (run.host < 0) std::fill_n(staged + run.slot, run.samples, fill_);
        else std::memcpy(staged + run.slot, at(run.box) + run.host, bytesOf(run.samples));
    });
}

void StripInput::upload(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const {
    float* const staged = samplesOf(slot.stagedInput);
    float* filled = staged;  // without copies on the host, rows of StripSupport::fill are all that is staged
    for (const StripBox& box : mergedBoxes(boxes)) {
        BoxSide<const float> from{filled, box.width, box.width * box.rows};
        if (copiesOnHost()) {
            from = slotSide<const float>(staged, box);
        } else if (box.host >= 0) {
            from = hostSide(at(box), box);
        } else {
            std::fill_n(filled, box.samples(), fill_);
            filled += box.samples();
        }
        enqueueCopy(slotSide(slot.input.data(), box), from, box, cudaMemcpyHostToDevice, stream);
    }
}

void StripOutput::download(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const {
    for (const StripBox& box : mergedBoxes(boxes))
        enqueueCopy(copiesOnHost() ? slotSide(samplesOf(slot.stagedOutput), box) : hostSide(at(box), box),
                    slotSide<const float>(slot.output.data(), box), box, cudaMemcpyDeviceToHost, stream);
}

void StripOutput::empty(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const {
    const float* const staged = samplesOf(slot.stagedOutput);
    forRuns(boxes, piece, [&](const Run& run) { std::memcpy(at(run.box) + run.host, staged + run.slot, bytesOf(run.samples)); });
}

}  // namespace parallax::gpu
