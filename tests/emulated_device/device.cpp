// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_device/device.hpp"

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>

namespace emulatedDevice {

thread_local cudaError_t lastError = cudaSuccess;
thread_local int currentDevice = 0;
thread_local cudaStreamCaptureMode captureMode = cudaStreamCaptureModeGlobal;

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess) lastError = error;
    return error;
}

Machine& machine() {
    static auto* const one = new Machine;
    return *one;
}

Machine::Machine() {
    for (int i = 0; i < kMaxDevices; ++i) {
        Device& d = of(i);
        d.legacy.device = d.perThread.device = d.defaultPool.device = i;
    }
    if (const char* const text = std::getenv("PARALLAX_EMULATED_DEVICES")) deviceCount = std::clamp(std::atoi(text), 1, kMaxDevices);
    if (const char* const text = std::getenv("PARALLAX_EMULATED_SHARED"))
        sharedAtMost = std::clamp<std::size_t>(std::strtoull(text, nullptr, 10), kSharedByDefault, kSharedAtMost);
}

CUstream_st* Machine::find(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return &current().legacy;
    if (stream == cudaStreamPerThread) return &current().perThread;
    for (const auto& s : streams)
        if (s.get() == stream && !s->zombie) return stream;
    return nullptr;
}

void Machine::fault(int device, cudaError_t error, const std::string& what) {
    std::fprintf(stderr, "emulated device %d: %s\n", device, what.c_str());
    if (faults.empty()) faults = what;
    if (of(device).lost == cudaSuccess) of(device).lost = error;
}

bool Machine::ready(const CUstream_st& s) const {
    if (s.queue.empty() || s.busy) return false;
    const Operation& first = s.queue.front();
    const auto& [legacy, perThread] = std::tie(of(s).legacy, of(s).perThread);
    // When the device is lost, nothing waits.
    if (first.waitsFor && first.waitsFor->completed < first.ticket && of(s).lost == cudaSuccess) return false;
    // The legacy stream and blocking streams wait for each other.
    if (&s == &legacy) {
        for (const auto& other : streams)
            if (other->device == s.device && (other->flags & cudaStreamNonBlocking) == 0 && !other->queue.empty() &&
                other->queue.front().sequence < first.sequence)
                return false;
        return perThread.queue.empty() || perThread.queue.front().sequence > first.sequence;
    }
    if ((s.flags & cudaStreamNonBlocking) == 0) return legacy.queue.empty() || legacy.queue.front().sequence > first.sequence;
    return true;
}

Step Machine::step(Lock& lock) {
    // Bursts of one stream as well as a mixture, both valid orders of a device.
    if (burst_ == 0 || !favourite_ || !ready(*favourite_)) {
        candidates_.clear();
        forStreams([&](CUstream_st& s) {
            if (ready(s)) candidates_.push_back(&s);
        });
        if (candidates_.empty()) return Step::nothing;
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
    } else if (run(s)) {
        finish(s);
    } else {
        burst_ = 0;
        return Step::paused;
    }
    changed.notify_all();
    return Step::done;
}

bool Machine::run(CUstream_st& s) {
    Operation& first = s.queue.front();
    const bool isLost = of(s).lost != cudaSuccess;
    if (!s.task) {
        // Kernels do not run on a lost device.
        if (!first.work || (isLost && first.ticket == 0)) return true;
        if (idleTasks_.empty()) idleTasks_.push_back(std::make_unique<Task>());
        s.task = std::move(idleTasks_.back());
        idleTasks_.pop_back();
        s.task->begin(first.work);
    } else if (isLost) {
        s.task->abandon();
        idleTasks_.push_back(std::move(s.task));
        return true;
    }
    if (!s.task->resume()) return false;
    idleTasks_.push_back(std::move(s.task));
    return true;
}

void Machine::runAll(Lock& lock, int device) {
    runUntil(lock, [&] {
        bool empty = true;
        forStreams([&](const CUstream_st& s) { empty = empty && (s.device != device || s.queue.empty()); });
        return empty;
    });
}

void Machine::runAll(Lock& lock) {
    runUntil(lock, [&] {
        bool empty = true;
        forStreams([&](const CUstream_st& s) { empty = empty && s.queue.empty(); });
        return empty;
    });
}

void Machine::runStream(Lock& lock, CUstream_st& s) {
    const std::uint64_t target = s.enqueued;
    ++waiters_;
    runUntil(lock, [&] { return s.done >= target; });
    --waiters_;
    bury();
}

cudaError_t Machine::enqueue(Lock& lock, CUstream_st& s, Operation operation) {
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
        for (std::size_t n = dice.below(6); n > 0 && step(lock) != Step::nothing; --n) continue;
    changed.notify_all();
    return cudaSuccess;
}

cudaError_t Machine::implicitUse(const CUstream_st& s) {
    if (&s != &of(s).legacy) return cudaSuccess;
    for (const auto& c : captures)
        for (const CUstream_st* other : c->streams)
            if (other->device == s.device && (other->flags & cudaStreamNonBlocking) == 0) {
                c->invalidated = true;
                return cudaErrorStreamCaptureImplicit;
            }
    return cudaSuccess;
}

cudaError_t Machine::refuseWhileCapturing() {
    for (const auto& c : captures) {
        if (c->mode == cudaStreamCaptureModeRelaxed || captureMode == cudaStreamCaptureModeRelaxed) continue;
        c->invalidated = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
}

void Machine::destroy(CUstream_st* s) {
    s->zombie = true;
    bury();
}

void Machine::finish(CUstream_st& s) {
    // A closure may own memory whose release calls this interface.
    Operation last = std::move(s.queue.front());
    s.queue.pop_front();
    ++s.done;
    if (s.zombie && s.queue.empty()) bury();
}

void Machine::bury() {
    if (waiters_ > 0) return;
    if (std::erase_if(streams, [](const auto& s) { return s->zombie && s->queue.empty() && !s->busy; }) > 0)
        favourite_ = nullptr, burst_ = 0;
}

}  // namespace emulatedDevice
