// SPDX-License-Identifier: GPL-3.0-or-later
// A message to the user: what happened, why, and what to do.
#pragma once

#include <QMetaType>
#include <QString>

#include "core/image/error.hpp"
#include "ui/models/document/core_text.hpp"

namespace parallax::ui {

/// A sentence without its full stop, so that another one can follow.
inline QString withoutStop(QString text) {
    if (text.endsWith(QLatin1Char('.')) && !text.endsWith(QLatin1String(".."))) text.chop(1);
    return text;
}

struct Message {
    enum class Kind { information, warning, error };
    Kind kind = Kind::information;
    QString what, why, whatToDo;
    QString source;     ///< "load", "A", ...: a later success of the same source clears the message
    QString file = {};  ///< a saved file, whose folder can be shown

    QString plainText() const {
        QString text = withoutStop(what);
        if (!why.isEmpty()) text += ": " + withoutStop(why);
        if (!whatToDo.isEmpty()) text += ". " + whatToDo;
        return text;
    }
};

inline Message toMessage(const Error& error, const QString& source) {
    return {Message::Kind::error, coreText(error.summary()), coreText(error.why()), coreText(error.whatToDo()), source};
}

}  // namespace parallax::ui

Q_DECLARE_METATYPE(parallax::ui::Message)
