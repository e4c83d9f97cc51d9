// SPDX-License-Identifier: GPL-3.0-or-later
// The editor of a transfer function in the form of a step: its text, and a button that opens the curve over the histogram.
#pragma once

#include <QPointer>

#include "ui/pipeline/parameter_form.hpp"

class QLineEdit;

namespace parallax::ui {

class TransferDialog;

class CurveParameter : public ParameterEditor {
    Q_OBJECT
public:
    CurveParameter(const ParameterInfo& info, QWidget* parent);
    ~CurveParameter() override;
    void setValue(const ParameterValue& value) override;
    void setOperation(const Operation& operation) override { operation_ = &operation; }
    void setImage(const ImagePtr& image) override;

private:
    void openDialog();

    const Operation* operation_ = nullptr;
    ImagePtr image_;
    QLineEdit* edit_;
    QPointer<TransferDialog> dialog_;
};

}  // namespace parallax::ui
