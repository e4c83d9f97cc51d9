// SPDX-License-Identifier: GPL-3.0-or-later
// Asks before the window is closed while files are saved, something is measured or a batch runs.
#pragma once

#include <QMessageBox>

namespace parallax::ui {

class QuitDialog : public QMessageBox {
    Q_OBJECT
public:
    QuitDialog(bool saving, bool measuring, bool batch, QWidget* parent);

signals:
    void quitChosen();
    void stayChosen();
};

}  // namespace parallax::ui
