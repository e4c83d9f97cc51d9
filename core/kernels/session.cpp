// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/session.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "core/image/error.hpp"

namespace parallax::user {
namespace {

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool isDense(const View<const float>& v) {
    return v.rowStride == v.shape.width && v.sliceStride == v.rowStride * v.shape.height &&
           v.channelStride == v.sliceStride * v.shape.depth;
}

std::size_t bytesOf(const Shape& shape) { return static_cast<std::size_t>(shape.samples()) * sizeof(float); }

/// Processes without a session. Starting one takes some milliseconds, and its threads too.
class IdleProcesses {
public:
    static IdleProcesses& instance() {
        static auto* const idle = new IdleProcesses;
        return *idle;
    }
    std::shared_ptr<KernelProcess> take(const void* kernel, double limit, int device) {
        const std::lock_guard lock(mutex_);
        std::erase_if(idle_, [](const auto& i) { return !i.second->running(); });
        for (auto i = idle_.begin(); i != idle_.end(); ++i) {
            if (i->first != kernel || i->second->limit() != limit || i->second->device() != device) continue;
            std::shared_ptr<KernelProcess> process = std::move(i->second);
            idle_.erase(i);
            return process;
        }
        return nullptr;
    }
    void end() {
        std::vector<std::pair<const void*, std::shared_ptr<KernelProcess>>> ended;  // outside of the lock
        const std::lock_guard lock(mutex_);
        ended.swap(idle_);
    }
    void keep(const void* kernel, std::shared_ptr<KernelProcess> process) {
        std::shared_ptr<KernelProcess> dropped;  // ends outside of the lock
        const std::lock_guard lock(mutex_);
        if (idle_.size() == kIdleAtMost) {
            dropped = std::move(idle_.front().second);
            idle_.erase(idle_.begin());
        }
        idle_.emplace_back(kernel, std::move(process));
    }

private:
    static constexpr std::size_t kIdleAtMost = 2;
    std::mutex mutex_;
    std::vector<std::pair<const void*, std::shared_ptr<KernelProcess>>> idle_;
};

}  // namespace

void keepProcess(const void* kernel, std::shared_ptr<KernelProcess> process) {
    (void)process->call({.request = Request::forget}, "memory", {});
    IdleProcesses::instance().keep(kernel, std::move(process));
}

void endIdleProcesses() { IdleProcesses::instance().end(); }

void KernelClock::begin(Stage stage) {
    stage_ = stage;
    start_ = now();
    if (origin_ == 0) origin_ = start_;
    computed_ = firstBegin_ = lastEnd_ = 0;
}

void KernelClock::add(std::int64_t begin, std::int64_t end) {
    if (firstBegin_ == 0) firstBegin_ = begin;
    lastEnd_ = end;
    computed_ += end - begin;
}

void KernelClock::end() {
    const bool measured = stage_ == Stage::compute && firstBegin_ != 0;
    const std::int64_t begin = measured ? firstBegin_ : start_, end = measured ? lastEnd_ : now();
    times_[stage_] += measured ? computed_ : end - begin;
    times_.extendSpan(stage_, begin - origin_, end - origin_);
}

StageTimes KernelClock::finish() {
    times_.setOrigin(std::exchange(origin_, 0));
    return std::exchange(times_, StageTimes{});
}

/// Stands for blocks of the process: addresses without access, each with the number of its block.
class Memory final : public Allocator {
public:
    MemorySpace space() const override { return MemorySpace::device; }
    void* allocate(std::size_t bytes) override {
        void* p = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) throw Error(ErrorCode::memory, "Out of memory for a kernel", std::to_string(bytes) + " bytes");
        const std::lock_guard lock(mutex_);
        blocks_[p] = 0;
        return p;
    }
    void release(void* p, std::size_t bytes) noexcept override {
        munmap(p, bytes);
        const std::lock_guard lock(mutex_);
        const auto block = blocks_.find(p);
        if (block == blocks_.end()) return;
        if (block->second != 0) unused_.push_back(block->second);
        blocks_.erase(block);
    }
    std::int64_t& operator[](const void* p) {
        const std::lock_guard lock(mutex_);
        return blocks_[p];
    }
    std::vector<std::int64_t> takeUnused() {
        const std::lock_guard lock(mutex_);
        return std::exchange(unused_, {});
    }
    /// The process ended: no block is there.
    void forget() {
        const std::lock_guard lock(mutex_);
        for (auto& [p, block] : blocks_) block = 0;
        unused_.clear();
    }

private:
    std::mutex mutex_;
    std::map<const void*, std::int64_t> blocks_;
    std::vector<std::int64_t> unused_;
};

