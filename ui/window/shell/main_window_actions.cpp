// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window: name, shortcut, tooltip, effect. Menus and toolbar are made from them.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

#include "ui/charts/timing_panel.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/export/export_dialogs.hpp"
#include "ui/help/context_help.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/inspector/view_panel.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/view/non_finite.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/session/lab.hpp"
#include "ui/theme/widgets.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/bars/main_tool_bar.hpp"
#include "ui/window/dialogs/about_dialog.hpp"
#include "ui/window/dialogs/command_palette.hpp"
#include "ui/window/dialogs/file_dialog.hpp"
#include "ui/window/dialogs/settings_dialog.hpp"
#include "ui/window/dialogs/shortcut_sheet.hpp"
#include "ui/window/shell/action_list.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"
#include "ui/window/shell/status_area.hpp"

namespace parallax::ui {

using K = QKeySequence;

QAction* MainWindow::action(const char* name) const { return findChild<QAction*>(QLatin1String(name)); }

QAction* MainWindow::makeAction(const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& shortcuts,
                                const QString& tip) {
    auto* a = new QAction(text, this);
    a->setObjectName(QLatin1String(name));
    if (!icon.isEmpty()) a->setIcon(actionIcon(icon));
    a->setShortcuts(shortcuts);
    a->setToolTip(shortcuts.isEmpty() ? tip : tr("%1 (%2)").arg(tip, shortcutsText(*a)));
    a->setStatusTip(tip);
    addAction(a);  // shortcuts work while menus and toolbars are hidden
    return a;
}

void MainWindow::makeOpenCommands() {
    makeCommand("open", tr("&Open …"), "open", {K::Open}, tr("Open images"), [this] { askOpen(); });
    makeCommand("open-folder", tr("Open &folder …"), "open", {K(tr("Ctrl+Alt+F"))}, tr("Open the DICOM series or the images of a folder"),
                [this] { askOpenFolder(); });
    makeCommand("open-raw", tr("Open raw sa&mples …"), "open", {K(tr("Ctrl+Alt+B"))},
                tr("Open a file without a header: enter its layout while a preview shows the middle slice"), [this] { askOpenRaw(); });
    makeCommand("sample", tr("Open &sample"), "sample", {K(tr("Ctrl+Shift+O"))}, tr("Open the bundled sample image"),
                [this] { openInputs({defaultSample()}); });
    makeCommand("generate", tr("&Generate …"), "generate", {K::New}, tr("Generate a test image"), [this] { askGenerate(); });
    makeCommand("next", tr("&Next image"), {}, {K(Qt::Key_PageDown)},
                tr("Show the next open image; with a single one, the next file of its folder"), [this] { step(1); });
    makeCommand("previous", tr("&Previous image"), {}, {K(Qt::Key_PageUp)},
                tr("Show the previous open image; with a single one, the previous file of its folder"), [this] { step(-1); });
    makeCommand("quit", tr("&Quit"), {}, {K(tr("Ctrl+Q"))}, tr("Quit Parallax"), [this] { close(); });
    action("sample")->setIconText(tr("Sample"));
}

void MainWindow::makeSaveCommands() {
    const auto saveResult = [this](const char* name, const QKeySequence& key, Side (MainWindow::*side)() const) {
        makeCommand(name, {}, {}, {key}, {}, [this, side] { saveData(roleOf((this->*side)())); });
    };
    saveResult("save-result", K(K::Save), &MainWindow::activeSide);
    saveResult("save-other-result", K(tr("Ctrl+Shift+S")), &MainWindow::comparedSide);
    makeCommand("export-difference", {}, {}, {K(tr("Ctrl+Alt+D"))}, {}, [this] { saveData(PaneRole::difference); });
    makeCommand("export-all", tr("Save all images …"), {}, {K(tr("Ctrl+Alt+A"))},
                tr("Save the samples of every pane, the difference and the original, one file each"), [this] { saveData(std::nullopt); });
    makeCommand("save-view", tr("Save &view …"), {}, {K(tr("Ctrl+Alt+V"))},
                tr("Save the panes as shown, with colours, labels and marks, as PNG"),
                [this] { askAndSavePicture(*session_, stack_->currentWidget()->grab().toImage(), tr("Save the view"), tr("view"), this); });
    makeCommand("save-window", tr("Save &window picture …"), {}, {K(tr("Ctrl+Alt+W"))}, tr("Save the whole window as PNG"),
                [this] { askAndSavePicture(*session_, grab().toImage(), tr("Save a picture of the window"), tr("window"), this); });
    makeCommand("export-report", tr("Export &report …"), "report", {K(tr("Ctrl+R"))},
                tr("Export the measurements of this image and these steps as a document, a table or data"), [this] {
                    // A sweep of other steps, or of a report, is exported alone.
                    const auto sweep = timing_->shownSweep();
                    const bool alone = sweep && !session_->lab().inReport(*sweep);
                    askAndSaveReport(*session_, alone ? sweep->records : std::vector<RunRecord>{}, this);
                });
    makeCommand("open-recipe", tr("Open re&cipe …"), {}, {K(tr("Ctrl+Alt+P"))}, tr("Replace the pipeline with one from a file"),
                [this] { askAndOpenRecipe(*session_, this); });
    makeCommand("save-recipe", tr("Save rec&ipe …"), {}, {K(tr("Ctrl+Alt+R"))},
                tr("Save the pipeline to a file that the window and parallax-cli --recipe can read"),
                [this] { askAndSaveRecipe(*session_, this); });
}

void MainWindow::makeEditCommands() {
    makeCommand("undo", tr("&Undo"), "undo", {K::Undo}, tr("Undo the last change of the pipeline, or of the levels in the histogram"),
                [this] { session_->pipeline().undo(); });
    makeCommand("redo", tr("&Redo"), "redo", {K::Redo}, tr("Redo the last change that was undone"),
                [this] { session_->pipeline().redo(); });
    makeCommand("benchmark", tr("&Benchmark"), "benchmark", {K(tr("Ctrl+B"))}, tr("Measure the pipeline on every available backend"),
                [this] {
                    showTiming();
                    session_->benchmark().measure(timing_->effort());
                });
    makeCommand("cancel", tr("Stop computing"), "cancel", {K(Qt::Key_Escape)},
                tr("Stop the running work, or close the message or the contact sheet"), [this] {
                    if (view_.picking()) view_.setPicking(false);
                    else if (!session_->idle()) session_->cancel();
                    else if (messages_->isVisible()) messages_->closeNewest();
                    else closeSheet(session_->pipeline());
                });
    makeCheck("select", tr("Select by &dragging"), {}, {K(Qt::Key_S)},
              tr("Drag to select and Shift+drag to pan; otherwise drag to pan and Shift+drag to select. In a volume, drag a box."),
              [this](bool selecting) { view_.setSelecting(selecting); });
    makeCommand("select-all", tr("Select &all"), {}, {K::SelectAll}, tr("Select the whole image or volume"), [this] {
        if (showsVolume()) volume_.setBox(boxOf(session_->original()->shape()));
        else view_.setSelection(QRect(QPoint(0, 0), view_.imageSize().toSize()));
    });
    makeCommand("select-visible", tr("Select &visible area"), {}, {K(tr("Ctrl+Shift+A"))},
                tr("Select the pixels that are visible in the panes"), [this] { view_.setSelection(view_.visiblePixels()); });
    makeCommand("deselect", tr("Select &none"), {}, {K(tr("Ctrl+D"))}, tr("Remove the selection"), [this] {
        if (showsVolume()) volume_.setBox({});
        else view_.setSelection({});
    });
    makeCommand("settings", tr("S&ettings …"), {}, {K(tr("Ctrl+,"))}, tr("Change language, theme, backend, limits, folders and privacy"),
                [this] { openOnce(new SettingsDialog(session_->catalog(), *action("clear-recent"), this)); });
    action("cancel")->setIconText(tr("Cancel"));
}

void MainWindow::makeViewCommands() {
    const auto zoom = [this](double factor) { showsVolume() ? volume_.setScale(volume_.scale() * factor) : view_.zoomAt({0, 0}, factor); };
    makeCommand("fit", tr("&Fit to window"), "fit", {K(Qt::Key_F), K(tr("Ctrl+9"))}, tr("Show the whole image"),
                [this] { showsVolume() ? volume_.fit() : view_.fit(); });
    makeCommand("actual", tr("Actual &pixels"), "actual", {K(tr("Ctrl+0")), K(Qt::Key_1)}, tr("Show one image pixel per screen pixel"),
                [this] { showsVolume() ? volume_.setActualSize() : view_.setScale(1); });
    makeCommand("zoom-in", tr("Zoom &in"), "zoom-in", {K::ZoomIn, K(Qt::Key_Plus)}, tr("Enlarge the image"), [zoom] { zoom(1.5); });
    makeCommand("zoom-out", tr("&Zoom out"), "zoom-out", {K::ZoomOut, K(Qt::Key_Minus)}, tr("Reduce the image"), [zoom] { zoom(1 / 1.5); });
    makeCommand("exposure-up", tr("Bri&ghter"), {}, {K(Qt::Key_E)}, tr("Raise the exposure of the view by half a stop"),
                [this] { view_.setExposure(view_.display().exposure + 0.5); });
    makeCommand("exposure-down", tr("Dar&ker"), {}, {K(tr("Shift+E"))}, tr("Lower the exposure of the view by half a stop"),
                [this] { view_.setExposure(view_.display().exposure - 0.5); });
    makeCommand("auto-exposure", tr("Automatic exposure"), {}, {K(Qt::Key_A)},
                tr("Set the exposure so that 99 % of the pixels (of the selection, if any) are no brighter than white"),
                [this] { inspector_->viewPanel().chooseAutomatically(); });
    makeCheck("marks", tr("&Mark clipping"), {}, {K(Qt::Key_M)}, tr("Colour pixels that are brighter than white or darker than black"),
              [this](bool marked) {
                  DisplaySettings settings = view_.display();
                  settings.clippingMarks = marked;
                  view_.setDisplay(settings);
              });
    makeCheck("pixel-grid", tr("Pi&xel grid"), {}, {K(Qt::Key_G)}, tr("Show grid lines and pixel values at high zoom"),
              [this](bool shown) { view_.setPixelGrid(shown); });
    QAction* dither = makeCheck("dither", tr("&Dithering"), {}, {},
                                tr("Mix the two nearest of the 256 levels of the screen, which hides steps in smooth gradients"),
                                [](bool on) { Settings::instance().set(QStringLiteral("appearance/dither"), on); });
    const auto showDither = [dither] { dither->setChecked(Settings::instance().dithers()); };
    connect(&Settings::instance(), &Settings::changed, dither, showDither);
    showDither();
    QAction* headers = makeCheck("pane-headers", tr("Pane labels"), {}, {K(Qt::Key_L)},
                                 tr("Show backend, time and verdict above the images, and orientation and slice on volumes"),
                                 [this](bool shown) { compare_->setHeadersShown(shown); });
    headers->setChecked(true);
    makeCommand("reset-view", tr("&Reset display"), "reset", {K(Qt::Key_R)},
                tr("Restore the initial display settings: exposure or window, signed difference, automatic range"),
                [this] { view_.resetDisplay(); });
    makeCommand("full-screen", tr("F&ull screen"), {}, {K(Qt::Key_F11)}, tr("Use the whole screen"),
                [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    makeCheck("hide-panels", tr("Hide pane&ls"), {}, {K(tr("Ctrl+Alt+0"))}, tr("Hide or show all panels"),
              [this](bool hidden) { hidePanels(hidden); });
    makeCommand("reset-layout", tr("Reset &layout"), {}, {K(tr("Ctrl+Shift+L"))}, tr("Restore the initial arrangement of the panels"),
                [this] { resetLayout(); });
    makeCommand("layout-view", tr("Single &image"), {}, {K(tr("Ctrl+Alt+1"))}, tr("Show one image and the inspector"),
                [this] { applyPreset(QStringLiteral("view")); });
    makeCommand("layout-compare", tr("&Compare"), {}, {K(tr("Ctrl+Alt+2"))}, tr("Show all panes, the pipeline and the inspector"),
                [this] { applyPreset(QStringLiteral("compare")); });
    makeCommand("layout-measure", tr("&Measure"), {}, {K(tr("Ctrl+Alt+3"))}, tr("Show large charts, the pipeline, A and B"),
                [this] { applyPreset(QStringLiteral("measure")); });
    const auto showChecks = [this] {
        action("marks")->setChecked(view_.display().clippingMarks);
        action("pixel-grid")->setChecked(view_.pixelGrid());
        action("select")->setChecked(view_.selecting());
    };
    connect(&view_, &ViewState::displayChanged, this, showChecks);
    connect(&view_, &ViewState::viewChanged, this, showChecks);
    showChecks();
}

void MainWindow::makeHelpCommands() {
    makeCommand("palette", tr("&Command palette …"), {}, {K(tr("Ctrl+K")), K(tr("Ctrl+Shift+P"))},
                tr("Find and run any command by a few letters"), [this] { palette_->popUp(); });
    makeCommand("manual", tr("Man&ual"), "manual", {K::HelpContents}, tr("Open the manual at the section about the focused panel or step"),
                [this] { help_->showForFocus(); });
    makeCommand("whats-this", tr("&What's this?"), {}, {K::WhatsThis}, tr("Click a part of the window to read about it in the manual"),
                [this] { help_->pickWidget(); });
    makeCommand("shortcuts", tr("Keyboard &shortcuts"), {}, {K(Qt::Key_Question)}, tr("List all keyboard shortcuts"),
                [this] { openOnce(new ShortcutSheet(*menuBar(), this)); });
    makeCommand("messages", tr("&Messages"), "info", {K(tr("Ctrl+M"))}, tr("Show the errors and notes of this session"), [this] {
        logDialog_->show();
        logDialog_->raise();
    });
    makeCommand("about", tr("&About Parallax"), {}, {}, tr("Show version, build, libraries, devices and licences"),
                [this] { openOnce(new AboutDialog(session_->catalog(), this)); });
}

void MainWindow::makeThemeActions() {
    themes_ = new QActionGroup(this);
    const auto themeAction = [this](const char* name, const QString& text, ThemeChoice choice, const QString& tip) {
        QAction* a = makeCheck(name, text, {}, {}, tip, [choice] {
            Settings::instance().setTheme(choice);
            applyTheme(choice);
        });
        a->setChecked(currentThemeChoice() == choice);
        themes_->addAction(a);
    };
    themeAction("theme-system", tr("Follow &system"), ThemeChoice::system, tr("Use the light or dark theme of the desktop"));
    themeAction("theme-light", tr("&Light"), ThemeChoice::light, tr("Always use the light theme"));
    themeAction("theme-dark", tr("&Dark"), ThemeChoice::dark, tr("Always use the dark theme"));
    themeAction("theme-high-contrast", tr("&High contrast"), ThemeChoice::highContrast, tr("Use white text on black, with clear outlines"));
    connect(&ThemeNotifier::instance(), &ThemeNotifier::changed, this,
            [this] { themes_->actions().at(static_cast<int>(currentThemeChoice()))->setChecked(true); });
}

void MainWindow::fillMenu(QMenu& menu, const char* names) {
    menu.setToolTipsVisible(true);
    for (const QString& name : QString::fromLatin1(names).split(QLatin1Char(' '))) {
        if (name == QLatin1String("-")) menu.addSeparator();
        else menu.addAction(action(qPrintable(name)));
    }
}

void MainWindow::makeMenus() {
    const auto menu = [this](const QString& title, const char* names) {
        QMenu* m = menuBar()->addMenu(title);
        fillMenu(*m, names);
        return m;
    };
    QMenu* file =
        menu(tr("&File"),
             "open open-folder open-raw sample generate - open-session save-session save-session-as - reload auto-reload close-file - "
             "previous next previous-file next-file previous-part next-part - open-recipe save-recipe - open-kernel kernels - batch - "
             "save-result save-other-result export-difference export-all save-view save-window export-report - quit");
    file->insertMenu(action("sample"), recentMenu_);
    file->insertAction(action("sample"), action("restore-session"));
    file->insertMenu(action("open-kernel"), newKernelMenu(file));
    QMenu* edit =
        menu(tr("&Edit"), "undo redo - copy-view copy-pixel paste - select-all select-visible deselect select - cancel - settings");
    QMenu* steps = new QMenu(tr("Add &step"), edit);
    addOperations(*steps, session_->pipeline());
    edit->insertMenu(action("copy-view"), steps);
    edit->insertSeparator(action("copy-view"));
    addPanelActions(*menu(tr("&View"),
                          "fit actual zoom-in zoom-out - exposure-up exposure-down auto-exposure reset-view marks next-non-finite "
                          "replace-non-finite pixel-grid dither pane-headers filmstrip -"));
    menu(tr("&Compare"),
         "add-pane remove-pane next-pane previous-pane - use-reference same-steps swap - view-single view-side-by-side view-compare "
         "view-difference view-wipe view-all original - link-panes flicker wipe-left wipe-right - contact-sheet adopt-steps close-sheet");
    QMenu* volume =
        menu(tr("V&olume"), "planes-all planes-axial planes-coronal planes-sagittal rendering - crosshair invert ruler play-series");
    volume->insertMenu(action("crosshair"), windowMenu_);
    volume->insertSeparator(action("crosshair"));
    menu(tr("&Measure"), "benchmark export-report");
    menu(tr("&Help"), "manual whats-this - palette shortcuts messages - about");
}

void MainWindow::addPanelActions(QMenu& view) {
    view.addMenu(tr("&Theme"))->addActions(themes_->actions());
    view.addSeparator();
    const auto show = [&](QAction* toggle, const QString& panel, const QString& tip) {
        toggle->setObjectName(QStringLiteral("show-") + panel);
        toggle->setToolTip(tip);
        view.addAction(toggle);
    };
    for (QDockWidget* dock : {pipelineDock_, inspectorDock_, timingDock_, regionsDock_})
        show(dock->toggleViewAction(), dock->objectName(), tr("Show or hide the %1 panel").arg(dock->windowTitle()));
    auto* bar = findChild<QToolBar*>(QStringLiteral("toolBar"));
    show(bar->toggleViewAction(), bar->objectName(), tr("Show or hide the toolbar"));
    fillMenu(*view.addMenu(tr("Layouts")), "layout-view layout-compare layout-measure - reset-layout");
    fillMenu(view, "hide-panels full-screen");
}

void MainWindow::makeToolBar() {
    auto* bar = new MainToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolBar"));
    addToolBar(bar);
    for (const char* name : {"open", "sample"}) bar->addButton(action(name), true);
    for (const char* name : {"undo", "redo"}) bar->addButton(action(name), false);
    bar->addSeparator();
    for (const char* name : {"view-single", "view-side-by-side"}) bar->addButton(action(name), false);
    bar->addButton(action("view-compare"), true);
    for (const char* name : {"view-difference", "view-wipe", "original", "fit", "actual"}) bar->addButton(action(name), false);
    bar->addSeparator();
    bar->addButton(action("benchmark"), true);
    auto* exports = new QAction(actionIcon(QStringLiteral("export")), tr("Export"), bar);
    exports->setObjectName(QStringLiteral("export-menu"));
    exports->setToolTip(tr("Save images or the report"));
    auto* menu = new QMenu(bar);
    fillMenu(*menu, "save-result save-other-result export-difference export-all save-view save-window export-report");
    exports->setMenu(menu);
    bar->addButton(exports, true)->setPopupMode(QToolButton::InstantPopup);
    bar->addAtEnd(new DeviceBadge(*session_));
}

void MainWindow::updateActions() {
    const bool image = session_->original() != nullptr;
    for (const char* name : {"fit", "actual", "zoom-in", "zoom-out", "benchmark", "save-result", "save-other-result", "swap", "reload",
                             "close-file", "copy-view", "auto-exposure", "export-all", "save-view"})
        action(name)->setEnabled(image);
    const bool nonFinite = image && nonFiniteSamples(*session_->original()).any();
    for (const char* name : {"next-non-finite", "replace-non-finite", "non-finite-zero", "non-finite-clamp", "non-finite-fill"})
        action(name)->setEnabled(nonFinite);
    action("select-all")->setEnabled(image);
    // Of planes, the visible area is no box.
    action("select-visible")->setEnabled(image && !showsVolume());
    action("pixel-grid")->setEnabled(!showsVolume());
    for (const char* name :
         {"planes-all", "planes-axial", "planes-coronal", "planes-sagittal", "rendering", "crosshair", "invert", "ruler"})
        action(name)->setEnabled(showsVolume());
    if (windowMenu_) windowMenu_->setEnabled(image && holdsMeasurements(*session_->original()));
    action("export-difference")->setEnabled(session_->comparison().difference().has_value());
    action("export-report")->setEnabled((session_->record() || timing_->shownSweep()) && !session_->measuring());
    action("benchmark")->setEnabled(image && !session_->measuring());
    const auto name = [this](const char* of, const QString& text, const QString& tip) {
        QAction* save = action(of);
        save->setText(text);
        save->setStatusTip(tip);
        save->setToolTip(tr("%1 (%2)").arg(tip, shortcutsText(*save)));
    };
    const auto nameResult = [name](const char* of, Side side) {
        name(of, tr("Save result %1 …").arg(letterOf(side)),
             tr("Save the samples of result %1 in a chosen format and bit depth").arg(letterOf(side)));
    };
    nameResult("save-result", activeSide());
    nameResult("save-other-result", comparedSide());
    const Comparison& comparison = session_->comparison();
    const QString pair = QStringLiteral("%1 − %2").arg(letterOf(comparison.subject()), letterOf(comparison.reference()));
    name("export-difference", tr("Save &difference %1 …").arg(pair), tr("Save the difference %1 as an image with one channel").arg(pair));
    updateCompareActions();
    pipeline_->panes().setInputs(inputs_);
    updateFilmstrip();
    const PipelineModel& pipeline = session_->pipeline();
    action("undo")->setEnabled(pipeline.canUndo());
    action("redo")->setEnabled(pipeline.canRedo());
    action("undo")->setText(pipeline.canUndo() ? tr("&Undo: %1").arg(pipeline.undoText()) : tr("&Undo"));
    action("redo")->setText(pipeline.canRedo() ? tr("&Redo: %1").arg(pipeline.redoText()) : tr("&Redo"));
}

}  // namespace parallax::ui
