// SPDX-License-Identifier: GPL-3.0-or-later
// The emulation itself: does it compute what a device computes, and does it find what a device would not forgive? Each mistake
// that it is there to find is made here once.
#include <gtest/gtest.h>

#include <cuda_pipeline.h>
#include <emulated_device/testing.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

namespace {

void ok(cudaError_t e) { ASSERT_EQ(e, cudaSuccess) << cudaGetErrorString(e); }

/// A stream that does not wait for the legacy one.
struct Stream {
    cudaStream_t s = nullptr;
    Stream() { ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)); }
    ~Stream() { ok(cudaStreamDestroy(s)); }
};

template <class T>
struct DeviceArray {
    T* p = nullptr;
    std::size_t n;
    explicit DeviceArray(std::size_t count) : n(count) { ok(cudaMalloc(&p, n * sizeof(T))); }
    explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
        ok(cudaMemcpy(p, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~DeviceArray() { (void)cudaFree(p); }
    std::vector<T> host() const {
        std::vector<T> values(n);
        EXPECT_EQ(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
        return values;
    }
};

class EmulatedDevice : public testing::Test {
protected:
    void TearDown() override { EXPECT_EQ(emulatedDevice::takeFault(), ""); }
};

/// The fault of what was enqueued; the calls must have failed as well.
void expectFault(const char* part) {
    EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
    const std::string fault = emulatedDevice::takeFault();
    EXPECT_NE(fault.find(part), std::string::npos) << fault;
}

// ---- blocks and warps -------------------------------------------------------------------------------------------------------------

__global__ void indices(uint4* out) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] =
        make_uint4(threadIdx.x + 100 * blockIdx.x, threadIdx.y + 100 * blockIdx.y, threadIdx.z + 100 * blockIdx.z, warpSize);
}

TEST_F(EmulatedDevice, GivesEachThreadItsIndices) {
    const dim3 grid(3, 2, 2), block(5, 3, 2);
    DeviceArray<uint4> out(3 * 2 * 2 * 5 * 3 * 2);
    indices<<<grid, block>>>(out.p);
    const std::vector<uint4> all = out.host();
    std::size_t i = 0;
    for (unsigned b = 0; b < 12; ++b)
        for (unsigned t = 0; t < 30; ++t, ++i) {
            EXPECT_EQ(all[i].x, t % 5 + 100 * (b % 3));
            EXPECT_EQ(all[i].y, t / 5 % 3 + 100 * (b / 3 % 2));
            EXPECT_EQ(all[i].z, t / 15 + 100 * (b / 6));
            EXPECT_EQ(all[i].w, 32U);
        }
}

template <class T>
__global__ void __launch_bounds__(256) sumOfBlock(const T* in, T* out) {
    __shared__ T values[256];
    extern __shared__ __align__(16) unsigned char dynamic[];
    T* const copies = reinterpret_cast<T*>(dynamic);
    copies[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    values[threadIdx.x] = copies[255 - threadIdx.x];
    for (unsigned half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = values[0];
}

TEST_F(EmulatedDevice, SynchronisesThreadsThroughSharedMemory) {
    std::vector<int> values(256 * 20);
    std::iota(values.begin(), values.end(), 7);
    const DeviceArray<int> in(values), out(20);
    sumOfBlock<<<20, 256, 256 * sizeof(int)>>>(in.p, out.p);
    const std::vector<int> sums = out.host();
    for (int b = 0; b < 20; ++b) EXPECT_EQ(sums[static_cast<std::size_t>(b)], 256 * (7 + 256 * b) + 255 * 128);
    // The same by address.
    void* arguments[] = {const_cast<int**>(&in.p), const_cast<int**>(&out.p)};
    ok(cudaMemset(out.p, 0, 20 * sizeof(int)));
    ok(cudaLaunchKernel(sumOfBlock<int>, dim3(20), dim3(256), arguments, 256 * sizeof(int)));
    EXPECT_EQ(out.host(), sums);
}

__global__ void votes(int* out) {
    const int i = static_cast<int>(threadIdx.x);
    out[i] = __syncthreads_count(i % 3 == 0);
    out[64 + i] = __syncthreads_or(i == 63) + 2 * __syncthreads_and(i < 63) + 4 * __syncthreads_and(i < 64);
    const unsigned all = 0xFFFFFFFFU;
    out[128 + i] = static_cast<int>(__ballot_sync(all, i % 2));
    out[192 + i] = __shfl_down_sync(all, i, 3);
    out[256 + i] = __shfl_xor_sync(all, i, 5, 8);
    out[320 + i] = __shfl_up_sync(all, i, 1, 16);
    out[384 + i] = __shfl_sync(all, i, 9);
    out[448 + i] = static_cast<int>(__match_any_sync(all, i % 4));
    out[512 + i] = static_cast<int>(__reduce_add_sync(all, static_cast<unsigned>(i)));
    out[576 + i] = __reduce_min_sync(all, 10 - i);
    // Half of a warp.
    out[640 + i] = i % 32 < 16 ? __shfl_sync(0x0000FFFFU, i, 2) : __shfl_sync(0xFFFF0000U, i, 20);
}

TEST_F(EmulatedDevice, ExecutesVotesAndShuffles) {
    const DeviceArray<int> out(704);
    votes<<<1, 64>>>(out.p);
    const std::vector<int> v = out.host();
    for (int i = 0; i < 64; ++i) {
        const int lane = i % 32, base = i - lane;
        const auto at = [&](int row) { return v[static_cast<std::size_t>(64 * row + i)]; };
        EXPECT_EQ(at(0), 22);
        EXPECT_EQ(at(1), 1 + 0 + 4);
        EXPECT_EQ(at(2), static_cast<int>(0xAAAAAAAAU));
        EXPECT_EQ(at(3), lane + 3 < 32 ? i + 3 : i);
        EXPECT_EQ(at(4), i / 8 * 8 + ((i % 8) ^ 5));
        EXPECT_EQ(at(5), i % 16 ? i - 1 : i);
        EXPECT_EQ(at(6), base + 9);
        EXPECT_EQ(at(7), static_cast<int>(0x11111111U << (i % 4)));
        EXPECT_EQ(at(8), 32 * base + 496);
        EXPECT_EQ(at(9), 10 - (base + 31));
        EXPECT_EQ(at(10), lane < 16 ? base + 2 : base + 20);
    }
}

__global__ void lastBlock(unsigned* ticket, int* values, int* result) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        values[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x > 0) return;
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += values[i];
    *result = sum;
}

TEST_F(EmulatedDevice, TheLastBlockSeesWhatTheOthersWrote) {
    DeviceArray<unsigned> ticket(std::vector<unsigned>{0});
    DeviceArray<int> values(50), result(1);
    for (int round = 0; round < 5; ++round) {
        ok(cudaMemset(result.p, 0, sizeof(int)));
        lastBlock<<<50, 32>>>(ticket.p, values.p, result.p);
        EXPECT_EQ(result.host()[0], 50 * 51 / 2);
        EXPECT_EQ(ticket.host()[0], 0U);
    }
}

__global__ void pipelined(const float4* in, float4* out, bool wait) {
    __shared__ __align__(16) float4 rows[2][32];
    const int i = static_cast<int>(threadIdx.x);
    __pipeline_memcpy_async(&rows[0][i], in + i, sizeof(float4));
    __pipeline_commit();
    __pipeline_memcpy_async(&rows[1][i], in + 32 + i, sizeof(float4));
    __pipeline_commit();
    if (wait) __pipeline_wait_prior(1);
    out[i] = rows[0][i];
    __pipeline_wait_prior(0);
    out[32 + i] = rows[1][i];
}

TEST_F(EmulatedDevice, AsynchronousCopiesArriveWhenWaitedFor) {
    std::vector<float4> values(64);
    for (std::size_t i = 0; i < 64; ++i) values[i] = make_float4(static_cast<float>(i), 1, 2, 3);
    const DeviceArray<float4> in(values), out(64);
    pipelined<<<1, 32>>>(in.p, out.p, true);
    std::vector<float4> got = out.host();
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(got[i].x, static_cast<float>(i));
    pipelined<<<1, 32>>>(in.p, out.p, false);
    got = out.host();
    int wrong = 0;
    for (std::size_t i = 0; i < 32; ++i) wrong += got[i].x != static_cast<float>(i);
    EXPECT_EQ(wrong, 32) << "a copy arrived without a wait";
}

__constant__ int table[4];
__global__ void fromTable(int* out) { out[threadIdx.x] = table[threadIdx.x]; }

TEST_F(EmulatedDevice, ReadsConstantMemory) {
    const int values[4] = {5, 6, 7, 8};
    ok(cudaMemcpyToSymbol(table, values, sizeof values));
    const DeviceArray<int> out(4);
    fromTable<<<1, 4>>>(out.p);
    EXPECT_EQ(out.host(), (std::vector<int>{5, 6, 7, 8}));
}

// ---- mistakes in kernels -----------------------------------------------------------------------------------------------------------

__global__ void forgetsABarrier(int* out, bool barrier) {
    __shared__ int values[128];
    values[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (barrier) __syncthreads();
    out[blockIdx.x * 128 + threadIdx.x] = values[127 - threadIdx.x];
}

TEST_F(EmulatedDevice, RevealsAMissingBarrier) {
    for (const bool barrier : {true, false}) {
        const DeviceArray<int> out(128 * 8);
        forgetsABarrier<<<8, 128>>>(out.p, barrier);
        const std::vector<int> values = out.host();
        int wrong = 0;
        for (int i = 0; i < 128 * 8; ++i) wrong += values[static_cast<std::size_t>(i)] != 127 - i % 128;
        EXPECT_EQ(wrong == 0, barrier);
    }
}

__global__ void someLeave(unsigned limit) {
    if (threadIdx.x >= limit) return;
    __syncthreads();
}
__global__ void twoBarriers() {
    if (threadIdx.x < 32) __syncthreads();
    else __syncthreads();
}
__global__ void laneStaysAway(int* out) {
    if (threadIdx.x == 3) __syncthreads();
    *out = __shfl_sync(0xFFFFFFFFU, 1, 0);
}
__global__ void notInItsMask(int* out) { *out = __shfl_sync(0x1U, 1, 0); }

TEST_F(EmulatedDevice, ReportsABarrierThatSomeThreadsDoNotReach) {
    someLeave<<<2, 64>>>(64);
    ok(cudaDeviceSynchronize());
    someLeave<<<2, 64>>>(60);
    expectFault("60 wait for the block");
    twoBarriers<<<1, 64>>>();
    expectFault("while others wait for it at");
    const DeviceArray<int> out(1);
    laneStaysAway<<<1, 32>>>(out.p);
    expectFault("31 wait for lanes of their warp");
    notInItsMask<<<1, 32>>>(out.p);
    expectFault("a mask that leaves it out");
}

__global__ void writesShared(int at) {
    __shared__ int values[64];
    values[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0) values[at] = 1;
}
__global__ void tooMuchShared() {
    __shared__ float values[48 * 256 + 1];
    values[threadIdx.x] = 0;
}
__global__ void __launch_bounds__(64) bounded() {}
__global__ void writes(int* p, int at) { p[at] = 1; }
__global__ void keepsDynamic(int* out) {
    extern __shared__ int values[];
    values[threadIdx.x] = 3;
    out[threadIdx.x] = values[threadIdx.x];
}

#if defined(__SANITIZE_ADDRESS__)
TEST_F(EmulatedDevice, AccessesOutsideOfArraysEndTheProcess) {
    const auto shared = [](int at) {
        writesShared<<<1, 64>>>(at);
        (void)cudaDeviceSynchronize();
    };
    EXPECT_DEATH(shared(64), "use-after-poison");
    EXPECT_DEATH(shared(-1), "use-after-poison");
    const DeviceArray<int> p(100);
    const auto device = [&](int at) {
        writes<<<1, 1>>>(p.p, at);
        (void)cudaDeviceSynchronize();
    };
    EXPECT_DEATH(device(100), "use-after-poison");
    EXPECT_DEATH(device(-1), "use-after-poison");
}
#else
TEST_F(EmulatedDevice, ReportsWritesOutsideOfArrays) {
    for (const int at : {64, 70, -1}) {
        writesShared<<<1, 64>>>(at);
        expectFault("an array in shared memory of 256 bytes");
    }
    for (const int at : {100, -1}) {
        int* p = nullptr;
        ok(cudaMalloc(&p, 100 * sizeof(int)));
        writes<<<1, 1>>>(p, at);
        ok(cudaDeviceSynchronize());
        EXPECT_NE(cudaFree(p), cudaSuccess);
        const std::string fault = emulatedDevice::takeFault();
        EXPECT_NE(fault.find("400 bytes of device memory"), std::string::npos) << fault;
    }
}
#endif

TEST_F(EmulatedDevice, EnforcesLaunchLimits) {
    tooMuchShared<<<1, 32>>>();
    expectFault("more shared memory than it may have");
    bounded<<<1, 65>>>();
    expectFault("__launch_bounds__");
    bounded<<<1, 1025>>>();
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    bounded<<<dim3(1, 65536), 1>>>();
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    bounded<<<0, 1>>>();
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    // More than 48 KiB must be asked for.
    const DeviceArray<int> out(32);
    keepsDynamic<<<1, 32, 100 * 1024>>>(out.p);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(keepsDynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    ok(cudaFuncSetAttribute(keepsDynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    keepsDynamic<<<1, 32, 100 * 1024>>>(out.p);
    ok(cudaGetLastError());
    EXPECT_EQ(out.host(), std::vector<int>(32, 3));
    ok(cudaGetLastError());
}

// ---- streams, events, memory --------------------------------------------------------------------------------------------------------

__global__ void addTo(int* p, int value) { *p = *p * 3 + value; }

TEST_F(EmulatedDevice, StreamsKeepTheirOrderAndEventsAddToIt) {
    const Stream a, b;
    cudaEvent_t event = nullptr;
    ok(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (int round = 0; round < 50; ++round) {
        const DeviceArray<int> p(std::vector<int>{0});
        for (int i = 1; i < 4; ++i) addTo<<<1, 1, 0, a.s>>>(p.p, i);
        ok(cudaEventRecord(event, a.s));
        ok(cudaStreamWaitEvent(b.s, event));
        addTo<<<1, 1, 0, b.s>>>(p.p, 4);
        ok(cudaStreamSynchronize(b.s));
        EXPECT_EQ(p.host()[0], ((1 * 3 + 2) * 3 + 3) * 3 + 4);
    }
    ok(cudaEventDestroy(event));
}

TEST_F(EmulatedDevice, RevealsAMissingDependency) {
    const Stream a, b;
    std::set<int> results;
    for (int round = 0; round < 50; ++round) {
        const DeviceArray<int> p(std::vector<int>{0});
        addTo<<<1, 1, 0, a.s>>>(p.p, 1);
        addTo<<<1, 1, 0, b.s>>>(p.p, 2);
        ok(cudaDeviceSynchronize());
        results.insert(p.host()[0]);
    }
    EXPECT_EQ(results, (std::set<int>{5, 7}));
}

TEST_F(EmulatedDevice, TheLegacyStreamWaitsForOthersThatDoNotRefuse) {
    cudaStream_t blocking = nullptr;
    ok(cudaStreamCreate(&blocking));
    for (int round = 0; round < 30; ++round) {
        const DeviceArray<int> p(std::vector<int>{0});
        addTo<<<1, 1, 0, blocking>>>(p.p, 1);
        addTo<<<1, 1>>>(p.p, 2);
        addTo<<<1, 1, 0, blocking>>>(p.p, 3);
        ok(cudaDeviceSynchronize());
        EXPECT_EQ(p.host()[0], (1 * 3 + 2) * 3 + 3);
    }
    ok(cudaStreamDestroy(blocking));
}

TEST_F(EmulatedDevice, PinnedMemoryIsReadWhenTheCopyRunsAndOrdinaryMemoryAtTheCall) {
    const Stream stream;
    int* pinned = nullptr;
    ok(cudaMallocHost(&pinned, sizeof(int)));
    const DeviceArray<int> p(1);
    std::set<int> seen;
    for (int round = 0; round < 40; ++round) {
        *pinned = 1;
        ok(cudaMemcpyAsync(p.p, pinned, sizeof(int), cudaMemcpyHostToDevice, stream.s));
        *pinned = 2;  // too early
        ok(cudaStreamSynchronize(stream.s));
        seen.insert(p.host()[0]);
        int ordinary = 1;
        ok(cudaMemcpyAsync(p.p, &ordinary, sizeof(int), cudaMemcpyHostToDevice, stream.s));
        ordinary = 2;
        int back = 0;
        ok(cudaMemcpyAsync(&back, p.p, sizeof(int), cudaMemcpyDeviceToHost, stream.s));
        EXPECT_EQ(back, 1);
    }
    EXPECT_TRUE(seen.contains(2));
    cudaPointerAttributes attributes{};
    ok(cudaPointerGetAttributes(&attributes, pinned));
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    ok(cudaPointerGetAttributes(&attributes, &seen));
    EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
    ok(cudaFreeHost(pinned));
}

TEST_F(EmulatedDevice, RejectsCopiesThatDoNotFit) {
    const DeviceArray<int> p(10);
    int host[20] = {};
    EXPECT_EQ(cudaMemcpy(p.p, host, sizeof host, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(p.p, host, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(host, 0, 4), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy2D(p.p, 16, host, 8, 12, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    (void)cudaGetLastError();
    for (int i = 0; i < 20; ++i) host[i] = i;
    ok(cudaMemset(p.p, 0, 10 * sizeof(int)));
    ok(cudaMemcpy2D(p.p, 12, host, 20, 8, 3, cudaMemcpyHostToDevice));
    EXPECT_EQ(p.host(), (std::vector<int>{0, 1, 0, 5, 6, 0, 10, 11, 0, 0}));
    cudaMemcpy3DParms box{};
    box.srcPtr = make_cudaPitchedPtr(host, 8, 8, 2);
    box.dstPtr = make_cudaPitchedPtr(p.p, 4, 4, 2);
    box.srcPos = make_cudaPos(4, 0, 0);
    box.extent = make_cudaExtent(4, 2, 3);
    box.kind = cudaMemcpyHostToDevice;
    ok(cudaMemcpy3D(&box));
    EXPECT_EQ(p.host(), (std::vector<int>{1, 3, 5, 7, 9, 11, 10, 11, 0, 0}));
}

TEST_F(EmulatedDevice, RunsOutOfMemory) {
    std::size_t free = 0, total = 0;
    ok(cudaMemGetInfo(&free, &total));
    EXPECT_EQ(total, std::size_t{2} << 30);
    char* p = nullptr;
    EXPECT_EQ(cudaMalloc(&p, free + 1), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    ok(cudaMalloc(&p, free));
    char* more = nullptr;
    EXPECT_EQ(cudaMalloc(&more, 1), cudaErrorMemoryAllocation);
    (void)cudaGetLastError();
    ok(cudaFree(p));
    EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    ok(cudaMemGetInfo(&total, &total));
}

TEST_F(EmulatedDevice, PoolsReuseMemoryInTheOrderOfTheStream) {
    const Stream a, b;
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPool_t pool = nullptr;
    ok(cudaMemPoolCreate(&pool, &properties));
    std::uint64_t keep = ~std::uint64_t{0};
    ok(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    const DeviceArray<int> results(20);
    void* first = nullptr;
    for (int i = 0; i < 20; ++i) {
        int* p = nullptr;
        ok(cudaMallocFromPoolAsync(&p, static_cast<std::size_t>(900 + i), pool, a.s));
        if (i == 0) first = p;
        EXPECT_EQ(static_cast<void*>(p), first);
        ok(cudaMemsetAsync(p, i, 900, a.s));
        ok(cudaMemcpyAsync(results.p + i, p, sizeof(int), cudaMemcpyDeviceToDevice, a.s));
        ok(cudaFreeAsync(p, a.s));
    }
    // Another stream gets it only once it is idle.
    int* other = nullptr;
    ok(cudaMallocFromPoolAsync(&other, 1000, pool, b.s));
    ok(cudaStreamSynchronize(a.s));
    const std::vector<int> values = results.host();
    for (int i = 0; i < 20; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i * 0x01010101);
    ok(cudaFreeAsync(other, b.s));
    ok(cudaDeviceSynchronize());
    std::uint64_t reserved = 0, used = 1;
    ok(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    ok(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    EXPECT_EQ(used, 0U);
    EXPECT_GT(reserved, 0U);
    EXPECT_EQ(cudaFreeAsync(first, a.s), cudaErrorInvalidValue) << "released twice";
    (void)cudaGetLastError();
    ok(cudaMemPoolDestroy(pool));
}

TEST_F(EmulatedDevice, EventsAndQueriesMakeProgress) {
    const Stream stream;
    cudaEvent_t first = nullptr, last = nullptr;
    ok(cudaEventCreate(&first));
    ok(cudaEventCreate(&last));
    ok(cudaEventQuery(first));  // never recorded
    ok(cudaEventRecord(first, stream.s));
    const DeviceArray<int> p(std::vector<int>{0});
    for (int i = 0; i < 20; ++i) addTo<<<1, 1, 0, stream.s>>>(p.p, 1);
    ok(cudaEventRecord(last, stream.s));
    int asked = 0;
    while (cudaEventQuery(last) == cudaErrorNotReady) ++asked;
    EXPECT_LT(asked, 100);
    ok(cudaStreamQuery(stream.s));
    float milliseconds = -1;
    ok(cudaEventElapsedTime(&milliseconds, first, last));
    EXPECT_GE(milliseconds, 0);
    ok(cudaEventDestroy(first));
    ok(cudaEventDestroy(last));
}

TEST_F(EmulatedDevice, HostFunctionsRunInTheOrderOfTheStream) {
    const Stream stream;
    std::vector<int> order;
    struct Note {
        std::vector<int>* order;
        int value;
    } notes[3] = {{&order, 1}, {&order, 2}, {&order, 3}};
    for (Note& n : notes)
        ok(cudaLaunchHostFunc(
            stream.s,
            [](void* p) {
                const Note& note = *static_cast<Note*>(p);
                note.order->push_back(note.value);
            },
            &n));
    ok(cudaStreamSynchronize(stream.s));
    EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST_F(EmulatedDevice, GraphsRepeatWhatWasCaptured) {
    const Stream stream, other;
    cudaEvent_t fork = nullptr, join = nullptr;
    ok(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    ok(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    const DeviceArray<int> p(std::vector<int>{1, 1}), copy(2);
    ok(cudaStreamBeginCapture(stream.s, cudaStreamCaptureModeThreadLocal));
    addTo<<<1, 1, 0, stream.s>>>(p.p, 0);
    ok(cudaEventRecord(fork, stream.s));
    ok(cudaStreamWaitEvent(other.s, fork));
    addTo<<<1, 1, 0, other.s>>>(p.p + 1, 1);
    addTo<<<1, 1, 0, stream.s>>>(p.p, 2);
    ok(cudaEventRecord(join, other.s));
    ok(cudaStreamWaitEvent(stream.s, join));
    ok(cudaMemcpyAsync(copy.p, p.p, 2 * sizeof(int), cudaMemcpyDeviceToDevice, stream.s));
    cudaGraph_t graph = nullptr;
    ok(cudaStreamEndCapture(stream.s, &graph));
    EXPECT_EQ(p.host(), (std::vector<int>{1, 1})) << "it ran while it was captured";
    std::size_t nodes = 0;
    ok(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(nodes, 4U);
    cudaGraphExec_t executable = nullptr;
    ok(cudaGraphInstantiate(&executable, graph));
    ok(cudaGraphDestroy(graph));
    int a = 1, b = 1;
    for (int i = 0; i < 5; ++i) {
        ok(cudaGraphLaunch(executable, stream.s));
        a = a * 9 + 2, b = b * 3 + 1;
    }
    ok(cudaStreamSynchronize(stream.s));
    EXPECT_EQ(copy.host(), (std::vector<int>{a, b}));
    ok(cudaGraphExecDestroy(executable));

    // What cannot be captured spoils the capture, and the stream can be used afterwards.
    ok(cudaStreamBeginCapture(stream.s, cudaStreamCaptureModeThreadLocal));
    EXPECT_EQ(cudaStreamSynchronize(stream.s), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(stream.s, &graph), cudaErrorStreamCaptureInvalidated);
    ok(cudaStreamBeginCapture(stream.s, cudaStreamCaptureModeThreadLocal));
    ok(cudaEventRecord(fork, stream.s));
    ok(cudaStreamWaitEvent(other.s, fork));
    addTo<<<1, 1, 0, other.s>>>(p.p, 1);
    EXPECT_EQ(cudaStreamEndCapture(stream.s, &graph), cudaErrorStreamCaptureUnjoined);
    (void)cudaGetLastError();
    addTo<<<1, 1, 0, stream.s>>>(p.p, 0);
    ok(cudaStreamSynchronize(stream.s));
    ok(cudaEventDestroy(fork));
    ok(cudaEventDestroy(join));
}

TEST_F(EmulatedDevice, IdentifiesItselfAsEmulated) {
    cudaDeviceProp p{};
    ok(cudaGetDeviceProperties(&p, 0));
    EXPECT_STREQ(p.name, "Emulated device (no GPU)");
}

}  // namespace
