// SPDX-License-Identifier: GPL-3.0-or-later
// Ceilings of the device: plausible against its properties, repeatable, cancelled soon.
#include <cmath>
#include <map>

#include "gpu/backend.hpp"
#include "gpu/measure/ceiling_kernels.hpp"
#include "gpu/runtime/cuda_check.hpp"
#include "gpu/runtime/memory/device_buffer.hpp"
#include "gpu/runtime/memory/memory_pool.hpp"
#include "tests/gpu/gpu_test.hpp"

namespace parallax::gpu {
namespace {

std::map<std::string, double> byName(const std::vector<CeilingRecord>& list) {
    std::map<std::string, double> values;
    for (const CeilingRecord& c : list) values[c.name + " " + c.level] = c.value;
    return values;
}

TEST(DeviceCeilings, ArePlausibleAndComplete) {
    PARALLAX_NEEDS_REAL_DEVICE();
    const CudaBackend backend;
    CeilingProbe probe;
    double last = 0;
    probe.onProgress = [&](const std::string& what, double f) {
        EXPECT_FALSE(what.empty());
        EXPECT_GT(f, last);
        last = f;
    };
    const auto list = backend.measureCeilings(0, probe);
    EXPECT_NEAR(last, 1, 1e-9);
    for (const CeilingRecord& c : list) {
        EXPECT_EQ(c.backend, "cuda");
        EXPECT_EQ(c.device, backend.devices().at(0).name);
        EXPECT_EQ(c.deviceIndex, 0);
        EXPECT_EQ(c.threads, 0);
        EXPECT_EQ(c.unit, c.name == "fma" ? "GFLOP/s" : c.level.starts_with("latency") ? "us" : "GB/s");
        EXPECT_EQ(c.bytes == 0, c.name == "fma");
        EXPECT_TRUE(std::isfinite(c.value));
        std::printf("%-9s %-9s %10.1f %s\n", c.name.c_str(), c.level.c_str(), c.value, c.unit.c_str());
    }
    auto v = byName(list);
    ASSERT_EQ(static_cast<int>(v.size()), 7 + 2 * (deviceCount() - 1));
    if (deviceCount() > 1) {
        EXPECT_GT(v["peer to 1"], 5);  // a PCIe link at least
        EXPECT_GT(v["peer latency to 1"], 0.5);
        EXPECT_LT(v["peer latency to 1"], 200);
    }
    int memoryClock = 0, clock = 0;
    cudaDeviceProp p{};
    ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    ASSERT_EQ(cudaDeviceGetAttribute(&memoryClock, cudaDevAttrMemoryClockRate, 0), cudaSuccess);
    ASSERT_EQ(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0), cudaSuccess);
    const double bandwidth = 2e-6 * memoryClock * p.memoryBusWidth / 8;  // GB/s, two transfers per cycle
    for (const char* name : {"copy device", "triad device"}) {
        EXPECT_LT(v[name], 1.02 * bandwidth) << name;
        EXPECT_GT(v[name], 0.6 * bandwidth) << name;
    }
    // Float lanes per multiprocessor: 64 for 7.5 and 8.0, 128 for all others since.
    const int lanes = (p.major == 7 || (p.major == 8 && p.minor == 0)) ? 64 : 128;
    const double rate = 2e-6 * lanes * p.multiProcessorCount * clock;
    EXPECT_LT(v["fma float"], 1.02 * rate);
    EXPECT_GT(v["fma float"], 0.5 * rate);
    for (const char* direction : {"upload", "download"}) {
        const std::string d(direction);
        EXPECT_GT(v[d + " pageable"], 0);
        EXPECT_GT(v[d + " pinned"], 0.9 * v[d + " pageable"]) << d;
        EXPECT_LT(v[d + " pinned"], v["copy device"]) << d;
    }
    // Gigabytes are returned to the driver.
    EXPECT_LT(MemoryPool::of(0).reservedBytes(), std::uint64_t{256} << 20);
}

TEST(DeviceCeilings, RepeatWithinAFewPercent) {
    PARALLAX_NEEDS_REAL_DEVICE();
    const CudaBackend backend;
    const auto first = byName(backend.measureCeilings(0, {}));
    auto second = byName(backend.measureCeilings(0, {}));
    for (const auto& [name, value] : first)
        // Copies and launches by the host depend on its other load.
        EXPECT_NEAR(second[name] / value, 1, name.ends_with("pageable") || name.starts_with("peer latency") ? 0.25 : 0.05) << name;
}

TEST(DeviceCeilings, CancelsAndLeavesTheDeviceUsable) {
    PARALLAX_NEEDS_REAL_DEVICE();
    const CudaBackend backend;
    std::stop_source source;
    CeilingProbe probe;
    probe.stop = source.get_token();
    probe.onProgress = [&](const std::string&, double) { source.request_stop(); };
    try {
        (void)backend.measureCeilings(0, probe);
        FAIL() << "it was not cancelled";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::cancelled);
    }
    CeilingProbe quick;
    quick.seconds = 0.001;
    EXPECT_EQ(static_cast<int>(backend.measureCeilings(0, quick).size()), 7 + 2 * (deviceCount() - 1));
}

TEST(DeviceCeilings, RejectsAMissingDevice) {
    const CudaBackend backend;
    EXPECT_THROW((void)backend.measureCeilings(999, {}), Error);
    EXPECT_THROW((void)backend.measureCeilings(-1, {}), Error);
}

TEST(DeviceCeilings, KernelsDoTheCountedWork) {
    PARALLAX_NEEDS_DEVICE();
    const auto stream = std::make_shared<Stream>(0);
    const auto allocator = makeStreamAllocator(MemoryPool::of(0), stream);
    const std::size_t n = 3 * kStreamMultiple;
    std::vector<float> b(n), c(n), a(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = static_cast<float>(i % 1000), c[i] = static_cast<float>(i % 77);
    DeviceBuffer<float> deviceA(allocator, n), deviceB(allocator, std::span<const float>(b), stream->get()),
        deviceC(allocator, std::span<const float>(c), stream->get());
    const auto fetch = [&] {
        ASSERT_EQ(cudaMemcpyAsync(a.data(), deviceA.data(), n * sizeof(float), cudaMemcpyDeviceToHost, stream->get()), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream->get()), cudaSuccess);
        ASSERT_EQ(cudaMemsetAsync(deviceA.data(), 0xFF, n * sizeof(float), stream->get()), cudaSuccess);
    };
    for (const StreamShape& shape : kStreamShapes) {
        launchCopy(deviceA.data(), deviceB.data(), n, shape, stream->get());
        fetch();
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(a[i], b[i]) << shape.threads << " " << shape.vectors << " " << i;
        launchTriad(deviceA.data(), deviceB.data(), deviceC.data(), n, shape, stream->get());
        fetch();
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(a[i], b[i] + 3 * c[i]) << shape.threads << " " << shape.vectors << " " << i;
    }
    for (const FmaShape& shape : kFmaShapes) {
        // Each chain converges to 1, the solution of x = 0.999 x + 0.001.
        const std::size_t threads = static_cast<std::size_t>(shape.threads) * static_cast<std::size_t>(shape.blocksPerUnit);
        launchFma(deviceA.data(), 1000, shape, 1, stream->get());
        fetch();
        for (std::size_t i = 0; i < std::min(threads, n); ++i) ASSERT_NEAR(a[i], shape.chains, 0.05) << i;
        EXPECT_EQ(fmaOperations(10, shape, 2), 2.0 * 10 * kFmaUnroll * shape.chains * static_cast<double>(threads) * 2);
    }
}

}  // namespace
}  // namespace parallax::gpu
