// SPDX-License-Identifier: GPL-3.0-or-later
// Records with sweeps, and checks of their drawings.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/report/charts/charts.hpp"
#include "tests/report/sample_record.hpp"

namespace parallax {

/// A sweep over the size of a square image; times grow with its edge.
inline std::vector<RunRecord> sizes(std::initializer_list<std::int64_t> edges) {
    std::vector<RunRecord> records;
    for (const std::int64_t edge : edges) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.input.shape.width = r.input.shape.height = edge;
        r.sweep = {"size", std::to_string(edge)};
        for (RunEntry& e : r.entries)
            for (StageTimes& t : e.samples) t[Stage::compute] = t.compute() * edge / 64;
    }
    return records;
}

/// A sweep of `cuda` over parts that exchange 10 us each time, with the links that were measured.
inline std::vector<RunRecord> sweepOverParts() {
    std::vector<RunRecord> records;
    for (const int n : {1, 2, 4}) {
        RunRecord& r = records.emplace_back(sampleRecord());
        r.sweep = {"parts", std::to_string(n)};
        r.entries = {sampleEntry(n == 1 ? "cuda" : "cuda@" + std::to_string(n), 8'000'000 / n + (n > 1 ? 10'000 * std::min(2, n - 1) : 0))};
        r.entries[0].threads = 0;
        r.entries[0].backend = "cuda";
        if (n > 1) r.entries[0].traffic = TrafficRecord{.link = kPeerLink, .received = {.messages = 4, .bytes = 80'000}};
        r.machine.ceilings = {{kPeerLink, "to 1", 0, 10, "GB/s", 1 << 28, "GPU", "cuda"},
                              {kPeerLink, "latency to 1", 0, 3, "us", 4096, "GPU", "cuda"}};
    }
    return records;
}

/// All shapes are finite and within the drawing.
inline void expectInside(const Drawing& d) {
    for (const auto& shape : d.shapes) {
        if (const auto* l = std::get_if<DrawnLine>(&shape))
            for (const auto& [x, y] : l->points) {
                ASSERT_TRUE(std::isfinite(x) && std::isfinite(y));
                EXPECT_GE(x, 0);
                EXPECT_LE(x, d.width);
                EXPECT_GE(y, 0);
                EXPECT_LE(y, d.height);
            }
        if (const auto* r = std::get_if<DrawnRect>(&shape)) {
            ASSERT_TRUE(std::isfinite(r->width));
            EXPECT_LE(r->x + r->width, d.width);
        }
    }
}

/// Colour of the marker of a series in a drawing, or -1.
inline int colourOf(const Drawing& d, const std::string& series) {
    for (const auto& shape : d.shapes)
        if (const auto* l = std::get_if<DrawnLine>(&shape); l && l->filled && l->tip.starts_with(series + ", ")) return l->colour;
    return -1;
}

}  // namespace parallax
