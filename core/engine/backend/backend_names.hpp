// SPDX-License-Identifier: GPL-3.0-or-later
// Titles of the backends: the catalog shows them for plug-ins that cannot be loaded, too.
#pragma once

namespace parallax {

inline constexpr const char* kOpenmpTitle = "OpenMP + SIMD";
inline constexpr const char* kOpencvTitle = "OpenCV";
inline constexpr const char* kCudaTitle = "CUDA";
inline constexpr const char* kMpiTitle = "MPI ranks";

}  // namespace parallax
