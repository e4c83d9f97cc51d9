// SPDX-License-Identifier: GPL-3.0-or-later
// The device side of a block: indices, shared memory, barriers, exchanges between the lanes of a warp.
//
// The threads of a block are fibres of one CPU thread, the blocks of a launch run one after the other, and one launch runs until it ends or
// pauses. A fibre runs until it waits or ends; fibres that never wait share one stack. The order of threads and blocks is random
// (PARALLAX_EMULATED_SEED), so that missing barriers show as wrong results.
#pragma once

#include <vector_types.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Qualifiers. __noinline__ is translated (translate.py): system headers use that word.
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

namespace emulatedDevice {

inline constexpr int kWarpSize = 32;
inline constexpr std::size_t kSharedByDefault = 48 * 1024, kSharedAtMost = 227 * 1024;

/// A source location, for messages and to identify barriers.
struct Place {
    const char* file;
    int line;
};

/// Linear index of the running thread in its block; the index of its warp is a 32nd of it.
extern unsigned linearThread;

/// Ends the launch with an error: the device is lost, as after a fault of a real one.
[[noreturn]] void failKernel(const char* what, Place place);

enum class Vote { none, count, all, any };
/// A barrier of the block. It is an error if a thread of the block has ended or waits elsewhere.
int waitForBlock(Vote vote, bool value, Place place);

enum class Exchange : unsigned char {
    none,
    take,
    ballot,
    matchAny,
    matchAll,
    sum,
    minimum,
    maximum,
    signedMinimum,
    signedMaximum,
    bitAnd,
    bitOr,
    bitXor
};
/// Waits until all lanes of `mask` that have not ended have arrived with the same mask and operation. With Exchange::take the result is
/// `value` of lane `source`, or garbage if that lane does not take part.
std::uint64_t exchange(Exchange operation, unsigned mask, std::uint64_t value, int source, Place place);
/// Lanes of the running thread's warp that have not ended and do not wait: a guess, as on a real device.
unsigned activeLanes();

/// Lets other threads of the block, then other streams and devices run, while a thread waits in a loop for memory that they write.
void pauseKernel();

/// Returns the shared memory of this block for the declaration `key`, initialised with garbage.
void* sharedVariable(const void* key, std::size_t bytes, std::size_t alignment, Place place);
void* dynamicSharedMemory(std::size_t alignment, Place place);
/// Checks the promise of __launch_bounds__.
void checkLaunchBounds(int threads, Place place);

/// Copies of __pipeline_memcpy_async() happen when they are waited for.
void pipelineCopy(void* to, const void* from, std::size_t bytes, std::size_t zeros, Place place);
void pipelineCommit();
void pipelineWait(unsigned batchesLeft);

template <class T, std::size_t Alignment>
T& sharedAs(const void* key, Place place) {
    static_assert(std::is_trivially_destructible_v<std::remove_all_extents_t<T>>);
    constexpr std::size_t alignment = Alignment > alignof(T) ? Alignment : alignof(T);
    return *static_cast<T*>(sharedVariable(key, sizeof(T), alignment, place));
}

}  // namespace emulatedDevice

#define PARALLAX_EMULATED_PLACE (::emulatedDevice::Place{__FILE__, __LINE__})

/// The running thread. Variables rather than macros, since structs of the runtime have members of these names.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
inline constexpr int warpSize = emulatedDevice::kWarpSize;

#define __syncthreads() (static_cast<void>(::emulatedDevice::waitForBlock(::emulatedDevice::Vote::none, false, PARALLAX_EMULATED_PLACE)))
#define __syncthreads_count(x) (::emulatedDevice::waitForBlock(::emulatedDevice::Vote::count, (x) != 0, PARALLAX_EMULATED_PLACE))
#define __syncthreads_and(x) (::emulatedDevice::waitForBlock(::emulatedDevice::Vote::all, (x) != 0, PARALLAX_EMULATED_PLACE))
#define __syncthreads_or(x) (::emulatedDevice::waitForBlock(::emulatedDevice::Vote::any, (x) != 0, PARALLAX_EMULATED_PLACE))

// ---- lanes of a warp ------------------------------------------------------------------------------------------------------------

namespace emulatedDevice {

/// Returns the lane whose value a lane gets, or -1 for its own.
inline int laneOf() { return static_cast<int>(linearThread % kWarpSize); }
inline int sourceOf(int lane, int width) { return laneOf() / width * width + lane % width; }
inline int sourceUp(unsigned distance, int width) {
    const int lane = laneOf() % width - static_cast<int>(distance);
    return lane < 0 ? -1 : laneOf() / width * width + lane;
}
inline int sourceDown(unsigned distance, int width) {
    const int lane = laneOf() % width + static_cast<int>(distance);
    return lane >= width ? -1 : laneOf() / width * width + lane;
}
inline int sourceXor(int bits, int width) {
    const int lane = (laneOf() % width) ^ bits;
    return lane >= width ? -1 : laneOf() / width * width + lane;
}

/// The types that the toolkit's shuffles accept.
template <class T>
concept Shuffled = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long> || std::is_same_v<T, unsigned long> ||
    std::is_same_v<T, long long> || std::is_same_v<T, unsigned long long> || std::is_same_v<T, float> || std::is_same_v<T, double>;

template <Shuffled T>
T shuffle(unsigned mask, T value, int source, Place place) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = exchange(Exchange::take, mask, bits, source < 0 ? laneOf() : source, place);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}
template <class T>
std::uint64_t bitsOf(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

}  // namespace emulatedDevice

