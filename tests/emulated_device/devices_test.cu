// SPDX-License-Identifier: GPL-3.0-or-later
// Machines with several emulated devices: memory, streams, events, peer access, kernels that wait for each other.
#include <gtest/gtest.h>

#include <emulated_device/testing.hpp>

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

void ok(cudaError_t e) { ASSERT_EQ(e, cudaSuccess) << cudaGetErrorString(e); }

/// A machine with three devices; each test begins and ends without peer access.
class EmulatedDevices : public testing::Test {
protected:
    static constexpr int kDevices = 3;
    EmulatedDevices() {
        emulatedDevice::setDeviceCount(kDevices);
        for (int d = 0; d < kDevices; ++d) {
            ok(cudaSetDevice(d));
            ok(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
        }
        ok(cudaSetDevice(0));
    }
    ~EmulatedDevices() override {
        for (int d = 0; d < kDevices; ++d) {
            ok(cudaSetDevice(d));
            ok(cudaStreamDestroy(streams[d]));
            for (int peer = 0; peer < kDevices; ++peer) (void)cudaDeviceDisablePeerAccess(peer);
        }
        (void)cudaGetLastError();
        ok(cudaSetDevice(0));
    }
    void TearDown() override { EXPECT_EQ(emulatedDevice::takeFault(), ""); }

    template <class T>
    static T* allocate(int device, std::size_t n) {
        ok(cudaSetDevice(device));
        T* p = nullptr;
        ok(cudaMalloc(&p, n * sizeof(T)));
        ok(cudaMemset(p, 0, n * sizeof(T)));
        ok(cudaDeviceSynchronize());
        return p;
    }
    static void enable(int device, int peer) {
        ok(cudaSetDevice(device));
        ok(cudaDeviceEnablePeerAccess(peer, 0));
    }
    static int valueAt(const int* p) {
        int value = -1;
        EXPECT_EQ(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
        return value;
    }

    cudaStream_t streams[kDevices] = {};
};

__global__ void store(int* p, int value) { *p = value; }
__global__ void copyOne(const int* from, int* to) { *to = *from; }

TEST_F(EmulatedDevices, HaveTheirOwnMemoryAndIdentity) {
    int count = 0;
    ok(cudaGetDeviceCount(&count));
    EXPECT_EQ(count, 3);
    EXPECT_EQ(cudaSetDevice(3), cudaErrorInvalidDevice);
    (void)cudaGetLastError();
    int* const p = allocate<int>(2, 1 << 20);
    std::size_t free = 0, total = 0;
    ok(cudaMemGetInfo(&free, &total));
    EXPECT_LE(free, total - (4U << 20));
    ok(cudaSetDevice(1));
    ok(cudaMemGetInfo(&free, &total));
    EXPECT_EQ(free, total);
    cudaPointerAttributes attributes{};
    ok(cudaPointerGetAttributes(&attributes, p));
    EXPECT_EQ(attributes.device, 2);
    char first[16], second[16];
    ok(cudaDeviceGetPCIBusId(first, 16, 0));
    ok(cudaDeviceGetPCIBusId(second, 16, 1));
    EXPECT_STRNE(first, second);
    ok(cudaFree(p));
}

TEST_F(EmulatedDevices, LaunchOnlyInStreamsOfTheCurrentDevice) {
    int* const p = allocate<int>(1, 1);
    ok(cudaSetDevice(0));
    store<<<1, 1, 0, streams[1]>>>(p, 5);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
    ok(cudaSetDevice(1));
    store<<<1, 1, 0, streams[1]>>>(p, 5);
    ok(cudaGetLastError());
    ok(cudaStreamSynchronize(streams[1]));
    EXPECT_EQ(valueAt(p), 5);
    ok(cudaFree(p));
}

TEST_F(EmulatedDevices, KernelsFaultAtMemoryOfOthersWithoutPeerAccess) {
    int* const p = allocate<int>(1, 64);
    ok(cudaSetDevice(0));
    store<<<1, 1>>>(p, 7);
    EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_NE(emulatedDevice::takeFault().find("accesses memory of device 1 from device 0 without peer access"), std::string::npos);
    EXPECT_EQ(valueAt(p), 0);
    // The access of device 1 to device 0 is another one.
    enable(1, 0);
    ok(cudaSetDevice(0));
    store<<<1, 1>>>(p, 7);
    EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_NE(emulatedDevice::takeFault(), "");
    enable(0, 1);
    store<<<1, 1>>>(p, 7);
    ok(cudaDeviceSynchronize());
    EXPECT_EQ(valueAt(p), 7);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(2), cudaErrorPeerAccessNotEnabled);
    (void)cudaGetLastError();
    ok(cudaFree(p));
}

TEST_F(EmulatedDevices, PoolsGiveAccessByThemselves) {
    ok(cudaSetDevice(1));
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 1};
    cudaMemPool_t pool = nullptr;
    ok(cudaMemPoolCreate(&pool, &properties));
    int* p = nullptr;
    ok(cudaMallocFromPoolAsync(&p, sizeof(int), pool, streams[1]));
    ok(cudaStreamSynchronize(streams[1]));
    enable(0, 1);  // does not concern pools
    store<<<1, 1>>>(p, 3);
    EXPECT_NE(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_NE(emulatedDevice::takeFault().find("without peer access"), std::string::npos);
    const cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    ok(cudaMemPoolSetAccess(pool, &access, 1));
    store<<<1, 1>>>(p, 3);
    ok(cudaDeviceSynchronize());
    EXPECT_EQ(valueAt(p), 3);
    ok(cudaSetDevice(1));
    ok(cudaFreeAsync(p, streams[1]));
    ok(cudaStreamSynchronize(streams[1]));
    ok(cudaMemPoolDestroy(pool));
}

TEST_F(EmulatedDevices, PeerAccessCanBeAbsent) {
    setenv("PARALLAX_EMULATED_PEERS", "none", 1);
    int can = -1;
    ok(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT_EQ(can, 0);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessUnsupported);
    (void)cudaGetLastError();
    unsetenv("PARALLAX_EMULATED_PEERS");
    ok(cudaDeviceCanAccessPeer(&can, 0, 1));
    EXPECT_EQ(can, 1);
}

TEST_F(EmulatedDevices, CopiesBetweenDevicesNeedNoAccess) {
    int* const a = allocate<int>(0, 1);
    int* const b = allocate<int>(1, 1);
    ok(cudaSetDevice(0));
    store<<<1, 1, 0, streams[0]>>>(a, 11);
    ok(cudaMemcpyPeerAsync(b, 1, a, 0, sizeof(int), streams[0]));
    ok(cudaStreamSynchronize(streams[0]));
    EXPECT_EQ(valueAt(b), 11);
    EXPECT_EQ(cudaMemcpyPeerAsync(b, 0, a, 1, sizeof(int), streams[0]), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    ok(cudaFree(a));
    ok(cudaFree(b));
}

TEST_F(EmulatedDevices, EventsOrderStreamsOfDifferentDevices) {
    enable(1, 0);
    int* const a = allocate<int>(0, 1);
    int* const b = allocate<int>(1, 1);
    cudaEvent_t event = nullptr, other = nullptr;
    ok(cudaSetDevice(0));
    ok(cudaEventCreate(&event));
    EXPECT_EQ(cudaEventRecord(event, streams[1]), cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    ok(cudaSetDevice(1));
    ok(cudaEventCreate(&other));
    for (int i = 1; i < 40; ++i) {
        ok(cudaSetDevice(0));
        store<<<1, 1, 0, streams[0]>>>(a, i);
        ok(cudaEventRecord(event, streams[0]));
        ok(cudaSetDevice(1));
        ok(cudaStreamWaitEvent(streams[1], event));
        copyOne<<<1, 1, 0, streams[1]>>>(a, b);
        ok(cudaEventRecord(other, streams[1]));
        ok(cudaStreamSynchronize(streams[1]));
        ASSERT_EQ(valueAt(b), i);
    }
    float milliseconds = 0;
    EXPECT_EQ(cudaEventElapsedTime(&milliseconds, event, other), cudaErrorInvalidResourceHandle);
    (void)cudaGetLastError();
    ok(cudaEventDestroy(event));
    ok(cudaEventDestroy(other));
    ok(cudaFree(a));
    ok(cudaFree(b));
}

TEST_F(EmulatedDevices, RunInAnyOrderWithoutEvents) {
    enable(1, 0);
    int* const a = allocate<int>(0, 1);
    int* const b = allocate<int>(1, 1);
    int stale = 0;
    for (int i = 1; i < 60; ++i) {
        ok(cudaSetDevice(0));
        store<<<1, 1, 0, streams[0]>>>(a, i);
        ok(cudaSetDevice(1));
        copyOne<<<1, 1, 0, streams[1]>>>(a, b);
        ok(cudaStreamSynchronize(streams[1]));
        stale += valueAt(b) != i;
        ok(cudaStreamSynchronize(streams[0]));
    }
    EXPECT_GT(stale, 0) << "the missing order never showed";
    EXPECT_LT(stale, 59);
    ok(cudaFree(a));
    ok(cudaFree(b));
}

/// Answers each number of the other device with the next one, from the last thread of a block whose others wait at a barrier.
__global__ void playBall(volatile int* mine, volatile int* theirs, int first, int last) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
        for (int ball = first; ball <= last; ball += 2) {
            while (*mine != ball) emulatedDevice::pauseKernel();
            *theirs = ball + 1;
            sum += ball;
        }
    __syncthreads();
    if (threadIdx.x == 0 && sum == 0) *theirs = -1;
}

TEST_F(EmulatedDevices, KernelsOfTwoDevicesAnswerEachOther) {
    enable(0, 1);
    enable(1, 0);
    int* const a = allocate<int>(0, 1);
    int* const b = allocate<int>(1, 1);
    for (int round = 0; round < 10; ++round) {
        ok(cudaSetDevice(0));
        ok(cudaMemset(b, 0, sizeof(int)));
        ok(cudaMemset(a, 0, sizeof(int)));
        ok(cudaDeviceSynchronize());
        playBall<<<1, 64, 0, streams[0]>>>(a, b, 0, 20);
        ok(cudaSetDevice(1));
        playBall<<<1, 32, 0, streams[1]>>>(b, a, 1, 19);
        ok(cudaStreamSynchronize(streams[1]));
        ok(cudaSetDevice(0));
        ok(cudaStreamSynchronize(streams[0]));
        EXPECT_EQ(valueAt(b), 21);
        EXPECT_EQ(valueAt(a), 20);
    }
    ok(cudaFree(a));
    ok(cudaFree(b));
}

TEST_F(EmulatedDevices, AWaitingKernelLetsOtherThreadsEnqueueItsAnswer) {
    enable(1, 0);
    int* const a = allocate<int>(0, 1);
    int* const b = allocate<int>(1, 1);
    ok(cudaSetDevice(0));
    playBall<<<1, 1, 0, streams[0]>>>(a, a, 8, 8);
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ok(cudaSetDevice(1));
        store<<<1, 1, 0, streams[1]>>>(a, 8);
        ok(cudaStreamSynchronize(streams[1]));
    });
    ok(cudaStreamSynchronize(streams[0]));
    other.join();
    EXPECT_EQ(valueAt(a), 9);
    ok(cudaFree(a));
    ok(cudaFree(b));
}

TEST_F(EmulatedDevices, AFaultLosesOneDevice) {
    int* const a = allocate<int>(0, 1);
    int* const b = allocate<int>(1, 1);
    ok(cudaSetDevice(1));
    playBall<<<1, 1, 0, streams[1]>>>(b, b, 5, 5);  // waits for ever
    emulatedDevice::failKernelAfter(1, 0);
    cudaStream_t second = nullptr;
    ok(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    store<<<1, 1, 0, second>>>(b, 1);
    EXPECT_NE(cudaStreamSynchronize(second), cudaSuccess);
    EXPECT_NE(cudaStreamSynchronize(streams[1]), cudaSuccess);
    ok(cudaSetDevice(0));
    (void)cudaGetLastError();
    store<<<1, 1, 0, streams[0]>>>(a, 4);
    ok(cudaStreamSynchronize(streams[0]));
    EXPECT_EQ(valueAt(a), 4);
    EXPECT_NE(emulatedDevice::takeFault().find("was made to fail"), std::string::npos);
    ok(cudaSetDevice(1));
    ok(cudaStreamDestroy(second));
    ok(cudaFree(a));
    ok(cudaFree(b));
}

}  // namespace
