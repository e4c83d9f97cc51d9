// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/processors/cold_caches.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <system_error>
#include <thread>

#include "core/image/error.hpp"
#include "core/image/host/processors.hpp"
#include "core/measure/conditions/machine.hpp"

namespace parallax {
namespace {

/// Reads and writes each line: what is read passes through all caches, while some processors store a large memset past them.
void changeEachLine(std::byte* begin, const std::byte* end) {
    constexpr std::ptrdiff_t kLine = 64;
    for (volatile std::byte* line = begin; line < end; line += kLine) *line = ~*line;
}

}  // namespace

std::size_t bytesToEmptyCaches(const std::vector<int>& processors, const std::string& root) {
    constexpr std::size_t kUnknown = std::size_t{64} << 20, kUpperLimit = std::size_t{4} << 30;
    std::map<std::string, std::size_t> lastLevels;  // by the processors that share them
    std::size_t secondLevel = 0;
    for (const int processor : processors) {
        CacheInfo last;
        for (const CacheInfo& cache : listCaches(root, processor)) {
            if (cache.type == "Instruction") continue;
            if (cache.level == "2") secondLevel = std::max<std::size_t>(secondLevel, cache.bytes());
            if (cache.level >= last.level) last = cache;
        }
        if (last.bytes() > 0) lastLevels[last.sharers] = last.bytes();
    }
    std::size_t all = 0;
    for (const auto& [sharers, size] : lastLevels) all += size;
    if (all == 0) return kUnknown;
    return std::min(kUpperLimit, 2 * std::max(all, processors.size() * secondLevel));
}

HostCaches::HostCaches() : processors_(measuringProcessors()), bytes_(bytesToEmptyCaches(processors_)), memory_(bytes_) { empty(); }

void HostCaches::empty() {
    const std::size_t share = (bytes_ + processors_.size() - 1) / processors_.size();
    try {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < processors_.size(); ++t)
            threads.emplace_back([this, t, share] {
                bindTo({processors_[t]});
                changeEachLine(memory_.data() + std::min(bytes_, t * share), memory_.data() + std::min(bytes_, (t + 1) * share));
            });
    } catch (const std::system_error&) {
        throw Error(ErrorCode::memory, "The caches cannot be emptied",
                    "the system refused " + std::to_string(processors_.size()) + " threads", "Measure with warm caches");
    }
}

}  // namespace parallax
