// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar: buttons with texts while there is room, else icons. What still does not fit is under the arrow at its end.
#pragma once

#include <QToolBar>

class QToolButton;

namespace parallax::ui {

class MainToolBar : public QToolBar {
    Q_OBJECT
public:
    explicit MainToolBar(const QString& title, QWidget* parent = nullptr);
    /// `text`: beside the icon if there is room.
    QToolButton* addButton(QAction* action, bool text);
    /// Adds a widget at the right end, which takes the remaining width.
    void addAtEnd(QWidget* widget);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int widthOfButtons() const;
    void showTexts(bool shown);
    void fit();

    QList<QToolButton*> withText_;
    QWidget* end_ = nullptr;
    int widthWithTexts_ = 0;
    bool textsShown_ = true;
};

}  // namespace parallax::ui
