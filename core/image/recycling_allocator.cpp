// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/image/recycling_allocator.hpp"

#include <algorithm>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/host/memory_use.hpp"

namespace parallax {
namespace {

constexpr std::size_t kSmallestKept = std::size_t{1} << 20;  // the C library keeps smaller blocks itself
constexpr std::size_t kMaxBlocks = 64;                       // reserved: release() must not throw

}  // namespace

RecyclingAllocator::RecyclingAllocator(std::size_t maxKeptBytes, std::shared_ptr<Allocator> source)
    : source_(std::move(source)), isHost_(source_ == hostAllocator()), maxKeptBytes_(maxKeptBytes) {
    kept_.reserve(kMaxBlocks);
}

RecyclingAllocator::~RecyclingAllocator() { trim(); }

void* RecyclingAllocator::allocate(std::size_t bytes) {
    {
        const std::scoped_lock lock(mutex_);
        // The block released last is the most likely to be in a cache.
        const auto it = std::find_if(kept_.rbegin(), kept_.rend(), [&](const Block& b) { return b.bytes == bytes; });
        if (it != kept_.rend()) {
            void* data = it->data;
            kept_.erase(std::next(it).base());
            changeKept(bytes, false);
            return data;
        }
    }
    void* p = nullptr;
    try {
        p = source_->allocate(bytes);
    } catch (const Error&) {
        if (keptBytes() == 0) throw;
    }
    if (p && (keptBytes() == 0 || !isInScratchFile(p))) return p;
    // Kept blocks are worth less than memory for this one.
    if (p) source_->release(p, bytes);
    trim();
    return source_->allocate(bytes);
}

void RecyclingAllocator::release(void* p, std::size_t bytes) noexcept {
    if (bytes < kSmallestKept || bytes > maxKeptBytes_ || isInScratchFile(p)) return source_->release(p, bytes);
    const std::scoped_lock lock(mutex_);
    while (!kept_.empty() && (keptBytes_ + bytes > maxKeptBytes_ || kept_.size() == kMaxBlocks)) {
        drop(kept_.front());
        kept_.erase(kept_.begin());
    }
    kept_.push_back({p, bytes});
    changeKept(bytes, true);
}

void RecyclingAllocator::changeKept(std::size_t bytes, bool kept) noexcept {
    keptBytes_ = kept ? keptBytes_ + bytes : keptBytes_ - bytes;
    if (isHost_) kept ? setHostMemoryAside(bytes) : useHostMemoryAgain(bytes);
}

void RecyclingAllocator::drop(const Block& block) noexcept {
    source_->release(block.data, block.bytes);
    changeKept(block.bytes, false);
}

void RecyclingAllocator::trim() noexcept {
    const std::scoped_lock lock(mutex_);
    for (const Block& block : kept_) drop(block);
    kept_.clear();
}

std::size_t RecyclingAllocator::keptBytes() const {
    const std::scoped_lock lock(mutex_);
    return keptBytes_;
}

}  // namespace parallax
