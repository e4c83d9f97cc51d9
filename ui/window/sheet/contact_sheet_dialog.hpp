// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for the parameter that a contact sheet varies, and for its values.
#pragma once

#include <QDialog>
#include <string>
#include <vector>

#include "ui/models/sheet/sheet_values.hpp"

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace parallax::ui {

class ContactSheetDialog : public QDialog {
    Q_OBJECT
public:
    ContactSheetDialog(const Pipeline& steps, const ValueScale& image, QWidget* parent = nullptr);
    /// Begins with this step and, if the key is not empty, this parameter.
    void choose(int row, const std::string& key = {});
    /// The steps of the panes; empty while the values are not valid.
    const std::vector<Pipeline>& sheet() const { return sheet_; }
    /// Title of the parameter.
    QString title() const;

private:
    QWidget* makeRange();
    void showStep();
    void showParameter();
    void fillChoices();
    /// Fills the list of values from range, number and spacing.
    void fillValues();
    void refreshSheet();
    int row() const;
    const Step& step() const { return steps_.steps.at(static_cast<std::size_t>(row())); }
    const ParameterInfo* parameter() const;
    bool numeric() const;
    std::vector<ParameterValue> values() const;

    Pipeline steps_;
    ValueScale image_;
    std::vector<Pipeline> sheet_;
    QFormLayout* form_;
    QComboBox *step_, *parameter_, *spacing_;
    QLineEdit *from_, *to_, *list_;
    QSpinBox* number_;
    QListWidget* choices_;
    QWidget* range_;
    QLabel* problem_;
    QPushButton* show_ = nullptr;
};

}  // namespace parallax::ui
