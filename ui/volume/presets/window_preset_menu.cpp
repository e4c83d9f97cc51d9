// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/presets/window_preset_menu.hpp"

#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include "ui/models/volume/volume_state.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/presets/window_preset_dialog.hpp"

namespace parallax::ui {

WindowPresetMenu::WindowPresetMenu(ViewState& view, QWidget* parent) : QToolButton(parent) {
    setText(QStringLiteral("…"));
    setAutoRaise(true);
    setFocusPolicy(Qt::StrongFocus);
    setPopupMode(QToolButton::InstantPopup);
    described(this, tr("Window presets"), tr("Save, edit and delete window presets"), "windowPresetMenu");
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    const auto add = [&](const char* name, const QString& text, const QString& tip) {
        QAction* action = menu->addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setToolTip(tip);
        return action;
    };
    QAction* save = add("window-preset-save", tr("&Save preset …"), tr("Save window and level under a name and a number key"));
    edit_ = add("window-preset-edit", {}, tr("Change name, key, level or width of the selected preset"));
    remove_ = add("window-preset-remove", {}, tr("Delete the selected preset"));
    setMenu(menu);
    connect(save, &QAction::triggered, this,
            [this, &view] { WindowPresetDialog::askToSave(windowCentre(view.display()), windowWidth(view.display()), window()); });
    connect(edit_, &QAction::triggered, this, [this] {
        if (chosen_) openOnce(new WindowPresetDialog(*chosen_, chosen_->name, window()));
    });
    connect(remove_, &QAction::triggered, this, &WindowPresetMenu::askToDelete);
    setChosen({});
}

void WindowPresetMenu::setChosen(std::optional<OwnWindow> chosen) {
    chosen_ = std::move(chosen);
    for (QAction* action : {edit_, remove_}) action->setEnabled(chosen_.has_value());
    const auto escaped = [](QString name) { return name.replace(QLatin1Char('&'), QLatin1String("&&")); };
    edit_->setText(chosen_ ? tr("&Edit “%1” …").arg(escaped(chosen_->name)) : tr("&Edit …"));
    remove_->setText(chosen_ ? tr("&Delete “%1” …").arg(escaped(chosen_->name)) : tr("&Delete …"));
}

void WindowPresetMenu::askToDelete() {
    if (!chosen_) return;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Delete the preset?"),
                                     tr("The window preset “%1” will be deleted.").arg(chosen_->name), QMessageBox::Cancel, window());
    connect(question->addButton(tr("Delete"), QMessageBox::DestructiveRole), &QPushButton::clicked, this,
            [name = chosen_->name] { OwnWindows::instance().remove(name); });
    openOnce(question);
}

}  // namespace parallax::ui
