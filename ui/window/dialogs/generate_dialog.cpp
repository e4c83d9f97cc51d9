// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/generate_dialog.hpp"
#include "ui/models/pipeline/catalog_text.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSpinBox>

#include "core/image/synthetic.hpp"

namespace parallax::ui {
namespace {

QSpinBox* number(int low, int high, int value, const QString& tip) {
    auto* box = new QSpinBox;
    box->setRange(low, high);
    box->setValue(value);
    box->setToolTip(tip);
    return box;
}

}  // namespace

GenerateDialog::GenerateDialog(QWidget* parent)
    : QDialog(parent),
      kind_(new QComboBox),
      width_(number(1, 32768, 1024, tr("Width in pixels"))),
      height_(number(1, 32768, 768, tr("Height in pixels"))),
      channels_(number(1, 4, 3, tr("Number of channels: 1 is grey, 3 colour, 4 colour and alpha"))),
      seed_(number(0, 1'000'000, 1, tr("Seed of the random numbers: the same seed gives the same noise"))) {
    setWindowTitle(tr("Generate image"));
    for (const SyntheticKindInfo& info : syntheticKinds()) {
        kind_->addItem(catalogText(info.title), QString::fromStdString(info.key));
        kind_->setItemData(kind_->count() - 1, catalogText(info.help), Qt::ToolTipRole);
    }
    kind_->setToolTip(tr("Test pattern (reproducible)"));
    kind_->setCurrentIndex(std::max(0, kind_->findData(QStringLiteral("zone-plate"))));
    width_->setSuffix(tr(" px"));
    height_->setSuffix(tr(" px"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Generate"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Kind"), kind_);
    form->addRow(tr("&Width"), width_);
    form->addRow(tr("&Height"), height_);
    form->addRow(tr("&Channels"), channels_);
    form->addRow(tr("&Seed"), seed_);
    form->addRow(buttons);
}

QString GenerateDialog::request() const {
    return QStringLiteral("synthetic:%1:%2x%3,channels=%4,seed=%5")
        .arg(kind_->currentData().toString())
        .arg(width_->value())
        .arg(height_->value())
        .arg(channels_->value())
        .arg(seed_->value());
}

}  // namespace parallax::ui
