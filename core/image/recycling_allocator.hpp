// SPDX-License-Identifier: GPL-3.0-or-later
// Reuses memory of results of the same size, as while a slider moves: the system clears every new page, which can take longer than a
// filter.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "core/image/buffer.hpp"

namespace parallax {

/// Keeps released blocks and reuses them for the same number of bytes. Thread-safe.
class RecyclingAllocator final : public Allocator {
public:
    /// Keeps at most `maxKeptBytes` bytes; the block released first is dropped first. Blocks below 1 MiB are not kept.
    explicit RecyclingAllocator(std::size_t maxKeptBytes, std::shared_ptr<Allocator> source = hostAllocator());
    ~RecyclingAllocator() override;
    RecyclingAllocator(const RecyclingAllocator&) = delete;
    RecyclingAllocator& operator=(const RecyclingAllocator&) = delete;

    MemorySpace space() const override { return source_->space(); }
    /// Frees the kept blocks and tries again before it throws Error(memory).
    void* allocate(std::size_t bytes) override;
    void release(void* p, std::size_t bytes) noexcept override;

    /// Frees the kept blocks.
    void trim() noexcept;
    std::size_t keptBytes() const;

private:
    struct Block {
        void* data;
        std::size_t bytes;
    };
    void changeKept(std::size_t bytes, bool kept) noexcept;
    void drop(const Block& block) noexcept;

    std::shared_ptr<Allocator> source_;
    const bool isHost_;  // hostAllocator(), whose blocks are counted
    const std::size_t maxKeptBytes_;
    mutable std::mutex mutex_;
    std::vector<Block> kept_;  // in the order of release
    std::size_t keptBytes_ = 0;
};

}  // namespace parallax
