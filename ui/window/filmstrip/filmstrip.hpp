// SPDX-License-Identifier: GPL-3.0-or-later
// The strip of open files below the pictures: thumbnails and names, with the current one marked.
#pragma once

#include <QWidget>

#include "ui/window/filmstrip/thumbnails.hpp"

class QLabel;
class QListWidget;
class QListWidgetItem;

namespace parallax::ui {

class Filmstrip : public QWidget {
    Q_OBJECT
public:
    explicit Filmstrip(QWidget* parent = nullptr);

    /// Shows these inputs. Thumbnails are made only while the strip is visible.
    void setInputs(const QStringList& inputs, int current);
    Thumbnails& thumbnails() { return *thumbnails_; }
    QListWidget& list() { return *list_; }

signals:
    void showRequested(int index);
    void closeRequested(int index);
    /// Asks for a file as input of B, or of a new pane.
    void compareRequested(int index, bool newPane);

protected:
    void showEvent(QShowEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void fill();
    void describeItem(QListWidgetItem& item, const QString& input) const;

    QStringList inputs_;
    int current_ = -1;
    Thumbnails* thumbnails_;
    QListWidget* list_;
    QLabel* position_;
};

}  // namespace parallax::ui
