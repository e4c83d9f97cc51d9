// SPDX-License-Identifier: GPL-3.0-or-later
// What the runs of A and B say beside their samples: how far they are from the original where they should look like it, numbers that they
// found, and notes on parameters. Hidden when they say nothing.
#pragma once

#include <QWidget>

class QLabel;

namespace parallax::ui {

class Session;

class ResultPanel : public QWidget {
    Q_OBJECT
public:
    explicit ResultPanel(Session& session, QWidget* parent = nullptr);

private:
    void update();

    Session& session_;
    QLabel* numbers_;
    QLabel* notes_;
};

}  // namespace parallax::ui
