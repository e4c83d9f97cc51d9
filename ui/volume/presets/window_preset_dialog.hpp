// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the name, key and range of a window of one's own.
#pragma once

#include <QDialog>

#include "ui/models/volume/own_windows.hpp"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace parallax::ui {

class WindowPresetDialog : public QDialog {
    Q_OBJECT
public:
    /// `replaced`: the name of the window that is edited; empty: a new one.
    explicit WindowPresetDialog(const OwnWindow& start, const QString& replaced = {}, QWidget* parent = nullptr);
    /// Opens the dialog for the window that a view shows now.
    static void askToSave(double centre, double width, QWidget* parent);

private:
    OwnWindow entered() const;
    void update();
    void save();

    const OwnWindow start_;
    const QString replaced_;
    QLineEdit* name_;
    QComboBox* key_;
    QDoubleSpinBox *level_, *width_;
    QLabel* note_;
    QPushButton* accept_;
};

}  // namespace parallax::ui
