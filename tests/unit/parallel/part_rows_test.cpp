// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that parts get from each other, and work on the whole image by the first part.
#include "core/engine/parts/part_rows.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "core/engine/parts/first_part.hpp"
#include "core/engine/parts/part_views.hpp"
#include "core/image/error.hpp"
#include "core/parallel/thread_team.hpp"

namespace parallax {
namespace {

Buffer numbered(const Shape& shape) {
    Buffer image(shape);
    std::iota(image.view<float>().data, image.view<float>().data + shape.samples(), 0.0F);
    return image;
}

/// Calls body(part, view of its samples, communicator) for each of `parts` parts of an image.
template <class F>
void onParts(const Shape& shape, int parts, const F& body) {
    const Buffer image = numbered(shape);
    const Partition partition(inSlices(shape) ? shape.depth : shape.height, parts);
    ThreadTeam(parts).run([&](Communicator& communicator) {
        const PartRange range = partition[communicator.rank()];
        const View<const float> own = range.empty() ? View<const float>{} : viewOf(image.view<float>(), range);
        body(ImagePart{shape, range, range}, own, communicator);
    });
}

TEST(PartRows, AreThoseOfTheImage) {
    for (const Shape& shape : {Shape{5, 11, 1, 2}, Shape{3, 4, 9, 2}, Shape{1, 1, 1, 1}})
        for (const int parts : {1, 2, 3, 7, 13})
            for (const std::int64_t reach : {0, 1, 3, 20}) {
                const Buffer image = numbered(shape);
                const std::int64_t units = inSlices(shape) ? shape.depth : shape.height;
                std::atomic<std::int64_t> read = 0;
                onParts(shape, parts, [&](const ImagePart& part, const View<const float>& own, Communicator& communicator) {
                    const PartRows rows(part, own, neighboursUpTo(reach, shape), communicator);
                    EXPECT_EQ(rows.shape(), shape);
                    if (part.range.empty()) return;
                    for (std::int64_t c = 0; c < shape.channels; ++c)
                        for (std::int64_t z = 0; z < shape.depth; ++z)
                            for (std::int64_t y = 0; y < shape.height; ++y) {
                                const std::int64_t unit = part.slices() ? z : y;
                                if (unit < part.range.first - reach || unit >= part.range.last + reach) continue;
                                EXPECT_EQ(rows.row(y, z, c)[0], image.view<float>().at(0, y, z, c));
                                ++read;
                            }
                });
                EXPECT_GE(read, units);
            }
}

TEST(PartRows, MayBeAnyRowsOfOtherParts) {
    const Shape shape{4, 10, 1, 1};
    const Buffer image = numbered(shape);
    // The row opposite of the first own one.
    const PartRows::Needs needs = [](const PartRange& own) {
        const std::int64_t row = (own.first + 5) % 10;
        return std::vector<PartRange>{{row, row + 1}};
    };
    onParts(shape, 4, [&](const ImagePart& part, const View<const float>& own, Communicator& communicator) {
        const PartRows rows(part, own, needs, communicator);
        const std::int64_t row = (part.range.first + 5) % 10;
        EXPECT_EQ(rows.row(row, 0, 0)[3], image.view<float>().at(3, row));
        EXPECT_THROW((void)rows.row((part.range.first + 9) % 10, 0, 0), Error);  // the row before the first own one
    });
}

TEST(FirstPart, RunsOnTheWholeImageAndHandsOutTheResult) {
    for (const Shape& shape : {Shape{5, 11, 1, 2}, Shape{3, 4, 9, 2}, Shape{1, 1, 1, 1}})
        for (const int parts : {1, 2, 5, 13}) {
            const Buffer image = numbered(shape);
            std::atomic<int> runs = 0;
            onParts(shape, parts, [&](const ImagePart& part, const View<const float>& own, Communicator& communicator) {
                Buffer result(part.range.empty() ? Shape{1, 1, 1, 1} : own.shape);
                const View<float> out = part.range.empty() ? View<float>{} : result.view<float>();
                runOnFirstPart(part, own, out, communicator, [&](const View<const float>& in, const View<float>& to) {
                    ++runs;
                    EXPECT_EQ(communicator.rank(), 0);
                    EXPECT_EQ(in.shape, shape);
                    for (std::int64_t i = 0; i < shape.samples(); ++i) to.data[i] = in.data[i] + 0.5F;
                });
                for (std::int64_t c = 0; c < out.shape.channels && !part.range.empty(); ++c)
                    for (std::int64_t z = 0; z < out.shape.depth; ++z)
                        for (std::int64_t y = 0; y < out.shape.height; ++y) EXPECT_EQ(out.at(0, y, z, c), own.at(0, y, z, c) + 0.5F);
            });
            EXPECT_EQ(runs, 1);
        }
}

TEST(FirstPart, FailsOnAllPartsAtOnce) {
    EXPECT_THROW(onParts({5, 11, 1, 1}, 3,
                         [](const ImagePart& part, const View<const float>& own, Communicator& communicator) {
                             Buffer result(own.shape);
                             runOnFirstPart(part, own, result.view<float>(), communicator,
                                            [](const View<const float>&, const View<float>&) {
                                                throw Error(ErrorCode::failed, "An injected failure");
                                            });
                         }),
                 Error);
}

}  // namespace
}  // namespace parallax
