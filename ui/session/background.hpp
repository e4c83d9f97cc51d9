// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a thread of its own whose results are delivered in the GUI thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "core/engine/run/job_queue.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

class Background {
public:
    /// `niceness`: how far other threads, such as the GUI thread, have priority.
    explicit Background(int niceness = 0) : queue_(niceness) {}

    /// Runs `work` with a stop token, then `deliver` in the GUI thread with its result, unless a newer request of the key arrives first.
    template <class Work, class Deliver>
    void request(const std::string& key, Work work, Deliver deliver) {
        queue_.submit(key, [address = inbox_.address(), work = std::move(work), deliver = std::move(deliver)](const std::stop_token& stop) {
            auto result = std::make_shared<decltype(work(stop))>(work(stop));
            if (!stop.stop_requested()) address.post([deliver, result] { deliver(std::move(*result)); });
        });
    }
    void cancel(const std::string& key) { queue_.cancel(key); }

private:
    Inbox inbox_;
    JobQueue queue_;  // last: its thread ends before the inbox is destroyed
};

}  // namespace parallax::ui
