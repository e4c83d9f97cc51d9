// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/main_window.hpp"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QVBoxLayout>
#include <utility>

#include "core/io/loader.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/help/context_help.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/session/lab.hpp"
#include "ui/session/large_files.hpp"
#include "ui/session/medical_names.hpp"
#include "ui/subbands/region_panel.hpp"
#include "ui/theme/focus_guard.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/bars/timing_strip.hpp"
#include "ui/window/dialogs/command_palette.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/dialogs/generate_dialog.hpp"
#include "ui/window/dialogs/message_log_dialog.hpp"
#include "ui/window/dialogs/settings_dialog.hpp"
#include "ui/window/drop/drop_overlay.hpp"
#include "ui/window/filmstrip/folder_files.hpp"
#include "ui/window/parts/part_bar.hpp"
#include "ui/window/parts/series_bar.hpp"
#include "ui/window/recent/empty_state.hpp"
#include "ui/window/recent/recent_files.hpp"
#include "ui/window/shell/file_watch.hpp"
#include "ui/window/shell/large_file_dialog.hpp"
#include "ui/window/shell/message_bar.hpp"
#include "ui/window/shell/session_keeper.hpp"
#include "ui/window/shell/status_area.hpp"

namespace parallax::ui {
namespace {

constexpr int kLayoutVersion = 2;
constexpr int kPipelineHeight = 390;                  // pixels that show panes, steps and some parameters
constexpr int kHighWindow = 850, kWideWindow = 1300;  // pixels: room for panels above each other, for wide ones
constexpr int kPipelineInHighWindow = 280;
constexpr char kRawExtension[] = "raw";  // of files without a header

}  // namespace

QStringList expandInput(const QString& input) {
    // A folder with a DICOM series is one input.
    if (!QFileInfo(input).isDir() || mayHoldSeries(input.toStdString())) return {input};
    const QStringList files = imagesIn(input);
    return files.isEmpty() ? QStringList{input} : files;
}

MainWindow::MainWindow(const Catalog& catalog, QWidget* parent) : QMainWindow(parent), session_(std::make_unique<Session>(catalog)) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::LeftDockWidgetArea, QTabWidget::North);
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    setContextMenuPolicy(Qt::NoContextMenu);

    help_ = new ContextHelp(*this);
    makeOpenCommands();
    makeSaveCommands();
    makeKernelCommands();
    makeBatchCommand();
    makeEditCommands();
    makeViewCommands();
    makeHelpCommands();
    makePaneActions();
    makeLayoutActions();
    makeThemeActions();
    compare_ = new CompareView(*session_, view_);
    setHelpTopic(*compare_, QStringLiteral("compareView"));
    for (const PaneRole role : kAllPanes) {
        ImagePane* pane = &compare_->pane(role);
        pane->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(pane, &QWidget::customContextMenuRequested, this,
                [this, role, pane](const QPoint& at) { showPaneMenu(role, pane->mapToGlobal(at)); });
    }
    volumeView_ = new VolumeView(*session_, *compare_, view_, volume_);
    setHelpTopic(*volumeView_, QStringLiteral("volumeView"));
    connect(volumeView_, &VolumeView::menuRequested, this, &MainWindow::showPaneMenu);
    makeCentre();
    makeDocks();
    makeFileActions();
    makeSessionActions();
    makeVolumeActions();
    makePartActions();
    makeNonFiniteCommand();
    makeSheetActions();
    makeFilmstrip();
    makeToolBar();
    makeMenus();
    palette_ = new CommandPalette(*menuBar(), session_->pipeline(), *this);
    new StatusArea(*session_, view_, *statusBar(), *action("cancel"));
    log_ = new MessageLog(this);
    logDialog_ = new MessageLogDialog(*log_, this);
    addMessageButton(*log_, *statusBar(), *action("messages"));
    connectSession();
    resize(1400, 900);
    arrangeColumn();
    factoryLayout_ = saveState(kLayoutVersion);
    updateActions();
    updateTitle();
}

