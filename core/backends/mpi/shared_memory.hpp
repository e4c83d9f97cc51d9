// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that two processes of a machine map. It has no name in any file system and ends with its last user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/image/buffer.hpp"

namespace parallax {

/// A file descriptor that is closed with its owner; -1: none.
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept;
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return number_; }
    explicit operator bool() const { return number_ >= 0; }
    void reset() { *this = Descriptor(); }

private:
    int number_;
};

class SharedMemory {
public:
    /// Throws Error(memory).
    static std::shared_ptr<SharedMemory> create(std::size_t bytes);
    /// Maps the memory of another process, which calls it `id`. Throws Error(failed) if it is smaller than `bytes` or could become so.
    static std::shared_ptr<SharedMemory> open(Descriptor descriptor, std::size_t bytes, std::uint64_t id);
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    int descriptor() const { return descriptor_.get(); }
    std::uint64_t id() const { return id_; }  ///< in the process that created it

private:
    SharedMemory(Descriptor descriptor, std::size_t bytes, std::uint64_t id);
    Descriptor descriptor_;
    std::size_t bytes_;
    std::uint64_t id_;
    void* data_ = nullptr;
};

/// A buffer of these samples; keeps the memory. Throws Error(failed) if the memory is too small.
Buffer bufferIn(std::shared_ptr<SharedMemory> memory, const Shape& shape);

/// Memory of results that ranks write. Keeps blocks of the last results, so that the system need not clear new ones.
std::shared_ptr<Allocator> sharedResultMemory();
/// The block that begins here; null if this is no memory of sharedResultMemory().
std::shared_ptr<SharedMemory> sharedResultAt(const void* data);
/// Frees the blocks that are kept.
void trimSharedResultMemory();

}  // namespace parallax
