// SPDX-License-Identifier: GPL-3.0-or-later
// What the measuring of ceilings stands on: threads that start together, and memory whose speed does not depend on chance.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace parallax {

/// Anonymous memory, aligned to 2 MiB, for which the system is asked for huge pages. With 4 KiB pages the rate of a loop depends on which
/// pages the system happened to give: here by up to 20 % for the same loop on two arrays of one process. Pages come with the first touch.
/// Throws Error(memory).
class HugePages {
public:
    explicit HugePages(std::size_t bytes);
    ~HugePages();
    HugePages(const HugePages&) = delete;
    HugePages& operator=(const HugePages&) = delete;

    std::byte* data() const { return data_; }
    static constexpr std::size_t kSize = std::size_t{2} << 20;

private:
    void* mapped_ = nullptr;
    std::size_t length_ = 0;
    std::byte* data_ = nullptr;
};

/// The hardware threads that this process may use, one of each core first; -1 alone when the system does not say.
std::vector<int> usableProcessors();

struct TeamOptions {
    int threads = 1;
    int fewest = 3;      ///< repetitions that count, at least
    double seconds = 0;  ///< repetitions until each work had this long
    std::stop_token stop;
};

/// Runs each work on all threads at once, one work after the other, and all of them again until there are enough repetitions; a first round
/// warms up. Threads are pinned, have run `setup` before, and wait in a loop for each other, so that they start within a microsecond. Gives
/// for each work the seconds of its repetitions, from the first start to the last end. Throws Error(cancelled), and what a setup threw.
std::vector<std::vector<double>> timeTogether(const TeamOptions& options, const std::function<void(int thread)>& setup,
                                              const std::vector<std::function<void(int thread)>>& works);

}  // namespace parallax
