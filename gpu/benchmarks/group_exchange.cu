// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/benchmarks/group_exchange.hpp"

#include "gpu/parallel/flags.cuh"
#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "A kernel of the exchange could not be started";
constexpr int kRowThreads = 1024;
constexpr int kWarmUp = 100;

/// Calls exchange(round) and times all but the first rounds, in thread 0.
template <class Exchange>
__device__ void timeRounds(int rounds, volatile long long* nanoseconds, Exchange&& exchange) {
    long long start = 0;
    for (int i = 1; i <= kWarmUp + rounds; ++i) {
        if (i == kWarmUp + 1) start = deviceNanoseconds();
        if (!exchange(static_cast<unsigned long long>(i))) return;
    }
    if (threadIdx.x == 0) {
        *nanoseconds = deviceNanoseconds() - start;
        __threadfence_system();
    }
}

__global__ void roundTripKernel(const __grid_constant__ SumLinks links, int rounds, volatile long long* nanoseconds) {
    const int other = 1 - links.member;
    timeRounds(rounds, nanoseconds, [&](unsigned long long round) {
        if (links.member == 0) publish(links.flags[other][0], round);
        if (!waitFor(links.flags[links.member][other], round, links.limits)) return false;
        if (links.member == 1) publish(links.flags[other][1], round);
        return true;
    });
}

__global__ __launch_bounds__(kRowThreads) void rowExchangeKernel(const __grid_constant__ SumLinks links, const double* row, double* above,
                                                                 double* below, std::int64_t count, int rounds,
                                                                 volatile long long* nanoseconds) {
    __shared__ bool goesOn;
    timeRounds(rounds, nanoseconds, [&](unsigned long long round) {
        for (std::int64_t i = threadIdx.x; i < count; i += kRowThreads) {
            if (above) above[i] = row[i];
            if (below) below[i] = row[i];
        }
        fenceDevices();
        __syncthreads();
        if (threadIdx.x == 0) {
            goesOn = true;
            for (const int other : {links.member - 1, links.member + 1})
                if (other >= 0 && other < links.members) publish(links.flags[other][links.member], round);
            for (const int other : {links.member - 1, links.member + 1})
                if (other >= 0 && other < links.members) goesOn = goesOn && waitFor(links.flags[links.member][other], round, links.limits);
        }
        __syncthreads();
        return goesOn;
    });
}

__global__ void sumExchangeKernel(const __grid_constant__ SumLinks links, int rounds, volatile long long* nanoseconds) {
    double sum = 0;
    timeRounds(rounds, nanoseconds, [&](unsigned long long) {
        putSum(links, 0, 1);
        putSum(links, 1, 2);
        if (!exchangeSums(links)) return false;
        sum += sumOfMembers(links, 0) + sumOfMembers(links, 1);
        return true;
    });
    if (sum != 3.0 * links.members * (rounds + kWarmUp)) *nanoseconds = -1;
}

}  // namespace

void launchRoundTrips(const SumLinks& links, int rounds, volatile long long* nanoseconds, cudaStream_t stream) {
    if (links.member > 1) return;
    roundTripKernel<<<1, 1, 0, stream>>>(links, rounds, nanoseconds);
    checkLaunch(kFailed);
}

void launchRowExchange(const SumLinks& links, const double* row, double* above, double* below, std::int64_t count, int rounds,
                       volatile long long* nanoseconds, cudaStream_t stream) {
    rowExchangeKernel<<<1, kRowThreads, 0, stream>>>(links, row, above, below, count, rounds, nanoseconds);
    checkLaunch(kFailed);
}

void launchSumExchange(const SumLinks& links, int rounds, volatile long long* nanoseconds, cudaStream_t stream) {
    sumExchangeKernel<<<1, 1, 0, stream>>>(links, rounds, nanoseconds);
    checkLaunch(kFailed);
}

}  // namespace parallax::gpu
