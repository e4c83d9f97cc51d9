// SPDX-License-Identifier: GPL-3.0-or-later
// Work of a stream as a CUDA graph: recorded once, then started by a single call. Each launch of a kernel takes the processor some
// microseconds, which small images show.
#pragma once

#include <functional>
#include <vector>

#include "gpu/runtime/stream.hpp"

namespace parallax::gpu {

class RecordedWork {
public:
    RecordedWork() = default;
    ~RecordedWork() { forget(); }
    RecordedWork(const RecordedWork&) = delete;
    RecordedWork& operator=(const RecordedWork&) = delete;

    /// Is there a recording, with these buffers?
    bool isOf(const std::vector<const void*>& buffers) const { return graph_ && buffers == buffers_; }
    /// Records what `work` enqueues in the stream, without running it, in place of what was recorded before. `work` must not wait for the
    /// stream and not use another one. The stream's device is current here and below.
    void record(const std::vector<const void*>& buffers, const std::function<void()>& work, const Stream& stream);
    /// Enqueues what was recorded, which must be there.
    void launch(const Stream& stream);
    void forget() noexcept;

private:
    cudaGraphExec_t graph_ = nullptr;
    std::vector<const void*> buffers_;
};

}  // namespace parallax::gpu
