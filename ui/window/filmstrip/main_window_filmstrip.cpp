// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about several open files and the files of the folder.
#include <QAction>
#include <QBoxLayout>
#include <QFileInfo>
#include <QSignalBlocker>
#include <algorithm>

#include "ui/compare/compare_view.hpp"
#include "ui/help/context_help.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/window/filmstrip/filmstrip.hpp"
#include "ui/window/filmstrip/folder_files.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"

namespace parallax::ui {
namespace {

const QString kShownKey = QStringLiteral("window/filmstrip");  // "on", "off"; absent: with several open files
const QString kSource = QStringLiteral("folder");

}  // namespace

void MainWindow::makeFilmstrip() {
    using K = QKeySequence;
    makeCommand("next-file", tr("Next file of the folder"), {}, {K(tr("Alt+Right"))},
                tr("Open the next image file of this folder in place of the current one"), [this] { stepInFolder(1); });
    makeCommand("previous-file", tr("Previous file of the folder"), {}, {K(tr("Alt+Left"))},
                tr("Open the previous image file of this folder in place of the current one"), [this] { stepInFolder(-1); });
    makeCheck("filmstrip", tr("Filmstrip"), {}, {K(Qt::Key_T)}, tr("Show the open files below the pictures"), [this](bool shown) {
        Settings& settings = Settings::instance();
        if (!shown) settings.remember(kShownKey, QStringLiteral("off"));
        else if (inputs_.size() < 2) settings.remember(kShownKey, QStringLiteral("on"));
        else settings.forget(kShownKey);
        updateFilmstrip();
    });
    filmstrip_ = new Filmstrip;
    setHelpTopic(*filmstrip_, QStringLiteral("filmstrip"));
    auto* centre = static_cast<QBoxLayout*>(centralWidget()->layout());
    centre->insertWidget(centre->count() - 1, filmstrip_);
    connect(filmstrip_, &Filmstrip::showRequested, this, &MainWindow::showInput);
    connect(filmstrip_, &Filmstrip::closeRequested, this, &MainWindow::closeInput);
    connect(filmstrip_, &Filmstrip::compareRequested, this, [this](int index, bool newPane) {
        const int pane = newPane ? static_cast<int>(session_->pipeline().setup().panes.size()) : static_cast<int>(Side::b);
        if (pane < kMaxSides) placeInputs(pane, {inputs_.value(index)});
    });
    connect(session_.get(), &Session::originalChanged, this, [this] {
        if (session_->original()) filmstrip_->thumbnails().makeFrom(session_->inputName(), session_->original());
    });
    updateFilmstrip();
}

void MainWindow::updateFilmstrip() {
    const QString choice = Settings::instance().remembered(kShownKey).toString();
    const bool several = inputs_.size() > 1;
    const bool shown = choice != QLatin1String("off") && (several || (choice == QLatin1String("on") && !inputs_.isEmpty()));
    filmstrip_->setInputs(inputs_, currentInput_);
    filmstrip_->setVisible(shown);
    action("filmstrip")->setChecked(choice == QLatin1String("on") || (several && choice.isEmpty()));
    const bool inFolder =
        currentInput_ >= 0 && !isGeneratedInput(inputs_.value(currentInput_)) && !isRawInput(inputs_.value(currentInput_));
    for (const char* name : {"next-file", "previous-file"}) action(name)->setEnabled(inFolder);
    action("next")->setEnabled(currentInput_ + 1 < inputs_.size() || (inputs_.size() == 1 && inFolder));
    action("previous")->setEnabled(currentInput_ > 0 || (inputs_.size() == 1 && inFolder));
}

void MainWindow::step(int by) {
    if (inputs_.size() > 1) showInput(currentInput_ + by);
    else stepInFolder(by);
}

void MainWindow::stepInFolder(int by) {
    const QString file = pathOnDisk(inputs_.value(currentInput_));
    if (file.isEmpty()) return;
    const QString folder = QFileInfo(file).absolutePath();
    background_.request(
        "neighbours", [folder](const std::stop_token&) { return imagesIn(folder); },
        [this, file, by](const QStringList& files) {
            if (pathOnDisk(inputs_.value(currentInput_)) != file) return;  // something else was opened meanwhile
            const int at = positionIn(files, file), to = at + by;
            if (at < 0 || to < 0 || to >= files.size()) {
                const QString end =
                    by > 0 ? tr("This is the last image file of the folder") : tr("This is the first image file of the folder");
                return tell({Message::Kind::information, at < 0 ? tr("The folder has no other image file") : end, {}, {}, kSource});
            }
            messages_->clearSource(kSource);
            const int open = static_cast<int>(inputs_.indexOf(files[to]));
            QStringList inputs = inputs_;
            if (open < 0) inputs[currentInput_] = files[to];
            folderPlace_ = {files[to], to + 1, static_cast<int>(files.size())};
            showInputAt(inputs, open < 0 ? currentInput_ : open);
        });
}

void MainWindow::closeInput(int index) {
    if (index == currentInput_) return closeFile();
    if (index < 0 || index >= inputs_.size()) return;
    inputs_.removeAt(index);
    if (index < currentInput_) --currentInput_;
    updateActions();
    updateTitle();
}

QString MainWindow::placeText() const {
    if (inputs_.size() > 1 && currentInput_ >= 0) return tr("%1 of %2").arg(currentInput_ + 1).arg(inputs_.size());
    if (folderPlace_.count > 1 && folderPlace_.file == session_->inputName())
        return tr("%1 of %2").arg(folderPlace_.number).arg(folderPlace_.count);
    return {};
}

}  // namespace parallax::ui
