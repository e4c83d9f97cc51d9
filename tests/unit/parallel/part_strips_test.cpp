// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/parts/part_strips.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/image/error.hpp"
#include "tests/support/strip_filter.hpp"

namespace parallax {
namespace {

using test::filterInOneGo, test::filterStrip, test::forStrips, test::kRules, test::supportFor;

/// Strips of all parts of an image or a volume.
void expectPartsHaveTheBitsOfTheWhole(const Shape& shape, const StripSupport& support, int parts, const StripLimits& limits,
                                      std::uint64_t memory, std::mt19937& random) {
    Buffer in(shape), whole(shape), out(shape);
    for (std::int64_t i = 0; i < shape.samples(); ++i) in.view<float>().data[i] = static_cast<float>(random() % 1000) / 8;
    filterInOneGo(std::as_const(in).view<float>(), whole.view<float>(), support);
    std::memset(out.data(), 0xff, out.bytes());
    const Partition partition(shape.depth > 1 ? shape.depth : shape.height, parts);
    std::vector<int> written(static_cast<std::size_t>(shape.height * shape.depth * shape.channels));
    for (int part = 0; part < parts; ++part) {
        if (partition[part].empty()) continue;
        const StripPlan plan = planStripsOfPart(shape, support, limits, memory, partition[part]);
        EXPECT_EQ(plan.shape, shape);
        EXPECT_LE(plan.slotBytes * std::min<std::uint64_t>(static_cast<std::uint64_t>(limits.inFlight), plan.strips.size()), memory);
        for (const Strip& s : plan.strips) {
            EXPECT_LE(static_cast<std::uint64_t>(plan.inputShape(s).samples() + plan.outputShape(s).samples()) * sizeof(float),
                      plan.slotBytes);
            for (std::int64_t p = s.plane; p < s.plane + s.planes; ++p)
                for (std::int64_t y = s.row; y < s.row + s.rows; ++y) {
                    ++written[static_cast<std::size_t>(p * shape.height + y)];
                    const std::int64_t unit = shape.depth > 1 ? p % shape.depth : y;
                    EXPECT_TRUE(unit >= partition[part].first && unit < partition[part].last) << "a row of another part";
                }
        }
        forStrips(plan, std::as_const(in).view<float>(), out.view<float>(),
                  [&](const Strip& s, const View<const float>& from, const View<float>& to) { filterStrip(plan, s, from, to, support); });
    }
    EXPECT_TRUE(std::all_of(written.begin(), written.end(), [](int times) { return times == 1; })) << "every row once";
    EXPECT_EQ(std::memcmp(out.data(), whole.data(), out.bytes()), 0);
}

TEST(StripsOfParts, HaveTheBitsOfTheWholeWithinTheirMemory) {
    std::mt19937 random(3);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    for (int round = 0; round < 400; ++round) {
        const Shape shape{1 + below(9), 1 + below(60), round % 3 == 0 ? 2 + below(9) : 1, 1 + below(3)};
        const StripSupport support = supportFor(shape.height, below(4), below(4), kRules[below(5)]);
        const auto rowBytes = static_cast<std::uint64_t>(shape.width) * sizeof(float);
        const StripLimits limits{.inFlight = 2 + below(3),
                                 .largestStrip = rowBytes * static_cast<std::uint64_t>(1 + below(80)),
                                 .smallestStrip = rowBytes,
                                 .minStripCount = 1 + below(5)};
        const std::uint64_t least = static_cast<std::uint64_t>(limits.inFlight * (support.above + support.below + 2)) * rowBytes;
        SCOPED_TRACE(round);
        expectPartsHaveTheBitsOfTheWhole(shape, support, 1 + below(7), limits, least + random() % (20 * least), random);
    }
}

TEST(StripsOfParts, SayHowMuchTheSmallestNeed) {
    const StripSupport support = supportFor(100, 2, 2, BorderMode::reflect);
    const StripLimits limits{.inFlight = 2, .largestStrip = 4096, .smallestStrip = 64};
    EXPECT_THROW((void)planStripsOfPart({100, 100, 1, 1}, support, limits, 2 * 6 * 400 - 1, {50, 100}), Error);
    EXPECT_NO_THROW((void)planStripsOfPart({100, 100, 1, 1}, support, limits, 2 * 6 * 400, {50, 100}));
}

}  // namespace
}  // namespace parallax
