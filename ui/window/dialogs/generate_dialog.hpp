// SPDX-License-Identifier: GPL-3.0-or-later
// Asks which generated image to open.
#pragma once

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace parallax::ui {

class GenerateDialog : public QDialog {
    Q_OBJECT
public:
    explicit GenerateDialog(QWidget* parent = nullptr);
    /// "synthetic:..." as everywhere.
    QString request() const;

private:
    QComboBox* kind_;
    QSpinBox *width_, *height_, *channels_, *seed_;
};

}  // namespace parallax::ui
