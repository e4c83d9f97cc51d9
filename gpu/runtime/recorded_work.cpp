// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/runtime/recorded_work.hpp"

#include "gpu/runtime/cuda_check.hpp"

namespace parallax::gpu {
namespace {

constexpr const char* kFailed = "The kernels could not be recorded in a CUDA graph";

/// Ends the recording on every path.
class Recording {
public:
    explicit Recording(cudaStream_t stream) : stream_(stream) {
        // Relaxed, because kernels may be loaded on first use.
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), kFailed);
        open_ = true;
    }
    ~Recording() {
        if (open_) checkNoThrow(cudaStreamEndCapture(stream_, &graph_));
        if (graph_) checkNoThrow(cudaGraphDestroy(graph_));
    }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    cudaGraph_t end() {
        open_ = false;
        check(cudaStreamEndCapture(stream_, &graph_), kFailed);
        return graph_;
    }

private:
    cudaStream_t stream_;
    cudaGraph_t graph_ = nullptr;
    bool open_ = false;
};

}  // namespace

void RecordedWork::record(const std::vector<const void*>& buffers, const std::function<void()>& work, const Stream& stream) {
    forget();
    Recording recording(stream.get());
    work();
    check(cudaGraphInstantiate(&graph_, recording.end(), 0), kFailed);
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
