// SPDX-License-Identifier: GPL-3.0-or-later
// All shortcuts by menu, searchable and to be copied. Made from the menus, so that it never lies.
#pragma once

#include <QDialog>

class QLineEdit;
class QMenuBar;
class QTreeWidget;

namespace parallax::ui {

class ShortcutSheet : public QDialog {
    Q_OBJECT
public:
    ShortcutSheet(const QMenuBar& menus, QWidget* parent);
    /// Tab separated, with the menus as headings; what the search leaves.
    QString toText() const;

private:
    void filter(const QString& text);

    QLineEdit* search_;
    QTreeWidget* list_;
};

}  // namespace parallax::ui
