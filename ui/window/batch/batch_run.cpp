// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/batch/batch_run.hpp"

#include <utility>

namespace parallax::ui {

BatchRun::~BatchRun() = default;

void BatchRun::start(BatchOptions options, std::vector<BatchItem> items) {
    auto batch = std::make_unique<Batch>(catalog_, std::move(options), std::move(items));
    batch->check();
    if (thread_.joinable()) thread_.join();
    batch_ = std::move(batch);
    running_ = true;
    thread_ = std::jthread([this, address = inbox_.address(), run = batch_.get()](const std::stop_token& stop) {
        Message message;
        const auto deliver = [&](std::size_t i) {
            address.post([this, item = static_cast<int>(i), result = run->result(i)] { emit changed(item, result); });
        };
        (void)guarded(
            QStringLiteral("batch"), [&] { run->run(stop, deliver); },
            [&](ErrorCode code, const Message& error) {
                if (code != ErrorCode::cancelled) message = error;
            });
        address.post([this, message] { finish(message); });
    });
}

void BatchRun::finish(const Message& message) {
    running_ = false;
    emit ended(message);
}

}  // namespace parallax::ui
