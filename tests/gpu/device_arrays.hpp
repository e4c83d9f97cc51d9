// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays on the device for tests: with guards, at any alignment, with all kinds of content.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gpu/primitives/workspace.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
inline constexpr unsigned char kPoison = 0xC5;

/// Copies from the device.
template <class T>
std::vector<T> fetch(const CudaSession& session, const T* device, std::size_t count) {
    std::vector<T> values(count);
    check(cudaMemcpyAsync(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost, session.stream()), "download");
    check(cudaStreamSynchronize(session.stream()), "synchronise");
    return values;
}

/// Device memory of exactly the requested size, followed by guards; initialised with garbage.
class Guarded {
public:
    Guarded(const CudaSession& session, std::size_t bytes)
        : session_(session), bytes_(bytes), memory_(session.allocator(), bytes + kGuard) {
        check(cudaMemsetAsync(memory_.data(), kPoison, memory_.size(), session.stream()), "poison");
    }
    Workspace workspace() { return {memory_.data(), bytes_}; }
    template <class T>
    T* as() {
        return reinterpret_cast<T*>(memory_.data());
    }
    bool intact() {
        const std::vector<unsigned char> guard = fetch(session_, memory_.data() + bytes_, kGuard);
        return std::all_of(guard.begin(), guard.end(), [](unsigned char c) { return c == kPoison; });
    }
    template <class T>
    std::vector<T> download(std::int64_t count) {
        return fetch(session_, as<T>(), static_cast<std::size_t>(count));
    }

private:
    static constexpr std::size_t kGuard = 512;
    const CudaSession& session_;
    std::size_t bytes_;
    DeviceBuffer<unsigned char> memory_;
};

/// A copy on the device that begins `offset` elements after a multiple of 256 bytes.
template <class T>
class OnDevice {
public:
    OnDevice(const CudaSession& session, const std::vector<T>& values, int offset = 0)
        : memory_(session.allocator(), values.size() + static_cast<std::size_t>(offset) + 1), offset_(offset) {
        if (!values.empty())
            check(cudaMemcpyAsync(data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, session.stream()), "upload");
    }
    T* data() { return memory_.data() + offset_; }

private:
    DeviceBuffer<T> memory_;
    int offset_;
};

enum class Content { uniform, light, constant, holes, nothing, subnormal };
inline constexpr Content kContents[] = {Content::uniform, Content::light,   Content::constant,
                                        Content::holes,   Content::nothing, Content::subnormal};

inline std::vector<float> make(Content content, std::int64_t n, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> values(static_cast<std::size_t>(n));
    for (float& v : values) {
        switch (content) {
            case Content::uniform: v = random.uniform(); break;
            case Content::light: v = std::exp2(12 * random.uniform()); break;
            case Content::constant: v = 0.1875F; break;
            case Content::holes: {
                const std::uint32_t which = random.bits() % 40;
                v = which == 0 ? kNan : which == 1 ? kInf : which == 2 ? -kInf : 3 * random.uniform();
                break;
            }
            case Content::nothing: v = random.bits() % 2 ? kNan : kInf; break;
            case Content::subnormal: v = std::ldexp(1 + random.uniform(), -140); break;
        }
    }
    return values;
}

/// Contents for a length: an emulated device takes two of them for the longest arrays.
inline std::vector<Content> contentsFor(std::int64_t n) {
    if (isEmulated() && n > 65'537) return {Content::uniform, Content::holes};
    return {std::begin(kContents), std::end(kContents)};
}

inline const std::vector<std::int64_t> kLengths{0,   1,   2,    3,    31,   32,   33,   255,   257,    511,
                                                512, 513, 1023, 1025, 4095, 4096, 4097, 65537, 262143, sizeFor(1048583, 524295)};

}  // namespace parallax::gpu
