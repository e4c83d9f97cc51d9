// SPDX-License-Identifier: GPL-3.0-or-later
#include "parallax/measure/machine.hpp"

#include <gtest/gtest.h>

#include "parallax/backends/reference/backend.hpp"
#include "parallax/image/synthetic.hpp"
#include "parallax/operations/catalog.hpp"

namespace parallax {
namespace {

TEST(Machine, HasTheBasics) {
    const Catalog catalog(makeOperations(), {makeReferenceBackend()});
    const MachineRecord m = describeMachine(catalog);
    EXPECT_FALSE(m.cpu.empty());
    EXPECT_FALSE(m.kernel.empty());
    EXPECT_GT(m.hardwareThreads, 0);
    EXPECT_GT(m.cores, 0);
    EXPECT_LE(m.cores, m.hardwareThreads);
    EXPECT_GT(m.sockets, 0);
    EXPECT_GT(m.memory, 1U << 20);
    EXPECT_TRUE(m.gpus.empty());  // the processor is not listed as one
}

TEST(Machine, HashSeesSamplesAndShape) {
    const Image a = makeSynthetic(parseSynthetic("synthetic:noise:8x4")), b = makeSynthetic(parseSynthetic("synthetic:noise:8x4"));
    const Image seeded = makeSynthetic(parseSynthetic("synthetic:noise:8x4,seed=2"));
    EXPECT_EQ(hashSamples(a.view()), hashSamples(b.view()));
    EXPECT_NE(hashSamples(a.view()), hashSamples(seeded.view()));
    EXPECT_EQ(hashSamples(a.view()).size(), 16U);
    View<const float> turned = a.view();
    turned.shape = {4, 8, 1, 1};
    turned.rowStride = 4;
    EXPECT_NE(hashSamples(a.view()), hashSamples(turned));
}

TEST(Machine, TimeIsIso8601InUtc) {
    const std::string t = utcNow();
    ASSERT_EQ(t.size(), 20U);
    EXPECT_EQ(t[10], 'T');
    EXPECT_EQ(t.back(), 'Z');
}

}  // namespace
}  // namespace parallax
