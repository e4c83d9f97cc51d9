// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers of strips between host and device. The device accesses page-locked memory directly; pageable memory is copied by threads,
// piece by piece, through page-locked buffers of the slot.
#pragma once

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

/// The images on the host that strips are read from or written to.
template <class T>
class StripImages {
public:
    /// `images`: indexed by StripBox::image. The first one decides whether host threads copy; the others are page-locked.
    explicit StripImages(std::vector<T*> images);
    /// Returns whether host threads copy; if so, in pieces() pieces, in any order.
    bool copiesOnHost() const { return copiesOnHost_; }
    int pieces(const StripBoxes& boxes) const;

protected:
    T* at(const StripBox& box) const { return images_[static_cast<std::size_t>(box.image)]; }

private:
    std::vector<T*> images_;
    bool copiesOnHost_;
};

class StripInput : public StripImages<const float> {
public:
    /// `fill`: StripSupport::fill.
    StripInput(std::vector<const float*> images, float fill) : StripImages(std::move(images)), fill_(fill) {}
    /// Returns how many page-locked samples a slot needs for strips of up to `strip` samples, up to `filled` of which are
    /// StripSupport::fill.
    std::size_t stagedSamples(std::size_t strip, std::size_t filled) const { return copiesOnHost() ? strip : filled; }
    void fill(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const;
    /// Enqueues the upload, after all pieces are filled.
    void upload(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const;

private:
    float fill_;
};

class StripOutput : public StripImages<float> {
public:
    using StripImages::StripImages;
    std::size_t stagedSamples(std::size_t strip) const { return copiesOnHost() ? strip : 0; }
    /// Enqueues the download.
    void download(StripSlot& slot, const StripBoxes& boxes, const Stream& stream) const;
    /// After the download.
    void empty(StripSlot& slot, const StripBoxes& boxes, const CopyPiece& piece) const;
};

}  // namespace parallax::gpu
