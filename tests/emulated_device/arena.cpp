// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_device/arena.hpp"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

namespace emulatedDevice {

Arena::Arena(std::size_t bytes) : bytes_(bytes) {
    void* const p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        std::fputs("emulated device: no addresses for the memory of a device\n", stderr);
        std::abort();
    }
    base_ = static_cast<char*>(p);
    free_[0] = bytes_;
}

Arena::~Arena() { munmap(base_, bytes_); }

void* Arena::allocate(std::size_t bytes) {
    bytes = (bytes + 255) / 256 * 256;
    for (auto f = free_.begin(); f != free_.end(); ++f) {
        if (f->second < bytes) continue;
        const std::size_t offset = f->first, left = f->second - bytes;
        free_.erase(f);
        if (left > 0) free_[offset + bytes] = left;
        used_[offset] = bytes;
        return base_ + offset;
    }
    return nullptr;
}

void Arena::release(void* p) {
    const auto u = used_.find(static_cast<std::size_t>(static_cast<char*>(p) - base_));
    auto f = free_.insert(*u).first;
    used_.erase(u);
    if (const auto next = std::next(f); next != free_.end() && f->first + f->second == next->first) {
        f->second += next->second;
        free_.erase(next);
    }
    if (f == free_.begin()) return;
    if (const auto before = std::prev(f); before->first + before->second == f->first) {
        before->second += f->second;
        free_.erase(f);
    }
}

void Arena::allowAccess(bool allowed) {
    if (allowed != allowed_) (void)mprotect(base_, bytes_, allowed ? PROT_READ | PROT_WRITE : PROT_NONE);
    allowed_ = allowed;
}

}  // namespace emulatedDevice
