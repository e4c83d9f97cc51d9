// SPDX-License-Identifier: GPL-3.0-or-later
// Asks whether to open a file that unpacks to far more than its size.
#pragma once

#include <QMessageBox>
#include <cstdint>

namespace parallax::ui {

class LargeFileDialog : public QMessageBox {
    Q_OBJECT
public:
    LargeFileDialog(const QString& name, std::uint64_t unpacked, QWidget* parent);

signals:
    void openChosen();
};

}  // namespace parallax::ui
