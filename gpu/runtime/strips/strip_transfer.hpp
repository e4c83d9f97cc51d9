// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers of strips between host and device. The device accesses page-locked memory directly (pinned_transfer.cpp); pageable memory
// is copied by threads through page-locked buffers of the slot (staged_transfer.cpp).
#pragma once

#include <memory>
#include <vector>

#include "core/engine/run/strips.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

/// The buffers of a strip.
struct StripSlot {
    DeviceBuffer<float> input, output;
    Buffer stagedInput, stagedOutput;  ///< page-locked; empty if not needed
};

/// One of `count` parts of the host's copying for a strip.
struct CopyPiece {
    int index = 0, count = 1;
};

using StripBoxes = std::vector<StripBox>;

class StripInput {
public:
    virtual ~StripInput() = default;
    /// Returns how many page-locked samples a slot needs for strips of up to `strip` samples, up to `filled` of which are
    /// StripSupport::fill.
    virtual std::size_t stagedSamples(std::size_t strip, std::size_t filled) const = 0;
    /// Returns whether host threads copy. If so, they call fill() for each of pieces() pieces, in any order.
    virtual bool copiesOnHost() const = 0;
    virtual int pieces(const StripBoxes& boxes) const = 0;
    virtual void fill(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const = 0;
    /// Enqueues the upload, after all pieces are filled.
    virtual void upload(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const = 0;
};

class StripOutput {
public:
    virtual ~StripOutput() = default;
    virtual std::size_t stagedSamples(std::size_t strip) const = 0;
    /// Enqueues the download.
    virtual void download(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const = 0;
    /// As in StripInput, after the download.
    virtual bool copiesOnHost() const = 0;
    virtual int pieces(const StripBoxes& boxes) const = 0;
    virtual void empty(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const = 0;
};

/// `images`: host memory of the boxes, indexed by StripBox::image. `fill`: StripSupport::fill.
std::unique_ptr<StripInput> makePinnedInput(std::vector<const float*> images, float fill);
std::unique_ptr<StripInput> makeStagedInput(std::vector<const float*> images, float fill);
std::unique_ptr<StripOutput> makePinnedOutput(std::vector<float*> images);
std::unique_ptr<StripOutput> makeStagedOutput(std::vector<float*> images);

/// One side of a copy, with strides in samples.
template <class T>
struct BoxSide {
    T* data;
    std::int64_t row, slice;
};
/// Enqueues the copy of a box.
void enqueueCopy(const BoxSide<float>& to, const BoxSide<const float>& from, const StripBox& box, cudaMemcpyKind kind, const Stream& stream,
                 const char* failed);

inline constexpr const char* kUploadFailed = "A strip could not be uploaded";
inline constexpr const char* kDownloadFailed = "A strip could not be downloaded";

}  // namespace parallax::gpu
