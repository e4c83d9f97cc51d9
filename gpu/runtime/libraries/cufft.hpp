// SPDX-License-Identifier: GPL-3.0-or-later
// cuFFT, loaded on first use: it is needed neither to build the backend nor to run it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace parallax::gpu {

/// Whether the library is available, and if not, why.
struct CufftState {
    bool loaded = false;
    std::string reason;   ///< a sentence, if not loaded
    std::string version;  ///< "12.0.0"
};
const CufftState& cufftState();

/// In-place, unnormalised forward or inverse transforms of `batch` contiguous planes of height x width real samples. A plane has `height`
/// rows of 2 (width / 2 + 1) samples, which hold width / 2 + 1 complex numbers after the forward transform.
class RealTransform {
public:
    enum class Direction { forward, inverse };
    enum class Precision { single, twofold };
    /// Throws Error(unavailable) without the library, Error(memory) or Error(failed) if planning fails.
    RealTransform(std::int64_t width, std::int64_t height, std::int64_t batch, Direction direction,
                  Precision precision = Precision::single);
    ~RealTransform();
    RealTransform(RealTransform&& other) noexcept
        : plan_(other.plan_), workBytes_(other.workBytes_), direction_(other.direction_), precision_(other.precision_) {
        other.plan_ = kNone;
    }
    RealTransform(const RealTransform&) = delete;
    RealTransform& operator=(const RealTransform&) = delete;
    RealTransform& operator=(RealTransform&&) = delete;

    /// Bytes of workspace for run(); transforms that do not run at the same time may share it.
    std::size_t workBytes() const { return workBytes_; }
    /// The type of the planes must be that of the precision.
    void run(float* planes, void* work, cudaStream_t stream);
    void run(double* planes, void* work, cudaStream_t stream);

private:
    void begin(Precision precision, void* work, cudaStream_t stream);

    static constexpr int kNone = -1;
    int plan_ = kNone;
    std::size_t workBytes_ = 0;
    Direction direction_;
    Precision precision_;
};

}  // namespace parallax::gpu
