// SPDX-License-Identifier: GPL-3.0-or-later
// Work of a stream as a CUDA graph: recorded once, then started by a single call. Each launch of a kernel takes the processor some
// microseconds, which small images show.
#pragma once

#include <functional>
#include <vector>

#include "parallax/gpu/runtime/stream.hpp"

namespace parallax::gpu {

class RecordedWork {
public:
    RecordedWork() = default;
    ~RecordedWork() { forget(); }
    RecordedWork(const RecordedWork&) = delete;
    RecordedWork& operator=(const RecordedWork&) = delete;

    /// Enqueues what `work` enqueues in the stream. It is called the first time and whenever the buffers are others than the last time; in
    /// between the recording is used. It must not wait for the stream and not use another one. The stream's device is current.
    void run(const std::vector<const void*>& buffers, const std::function<void()>& work, const Stream& stream);
    void forget() noexcept;

private:
    cudaGraphExec_t graph_ = nullptr;
    std::vector<const void*> buffers_;
};

}  // namespace parallax::gpu
