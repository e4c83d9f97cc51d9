// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mpi/processors.hpp"

#include <sched.h>

#include <memory>

#include "core/parallel/partition.hpp"

namespace parallax {
namespace {

constexpr int kMaxProcessors = 1 << 14;

struct FreeSet {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using ProcessorSet = std::unique_ptr<cpu_set_t, FreeSet>;
const std::size_t kSetBytes = CPU_ALLOC_SIZE(kMaxProcessors);

}  // namespace

std::vector<int> usableProcessors() {
    const ProcessorSet set(CPU_ALLOC(kMaxProcessors));
    std::vector<int> processors;
    if (!set || sched_getaffinity(0, kSetBytes, set.get()) != 0) return processors;
    for (int p = 0; p < kMaxProcessors; ++p)
        if (CPU_ISSET_S(static_cast<std::size_t>(p), kSetBytes, set.get())) processors.push_back(p);
    return processors;
}

void bindTo(const std::vector<int>& processors) {
    const ProcessorSet set(CPU_ALLOC(kMaxProcessors));
    if (!set || processors.empty()) return;
    CPU_ZERO_S(kSetBytes, set.get());
    for (const int p : processors) CPU_SET_S(static_cast<std::size_t>(p), kSetBytes, set.get());
    // Not allowed: the threads may run on any processor.
    (void)sched_setaffinity(0, kSetBytes, set.get());
}

std::vector<int> shareOf(const std::vector<int>& processors, int process, int processes) {
    const auto count = static_cast<int>(processors.size());
    if (count == 0 || processes <= 1) return processors;
    if (processes >= count) return {processors[static_cast<std::size_t>(process % count)]};
    const PartRange range = Partition(count, processes)[process];
    return {processors.begin() + range.first, processors.begin() + range.last};
}

}  // namespace parallax
