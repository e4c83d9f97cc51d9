// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/transfer/curve_parameter.hpp"

#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/transfer/transfer_dialog.hpp"

namespace parallax::ui {

CurveParameter::CurveParameter(const ParameterInfo& info, QWidget* parent) : ParameterEditor(parent), edit_(new QLineEdit) {
    edit_->setAccessibleName(catalogText(info.title));
    auto* button = new QPushButton(tr("Edit curve …"));
    described(button, tr("Edit %1 as curve").arg(catalogText(info.title)),
              tr("Edit the nodes over the histogram of the input, with presets for CT"), "editCurve");
    auto* layout = makeLayout<QVBoxLayout>(this, 4);
    layout->addWidget(edit_);
    layout->addWidget(button);
    setFocusProxy(edit_);
    connect(edit_, &QLineEdit::editingFinished, this, [this] { emit valueEdited(ParameterValue(edit_->text().toStdString())); });
    connect(button, &QPushButton::clicked, this, &CurveParameter::openDialog);
}

CurveParameter::~CurveParameter() {
    // Signals of the dialog must not reach a half-destroyed editor.
    if (!dialog_) return;
    dialog_->disconnect(this);
    dialog_->close();
}

void CurveParameter::setValue(const ParameterValue& value) {
    const QString text = QString::fromStdString(std::get<std::string>(value));
    if (edit_->text() != text) {
        edit_->setText(text);
        edit_->setCursorPosition(0);
    }
    if (dialog_) dialog_->setText(text);
}

void CurveParameter::setImage(const ImagePtr& image) {
    image_ = image;
    if (dialog_) dialog_->setImage(image);
}

void CurveParameter::openDialog() {
    if (!dialog_) {
        dialog_ = new TransferDialog(curvePresets(*operation_), edit_->text(), window());
        dialog_->setImage(image_);
        connect(dialog_, &TransferDialog::textEdited, this,
                [this](const QString& text) { emit valueEdited(ParameterValue(text.toStdString())); });
        connect(dialog_, &TransferDialog::editingBegun, this, &ParameterEditor::editingBegun);
        connect(dialog_, &TransferDialog::editingEnded, this, &ParameterEditor::editingEnded);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

}  // namespace parallax::ui
