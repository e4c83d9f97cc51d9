// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/host/processors.hpp"

#include <sched.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace parallax {
namespace {

constexpr int kMaxProcessors = 1 << 14;

struct FreeSet {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
};
using ProcessorSet = std::unique_ptr<cpu_set_t, FreeSet>;
const std::size_t kSetBytes = CPU_ALLOC_SIZE(kMaxProcessors);

/// `thread`: 0 is the calling one.
std::vector<int> processorsOf(pid_t thread) {
    const ProcessorSet set(CPU_ALLOC(kMaxProcessors));
    std::vector<int> processors;
    if (!set) return processors;
    CPU_ZERO_S(kSetBytes, set.get());
    if (sched_getaffinity(thread, kSetBytes, set.get()) != 0) return processors;
    const int count = CPU_COUNT_S(kSetBytes, set.get());
    for (int p = 0; static_cast<int>(processors.size()) < count; ++p)
        if (CPU_ISSET_S(static_cast<std::size_t>(p), kSetBytes, set.get())) processors.push_back(p);
    return processors;
}

void bind(pid_t thread, const std::vector<int>& processors) {
    const ProcessorSet set(CPU_ALLOC(kMaxProcessors));
    if (!set || processors.empty()) return;
    CPU_ZERO_S(kSetBytes, set.get());
    for (const int p : processors) CPU_SET_S(static_cast<std::size_t>(p), kSetBytes, set.get());
    (void)sched_setaffinity(thread, kSetBytes, set.get());
}

}  // namespace

std::vector<int> usableProcessors() { return processorsOf(0); }

void bindTo(const std::vector<int>& processors) { bind(0, processors); }

void rebindThreads(pid_t process, const std::vector<int>& from, const std::vector<int>& to, pid_t except) {
    std::error_code error;
    const std::filesystem::directory_iterator threads("/proc/" + std::to_string(process) + "/task", error);
    if (error || from.empty()) return;
    for (auto thread = begin(threads); thread != end(threads); thread.increment(error)) {  // the end also after an error
        const std::string name = thread->path().filename();
        pid_t id = 0;
        std::from_chars(name.data(), name.data() + name.size(), id);
        if (id > 0 && id != except && processorsOf(id) == from) bind(id, to);
    }
}

}  // namespace parallax
