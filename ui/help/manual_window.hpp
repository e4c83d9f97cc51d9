// SPDX-License-Identifier: GPL-3.0-or-later
// The manual in a window: contents or search results on the left, the page on the right.
#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace parallax::ui {

class Manual;
class ManualBrowser;

class ManualWindow : public QDialog {
    Q_OBJECT
public:
    explicit ManualWindow(const Manual& manual, QWidget* parent = nullptr);
    /// Shows the window with this page or section; empty: where it was left, at first the index.
    void open(const QString& address);
    ManualBrowser& browser() { return *browser_; }

private:
    QWidget* makeSide();
    QWidget* makeBar();
    QTreeWidgetItem* addPage(QTreeWidgetItem* parent, const QString& name);
    void fillContents();
    void fillHits();
    void search(const QString& text);
    /// The entry of the shown section is selected, without opening it again.
    void showPlace();
    void openItem(const QTreeWidgetItem* item);

    const Manual& manual_;
    ManualBrowser* browser_;
    QLineEdit* search_;
    QTreeWidget* tree_;
    QLabel* count_;
    bool following_ = false;  ///< the tree follows the browser
};

}  // namespace parallax::ui
