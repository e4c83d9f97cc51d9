// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in the middle before an image is open: three ways to begin.
#pragma once

#include <QWidget>

class QAction;
class QLabel;

namespace parallax::ui {

class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(QAction& open, QAction& sample, QAction& generate, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace parallax::ui