MainWindow::~MainWindow() {
    // It saves a number that is being typed, which the window must be able to follow.
    delete findChild<SettingsDialog*>();
}

void MainWindow::makeCentre() {
    stack_ = new QStackedWidget;
    empty_ = new EmptyState(*action("open"), *action("sample"), *action("generate"));
    connect(empty_, &EmptyState::openRequested, this, [this](const QString& path) { openInputs({path}); });
    stack_->addWidget(empty_);
    stack_->addWidget(compare_);
    stack_->addWidget(volumeView_);
    timingStrip_ = new TimingStrip(*session_, *action("benchmark"));
    connect(timingStrip_, &TimingStrip::expandRequested, this, &MainWindow::showTiming);
    auto* centre = new QWidget;
    auto* layout = makeLayout<QVBoxLayout>(centre, 0);
    makePartBars();
    layout->addWidget(partBar_);
    layout->addWidget(stack_, 1);
    layout->addWidget(seriesBar_);
    layout->addWidget(timingStrip_);
    centre->setMinimumSize(200, 160);
    messages_ = new MessageBar(*stack_);
    dropOverlay_ = new DropOverlay(stack_);
    setCentralWidget(centre);
}

void MainWindow::makeDocks() {
    installFocusGuard();
    const auto dock = [this](const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
        auto* d = new QDockWidget(title, this);
        d->setObjectName(QLatin1String(name));
        d->setWidget(content);
        addDockWidget(area, d);
        return d;
    };
    pipeline_ = new PipelinePanel(*session_, view_);
    inspector_ = new InspectorPanel(*session_, view_, volume_);
    timing_ = new TimingPanel(*session_);
    pipelineDock_ = dock("pipelineDock", tr("Pipeline"), pipeline_, Qt::LeftDockWidgetArea);
    inspectorDock_ = dock("inspectorDock", tr("Inspector"), inspector_, Qt::LeftDockWidgetArea);
    timingDock_ = dock("timingDock", tr("Timing"), timing_, Qt::BottomDockWidgetArea);
    regions_ = new RegionPanel(*session_);
    regionsDock_ = dock("regionsDock", tr("Sub-bands"), regions_, Qt::BottomDockWidgetArea);
    tabifyDockWidget(timingDock_, regionsDock_);
    // Hidden at first: pictures come first, and most results have no sub-bands.
    regionsDock_->hide();
    timingDock_->hide();
    connect(timingDock_->toggleViewAction(), &QAction::toggled, this, &MainWindow::updateTimingStrip);
    connect(regionsDock_->toggleViewAction(), &QAction::triggered, this, [this](bool shown) {
        if (!shown) return;
        regionsDock_->raise();
        resizeDocks({regionsDock_}, {std::max(regionsDock_->height(), height() * 45 / 100)}, Qt::Vertical);
    });
    connect(&pipeline_->panes(), &PaneSettings::inputAsked, this, &MainWindow::askPaneInput);
    connect(&pipeline_->panes(), &PaneSettings::menuRequested, this, [this](const QPoint& where) {
        auto* menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        fillMenu(*menu, kPaneActions);
        menu->popup(where);
    });
    connect(inspector_, &InspectorPanel::volumeAsked, this, [this](int volume) { openChoice(QString::number(volume)); });
    connect(inspector_, &InspectorPanel::regionsAsked, this, [this] {
        if (!regionsDock_->toggleViewAction()->isChecked()) regionsDock_->toggleViewAction()->trigger();
        regionsDock_->raise();
        regions_->setFocus();
    });
    timing_->setMinimumSize(420, 150);  // pages that need more are not in front, or scroll
}

int MainWindow::columnWidth() const { return wide_ ? 340 : 300; }

