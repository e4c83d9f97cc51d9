// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the kind and size of a generated image.
#pragma once

#include <QDialog>

class QComboBox;
class QSpinBox;

namespace parallax::ui {

class GenerateDialog : public QDialog {
    Q_OBJECT
public:
    explicit GenerateDialog(QWidget* parent = nullptr);
    /// The input "synthetic:..." that openInput() takes.
    QString request() const;

private:
    QComboBox* kind_;
    QSpinBox *width_, *height_, *channels_, *seed_;
};

}  // namespace parallax::ui
