// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "core/engine/backend/plugin.hpp"
#include "core/engine/pipeline/pipeline.hpp"
#include "core/engine/run/engine.hpp"
#include "core/image/buffer.hpp"
#include "core/image/error.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/recycling_allocator.hpp"
#include "core/image/synthetic.hpp"

namespace parallax {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
const Shape kEightMiB{2048, 1024, 1, 1};

/// A folder on a disk as scratch folder, and no memory for large blocks: a limit that the program exceeds already.
class Scratch : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::path("/var/tmp") / ("parallax-scratch-test-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        if (const ScratchSpace space = lookAtScratchFolder(folder_.string()); !space) GTEST_SKIP() << space.obstacle;
        setScratchFolder(folder_.string());
        setHostMemoryLimit(1);
    }
    void TearDown() override {
        setHostMemoryLimit(0);
        setScratchFolder("");
        ::unsetenv("PARALLAX_SCRATCH_LIMIT");
        EXPECT_TRUE(fs::is_empty(folder_)) << "scratch files have no name";
        fs::remove_all(folder_);
    }
    static std::string refusalOf(const Shape& shape) {
        try {
            const Buffer buffer(shape);
            return {};
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), ErrorCode::memory);
            return e.what();
        }
    }
    fs::path folder_;
};

TEST_F(Scratch, TakesLargeBlocksWhereMemoryIsShort) {
    Buffer large(kEightMiB), small(Shape{100, 100, 1, 1});
    EXPECT_TRUE(isInScratchFile(large.data()));
    EXPECT_FALSE(isInScratchFile(small.data()));
    EXPECT_EQ(hostMemoryUse().scratch, 8 * kMiB);
    const View<float> v = large.view<float>();
    EXPECT_TRUE(std::all_of(v.data, v.data + kEightMiB.samples(), [](float sample) { return sample == 0; }));
    std::iota(v.data, v.data + kEightMiB.samples(), 0.0F);
    const Buffer copy = large.clone();
    EXPECT_TRUE(isInScratchFile(copy.data()));
    EXPECT_TRUE(std::equal(v.data, v.data + kEightMiB.samples(), copy.view<float>().data));
    large = Buffer();
    EXPECT_EQ(hostMemoryUse().scratch, 8 * kMiB) << "that of the copy";
}

TEST_F(Scratch, IsNotUsedWhileMemorySuffices) {
    setHostMemoryLimit(0);
    const Buffer buffer(kEightMiB);
    EXPECT_FALSE(isInScratchFile(buffer.data()));
    EXPECT_EQ(hostMemoryUse().scratch, 0U);
}

TEST_F(Scratch, KeepsAnonymousMemoryBelowTheLimit) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer keeps memory of its own";
#endif
    const std::uint64_t limit = anonymousMemory() + 64 * kMiB;
    setHostMemoryLimit(limit);
    std::vector<Buffer> buffers;
    for (int i = 0; i < 20; ++i) {
        Buffer& b = buffers.emplace_back(kEightMiB);
        std::fill_n(b.view<float>().data, kEightMiB.samples(), 1.0F);
        EXPECT_LE(anonymousMemory(), limit);
    }
    EXPECT_FALSE(isInScratchFile(buffers.front().data()));
    EXPECT_TRUE(isInScratchFile(buffers.back().data()));
}

TEST_F(Scratch, CountsMemoryThatIsNotTouchedYet) {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "the thread sanitizer keeps memory of its own";
#endif
    const std::uint64_t limit = anonymousMemory() + 64 * kMiB;
    setHostMemoryLimit(limit);
    std::vector<Buffer> buffers;
    for (int i = 0; i < 20; ++i) buffers.emplace_back(kEightMiB);
    EXPECT_LE(hostMemoryUse().memory, limit);
    EXPECT_GE(hostMemoryUse().scratch, 10 * 8 * kMiB);
}

TEST_F(Scratch, HoldsVectorsAndArrays) {
    HostVector<double> v(kMiB, 1.5);
    EXPECT_TRUE(isInScratchFile(v.data()));
    v.push_back(2);
    EXPECT_TRUE(isInScratchFile(v.data()));
    EXPECT_EQ(v.front() + v.back(), 3.5);
    const HostArray<float> a = makeHostArray<float>(2 * kMiB);
    EXPECT_TRUE(isInScratchFile(a.get()));
    const HostVector<char> few(100);
    EXPECT_FALSE(isInScratchFile(few.data()));
}

TEST_F(Scratch, RefusesMoreThanTheLimitOfScratchFiles) {
    ::setenv("PARALLAX_SCRATCH_LIMIT", "12", 1);
    const Buffer first(kEightMiB);
    EXPECT_NE(refusalOf(kEightMiB).find("has room for 4 MiB"), std::string::npos);
    EXPECT_FALSE(whyNotInScratchFiles(8 * kMiB).empty());
    EXPECT_TRUE(whyNotInScratchFiles(4 * kMiB).empty());
}

TEST_F(Scratch, RefusesFilesBeyondTheLimitOfTheProcess) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = kMiB;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const std::string why = refusalOf(kEightMiB);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    EXPECT_NE(why.find("ulimit -f"), std::string::npos) << why;
}