void MainWindow::arrangeColumn() {
    high_ = height() >= kHighWindow;
    wide_ = width() >= kWideWindow;
    // Its parameters scroll. Above the Inspector it may be squeezed while the window becomes as low as a screen of 500 pixels.
    pipeline_->setMinimumHeight(high_ ? kPipelineInHighWindow : 0);
    // Charts and their table need width; in a low window, panels beside them need the height.
    setCorner(Qt::BottomLeftCorner, high_ ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, high_ ? Qt::BottomDockWidgetArea : Qt::RightDockWidgetArea);
    const Qt::DockWidgetArea area = dockWidgetArea(pipelineDock_);
    const bool column = area == dockWidgetArea(inspectorDock_) && area != Qt::BottomDockWidgetArea && area != Qt::TopDockWidgetArea;
    if (!column || pipelineDock_->isFloating() || inspectorDock_->isFloating()) return;
    const bool shown = !inspectorDock_->isHidden(), tabbed = tabifiedDockWidgets(pipelineDock_).contains(inspectorDock_);
    if (high_ && tabbed) {
        removeDockWidget(inspectorDock_);
        addDockWidget(area, inspectorDock_, Qt::Vertical);
        inspectorDock_->setVisible(shown);
    } else if (!high_ && !tabbed) {
        tabifyDockWidget(pipelineDock_, inspectorDock_);
        pipelineDock_->raise();
    }
    resizeDocks({pipelineDock_, inspectorDock_}, {columnWidth(), columnWidth()}, Qt::Horizontal);
    if (high_) resizeDocks({pipelineDock_, inspectorDock_}, {height() * 55 / 100, height() * 45 / 100}, Qt::Vertical);
}

void MainWindow::showTiming() {
    if (timingDock_->isHidden()) {
        timingDock_->show();
        // Below 240 pixels the charts of three backends scroll.
        resizeDocks({timingDock_}, {std::clamp(height() * 27 / 100, std::min(240, height() * 36 / 100), 320)}, Qt::Vertical);
        // The charts take their height from the column, of which the Inspector scrolls better than the pipeline.
        if (high_ && !pipelineDock_->isFloating() && pipelineDock_->height() < kPipelineHeight)
            resizeDocks({pipelineDock_}, {kPipelineHeight}, Qt::Vertical);
    }
    timingDock_->raise();
}

void MainWindow::updateTimingStrip() { timingStrip_->setVisible(timingDock_->isHidden() && layoutWithPanels_.isEmpty()); }

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (high_ != (height() >= kHighWindow) || wide_ != (width() >= kWideWindow)) arrangeColumn();
}

void MainWindow::connectSession() {
    Session& s = *session_;
    connect(&s.tasks(), &Tasks::messageRaised, messages_, &MessageBar::showMessage);
    connect(&s.tasks(), &Tasks::messageRaised, log_, [this](const Message& message) { log_->add(message); });
    connect(&s.tasks(), &Tasks::messageCleared, messages_, &MessageBar::clearSource);
    connect(&s, &Session::originalChanged, this, [this] {
        showDocument();
        updateTitle();
        updateActions();
    });
    connect(&s.comparison(), &Comparison::sideChanged, this, [this](Side side) {
        if (side == Side::a) followQuantity();
    });
    connect(&s, &Session::busyChanged, this, &MainWindow::updateActions);
    connect(&s.benchmark(), &Benchmark::recordChanged, this, &MainWindow::updateActions);
    connect(&s.comparison(), &Comparison::differenceChanged, this, &MainWindow::updateActions);
    // What Export writes depends on the page in front.
    connect(timing_, &TimingPanel::pageChanged, this, &MainWindow::updateActions);
    connect(timing_, &TimingPanel::partChosen, this, [this](const QRect& pixels) {
        view_.fit();
        view_.setSelection(pixels);
    });
    connect(&s.lab(), &Lab::sweepChanged, this, &MainWindow::updateActions);
    connect(&s.lab(), &Lab::reportShown, this, &MainWindow::showTiming);
    for (auto signal : {&PipelineModel::historyChanged, &PipelineModel::activeChanged, &PipelineModel::pairChanged})
        connect(&s.pipeline(), signal, this, &MainWindow::updateActions);
    connect(&s.pipeline(), &PipelineModel::setupChanged, this, &MainWindow::updateCompareActions);
    connect(&s, &Session::busyChanged, this, &MainWindow::closeWhenIdle);
    LargeFiles::instance().setAsker(
        [window = QPointer(this)](const QString& input, std::uint64_t unpacked, const std::function<void()>& open) {
            if (!window || window->unattended_) return false;
            auto* dialog = new LargeFileDialog(nameBeforeOpening(input), unpacked, window);
            connect(dialog, &LargeFileDialog::openChosen, window, open);
            openOnce(dialog);
            return true;
        });
}

