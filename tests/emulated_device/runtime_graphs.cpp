// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime: captures and graphs.
#include "tests/emulated_device/device.hpp"

using emulatedDevice::Call;
using emulatedDevice::report;

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s == &call.d.of(*s).legacy) return call.end(cudaErrorStreamCaptureUnsupported);
    if (s->capture) return call.end(cudaErrorStreamCaptureUnmatched);
    call.d.captures.push_back(std::make_unique<emulatedDevice::Capture>());
    emulatedDevice::Capture& c = *call.d.captures.back();
    c.origin = s;
    c.mode = mode;
    c.streams.insert(s);
    s->capture = &c;
    s->last.clear();
    return call.end(cudaSuccess);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    Call call;
    *graph = nullptr;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    emulatedDevice::Capture* const c = s->capture;
    if (!c) return call.end(cudaErrorStreamCaptureUnmatched);
    if (c->origin != s) return call.end(cudaErrorStreamCaptureUnmatched);
    cudaError_t result = c->invalidated ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
    // Other streams must have joined: their last nodes precede this stream's last node.
    std::vector<bool> joined(c->nodes.size(), false);
    std::vector<std::size_t> open = s->last;
    while (!open.empty()) {
        const std::size_t n = open.back();
        open.pop_back();
        if (joined[n]) continue;
        joined[n] = true;
        open.insert(open.end(), c->nodes[n].after.begin(), c->nodes[n].after.end());
    }
    for (CUstream_st* const other : c->streams) {
        for (const std::size_t n : other->last)
            if (!joined[n] && result == cudaSuccess) result = cudaErrorStreamCaptureUnjoined;
        other->capture = nullptr;
        other->last.clear();
    }
    if (result == cudaSuccess) *graph = new CUgraph_st{std::move(c->nodes)};
    // Events recorded during the capture refer to it and stay unusable until they are recorded again.
    c->streams.clear();
    c->mode = cudaStreamCaptureModeRelaxed;
    return call.end(result);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    Call call;
    const CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    *status = !s->capture               ? cudaStreamCaptureStatusNone
              : s->capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                        : cudaStreamCaptureStatusActive;
    return call.end(cudaSuccess);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    std::swap(*mode, emulatedDevice::captureMode);
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
    if (nodes) return report(cudaErrorNotSupported);
    *count = graph->nodes.size();
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    if (!graph) return report(cudaErrorInvalidValue);
    *executable = new CUgraphExec_st{std::make_shared<const std::vector<emulatedDevice::Node>>(graph->nodes)};
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
    const Call call;
    const std::vector<emulatedDevice::Node>&mine = *executable->nodes, &other = graph->nodes;
    bool alike = mine.size() == other.size();
    for (std::size_t i = 0; alike && i < mine.size(); ++i)
        alike = mine[i].after == other[i].after && mine[i].operation.name == other[i].operation.name;
    *result = {alike ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
    if (!alike) return call.end(cudaErrorGraphExecUpdateFailure);
    executable->nodes = std::make_shared<const std::vector<emulatedDevice::Node>>(other);
    return call.end(cudaSuccess);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t stream) {
    Call call;
    return call.end(call.d.find(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    Call call;
    CUstream_st* const s = call.d.find(stream);
    if (!s) return call.end(cudaErrorInvalidResourceHandle);
    if (s->capture) {
        s->capture->invalidated = true;
        return call.end(cudaErrorNotSupported);  // a graph in a graph
    }
    // One operation of the stream; independent nodes run in any order.
    const auto run = [nodes = executable->nodes, &d = call.d, device = s->device] {
        std::vector<bool> done(nodes->size(), false);
        std::vector<std::size_t> candidates;
        for (std::size_t n = 0; n < nodes->size(); ++n) {
            candidates.clear();
            for (std::size_t i = 0; i < nodes->size(); ++i)
                if (!done[i] && std::all_of((*nodes)[i].after.begin(), (*nodes)[i].after.end(), [&](std::size_t a) { return done[a]; }))
                    candidates.push_back(i);
            const std::size_t next = candidates[d.dice.below(candidates.size())];
            done[next] = true;
            if (d.of(device).lost == cudaSuccess && (*nodes)[next].operation.work) (*nodes)[next].operation.work();
        }
    };
    return call.end(call.d.enqueue(call.lock, *s, {"graph", run, nullptr, 0, false, 0}));
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    delete executable;
    return cudaSuccess;
}
