// SPDX-License-Identifier: GPL-3.0-or-later
// cuFFT, loaded when it is first asked for: the backend works without it, and nothing has to be installed to build it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace parallax::gpu {

/// Is the library there? If not, why.
struct CufftState {
    bool loaded = false;
    std::string reason;   ///< a sentence, when not
    std::string version;  ///< "12.0.0"
};
const CufftState& cufftState();

/// In-place transforms of `batch` planes of height x width real samples, forwards or backwards, not normalised. A plane has
/// `height` rows of width + 2 floats, which hold width / 2 + 1 complex numbers after the forward transform. `width` is even.
/// Planes follow each other without gaps.
class RealTransform {
public:
    enum class Direction { forward, inverse };
    /// Throws Error(unavailable) without the library, Error(memory) or Error(failed) if no plan can be made.
    RealTransform(std::int64_t width, std::int64_t height, std::int64_t batch, Direction direction);
    ~RealTransform();
    RealTransform(RealTransform&& other) noexcept : plan_(other.plan_), workBytes_(other.workBytes_), direction_(other.direction_) {
        other.plan_ = kNone;
    }
    RealTransform(const RealTransform&) = delete;
    RealTransform& operator=(const RealTransform&) = delete;
    RealTransform& operator=(RealTransform&&) = delete;

    /// Workspace that run() needs; may be shared by transforms that do not run at the same time.
    std::size_t workBytes() const { return workBytes_; }
    void run(float* planes, void* work, cudaStream_t stream);

private:
    static constexpr int kNone = -1;
    int plan_ = kNone;
    std::size_t workBytes_ = 0;
    Direction direction_;
};

}  // namespace parallax::gpu
