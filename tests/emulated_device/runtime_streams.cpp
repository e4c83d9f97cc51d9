// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: streams and events.
#include "tests/emulated_device/device.hpp"

using emulatedDevice::Call;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    Call call;
    call.d.streams.push_back(std::make_unique<CUstream_st>());
    *stream = call.d.streams.back().get();
    (*stream)->device = emulatedDevice::currentDevice;
    (*stream)->flags = flags;
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) { return cudaStreamCreateWithFlags(stream, flags); }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0, *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s || s == &call.d.of(*s).legacy || s == &call.d.of(*s).perThread) return call.end(cudaErrorInvalidResourceHandle);
    call.d.destroy(s);
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureUnsupported);
    }
    call.d.runStream(call.lock, *s);
    call.d.afterWait();
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureUnsupported);
    }
    // Repeated queries succeed eventually.
    if (!s->queue.empty()) (void)call.d.step(call.lock);
    if (call.d.current().lost != cudaSuccess) return call.end(cudaSuccess);
    return s->queue.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    Call call;
    const CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    *flags = s->flags;
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s || !event) return call.end(cudaErrorInvalidResourceHandle);
    emulatedDevice::Event& e = *event->event;
    if (e.capture) {
        // Joins the capture.
        if (s->capture && s->capture != e.capture) {
            s->capture->invalidated = e.capture->invalidated = true;
            return call.end(cudaErrorStreamCaptureMerge);
        }
        if (!s->capture) {
            s->capture = e.capture;
            s->last.clear();
            e.capture->streams.insert(s);
        }
        for (const std::size_t node : e.nodes)
            if (std::find(s->last.begin(), s->last.end(), node) == s->last.end()) s->last.push_back(node);
        return call.end(cudaSuccess);
    }
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureIsolation);
    }
    if (e.recorded == 0) return call.end(cudaSuccess);
    return call.end(call.d.enqueue(call.lock, *s, {"wait", {}, event->event, e.recorded, false, 0}));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* userData) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    return call.end(call.d.enqueue(call.lock, *s, {"host function", [=] { function(userData); }, nullptr, 0, true, 0}));
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorStreamCaptureUnsupported);
    }
    return call.end(call.d.enqueue(call.lock, *s, {"callback", [=] { callback(stream, cudaSuccess, userData); }, nullptr, 0, true, 0}));
}

// ---- events

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
    *event = new CUevent_st{std::make_shared<emulatedDevice::Event>()};
    (*event)->event->device = emulatedDevice::currentDevice;
    (*event)->event->timing = (flags & cudaEventDisableTiming) == 0;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Call call;
    if (!event) return call.end(cudaErrorInvalidResourceHandle);
    delete event;
    return call.end(cudaSuccess);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s || !event) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::EventPtr e = event->event;
    if (e->device != s->device) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        e->capture = s->capture;
        e->nodes = s->last;
        return call.end(cudaSuccess);
    }
    e->capture = nullptr;
    const std::uint64_t ticket = ++e->recorded;
    const auto record = [e, ticket] {
        if (ticket <= e->completed) return;
        e->completed = ticket;
        e->when = emulatedDevice::Clock::now();
    };
    return call.end(call.d.enqueue(call.lock, *s, {"record", record, nullptr, ticket, false, 0}));
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    Call call;
    if (!event) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::EventPtr e = event->event;
    if (e->capture) return call.end(cudaErrorCapturedEvent);
    const std::uint64_t ticket = e->recorded;
    call.d.runUntil(call.lock, [&] { return e->completed >= ticket; });
    return call.end(cudaSuccess);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    Call call;
    if (!event) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::EventPtr e = event->event;
    if (e->capture) return call.end(cudaErrorCapturedEvent);
    if (e->completed < e->recorded) (void)call.d.step(call.lock);
    if (call.d.current().lost != cudaSuccess) return call.end(cudaSuccess);
    return e->completed < e->recorded ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last) {
    const Call call;
    if (!first || !last) return call.end(cudaErrorInvalidResourceHandle);
    const emulatedDevice::Event &a = *first->event, &b = *last->event;
    if (a.device != b.device || !a.timing || !b.timing || a.recorded == 0 || b.recorded == 0)
        return call.end(cudaErrorInvalidResourceHandle);
    if (a.completed < a.recorded || b.completed < b.recorded) return call.end(cudaErrorNotReady);
    *milliseconds = std::chrono::duration<float, std::milli>(b.when - a.when).count();
    return call.end(cudaSuccess);
}
