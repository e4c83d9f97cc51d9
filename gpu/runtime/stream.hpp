// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {

/// Owns a stream that does not synchronise with the legacy default stream.
class Stream {
public:
    /// Blocks of kernels in streams of high priority start before the waiting ones of others, and so do copies that the driver makes by
    /// kernels.
    enum class Priority { normal, high };
    explicit Stream(int device, Priority priority = Priority::normal) : device_(device) {
        const CurrentDevice current(device);
        constexpr const char* what = "A CUDA stream could not be created";
        int least = 0, greatest = 0;
        check(cudaDeviceGetStreamPriorityRange(&least, &greatest), what);
        check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority == Priority::high ? greatest : 0), what);
    }
    ~Stream() {
        // Destroying a stream neither waits for enqueued work nor cancels it.
        const CurrentDevice current(device_, std::nothrow);
        checkNoThrow(cudaStreamDestroy(stream_));
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    cudaStream_t get() const { return stream_; }
    int device() const { return device_; }

private:
    int device_;
    cudaStream_t stream_ = nullptr;
};

/// Owns an event.
class Event {
public:
    enum class Kind { timing, ordering };
    explicit Event(Kind kind) {
        check(cudaEventCreateWithFlags(&event_, kind == Kind::timing ? cudaEventDefault : cudaEventDisableTiming),
              "A CUDA event could not be created");
    }
    Event(Event&& other) noexcept : event_(other.event_) { other.event_ = nullptr; }
    ~Event() {
        if (event_) checkNoThrow(cudaEventDestroy(event_));
    }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    Event& operator=(Event&&) = delete;

    cudaEvent_t get() const { return event_; }
    void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "A CUDA event could not be recorded"); }
    void wait() const { check(cudaEventSynchronize(event_), "Work on the CUDA device failed"); }

private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace parallax::gpu
