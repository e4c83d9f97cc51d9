// SPDX-License-Identifier: GPL-3.0-or-later
// Rays of a picture, for host and device code alike. Every backend gets the same bits: they decide how many samples a ray has.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/image/host_device.hpp"

namespace parallax::render {

/// Camera and box in index coordinates, in which sample (i, j, k) of the volume is at (i, j, k).
struct RayFrame {
    double origin[3];           ///< of the centre of pixel (0, 0), in the plane through the centre of the volume
    double right[3], down[3];   ///< to the next pixel
    double forward[3];          ///< away from the viewer, of 1 mm
    double inverse[3];          ///< 1 / forward; 0 where that is 0
    double direction[3];        ///< of `forward`, a unit vector in mm
    double eye[3];              ///< of perspective rays
    double lower[3], upper[3];  ///< of the clipping box
    double spacing[3];          ///< mm
    double step, perStep;       ///< mm between samples of a ray, and 1 / step
    bool perspective;
};

/// Sample k of a ray is at start + k * delta, 0 <= k < samples.
struct RayPath {
    double start[3], delta[3];
    double direction[3];  ///< unit vector in mm, away from the viewer
    double facing;        ///< cosine of the angle between the ray and the normal of the face where it enters the box; 1 if it starts inside
    int samples;          ///< 0: the ray misses the box
};

/// A path in units of 2^-32 samples: positions of all samples of a ray are exact sums.
struct FixedRay {
    std::int64_t start[3], delta[3];
};

// No product may be fused with a sum, which would change bits. Host code that calls these is compiled without contraction.
#if defined(__CUDA_ARCH__) || (defined(__CUDACC__) && defined(PARALLAX_EMULATED_DEVICE))
PARALLAX_HOST_DEVICE inline double product(double a, double b) { return __dmul_rn(a, b); }
PARALLAX_HOST_DEVICE inline double sum(double a, double b) { return __dadd_rn(a, b); }
#else
PARALLAX_HOST_DEVICE inline double product(double a, double b) { return a * b; }
PARALLAX_HOST_DEVICE inline double sum(double a, double b) { return a + b; }
#endif

/// The ray of a pixel. Host code outside of this folder's library calls pathOf(), which is compiled without contraction.
PARALLAX_HOST_DEVICE inline RayPath makePath(const RayFrame& f, std::int64_t x, std::int64_t y) {
    RayPath path{};
    double origin[3], per[3], inverse[3];  // per mm, and mm for each sample; divisions take most of the time of a ray
    for (int a = 0; a < 3; ++a) {
        origin[a] = sum(f.origin[a], sum(product(static_cast<double>(x), f.right[a]), product(static_cast<double>(y), f.down[a])));
        per[a] = f.forward[a];
        inverse[a] = f.inverse[a];
        path.direction[a] = f.direction[a];
    }
    if (f.perspective) {
        double squares = 0;
        for (int a = 0; a < 3; ++a) {
            path.direction[a] = product(origin[a] - f.eye[a], f.spacing[a]);
            squares = sum(squares, product(path.direction[a], path.direction[a]));
        }
        const double length = sqrt(squares);
        for (int a = 0; a < 3; ++a) {
            origin[a] = f.eye[a];
            path.direction[a] = path.direction[a] / length;
            per[a] = path.direction[a] / f.spacing[a];
            inverse[a] = per[a] == 0 ? 0 : 1 / per[a];
        }
    }
    double entry = f.perspective ? 0.0 : -1e300, exit = 1e300;
    path.facing = 1;
    for (int a = 0; a < 3; ++a) {
        if (per[a] == 0) {
            if (!(origin[a] >= f.lower[a] && origin[a] < f.upper[a])) return path;
            continue;
        }
        const double toLower = product(f.lower[a] - origin[a], inverse[a]), toUpper = product(f.upper[a] - origin[a], inverse[a]);
        const double near = toLower < toUpper ? toLower : toUpper, far = toLower < toUpper ? toUpper : toLower;
        if (near > entry) {
            entry = near;
            path.facing = fabs(path.direction[a]);
        }
        if (far < exit) exit = far;
    }
    const double length = exit - entry;
    if (!(length > 0)) return path;
    const double count = floor(sum(product(length, f.perStep), 0.5));
    path.samples = count < 1 ? 1 : static_cast<int>(count);
    const double first = sum(entry, product(0.5, length < f.step ? length : f.step));
    for (int a = 0; a < 3; ++a) {
        path.start[a] = sum(origin[a], product(first, per[a]));
        path.delta[a] = product(f.step, per[a]);
    }
    return path;
}

PARALLAX_HOST_DEVICE inline FixedRay fixedRay(const RayPath& path) {
    FixedRay ray{};
    for (int a = 0; a < 3; ++a) {
        ray.start[a] = static_cast<std::int64_t>(floor(sum(product(path.start[a], 4294967296.0), 0.5)));
        ray.delta[a] = static_cast<std::int64_t>(floor(sum(product(path.delta[a], 4294967296.0), 0.5)));
    }
    return ray;
}

/// makePath() for the host.
RayPath pathOf(const RayFrame& frame, std::int64_t x, std::int64_t y);

}  // namespace parallax::render
