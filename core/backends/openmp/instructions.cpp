// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/openmp/instructions.hpp"

#define HWY_DISABLED_TARGETS PARALLAX_UNUSED_SIMD_TARGETS
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/backends/openmp/instructions.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace parallax {
namespace HWY_NAMESPACE {

const char* targetNameImpl() { return hwy::TargetName(HWY_TARGET); }
int vectorLanesImpl() { return static_cast<int>(hwy::HWY_NAMESPACE::Lanes(hwy::HWY_NAMESPACE::ScalableTag<float>())); }

}  // namespace HWY_NAMESPACE
}  // namespace parallax
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
#include <cpuid.h>
#endif

#include "core/image/error.hpp"

namespace parallax {

HWY_EXPORT(targetNameImpl);
HWY_EXPORT(vectorLanesImpl);

std::string openmpVectorInstructions() {
    const std::string name = HWY_DYNAMIC_DISPATCH(targetNameImpl)();
    return name == "AVX3" ? "AVX-512" : name;
}

int openmpVectorLanes() { return HWY_DYNAMIC_DISPATCH(vectorLanesImpl)(); }

bool openmpVectorsAtHalfRate() {
#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (openmpVectorLanes() < 16 || __get_cpuid(0, &a, &b, &c, &d) == 0) return false;
    const bool amd = b == signature_AMD_ebx && c == signature_AMD_ecx && d == signature_AMD_edx;
    if (!amd || __get_cpuid(1, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned kFamilyOfZen4 = 25;
    return (a >> 8 & 15U) + (a >> 20 & 255U) == kFamilyOfZen4;
#else
    return false;
#endif
}

void limitVectorInstructions(std::string_view best) {
    if (best.empty() || best == "AVX-512") return;
    std::int64_t disabled = HWY_AVX3 | HWY_AVX3_DL;
    if (best != "AVX2") disabled |= HWY_AVX2;
    if (best == "SSE2") disabled |= HWY_SSE4;
    else if (best != "AVX2" && best != "SSE4")
        throw Error(ErrorCode::usage, "PARALLAX_SIMD is '" + std::string(best) + "'", "allowed are AVX-512, AVX2, SSE4 and SSE2");
    hwy::DisableTargets(disabled);
}

}  // namespace parallax
#endif
