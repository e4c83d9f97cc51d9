// SPDX-License-Identifier: GPL-3.0-or-later
// Pageable memory, which host threads copy piece by piece to and from page-locked buffers of the slot.
#include <algorithm>
#include <cstring>
#include <utility>

#include "gpu/runtime/strips/strip_transfer.hpp"

namespace parallax::gpu {
namespace {

constexpr std::size_t kCopyPiece = std::size_t{256} << 10;  // bytes

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

int piecesOf(const StripBoxes& boxes) {
    std::int64_t samples = 0;
    for (const StripBox& box : boxes) samples += box.samples();
    const std::size_t bytes = static_cast<std::size_t>(samples) * sizeof(float);
    return std::max(1, static_cast<int>((bytes + kCopyPiece - 1) / kCopyPiece));
}

float* samplesOf(Buffer& staged) { return staged.empty() ? nullptr : staged.view<float>().data; }

class StagedInput final : public StripInput {
public:
    StagedInput(std::vector<const float*> images, float fill) : images_(std::move(images)), fill_(fill) {}
    std::size_t stagedSamples(std::size_t strip, std::size_t) const override { return strip; }
    bool copiesOnHost() const override { return true; }
    int pieces(const StripBoxes& boxes) const override { return piecesOf(boxes); }
    void fill(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const override {
        float* const staged = samplesOf(slot.stagedInput);
        forRuns(boxes, piece, [&](const Run& run) {
            if (run.host < 0) std::fill_n(staged + run.slot, run.samples, fill_);
            else
                std::memcpy(staged + run.slot, images_[static_cast<std::size_t>(run.box.image)] + run.host,
                            static_cast<std::size_t>(run.samples) * sizeof(float));
        });
    }
    void upload(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const override {
        // Both sides have the layout of the slot: gaps between rows are left unchanged.
        for (const StripBox& box : mergedBoxes(boxes))
            enqueueCopy({slot.input.data() + box.slot, box.slotRow, box.slotSlice},
                        {samplesOf(slot.stagedInput) + box.slot, box.slotRow, box.slotSlice}, box, cudaMemcpyHostToDevice, stream,
                        kUploadFailed);
    }

private:
    std::vector<const float*> images_;
    float fill_;
};

class StagedOutput final : public StripOutput {
public:
    explicit StagedOutput(std::vector<float*> images) : images_(std::move(images)) {}
    std::size_t stagedSamples(std::size_t strip) const override { return strip; }
    void download(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const override {
        for (const StripBox& box : mergedBoxes(boxes))
            enqueueCopy({samplesOf(slot.stagedOutput) + box.slot, box.slotRow, box.slotSlice},
                        {slot.output.data() + box.slot, box.slotRow, box.slotSlice}, box, cudaMemcpyDeviceToHost, stream, kDownloadFailed);
    }
    bool copiesOnHost() const override { return true; }
    int pieces(const StripBoxes& boxes) const override { return piecesOf(boxes); }
    void empty(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const override {
        const float* const staged = samplesOf(slot.stagedOutput);
        forRuns(boxes, piece, [&](const Run& run) {
            std::memcpy(images_[static_cast<std::size_t>(run.box.image)] + run.host, staged + run.slot,
                        static_cast<std::size_t>(run.samples) * sizeof(float));
        });
    }

private:
    std::vector<float*> images_;
};

}  // namespace

std::unique_ptr<StripInput> makeStagedInput(std::vector<const float*> images, float fill) {
    return std::make_unique<StagedInput>(std::move(images), fill);
}
std::unique_ptr<StripOutput> makeStagedOutput(std::vector<float*> images) { return std::make_unique<StagedOutput>(std::move(images)); }

}  // namespace parallax::gpu
