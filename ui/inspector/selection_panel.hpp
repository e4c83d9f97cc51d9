// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the selected rectangle: every channel of A and B, and their difference.
#pragma once

#include <QWidget>

class QLabel;
class QTimer;

namespace parallax::ui {

class Session;
class ViewState;

class SelectionPanel : public QWidget {
    Q_OBJECT
public:
    SelectionPanel(Session& session, ViewState& view, QWidget* parent = nullptr);
    /// The displayed rich text.
    QString text() const;

private:
    void request();
    void showStatistics();

    Session& session_;
    ViewState& view_;
    QLabel* text_;
    QTimer* delay_;
};

}  // namespace parallax::ui