/// A disk without room: a file system of 4 MiB, where this process may mount one.
TEST_F(Scratch, RefusesAFullDisk) {
    const std::string script = "f=" + folder_.string() + "/disk m=" + folder_.string() +
                               "/mounted; mkdir $m && truncate -s 4M $f && mkfs.ext4 -q $f 2>/dev/null && mount -o loop $f $m 2>/dev/null";
    const bool mounted = std::system(script.c_str()) == 0;
    if (mounted) {
        setScratchFolder((folder_ / "mounted").string());
        const std::string why = refusalOf(kEightMiB);
        EXPECT_NE(why.find("has room for"), std::string::npos) << why;
        try {
            (void)mapScratchFile((folder_ / "mounted").string(), 8 * kMiB);
            ADD_FAILURE() << "a file larger than its disk";
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("No space left"), std::string::npos) << e.what();
        }
    }
    (void)std::system(("umount " + folder_.string() + "/mounted 2>/dev/null").c_str());
    fs::remove(folder_ / "disk");
    fs::remove_all(folder_ / "mounted");
    if (!mounted) GTEST_SKIP() << "no permission to mount";
}

TEST_F(Scratch, NamesTheObstacle) {
    const auto obstacle = [](const std::string& folder) { return lookAtScratchFolder(folder).obstacle; };
    EXPECT_NE(obstacle("/missing").find("does not exist"), std::string::npos);
    EXPECT_NE(obstacle("/proc/self/status").find("is not a folder"), std::string::npos);
    EXPECT_NE(obstacle(kNoScratch).find("switched off"), std::string::npos);
    if (fs::exists("/dev/shm")) {
        EXPECT_NE(obstacle("/dev/shm").find("tmpfs"), std::string::npos);
    }
    EXPECT_THROW(setScratchFolder("/missing"), Error);
    setScratchFolder(kNoScratch);
    EXPECT_NE(refusalOf(kEightMiB).find("switched off"), std::string::npos);
}

TEST_F(Scratch, IsNoPlaceForMeasurements) {
    setHostMemoryLimit(0);
    const InMemoryOnly inMemory(kMeasuredInMemory);
    EXPECT_NE(whyNotInScratchFiles(1).find("measurements"), std::string::npos);
    const Buffer buffer(kEightMiB);
    EXPECT_FALSE(isInScratchFile(buffer.data()));
}

TEST_F(Scratch, BlocksAreNotKeptForTheNextResult) {
    RecyclingAllocator memory(64 * kMiB);
    void* const p = memory.allocate(8 * kMiB);
    EXPECT_TRUE(isInScratchFile(p));
    memory.release(p, 8 * kMiB);
    EXPECT_EQ(memory.keptBytes(), 0U);
    EXPECT_EQ(hostMemoryUse().scratch, 0U);
}

TEST_F(Scratch, KeptBlocksMakeRoomBeforeADiskIsUsed) {
    setHostMemoryLimit(0);
    RecyclingAllocator memory(64 * kMiB);
    void* const kept = memory.allocate(32 * kMiB);
    std::fill_n(static_cast<char*>(kept), 32 * kMiB, 1);
    memory.release(kept, 32 * kMiB);
    setHostMemoryLimit(anonymousMemory() + 8 * kMiB);
    void* const next = memory.allocate(16 * kMiB);
    EXPECT_FALSE(isInScratchFile(next));
    memory.release(next, 16 * kMiB);
}

TEST_F(Scratch, PeaksCountMemoryAndScratch) {
    setHostMemoryLimit(0);
    const HostMemoryUse before = hostMemoryUse();
    const HostMemoryPeak peak;
    {
        const Buffer inMemory(kEightMiB);
        setHostMemoryLimit(1);
        const Buffer onDisk(kEightMiB);
    }
    EXPECT_EQ(peak.most().memory, before.memory + 8 * kMiB);
    EXPECT_EQ(peak.most().scratch, 8 * kMiB);
    EXPECT_EQ(hostMemoryUse().memory, before.memory);
}

TEST_F(Scratch, ThreadsTakeAndReleaseBlocks) {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t] {
            for (int i = 0; i < 20; ++i) {
                Buffer b(kEightMiB);
                b.view<float>().data[t] = static_cast<float>(i);
                EXPECT_TRUE(isInScratchFile(b.data()));
            }
        });
    threads.clear();
    EXPECT_EQ(hostMemoryUse().scratch, 0U);
}

TEST_F(Scratch, RunsHaveTheSameBitsAndStateTheirMemory) {
    const auto image = std::make_shared<const Image>(makeSynthetic(parseSynthetic("synthetic:noise:1024x1024,channels=3,seed=5")));
    const Catalog& catalog = processCatalog();
    const Pipeline pipeline = parsePipeline(catalog, {"wavelet-denoise", "tonemap:operator=local", "convolve:size=3"});
    RunContext context;
    setHostMemoryLimit(0);
    const RunResult inMemory = Engine(catalog).run(pipeline, image, parseTarget("reference"), context);
    EXPECT_EQ(inMemory.memory.scratch, 0U);
    EXPECT_GE(inMemory.memory.host, image->samples().bytes());
    EXPECT_LE(inMemory.memory.host, inMemory.memory.estimatedHost + 16 * kMiB);
    setHostMemoryLimit(1);
    PreparedRun prepared = Engine(catalog).prepare(pipeline, image, parseTarget("reference"), context);
    EXPECT_GT(prepared.estimatedScratchBytes(), image->samples().bytes());
    const RunResult onDisk = Engine::run(std::move(prepared), context);
    EXPECT_GT(onDisk.memory.scratch, image->samples().bytes());
    const View<const float> a = inMemory.image.view(), b = onDisk.image.view();
    EXPECT_TRUE(std::equal(a.data, a.data + image->shape().samples(), b.data));
}

}  // namespace
}  // namespace parallax
