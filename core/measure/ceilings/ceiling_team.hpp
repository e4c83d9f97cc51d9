// SPDX-License-Identifier: GPL-3.0-or-later
// Basis of the ceiling measurements: threads that start together, and memory in huge pages.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <vector>

namespace parallax {

/// Anonymous memory aligned to 2 MiB with a request for huge pages: with 4 KiB pages, rates vary by up to 20 % with the pages. Allocated on
/// first touch. Throws Error(memory).
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

/// Hardware threads that this process may use, the first of each core first, at most the processor quota of its control groups; {-1} if
/// unknown.
std::vector<int> measuringProcessors();

struct TeamOptions {
    int threads = 1;
    int fewest = 3;      ///< minimum number of counted repetitions
    double seconds = 0;  ///< minimum time of each loop
    std::stop_token stop;
};

/// Runs each work on all threads at once, the works in turn, until there are enough repetitions after a warm-up round. Threads are pinned,
/// run `setup` first and spin at a barrier, so that they start within a microsecond. Returns the seconds of each repetition of each work,
/// from the first start to the last end. Throws Error(cancelled) and the errors of `setup`.
std::vector<std::vector<double>> timeTogether(const TeamOptions& options, const std::function<void(int thread)>& setup,
                                              const std::vector<std::function<void(int thread)>>& works);

}  // namespace parallax
