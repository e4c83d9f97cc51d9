// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/image/buffer.hpp"
#include "core/image/error.hpp"
#include "core/image/host/host_memory.hpp"
#include "core/image/host/host_vector.hpp"
#include "core/image/host/memory_use.hpp"

namespace parallax {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kLargeBlock = 2 * kHugePage;  // smaller ones are always in memory
constexpr std::size_t kBlockToCheck = std::size_t{1} << 30;

/// Of /proc/self/statm, in bytes.
struct OwnMemory {
    std::uint64_t anonymous = 0, data = 0;
};
OwnMemory ownMemory() {
    static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::uint64_t size = 0, resident = 0, shared = 0, text = 0, unused = 0, data = 0;
    std::ifstream("/proc/self/statm") >> size >> resident >> shared >> text >> unused >> data;
    return {resident > shared ? (resident - shared) * page : 0, data * page};
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

std::string whyNot(const ScratchSpace& space, std::uint64_t bytes) {
    if (!space) return space.obstacle;
    if (bytes <= space.free) return {};
    return "the scratch folder '" + space.folder + "' has room for " + std::to_string(space.free >> 20) + " MiB";
}

/// PARALLAX_SCRATCH_LIMIT, in bytes.
std::uint64_t scratchLimit() {
    const char* const mebibytes = std::getenv("PARALLAX_SCRATCH_LIMIT");
    return mebibytes && *mebibytes ? std::strtoull(mebibytes, nullptr, 10) << 20 : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

/// Counts blocks, and decides which of them are in scratch files.
class HostMemoryAccount {
public:
    static HostMemoryAccount& instance() {
        static auto* const account = new HostMemoryAccount;  // never destroyed, since blocks may be released until the end
        return *account;
    }

    void setLimit(std::uint64_t bytes) {
        limit_ = bytes;
        credit_ = 0;
    }
    std::uint64_t limit() const { return limit_; }

    void setFolder(const std::string& folder) {
        const std::scoped_lock lock(mutex_);
        folder_ = folder;
    }
    ScratchSpace space() {
        std::string folder;
        {
            const std::scoped_lock lock(mutex_);
            folder = folder_;
        }
        ScratchSpace space = lookAtScratchFolder(folder.empty() ? defaultScratchFolder() : folder);
        if (pauses_ > 0) space.obstacle = reason_;
        space.free = space ? std::min(space.free, difference(scratchLimit(), use().scratch)) : 0;
        return space;
    }

    /// Free bytes, and the bytes that they are a part of.
    struct Free {
        std::uint64_t bytes = 0, all = 0;
    };
    Free free() const {
        const HostMemory machine = hostMemory();
        const OwnMemory own = ownMemory();
        Free free{machine.available, machine.total};
        if (machine.total == 0) {
            const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
            free = {page * static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)),
                    page * static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES))};
        }
        const std::uint64_t untouched = difference(memory_, own.anonymous);
        free.bytes = difference(free.bytes, untouched);
        const auto restrict = [&](std::uint64_t all, std::uint64_t used) {
            free.bytes = std::min(free.bytes, difference(all, used));
            free.all = std::min(free.all, all);
        };
        if (limit_ > 0) restrict(limit_, own.anonymous + untouched);
        rlimit data{};
        if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY) restrict(data.rlim_cur, own.data);
        return free;
    }

    /// Whether the next large block does not fit into memory. Looks at the system only now and then: after that, blocks of a small share of
    /// what was free pass at once.
    bool isShortFor(std::size_t bytes) {
        if (bytes <= kLargestCredit && credit_.fetch_sub(static_cast<std::int64_t>(bytes)) >= static_cast<std::int64_t>(bytes))
            return false;
        const Free now = free();
        // The rest of the program, caches and other programs need some, too.
        const std::uint64_t kept = std::clamp(now.all / 16, std::min(kSmallestRest, now.all / 4), kLargestRest);
        const std::uint64_t usable = difference(now.bytes, kept);
        credit_ = static_cast<std::int64_t>(std::min<std::uint64_t>(difference(usable, bytes) / 8, kLargestCredit));
        return bytes > usable;
    }

    /// Returns null, and why, if there can be no scratch file.
    void* takeScratch(std::size_t bytes, std::string& why) {
        const ScratchSpace space = this->space();
        why = whyNot(space, bytes);
        if (!why.empty()) return nullptr;
        void* const p = mapScratchFile(space.folder, bytes);
        const std::scoped_lock lock(mutex_);
        scratchBlocks_.insert(p);
        scratch_ += bytes;
        updatePeaks();
        return p;
    }
    /// Returns false if the block is not in a scratch file.
    bool releaseScratch(void* p, std::size_t bytes) noexcept {
        {
            const std::scoped_lock lock(mutex_);
            if (scratchBlocks_.erase(p) == 0) return false;
            scratch_ -= bytes;
        }
        unmapScratchFile(p, bytes);
        return true;
    }
    bool isScratch(const void* p) {
        const std::scoped_lock lock(mutex_);
        return scratchBlocks_.contains(const_cast<void*>(p));
    }
    bool mayRefuse() const { return limit_ > 0 && pauses_ == 0; }

    void addMemory(std::size_t bytes) {
        memory_ += bytes;
        if (watchers_ == 0) return;
        const std::scoped_lock lock(mutex_);
        updatePeaks();
    }
    void subtractMemory(std::size_t bytes) noexcept {
        if (bytes >= kWorthLooking) (void)peakAnonymous();
        memory_ -= bytes;
    }

    void setAside(std::uint64_t bytes) noexcept { aside_ += bytes; }
    void useAgain(std::uint64_t bytes) noexcept {
        aside_ -= bytes;
        if (watchers_ == 0) return;
        const std::scoped_lock lock(mutex_);
        updatePeaks();
    }

    HostMemoryUse use() const { return {difference(memory_, aside_), scratch_}; }
    void watch(HostMemoryPeak* peak) {
        const std::scoped_lock lock(mutex_);
        peak->most_ = use();
        peaks_.push_back(peak);
        watchers_ = peaks_.size();
    }
    void unwatch(HostMemoryPeak* peak) {
        const std::scoped_lock lock(mutex_);
        std::erase(peaks_, peak);
        watchers_ = peaks_.size();
    }
    HostMemoryUse most(const HostMemoryPeak& peak) {
        const std::scoped_lock lock(mutex_);
        return peak.most_;
    }
    std::uint64_t peakAnonymous() noexcept {
        const std::uint64_t now = anonymousMemory();
        std::uint64_t before = anonymousPeak_;
        while (before < now && !anonymousPeak_.compare_exchange_weak(before, now)) {}
        return std::max(before, now);
    }
    void pause(const char* why) {
        reason_ = why;
        ++pauses_;
    }
    void resume() { --pauses_; }

