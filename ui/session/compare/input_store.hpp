// SPDX-License-Identifier: GPL-3.0-or-later
// Images that panes compare besides the open document. Opened in the background, shared between panes, and released when no pane uses
// them.
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <optional>

#include "core/image/image.hpp"
#include "ui/models/document/file_stamp.hpp"
#include "ui/session/tasks.hpp"

namespace parallax::ui {

class InputStore : public QObject {
    Q_OBJECT
public:
    struct Opened {
        ImagePtr image;  ///< null while it is opened, or if it failed
        std::optional<Message> error;
        FileStamp stamp;  ///< of the file, before it was read
    };

    explicit InputStore(Tasks& tasks) : tasks_(tasks) {}

    /// Opens what is new and releases all others.
    void use(const QSet<QString>& inputs);
    Opened operator[](const QString& input) const { return opened_.value(input); }
    /// Marks as cancelled what Tasks::cancel() has stopped.
    void markCancelled(const Message& message);
    /// Opens an input again, such as a file that was changed.
    void reload(const QString& input);
    void reloadAll();
    QStringList inputs() const { return opened_.keys(); }

signals:
    void changed(const QString& input);

private:
    void open(const QString& input);

    Tasks& tasks_;
    QHash<QString, Opened> opened_;
};

}  // namespace parallax::ui
