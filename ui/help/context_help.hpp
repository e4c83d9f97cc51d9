// SPDX-License-Identifier: GPL-3.0-or-later
// F1 opens the manual at the section about the focused widget; Shift+F1, then a click, at the one about the clicked widget.
#pragma once

#include <QObject>
#include <memory>

class QWidget;

namespace parallax::ui {

class ManualWindow;

/// Names what the manual should say about a widget and everything in it; see Manual::addressOf().
void setHelpTopic(QWidget& widget, const QString& topic);
/// Returns the address of the section about a widget or the closest parent that the manual documents, by its topic or object name. Empty
/// if there is none.
QString helpAddress(const QWidget* widget);

class ContextHelp : public QObject {
    Q_OBJECT
public:
    explicit ContextHelp(QWidget& window);
    ~ContextHelp() override;
    /// Opens the manual at the section about the focused widget, else where it was left.
    void showForFocus();
    /// The next click opens the section about the clicked widget (What's This).
    void pickWidget();
    ManualWindow& manual();

protected:
    /// Handles What's This clicks, and F1 in dialogs, which shortcuts of the main window do not reach.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget& window_;
    std::unique_ptr<ManualWindow> manual_;  ///< without a parent: modal dialogs do not block it
};

}  // namespace parallax::ui
