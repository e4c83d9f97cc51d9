// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window.
#pragma once

#include <QString>
#include <QStringList>

namespace parallax::ui {

/// Returns the built-in languages other than English, such as "de".
QStringList builtInLanguages();
/// Sets the language of texts, Qt's dialogs and numbers ("de", "en"); empty: the first language of the desktop that is built in.
/// Replaces the language before; windows that exist keep theirs. Returns false, and changes nothing, if the given language is not built in.
bool useLanguage(const QString& language);

}  // namespace parallax::ui