private:
    static constexpr std::uint64_t kSmallestRest = std::uint64_t{32} << 20, kLargestRest = std::uint64_t{512} << 20;
    static constexpr std::size_t kLargestCredit = std::size_t{256} << 20;
    static constexpr std::size_t kWorthLooking = std::size_t{32} << 20;

    void updatePeaks() {
        const HostMemoryUse now = use();
        for (HostMemoryPeak* const peak : peaks_) {
            peak->most_.memory = std::max(peak->most_.memory, now.memory);
            peak->most_.scratch = std::max(peak->most_.scratch, now.scratch);
        }
    }

    std::atomic<std::uint64_t> limit_{0}, memory_{0}, aside_{0}, scratch_{0}, anonymousPeak_{0};
    std::atomic<std::int64_t> credit_{0};
    std::atomic<int> pauses_{0};
    std::atomic<const char*> reason_{""};  // of the pauses
    std::atomic<std::size_t> watchers_{0};
    std::mutex mutex_;  // guards the following
    std::string folder_;
    std::unordered_set<void*> scratchBlocks_;
    std::vector<HostMemoryPeak*> peaks_;
};

namespace {

/// Where the system overcommits memory, it grants any block and kills the process that writes to it.
bool exceedsMemory(std::size_t bytes) {
    if (bytes < kBlockToCheck) return false;
    const HostMemory memory = hostMemory();
    return memory.total > 0 && bytes > memory.available + memory.swapFree;
}

[[noreturn]] void refuse(std::size_t bytes, const std::string& why) {
    throw Error(ErrorCode::memory, "Not enough memory",
                std::to_string(bytes >> 20) + " MiB of host memory were refused" + (why.empty() ? "" : "; " + why),
                "Close other images or use a smaller one");
}

/// A block in memory, by `inMemory(bytes)`, or in a scratch file. Throws Error(memory).
template <class F>
void* takeBlock(std::size_t bytes, F&& inMemory) {
    HostMemoryAccount& account = HostMemoryAccount::instance();
    if (bytes > std::numeric_limits<std::size_t>::max() - kHugePage) refuse(bytes, {});
    std::string why;
    if (bytes >= kLargeBlock && account.isShortFor(bytes)) {
        const auto mustRefuse = [&] { return account.mayRefuse() || exceedsMemory(bytes); };
        try {
            if (void* const p = account.takeScratch(bytes, why)) return p;
        } catch (const Error&) {
            if (mustRefuse()) throw;
        }
        if (mustRefuse()) refuse(bytes, why);
    }
    void* p = inMemory(bytes);
    if (!p && bytes >= kLargeBlock && (p = account.takeScratch(bytes, why))) return p;
    if (!p) refuse(bytes, why);
    account.addMemory(bytes);
    return p;
}

void releaseBlock(void* p, std::size_t bytes) noexcept {
    HostMemoryAccount& account = HostMemoryAccount::instance();
    if (!p || (bytes >= kLargeBlock && account.releaseScratch(p, bytes))) return;
    account.subtractMemory(bytes);
    std::free(p);
}

class HostAllocator final : public Allocator {
public:
    MemorySpace space() const override { return MemorySpace::host; }

