// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pipeline/preset_bar.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/theme/widgets.hpp"

namespace parallax::ui {
namespace {

constexpr int kDialogWidth = 340;

}  // namespace

PresetBar::PresetBar(PipelineModel& model, QWidget* parent) : QWidget(parent), model_(model), store_(model.catalog()), box_(new QComboBox) {
    described(box_, tr("Presets"), tr("Select built-in parameters or your own presets"), "presets");
    box_->setPlaceholderText(tr("Presets"));
    setNarrow(*box_, 8);
    box_->setFocusPolicy(Qt::StrongFocus);
    auto* more = new QToolButton;
    more->setObjectName(QStringLiteral("presetMenu"));
    more->setText(QStringLiteral("…"));
    more->setAutoRaise(true);
    more->setToolTip(tr("Save, rename and delete presets"));
    more->setAccessibleName(more->toolTip());
    more->setFocusPolicy(Qt::StrongFocus);
    more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(more);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* name, const QString& text, const QString& tip, void (PresetBar::*effect)()) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, effect);
        return action;
    };
    add("preset-save", tr("&Save preset …"), tr("Save the parameters of this step as a preset"), &PresetBar::askSave);
    rename_ = add("preset-rename", tr("&Rename …"), tr("Rename the selected preset"), &PresetBar::askRename);
    remove_ = add("preset-remove", tr("&Delete …"), tr("Delete the selected preset"), &PresetBar::askRemove);
    more->setMenu(menu);
    auto* layout = makeLayout<QHBoxLayout>(this, 4);
    layout->addWidget(box_, 1);
    layout->addWidget(more);
    connect(box_, &QComboBox::activated, this, &PresetBar::apply);
    connect(&model_, &PipelineModel::pipelineChanged, this, &PresetBar::showChosen);
}

void PresetBar::setRow(int row) {
    const int old = row_;
    const Operation* before = listed_;
    row_ = row < model_.rowCount() ? row : -1;
    if (row_ != old || operation() != before) {
        applied_.clear();
        builtIn_.clear();
    }
    refresh();
}

void PresetBar::refresh() {
    listed_ = operation();
    const QStringList names = listed_ ? store_.names(*listed_) : QStringList();
    const QSignalBlocker blocker(box_);
    box_->clear();
    // Presets of the operation have a key; users may give the same name to one of their own.
    for (const ParameterPreset& preset : listed_ ? presetsOf(*listed_) : std::vector<ParameterPreset>()) {
        box_->addItem(catalogText(preset.title), QString::fromStdString(preset.key));
        box_->setItemData(box_->count() - 1, catalogText(preset.help), Qt::ToolTipRole);
    }
    if (box_->count() > 0 && !names.isEmpty()) box_->insertSeparator(box_->count());
    box_->addItems(names);
    box_->setEnabled(box_->count() > 0);
    if (!names.contains(applied_)) applied_.clear();
    for (QAction* action : {rename_, remove_}) action->setEnabled(!applied_.isEmpty());
    own_.clear();
    for (const QString& name : names) try {
            own_.emplace_back(name, store_.load(*listed_, name));
        } catch (const Error&) {
            // Listed anyway; selecting it reports the error.
        }
    rename_->setText(applied_.isEmpty() ? tr("&Rename …") : tr("&Rename “%1” …").arg(applied_));
    remove_->setText(applied_.isEmpty() ? tr("&Delete …") : tr("&Delete “%1” …").arg(applied_));
    showChosen();
    emit choicesChanged();
}

std::vector<PresetChoice> PresetBar::choices() const {
    std::vector<PresetChoice> list;
    if (!listed_ || operation() != listed_) return list;
    const ParameterBlock& now = model_.step(row_).parameters;
    for (const ParameterPreset& preset : presetsOf(*listed_)) {
        ParameterBlock values = now;
        applyPreset(values, preset);
        list.push_back({catalogText(preset.title), catalogText(preset.help), values, values == now});
    }
    for (const auto& [name, values] : own_) list.push_back({name, tr("Your presets"), values, values == now});
    return list;
}

void PresetBar::choose(int choice) {
    const int builtIn = listed_ ? static_cast<int>(presetsOf(*listed_).size()) : 0;
    if (choice < builtIn) return apply(choice);
    if (choice - builtIn < static_cast<int>(own_.size())) applyOwn(own_[static_cast<std::size_t>(choice - builtIn)].first);
}

