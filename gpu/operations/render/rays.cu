// SPDX-License-Identifier: GPL-3.0-or-later
// One thread for each ray; a warp has 8 x 4 pixels. Kernels for volumes with gaps are apart: the one that does not fit ends at once.
#include "gpu/operations/render/launchers.hpp"
#include "gpu/operations/render/ordered_bits.cuh"
#include "gpu/operations/render/volume.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of rendering could not be started";
constexpr int kBlockWidth = 8, kBlockHeight = 16, kThreads = kBlockWidth * kBlockHeight;

/// `Sign` -1: the minimum, as the largest negative.
template <bool Gaps, int Sign>
__device__ __forceinline__ float extremum(const DeviceVolume<Gaps>& volume, const RenderSetup& s, const render::FixedRay& ray, int samples,
                                          float nothing) {
    float best = -INFINITY;
    march(
        volume, s, ray, samples, [&](float key) { return key <= best; },
        [&](int, const Place& place) {
            bool there = true;
            const float value = Sign * volume.at(place, there);
            if (!Gaps || there) best = fmaxf(best, value);
            return false;
        });
    return best > -INFINITY ? Sign * best : nothing;
}

template <bool Gaps>
__device__ __forceinline__ float mean(const DeviceVolume<Gaps>& volume, const RenderSetup& s, const render::FixedRay& ray, int samples,
                                      float nothing) {
    constexpr int kPart = 32;  // of a sum, so that it has few roundings
    float sum = 0, part = 0;
    int count = 0;
    march(
        volume, s, ray, samples, [](float) { return false; },
        [&](int k, const Place& place) {
            bool there = true;
            const float value = volume.at(place, there);
            if (!Gaps || there) {
                part += value;
                ++count;
            }
            if (k % kPart == kPart - 1) {
                sum += part;
                part = 0;
            }
            return false;
        });
    return count > 0 ? (sum + part) / static_cast<float>(count) : nothing;
}

struct Light {
    const float* direction;
    float facing, soft;
};

/// Light of the first place with the value of the threshold; 0 if there is none.
template <bool Gaps>
__device__ __forceinline__ float surface(const DeviceVolume<Gaps>& volume, const RenderSetup& s, const render::FixedRay& ray, int samples,
                                         const Light& light) {
    int hit = -1;
    Place at{};
    march(
        volume, s, ray, samples, [&](float key) { return key < s.threshold; },
        [&](int k, const Place& place) {
            bool there = true;
            const float value = volume.at(place, there);
            if ((Gaps && !there) || !(value >= s.threshold)) return false;
            hit = k;
            at = place;
            return true;
        });
    if (hit < 0) return 0;
    // The face of the box cuts through what is inside of the surface.
    if (hit == 0) return render::kAmbient + render::kDiffuse * light.facing;
    bool there = true;
    const float inside = volume.at(at, there);
    Place before = at;
#pragma unroll
    for (int a = 0; a < 3; ++a) before.at[a] -= ray.delta[a];
    const float outside = volume.at(before, there);
    if (there && outside < s.threshold) {
        const double share = static_cast<double>(fminf((s.threshold - outside) / (inside - outside), 1.0F));
#pragma unroll
        for (int a = 0; a < 3; ++a) at.at[a] = before.at[a] + static_cast<std::int64_t>(share * static_cast<double>(ray.delta[a]));
    }
    return volume.shadeAt(at, s.threshold, light.direction, s.halfPerSpacing, light.soft);
}

template <bool Gaps>
__device__ __forceinline__ void composite(const DeviceVolume<Gaps>& volume, const RenderSetup& s, const render::FixedRay& ray, int samples,
                                          const Light& light, float* colour) {
    const auto low = static_cast<float>(s.table.low), perUnit = static_cast<float>(s.table.perUnit);
    float passing = 1;
    march(
        volume, s, ray, samples, [](float key) { return key < 0.5F; },
        [&](int, const Place& place) {
            bool there = true;
            const float value = volume.at(place, there);
            if (Gaps && !there) return false;
            const float at = fminf(fmaxf((value - low) * perUnit, 0.0F), 1024.0F);
            const int entry = static_cast<int>(at);
            const float f = at - static_cast<float>(entry);
            const float4 a = __ldg(s.table.entries + entry), b = __ldg(s.table.entries + entry + 1);
            const float opacity = mixed(a.w, b.w, f);
            if (!(opacity > 0)) return false;
            float weight = passing * opacity;
            passing -= weight;
            if (s.shading) weight *= volume.shadeAt(place, value, light.direction, s.halfPerSpacing, light.soft);
            colour[0] += weight * mixed(a.x, b.x, f);
            colour[1] += weight * mixed(a.y, b.y, f);
            colour[2] += weight * mixed(a.z, b.z, f);
            return !(passing > render::kOpaque);
        });
}

