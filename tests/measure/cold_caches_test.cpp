// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/processors/cold_caches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

#include "tests/measure/fake_system.hpp"

namespace parallax {
namespace {

void writeCache(const FakeSystem& system, int processor, int index, const char* level, const char* size, const char* sharers) {
    const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index) + "/";
    system.write(folder + "level", level);
    system.write(folder + "type", "Unified");
    system.write(folder + "size", size);
    system.write(folder + "shared_cpu_list", sharers);
}

TEST(ColdCaches, WritesTwiceTheLastLevelsOrTheSecondOnes) {
    FakeSystem system;
    const std::string root = system.root() + "/";
    constexpr std::size_t kMiB = std::size_t{1} << 20;
    EXPECT_EQ(bytesToEmptyCaches({0, 1, 2, 3}, root), 64 * kMiB) << "unknown";
    for (int p = 0; p < 4; ++p) {
        writeCache(system, p, 0, "1", "48K", std::to_string(p).c_str());
        writeCache(system, p, 1, "2", "2048K", std::to_string(p).c_str());
        writeCache(system, p, 2, "3", "32M", p < 2 ? "0-1" : "2-3");
    }
    EXPECT_EQ(bytesToEmptyCaches({0, 1, 2, 3}, root), 128 * kMiB);
    EXPECT_EQ(bytesToEmptyCaches({0, 1}, root), 64 * kMiB);
    for (int p = 0; p < 4; ++p) writeCache(system, p, 2, "3", "4M", "0-3");
    EXPECT_EQ(bytesToEmptyCaches({0, 1, 2, 3}, root), 16 * kMiB) << "the second levels are larger together";
}

/// Follows a chain of random cache lines, so that each step waits for the one before.
class Chain {
public:
    explicit Chain(std::size_t bytes) : next_(bytes / kLine * kWords) {
        std::vector<std::size_t> order(next_.size() / kWords);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
        for (std::size_t i = 0; i < order.size(); ++i) next_[order[i] * kWords] = order[(i + 1) % order.size()] * kWords;
    }
    /// ns of one round.
    double follow() {
        const auto start = std::chrono::steady_clock::now();
        std::size_t at = 0;
        for (std::size_t i = 0; i < next_.size() / kWords; ++i) at = next_[at];
        end_ = at;
        return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
    }

private:
    static constexpr std::size_t kLine = 64, kWords = kLine / sizeof(std::size_t);
    std::vector<std::size_t> next_;
    volatile std::size_t end_ = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Each cold round is compared with the warm one right after it, so other programs make both longer. Single rounds say little: a virtual
/// machine may move a processor to another core, whose private caches were not emptied.
TEST(ColdCaches, MakeTheNextReadingSlow) {
    HostCaches caches;
    Chain chain(128 << 10);
    std::vector<double> cold, warm;
    for (int i = 0; i < 25; ++i) {
        caches.empty();
        cold.push_back(chain.follow());
        warm.push_back(chain.follow());
    }
    EXPECT_GT(median(cold), 3 * median(warm));
}

}  // namespace
}  // namespace parallax
