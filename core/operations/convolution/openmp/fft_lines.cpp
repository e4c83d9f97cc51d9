// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/openmp/fft_lines.hpp"

#include "core/image/error.hpp"

#if defined(PARALLAX_HAS_FFTW)
#include <fftw3.h>

#include <array>
#include <map>
#include <mutex>
#include <utility>

#include "core/image/buffer.hpp"

namespace parallax {

const FftwState& fftwState() {
    static const FftwState state{true, fftwf_version, {}};
    return state;
}

namespace {

std::mutex planner;  // FFTW's is not thread-safe

}  // namespace

LineTransform::LineTransform(int n) {
    static auto& plans = *new std::map<std::pair<int, int>, fftwf_plan>;  // never destroyed: threads may use them until the process ends
    const std::scoped_lock lock(planner);
    const auto planned = [&](int sign) {
        fftwf_plan& plan = plans[{n, sign}];
        if (!plan) {
            Buffer from(Shape{2 * n, 1, 1, 1}), to(Shape{2 * n, 1, 1, 1});
            plan = fftwf_plan_dft_1d(n, static_cast<fftwf_complex*>(from.data()), static_cast<fftwf_complex*>(to.data()), sign,
                                     FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
        }
        if (!plan) throw Error(ErrorCode::memory, "A Fourier transform could not be planned");
        return plan;
    };
    forward_ = planned(FFTW_FORWARD);
    inverse_ = planned(FFTW_BACKWARD);
}

void LineTransform::forward(float* from, float* to) const {
    fftwf_execute_dft(static_cast<fftwf_plan>(forward_), reinterpret_cast<fftwf_complex*>(from), reinterpret_cast<fftwf_complex*>(to));
}

void LineTransform::inverse(float* from, float* to) const {
    fftwf_execute_dft(static_cast<fftwf_plan>(inverse_), reinterpret_cast<fftwf_complex*>(from), reinterpret_cast<fftwf_complex*>(to));
}

BoxTransform::BoxTransform(int width, int height, int depth) {
    struct Plans {
        fftwf_plan forward = nullptr, inverse = nullptr;
    };
    static auto& known = *new std::map<std::array<int, 3>, Plans>;  // never destroyed, as those of lines
    const std::scoped_lock lock(planner);
    Plans& plans = known[{width, height, depth}];
    if (!plans.forward || !plans.inverse) {
        Buffer box(Shape{rowFloats(width), height, depth, 1});
        auto* const real = static_cast<float*>(box.data());
        auto* const complex = static_cast<fftwf_complex*>(box.data());
        plans.forward = fftwf_plan_dft_r2c_3d(depth, height, width, real, complex, FFTW_ESTIMATE);
        plans.inverse = fftwf_plan_dft_c2r_3d(depth, height, width, complex, real, FFTW_ESTIMATE);
    }
    if (!plans.forward || !plans.inverse) throw Error(ErrorCode::memory, "A Fourier transform could not be planned");
    forward_ = plans.forward;
    inverse_ = plans.inverse;
}

void BoxTransform::forward(float* samples) const {
    fftwf_execute_dft_r2c(static_cast<fftwf_plan>(forward_), samples, reinterpret_cast<fftwf_complex*>(samples));
}

void BoxTransform::inverse(float* samples) const {
    fftwf_execute_dft_c2r(static_cast<fftwf_plan>(inverse_), reinterpret_cast<fftwf_complex*>(samples), samples);
}

}  // namespace parallax

#else

namespace parallax {

const FftwState& fftwState() {
    static const FftwState state{false, {}, "FFTW was not found when this backend was built, Debian package libfftw3-dev"};
    return state;
}

LineTransform::LineTransform(int) { throw Error(ErrorCode::unavailable, "There is no Fourier transform", fftwState().reason); }
void LineTransform::forward(float*, float*) const {}
void LineTransform::inverse(float*, float*) const {}
BoxTransform::BoxTransform(int, int, int) { throw Error(ErrorCode::unavailable, "There is no Fourier transform", fftwState().reason); }
void BoxTransform::forward(float*) const {}
void BoxTransform::inverse(float*) const {}

}  // namespace parallax

#endif