void MainWindow::openInputs(const QStringList& inputs) {
    QStringList images;
    bool folders = false;
    for (const QString& input : inputs) {
        // Reports open in the charts; the image stays.
        if (isReport(input)) session_->open(input);
        else if (isSessionFile(input)) return openSession(QFileInfo(input).absoluteFilePath());
        else images << input;
        folders = folders || QFileInfo(input).isDir();
    }
    if (images.isEmpty()) return;
    ++opening_;
    if (!folders) return showInputs(images);
    openFolders(images, [this](const QStringList& files) {
        if (!mayBeDicom(files.front())) keepFolderOf(files.front(), kOpenFolderKey);
        showInputs(files);
    });
}

void MainWindow::showInputs(const QStringList& inputs) { showInputAt(inputs, 0); }

void MainWindow::showInput(int index) { showInputAt(inputs_, index); }

void MainWindow::showInputAt(QStringList inputs, int index) {
    if (index < 0 || index >= inputs.size()) return;
    cancelPendingOpen();
    const QStringList inputsBefore = std::exchange(inputs_, std::move(inputs));
    const int before = std::exchange(currentInput_, index);
    updateActions();
    const QString input = inputs_[index];
    if (!lacksHeader(input)) return session_->open(input);
    askRaw(
        input, false,
        [this, index](const QString& entered) {
            inputs_[index] = entered;
            session_->open(entered);
        },
        [this, inputsBefore, before] {
            inputs_ = inputsBefore;
            currentInput_ = before;
            updateActions();
        });
}

bool MainWindow::lacksHeader(const QString& input) { return !isRawInput(input) && lowerExtension(input.toStdString()) == kRawExtension; }

QString MainWindow::imageFilter() {
    QStringList patterns;
    for (const QString& extension : loadableExtensions()) patterns << QStringLiteral("*.") + extension;  // matched in any case
    return tr("Images (%1)").arg(patterns.join(QLatin1Char(' ')));
}

void MainWindow::askOpen() {
    const QStringList filters{imageFilter(), tr("Sessions (*.%1)").arg(kSessionExtension), tr("Reports (*.json)"), tr("All files (*)")};
    askForFiles(this, {tr("Open images"), kOpenFolderKey, QFileDialog::ExistingFiles, filters},
                [this](const QStringList& files) { openInputs(files); });
}

void MainWindow::askGenerate() {
    auto* dialog = new GenerateDialog(this);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { openInputs({dialog->request()}); });
    openOnce(dialog);
}

QStringList MainWindow::viewNames() {
    return {QStringLiteral("single"),     QStringLiteral("side-by-side"), QStringLiteral("compare"),
            QStringLiteral("difference"), QStringLiteral("wipe"),         QStringLiteral("all")};
}

bool MainWindow::setViewName(const QString& name) {
    QAction* chosen = viewNames().contains(name) ? findChild<QAction*>(QStringLiteral("view-") + name) : nullptr;
    if (!chosen) return false;
    chosen->trigger();
    return true;
}

bool MainWindow::settled() const {
    return !inspecting_ && !partBar_->listing() && session_->idle() && compare_->settled() && volumeView_->settled();
}

void MainWindow::updateTitle() {
    if (!session_->original()) return setWindowTitle(QStringLiteral("Parallax"));
    QString shown = shownNameOf(session_->inputName(), *session_->original());
    if (const QString place = placeText(); !place.isEmpty()) shown = tr("%1 (%2)").arg(shown, place);
    if (sessionFile_.isEmpty()) return setWindowTitle(tr("%1 – Parallax").arg(shown));
    const QString session = QFileInfo(sessionFile_).fileName().replace(QLatin1String("[*]"), QLatin1String("[*][*]"));
    setWindowTitle(tr("%1[*] – %2 – Parallax").arg(session, shown));
}