template <RenderMode Mode, bool Gaps>
__global__ void __launch_bounds__(kThreads) raysKernel(RenderSetup s, View<const float> samples, View<float> out) {
    if ((s.facts->gaps != 0) != Gaps) return;
    const std::int64_t x = std::int64_t{blockIdx.x} * kBlockWidth + threadIdx.x, y = std::int64_t{blockIdx.y} * kBlockHeight + threadIdx.y;
    if (x >= out.shape.width || y >= out.shape.height) return;
    const DeviceVolume<Gaps> volume(samples);
    const bool any = s.facts->low <= s.facts->high;
    const float smallest = any ? fromOrderedBits(s.facts->low) : 0, largest = any ? fromOrderedBits(s.facts->high) : 0;
    const render::RayPath path = render::makePath(s.frame, x, y);
    const render::FixedRay ray = render::fixedRay(path);
    if constexpr (Mode == RenderMode::maximum) {
        out.at(x, y) = extremum<Gaps, 1>(volume, s, ray, path.samples, smallest);
    } else if constexpr (Mode == RenderMode::minimum) {
        out.at(x, y) = extremum<Gaps, -1>(volume, s, ray, path.samples, smallest);
    } else if constexpr (Mode == RenderMode::mean) {
        out.at(x, y) = mean<Gaps>(volume, s, ray, path.samples, smallest);
    } else {
        const float direction[3] = {static_cast<float>(path.direction[0]), static_cast<float>(path.direction[1]),
                                    static_cast<float>(path.direction[2])};
        const Light light{
            direction, static_cast<float>(path.facing),
            static_cast<float>(render::softGradient(static_cast<double>(smallest), static_cast<double>(largest), s.finestSpacing))};
        float colour[3] = {0, 0, 0};
        if constexpr (Mode == RenderMode::surface) {
            const float lit = surface<Gaps>(volume, s, ray, path.samples, light);
            for (int c = 0; c < 3; ++c) colour[c] = render::surfaceColour(c) * lit;
        } else {
            composite<Gaps>(volume, s, ray, path.samples, light, colour);
        }
        for (int c = 0; c < 3; ++c) out.at(x, y, 0, c) = colour[c];
    }
}

template <RenderMode Mode>
void launchRays(const RenderSetup& s, const View<const float>& volume, const View<float>& out, cudaStream_t stream) {
    const dim3 threads(kBlockWidth, kBlockHeight);
    const dim3 blocks(static_cast<unsigned>((out.shape.width + kBlockWidth - 1) / kBlockWidth),
                      static_cast<unsigned>((out.shape.height + kBlockHeight - 1) / kBlockHeight));
    raysKernel<Mode, false><<<blocks, threads, 0, stream>>>(s, volume, out);
    checkLaunch(kFailed);
    raysKernel<Mode, true><<<blocks, threads, 0, stream>>>(s, volume, out);
    checkLaunch(kFailed);
}

template <RenderMode Mode>
void preloadRays() {
    preload(raysKernel<Mode, false>);
    preload(raysKernel<Mode, true>);
}

}  // namespace

void launchRender(const RenderSetup& s, const View<const float>& volume, const View<float>& out, cudaStream_t stream) {
    launchBricks(s, volume, stream);
    switch (s.mode) {
        case RenderMode::maximum: return launchRays<RenderMode::maximum>(s, volume, out, stream);
        case RenderMode::minimum: return launchRays<RenderMode::minimum>(s, volume, out, stream);
        case RenderMode::mean: return launchRays<RenderMode::mean>(s, volume, out, stream);
        case RenderMode::surface: return launchRays<RenderMode::surface>(s, volume, out, stream);
        case RenderMode::transfer: return launchRays<RenderMode::transfer>(s, volume, out, stream);
    }
}

void preloadRender(RenderMode mode) {
    preloadBricks();
    switch (mode) {
        case RenderMode::maximum: return preloadRays<RenderMode::maximum>();
        case RenderMode::minimum: return preloadRays<RenderMode::minimum>();
        case RenderMode::mean: return preloadRays<RenderMode::mean>();
        case RenderMode::surface: return preloadRays<RenderMode::surface>();
        case RenderMode::transfer: return preloadRays<RenderMode::transfer>();
    }
}

}  // namespace parallax::gpu
