// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/recycling_allocator.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"

namespace parallax {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

/// Counts allocated bytes and throws beyond `most`.
class CountingAllocator final : public Allocator {
public:
    explicit CountingAllocator(std::size_t most = SIZE_MAX) : most_(most) {}
    MemorySpace space() const override { return MemorySpace::host; }
    void* allocate(std::size_t bytes) override {
        if (out + bytes > most_) throw Error(ErrorCode::memory, "Not enough memory");
        out += bytes;
        ++calls;
        return hostAllocator()->allocate(bytes);
    }
    void release(void* p, std::size_t bytes) noexcept override {
        out -= bytes;
        hostAllocator()->release(p, bytes);
    }
    std::size_t out = 0;
    int calls = 0;

private:
    std::size_t most_;
};

TEST(RecyclingAllocator, KeptBlocksCountWhenTheyAreUsedAgain) {
    RecyclingAllocator memory(64 * kMiB);
    const std::uint64_t before = hostMemoryUse().memory;
    void* block = memory.allocate(16 * kMiB);
    EXPECT_EQ(hostMemoryUse().memory, before + 16 * kMiB);
    memory.release(block, 16 * kMiB);
    EXPECT_EQ(hostMemoryUse().memory, before);
    {
        const HostMemoryPeak peak;
        block = memory.allocate(16 * kMiB);
        memory.release(block, 16 * kMiB);
        EXPECT_EQ(peak.most().memory, before + 16 * kMiB);
        memory.trim();
        EXPECT_EQ(peak.most().memory, before + 16 * kMiB);
    }
    EXPECT_EQ(hostMemoryUse().memory, before);
}

TEST(RecyclingAllocator, ReusesReleasedBlocks) {
    const auto source = std::make_shared<CountingAllocator>();
    RecyclingAllocator memory(8 * kMiB, source);
    void* const first = memory.allocate(2 * kMiB);
    memory.release(first, 2 * kMiB);
    EXPECT_EQ(memory.keptBytes(), 2 * kMiB);
    void* const other = memory.allocate(3 * kMiB);
    EXPECT_NE(other, first) << "another size";
    EXPECT_EQ(memory.allocate(2 * kMiB), first);
    EXPECT_EQ(memory.keptBytes(), 0U);
    EXPECT_EQ(source->calls, 2);
    memory.release(first, 2 * kMiB);
    memory.release(other, 3 * kMiB);
    memory.trim();
    EXPECT_EQ(memory.keptBytes(), 0U);
    EXPECT_EQ(source->out, 0U);
}

TEST(RecyclingAllocator, KeepsNoMoreThanAllowedAndNoSmallBlocks) {
    const auto source = std::make_shared<CountingAllocator>();
    RecyclingAllocator memory(5 * kMiB, source);
    std::vector<void*> blocks;
    for (int i = 0; i < 4; ++i) blocks.push_back(memory.allocate(2 * kMiB));
    for (void* p : blocks) memory.release(p, 2 * kMiB);
    EXPECT_EQ(memory.keptBytes(), 4 * kMiB);
    EXPECT_EQ(source->out, 4 * kMiB);
    EXPECT_EQ(memory.allocate(2 * kMiB), blocks.back()) << "the oldest was freed";
    memory.release(blocks.back(), 2 * kMiB);
    memory.release(memory.allocate(100), 100);
    memory.release(memory.allocate(6 * kMiB), 6 * kMiB);
    EXPECT_EQ(memory.keptBytes(), 4 * kMiB);
}

TEST(RecyclingAllocator, FreesKeptBlocksWhenMemoryIsShort) {
    const auto source = std::make_shared<CountingAllocator>(6 * kMiB);
    RecyclingAllocator memory(8 * kMiB, source);
    memory.release(memory.allocate(4 * kMiB), 4 * kMiB);
    void* const p = memory.allocate(5 * kMiB);
    EXPECT_NE(p, nullptr);
    EXPECT_THROW((void)memory.allocate(5 * kMiB), Error);
    memory.release(p, 5 * kMiB);
}

TEST(RecyclingAllocator, BuffersOutliveTheirOwnerAndThreadsShareIt) {
    auto memory = std::make_shared<RecyclingAllocator>(64 * kMiB);
    Buffer kept(Shape{512, 1024}, SampleType::float32, memory);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([memory] {
            for (int i = 0; i < 100; ++i) {
                Buffer buffer(Shape{512, 512 + i % 3}, SampleType::float32, memory);
                buffer.view().at(0, 0) = 1;
            }
        });
    threads.clear();
    memory.reset();
    kept.view().at(511, 1023) = 2;
    EXPECT_EQ(kept.view().at(511, 1023), 2);
}

}  // namespace
}  // namespace parallax
