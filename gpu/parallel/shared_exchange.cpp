// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/parallel/shared_exchange.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <system_error>
#include <utility>

#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

/// Bytes of the addresses of a rank. The file is sparse: only what is allocated takes memory.
constexpr std::size_t kRegion = std::size_t{1} << 36;

/// Where the first rank has the memory.
struct Place {
    std::int64_t process = 0, descriptor = -1;
    std::uint64_t name = 0;

    std::string nameText() const { return "parallax-exchange-" + std::to_string(name); }
    std::string link() const { return "/proc/" + std::to_string(process) + "/fd/" + std::to_string(descriptor); }
};

std::uint64_t randomName() {
    std::random_device source;
    return (std::uint64_t{source()} << 32) | source();
}

[[noreturn]] void throwNoMemory(std::size_t bytes) {
    throw Error(ErrorCode::memory, "Memory in which CUDA devices of several ranks exchange could not be allocated",
                std::to_string(bytes) + " bytes: " + std::strerror(errno), "Use a smaller image or fewer ranks");
}

}  // namespace

struct SharedExchange::Segment {
    explicit Segment(int ofDevice) : device(ofDevice) {}
    ~Segment() {
        if (descriptor >= 0) (void)close(descriptor);
    }
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;

    void create(Place& place, int ranks) {
        place = {.process = getpid(), .name = randomName()};
        descriptor = memfd_create(place.nameText().c_str(), MFD_CLOEXEC);
        const std::size_t bytes = static_cast<std::size_t>(ranks) * kRegion;
        if (descriptor < 0 || ftruncate(descriptor, static_cast<off_t>(bytes)) != 0) throwNoMemory(bytes);
        place.descriptor = descriptor;
    }
    /// The name tells the memory from a file of another machine's process with the same numbers.
    void open(const Place& place) {
        std::error_code none;
        const std::string target = std::filesystem::read_symlink(place.link(), none).string();
        if (target.find(place.nameText()) != std::string::npos) descriptor = ::open(place.link().c_str(), O_RDWR | O_CLOEXEC);
        if (descriptor < 0)
            throw Error(ErrorCode::unavailable, "CUDA devices of these ranks cannot solve a system together",
                        "their kernels exchange through memory of one machine, and this rank cannot map that of rank 0",
                        "Use ranks of one machine and container, or 'openmp' on ranks");
    }

    int device;
    int descriptor = -1;
};

namespace {

/// Allocates page after page in the region of a rank.
template <class Segment>
class RegionAllocator final : public Allocator {
public:
    RegionAllocator(std::shared_ptr<Segment> segment, int rank)
        : segment_(std::move(segment)), begin_(static_cast<std::size_t>(rank) * kRegion) {}
    MemorySpace space() const override { return MemorySpace::pinned; }

    void* allocate(std::size_t requested) override {
        const std::size_t bytes = inPages(requested);
        if (bytes > kRegion - used_) {
            errno = ENOSPC;
            throwNoMemory(bytes);
        }
        const auto at = static_cast<off_t>(begin_ + used_);
        // Memory that is missing is an error here, and a fatal signal when it is touched.
        if (const int error = posix_fallocate(segment_->descriptor, at, static_cast<off_t>(bytes)); error != 0) {
            errno = error;
            throwNoMemory(bytes);
        }
        void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, segment_->descriptor, at);
        if (p == MAP_FAILED) throwNoMemory(bytes);
        used_ += bytes;
        try {
            lock(p, bytes);
        } catch (...) {
            (void)munmap(p, bytes);
            throw;
        }
        return p;
    }
    void release(void* p, std::size_t requested) noexcept override {
        const CurrentDevice current(segment_->device, std::nothrow);
        checkNoThrow(cudaHostUnregister(p));
        (void)munmap(p, inPages(requested));
    }

private:
    static std::size_t inPages(std::size_t bytes) {
        static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        return (bytes + page - 1) / page * page;
    }
    void lock(void* p, std::size_t bytes) const {
        constexpr const char* what = "Memory that several ranks share could not be page-locked";
        const CurrentDevice current(segment_->device);
        check(cudaHostRegister(p, bytes, cudaHostRegisterPortable), what);
        cudaPointerAttributes attributes{};
        if (checkNoThrow(cudaPointerGetAttributes(&attributes, p)) && attributes.devicePointer == p) return;
        checkNoThrow(cudaHostUnregister(p));
        throw Error(ErrorCode::unavailable, what, "the CUDA device has another address for it", "Use 'openmp' on ranks");
    }

    std::shared_ptr<Segment> segment_;
    std::size_t begin_, used_ = 0;
};

}  // namespace

SharedExchange::SharedExchange(Communicator& communicator, int device) : segment_(std::make_shared<Segment>(device)) {
    std::array<Place, 1> place;
    if (communicator.rank() == 0) segment_->create(place[0], communicator.size());
    communicator.broadcast(std::as_writable_bytes(std::span(place)), 0);
    if (communicator.rank() > 0) segment_->open(place[0]);
    communicator.barrier();
}

std::shared_ptr<Allocator> SharedExchange::memoryOf(int rank) const { return std::make_shared<RegionAllocator<Segment>>(segment_, rank); }

}  // namespace parallax::gpu
