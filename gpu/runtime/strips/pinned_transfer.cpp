// SPDX-License-Identifier: GPL-3.0-or-later
// Page-locked memory, which the device accesses directly. Only rows of StripSupport::fill are written to a buffer of the slot.
#include <algorithm>
#include <utility>

#include "gpu/runtime/strips/strip_transfer.hpp"

namespace parallax::gpu {
namespace {

class PinnedInput final : public StripInput {
public:
    PinnedInput(std::vector<const float*> images, float fill) : images_(std::move(images)), fill_(fill) {}
    std::size_t stagedSamples(std::size_t, std::size_t filled) const override { return filled; }
    bool copiesOnHost() const override { return false; }
    int pieces(const StripBoxes&) const override { return 1; }
    void fill(StripSlot&, const StripBoxes&, const CopyPiece&) const override {}
    void upload(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const override {
        float* filled = slot.stagedInput.empty() ? nullptr : slot.stagedInput.view<float>().data;
        for (const StripBox& box : mergedBoxes(boxes)) {
            const BoxSide<float> to{slot.input.data() + box.slot, box.slotRow, box.slotSlice};
            BoxSide<const float> from{filled, box.width, box.width * box.rows};
            if (box.host < 0) {
                std::fill_n(filled, box.samples(), fill_);
                filled += box.samples();
            } else {
                from = {images_[static_cast<std::size_t>(box.image)] + box.host, box.hostRow, box.hostSlice};
            }
            enqueueCopy(to, from, box, cudaMemcpyHostToDevice, stream, kUploadFailed);
        }
    }

private:
    std::vector<const float*> images_;
    float fill_;
};

class PinnedOutput final : public StripOutput {
public:
    explicit PinnedOutput(std::vector<float*> images) : images_(std::move(images)) {}
    std::size_t stagedSamples(std::size_t) const override { return 0; }
    void download(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const override {
        for (const StripBox& box : mergedBoxes(boxes))
            enqueueCopy({images_[static_cast<std::size_t>(box.image)] + box.host, box.hostRow, box.hostSlice},
                        {slot.output.data() + box.slot, box.slotRow, box.slotSlice}, box, cudaMemcpyDeviceToHost, stream, kDownloadFailed);
    }
    bool copiesOnHost() const override { return false; }
    int pieces(const StripBoxes&) const override { return 1; }
    void empty(StripSlot&, const StripBoxes&, const CopyPiece&) const override {}

private:
    std::vector<float*> images_;
};

}  // namespace

std::unique_ptr<StripInput> makePinnedInput(std::vector<const float*> images, float fill) {
    return std::make_unique<PinnedInput>(std::move(images), fill);
}
std::unique_ptr<StripOutput> makePinnedOutput(std::vector<float*> images) { return std::make_unique<PinnedOutput>(std::move(images)); }

}  // namespace parallax::gpu
