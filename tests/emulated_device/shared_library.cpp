// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces gpu/runtime/libraries/shared_library.cpp, since libraries of the toolkit need a real device. A stand-in for cuFFT has the
// functions that gpu/ uses: real-to-complex and complex-to-real transforms of batches of planes, computed in double.
#include "gpu/runtime/libraries/shared_library.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <vector>

#include "emulated_device/launch.hpp"

namespace parallax::gpu {
namespace {

using Complex = std::complex<double>;
using Extent = long long;

/// The transform of n numbers, by the smallest remaining factor (Cooley and Tukey 1965).
class Transform {
public:
    Transform(std::size_t n, int sign) : roots_(n), scratch_(n) {
        for (std::size_t k = 0; k < n; ++k)
            roots_[k] = std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    }
    void operator()(const std::vector<Complex>& in, std::vector<Complex>& out) {
        part(in.data(), in.size(), 1, out.data(), scratch_.data());
    }

private:
    // Written out, since the library's product tests for infinities.
    static Complex product(const Complex& a, const Complex& b) {
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    }
    void part(const Complex* in, std::size_t n, std::size_t distance, Complex* out, Complex* scratch) const {
        if (n == 1) {
            out[0] = in[0];
            return;
        }
        std::size_t factor = 2;
        while (n % factor != 0) factor += factor * factor > n ? n - factor : 1;
        const std::size_t m = n / factor;
        for (std::size_t f = 0; f < factor; ++f) part(in + f * distance, m, distance * factor, scratch + f * m, out + f * m);
        for (std::size_t k = 0, at = 0; k < n; ++k, at = at + 1 == m ? 0 : at + 1) {
            Complex sum = scratch[at];
            for (std::size_t f = 1, root = k; f < factor; ++f, root = root + k < n ? root + k : root + k - n)
                sum += product(scratch[f * m + at], roots_[root * distance]);
            out[k] = sum;
        }
    }
    std::vector<Complex> roots_, scratch_;
};

struct Plan {
    std::size_t width = 0, height = 0, batch = 0;
    std::size_t realPitch = 0, complexPitch = 0, realPlane = 0, complexPlane = 0;
    std::size_t workBytes = 0;
    void* work = nullptr;
    cudaStream_t stream = nullptr;
    bool forward = false;
};

std::mutex mutex;
std::map<int, Plan>& plans() {
    static auto* const all = new std::map<int, Plan>;
    return *all;
}
constexpr int kSuccess = 0, kInvalidPlan = 1, kInvalidValue = 4;
constexpr int kRealToComplex = 0x2a, kRealToComplex64 = 0x6a;

template <class F>
int withPlan(int number, F&& f) {
    const std::scoped_lock lock(mutex);
    const auto found = plans().find(number);
    return found == plans().end() ? kInvalidPlan : f(found->second);
}

int create(int* number) {
    static int next = 1;
    const std::scoped_lock lock(mutex);
    plans()[*number = next++] = {};
    return kSuccess;
}
int destroy(int number) {
    const std::scoped_lock lock(mutex);
    return plans().erase(number) > 0 ? kSuccess : kInvalidPlan;
}
int setAutoAllocation(int number, int) {
    return withPlan(number, [](Plan&) { return kSuccess; });
}
int setWorkArea(int number, void* work) {
    return withPlan(number, [&](Plan& p) {
        p.work = work;
        return kSuccess;
    });
}
int setStream(int number, cudaStream_t stream) {
    return withPlan(number, [&](Plan& p) {
        p.stream = stream;
        return kSuccess;
    });
}
int makePlanMany(int number, int rank, Extent* n, Extent* inputEmbed, Extent inputStride, Extent inputDistance, Extent* outputEmbed,
                 Extent outputStride, Extent outputDistance, int type, Extent batch, std::size_t* workBytes) {
    if (rank != 2 || inputStride != 1 || outputStride != 1) return kInvalidValue;
    return withPlan(number, [&](Plan& p) {
        const auto size = [](Extent e) { return static_cast<std::size_t>(e); };
        p.forward = type == kRealToComplex || type == kRealToComplex64;
        p.height = size(n[0]), p.width = size(n[1]), p.batch = size(batch);
        p.realPitch = size(p.forward ? inputEmbed[1] : outputEmbed[1]);
        p.complexPitch = size(p.forward ? outputEmbed[1] : inputEmbed[1]);
        p.realPlane = size(p.forward ? inputDistance : outputDistance);
        p.complexPlane = size(p.forward ? outputDistance : inputDistance);
        if (p.realPitch < p.width || p.complexPitch < p.width / 2 + 1) return kInvalidValue;
        p.workBytes = *workBytes = p.width * p.height * sizeof(float);
        return kSuccess;
    });
}

/// Transforms one plane, rows and columns in the order of the direction. Unnormalised.
template <class Real, class Pair>
void transform(const Plan& p, Real* real, Pair* complex) {
    const std::size_t half = p.width / 2 + 1;
    std::vector<std::vector<Complex>> rows(p.height, std::vector<Complex>(p.width));
    const auto columns = [&](int sign) {
        Transform along(p.height, sign);
        std::vector<Complex> column(p.height), result(p.height);
        for (std::size_t x = 0; x < half; ++x) {
            for (std::size_t y = 0; y < p.height; ++y) column[y] = rows[y][x];
            along(column, result);
            for (std::size_t y = 0; y < p.height; ++y) rows[y][x] = result[y];
        }
    };
    Transform along(p.width, p.forward ? -1 : 1);
    std::vector<Complex> whole(p.width);
    if (p.forward) {
        for (std::size_t y = 0; y < p.height; ++y) {
            const Real* const from = real + y * p.realPitch;
            std::copy_n(from, p.width, whole.begin());
            along(whole, rows[y]);
        }
        columns(-1);
        for (std::size_t y = 0; y < p.height; ++y)
            for (std::size_t x = 0; x < half; ++x)
                complex[y * p.complexPitch + x] = Pair{static_cast<Real>(rows[y][x].real()), static_cast<Real>(rows[y][x].imag())};
        return;
    }
    for (std::size_t y = 0; y < p.height; ++y)
        for (std::size_t x = 0; x < half; ++x) {
            const Pair v = complex[y * p.complexPitch + x];
            rows[y][x] = {static_cast<double>(v.x), static_cast<double>(v.y)};
        }
    columns(1);
    for (std::size_t y = 0; y < p.height; ++y) {
        // The second half is the mirrored, conjugated first half.
        for (std::size_t x = 0; x < p.width; ++x) whole[x] = x < half ? rows[y][x] : std::conj(rows[y][p.width - x]);
        whole[0] = whole[0].real();
        if (p.width % 2 == 0) whole[p.width / 2] = whole[p.width / 2].real();
        along(whole, rows[y]);
        for (std::size_t x = 0; x < p.width; ++x) real[y * p.realPitch + x] = static_cast<Real>(rows[y][x].real());
    }
}

template <class Real, class Pair>
int execute(int number, bool forward, Real* real, Pair* complex) {
    return withPlan(number, [&](const Plan& p) {
        if (p.forward != forward || !p.work) return kInvalidValue;
        const cudaError_t e = emulatedDevice::enqueueWork(p.stream, "cuFFT", [p, real, complex] {
            std::memset(p.work, 0xEE, p.workBytes);  // detects a workspace that is too small
            for (std::size_t b = 0; b < p.batch; ++b) transform(p, real + b * p.realPlane, complex + b * p.complexPlane);
        });
        return e == cudaSuccess ? kSuccess : kInvalidValue;
    });
}
int realToComplex(int number, float* in, float2* out) { return execute(number, true, in, out); }
int complexToReal(int number, float2* in, float* out) { return execute(number, false, out, in); }
int realToComplex64(int number, double* in, double2* out) { return execute(number, true, in, out); }
int complexToReal64(int number, double2* in, double* out) { return execute(number, false, out, in); }
int version(int* number) {
    *number = 0;
    return kSuccess;
}

const char kCufft[] = "the stand-in for cuFFT";

}  // namespace

void* openToolkitLibrary(std::initializer_list<const char*> names, std::string& reason) {
    const std::string first = *names.begin();
    if (first.starts_with("libcufft.")) return const_cast<char*>(kCufft);
    reason = first + " is not used with an emulated device";
    return nullptr;
}

void* toolkitFunction(void* library, const char* name, std::string& reason) {
    const std::pair<const char*, void*> functions[] = {{"cufftCreate", reinterpret_cast<void*>(&create)},
                                                       {"cufftDestroy", reinterpret_cast<void*>(&destroy)},
                                                       {"cufftSetAutoAllocation", reinterpret_cast<void*>(&setAutoAllocation)},
                                                       {"cufftSetWorkArea", reinterpret_cast<void*>(&setWorkArea)},
                                                       {"cufftSetStream", reinterpret_cast<void*>(&setStream)},
                                                       {"cufftMakePlanMany64", reinterpret_cast<void*>(&makePlanMany)},
                                                       {"cufftExecR2C", reinterpret_cast<void*>(&realToComplex)},
                                                       {"cufftExecC2R", reinterpret_cast<void*>(&complexToReal)},
                                                       {"cufftExecD2Z", reinterpret_cast<void*>(&realToComplex64)},
                                                       {"cufftExecZ2D", reinterpret_cast<void*>(&complexToReal64)},
                                                       {"cufftGetVersion", reinterpret_cast<void*>(&version)}};
    for (const auto& [known, function] : functions)
        if (library == kCufft && std::strcmp(known, name) == 0) return function;
    reason = std::string("the emulated device has no function ") + name;
    return nullptr;
}

}  // namespace parallax::gpu
