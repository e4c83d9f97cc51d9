// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backends/mpi/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "core/image/error.hpp"
#include "core/image/recycling_allocator.hpp"
#include "core/image/texts.hpp"

namespace parallax {
namespace {

constexpr std::size_t kKeptBytes = std::size_t{512} << 20;

[[noreturn]] void refuse(std::size_t bytes) {
    throw Error(ErrorCode::memory, "Not enough memory", mebibytes(bytes) + " of shared memory: " + std::strerror(errno),
                "Close other images or use a smaller one");
}

class ResultMemory final : public Allocator {
public:
    MemorySpace space() const override { return MemorySpace::host; }
    void* allocate(std::size_t bytes) override {
        std::shared_ptr<SharedMemory> memory = SharedMemory::create(bytes);
        void* const data = memory->data();
        const std::scoped_lock lock(mutex_);
        blocks_.emplace(data, std::move(memory));
        return data;
    }
    void release(void* p, std::size_t) noexcept override {
        const std::scoped_lock lock(mutex_);
        blocks_.erase(p);
    }
    std::shared_ptr<SharedMemory> at(const void* data) const {
        const std::scoped_lock lock(mutex_);
        const auto block = blocks_.find(data);
        return block == blocks_.end() ? nullptr : block->second;
    }

private:
    mutable std::mutex mutex_;
    std::map<const void*, std::shared_ptr<SharedMemory>> blocks_;
};

/// Lends memory to one buffer.
class LentMemory final : public Allocator {
public:
    explicit LentMemory(std::shared_ptr<SharedMemory> memory) : memory_(std::move(memory)) {}
    MemorySpace space() const override { return MemorySpace::host; }
    void* allocate(std::size_t bytes) override {
        if (bytes > memory_->bytes()) throw Error(ErrorCode::failed, "Shared memory is smaller than its samples");
        return memory_->data();
    }
    void release(void*, std::size_t) noexcept override {}

private:
    std::shared_ptr<SharedMemory> memory_;
};

struct Results {
    std::shared_ptr<ResultMemory> source = std::make_shared<ResultMemory>();
    std::shared_ptr<RecyclingAllocator> kept = std::make_shared<RecyclingAllocator>(kKeptBytes, source);
};
Results& results() {
    static Results all;
    return all;
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) (void)close(number_);
}
Descriptor::Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    if (this != &other && other.number_ >= 0) (void)close(std::exchange(other.number_, -1));
    return *this;
}

SharedMemory::SharedMemory(Descriptor descriptor, std::size_t bytes, std::uint64_t id)
    : descriptor_(std::move(descriptor)), bytes_(bytes), id_(id) {
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_.get(), 0);
    if (mapped == MAP_FAILED) refuse(bytes);
    data_ = mapped;
}

std::shared_ptr<SharedMemory> SharedMemory::create(std::size_t bytes) {
    static std::atomic<std::uint64_t> lastId = 0;
    Descriptor descriptor(memfd_create("parallax", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Memory that is missing is an error here, and a fatal signal when it is touched.
    if (!descriptor || ftruncate(descriptor.get(), static_cast<off_t>(bytes)) != 0) refuse(bytes);
    if (const int error = posix_fallocate(descriptor.get(), 0, static_cast<off_t>(bytes)); error != 0) {
        errno = error;
        refuse(bytes);
    }
    if (fcntl(descriptor.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) refuse(bytes);
    return std::shared_ptr<SharedMemory>(new SharedMemory(std::move(descriptor), bytes, ++lastId));
}

std::shared_ptr<SharedMemory> SharedMemory::open(Descriptor descriptor, std::size_t bytes, std::uint64_t id) {
    struct stat status {};
    const int seals = fcntl(descriptor.get(), F_GET_SEALS);
    if (!descriptor || bytes == 0 || seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(descriptor.get(), &status) != 0 ||
        static_cast<std::uint64_t>(status.st_size) < bytes)
        throw Error(ErrorCode::failed, "Shared memory of another process is not what it should be");
    return std::shared_ptr<SharedMemory>(new SharedMemory(std::move(descriptor), bytes, id));
}

SharedMemory::~SharedMemory() { (void)munmap(data_, bytes_); }

Buffer bufferIn(std::shared_ptr<SharedMemory> memory, const Shape& shape) {
    return Buffer(shape, SampleType::float32, std::make_shared<LentMemory>(std::move(memory)));
}

std::shared_ptr<Allocator> sharedResultMemory() { return results().kept; }
std::shared_ptr<SharedMemory> sharedResultAt(const void* data) { return results().source->at(data); }
void trimSharedResultMemory() { results().kept->trim(); }

}  // namespace parallax
