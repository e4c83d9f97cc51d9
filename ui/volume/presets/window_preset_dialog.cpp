// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/presets/window_preset_dialog.hpp"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "core/image/error.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kDialogWidth = 340;
constexpr double kLargest = 1e7;

QDoubleSpinBox* numberBox(double least, double value, double width) {
    auto* box = new QDoubleSpinBox;
    box->setDecimals(width >= 10 ? 2 : std::clamp(2 - static_cast<int>(std::floor(std::log10(width))), 2, 12));
    box->setRange(least, kLargest);
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setValue(value);
    return box;
}

}  // namespace

WindowPresetDialog::WindowPresetDialog(const OwnWindow& start, const QString& replaced, QWidget* parent)
    : QDialog(parent),
      start_(start),
      replaced_(replaced),
      name_(new QLineEdit(start.name)),
      key_(new QComboBox),
      level_(numberBox(-kLargest, start.centre, start.width)),
      width_(numberBox(0, start.width, start.width)),
      note_(new QLabel) {
    setWindowTitle(replaced.isEmpty() ? tr("Save window preset") : tr("Edit window preset"));
    setObjectName(QStringLiteral("windowPresetDialog"));
    name_->setMaxLength(OwnWindows::kLongestName);
    described(name_, tr("Preset name"), tr("Name of the preset in the lists of windows"), "presetName");
    described(key_, tr("Number key"), tr("Key that shows this window. 1 is taken: it shows actual pixels."), "presetKey");
    described(level_, tr("Level"), tr("Value shown as middle grey"), "presetLevel");
    described(width_, tr("Width"), tr("Range of values from black to white"), "presetWidth");
    const std::vector<OwnWindow> all = OwnWindows::instance().all();
    key_->addItem(tr("None"), 0);
    for (int key = OwnWindows::kFirstKey; key <= OwnWindows::kLastKey; ++key) {
        const auto owner = std::find_if(all.begin(), all.end(), [&](const OwnWindow& w) { return w.key == key && w.name != replaced; });
        key_->addItem(owner == all.end() ? QString::number(key) : tr("%1 (now %2)").arg(key).arg(owner->name), key);
    }
    key_->setCurrentIndex(key_->findData(start.key));
    note_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    accept_ = buttons->addButton(tr("Save"), QDialogButtonBox::AcceptRole);
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Name"), name_);
    form->addRow(tr("&Key"), key_);
    form->addRow(tr("&Level"), level_);
    form->addRow(tr("&Width"), width_);
    form->addRow(note_);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &WindowPresetDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(name_, &QLineEdit::textChanged, this, &WindowPresetDialog::update);
    connect(width_, &QDoubleSpinBox::valueChanged, this, &WindowPresetDialog::update);
    resize(kDialogWidth, sizeHint().height());
    name_->selectAll();
    update();
}

void WindowPresetDialog::askToSave(double centre, double width, QWidget* parent) {
    OwnWindow window{{}, centre, width, 0};
    // The first key without a window.
    const std::vector<OwnWindow> all = OwnWindows::instance().all();
    for (int key = OwnWindows::kLastKey; key >= OwnWindows::kFirstKey; --key)
        if (std::none_of(all.begin(), all.end(), [&](const OwnWindow& w) { return w.key == key; })) window.key = key;
    openOnce(new WindowPresetDialog(window, {}, parent));
}

OwnWindow WindowPresetDialog::entered() const {
    // The boxes show rounded values: one that was not changed stays exact.
    const auto exact = [](const QDoubleSpinBox& box, double value) {
        return std::fabs(box.value() - value) <= 0.5 * std::pow(10.0, -box.decimals()) ? value : box.value();
    };
    return {name_->text().simplified(), exact(*level_, start_.centre), exact(*width_, start_.width), key_->currentData().toInt()};
}

void WindowPresetDialog::update() {
    const OwnWindow window = entered();
    const std::vector<OwnWindow> all = OwnWindows::instance().all();
    const bool exists =
        window.name != replaced_ && std::any_of(all.begin(), all.end(), [&](const OwnWindow& w) { return w.name == window.name; });
    note_->setText(exists ? tr("%1 exists and will be replaced").arg(window.name) : QString());
    accept_->setEnabled(!window.name.isEmpty() && window.width > 0);
}

void WindowPresetDialog::save() {
    try {
        OwnWindows::instance().save(entered(), replaced_);
    } catch (const Error& e) {
        return note_->setText(QString::fromUtf8(e.what()));
    }
    accept();
}

}  // namespace parallax::ui
