// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that opens and saves: reloading, clipboard, context menus of panes.
#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMimeData>
#include <algorithm>

#include "ui/compare/compare_view.hpp"
#include "ui/export/export_dialogs.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/message_log.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/view/pixel_model.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/shell/file_watch.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"

namespace parallax::ui {
namespace {

const QString kAutoReloadKey = QStringLiteral("files/auto-reload");
const QString kChangedSource = QStringLiteral("changed");

/// The selected cells of the focused table, tab separated; empty if no table has the focus.
QString selectedCells() {
    const auto* table = qobject_cast<const QAbstractItemView*>(QApplication::focusWidget());
    if (!table || !table->selectionModel()) return {};
    QModelIndexList cells = table->selectionModel()->selectedIndexes();
    std::sort(cells.begin(), cells.end());
    QString text;
    for (qsizetype i = 0; i < cells.size(); ++i) {
        if (i > 0) text += cells[i].row() == cells[i - 1].row() ? QLatin1Char('\t') : QLatin1Char('\n');
        text += cells[i].data().toString();
    }
    return text;
}

}  // namespace

void MainWindow::makeFileActions() {
    using K = QKeySequence;
    makeCommand("reload", tr("Re&load"), {}, {K(Qt::Key_F5)}, tr("Reload the open image and the inputs of the panes"),
                [this] { reload(); });
    makeCommand("close-file", tr("Close file"), {}, {K(tr("Ctrl+W"))}, tr("Close the current file; the other open files stay"),
                [this] { closeFile(); });
    QAction* automatic =
        makeAction("auto-reload", tr("Reload a&utomatically"), {}, {}, tr("Reload the open file whenever another program changes it"));
    automatic->setCheckable(true);
    automatic->setChecked(Settings::instance().reloadsAutomatically());
    connect(automatic, &QAction::toggled, this, [](bool checked) { Settings::instance().set(kAutoReloadKey, checked); });
    makeCommand("copy-view", tr("&Copy view"), "copy", {K::Copy}, tr("Copy the current pane as an image"), [this] { copyView(); });
    makeCommand("copy-pixel", tr("Copy pi&xel values"), {}, {K(tr("Ctrl+Shift+C"))}, tr("Copy the samples under the mouse as text"),
                [this] { copyPixel(); });
    makeCommand("paste", tr("&Paste"), {}, {K::Paste}, tr("Open the image or the files on the clipboard"), [this] {
        // A clipboard without an owner has no data object at all.
        static const QMimeData nothing;
        const QMimeData* held = QApplication::clipboard()->mimeData();
        take(held ? *held : nothing);
    });

    makeRecentFiles();
    watch_ = new FileWatch(this);
    connect(watch_, &FileWatch::changed, this, [this] {
        if (session_->original()) fileChanged(session_->inputName(), session_->original());
    });
    connect(&session_->comparison().inputs(), &InputStore::changed, this, &MainWindow::watchPaneInput);
    connect(session_.get(), &Session::originalChanged, this, [this] {
        const QString input = session_->inputName();
        messages_->clearSource(kChangedSource);
        closedInput_.clear();
        watch_->watch(pathOnDisk(input), session_->document().inputStamp());
    });
    // The next file cannot be opened: the closed one must not stay.
    connect(&session_->document(), &Document::openFailed, this, [this] {
        if (!closedInput_.isEmpty() && closedInput_ == session_->inputName()) session_->close();
    });
    messages_->addButton(kChangedSource, *action("reload"));
    connect(&Settings::instance(), &Settings::changed, this, &MainWindow::followSettings);
    qApp->installEventFilter(this);
}

void MainWindow::tell(const Message& message) {
    messages_->showMessage(message);
    log_->add(message);
}

void MainWindow::reload() {
    if (session_->original()) session_->open(session_->inputName());
    session_->comparison().inputs().reloadAll();
}

void MainWindow::closeFile() {
    if (!session_->original() && inputs_.isEmpty()) return;
    cancelPendingOpen();
    closedInput_ = session_->inputName();
    if (currentInput_ >= 0 && currentInput_ < inputs_.size()) inputs_.removeAt(currentInput_);
    if (!inputs_.isEmpty()) return showInput(std::min(currentInput_, static_cast<int>(inputs_.size()) - 1));
    currentInput_ = -1;
    session_->close();
}

void MainWindow::followSettings() {
    action("auto-reload")->setChecked(Settings::instance().reloadsAutomatically());
    updateTitle();
    // Numbers are formatted again.
    emit view_.displayChanged();
    emit session_->comparison().differenceChanged();
}

void MainWindow::checkSettings() {
    QStringList problems = Settings::instance().problems();
    const QString chosen = Settings::instance().backend();
    if (!chosen.isEmpty()) try {
            (void)session_->catalog().availableBackend(parseTarget(chosen.toStdString()).backend);
        } catch (const Error& e) {
            problems << tr("The default backend is not used: %1.").arg(toMessage(e, {}).what);
        }
    if (!problems.isEmpty())
        tell({Message::Kind::warning, tr("Some settings cannot be used"), problems.join(QLatin1Char(' ')),
              tr("Correct them under Edit > Settings"), QStringLiteral("settings")});
}

void MainWindow::fileChanged(const QString& input, const ImagePtr& image) {
    if (action("auto-reload")->isChecked()) return reload();
    tell({Message::Kind::warning,
          tr("%1 was changed by another program").arg(nameInWindow(input, image)),
          {},
          tr("Reload it, or continue with the image as it was"),
          kChangedSource});
}

void MainWindow::watchPaneInput(const QString& input) {
    const InputStore& store = session_->comparison().inputs();
    std::erase_if(paneWatches_, [inputs = store.inputs()](const auto& each) { return !inputs.contains(each.first); });
    if (!store[input].image) return;
    std::unique_ptr<FileWatch>& watch = paneWatches_[input];
    if (!watch) {
        watch = std::make_unique<FileWatch>();
        connect(watch.get(), &FileWatch::changed, this, [this, input] {
            const InputStore& inputs = session_->comparison().inputs();
            if (inputs.inputs().contains(input)) fileChanged(input, inputs[input].image);
        });
    }
    watch->watch(pathOnDisk(input), store[input].stamp);
}

void MainWindow::copyView() {
    if (const QString cells = selectedCells(); !cells.isEmpty()) return QApplication::clipboard()->setText(cells);
    if (showsVolume()) {
        if (RenderPane* pane = volumeView_->focusedRendering()) return copyView(*pane, pane->label().badge);
        if (VolumePane* pane = volumeView_->currentPane()) return copyView(*pane, pane->label().badge);
    }
    // The focused pane, else the one under the mouse, else the first.
    ImagePane* chosen = nullptr;
    for (const PaneRole role : kAllPanes) {
        ImagePane& pane = compare_->pane(role);
        if (!pane.isVisible() || !pane.pyramid()) continue;
        if (pane.hasFocus()) {
            chosen = &pane;
            break;
        }
        if (!chosen || pane.underMouse()) chosen = &pane;
    }
    if (!chosen)
        return tell({Message::Kind::information, tr("Nothing to copy"), tr("no image is shown"), tr("Open an image first"),
                     QStringLiteral("copy")});
    copyView(*chosen, chosen->label().badge);
}

void MainWindow::copyView(QWidget& pane, const QString& name) {
    auto* rendering = qobject_cast<RenderPane*>(&pane);
    QApplication::clipboard()->setImage(rendering ? rendering->pictureShown() : pane.grab().toImage());
    tell({Message::Kind::information, tr("Copied the view of %1").arg(name), {}, {}, QStringLiteral("copy")});
}

QImage MainWindow::pictureOf(PaneRole role) {
    if (showsVolume()) return volumeView_->pictureOf(role);
    ImagePane& pane = compare_->pane(role);
    return pane.isVisible() && pane.pyramid() ? pane.grab().toImage() : QImage();
}

void MainWindow::showPaneMenu(PaneRole role, const QPoint& where) {
    ImagePane& pane = compare_->pane(role);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [&](const QString& text, const QString& tip, auto&& effect) {
        QAction* added = menu->addAction(text, this, effect);
        added->setToolTip(tip);
        added->setStatusTip(tip);
        added->setEnabled(pane.pyramid() != nullptr);
    };
    const QString name = pane.label().badge;
    add(tr("&%1 …").arg(saveTitle(*session_, role)), tr("Save the samples of this pane in a chosen format and bit depth"),
        [this, role] { saveData(role); });
    add(tr("Save &view of %1 …").arg(name), tr("Save this pane as shown, with colours, labels and marks, as PNG"),
        [this, role, name] { askAndSavePicture(*session_, pictureOf(role), tr("Save view"), tr("view") + QLatin1Char('-') + name, this); });
    add(tr("&Copy view of %1").arg(name), tr("Copy this pane as an image"), [this, &pane, name] {
        QWidget* shown = showsVolume() ? static_cast<QWidget*>(volumeView_->currentPane()) : &pane;
        if (shown) copyView(*shown, name);
    });
    menu->addSeparator();
    if (const std::optional<Side> side = sideOf(role)) {
        session_->pipeline().setActive(*side);  // the actions are about the active pane
        fillMenu(*menu, kPaneActions);
        menu->addSeparator();
    }
    fillMenu(*menu,
             showsVolume()
                 ? "fit actual marks crosshair invert - planes-all planes-axial planes-coronal planes-sagittal rendering - reset-view"
                 : "fit actual pixel-grid marks - select-all deselect - reset-view");
    if (showsVolume()) menu->insertMenu(action("planes-all"), windowMenu_);
    menu->popup(where);
}

Side MainWindow::comparedSide() const {
    const PipelineModel& pipeline = session_->pipeline();
    return activeSide() == pipeline.reference() ? pipeline.subject() : pipeline.reference();
}

void MainWindow::saveData(std::optional<PaneRole> role) {
    askAndSaveData(
        *session_, role, [this](PaneRole pane) { return pictureOf(pane); }, this);
}

void MainWindow::copyPixel() {
    const QString text = inspector_->pixels().toText();
    if (text.isEmpty())
        return tell({Message::Kind::information, tr("Nothing to copy"), tr("the mouse is not over an image"),
                     tr("Point at a pixel, then press the shortcut"), QStringLiteral("copy")});
    QApplication::clipboard()->setText(text);
}

}  // namespace parallax::ui