void MainWindow::hidePanels(bool hidden) {
    const QList<QDockWidget*> docks{pipelineDock_, inspectorDock_, timingDock_, regionsDock_};
    if (hidden) {
        layoutWithPanels_ = saveState(kLayoutVersion);
        for (QDockWidget* dock : docks) dock->hide();
        return updateTimingStrip();
    }
    if (layoutWithPanels_.isEmpty()) return;
    // Panels opened meanwhile stay open.
    QList<QDockWidget*> opened;
    for (QDockWidget* dock : docks)
        if (!dock->isHidden()) opened << dock;
    restoreState(layoutWithPanels_, kLayoutVersion);
    for (QDockWidget* dock : opened) dock->show();
    layoutWithPanels_.clear();
    updateTimingStrip();
}

void MainWindow::forgetHiddenPanels() {
    layoutWithPanels_.clear();
    updateTimingStrip();
    action("hide-panels")->setChecked(false);
}

void MainWindow::resetLayout() {
    forgetHiddenPanels();
    restoreState(factoryLayout_, kLayoutVersion);
    for (QDockWidget* dock : {pipelineDock_, inspectorDock_}) dock->show();
    arrangeColumn();
}

void MainWindow::applyPreset(const QString& name) {
    struct Preset {
        const char *name, *view;
        bool pipeline, inspector, timing, original;
        double timingShare;  ///< fraction of the window's height
    };
    static constexpr Preset presets[] = {{"view", "single", false, true, false, false, 0},
                                         {"compare", "compare", true, true, false, true, 0},
                                         {"measure", "side-by-side", true, false, true, false, 0.55}};
    for (const Preset& preset : presets) {
        if (name != QLatin1String(preset.name)) continue;
        forgetHiddenPanels();
        restoreState(factoryLayout_, kLayoutVersion);
        pipelineDock_->setVisible(preset.pipeline);
        inspectorDock_->setVisible(preset.inspector);
        timingDock_->setVisible(preset.timing);
        arrangeColumn();
        if (preset.timing) resizeDocks({timingDock_}, {static_cast<int>(height() * preset.timingShare)}, Qt::Vertical);
        setViewName(QLatin1String(preset.view));
        action("original")->setChecked(preset.original);
    }
}

void MainWindow::restoreLayout() {
    const Settings& settings = Settings::instance();
    restoreGeometry(settings.remembered(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.remembered(QStringLiteral("window/layout")).toByteArray(), kLayoutVersion);
    setViewName(settings.remembered(QStringLiteral("window/view"), QStringLiteral("compare")).toString());
    action("original")->setChecked(settings.remembered(QStringLiteral("window/original"), true).toBool());
}

void MainWindow::setUnattended() {
    unattended_ = true;
    recent_->setRemembering(false);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayClose()) return event->ignore();
    if (keeper_) keeper_->keepLast();
    Settings& settings = Settings::instance();
    settings.remember(QStringLiteral("window/geometry"), saveGeometry());
    // Hidden panels are back at the next start.
    settings.remember(QStringLiteral("window/layout"), layoutWithPanels_.isEmpty() ? saveState(kLayoutVersion) : layoutWithPanels_);
    settings.remember(QStringLiteral("window/view"), viewNames().value(static_cast<int>(compare_->layoutKind())));
    settings.remember(QStringLiteral("window/original"), compare_->originalShown());
    session_->cancel();
    event->accept();
}

void MainWindow::childEvent(QChildEvent* event) {
    QMainWindow::childEvent(event);
    // Qt creates the tab bar when panels are first stacked.
    if (auto* tabs = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr)
        tabs->setToolTip(tr("Stacked panels. Drag the title of one to move it elsewhere."));
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange) update();
}

}  // namespace parallax::ui
