// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for results that come again and again in the same size, as while a slider moves: the system would have to clear every
// new page, which for a light filter takes longer than the filter.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "core/image/buffer.hpp"

namespace parallax {

/// Keeps released blocks and hands them out again for the same number of bytes. Safe to use from several threads.
class RecyclingAllocator final : public Allocator {
public:
    /// Keeps at most `mostKept` bytes; the block that was released first goes first. Blocks below 1 MiB are not kept.
    explicit RecyclingAllocator(std::size_t mostKept, std::shared_ptr<Allocator> source = hostAllocator());
    ~RecyclingAllocator() override;
    RecyclingAllocator(const RecyclingAllocator&) = delete;
    RecyclingAllocator& operator=(const RecyclingAllocator&) = delete;

    MemorySpace space() const override { return source_->space(); }
    /// Gives back what is kept and asks again before it reports that memory is short.
    void* allocate(std::size_t bytes) override;
    void release(void* p, std::size_t bytes) noexcept override;

    /// Gives back what is kept.
    void trim() noexcept;
    std::size_t keptBytes() const;

private:
    struct Block {
        void* data;
        std::size_t bytes;
    };
    std::shared_ptr<Allocator> source_;
    const std::size_t mostKept_;
    mutable std::mutex mutex_;
    std::vector<Block> kept_;  // in the order of release
    std::size_t keptBytes_ = 0;
};

}  // namespace parallax
