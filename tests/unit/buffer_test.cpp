// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "core/image/error.hpp"
#include "core/image/host/host_memory.hpp"
#include "core/image/host/memory_use.hpp"
#include "core/image/image.hpp"

namespace parallax {
namespace {

TEST(Buffer, IsAlignedAndMoves) {
    Buffer a(Shape{5, 3, 2, 4});
    EXPECT_EQ(a.bytes(), 5U * 3 * 2 * 4 * 4);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0U);
    void* const where = a.data();
    Buffer b = std::move(a);
    EXPECT_EQ(b.data(), where);
    EXPECT_TRUE(a.empty());  // NOLINT(bugprone-use-after-move): a moved-from buffer is empty by contract
}

TEST(Buffer, ClonesDeeply) {
    Buffer a(Shape{4, 4});
    a.view().at(1, 2) = 7;
    const Buffer b = a.clone();
    a.view().at(1, 2) = 8;
    EXPECT_EQ(b.view().at(1, 2), 7);
}

TEST(Buffer, PadsRows) {
    const Layout layout(Shape{5, 3, 2, 4}, 8);
    Buffer a(layout);
    EXPECT_EQ(a.bytes(), 8U * 3 * 2 * 4 * 4);
    EXPECT_FALSE(a.view().contiguous());
    EXPECT_EQ(&a.view().at(4, 2, 1, 3), static_cast<float*>(a.data()) + 4 + 8 * (2 + 3 * (1 + 2 * 3)));
    a.view().at(4, 2, 1, 3) = 7;
    const Buffer b = a.clone();
    EXPECT_EQ(b.layout(), layout);
    EXPECT_EQ(b.view().at(4, 2, 1, 3), 7);
    EXPECT_THROW(Buffer(Layout(Shape{5, 3}, 4)), Error) << "rows would overlap";
}

TEST(Buffer, NeedsMemoryThatIsThere) {
    const HostMemory memory = hostMemory();
    ASSERT_GT(memory.total, memory.available);
    ASSERT_GT(memory.available, std::uint64_t{2} << 30);
    const auto rowsOf = [](std::uint64_t bytes) { return Shape{1 << 20, static_cast<std::int64_t>(bytes >> 22)}; };
    EXPECT_NO_THROW(Buffer{rowsOf(std::uint64_t{1} << 30)});
    // The system may grant this much, since it counts what other programs use.
    setScratchFolder(kNoScratch);
    const Shape tooMuch = rowsOf((memory.total + memory.available) / 2 + memory.swapFree);
    try {
        const Buffer buffer{tooMuch};
        FAIL() << "more than the available memory";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::memory);
    }
    setScratchFolder("");
    if (scratchSpace().free > checkedBytes(tooMuch, SampleType::float32)) {
        EXPECT_TRUE(isInScratchFile(Buffer{tooMuch}.data()));
    }
}

TEST(Buffer, RejectsSizesThatOverflow) {
    for (const Shape& s : {Shape{std::int64_t{1} << 40, std::int64_t{1} << 40}, Shape{std::int64_t{1} << 62, 1}, Shape{0, 5}, Shape{-1, 5}})
        EXPECT_THROW(Buffer{s}, Error) << s.width;
    EXPECT_EQ(checkedBytes(Shape{100000, 100000}, SampleType::float32), 40'000'000'000U);
}

TEST(View, StridesFollowTheOrderXYZChannel) {
    Buffer a(Shape{3, 4, 5, 2});
    const View<float> v = a.view();
    EXPECT_EQ(&v.at(1, 0), v.data + 1);
    EXPECT_EQ(&v.at(0, 1), v.data + 3);
    EXPECT_EQ(&v.at(0, 0, 1), v.data + 12);
    EXPECT_EQ(&v.at(0, 0, 0, 1), v.data + 60);
    EXPECT_EQ(v.channel(1).data, v.data + 60);
    EXPECT_TRUE(v.contiguous());
}

TEST(Image, NamesItsChannels) {
    EXPECT_EQ(Image(Buffer(Shape{1, 1, 1, 4})).alphaChannel(), 3);
    EXPECT_EQ(Image(Buffer(Shape{1, 1, 1, 3})).alphaChannel(), -1);
    EXPECT_EQ(Image(Buffer(Shape{1, 1, 1, 2}), {"layer.R", "layer.A"}).alphaChannel(), 1);
    EXPECT_THROW(Image(Buffer(Shape{1, 1, 1, 2}), {"R"}), Error);
}

TEST(Image, KeepsAttributesWithOtherSamples) {
    Image a(Buffer(Shape{2, 2, 1, 3}));
    a.metadata.push_back({"owner", "string", "somebody", {}});
    a.dataWindow = Window{1, 1, 2, 2};
    const Image b = a.withSamples(Buffer(Shape{2, 2, 1, 3}));
    EXPECT_EQ(b.metadata.size(), 1U);
    EXPECT_EQ(*b.dataWindow, *a.dataWindow);
    EXPECT_FALSE(a.withSamples(Buffer(Shape{3, 2, 1, 3})).dataWindow.has_value());
}

TEST(Statistics, ExcludeAndCountNonFiniteSamples) {
    for (const std::int64_t width : {1, 7, 16, 33, 100}) {
        Image a(Buffer(Shape{width, 3}));
        double sum = 0;
        for (std::int64_t i = 0; i < a.shape().samples(); ++i) sum += a.view().data[i] = static_cast<float>(i % 11) - 4;
        const SampleStatistics plain = computeStatistics(a);
        EXPECT_NEAR(plain.mean, sum / static_cast<double>(a.shape().samples()), 1e-9);
        EXPECT_EQ(plain.nonFinite(), 0U);
        EXPECT_EQ(plain.min, -4);
        EXPECT_EQ(plain.max, std::min<double>(static_cast<double>(a.shape().samples() - 1), 10) - 4);
        a.view().at(0, 0) = std::nanf("");
        a.view().at(0, 1) = HUGE_VALF;
        a.view().at(0, 2) = -HUGE_VALF;
        const SampleStatistics s = computeStatistics(a);
        EXPECT_EQ(s.nan, 1U);
        EXPECT_EQ(s.positiveInfinity, 1U);
        EXPECT_EQ(s.negativeInfinity, 1U);
        EXPECT_TRUE(std::isfinite(s.min) && std::isfinite(s.max) && std::isfinite(s.mean));
    }
}

}  // namespace
}  // namespace parallax
