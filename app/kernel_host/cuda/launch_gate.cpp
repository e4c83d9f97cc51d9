// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/kernel_host/cuda/launch_gate.hpp"

#include <atomic>
#include <chrono>

namespace parallax::user {

LaunchGate::LaunchGate() {
    void* memory = nullptr;
    constexpr unsigned kPortableMapped = 3;
    constexpr std::size_t kBytes = 64;
    check(driver().cuMemHostAlloc(&memory, kBytes, kPortableMapped), "Memory cannot be allocated");
    number_ = static_cast<std::uint32_t*>(memory);
    *number_ = 0;
    watcher_ = std::thread([this] { watch(); });
}

LaunchGate::~LaunchGate() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    watcher_.join();
}

void LaunchGate::close(CUstream_st* stream) {
    const std::lock_guard lock(mutex_);
    if (useless_) return;
    if (driver().cuStreamWaitValue32_v2(stream, reinterpret_cast<DevicePointer>(number_), passed_ + 1, 0) != kSuccess) {
        useless_ = true;
        return;
    }
    ++passed_;
    closed_ = true;
    changed_.notify_all();
}

void LaunchGate::open() {
    const std::lock_guard lock(mutex_);
    if (!closed_) return;
    store();
    closed_ = false;
    changed_.notify_all();
}

void LaunchGate::store() const { std::atomic_ref(*number_).store(passed_, std::memory_order_release); }

/// Opens a gate that stays closed: the launches may be waiting for the device.
void LaunchGate::watch() {
    constexpr std::chrono::milliseconds kPatience(100);
    std::unique_lock lock(mutex_);
    while (!ends_) {
        changed_.wait(lock, [&] { return closed_ || ends_; });
        const std::uint32_t closed = passed_;
        if (changed_.wait_for(lock, kPatience, [&] { return !closed_ || passed_ != closed || ends_; })) continue;
        store();
        closed_ = false;
        useless_ = true;
    }
}

}  // namespace parallax::user
