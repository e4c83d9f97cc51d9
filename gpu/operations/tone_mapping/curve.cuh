// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of histogram adjustment from counts of brightness, by one block: adjustmentCurve() of
// operations/tone_mapping/histogram_adjustment.cpp. Counts after the ceiling are not integers; their running sums use fixed-point numbers,
// which are exact in any order, so that all variants of the scan agree.
#pragma once

#include "gpu/operations/tone_mapping/launchers.hpp"
#include "gpu/primitives/reduction_parts.cuh"

namespace parallax::gpu::tonemap {

inline constexpr int kCurveThreads = 1024;
inline constexpr int kCurveBins = (kMaximumToneBins + kCurveThreads) / kCurveThreads;  ///< per thread; bins + 1 edges
inline constexpr double kTrimmingTolerance = 0.025;                                    // of [WRP97]
inline constexpr int kFixedPointBits = 60;                                             ///< of the sum of all counts

/// Sums over all threads in a fixed order, and returns the sum in all of them.
__device__ __forceinline__ double sumOfBlock(double mine) {
    __shared__ double sum;
    reduceBlock<kCurveThreads>(mine, [](double& a, double b) { a += b; });
    if (threadIdx.x == 0) sum = mine;
    __syncthreads();
    const double all = sum;
    __syncthreads();
    return all;
}

/// Applies the ceiling to the counts, decides whether there is a curve, and stores fixed-point counts in memory.fixed.
__device__ __forceinline__ void applyCeiling(const ToneSetup& s, const ToneMemory& memory) {
    ToneState& state = *memory.state;
    const int thread = static_cast<int>(threadIdx.x), bins = s.bins;
    double mine[kCurveBins];
    double sum = 0;
#pragma unroll
    for (int i = 0; i < kCurveBins; ++i) {
        const int bin = thread + i * kCurveThreads;
        std::uint64_t count = bin < bins ? memory.counts[bin] : 0;
        // Values that rounding moved beyond the limits belong to the first and the last bin.
        if (bin == 0) count += memory.counts[bins];
        if (bin == bins - 1) count += memory.counts[bins + 1];
        mine[i] = static_cast<double>(count);
        sum += mine[i];
    }
    const double all = sumOfBlock(sum), range = state.range, logRange = std::log(s.displayRange);
    // The ceiling must not raise contrast, so a range that fits is left unchanged. Without a range there is nothing to distribute.
    const bool linear = !(range > 0) || !(all > 0) || (s.ceiling && range <= logRange);
    double total = all, taken = 0, inTurn = 0;
    if (!linear && s.ceiling) do {
            const double ceiling = total * (range / bins / logRange);
            double above = 0;
#pragma unroll
            for (double& count : mine)
                if (count > ceiling) {
                    above += count - ceiling;
                    count = ceiling;
                }
            inTurn = sumOfBlock(above);
            taken += inTurn;
            total -= inTurn;
        } while (inTurn > kTrimmingTolerance * all);
    const double scale = total > 0 ? std::ldexp(1.0, kFixedPointBits - 1 - std::ilogb(total)) : 0;
#pragma unroll
    for (int i = 0; i < kCurveBins; ++i) {
        const int bin = thread + i * kCurveThreads;
        if (bin < bins) memory.fixed[bin] = static_cast<std::uint64_t>(mine[i] * scale);
        if (bin == bins) memory.fixed[bin] = 0;  // so that the last running sum is the total
    }
    if (thread > 0) return;
    state.linear = 0;
    state.trimmed = linear ? 0 : taken / all;
    if (linear) state.linear = state.largest > 0 ? tone::withinFloat(1 / state.largest) : 1;
}

/// In-place exclusive prefix sum by one block of kCurveThreads.
__device__ __forceinline__ void scanInBlock(std::uint64_t* values, int n) {
    __shared__ std::uint64_t ofWarps[kCurveThreads / kLanes];
    const int thread = static_cast<int>(threadIdx.x), lane = thread % kLanes, warp = thread / kLanes;
    const int each = (n + kCurveThreads - 1) / kCurveThreads, first = min(thread * each, n), last = min(first + each, n);
    std::uint64_t mine = 0;
    for (int i = first; i < last; ++i) mine += values[i];
    const auto scanWarp = [lane](std::uint64_t x) {  // inclusive
#pragma unroll
        for (int distance = 1; distance < kLanes; distance *= 2) {
            const std::uint64_t before = __shfl_up_sync(kAllLanes, static_cast<unsigned long long>(x), static_cast<unsigned>(distance));
            if (lane >= distance) x += before;
        }
        return x;
    };
    const std::uint64_t ofLanes = scanWarp(mine);
    if (lane == kLanes - 1) ofWarps[warp] = ofLanes;
    __syncthreads();
    if (warp == 0) {
        const std::uint64_t own = ofWarps[lane];
        ofWarps[lane] = scanWarp(own) - own;
    }
    __syncthreads();
    std::uint64_t running = ofWarps[warp] + ofLanes - mine;
    for (int i = first; i < last; ++i) {
        const std::uint64_t value = values[i];
        values[i] = running;
        running += value;
    }
}

__device__ __forceinline__ void normaliseCurve(const ToneSetup& s, const ToneMemory& memory) {
    const double total = static_cast<double>(memory.fixed[s.bins]);
    for (int i = static_cast<int>(threadIdx.x); i <= s.bins; i += kCurveThreads)
        memory.cumulative[i] = total > 0 ? static_cast<float>(static_cast<double>(memory.fixed[i]) / total) : 0;
}

}  // namespace parallax::gpu::tonemap
