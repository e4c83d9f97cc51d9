// SPDX-License-Identifier: GPL-3.0-or-later
// What the runs of A and B say beside their samples: how far they are from the original where they should look like it, notes on
// parameters, and the way to the parts of a result that has some. Hidden when there is nothing to say.
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
    /// The parts of the result are to be shown.
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
