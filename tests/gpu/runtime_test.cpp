// SPDX-License-Identifier: GPL-3.0-or-later
// Memory pool, staging, clock and session.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "gpu/backend.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "gpu/runtime/memory/pinned_allocator.hpp"
#include "gpu/runtime/memory/staging_engine.hpp"
#include "gpu/session.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

TEST(MemoryPool, KeepsAndReusesMemory) {
    PARALLAX_NEEDS_DEVICE();
    MemoryPool& pool = MemoryPool::of(0);
    const Stream stream(0);
    pool.release(pool.allocate(64 * kMebibyte, stream.get()), stream.get());
    check(cudaStreamSynchronize(stream.get()), "synchronise");
    const auto reserved = pool.reservedBytes();
    EXPECT_GE(reserved, 64 * kMebibyte);
    EXPECT_GE(MemoryPool::idleBytes(0), 64 * kMebibyte);
    for (int i = 0; i < 20; ++i) pool.release(pool.allocate(64 * kMebibyte, stream.get()), stream.get());
    check(cudaStreamSynchronize(stream.get()), "synchronise");
    EXPECT_EQ(pool.reservedBytes(), reserved);
    pool.trim();
    EXPECT_LT(pool.reservedBytes(), reserved);
}

TEST(MemoryPool, RejectsWhatDoesNotFitAndStaysUsable) {
    PARALLAX_NEEDS_DEVICE();
    MemoryPool& pool = MemoryPool::of(0);
    const Stream stream(0);
    const DeviceInfo device = listDevices().at(0);
    try {
        (void)pool.allocate(device.memoryTotal + 1024 * kMebibyte, stream.get());
        FAIL() << "more memory was granted than exists";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory);
        EXPECT_NE(e.why().find("MiB"), std::string::npos) << e.what();
    }
    void* p = pool.allocate(kMebibyte, stream.get());
    EXPECT_NE(p, nullptr);
    EXPECT_EQ(cudaMemsetAsync(p, 0, kMebibyte, stream.get()), cudaSuccess);
    pool.release(p, stream.get());
    EXPECT_EQ(cudaStreamSynchronize(stream.get()), cudaSuccess);
}

TEST(MemoryPool, GivesIdleMemoryToALargerRequest) {
    PARALLAX_NEEDS_DEVICE();
    MemoryPool& pool = MemoryPool::of(0);
    const Stream first(0), second(0);
    // Idle memory of one stream must be available to another: both together exceed the device's memory.
    const std::size_t part = static_cast<std::size_t>(listDevices().at(0).memoryFree * 6 / 10);
    pool.release(pool.allocate(part, first.get()), first.get());
    void* p = pool.allocate(part, second.get());
    EXPECT_NE(p, nullptr);
    pool.release(p, second.get());
    check(cudaDeviceSynchronize(), "synchronise");
    pool.trim();
}

TEST(Session, TransfersEverySize) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const auto piece = static_cast<std::int64_t>(kLargestStagedPiece / sizeof(float));
    const std::int64_t sizes[] = {1, 3, 63, 1025, 65537, piece - 1, piece, piece + 1, 2 * piece + 7, 20 * piece + 13};
    for (const std::int64_t n : sizes) {
        SCOPED_TRACE(n);
        Buffer source(Shape{n, 1, 1, 1}), result(Shape{n, 1, 1, 1});
        fillRandom(source.view(), static_cast<std::uint64_t>(n));
        std::memset(result.data(), 0xFF, result.bytes());
        Buffer device = session.allocate(source.shape());
        EXPECT_EQ(device.space(), MemorySpace::device);
        session.upload(std::as_const(source).view(), device.view<float>());
        session.download(device.view<float>(), result.view());
        session.drain();
        EXPECT_EQ(std::memcmp(source.data(), result.data(), source.bytes()), 0);
    }
}

TEST(Session, TransfersPaddedRows) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    EXPECT_EQ(session.paddedLayout(Shape{8191, 3, 1, 1}).rowStride, 8192);
    EXPECT_EQ(session.paddedLayout(Shape{8192, 3, 1, 1}).rowStride, 8192);
    EXPECT_EQ(session.paddedLayout(Shape{31, 3, 1, 1}).rowStride, 31) << "narrow images would grow";
    // Rows shorter and longer than a staged piece.
    const auto piece = static_cast<std::int64_t>(kLargestStagedPiece / sizeof(float));
    for (const Shape& shape : {Shape{301, 700, 1, 2}, Shape{4099, 5, 3, 1}, Shape{2 * piece + 5, 3, 1, 1}})
        for (const bool pinned : {false, true}) {
            SCOPED_TRACE(shape.width);
            const std::shared_ptr<Allocator> memory = pinned ? pinnedAllocator(0) : hostAllocator();
            Buffer source(shape, SampleType::float32, memory), result(shape, SampleType::float32, memory);
            fillRandom(source.view(), 5);
            std::memset(result.data(), 0xFF, result.bytes());
            Buffer device = session.allocate(session.paddedLayout(shape));
            ASSERT_GT(device.bytes(), source.bytes());
            session.upload(std::as_const(source).view(), device.view<float>());
            session.download(device.view<float>(), result.view());
            EXPECT_EQ(std::memcmp(source.data(), result.data(), source.bytes()), 0);
        }
}

TEST(Session, TransfersPinnedMemory) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    const Shape shape{1001, 999, 1, 2};
    Buffer source(shape, SampleType::float32, pinnedAllocator(0)), result(shape, SampleType::float32, pinnedAllocator(0));
    fillRandom(source.view(), 5);
    Buffer device = session.allocate(shape);
    session.upload(std::as_const(source).view(), device.view<float>());
    session.download(device.view<float>(), result.view());
    EXPECT_EQ(std::memcmp(source.data(), result.data(), source.bytes()), 0);
}

