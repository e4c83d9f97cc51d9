// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window about sessions: files of them, keeping the current one on disk, restoring it, and quitting.
#include <QAction>
#include <QActionGroup>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <algorithm>

#include "core/io/atomic_file.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/export/export_dialogs.hpp"
#include "ui/export/save_as.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/document/message_log.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/batch/batch_window.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"
#include "ui/window/recent/recent_files.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"
#include "ui/window/shell/session_keeper.hpp"

namespace parallax::ui {
namespace {

const QString kOffer = QStringLiteral("restore");
const QString kSource = QStringLiteral("session file");
constexpr int kCheckMilliseconds = 150;

QStringList sessionFilters() { return {MainWindow::tr("Sessions (*.%1)").arg(kSessionExtension)}; }

/// Returns the text to compare sessions by, without the panels, whose sizes follow that of the window.
QByteArray comparable(KeptSession session) {
    session.panels.clear();
    session.file.clear();
    return toJson(session);
}

}  // namespace

void MainWindow::makeSessionActions() {
    using K = QKeySequence;
    makeCommand("open-session", tr("Open session …"), {}, {K(tr("Ctrl+Alt+O"))},
                tr("Open a session file: its inputs, pipeline, views and panels"), [this] {
                    askForFiles(this, {tr("Open session"), kSessionFolderKey, QFileDialog::ExistingFile, sessionFilters()},
                                [this](const QStringList& paths) { openSession(paths.front()); });
                });
    makeCommand("save-session", tr("Save session"), {}, {K(tr("Ctrl+Alt+S"))},
                tr("Save inputs, pipeline, views and panels to the open session file"), [this] {
                    if (sessionFile_.isEmpty()) askSaveSession();
                    else saveSession(sessionFile_, true);
                });
    makeCommand("save-session-as", tr("Save session as …"), {}, {}, tr("Save inputs, pipeline, views and panels to another session file"),
                [this] { askSaveSession(); });
    makeCommand("restore-session", tr("R&estore session"), {}, {}, tr("Reopen the session of the last time that Parallax was open"),
                [this] { restoreSession(); })
        ->setEnabled(false);
    sessionCheck_.setSingleShot(true);
    sessionCheck_.setInterval(kCheckMilliseconds);
    connect(&sessionCheck_, &QTimer::timeout, this, &MainWindow::updateSessionState);
    connect(session_.get(), &Session::originalChanged, this, &MainWindow::applyArrivedView);
    onSessionEdit(this, [this] { sessionCheck_.start(); });
    connect(&session_->saver(), &FileSaver::saved, this, [this](const QString& path) {
        if (!savingSession_ || savingSession_->first != path) return;
        sessionFile_ = path;
        savedSession_ = std::exchange(savingSession_, {})->second;
        recent_->add(path);
        updateSessionState();
    });
}

template <class Effect>
void MainWindow::onSessionEdit(QObject* context, Effect&& effect) {
    connect(session_.get(), &Session::originalChanged, context, effect);
    connect(&session_->comparison(), &Comparison::sideChanged, context, effect);
    for (auto signal : {&PipelineModel::setupChanged, &PipelineModel::activeChanged})
        connect(&session_->pipeline(), signal, context, effect);
    for (auto signal : {&ViewState::viewChanged, &ViewState::displayChanged, &ViewState::selectionChanged})
        connect(&view_, signal, context, effect);
    for (auto signal :
         {&VolumeState::crosshairChanged, &VolumeState::viewChanged, &VolumeState::optionsChanged, &VolumeState::planesChanged})
        connect(&volume_, signal, context, effect);
    connect(layouts_, &QActionGroup::triggered, context, effect);
    connect(action("original"), &QAction::toggled, context, effect);
}

void MainWindow::keepSession(const QString& folder) {
    keeper_ = std::make_unique<SessionKeeper>(session_->catalog(), folder, [this] { return keptSession(); });
    onSessionEdit(keeper_.get(), [this] { keeper_->touch(); });
    action("restore-session")->setEnabled(keeper_->left().has_value());
    if (!keeper_->leftByCrash()) return;
    const KeptSession& left = *keeper_->left();
    const QString when = QLocale().toString(left.saved, QLocale::ShortFormat);
    messages_->addButton(kOffer, *action("restore-session"));
    tell({Message::Kind::warning, tr("Parallax was closed unexpectedly"),
          tr("%1 was open, last changed %2").arg(nameBeforeOpening(left.inputs[left.current]), when),
          tr("Restore the session, or continue without it"), kOffer});
}

KeptSession MainWindow::currentSession() const {
    KeptSession kept;
    // The newest input may still be loading, or fail to: keep the one that is shown.
    if (inputs_.value(currentInput_) == session_->inputName()) {
        for (const QString& input : inputs_) kept.inputs << lastingInput(input);
        kept.current = currentInput_;
    } else if (session_->original()) {
        kept.inputs = QStringList{lastingInput(session_->inputName())};
        kept.current = 0;
    }
    kept.setup = session_->pipeline().setup();
    kept.active = session_->pipeline().active();
    kept.subject = session_->pipeline().subject();
    kept.view = viewNames().value(static_cast<int>(compare_->layoutKind()));
    kept.originalShown = compare_->originalShown();
    kept.fitting = view_.fitting();
    kept.scale = view_.scale();
    kept.centre = view_.centre();
    kept.selection = view_.selection();
    kept.pixelGrid = view_.pixelGrid();
    kept.linked = view_.linked();
    kept.display = view_.display();
    if (showsVolume())
        kept.volume = KeptVolumeView{.crosshair = volume_.crosshair(),
                                     .planes = volume_.planes(),
                                     .slabMode = volume_.slabMode(),
                                     .slabThickness = volume_.slabThickness(),
                                     .radiological = volume_.radiological(),
                                     .smooth = volume_.smooth(),
                                     .crosshairShown = volume_.crosshairShown(),
                                     .inverted = volume_.inverted(),
                                     .fitting = volume_.fitting(),
                                     .scale = volume_.scale(),
                                     .centre = {volume_.centre(0), volume_.centre(1), volume_.centre(2)},
                                     .rendering = volumeView_->renderings().state().kept()};
    if (layoutWithPanels_.isEmpty())  // else all are hidden for the moment
        for (QDockWidget* dock : findChildren<QDockWidget*>()) {
            const Qt::DockWidgetArea area = dockWidgetArea(dock);
            const bool beside = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
            kept.panels.insert(dock->objectName(), {!dock->isHidden(), area, beside ? dock->width() : dock->height()});
        }
    kept.file = sessionFile_;
    kept.modified = isWindowModified();
    return kept;
}

QByteArray MainWindow::keptSession() const {
    if (!session_->original() || currentInput_ < 0) return {};
    return toJson(currentSession());
}

void MainWindow::restoreSession() {
    if (!keeper_ || !keeper_->left()) return;
    KeptSession kept = *keeper_->left();
    keeper_->forgetLeft();
    action("restore-session")->setEnabled(false);
    messages_->clearSource(kOffer);
    startSession(tr("Restore session"), [kept](const Catalog&) { return kept; });
}

bool MainWindow::restoreAtStart() {
    if (!keeper_ || !keeper_->left() || keeper_->leftByCrash()) return false;
    if (!Settings::instance().restoresSession()) return false;
    restoreSession();
    return true;
}

void MainWindow::openSession(const QString& path) {
    const auto open = [this, path] {
        startSession(tr("Open %1").arg(QFileInfo(path).fileName()), [path](const Catalog& catalog) { return readSession(catalog, path); });
    };
    if (sessionFile_.isEmpty() || !isWindowModified() || unattended_) return open();
    auto* question = new QMessageBox(QMessageBox::Question, tr("Session"),
                                     tr("The session %1 has unsaved changes.").arg(QFileInfo(sessionFile_).fileName()),
                                     QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    connect(question, &QMessageBox::buttonClicked, this, [this, question, open](QAbstractButton* button) {
        const auto chosen = question->standardButton(button);
        if (chosen == QMessageBox::Cancel) return;
        if (chosen == QMessageBox::Save) saveSession(sessionFile_, true);
        open();
    });
    openOnce(question);
}

void MainWindow::startSession(const QString& title, std::function<KeptSession(const Catalog&)> read) {
    cancelPendingOpen();
    struct Found {
        KeptSession session;
        QStringList missing;
    };
    session_->tasks().submit(
        {TaskKind::session}, title,
        [&catalog = session_->catalog(), read = std::move(read)](const std::stop_token&) {
            Found found{read(catalog), {}};
            found.missing = removeMissingInputs(found.session);
            return found;
        },
        [this, title, number = opening_](const Found& found) {
            if (number != opening_) return;  // something else was opened meanwhile
            applySession(found.session, title);
            if (found.missing.isEmpty()) return messages_->clearSource(kSource);
            const bool none = found.session.inputs.isEmpty();
            tell({none ? Message::Kind::error : Message::Kind::warning,
                  none ? tr("The session has no input that exists") : tr("The session was opened without missing files"),
                  tr("not found: %1").arg(pathsInWindow(found.missing)), tr("Put the files back and open the session again"), kSource});
        });
}

void MainWindow::applySession(const KeptSession& kept, const QString& title) {
    sessionFile_ = kept.file;
    savedSession_.clear();
    session_->pipeline().replaceSetup(kept.setup, title);
    // The pane that was active last is the subject of the difference.
    for (const Side side : {kept.subject, kept.active}) session_->pipeline().setActive(side);
    setViewName(kept.view);
    action("original")->setChecked(kept.originalShown);
    view_.setPixelGrid(kept.pixelGrid);
    view_.setLinked(kept.linked);
    action("link-panes")->setChecked(kept.linked);
    view_.setDisplay(kept.display);
    applyPanels(kept.panels);
    inputs_ = kept.inputs;
    arriving_ = kept;
    if (!kept.file.isEmpty()) recent_->add(kept.file);
    if (kept.inputs.isEmpty()) {
        currentInput_ = -1;
        arriving_.reset();
        updateActions();
    } else {
        showInputAt(kept.inputs, kept.current);
    }
    updateSessionState();
}

void MainWindow::applyArrivedView() {
    if (!arriving_) return;
    const KeptSession kept = *std::exchange(arriving_, {});
    // A raw file gets its layout when it is opened.
    if (fileOf(lastingInput(session_->inputName())) != fileOf(kept.inputs[kept.current])) return;
    view_.setDisplay(kept.display);  // measurements bring their own
    // A new image is fitted into its pane; zoom and position follow.
    if (!kept.fitting) {
        view_.setScale(kept.scale);
        view_.lookAt(kept.centre);
    }
    view_.setSelection(kept.selection);
    if (kept.volume && showsVolume()) {
        const KeptVolumeView& v = *kept.volume;
        volume_.setPlanes(v.planes);
        volume_.setSlabMode(v.slabMode);
        volume_.setSlabThickness(v.slabThickness);
        volume_.setRadiological(v.radiological);
        volume_.setSmooth(v.smooth);
        volume_.setCrosshairShown(v.crosshairShown);
        volume_.setInverted(v.inverted);
        volume_.setCrosshair(v.crosshair);
        if (!v.fitting) {
            volume_.setScale(v.scale);
            volume_.lookAt(v.centre);
        }
        volumeView_->renderings().state().restore(session_->catalog(), v.rendering);
    }
    if (!kept.file.isEmpty() && !kept.modified) savedSession_ = comparable(currentSession());
    sessionCheck_.start();
}

void MainWindow::applyPanels(const QHash<QString, KeptPanel>& panels) {
    if (panels.isEmpty()) return;
    forgetHiddenPanels();
    for (QDockWidget* dock : findChildren<QDockWidget*>()) {
        const auto panel = panels.find(dock->objectName());
        if (panel == panels.end()) continue;
        if (panel->area != dockWidgetArea(dock)) addDockWidget(panel->area, dock);
        dock->setVisible(panel->shown);
        const bool beside = panel->area == Qt::LeftDockWidgetArea || panel->area == Qt::RightDockWidgetArea;
        const int room = (beside ? width() : height()) * 2 / 3;
        if (panel->shown && panel->size > 0) resizeDocks({dock}, {std::min(panel->size, room)}, beside ? Qt::Horizontal : Qt::Vertical);
    }
}

void MainWindow::askSaveSession() {
    const QString name = (sessionFile_.isEmpty() ? proposedBaseName(*session_) : QFileInfo(sessionFile_).completeBaseName()) +
                         QLatin1Char('.') + kSessionExtension;
    const QString folder = sessionFile_.isEmpty() ? keptFolder(kSessionFolderKey) : QFileInfo(sessionFile_).absolutePath();
    askWhereToSave({tr("Save session"), folder, name, sessionFilters()}, *session_, this, [this](const QString& path, bool overwrite) {
        keepFolderOf(path, kSessionFolderKey);
        saveSession(path, overwrite);
    });
}

void MainWindow::saveSession(const QString& path, bool overwrite) {
    KeptSession kept = currentSession();
    savingSession_ = {path, comparable(kept)};
    kept.file.clear();
    QStringList used = kept.inputs;
    for (const PaneSetup& pane : kept.setup.panes) used << pane.input;
    used.removeAll(QString());
    const bool medical = std::any_of(used.begin(), used.end(), mayBeDicom);
    session_->saver().saveBytes(
        path, overwrite, [kept, folder = QFileInfo(path).absolutePath()] { return toJson(kept, folder); },
        medical ? AtomicFile::Readers::owner : AtomicFile::Readers::standard);
    if (pasted_ && !used.filter(pasted_->path()).isEmpty())
        tell({Message::Kind::warning, tr("A pasted image will be missing in this session"),
              tr("it has no file that stays when Parallax is closed"),
              tr("Save the original as a file, open it, and save the session again"), kSource});
}

void MainWindow::updateSessionState() {
    if (!arriving_) setWindowModified(!sessionFile_.isEmpty() && comparable(currentSession()) != savedSession_);
    updateTitle();
}

bool MainWindow::closeWithoutAsking() {
    asksOnClose_ = false;
    return close();
}

bool MainWindow::mayClose() {
    const bool saving = session_->tasks().saving();
    const bool measuring = session_->measuring() || session_->lab().sweeping() || session_->lab().measuringCeilings();
    const bool batch = batch_ && batch_->running();
    const bool asks = asksOnClose_ && !unattended_;
    // The first request waits; a second one stops the work.
    if (closing_ || !(saving || ((measuring || batch) && asks))) return true;
    closing_ = true;
    if (!asks) {
        tell({Message::Kind::information,
              tr("Saving is still in progress; Parallax quits when it is finished"),
              {},
              tr("Close again to quit and discard the unfinished files"),
              QStringLiteral("close")});
        return false;
    }
    quitDialog_ = new QuitDialog(saving, measuring, batch, this);
    connect(quitDialog_, &QuitDialog::quitChosen, this, &QWidget::close);
    connect(quitDialog_, &QuitDialog::stayChosen, this, [this] { closing_ = false; });
    openOnce(quitDialog_);
    return false;
}

void MainWindow::closeWhenIdle() {
    const bool measuring = session_->measuring() || session_->lab().sweeping() || session_->lab().measuringCeilings();
    const bool batch = batch_ && batch_->running();
    if (!closing_ || session_->tasks().saving() || ((measuring || batch) && quitDialog_)) return;
    closing_ = false;
    messages_->clearSource(QStringLiteral("close"));
    if (quitDialog_) {
        quitDialog_->hide();
        quitDialog_->deleteLater();
    }
    // A failed save keeps the window open, so that its message is seen.
    if (!session_->saver().anyFailed()) QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
}

}  // namespace parallax::ui
