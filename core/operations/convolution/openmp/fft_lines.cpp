// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/operations/convolution/openmp/fft_lines.hpp"

#include "core/image/error.hpp"

#if defined(PARALLAX_HAS_FFTW)
#include <fftw3.h>

#include <map>
#include <mutex>
#include <utility>

#include "core/image/buffer.hpp"

namespace parallax {

const FftwState& fftwState() {
    static const FftwState state{true, fftwf_version, {}};
    return state;
}

LineTransform::LineTransform(int n) {
    static std::mutex mutex;  // the planner is not thread-safe
    static std::map<std::pair<int, int>, fftwf_plan> plans;
    const std::scoped_lock lock(mutex);
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

}  // namespace parallax

#endif
