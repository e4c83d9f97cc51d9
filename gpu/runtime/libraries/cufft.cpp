// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/libraries/cufft.hpp"

#if __has_include(<cufft.h>) && !defined(PARALLAX_EMULATED_DEVICE)  // the emulated device has no toolkit headers
#include <cufft.h>
#define PARALLAX_HAS_CUFFT_HEADER 1
#endif

#include <type_traits>

#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/libraries/shared_library.hpp"

namespace parallax::gpu {
namespace {

// The functions in use, by their C types. These are the same in every version since 9 and are checked against the header if there is one.
using Plan = int;
using Extent = long long;
constexpr int kRealToComplex = 0x2a, kComplexToReal = 0x2c, kRealToComplex64 = 0x6a, kComplexToReal64 = 0x6c;
constexpr int kSuccess = 0, kAllocationFailed = 2;

#if defined(PARALLAX_HAS_CUFFT_HEADER)
// Enumerations are passed as ints.
static_assert(std::is_same_v<cufftHandle, Plan> && sizeof(cufftResult) == sizeof(int) && sizeof(cufftType) == sizeof(int));
static_assert(CUFFT_R2C == kRealToComplex && CUFFT_C2R == kComplexToReal && CUFFT_ALLOC_FAILED == kAllocationFailed);
static_assert(CUFFT_D2Z == kRealToComplex64 && CUFFT_Z2D == kComplexToReal64);
static_assert(std::is_same_v<decltype(&cufftMakePlanMany64), cufftResult (*)(Plan, int, Extent*, Extent*, Extent, Extent, Extent*, Extent,
                                                                             Extent, cufftType, Extent, std::size_t*)>);
static_assert(std::is_same_v<decltype(&cufftExecR2C), cufftResult (*)(Plan, float*, float2*)> &&
              std::is_same_v<decltype(&cufftExecC2R), cufftResult (*)(Plan, float2*, float*)> &&
              std::is_same_v<decltype(&cufftExecD2Z), cufftResult (*)(Plan, double*, double2*)> &&
              std::is_same_v<decltype(&cufftExecZ2D), cufftResult (*)(Plan, double2*, double*)> &&
              std::is_same_v<decltype(&cufftSetWorkArea), cufftResult (*)(Plan, void*)> &&
              std::is_same_v<decltype(&cufftSetStream), cufftResult (*)(Plan, cudaStream_t)> &&
              std::is_same_v<decltype(&cufftSetAutoAllocation), cufftResult (*)(Plan, int)>);
#endif

struct Library {
    CufftState state;
    void* opened = openToolkitLibrary({"libcufft.so.12", "libcufft.so.11", "libcufft.so"}, state.reason);
    int (*create)(Plan*) = load("cufftCreate");
    int (*destroy)(Plan) = load("cufftDestroy");
    int (*setAutoAllocation)(Plan, int) = load("cufftSetAutoAllocation");
    int (*setWorkArea)(Plan, void*) = load("cufftSetWorkArea");
    int (*setStream)(Plan, cudaStream_t) = load("cufftSetStream");
    int (*makePlanMany)(Plan, int rank, Extent* n, Extent* inputEmbed, Extent inputStride, Extent inputDistance, Extent* outputEmbed,
                        Extent outputStride, Extent outputDistance, int type, Extent batch,
                        std::size_t* workBytes) = load("cufftMakePlanMany64");
    int (*realToComplex)(Plan, float*, float2*) = load("cufftExecR2C");
    int (*complexToReal)(Plan, float2*, float*) = load("cufftExecC2R");
    int (*realToComplex64)(Plan, double*, double2*) = load("cufftExecD2Z");
    int (*complexToReal64)(Plan, double2*, double*) = load("cufftExecZ2D");
    int (*version)(int*) = load("cufftGetVersion");

    Library() {
        state.loaded = opened && state.reason.empty();
        if (int number = 0; state.loaded && version(&number) == kSuccess)
            state.version = std::to_string(number / 1000) + "." + std::to_string(number / 100 % 10) + "." + std::to_string(number % 100);
    }

private:
    struct Address {
        void* value;
        template <class F>
        operator F*() const {
            return reinterpret_cast<F*>(value);
        }
    };
    Address load(const char* name) { return {opened ? toolkitFunction(opened, name, state.reason) : nullptr}; }
};

const Library& library() {
    static const Library loaded;
    return loaded;
}

void checkFft(int result, const char* what) {
    if (result == kSuccess) return;
    const std::string why = "cuFFT returned error " + std::to_string(result);
    if (result == kAllocationFailed) throw Error(ErrorCode::memory, what, why, kMemoryAdvice);
    throw Error(ErrorCode::failed, what, why);
}

}  // namespace

const CufftState& cufftState() { return library().state; }

RealTransform::RealTransform(std::int64_t width, std::int64_t height, std::int64_t batch, Direction direction, Precision precision)
    : direction_(direction), precision_(precision) {
    const Library& lib = library();
    if (!lib.state.loaded) throw Error(ErrorCode::unavailable, "cuFFT is not available", lib.state.reason);
    const char* what = "A Fourier transform could not be planned";
    checkFft(lib.create(&plan_), what);
    try {
        checkFft(lib.setAutoAllocation(plan_, 0), what);
        const Extent complexWidth = width / 2 + 1;
        Extent n[] = {height, width}, real[] = {height, 2 * complexWidth}, complex[] = {height, complexWidth};
        const bool forward = direction == Direction::forward;
        const bool isDouble = precision == Precision::twofold;
        const int type = forward ? (isDouble ? kRealToComplex64 : kRealToComplex) : (isDouble ? kComplexToReal64 : kComplexToReal);
        checkFft(lib.makePlanMany(plan_, 2, n, forward ? real : complex, 1, height * (forward ? 2 : 1) * complexWidth,
                                  forward ? complex : real, 1, height * (forward ? 1 : 2) * complexWidth, type, batch, &workBytes_),
                 what);
    } catch (...) {
        (void)lib.destroy(plan_);
        throw;
    }
}

RealTransform::~RealTransform() {
    if (plan_ != kNone) (void)library().destroy(plan_);
}

void RealTransform::begin(Precision precision, void* work, cudaStream_t stream) {
    if (precision != precision_) throw Error(ErrorCode::failed, "A Fourier transform was planned for another precision");
    const char* what = "A Fourier transform failed";
    checkFft(library().setStream(plan_, stream), what);
    if (workBytes_ > 0) checkFft(library().setWorkArea(plan_, work), what);
}

void RealTransform::run(float* planes, void* work, cudaStream_t stream) {
    begin(Precision::single, work, stream);
    const Library& f = library();
    auto* complex = reinterpret_cast<float2*>(planes);
    checkFft(direction_ == Direction::forward ? f.realToComplex(plan_, planes, complex) : f.complexToReal(plan_, complex, planes),
             "A Fourier transform failed");
}

void RealTransform::run(double* planes, void* work, cudaStream_t stream) {
    begin(Precision::twofold, work, stream);
    const Library& f = library();
    auto* complex = reinterpret_cast<double2*>(planes);
    checkFft(direction_ == Direction::forward ? f.realToComplex64(plan_, planes, complex) : f.complexToReal64(plan_, complex, planes),
             "A Fourier transform failed");
}

}  // namespace parallax::gpu