UserSession::UserSession(int threads, std::stop_token stop, double limitSeconds, int device, std::shared_ptr<const Sanitizer> sanitizer)
    : threads_(threads),
      stop_(std::move(stop)),
      limit_(limitSeconds),
      device_(device),
      sanitizer_(std::move(sanitizer)),
      memory_(std::make_shared<Memory>()) {}

KernelProcess& UserSession::process() {
    if (!process_ || !process_->running()) {
        memory_->forget();
        process_ = std::make_shared<KernelProcess>(limit_, device_, sanitizer_);
        ++generation_;
    }
    return *process_;
}

void UserSession::willRun(const void* kernel) {
    if (!process_) {
        process_ = IdleProcesses::instance().take(kernel, limit_, device_);
        if (process_) ++generation_;
        kernel_ = kernel;
    } else if (kernel_ != kernel) {
        kernel_ = nullptr;
    }
}

UserSession::~UserSession() {
    if (!process_ || !process_->running() || !kernel_) return;
    try {
        keepProcess(kernel_, std::move(process_));
    } catch (const Error&) {
        // It ends with this session.
    }
}

Buffer UserSession::allocate(const Layout& layout) { return Buffer(layout, SampleType::float32, memory_); }

std::int64_t UserSession::blockOf(const float* samples, std::size_t count) {
    KernelProcess& p = process();
    for (const std::int64_t unused : memory_->takeUnused())
        (void)p.call({.request = Request::release, .values = {unused}}, "memory", stop_);
    std::int64_t& block = (*memory_)[samples];
    if (block == 0) {
        const std::int64_t number = p.newNumber();
        try {
            (void)p.call({.request = Request::allocate, .values = {number, static_cast<std::int64_t>(count * sizeof(float))}}, "memory",
                         stop_);
        } catch (const Error& e) {
            if (!p.running()) throw;
            throw Error(ErrorCode::memory, "Out of memory for a kernel", e.why(), "Use a smaller image");
        }
        block = number;
    }
    return block;
}

void UserSession::upload(View<const float> host, View<float> device) {
    const std::int64_t block = blockOf(device.data, static_cast<std::size_t>(device.shape.samples()));
    if (isDense(host)) return process().write(block, reinterpret_cast<const std::byte*>(host.data), bytesOf(host.shape), stop_);
    Buffer dense(host.shape);
    const View<float> to = dense.view<float>();
    const auto plane = static_cast<std::size_t>(host.shape.width * host.shape.height * host.shape.depth);
    for (std::int64_t c = 0; c < host.shape.channels; ++c)
        std::memcpy(to.data + to.channelStride * c, host.data + host.channelStride * c, plane * sizeof(float));
    process().write(block, static_cast<const std::byte*>(std::as_const(dense).data()), bytesOf(host.shape), stop_);
}

void UserSession::download(View<const float> device, View<float> host) {
    const std::int64_t block = blockOf(device.data, static_cast<std::size_t>(device.shape.samples()));
    if (isDense({host.data, host.shape, host.rowStride, host.sliceStride, host.channelStride}))
        return process().read(block, reinterpret_cast<std::byte*>(host.data), bytesOf(host.shape), stop_);
    Buffer dense(host.shape);
    process().read(block, static_cast<std::byte*>(dense.data()), bytesOf(host.shape), stop_);
    const View<float> from = dense.view<float>();
    const auto plane = static_cast<std::size_t>(host.shape.width * host.shape.height * host.shape.depth);
    for (std::int64_t c = 0; c < host.shape.channels; ++c)
        std::memcpy(host.data + host.channelStride * c, from.data + from.channelStride * c, plane * sizeof(float));
}

}  // namespace parallax::user
