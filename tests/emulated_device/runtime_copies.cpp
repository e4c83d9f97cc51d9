// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: copies and fills.
#include <cstring>

#include "tests/emulated_device/device.hpp"

namespace emulatedDevice {
namespace {

/// Rows of a box; pitches in bytes.
struct Box {
    unsigned char* to;
    const unsigned char* from;
    std::size_t toPitch, toSlice, fromPitch, fromSlice, width, height, depth;
    std::size_t toBytes() const { return (depth - 1) * toSlice + (height - 1) * toPitch + width; }
    std::size_t fromBytes() const { return (depth - 1) * fromSlice + (height - 1) * fromPitch + width; }
};

void copy(const Box& b) {
    for (std::size_t z = 0; z < b.depth; ++z)
        for (std::size_t y = 0; y < b.height; ++y)
            std::memmove(b.to + z * b.toSlice + y * b.toPitch, b.from + z * b.fromSlice + y * b.fromPitch, b.width);
}

cudaError_t enqueueCopy(Call& call, Box box, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
    Machine& d = call.d;
    CUstream_st* const s = d.find(stream);
    if (!s) return cudaErrorInvalidResourceHandle;
    if (box.width == 0 || box.height == 0 || box.depth == 0) return cudaSuccess;
    if (box.width > box.toPitch || box.width > box.fromPitch) {
        if (box.height > 1 || box.depth > 1) return cudaErrorInvalidPitchValue;
    }
    const bool toDevice = d.typeOf(box.to) == cudaMemoryTypeDevice, fromDevice = d.typeOf(box.from) == cudaMemoryTypeDevice;
    if (kind != cudaMemcpyDefault) {
        const bool wantsTo = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
        const bool wantsFrom = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
        if (wantsTo != toDevice || wantsFrom != fromDevice) return cudaErrorInvalidValue;
    }
    if (toDevice && !d.inside(box.to, box.toBytes())) return cudaErrorInvalidValue;
    if (fromDevice && !d.inside(box.from, box.fromBytes())) return cudaErrorInvalidValue;
    const bool toPageable = d.typeOf(box.to) == cudaMemoryTypeUnregistered, fromPageable = d.typeOf(box.from) == cudaMemoryTypeUnregistered;
    if (s->capture) {
        if (wait) {
            s->capture->invalidated = true;
            return cudaErrorStreamCaptureUnsupported;
        }
        return d.enqueue(call.lock, *s, {"copy", [box] { copy(box); }, nullptr, 0, false, 0});
    }
    std::function<void()> work = [box] { copy(box); };
    if (fromPageable) {
        // Staged: the source may change when the call returns.
        auto staged = std::make_shared<std::vector<unsigned char>>(box.width * box.height * box.depth);
        Box in = box;
        in.to = staged->data(), in.toPitch = box.width, in.toSlice = box.width * box.height;
        copy(in);
        work = [staged, box] {
            Box out = box;
            out.from = staged->data(), out.fromPitch = box.width, out.fromSlice = box.width * box.height;
            copy(out);
        };
    }
    if (const cudaError_t e = d.enqueue(call.lock, *s, {"copy", std::move(work), nullptr, 0, false, 0}); e != cudaSuccess) return e;
    // Copies to pageable memory and synchronous copies are complete when the call returns.
    if (wait || toPageable) d.runStream(call.lock, *s);
    return cudaSuccess;
}

Box line(void* to, const void* from, std::size_t bytes) {
    return {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), bytes, bytes, bytes, bytes, bytes, 1, 1};
}

cudaError_t enqueueFill(Call& call, void* p, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream) {
    CUstream_st* const s = call.d.find(stream);
    if (!s) return cudaErrorInvalidResourceHandle;
    if (width == 0 || height == 0) return cudaSuccess;
    if (call.d.typeOf(p) == cudaMemoryTypeUnregistered || !call.d.inside(p, (height - 1) * pitch + width)) return cudaErrorInvalidValue;
    auto* const rows = static_cast<unsigned char*>(p);
    return call.d.enqueue(call.lock, *s,
                          {"fill",
                           [=] {
                               for (std::size_t y = 0; y < height; ++y) std::memset(rows + y * pitch, value, width);
                           },
                           nullptr, 0, false, 0});
}

}  // namespace

cudaError_t copySymbol(void* to, const void* from, std::size_t bytes, bool toDevice, bool wait, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    std::function<void()> work = [box = line(to, from, bytes)] { copy(box); };
    if (toDevice && !s->capture && call.d.typeOf(from) == cudaMemoryTypeUnregistered) {
        const auto* const p = static_cast<const unsigned char*>(from);
        work = [to, staged = std::vector<unsigned char>(p, p + bytes)] { std::memcpy(to, staged.data(), staged.size()); };
    }
    const cudaError_t e = call.d.enqueue(call.lock, *s, {"copy", std::move(work), nullptr, 0, false, 0});
    if (e == cudaSuccess && wait) call.d.runStream(call.lock, *s);
    return call.end(e);
}

}  // namespace emulatedDevice

using emulatedDevice::Call;

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    Call call;
    return call.end(emulatedDevice::enqueueCopy(call, emulatedDevice::line(to, from, bytes), kind, stream, false));
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    Call call;
    return call.end(emulatedDevice::enqueueCopy(call, emulatedDevice::line(to, from, bytes), kind, nullptr, true));
}
namespace {
emulatedDevice::Box rows(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width, std::size_t height) {
    return {static_cast<unsigned char*>(to), static_cast<const unsigned char*>(from), toPitch, 0, fromPitch, 0, width, height, 1};
}
emulatedDevice::Box box(const cudaMemcpy3DParms& p) {
    const auto at = [](const cudaPitchedPtr& base, const cudaPos& p0) {
        return static_cast<unsigned char*>(base.ptr) + (p0.z * base.ysize + p0.y) * base.pitch + p0.x;
    };
    return {at(p.dstPtr, p.dstPos), at(p.srcPtr, p.srcPos),          p.dstPtr.pitch, p.dstPtr.pitch * p.dstPtr.ysize,
            p.srcPtr.pitch,         p.srcPtr.pitch * p.srcPtr.ysize, p.extent.width, p.extent.height,
            p.extent.depth};
}
}  // namespace
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    Call call;
    return call.end(emulatedDevice::enqueueCopy(call, rows(to, toPitch, from, fromPitch, width, height), kind, stream, false));
}
cudaError_t cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
    Call call;
    return call.end(emulatedDevice::enqueueCopy(call, rows(to, toPitch, from, fromPitch, width, height), kind, nullptr, true));
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
    Call call;
    if (p->srcArray || p->dstArray) return call.end(cudaErrorNotSupported);
    return call.end(emulatedDevice::enqueueCopy(call, box(*p), p->kind, stream, false));
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
    Call call;
    if (p->srcArray || p->dstArray) return call.end(cudaErrorNotSupported);
    return call.end(emulatedDevice::enqueueCopy(call, box(*p), p->kind, nullptr, true));
}
cudaError_t cudaMemsetAsync(void* p, int value, std::size_t bytes, cudaStream_t stream) {
    Call call;
    return call.end(emulatedDevice::enqueueFill(call, p, bytes, value, bytes, 1, stream));
}
cudaError_t cudaMemset(void* p, int value, std::size_t bytes) { return cudaMemsetAsync(p, value, bytes, nullptr); }
cudaError_t cudaMemset2DAsync(void* p, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t stream) {
    Call call;
    return call.end(emulatedDevice::enqueueFill(call, p, pitch, value, width, height, stream));
}