#define PARALLAX_EMULATED_SHUFFLE(mask, value, source) ::emulatedDevice::shuffle(mask, value, source, PARALLAX_EMULATED_PLACE)
// The width is optional.
#define __shfl_sync(mask, value, ...) (PARALLAX_EMULATED_SHUFFLE(mask, value, ::emulatedDevice::shuffleSource<0>(__VA_ARGS__)))
#define __shfl_up_sync(mask, value, ...) (PARALLAX_EMULATED_SHUFFLE(mask, value, ::emulatedDevice::shuffleSource<1>(__VA_ARGS__)))
#define __shfl_down_sync(mask, value, ...) (PARALLAX_EMULATED_SHUFFLE(mask, value, ::emulatedDevice::shuffleSource<2>(__VA_ARGS__)))
#define __shfl_xor_sync(mask, value, ...) (PARALLAX_EMULATED_SHUFFLE(mask, value, ::emulatedDevice::shuffleSource<3>(__VA_ARGS__)))

namespace emulatedDevice {
template <int Kind>
int shuffleSource(int argument, int width = kWarpSize) {
    if constexpr (Kind == 0) return sourceOf(argument, width);
    else if constexpr (Kind == 1) return sourceUp(static_cast<unsigned>(argument), width);
    else if constexpr (Kind == 2) return sourceDown(static_cast<unsigned>(argument), width);
    else return sourceXor(argument, width);
}
inline void waitForWarp(Place place, unsigned mask = 0xFFFFFFFFU) { (void)exchange(Exchange::none, mask, 0, 0, place); }
inline unsigned ballot(unsigned mask, bool value, Place place) {
    return static_cast<unsigned>(exchange(Exchange::ballot, mask, value ? 1 : 0, 0, place));
}
/// Only lanes of the mask that take part vote; ended ones do not.
inline bool allOf(unsigned mask, bool value, Place place) { return ballot(mask, !value, place) == 0; }
template <Shuffled T>
unsigned matchAny(unsigned mask, T value, Place place) {
    return static_cast<unsigned>(exchange(Exchange::matchAny, mask, bitsOf(value), 0, place));
}
template <Shuffled T>
unsigned matchAll(unsigned mask, T value, int* predicate, Place place) {
    const auto lanes = static_cast<unsigned>(exchange(Exchange::matchAll, mask, bitsOf(value), 0, place));
    *predicate = lanes != 0 ? 1 : 0;
    return lanes;
}
template <class T>
T reduceWarp(Exchange operation, unsigned mask, T value, Place place) {
    static_assert(std::is_same_v<T, int> || std::is_same_v<T, unsigned>);
    if (std::is_signed_v<T> && operation == Exchange::minimum) operation = Exchange::signedMinimum;
    if (std::is_signed_v<T> && operation == Exchange::maximum) operation = Exchange::signedMaximum;
    return static_cast<T>(static_cast<unsigned>(exchange(operation, mask, static_cast<unsigned>(value), 0, place)));
}
}  // namespace emulatedDevice

#define __syncwarp(...) (::emulatedDevice::waitForWarp(PARALLAX_EMULATED_PLACE __VA_OPT__(, ) __VA_ARGS__))
#define __ballot_sync(mask, x) (::emulatedDevice::ballot(mask, (x) != 0, PARALLAX_EMULATED_PLACE))
#define __any_sync(mask, x) (static_cast<int>(::emulatedDevice::ballot(mask, (x) != 0, PARALLAX_EMULATED_PLACE) != 0))
#define __all_sync(mask, x) (static_cast<int>(::emulatedDevice::allOf(mask, (x) != 0, PARALLAX_EMULATED_PLACE)))
#define __match_any_sync(mask, x) (::emulatedDevice::matchAny(mask, x, PARALLAX_EMULATED_PLACE))
#define __match_all_sync(mask, x, predicate) (::emulatedDevice::matchAll(mask, x, predicate, PARALLAX_EMULATED_PLACE))
#define PARALLAX_EMULATED_REDUCE(operation, mask, x) \
    (::emulatedDevice::reduceWarp(::emulatedDevice::Exchange::operation, mask, x, PARALLAX_EMULATED_PLACE))
#define __reduce_add_sync(mask, x) PARALLAX_EMULATED_REDUCE(sum, mask, x)
#define __reduce_min_sync(mask, x) PARALLAX_EMULATED_REDUCE(minimum, mask, x)
#define __reduce_max_sync(mask, x) PARALLAX_EMULATED_REDUCE(maximum, mask, x)
#define __reduce_and_sync(mask, x) PARALLAX_EMULATED_REDUCE(bitAnd, mask, x)
#define __reduce_or_sync(mask, x) PARALLAX_EMULATED_REDUCE(bitOr, mask, x)
#define __reduce_xor_sync(mask, x) PARALLAX_EMULATED_REDUCE(bitXor, mask, x)
#define __activemask() (::emulatedDevice::activeLanes())
