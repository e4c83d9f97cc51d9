// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of the selected step below its parameters, such as its white point.
#pragma once

#include <QLabel>

namespace parallax::ui {

class Session;

class StatisticsLabel : public QLabel {
    Q_OBJECT
public:
    explicit StatisticsLabel(Session& session, QWidget* parent = nullptr);
    /// -1: nothing.
    void setRow(int row);

private:
    void refresh();

    Session& session_;
    int row_ = -1;
};

}  // namespace parallax::ui
