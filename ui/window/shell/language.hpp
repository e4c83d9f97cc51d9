// SPDX-License-Identifier: GPL-3.0-or-later
// The language of the window.
#pragma once

#include <QString>
#include <QStringList>

namespace parallax::ui {

/// Languages other than English that are built in, as "de".
QStringList builtInLanguages();
/// Texts, Qt's own dialogs and numbers in a language ("de", "en"), or, if that is empty, in the first one of the desktop that
/// is there. Before any window is made. False if it was asked for and is not built in; all is English then.
bool useLanguage(const QString& language);

}  // namespace parallax::ui
