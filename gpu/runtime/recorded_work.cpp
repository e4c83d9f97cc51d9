// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/recorded_work.hpp"

#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "The kernels could not be recorded in a CUDA graph";

}  // namespace

void RecordedWork::record(const std::vector<const void*>& buffers, const std::function<void()>& work, const Stream& stream) {
    forget();
    cudaGraph_t graph = nullptr;
    // Relaxed, because kernels may be loaded on first use.
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed), kFailed);
    try {
        work();
    } catch (...) {
        checkNoThrow(cudaStreamEndCapture(stream.get(), &graph));
        if (graph) checkNoThrow(cudaGraphDestroy(graph));
        throw;
    }
    check(cudaStreamEndCapture(stream.get(), &graph), kFailed);
    const cudaError_t instantiated = cudaGraphInstantiate(&graph_, graph, 0);
    checkNoThrow(cudaGraphDestroy(graph));
    check(instantiated, kFailed);
    buffers_ = buffers;
}

void RecordedWork::launch(const Stream& stream) {
    check(cudaGraphLaunch(graph_, stream.get()), "The recorded CUDA graph could not be started");
}

void RecordedWork::forget() noexcept {
    if (graph_) checkNoThrow(cudaGraphExecDestroy(graph_));
    graph_ = nullptr;
    buffers_.clear();
}

}  // namespace parallax::gpu
