// SPDX-License-Identifier: GPL-3.0-or-later
// Delivers results of worker threads to the GUI thread as long as the receiver exists.
#pragma once

#include <QCoreApplication>
#include <QMetaObject>
#include <functional>
#include <memory>
#include <string>

#include "core/image/error.hpp"
#include "ui/models/document/message.hpp"

namespace parallax::ui {

/// A member of an object in the GUI thread. Posted functions are dropped once the object is destroyed; both happen in the GUI thread.
class Inbox {
public:
    /// From any thread. `deliver` runs later in the GUI thread.
    class Address {
    public:
        void post(std::function<void()> deliver) const {
            QCoreApplication* application = QCoreApplication::instance();
            if (!application) return;
            QMetaObject::invokeMethod(
                application,
                [alive = alive_, deliver = std::move(deliver)] {
                    if (alive.lock()) deliver();
                },
                Qt::QueuedConnection);
        }

    private:
        friend class Inbox;
        explicit Address(std::weak_ptr<int> alive) : alive_(std::move(alive)) {}
        std::weak_ptr<int> alive_;
    };
    Address address() const { return Address(alive_); }

private:
    std::shared_ptr<int> alive_ = std::make_shared<int>(0);
};

/// Runs work and turns all exceptions into messages.
/// Returns whether the work succeeded; a cancel is a failure with code cancelled.
template <class Work, class Fail>
bool guarded(const QString& source, Work&& work, Fail&& fail) {
    try {
        work();
        return true;
    } catch (const Error& e) {
        fail(e.code(), toMessage(e, source));
    } catch (const std::bad_alloc&) {
        fail(ErrorCode::memory, toMessage(Error(ErrorCode::memory, "Not enough memory", "the system could not provide it",
                                                "Close other programs or use a smaller image"),
                                          source));
    } catch (const std::exception& e) {
        fail(ErrorCode::failed, toMessage(Error(ErrorCode::failed, "Unexpected error", e.what()), source));
    }
    return false;
}

}  // namespace parallax::ui