TEST(Session, SourceMayChangeAfterUpload) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    Buffer source(Shape{4'000'000, 1, 1, 1}), result(source.shape());
    fillRandom(source.view(), 7);
    const Buffer copy = source.clone();
    Buffer device = session.allocate(source.shape());
    session.upload(std::as_const(source).view(), device.view<float>());
    std::memset(source.data(), 0, source.bytes());
    session.download(device.view<float>(), result.view());
    EXPECT_EQ(std::memcmp(copy.data(), result.data(), copy.bytes()), 0);
}

TEST(Session, RejectsOtherShapesAndHostBuffers) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    Buffer device = session.allocate(Shape{16, 16, 1, 1});
    const Buffer host(Shape{16, 15, 1, 1});
    EXPECT_THROW(session.upload(host.view(), device.view<float>()), Error);
}

TEST(Session, ItsMemoryMayOutliveIt) {
    PARALLAX_NEEDS_DEVICE();
    Buffer buffer;
    {
        CudaSession session(0);
        buffer = session.allocate(Shape{1000, 1000, 1, 1});
    }
    buffer = Buffer();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST(Backend, EmptiesTheCachesAndKeepsNoMemory) {
    PARALLAX_NEEDS_DEVICE();
    const CudaBackend backend;
    const auto before = MemoryPool::of(0).usedBytes();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(backend.emptyCaches(0));
    EXPECT_EQ(MemoryPool::of(0).usedBytes(), before);
    EXPECT_THROW((void)backend.emptyCaches(deviceCount()), Error);
}

TEST(Backend, ReadsTheEnergyOrSaysWhyNot) {
    PARALLAX_NEEDS_DEVICE();
    const EnergyReading reading = CudaBackend().energy(0);
    if (!reading.joules) {
        EXPECT_FALSE(reading.reason.empty());
        return;
    }
    EXPECT_GT(*reading.joules, 0);
    EXPECT_EQ(reading.source, "NVML");
    EXPECT_GE(CudaBackend().energy(0).joules.value_or(0), *reading.joules);
    EXPECT_FALSE(CudaBackend().energy(deviceCount()).joules);
}

TEST(Session, RejectsAMissingDevice) {
    PARALLAX_NEEDS_DEVICE();
    const CudaBackend backend;
    for (const int wrong : {-1, deviceCount(), 1000}) {
        RunContext context;
        context.device = wrong;
        try {
            (void)backend.open(context);
            FAIL() << "device " << wrong << " was opened";
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::unavailable);
            EXPECT_NE(std::string(e.what()).find(std::to_string(wrong)), std::string::npos) << e.what();
        }
    }
}

TEST(Clock, AgreesWithTheHost) {
    PARALLAX_NEEDS_REAL_DEVICE();
    CudaSession session(0);
    const Shape shape{4096, 4096, 1, 1};
    Buffer host(shape);
    fillRandom(host.view(), 1);
    Buffer device = session.allocate(shape);
    StageClock& clock = session.clock();
    session.drain();
    // The host may be interrupted between two stages, but not in every round.
    double closest = 0;
    for (int round = 0; round < 3 || (round < 10 && closest < 0.5); ++round) {
        const auto start = std::chrono::steady_clock::now();
        clock.begin(Stage::allocate);
        { const Buffer other = session.allocate(shape); }
        clock.end();
        clock.begin(Stage::upload);
        session.upload(std::as_const(host).view(), device.view<float>());
        clock.end();
        clock.begin(Stage::download);
        session.download(device.view<float>(), host.view());
        clock.end();
        const StageTimes times = clock.finish();
        const auto total = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
        EXPECT_GT(times[Stage::allocate], 0);
        EXPECT_GT(times[Stage::upload], 100'000);  // 64 MiB in 0.1 ms would be 670 GB/s
        EXPECT_GT(times[Stage::download], 100'000);
        EXPECT_EQ(times[Stage::compute], 0);
        EXPECT_LE(times.endToEnd(), total + 1'000'000);
        closest = std::max(closest, static_cast<double>(times.endToEnd()) / static_cast<double>(total));
    }
    EXPECT_GE(closest, 0.5);
}

TEST(Clock, ReusesEventsAndSurvivesABrokenStage) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    auto& clock = dynamic_cast<EventClock&>(session.clock());
    for (int i = 0; i < 10; ++i) {
        clock.begin(Stage::compute);
        clock.end();
        (void)clock.finish();
    }
    EXPECT_EQ(clock.eventCount(), 2U);
    clock.begin(Stage::compute);
    EXPECT_EQ(clock.finish().compute(), 0);
    EXPECT_EQ(clock.finish().endToEnd(), 0);
    clock.begin(Stage::compute);
    clock.end();
    EXPECT_LT(clock.finish().compute(), 50'000'000);
}

TEST(Session, DrainWaitsForAllWork) {
    PARALLAX_NEEDS_DEVICE();
    CudaSession session(0);
    Buffer buffer = session.allocate(Shape{1 << sizeFor(28, 22), 1, 1, 1});
    for (int i = 0; i < 20; ++i) check(cudaMemsetAsync(buffer.data(), i, buffer.bytes(), session.stream()), "fill");
    session.drain();
    EXPECT_EQ(cudaStreamQuery(session.stream()), cudaSuccess);
}

}  // namespace
}  // namespace parallax::gpu
