// SPDX-License-Identifier: GPL-3.0-or-later
// Shown before an image is open: buttons to begin with, and recent files.
#pragma once

#include <QWidget>

#include "ui/window/recent/recent_files.hpp"

class QAction;
class QVBoxLayout;

namespace parallax::ui {

class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(QAction& open, QAction& sample, QAction& generate, QWidget* parent = nullptr);
    /// Offers the pinned and the newest of them.
    void setRecent(const QList<RecentFile>& files);
    QSize minimumSizeHint() const override;

signals:
    void openRequested(const QString& path);
    /// The context menu of a recent file is asked for.
    void menuRequested(const QString& path, const QPoint& where);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// Shows as many recent files as fit into the frame.
    void fitRecent();
    int recentHeight() const;

    QWidget* recent_;
    QVBoxLayout* recentLayout_;
};

}  // namespace parallax::ui
