// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about recent files: their menu, pins, and what earlier versions stored about patients.
#include <QAction>
#include <QContextMenuEvent>
#include <QHash>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>
#include <functional>
#include <utility>

#include "core/io/loader.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/dialogs/raw_entries.hpp"
#include "ui/window/recent/empty_state.hpp"
#include "ui/window/recent/recent_files.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {
namespace {

/// Calls `menuWanted` with the path of an entry and the place for its context menu, and `removed` when Delete is pressed on it.
class EntryEvents : public QObject {
public:
    EntryEvents(QMenu& menu, std::function<void(const QString&, const QPoint&)> menuWanted, std::function<void(const QString&)> removed)
        : QObject(&menu), menu_(menu), menuWanted_(std::move(menuWanted)), removed_(std::move(removed)) {
        menu.installEventFilter(this);
    }

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
            const QString path = pathOf(menu_.activeAction());
            if (!path.isEmpty()) removed_(path);
            return !path.isEmpty();
        }
        if (event->type() != QEvent::ContextMenu) return false;
        const auto& context = static_cast<const QContextMenuEvent&>(*event);
        const bool keyboard = context.reason() == QContextMenuEvent::Keyboard;
        QAction* entry = keyboard ? menu_.activeAction() : menu_.actionAt(context.pos());
        const QString path = pathOf(entry);
        if (path.isEmpty()) return false;
        menuWanted_(path, keyboard ? menu_.mapToGlobal(menu_.actionGeometry(entry).bottomLeft()) : context.globalPos());
        return true;
    }

private:
    static QString pathOf(const QAction* action) { return action ? action->data().toString() : QString(); }

    QMenu& menu_;
    std::function<void(const QString&, const QPoint&)> menuWanted_;
    std::function<void(const QString&)> removed_;
};

}  // namespace

void MainWindow::makeRecentFiles() {
    makeCommand("clear-recent", tr("&Clear list"), {}, {}, tr("Clear the list of recent files; pinned files stay"), [this] {
        recent_->clear();
        forgetRaw();
    });
    makeCheck("pin-current", tr("&Pin current file"), {}, {}, tr("Keep the current file at the top of the recent files"),
              [this](bool pinned) { recent_->setPinned(recentInput(), pinned); });
    recent_ = new RecentFiles(this);
    recentMenu_ = new QMenu(tr("Open recen&t"), this);
    recentMenu_->setToolTipsVisible(true);
    new EntryEvents(
        *recentMenu_, [this](const QString& path, const QPoint& where) { showRecentMenu(path, where); },
        [this](const QString& path) { recent_->remove(path); });
    connect(recentMenu_, &QMenu::aboutToShow, recent_, &RecentFiles::refresh);
    connect(recent_, &RecentFiles::changed, this, &MainWindow::fillRecentMenu);
    connect(empty_, &EmptyState::menuRequested, this, &MainWindow::showRecentMenu);
    connect(session_.get(), &Session::originalChanged, this, [this] {
        if (const QString input = recentInput(); !input.isEmpty()) recent_->add(input);
        updatePin();
    });
    connect(&Settings::instance(), &Settings::changed, this, &MainWindow::updatePin);
    fillRecentMenu();
    forgetPatientFolders();
}

QString MainWindow::recentInput() const {
    const QString input = session_->inputName();
    const ImagePtr& image = session_->original();
    if (!image || fileOf(input).isEmpty() || (pasted_ && input.startsWith(pasted_->path()))) return {};
    if (image->source.medical && Settings::instance().hidesPatientData()) return {};
    // Volumes and parts of one file share one entry.
    return image->source.volumes > 1 || image->source.format == "OpenEXR" ? pathOnDisk(input) : input;
}

void MainWindow::updatePin() {
    const QString input = recentInput();
    action("pin-current")->setEnabled(!input.isEmpty() && recent_->accepts(input));
    action("pin-current")->setChecked(!input.isEmpty() && recent_->isPinned(input));
}

void MainWindow::fillRecentMenu() {
    recentMenu_->clear();
    bool pinned = false;
    for (const RecentFile& file : recent_->files()) {
        if (pinned && !file.pinned) recentMenu_->addSeparator();
        pinned = file.pinned;
        const QString name = longNameOf(file.path).replace(QLatin1Char('&'), QLatin1String("&&"));
        QAction* a = recentMenu_->addAction(file.problem.isEmpty() ? name : tr("%1 – %2").arg(name, file.problem));
        if (pinned) a->setIcon(actionIcon(QStringLiteral("pin")));
        a->setIconVisibleInMenu(true);
        a->setData(file.path);
        a->setEnabled(file.problem.isEmpty());
        a->setToolTip(pinned ? tr("Open the pinned file %1").arg(file.path) : tr("Open %1").arg(file.path));
        a->setStatusTip(a->toolTip());
        connect(a, &QAction::triggered, this, [this, path = file.path] { openInputs({path}); });
    }
    recentMenu_->addSeparator();
    recentMenu_->addAction(action("pin-current"));
    recentMenu_->addAction(action("clear-recent"));
    const QList<RecentFile>& files = recent_->files();
    action("clear-recent")->setEnabled(std::any_of(files.begin(), files.end(), [](const RecentFile& file) { return !file.pinned; }));
    empty_->setRecent(files);
    updatePin();
}

void MainWindow::showRecentMenu(const QString& path, const QPoint& where) {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("recentEntryMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const bool pinned = recent_->isPinned(path);
    QAction* pin = menu->addAction(pinned ? tr("&Unpin") : tr("&Pin"), this, [this, path, pinned] { recent_->setPinned(path, !pinned); });
    pin->setToolTip(pinned ? tr("List this file among the others again") : tr("Keep this file at the top of the recent files"));
    QAction* removal = menu->addAction(tr("&Remove from the list"), this, [this, path] { recent_->remove(path); });
    removal->setToolTip(tr("Remove this file from the recent files; the file itself stays"));
    menu->popup(where);
}

void MainWindow::forgetPatientFolders() {
    Settings& settings = Settings::instance();
    if (!settings.hidesPatientData()) return;
    QHash<QString, QString> folders;
    for (const QString& key : {kOpenFolderKey, kExportFolderKey, kSessionFolderKey})
        if (const QString folder = settings.remembered(key).toString(); !folder.isEmpty()) folders.insert(key, folder);
    if (folders.isEmpty()) return;
    const auto find = [folders](const std::stop_token&) {
        QStringList keys;
        for (auto it = folders.begin(); it != folders.end(); ++it)
            if (mayHoldSeries(it->toStdString())) keys << it.key();
        return keys;
    };
    background_.request("patient folders", find, [folders](const QStringList& keys) {
        for (const QString& key : keys)
            if (Settings::instance().remembered(key) == folders[key]) Settings::instance().forget(key);
    });
}

}  // namespace parallax::ui
