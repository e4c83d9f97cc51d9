// SPDX-License-Identifier: GPL-3.0-or-later
// Computes slabs that take too long for a frame in the background, the newest request of each pane only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/engine/run/job_queue.hpp"
#include "core/image/image.hpp"
#include "ui/models/volume/volume_slice.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

class SlabLoader {
public:
    using Deliver = std::function<void(std::shared_ptr<PlaneSlice>)>;

    /// Calls `deliver` in the GUI thread, with null on failure, unless a newer request of the key arrives first.
    void request(const std::string& key, const ImagePtr& image, const SliceRequest& requested, Deliver deliver) {
        queue_.submit(key, [address = inbox_.address(), image, requested, deliver = std::move(deliver)](std::stop_token stop) {
            auto slice = std::make_shared<PlaneSlice>();
            const bool done = guarded(
                {}, [&] { extractSlice(image->view(), requested, *slice, stop); }, [](ErrorCode, const Message&) {});
            if (stop.stop_requested()) return;
            address.post([slice = done ? slice : nullptr, deliver] { deliver(slice); });
        });
    }
    void cancel(const std::string& key) { queue_.cancel(key); }

private:
    Inbox inbox_;
    JobQueue queue_{4};  // the GUI thread has priority
};

}  // namespace parallax::ui
