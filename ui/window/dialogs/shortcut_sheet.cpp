// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/shortcut_sheet.hpp"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHash>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/theme/widgets.hpp"
#include "ui/window/shell/action_list.hpp"

namespace parallax::ui {

ShortcutSheet::ShortcutSheet(const QMenuBar& menus, QWidget* parent) : QDialog(parent), search_(new QLineEdit), list_(new QTreeWidget) {
    setWindowTitle(tr("Keyboard shortcuts"));
    setObjectName(QStringLiteral("shortcutSheet"));
    search_->setPlaceholderText(tr("Search"));
    search_->setClearButtonEnabled(true);
    described(search_, tr("Search shortcuts"), tr("Show only entries that contain this text in shortcut, command or description"));
    list_->setColumnCount(3);
    list_->setHeaderLabels({tr("Command"), tr("Shortcut"), tr("Description")});
    described(list_, tr("Keyboard shortcuts"), tr("Menu commands and their shortcuts"));
    list_->setUniformRowHeights(true);
    list_->setRootIsDecorated(false);
    list_->setItemsExpandable(false);
    list_->setAlternatingRowColors(true);
    list_->setIndentation(12);

    QHash<QString, QTreeWidgetItem*> groups;
    const auto add = [&](const QString& group, const QStringList& texts) {
        QTreeWidgetItem*& head = groups[group];
        if (!head) {
            head = new QTreeWidgetItem(list_, {group});
            QFont bold = list_->font();
            bold.setBold(true);
            head->setFont(0, bold);
            head->setFirstColumnSpanned(true);
            head->setFlags(Qt::ItemIsEnabled);
        }
        (new QTreeWidgetItem(head, texts))->setToolTip(2, texts[2]);
    };
    for (const ActionEntry& entry : menuActions(menus))
        if (!entry.shortcuts.isEmpty()) add(entry.path, {entry.title, entry.shortcuts, entry.tip});
    const QString mouse = tr("In an image");
    add(mouse, {tr("Zoom"), tr("Wheel"), tr("Zoom at the cursor")});
    add(mouse, {tr("Pan"), tr("Drag, arrow keys"), tr("Move the image; Shift+arrow keys move further")});
    add(mouse, {tr("Fit"), tr("Double click"), tr("Show the whole image")});
    const QString volume = tr("In a plane of a volume");
    add(volume, {tr("Slice"), tr("Wheel, Up, Down, Home, End"), tr("Move through the slices; Shift moves by ten")});
    add(volume, {tr("Crosshair"), tr("Click, drag, Left, Right, Ctrl+Up, Ctrl+Down"), tr("Move the crosshair")});
    add(volume, {tr("Window and level"), tr("Right drag, Shift+drag"), tr("Drag left or right for width, up or down for level")});
    add(volume, {tr("Zoom"), tr("Ctrl+wheel"), tr("Zoom at the cursor")});
    add(volume, {tr("Box"), tr("S, then drag"), tr("Draw a box of voxels, move it, and drag its sides; a click beside it removes it")});
    add(volume, {tr("Pan"), tr("Middle drag, Ctrl+drag"), tr("Move the plane")});
    add(volume, {tr("Single pane"), tr("Double click, Enter"), tr("Show only this pane, or all panes again")});
    list_->expandAll();
    list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->header()->setStretchLastSection(true);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copy->setToolTip(tr("Copy the list as text"));
    copy->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setToolTip(tr("Close the list (Esc)"));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(search_);
    layout->addWidget(list_, 1);
    layout->addWidget(buttons);
    connect(search_, &QLineEdit::textChanged, this, &ShortcutSheet::filter);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(toText()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    // Shortcuts of volumes are long.
    resize(std::min(1000, screen()->availableGeometry().width() - 40), 620);
}

void ShortcutSheet::filter(const QString& text) {
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* head = list_->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < head->childCount(); ++j) {
            QTreeWidgetItem* item = head->child(j);
            bool fits = head->text(0).contains(text, Qt::CaseInsensitive);
            for (int column = 0; column < 3; ++column) fits = fits || item->text(column).contains(text, Qt::CaseInsensitive);
            item->setHidden(!fits);
            any = any || fits;
        }
        head->setHidden(!any);
    }
}

QString ShortcutSheet::toText() const {
    QString text;
    for (int i = 0; i < list_->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* head = list_->topLevelItem(i);
        if (head->isHidden()) continue;
        text += head->text(0) + QLatin1Char('\n');
        for (int j = 0; j < head->childCount(); ++j) {
            const QTreeWidgetItem* item = head->child(j);
            if (item->isHidden()) continue;
            text += QStringLiteral("\t%1\t%2\t%3\n").arg(item->text(1), item->text(0), item->text(2));
        }
    }
    return text;
}

}  // namespace parallax::ui
