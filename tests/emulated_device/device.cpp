// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_device/device.hpp"

#include <cstdio>
#include <iterator>
#include <utility>

namespace emulatedDevice {

thread_local cudaError_t lastError = cudaSuccess;
thread_local cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess) lastError = error;
    return error;
}

Device& device() {
    static auto* const one = new Device;
    return *one;
}

CUstream_st* Device::find(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return &legacy;
    if (stream == cudaStreamPerThread) return &perThread;
    for (const auto& s : streams)
        if (s.get() == stream && !s->zombie) return stream;
    return nullptr;
}

void Device::fault(cudaError_t error, const std::string& what) {
    std::fprintf(stderr, "emulated device: %s\n", what.c_str());
    if (faults.empty()) faults = what;
    if (lost == cudaSuccess) lost = error;
}

bool Device::ready(const CUstream_st& s) const {
    if (s.queue.empty() || s.busy) return false;
    const Operation& first = s.queue.front();
    // When the device is lost, nothing waits.
    if (first.waitsFor && first.waitsFor->completed < first.ticket && lost == cudaSuccess) return false;
    // The legacy stream and blocking streams wait for each other.
    if (&s == &legacy) {
        for (const auto& other : streams)
            if ((other->flags & cudaStreamNonBlocking) == 0 && !other->queue.empty() && other->queue.front().sequence < first.sequence)
                return false;
        return perThread.queue.empty() || perThread.queue.front().sequence > first.sequence;
    }
    if ((s.flags & cudaStreamNonBlocking) == 0) return legacy.queue.empty() || legacy.queue.front().sequence > first.sequence;
    return true;
}

bool Device::step(Lock& lock) {
    // Bursts of one stream as well as a mixture, both valid orders of a device.
    if (burst_ == 0 || !favourite_ || !ready(*favourite_)) {
        candidates_.clear();
        forStreams([&](CUstream_st& s) {
            if (ready(s)) candidates_.push_back(&s);
        });
        if (candidates_.empty()) return false;
        favourite_ = candidates_[dice.below(candidates_.size())];
        static constexpr int lengths[] = {1, 1, 3, 1000};
        burst_ = lengths[dice.below(std::size(lengths))];
    }
    --burst_;
    CUstream_st& s = *favourite_;
    // The operation stays in the queue while it runs, since it blocks those of other streams.
    if (s.queue.front().callsHost) {
        s.busy = true;
        const std::function<void()> work = std::move(s.queue.front().work);
        lock.unlock();
        work();
        lock.lock();
        s.busy = false;
        finish(s);
    } else {
        // Kernels do not run on a lost device.
        if (s.queue.front().work && (lost == cudaSuccess || s.queue.front().ticket != 0)) s.queue.front().work();
        finish(s);
    }
    changed.notify_all();
    return true;
}

void Device::runAll(Lock& lock) {
    runUntil(lock, [&] {
        bool empty = true;
        forStreams([&](const CUstream_st& s) { empty = empty && s.queue.empty(); });
        return empty;
    });
}

void Device::runStream(Lock& lock, CUstream_st& s) {
    const std::uint64_t target = s.enqueued;
    ++waiters_;
    runUntil(lock, [&] { return s.done >= target; });
    --waiters_;
    bury();
}

cudaError_t Device::enqueue(Lock& lock, CUstream_st& s, Operation operation) {
    if (s.capture) {
        Capture& c = *s.capture;
        if (c.invalidated) return cudaErrorStreamCaptureInvalidated;
        c.nodes.push_back({std::move(operation), s.last});
        s.last = {c.nodes.size() - 1};
        return cudaSuccess;
    }
    if (cudaError_t e = implicitUse(s); e != cudaSuccess) return e;
    operation.sequence = ++sequence;
    s.queue.push_back(std::move(operation));
    ++s.enqueued;
    // Sometimes the device is faster than the host.
    if (dice.one(8))
        for (std::size_t n = dice.below(6); n > 0 && step(lock); --n) continue;
    return cudaSuccess;
}

cudaError_t Device::implicitUse(const CUstream_st& s) {
    if (&s != &legacy) return cudaSuccess;
    for (const auto& c : captures)
        for (const CUstream_st* other : c->streams)
            if ((other->flags & cudaStreamNonBlocking) == 0) {
                c->invalidated = true;
                return cudaErrorStreamCaptureImplicit;
            }
    return cudaSuccess;
}

cudaError_t Device::refuseWhileCapturing() {
    for (const auto& c : captures) {
        if (c->mode == cudaStreamCaptureModeRelaxed || captureMode == cudaStreamCaptureModeRelaxed) continue;
        c->invalidated = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
}

void Device::destroy(CUstream_st* s) {
    s->zombie = true;
    bury();
}

void Device::finish(CUstream_st& s) {
    // A closure may own memory whose release calls this interface.
    Operation last = std::move(s.queue.front());
    s.queue.pop_front();
    ++s.done;
    if (s.zombie && s.queue.empty()) bury();
}

void Device::bury() {
    if (waiters_ > 0) return;
    if (std::erase_if(streams, [](const auto& s) { return s->zombie && s->queue.empty() && !s->busy; }) > 0)
        favourite_ = nullptr, burst_ = 0;
}

}  // namespace emulatedDevice