void PresetBar::showChosen() {
    // Called at each tick of a slider, so it does not access the disk.
    const bool same = (!applied_.isEmpty() || !builtIn_.isEmpty()) && row_ >= 0 && row_ < model_.rowCount() && operation() == listed_ &&
                      model_.step(row_).parameters == appliedValues_;
    const QSignalBlocker blocker(box_);
    box_->setCurrentIndex(same ? appliedIndex() : -1);
}

int PresetBar::appliedIndex() const {
    if (!builtIn_.isEmpty()) return box_->findData(builtIn_);
    for (int i = 0; i < box_->count(); ++i)
        if (box_->itemText(i) == applied_ && box_->itemData(i).isNull()) return i;
    return -1;
}

template <class Work>
void PresetBar::attempt(Work&& work) {
    try {
        work();
    } catch (const Error& e) {
        emit refused(QString::fromUtf8(e.what()));
    }
    refresh();
}

void PresetBar::apply(int index) {
    if (!operation()) return;
    const QString key = box_->itemData(index).toString(), name = box_->itemText(index);
    if (key.isEmpty()) return applyOwn(name);
    for (const ParameterPreset& preset : presetsOf(*operation()))
        if (preset.key == key.toStdString()) applyBuiltIn(preset);
}

void PresetBar::applyBuiltIn(const ParameterPreset& preset) {
    attempt([&] {
        ParameterBlock values = model_.step(row_).parameters;
        applyPreset(values, preset);
        applied_.clear();
        builtIn_ = QString::fromStdString(preset.key);
        appliedValues_ = values;
        model_.setParameters(row_, values, tr("Preset %1").arg(catalogText(preset.title)));
    });
}

void PresetBar::applyOwn(const QString& name) {
    attempt([&] {
        builtIn_.clear();
        applied_ = name;  // even if damaged, so that it can be deleted
        appliedValues_ = {};
        appliedValues_ = store_.load(*operation(), name);
        model_.setParameters(row_, appliedValues_, tr("Preset %1").arg(name));
    });
}

void PresetBar::save(const QString& name, bool overwrite) {
    if (!operation()) return;
    attempt([&] {
        store_.save(*operation(), name, model_.step(row_).parameters, overwrite);
        builtIn_.clear();
        applied_ = name.simplified();
        appliedValues_ = model_.step(row_).parameters;
    });
}

void PresetBar::askSave() {
    auto* dialog = new QInputDialog(window());
    dialog->setWindowTitle(tr("Save preset"));
    dialog->setLabelText(tr("Preset name"));
    dialog->setTextValue(applied_);
    dialog->resize(kDialogWidth, dialog->sizeHint().height());  // its title is readable
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) {
        if (!operation() || !store_.contains(*operation(), name)) return save(name, false);
        auto* question =
            new QMessageBox(QMessageBox::Question, tr("Replace the preset?"),
                            tr("A preset “%1” exists already. Replace it?").arg(name.simplified()), QMessageBox::Cancel, window());
        connect(question->addButton(tr("Replace"), QMessageBox::AcceptRole), &QPushButton::clicked, this,
                [this, name] { save(name, true); });
        openOnce(question);
    });
    openOnce(dialog);
}

void PresetBar::askRename() {
    const QString old = applied_;
    auto* dialog = new QInputDialog(window());
    dialog->setWindowTitle(tr("Rename preset"));
    dialog->setLabelText(tr("New name of “%1”").arg(old));
    dialog->setTextValue(old);
    dialog->resize(kDialogWidth, dialog->sizeHint().height());  // its title is readable
    connect(dialog, &QInputDialog::textValueSelected, this, [this, old](const QString& name) {
        if (!operation()) return;
        attempt([&] {
            store_.rename(*operation(), old, name);
            if (applied_ == old) applied_ = name.simplified();
        });
    });
    openOnce(dialog);
}

void PresetBar::askRemove() {
    const QString name = applied_;
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Delete the preset?"),
                        tr("Delete the preset “%1”? The parameters of the step are kept.").arg(name), QMessageBox::Cancel, window());
    connect(question->addButton(tr("Delete"), QMessageBox::DestructiveRole), &QPushButton::clicked, this, [this, name] {
        if (operation()) attempt([&] { store_.remove(*operation(), name); });
    });
    openOnce(question);
}

}  // namespace parallax::ui
