// SPDX-License-Identifier: GPL-3.0-or-later
// How the samples of strips get from the host's memory to the device and back: page-locked memory is read and written by the device
// itself (pinned_transfer.cpp), other memory goes through page-locked buffers of the slot, which threads fill and empty
// (staged_transfer.cpp).
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
    Buffer stagedInput, stagedOutput;  ///< page-locked; empty where they are not needed
};

/// A part of what threads of the host copy for a strip.
struct CopyPiece {
    int index = 0, count = 1;
};

using StripBoxes = std::vector<StripBox>;

class StripInput {
public:
    virtual ~StripInput() = default;
    /// Page-locked samples that a slot needs: of strips of up to `strip` samples, of which up to `filled` are StripSupport::fill.
    virtual std::size_t stagedSamples(std::size_t strip, std::size_t filled) const = 0;
    /// Do threads of the host copy? Then in so many pieces, in any order, each by fill().
    virtual bool copiesOnHost() const = 0;
    virtual int pieces(const StripBoxes& boxes) const = 0;
    virtual void fill(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const = 0;
    /// After all pieces: enqueues what goes up.
    virtual void upload(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const = 0;
};

class StripOutput {
public:
    virtual ~StripOutput() = default;
    virtual std::size_t stagedSamples(std::size_t strip) const = 0;
    /// Enqueues what comes down.
    virtual void download(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const = 0;
    /// As of StripInput, when it has come down.
    virtual bool copiesOnHost() const = 0;
    virtual int pieces(const StripBoxes& boxes) const = 0;
    virtual void empty(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const = 0;
};

/// `images`: where boxes lie on the host, by StripBox::image. `fill`: StripSupport::fill.
std::unique_ptr<StripInput> makePinnedInput(std::vector<const float*> images, float fill);
std::unique_ptr<StripInput> makeStagedInput(std::vector<const float*> images, float fill);
std::unique_ptr<StripOutput> makePinnedOutput(std::vector<float*> images);
std::unique_ptr<StripOutput> makeStagedOutput(std::vector<float*> images);

/// Samples of a box with strides: from a row to the next, from a slice to the next.
template <class T>
struct BoxSide {
    T* data;
    std::int64_t row, slice;
};
/// Enqueues a box; a box of one row or one slice takes a simpler call.
void enqueueCopy(const BoxSide<float>& to, const BoxSide<const float>& from, const StripBox& box, cudaMemcpyKind kind, const Stream& stream,
                 const char* failed);

inline constexpr const char* kUploadFailed = "A strip could not be uploaded";
inline constexpr const char* kDownloadFailed = "A strip could not be downloaded";

}  // namespace parallax::gpu
