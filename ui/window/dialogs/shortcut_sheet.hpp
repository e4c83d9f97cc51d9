// SPDX-License-Identifier: GPL-3.0-or-later
// Lists all shortcuts by menu, searchable. Made from the menus, so that it is always complete.
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
    /// The visible entries as text, tab separated, with menus as headings.
    QString toText() const;

private:
    void filter(const QString& text);

    QLineEdit* search_;
    QTreeWidget* list_;
};

}  // namespace parallax::ui
