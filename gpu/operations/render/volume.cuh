// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a volume along a ray.
#pragma once

#include "core/operations/render/formulas.hpp"
#include "gpu/operations/render/kernels.hpp"

namespace parallax::gpu {

/// A position in units of 2^-32 samples.
struct Place {
    std::int64_t at[3];
    __device__ __forceinline__ int whole(int a) const { return static_cast<int>(at[a] >> 32); }
    /// 23 bits of the rest, in [0, 1).
    __device__ __forceinline__ float rest(int a) const {
        return __int_as_float(0x3f800000 | static_cast<int>(static_cast<unsigned>(at[a]) >> 9)) - 1.0F;
    }
};

__device__ __forceinline__ float mixed(float a, float b, float f) { return __fmaf_rn(f, b - a, a); }

/// One channel. With gaps, a value may be absent: `there` says whether enough of the neighbours are finite.
template <bool Gaps>
struct DeviceVolume {
    const float* samples;
    int size[3];
    int rowStride;
    std::int64_t sliceStride;

    __device__ explicit DeviceVolume(const View<const float>& v)
        : samples(v.data),
          size{static_cast<int>(v.shape.width), static_cast<int>(v.shape.height), static_cast<int>(v.shape.depth)},
          rowStride(static_cast<int>(v.rowStride)),
          sliceStride(v.sliceStride) {}

    __device__ __forceinline__ int clamped(int i, int a) const { return min(max(i, 0), size[a] - 1); }

    /// Trilinear interpolation.
    __device__ __forceinline__ float at(const Place& place, bool& there) const {
        const int x = place.whole(0), y = place.whole(1), z = place.whole(2);
        const float fx = place.rest(0), fy = place.rest(1), fz = place.rest(2);
        const int x0 = clamped(x, 0), x1 = clamped(x + 1, 0);
        const int y0 = clamped(y, 1) * rowStride, y1 = clamped(y + 1, 1) * rowStride;
        const float* const near = samples + clamped(z, 2) * sliceStride;
        const float* const far = samples + clamped(z + 1, 2) * sliceStride;
        const float v000 = __ldg(near + y0 + x0), v001 = __ldg(near + y0 + x1), v010 = __ldg(near + y1 + x0), v011 = __ldg(near + y1 + x1);
        const float v100 = __ldg(far + y0 + x0), v101 = __ldg(far + y0 + x1), v110 = __ldg(far + y1 + x0), v111 = __ldg(far + y1 + x1);
        there = true;
        if constexpr (!Gaps) {
            return mixed(mixed(mixed(v000, v001, fx), mixed(v010, v011, fx), fy), mixed(mixed(v100, v101, fx), mixed(v110, v111, fx), fy),
                         fz);
        } else {
            float sum = 0, weights = 0;
            const auto add = [&](float value, float weight) {
                if (!isfinite(value)) return;
                sum += weight * value;
                weights += weight;
            };
            const float gx = 1 - fx, gy = 1 - fy, gz = 1 - fz;
            add(v000, gz * gy * gx);
            add(v001, gz * gy * fx);
            add(v010, gz * fy * gx);
            add(v011, gz * fy * fx);
            add(v100, fz * gy * gx);
            add(v101, fz * gy * fx);
            add(v110, fz * fy * gx);
            add(v111, fz * fy * fx);
            there = weights >= render::kLeastWeight;
            return there ? sum / weights : 0;
        }
    }

    /// Light at a place with this value.
    __device__ float shadeAt(const Place& place, float value, const float* direction, const float* halfPerSpacing, float soft) const {
        float along = 0, squares = 0;
#pragma unroll
        for (int a = 0; a < 3; ++a) {
            constexpr std::int64_t kOne = std::int64_t{1} << 32;
            Place side = place;
            bool there = true;
            side.at[a] = place.at[a] - kOne;
            float before = at(side, there);
            if (!there) before = value;
            side.at[a] = place.at[a] + kOne;
            float after = at(side, there);
            if (!there) after = value;
            const float slope = (after - before) * halfPerSpacing[a];
            along += slope * direction[a];
            squares += slope * slope;
        }
        return render::shade(along, squares, soft);
    }
};

/// Samples of a ray from a place on that are surely in its brick: at least 1.
struct BrickSteps {
    float perSample[3];  ///< steps for the distance of two samples
    __device__ explicit BrickSteps(const render::FixedRay& ray) {
#pragma unroll
        for (int a = 0; a < 3; ++a) {
            const float d = fabsf(static_cast<float>(ray.delta[a]) * 0x1p-32F);
            perSample[a] = d > 1e-9F ? 1 / d : 1e9F;
        }
    }
    __device__ __forceinline__ int from(const Place& place, const int* cell, const render::FixedRay& ray) const {
        float steps = 1e6F;
#pragma unroll
        for (int a = 0; a < 3; ++a) {
            const int first = cell[a] & ~(kBrick - 1), whole = place.whole(a);
            const float rest = place.rest(a);
            const float distance =
                ray.delta[a] >= 0 ? static_cast<float>(first + kBrick - whole) - rest : static_cast<float>(whole - first) + rest;
            steps = fminf(steps, distance * perSample[a]);
        }
        // Short of the border by a part of a step, for rounding errors.
        return max(1, static_cast<int>(floorf(steps - 0.01F)) + 1);
    }
};

/// Visits the samples of a ray from front to back: visit(k, place) returns true to end. Leaves out bricks for whose key skips(key) is true.
template <bool Gaps, class Skips, class Visit>
__device__ __forceinline__ void march(const DeviceVolume<Gaps>& volume, const RenderSetup& s, const render::FixedRay& ray, int samples,
                                      Skips&& skips, Visit&& visit) {
    const BrickSteps inBrick(ray);
    Place place{{ray.start[0], ray.start[1], ray.start[2]}};
    for (int k = 0; k < samples;) {
        const int cell[3] = {volume.clamped(place.whole(0), 0), volume.clamped(place.whole(1), 1), volume.clamped(place.whole(2), 2)};
        const std::int64_t brick =
            (static_cast<std::int64_t>(cell[2] >> kBrickBits) * s.bricks[1] + (cell[1] >> kBrickBits)) * s.bricks[0] +
            (cell[0] >> kBrickBits);
        const int end = min(k + inBrick.from(place, cell, ray), samples);
        if (skips(s.keys[brick])) {
#pragma unroll
            for (int a = 0; a < 3; ++a) place.at[a] += (end - k) * ray.delta[a];
            k = end;
            continue;
        }
        for (; k < end; ++k) {
            if (visit(k, place)) return;
#pragma unroll
            for (int a = 0; a < 3; ++a) place.at[a] += ray.delta[a];
        }
    }
}

}  // namespace parallax::gpu
