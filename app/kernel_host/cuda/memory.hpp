// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of device memory between addresses without memory, so that reading and writing far beyond an image is an illegal address. What
// lies nearer is filled with poison, which shows whether it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "app/kernel_host/cuda/driver.hpp"

namespace parallax::user {

/// Memory with an address range around it.
struct Mapping {
    DevicePointer reserved = 0;  ///< begin of the range; 0: memory without a range, where the device has no virtual memory
    std::size_t reservedBytes = 0;
    DevicePointer memory = 0;
    std::size_t bytes = 0;
};

/// Makes mappings, and keeps small ones for the next block.
class DeviceMemory {
public:
    explicit DeviceMemory(int device);
    ~DeviceMemory();
    DeviceMemory(const DeviceMemory&) = delete;
    DeviceMemory& operator=(const DeviceMemory&) = delete;
    Mapping map(std::size_t bytes);
    void release(const Mapping& mapping);

private:
    static void unmap(const Mapping& mapping);
    AllocationProperties properties_;
    std::size_t granularity_ = 0;  // 0: no virtual memory
    std::vector<Mapping> kept_;
};

/// Copies of device memory that are enqueued one after another, so that one wait is enough for all of them.
class Copies {
public:
    /// Fills `pinned` of `room` bytes; what exceeds it goes elsewhere, which takes longer.
    Copies(std::byte* pinned, std::size_t room, CUstream_st* stream) : pinned_(pinned), room_(pinned ? room : 0), stream_(stream) {}
    /// Returns where the bytes are after a wait for the stream.
    const std::byte* enqueue(DevicePointer from, std::size_t bytes);

private:
    std::byte* pinned_;
    std::size_t room_;
    CUstream_st* stream_;
    std::deque<std::vector<std::byte>> others_;
};

class DeviceBlock {
public:
    /// The first byte is aligned to 256. All work is enqueued in `stream`, or waits for it.
    DeviceBlock(DeviceMemory& memory, std::size_t bytes, CUstream_st* stream);
    ~DeviceBlock() { memory_.release(mapping_); }
    DeviceBlock(const DeviceBlock&) = delete;
    DeviceBlock& operator=(const DeviceBlock&) = delete;

    DevicePointer data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    /// Fills the samples with poison.
    void poison() const;
    /// What lies around the samples.
    struct Surroundings {
        const std::byte *before = nullptr, *beyond = nullptr;
        std::size_t wordsBefore = 0, wordsBeyond = 0;
        /// Samples that were written: negative, the number before the block; positive, the number beyond it. 0 if there are none.
        std::int64_t overwritten() const;
    };
    Surroundings surroundings(Copies& copies) const;

private:
    struct Margin {
        DevicePointer begin;
        std::size_t words;
    };
    Margin before() const;
    Margin beyond() const;

    DeviceMemory& memory_;
    std::size_t bytes_;
    CUstream_st* stream_;
    Mapping mapping_;
    DevicePointer data_ = 0;
};

}  // namespace parallax::user
