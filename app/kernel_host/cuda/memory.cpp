// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kernel_host/cuda/memory.hpp"

#include <algorithm>
#include <cstring>

#include "app/kernel_host/messages.hpp"

namespace parallax::user {
namespace {

constexpr std::size_t kGuard = std::size_t{64} << 20;   // of address space, to either side of a block
constexpr std::size_t kUnit = 256;                      // alignment of a block
constexpr std::size_t kMargin = std::size_t{64} << 10;  // of poison that is looked at, to either side
constexpr std::size_t kKept = 32, kLargestKept = std::size_t{2} << 20;

}  // namespace

DeviceMemory::DeviceMemory(int device) {
    properties_.location.id = device;
    int possible = 0;
    check(driver().cuDeviceGetAttribute(&possible, kVirtualMemory, device), "The device cannot be described");
    if (possible) check(driver().cuMemGetAllocationGranularity(&granularity_, &properties_, 0), "The device cannot be described");
}

DeviceMemory::~DeviceMemory() {
    for (const Mapping& m : kept_) unmap(m);
}

Mapping DeviceMemory::map(std::size_t bytes) {
    const Driver& d = driver();
    Mapping m;
    if (granularity_ == 0) {
        m.bytes = roundedUp(bytes, kUnit) + 2 * kMargin;
        check(d.cuMemAlloc_v2(&m.memory, m.bytes), "Memory cannot be allocated");
        return m;
    }
    m.bytes = roundedUp(bytes, granularity_);
    const auto kept = std::find_if(kept_.begin(), kept_.end(), [&](const Mapping& k) { return k.bytes == m.bytes; });
    if (kept != kept_.end()) {
        m = *kept;
        kept_.erase(kept);
        return m;
    }
    m.reservedBytes = roundedUp(m.bytes + 2 * kGuard, granularity_);
    AllocationHandle handle = 0;
    check(d.cuMemCreate(&handle, m.bytes, &properties_, 0), "Memory cannot be allocated");
    int result = d.cuMemAddressReserve(&m.reserved, m.reservedBytes, 0, 0, 0);
    if (result == kSuccess) {
        m.memory = m.reserved + roundedUp(kGuard, granularity_);
        result = d.cuMemMap(m.memory, m.bytes, 0, handle, 0);
        if (result != kSuccess) (void)d.cuMemAddressFree(m.reserved, m.reservedBytes);
    }
    (void)d.cuMemRelease(handle);  // the mapping keeps it
    check(result, "Memory cannot be mapped");
    AccessDescription access;
    access.location = properties_.location;
    result = d.cuMemSetAccess(m.memory, m.bytes, &access, 1);
    if (result != kSuccess) unmap(m);
    check(result, "Memory cannot be mapped");
    return m;
}

void DeviceMemory::release(const Mapping& mapping) {
    if (mapping.reserved != 0 && mapping.bytes <= kLargestKept && kept_.size() < kKept) kept_.push_back(mapping);
    else unmap(mapping);
}

void DeviceMemory::unmap(const Mapping& m) {
    // After an illegal address all of this fails; the process ends then.
    if (m.reserved == 0) {
        (void)driver().cuMemFree_v2(m.memory);
        return;
    }
    (void)driver().cuMemUnmap(m.memory, m.bytes);
    (void)driver().cuMemAddressFree(m.reserved, m.reservedBytes);
}

DeviceBlock::DeviceBlock(DeviceMemory& memory, std::size_t bytes, CUstream_st* stream)
    : memory_(memory), bytes_(bytes), stream_(stream), mapping_(memory.map(std::max<std::size_t>(bytes, 1))) {
    // It ends where the memory ends, but for less than 256 bytes.
    data_ = mapping_.reserved != 0 ? mapping_.memory + (mapping_.bytes - bytes) / kUnit * kUnit : mapping_.memory + kMargin;
    for (const Margin& m : {before(), beyond()})
        if (m.words > 0) check(driver().cuMemsetD32Async(m.begin, kPoison, m.words, stream_), "Memory cannot be filled");
}

DeviceBlock::Margin DeviceBlock::before() const {
    const std::size_t bytes = std::min<std::size_t>(data_ - mapping_.memory, kMargin);
    return {data_ - bytes, bytes / sizeof kPoison};
}

DeviceBlock::Margin DeviceBlock::beyond() const {
    const DevicePointer begin = data_ + roundedUp(bytes_, sizeof kPoison);
    const std::size_t bytes = std::min<std::size_t>(mapping_.memory + mapping_.bytes - begin, kMargin);
    return {begin, bytes / sizeof kPoison};
}

void DeviceBlock::poison() const {
    if (bytes_ >= sizeof kPoison)
        check(driver().cuMemsetD32Async(data_, kPoison, bytes_ / sizeof kPoison, stream_), "Memory cannot be filled");
}

DeviceBlock::Surroundings DeviceBlock::surroundings(Copies& copies) const {
    const Margin first = before(), last = beyond();
    return {copies.enqueue(first.begin, first.words * sizeof kPoison), copies.enqueue(last.begin, last.words * sizeof kPoison), first.words,
            last.words};
}

std::int64_t DeviceBlock::Surroundings::overwritten() const {
    const auto written = [](const std::byte* words, std::size_t count) {
        std::int64_t first = 0;
        const auto all = static_cast<std::int64_t>(count);
        return all == 0 ? 0 : all - countPoison(reinterpret_cast<const float*>(words), all, first);
    };
    const std::int64_t count = written(beyond, wordsBeyond);
    return count > 0 ? count : -written(before, wordsBefore);
}

const std::byte* Copies::enqueue(DevicePointer from, std::size_t bytes) {
    if (bytes == 0) return nullptr;
    std::byte* to = pinned_;
    if (bytes <= room_) {
        const std::size_t taken = std::min(room_, roundedUp(bytes, kUnit));
        pinned_ += taken;
        room_ -= taken;
    } else {
        to = others_.emplace_back(bytes).data();
    }
    check(driver().cuMemcpyDtoHAsync_v2(to, from, bytes, stream_), "Samples cannot be copied");
    return to;
}

}  // namespace parallax::user
