// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/image/image.hpp"
#include "gpu/runtime/device.hpp"

namespace parallax::gpu {

/// On a machine that must have a GPU, a skip is a failure.
inline bool deviceIsRequired() {
    const char* required = std::getenv("PARALLAX_REQUIRE_BACKEND");
    return required && std::strstr(required, "cuda");
}

/// Whether the device is emulated (tests/emulated_device): results are valid, times are not.
constexpr bool isEmulated() {
#if defined(PARALLAX_EMULATED_DEVICE)
    return true;
#else
    return false;
#endif
}
/// Chooses a size; `emulated` is smaller, since a thread costs about ten nanoseconds there.
template <class T>
constexpr T sizeFor(T device, T emulated) {
    return isEmulated() ? emulated : device;
}

/// Uniform in [-1, 1), the same on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 1) {}
    std::uint32_t bits() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<std::uint32_t>(state_ >> 32);
    }
    float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-23F - 1.0F; }

private:
    std::uint64_t state_;
};

inline void fillRandom(View<float> view, std::uint64_t seed) {
    Random random(seed);
    for (std::int64_t i = 0; i < view.shape.samples(); ++i) view.data[i] = random.uniform();
}

/// Limits the device's memory to a number of MiB.
struct MemoryLimit {
    explicit MemoryLimit(const char* mebibytes) { setenv(kName, mebibytes, 1); }
    ~MemoryLimit() { unsetenv(kName); }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    static constexpr const char* kName = "PARALLAX_CUDA_MEMORY_LIMIT";
};

inline ImagePtr noiseImage(const Shape& shape) {
    Buffer samples(shape);
    fillRandom(samples.view(), static_cast<std::uint64_t>(shape.width * 7 + shape.height));
    return std::make_shared<Image>(std::move(samples), defaultChannelNames(shape.channels));
}

inline bool sameBits(const View<const float>& a, const View<const float>& b) {
    return a.shape == b.shape && std::memcmp(a.data, b.data, static_cast<std::size_t>(a.shape.samples()) * sizeof(float)) == 0;
}

}  // namespace parallax::gpu

#define PARALLAX_NEEDS_DEVICE()                                                            \
    if (const auto& availability = parallax::gpu::cudaAvailability(); !availability.yes) { \
        if (parallax::gpu::deviceIsRequired()) FAIL() << availability.reason;              \
        GTEST_SKIP() << availability.reason;                                               \
    }
/// Skips tests of durations and rates on an emulated device.
#define PARALLAX_NEEDS_REAL_DEVICE() \
    PARALLAX_NEEDS_DEVICE()          \
    if (parallax::gpu::isEmulated()) GTEST_SKIP() << "times of an emulated device are meaningless"
