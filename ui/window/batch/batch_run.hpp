// SPDX-License-Identifier: GPL-3.0-or-later
// A batch in threads of its own, whose results arrive in the GUI thread.
#pragma once

#include <QObject>
#include <memory>
#include <thread>
#include <vector>

#include "core/io/batch/batch.hpp"
#include "ui/models/document/message.hpp"
#include "ui/session/worker.hpp"

namespace parallax::ui {

class BatchRun : public QObject {
    Q_OBJECT
public:
    explicit BatchRun(const Catalog& catalog) : catalog_(catalog) {}
    ~BatchRun() override;

    /// Throws Error as Batch::check() does; nothing runs then.
    void start(BatchOptions options, std::vector<BatchItem> items);
    /// Stops within a second; outputs are complete or absent.
    void stop() { thread_.request_stop(); }
    bool running() const { return running_; }
    /// 0 to 1.
    double fraction() const { return batch_ ? batch_->fraction() : 0; }

signals:
    void changed(int item, const parallax::BatchResult& result);
    /// `message` says what went wrong, if it did not only stop.
    void ended(const parallax::ui::Message& message);

private:
    void finish(const Message& message);

    const Catalog& catalog_;
    Inbox inbox_;
    std::unique_ptr<Batch> batch_;
    bool running_ = false;
    std::jthread thread_;  // last: it ends before what it uses is destroyed
};

}  // namespace parallax::ui
