// SPDX-License-Identifier: GPL-3.0-or-later
// Peers that are not backends of the application: Halide on the CPU, and a plain copy.
#include <chrono>
#include <cstring>

#if defined(__SSE2__)
#include <immintrin.h>
#endif
#if defined(_OPENMP)
#include <omp.h>
#endif
#if defined(PARALLAX_HAS_HALIDE)
#include "halide_functions.hpp"
#endif

#include "core/image/error.hpp"
#include "core/operations/convolution/kernel.hpp"
#include "tests/benchmarks/convolution_candidates.hpp"

namespace parallax::bench {
namespace {

template <class F>
Sample timed(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return {ms, ms};
}

class Copy final : public Candidate {
public:
    Copy(int threads, ImagePtr image) : threads_(threads), image_(std::move(image)), out_(image_->shape()) {
#if !defined(_OPENMP)
        if (threads > 1) throw Error(ErrorCode::unavailable, "The copy runs on one thread", "this program was built without OpenMP");
#endif
    }
    Sample run() override {
        return timed([&] {
            const float* from = image_->view().data;
            float* to = out_.view<float>().data;
            const std::int64_t n = out_.shape().samples();
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads_)
            {
                const std::int64_t part = (n / omp_get_num_threads() + 15) / 16 * 16;
                const std::int64_t first = std::min(n, part * omp_get_thread_num());
                piece(from + first, to + first, std::min(part, n - first));
            }
#else
            piece(from, to, n);
#endif
        });
    }
    View<const float> output() const override { return out_.view<float>(); }
    int threads() const override { return threads_; }
    bool filters() const override { return false; }

private:
    static void piece(const float* from, float* to, std::int64_t n) {
        std::int64_t i = 0;
#if defined(__SSE2__)
        for (; i + 16 <= n; i += 16) {
            _mm_prefetch(reinterpret_cast<const char*>(from + i + 512), _MM_HINT_NTA);
            for (int j = 0; j < 16; j += 4) _mm_stream_ps(to + i + j, _mm_loadu_ps(from + i + j));
        }
        _mm_sfence();
#endif
        std::memcpy(to + i, from + i, static_cast<std::size_t>(n - i) * sizeof(float));
    }

    int threads_;
    ImagePtr image_;
    Buffer out_;
};

#if defined(PARALLAX_HAS_HALIDE)
class Halide final : public Candidate {
public:
    Halide(int threads, const Step& step, ImagePtr image) : threads_(threads), image_(std::move(image)), out_(image_->shape()) {
        const Problem problem = makeProblem(*image_, step.parameters);
        const ConvolutionPlan plan = planConvolution(problem);
        const Kernel& k = plan.kernel;
        function_ = halideConvolution(k.width);
        if (!function_ || k.width != k.height)
            throw Error(ErrorCode::unavailable, "Halide's code was compiled for " + std::string(kHalideKernels));
        if (plan.border != BorderMode::replicate || k.anchorX != k.width / 2 || k.anchorY != k.height / 2 || plan.offset != 0 ||
            image_->shape().depth > 1 || image_->shape().channels > 1)
            throw Error(ErrorCode::unavailable, "Halide's code was written for one channel, a centred kernel and the border 'replicate'");
        weights_ = k.floatWeights();
        size_ = k.width;
    }
    Sample run() override {
        halide_set_num_threads(threads_);
        Array in(const_cast<float*>(image_->view().data), image_->shape().width, image_->shape().height),
            weights(weights_.data(), size_, size_), out(out_.view<float>().data, image_->shape().width, image_->shape().height);
        int error = 0;
        const Sample sample = timed([&] { error = function_(&in.buffer, &weights.buffer, &out.buffer); });
        if (error != 0) throw Error(ErrorCode::failed, "Halide's code failed", "error " + std::to_string(error));
        return sample;
    }
    View<const float> output() const override { return out_.view<float>(); }
    int threads() const override { return threads_; }

private:
    struct Array {
        Array(float* data, std::int64_t width, std::int64_t height)
            : dimensions{{0, static_cast<std::int32_t>(width), 1, 0},
                         {0, static_cast<std::int32_t>(height), static_cast<std::int32_t>(width), 0}} {
            buffer.host = reinterpret_cast<std::uint8_t*>(data);
            buffer.type = halide_type_t(halide_type_float, 32);
            buffer.dimensions = 2;
            buffer.dim = dimensions;
        }
        halide_dimension_t dimensions[2];
        halide_buffer_t buffer{};
    };

    int threads_, size_ = 0;
    ImagePtr image_;
    Buffer out_;
    std::vector<float> weights_;
    HalideFunction function_ = nullptr;
};
#endif

}  // namespace

std::unique_ptr<Candidate> makeCopy(int threads, const ImagePtr& image) { return std::make_unique<Copy>(threads, image); }

std::unique_ptr<Candidate> makeHalide([[maybe_unused]] int threads, [[maybe_unused]] const Step& step,
                                      [[maybe_unused]] const ImagePtr& image) {
#if defined(PARALLAX_HAS_HALIDE)
    return std::make_unique<Halide>(threads, step, image);
#else
    throw Error(ErrorCode::unavailable, "Halide is not installed", "this program was built without it, Debian package libhalide14-0-dev");
#endif
}

}  // namespace parallax::bench
