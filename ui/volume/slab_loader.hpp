// SPDX-License-Identifier: GPL-3.0-or-later
// Slabs that take too long for a frame, in the background. Of each pane only the newest one matters.
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

    /// `deliver` follows in the GUI thread, unless a newer request of the key came in between; with null when it failed.
    void request(const std::string& key, const ImagePtr& image, const SliceRequest& wanted, Deliver deliver) {
        queue_.submit(key, [address = inbox_.address(), image, wanted, deliver = std::move(deliver)](std::stop_token stop) {
            auto slice = std::make_shared<PlaneSlice>();
            const bool done = guarded(
                {}, [&] { extractSlice(image->view(), wanted, *slice, stop); }, [](ErrorCode, const Message&) {});
            if (stop.stop_requested()) return;
            address.post([slice = done ? slice : nullptr, deliver] { deliver(slice); });
        });
    }
    void cancel(const std::string& key) { queue_.cancel(key); }

private:
    Inbox inbox_;
    JobQueue queue_{4};  // whoever moves the mouse goes first
};

}  // namespace parallax::ui
