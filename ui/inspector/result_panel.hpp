// SPDX-License-Identifier: GPL-3.0-or-later
// Results of the active pane and the reference beside their samples: distance from the original where they should resemble it, notes on
// parameters, and a button for the sub-bands of the active pane. Hidden when empty.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace parallax::ui {

class Session;

class ResultPanel : public QWidget {
    Q_OBJECT
public:
    explicit ResultPanel(Session& session, QWidget* parent = nullptr);

signals:
    /// Requests the panel of the sub-bands.
    void regionsAsked();

private:
    void refresh();
    bool hasRegions() const;

    Session& session_;
    QLabel* numbers_;
    QLabel* notes_;
    QPushButton* regions_;
};

}  // namespace parallax::ui