    void* allocate(std::size_t bytes) override { return takeBlock(bytes, &HostAllocator::inMemory); }
    void release(void* p, std::size_t bytes) noexcept override { releaseBlock(p, bytes); }

private:
    static void* inMemory(std::size_t bytes) {
        // Large blocks start on huge-page boundaries: fewer page faults and TLB misses. Others start on page boundaries, so that all runs
        // have the same buffer placement: a load waits for an earlier store with the same last 12 address bits ("4K aliasing"), which
        // changes times by some percent.
        const bool large = bytes >= kLargeBlock;
        const std::size_t alignment = large ? kHugePage : bytes >= kPage ? kPage : kAlignment;
        const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
        void* const p = std::aligned_alloc(alignment, rounded ? rounded : alignment);
        if (p && large) madvise(p, rounded, MADV_HUGEPAGE);
        return p;
    }
};

}  // namespace

std::shared_ptr<Allocator> hostAllocator() {
    static const std::shared_ptr<Allocator> allocator = std::make_shared<HostAllocator>();
    return allocator;
}

void* takeHostArray(std::size_t bytes) {
    return takeBlock(bytes, [](std::size_t n) { return std::malloc(n > 0 ? n : 1); });
}
void releaseHostArray(void* p, std::size_t bytes) noexcept { releaseBlock(p, bytes); }

void setHostMemoryLimit(std::uint64_t bytes) { HostMemoryAccount::instance().setLimit(bytes); }
std::uint64_t hostMemoryLimit() { return HostMemoryAccount::instance().limit(); }
std::uint64_t freeHostMemory() { return std::max<std::uint64_t>(1, HostMemoryAccount::instance().free().bytes); }

void setScratchFolder(const std::string& folder) {
    if (!folder.empty() && folder != kNoScratch)
        if (const ScratchSpace space = lookAtScratchFolder(folder); !space)
            throw Error(ErrorCode::usage, "Scratch files are not possible", space.obstacle,
                        "Choose a folder on a disk that can be written");
    HostMemoryAccount::instance().setFolder(folder);
}
ScratchSpace scratchSpace() { return HostMemoryAccount::instance().space(); }
std::string whyNotInScratchFiles(std::uint64_t bytes) { return bytes > 0 ? whyNot(scratchSpace(), bytes) : std::string(); }

InMemoryOnly::InMemoryOnly(const char* why) { HostMemoryAccount::instance().pause(why); }
InMemoryOnly::~InMemoryOnly() { HostMemoryAccount::instance().resume(); }

bool isInScratchFile(const void* p) { return HostMemoryAccount::instance().isScratch(p); }
HostMemoryUse hostMemoryUse() { return HostMemoryAccount::instance().use(); }
void setHostMemoryAside(std::uint64_t bytes) noexcept { HostMemoryAccount::instance().setAside(bytes); }
void useHostMemoryAgain(std::uint64_t bytes) noexcept { HostMemoryAccount::instance().useAgain(bytes); }

HostMemoryPeak::HostMemoryPeak() { HostMemoryAccount::instance().watch(this); }
HostMemoryPeak::~HostMemoryPeak() { HostMemoryAccount::instance().unwatch(this); }
HostMemoryUse HostMemoryPeak::most() const { return HostMemoryAccount::instance().most(*this); }

std::uint64_t anonymousMemory() { return ownMemory().anonymous; }
std::uint64_t peakAnonymousMemory() { return HostMemoryAccount::instance().peakAnonymous(); }

}  // namespace parallax
