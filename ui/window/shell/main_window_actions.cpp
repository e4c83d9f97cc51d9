// SPDX-License-Identifier: GPL-3.0-or-later
// Every action of the window: name, shortcut, tooltip, effect. Menus and toolbar are made from them.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>

#include "ui/charts/timing_panel.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/export/export_dialogs.hpp"
#include "ui/help/context_help.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/inspector/view_panel.hpp"
#include "ui/models/pipeline/catalog_text.hpp"
#include "ui/pipeline/recipe_dialogs.hpp"
#include "ui/theme/theme.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/dialogs/about_dialog.hpp"
#include "ui/window/dialogs/command_palette.hpp"
#include "ui/window/dialogs/shortcut_sheet.hpp"
#include "ui/window/shell/action_list.hpp"
#include "ui/window/shell/main_window.hpp"
#include "ui/window/shell/message_bar.hpp"
#include "ui/window/shell/status_area.hpp"

namespace parallax::ui {
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

void MainWindow::makeActions() {
    makeCommands();
    connectFileCommands();
    connectViewCommands();
    makeLayoutActions();
    makeThemeActions();
}

void MainWindow::makeCommands() {
    using K = QKeySequence;
    makeAction("open", tr("&Open …"), "open", {K::Open}, tr("Open images"));
    makeAction("open-folder", tr("Open &folder …"), "open", {K(tr("Ctrl+Alt+F"))}, tr("Open the DICOM series or the images of a folder"));
    makeAction("open-raw", tr("Open raw sa&mples …"), "open", {K(tr("Ctrl+Alt+B"))},
               tr("Open a file without a header: enter its layout while a preview shows the middle slice"));
    makeAction("sample", tr("Open &sample"), "sample", {K(tr("Ctrl+Shift+O"))}, tr("Open the bundled sample image"));
    action("sample")->setIconText(tr("Sample"));
    makeAction("generate", tr("&Generate …"), "generate", {K::New}, tr("Generate a test image"));
    makeAction("next", tr("&Next image"), {}, {K(Qt::Key_PageDown)}, tr("Show the next open image"));
    makeAction("previous", tr("&Previous image"), {}, {K(Qt::Key_PageUp)}, tr("Show the previous open image"));
    makeAction("export-a", tr("Save result &A …"), {}, {K::Save}, tr("Save the samples of result A in a chosen format and bit depth"));
    makeAction("export-b", tr("Save result &B …"), {}, {K(tr("Ctrl+Shift+S"))},
               tr("Save the samples of result B in a chosen format and bit depth"));
    makeAction("export-difference", tr("Save &difference …"), {}, {K(tr("Ctrl+Alt+S"))},
               tr("Save the difference B − A as an image with one channel"));
    makeAction("export-all", tr("Save all images …"), {}, {K(tr("Ctrl+Alt+A"))},
               tr("Save the samples of A, B, their difference and the original, one file each"));
    makeAction("save-view", tr("Save &view …"), {}, {K(tr("Ctrl+Alt+V"))},
               tr("Save the panes as shown, with colours, labels and marks, as PNG"));
    makeAction("save-window", tr("Save &window picture …"), {}, {K(tr("Ctrl+Alt+W"))}, tr("Save the whole window as PNG"));
    makeAction("export-report", tr("Export &report …"), "report", {K(tr("Ctrl+R"))},
               tr("Export the measurement, or the sweep that is shown, as a document, a table or data"));
    makeAction("open-recipe", tr("Open re&cipe …"), {}, {K(tr("Ctrl+Alt+O"))}, tr("Replace the pipeline with one from a file"));
    makeAction("save-recipe", tr("Save rec&ipe …"), {}, {K(tr("Ctrl+Alt+R"))},
               tr("Save the pipeline to a file that the window and parallax-cli --recipe can read"));
    makeAction("quit", tr("&Quit"), {}, {K(tr("Ctrl+Q"))}, tr("Quit Parallax"));
    makeAction("undo", tr("&Undo"), "undo", {K::Undo}, tr("Undo the last change of the pipeline"));
    makeAction("redo", tr("&Redo"), "redo", {K::Redo}, tr("Redo the last change that was undone"));
    makeAction("benchmark", tr("&Benchmark"), "benchmark", {K(Qt::Key_F5)}, tr("Measure the pipeline on every available backend"));
    makeAction("cancel", tr("Stop computing"), "cancel", {K(Qt::Key_Escape)}, tr("Stop the running work, or close the message"));
    action("cancel")->setIconText(tr("Cancel"));
    makeAction("swap", tr("S&wap A and B"), {}, {K(Qt::Key_X)}, tr("Exchange the backends of A and B"));
    makeAction("fit", tr("&Fit to window"), "fit", {K(Qt::Key_F), K(tr("Ctrl+9"))}, tr("Show the whole image"));
    makeAction("actual", tr("Actual &pixels"), "actual", {K(tr("Ctrl+0")), K(Qt::Key_1)}, tr("Show one image pixel per screen pixel"));
    makeAction("zoom-in", tr("Zoom &in"), "zoom-in", {K::ZoomIn, K(Qt::Key_Plus)}, tr("Enlarge the image"));
    makeAction("zoom-out", tr("&Zoom out"), "zoom-out", {K::ZoomOut, K(Qt::Key_Minus)}, tr("Reduce the image"));
    makeAction("exposure-up", tr("Bri&ghter"), {}, {K(Qt::Key_E)}, tr("Raise the exposure of the view by half a stop"));
    makeAction("exposure-down", tr("Dar&ker"), {}, {K(tr("Shift+E"))}, tr("Lower the exposure of the view by half a stop"));
    makeAction("auto-exposure", tr("Automatic exposure"), {}, {K(Qt::Key_A)},
               tr("Set the exposure so that 99 % of the pixels (of the selection, if any) are no brighter than white"));
    makeAction("marks", tr("&Mark clipping"), {}, {K(Qt::Key_M)}, tr("Colour pixels that are brighter than white or darker than black"))
        ->setCheckable(true);
    makeAction("pixel-grid", tr("Pi&xel grid"), {}, {K(Qt::Key_G)}, tr("Show grid lines and pixel values at high zoom"))
        ->setCheckable(true);
    makeAction("select", tr("Select by &dragging"), {}, {K(Qt::Key_S)},
               tr("Drag to select and Shift+drag to pan; otherwise drag to pan and Shift+drag to select"))
        ->setCheckable(true);
    makeAction("select-all", tr("Select &all"), {}, {K::SelectAll}, tr("Select the whole image"));
    makeAction("select-visible", tr("Select &visible area"), {}, {K(tr("Ctrl+Shift+A"))},
               tr("Select the pixels that are visible in the panes"));
    makeAction("deselect", tr("Select &none"), {}, {K(tr("Ctrl+D"))}, tr("Remove the selection"));
    makeAction("reset-view", tr("&Reset display"), "reset", {K(Qt::Key_R)},
               tr("Restore the initial display settings: exposure or window, signed difference, automatic range"));
    makeAction("full-screen", tr("F&ull screen"), {}, {K(Qt::Key_F11)}, tr("Use the whole screen"));
    makeAction("hide-panels", tr("Hide pane&ls"), {}, {K(tr("Ctrl+Alt+0"))}, tr("Hide or show all panels"))->setCheckable(true);
    makeAction("reset-layout", tr("Reset &layout"), {}, {K(tr("Ctrl+Shift+L"))}, tr("Restore the initial arrangement of the panels"));
    makeAction("layout-view", tr("Single &image"), {}, {K(tr("Ctrl+Alt+1"))}, tr("Show one image and the inspector"));
    makeAction("layout-compare", tr("&Compare"), {}, {K(tr("Ctrl+Alt+2"))}, tr("Show all panes, the pipeline and the inspector"));
    makeAction("layout-measure", tr("&Measure"), {}, {K(tr("Ctrl+Alt+3"))}, tr("Show large charts, the pipeline, A and B"));
    makeAction("palette", tr("&Command palette …"), {}, {K(tr("Ctrl+K")), K(tr("Ctrl+Shift+P"))},
               tr("Find and run any command by a few letters"));
    makeAction("manual", tr("Man&ual"), "manual", {K::HelpContents}, tr("Open the manual at the section about the focused panel or step"));
    makeAction("whats-this", tr("&What's this?"), {}, {K::WhatsThis}, tr("Click a part of the window to read about it in the manual"));
    makeAction("shortcuts", tr("Keyboard &shortcuts"), {}, {K(Qt::Key_Question)}, tr("List all keyboard shortcuts"));
    makeAction("messages", tr("&Messages"), "info", {K(tr("Ctrl+M"))}, tr("Show the errors and notes of this session"));
    makeAction("about", tr("&About Parallax"), {}, {}, tr("Show version, build, libraries, devices and licences"));
}

void MainWindow::connectFileCommands() {
    const auto on = [this](const char* name, auto&& effect) { connect(action(name), &QAction::triggered, this, effect); };
    on("open", [this] { askOpen(); });
    on("open-folder", [this] { askOpenFolder(); });
    on("open-raw", [this] { askOpenRaw(); });
    on("sample", [this] { openInputs({defaultSample()}); });
    on("generate", [this] { askGenerate(); });
    on("next", [this] { step(1); });
    on("previous", [this] { step(-1); });
    on("export-a", [this] { saveData(PaneRole::a); });
    on("export-b", [this] { saveData(PaneRole::b); });
    on("export-difference", [this] { saveData(PaneRole::difference); });
    on("export-all", [this] { saveData(std::nullopt); });
    on("save-view",
       [this] { askAndSavePicture(*session_, stack_->currentWidget()->grab().toImage(), tr("Save the view"), tr("view"), this); });
    on("save-window", [this] { askAndSavePicture(*session_, grab().toImage(), tr("Save a picture of the window"), tr("window"), this); });
    on("export-report", [this] {
        const auto sweep = timing_->shownSweep();
        askAndSaveReport(*session_, sweep ? sweep->records : std::vector<RunRecord>{}, this);
    });
    on("open-recipe", [this] { askAndOpenRecipe(*session_, this); });
    on("save-recipe", [this] { askAndSaveRecipe(*session_, this); });
    on("quit", [this] { close(); });
    on("undo", [this] { session_->pipeline().undo(); });
    on("redo", [this] { session_->pipeline().redo(); });
    on("benchmark", [this] {
        timingDock_->show();
        session_->measure(timing_->effort());
    });
    on("cancel", [this] {
        if (view_.picking()) view_.setPicking(false);
        else if (!session_->idle()) session_->cancel();
        else messages_->hide();
    });
    on("swap", [this] {
        const QString a = QString::fromStdString(session_->side(Side::a).target.label());
        const QString b = QString::fromStdString(session_->side(Side::b).target.label());
        session_->setTarget(Side::a, b);
        session_->setTarget(Side::b, a);
    });
    on("palette", [this] { palette_->popUp(); });
    on("manual", [this] { help_->showForFocus(); });
    on("whats-this", [this] { help_->pickWidget(); });
    on("shortcuts", [this] { showShortcuts(); });
    on("messages", [this] {
        logDialog_->show();
        logDialog_->raise();
    });
    on("about", [this] { showAbout(); });
}

void MainWindow::connectViewCommands() {
    const auto on = [this](const char* name, auto&& effect) { connect(action(name), &QAction::triggered, this, effect); };
    on("fit", [this] { showsVolume() ? volume_.fit() : view_.fit(); });
    on("actual", [this] { showsVolume() ? volume_.setActualSize() : view_.setScale(1); });
    const auto zoom = [this](double factor) { showsVolume() ? volume_.setScale(volume_.scale() * factor) : view_.zoomAt({0, 0}, factor); };
    on("zoom-in", [zoom] { zoom(1.5); });
    on("zoom-out", [zoom] { zoom(1 / 1.5); });
    on("exposure-up", [this] { view_.setExposure(view_.display().exposure + 0.5); });
    on("exposure-down", [this] { view_.setExposure(view_.display().exposure - 0.5); });
    on("auto-exposure", [this] { inspector_->viewPanel().chooseAutomatically(); });
    on("marks", [this](bool marked) {
        DisplaySettings settings = view_.display();
        settings.clippingMarks = marked;
        view_.setDisplay(settings);
    });
    on("pixel-grid", [this](bool shown) { view_.setPixelGrid(shown); });
    on("select", [this](bool selecting) { view_.setSelecting(selecting); });
    const auto whole = [this] { return QRect(QPoint(0, 0), view_.imageSize().toSize()); };
    on("select-all", [this, whole] { view_.setSelection(whole()); });
    on("select-visible", [this] { view_.setSelection(view_.visiblePixels()); });
    on("deselect", [this] { view_.setSelection({}); });
    const auto showChecks = [this] {
        action("marks")->setChecked(view_.display().clippingMarks);
        action("pixel-grid")->setChecked(view_.pixelGrid());
        action("select")->setChecked(view_.selecting());
    };
    connect(&view_, &ViewState::displayChanged, this, showChecks);
    connect(&view_, &ViewState::viewChanged, this, showChecks);
    showChecks();
    on("reset-view", [this] { view_.resetDisplay(); });
    on("full-screen", [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    on("hide-panels", [this](bool hidden) { hidePanels(hidden); });
    on("reset-layout", [this] { resetLayout(); });
    on("layout-view", [this] { applyPreset(QStringLiteral("view")); });
    on("layout-compare", [this] { applyPreset(QStringLiteral("compare")); });
    on("layout-measure", [this] { applyPreset(QStringLiteral("measure")); });
}

void MainWindow::makeLayoutActions() {
    using K = QKeySequence;
    layouts_ = new QActionGroup(this);
    const auto layoutAction = [this](const char* name, const QString& text, const QString& icon, const QList<QKeySequence>& keys,
                                     const QString& tip, Layout layout) {
        QAction* a = makeAction(name, text, icon, keys, tip);
        a->setCheckable(true);
        layouts_->addAction(a);
        connect(a, &QAction::triggered, this, [this, layout] {
            compare_->setFlipped(false);  // "A alone" shows A
            action("flicker")->setChecked(false);
            compare_->setLayoutKind(layout);
        });
        return a;
    };
    layoutAction("view-single", tr("A &alone"), "single", {K(tr("Ctrl+1"))}, tr("Show only result A"), Layout::single);
    layoutAction("view-side-by-side", tr("A and &B"), "compare", {K(tr("Ctrl+2"))}, tr("Show A and B side by side"), Layout::sideBySide);
    layoutAction("view-compare", tr("&Compare"), "grid", {K(tr("Ctrl+3")), K(Qt::Key_C)}, tr("Show A, B and their difference"),
                 Layout::compare)
        ->setChecked(true);
    layoutAction("view-difference", tr("&Difference"), "difference", {K(tr("Ctrl+4")), K(Qt::Key_D)}, tr("Show only the difference"),
                 Layout::difference);
    layoutAction("view-wipe", tr("&Wipe"), "wipe", {K(tr("Ctrl+5")), K(Qt::Key_W)},
                 tr("Show A and B in one pane, separated by a movable line"), Layout::wipe);
    makeAction("wipe-left", tr("Move wip&e line left"), {}, {K(Qt::Key_Comma)}, tr("Move the wipe line left to show more of B"));
    makeAction("wipe-right", tr("Move wipe line rig&ht"), {}, {K(Qt::Key_Period)}, tr("Move the wipe line right to show more of A"));
    connect(action("wipe-left"), &QAction::triggered, this, [this] { compare_->moveWipe(-0.02); });
    connect(action("wipe-right"), &QAction::triggered, this, [this] { compare_->moveWipe(0.02); });
    QAction* flicker =
        makeAction("flicker", tr("Flicker A a&nd B"), {}, {K(Qt::Key_B)}, tr("Show B in place of A; press again to return to A"));
    flicker->setCheckable(true);
    connect(flicker, &QAction::triggered, this, [this, flicker](bool flipped) {
        if (compare_->layoutKind() != Layout::single) setViewName(QStringLiteral("single"));
        compare_->setFlipped(flipped);
        flicker->setChecked(flipped);
    });
    QAction* original = makeAction("original", tr("&Original"), "original", {K(Qt::Key_O)}, tr("Show the original beside the results"));
    original->setCheckable(true);
    original->setChecked(true);
    connect(original, &QAction::toggled, this, [this](bool shown) { compare_->setOriginalShown(shown); });
}

void MainWindow::makeThemeActions() {
    themes_ = new QActionGroup(this);
    const auto themeAction = [this](const char* name, const QString& text, ThemeChoice choice, const QString& tip) {
        QAction* a = makeAction(name, text, {}, {}, tip);
        a->setCheckable(true);
        a->setChecked(currentThemeChoice() == choice);
        themes_->addAction(a);
        connect(a, &QAction::triggered, this, [choice] {
            QSettings().setValue(QStringLiteral("window/theme"), static_cast<int>(choice));
            applyTheme(choice);
        });
    };
    themeAction("theme-system", tr("Follow &system"), ThemeChoice::system, tr("Use the light or dark theme of the desktop"));
    themeAction("theme-light", tr("&Light"), ThemeChoice::light, tr("Always use the light theme"));
    themeAction("theme-dark", tr("&Dark"), ThemeChoice::dark, tr("Always use the dark theme"));
}

void MainWindow::makeMenus() {
    const auto menu = [this](const QString& title, std::initializer_list<const char*> names) {
        QMenu* m = menuBar()->addMenu(title);
        m->setToolTipsVisible(true);
        for (const char* name : names) {
            if (*name == '-') m->addSeparator();
            else m->addAction(action(name));
        }
        return m;
    };
    QMenu* file = menu(tr("&File"), {"open",        "open-folder", "open-raw",    "sample",        "generate", "-",
                                     "reload",      "auto-reload", "-",           "previous",      "next",     "-",
                                     "open-recipe", "save-recipe", "-",           "export-a",      "export-b", "export-difference",
                                     "export-all",  "save-view",   "save-window", "export-report", "-",        "quit"});
    file->insertMenu(action("sample"), recentMenu_);
    file->insertAction(action("sample"), action("restore-session"));
    QMenu* edit = menu(tr("&Edit"), {"undo", "redo", "-", "copy-view", "copy-pixel", "paste", "-", "select-all", "select-visible",
                                     "deselect", "select", "-", "swap", "-", "cancel"});
    QMenu* steps = new QMenu(tr("Add &step"), edit);
    steps->setToolTipsVisible(true);
    for (const auto& operation : session_->catalog().operations()) {
        QAction* add = steps->addAction(catalogText(operation->title()));
        add->setObjectName(QStringLiteral("add-") + QString::fromStdString(operation->id()));
        add->setToolTip(catalogText(operation->help()));
        connect(add, &QAction::triggered, this, [this, op = operation.get()] { session_->pipeline().addStep(*op); });
    }
    edit->insertMenu(action("copy-view"), steps);
    edit->insertSeparator(action("copy-view"));
    QMenu* view = menu(tr("&View"), {"view-single",
                                     "view-side-by-side",
                                     "view-compare",
                                     "view-difference",
                                     "view-wipe",
                                     "wipe-left",
                                     "wipe-right",
                                     "flicker",
                                     "original",
                                     "-",
                                     "fit",
                                     "actual",
                                     "zoom-in",
                                     "zoom-out",
                                     "-",
                                     "exposure-up",
                                     "exposure-down",
                                     "auto-exposure",
                                     "reset-view",
                                     "marks",
                                     "pixel-grid",
                                     "-"});
    QMenu* themes = view->addMenu(tr("&Theme"));
    themes->addActions(themes_->actions());
    view->addSeparator();
    for (QDockWidget* dock : {pipelineDock_, inspectorDock_, timingDock_, regionsDock_}) {
        dock->toggleViewAction()->setObjectName(QStringLiteral("show-") + dock->objectName());
        dock->toggleViewAction()->setToolTip(tr("Show or hide the %1 panel").arg(dock->windowTitle()));
        view->addAction(dock->toggleViewAction());
    }
    auto* bar = findChild<QToolBar*>(QStringLiteral("toolBar"));
    bar->toggleViewAction()->setObjectName(QStringLiteral("show-toolBar"));
    bar->toggleViewAction()->setToolTip(tr("Show or hide the toolbar"));
    view->addAction(bar->toggleViewAction());
    QMenu* layouts = view->addMenu(tr("Layouts"));
    layouts->setToolTipsVisible(true);
    for (const char* name : {"layout-view", "layout-compare", "layout-measure"}) layouts->addAction(action(name));
    layouts->addSeparator();
    layouts->addAction(action("reset-layout"));
    view->addAction(action("hide-panels"));
    view->addAction(action("full-screen"));
    menuBar()->addMenu(makeVolumeMenu());
    menu(tr("&Measure"), {"benchmark", "export-report"});
    menu(tr("&Help"), {"manual", "whats-this", "-", "palette", "shortcuts", "messages", "-", "about"});
}

void MainWindow::makeToolBar() {
    QToolBar* bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setIconSize(QSize(18, 18));
    const auto add = [&](const char* name, bool text) {
        bar->addAction(action(name));
        if (auto* button = qobject_cast<QToolButton*>(bar->widgetForAction(action(name))))
            button->setToolButtonStyle(text ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    };
    add("open", true);
    add("sample", true);
    add("undo", false);
    add("redo", false);
    bar->addSeparator();
    for (const char* name : {"view-single", "view-side-by-side"}) add(name, false);
    add("view-compare", true);
    for (const char* name : {"view-difference", "view-wipe", "original", "fit", "actual"}) add(name, false);
    bar->addSeparator();
    add("benchmark", true);
    auto* exports = new QToolButton;
    exports->setText(tr("Export ▾"));
    exports->setIcon(actionIcon(QStringLiteral("export")));
    exports->setToolTip(tr("Save images or the report"));
    exports->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    exports->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(exports);
    menu->setToolTipsVisible(true);
    for (const char* name : {"export-a", "export-b", "export-difference", "export-all", "save-view", "save-window", "export-report"})
        menu->addAction(action(name));
    exports->setMenu(menu);
    bar->addWidget(exports);
    auto* stretch = new QWidget;
    stretch->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(stretch);
    bar->addWidget(new DeviceBadge(*session_));
}

void MainWindow::updateActions() {
    const bool image = session_->original() != nullptr;
    for (const char* name : {"fit", "actual", "zoom-in", "zoom-out", "benchmark", "export-a", "export-b", "swap", "reload", "copy-view",
                             "auto-exposure", "export-all", "save-view"})
        action(name)->setEnabled(image);
    // Rectangles can be selected in images only.
    for (const char* name : {"select-all", "select-visible"}) action(name)->setEnabled(image && !showsVolume());
    for (const char* name : {"deselect", "select", "pixel-grid"}) action(name)->setEnabled(!showsVolume());
    for (const char* name : {"planes-all", "planes-axial", "planes-coronal", "planes-sagittal", "crosshair", "invert"})
        action(name)->setEnabled(showsVolume());
    if (windowMenu_) windowMenu_->setEnabled(image && holdsMeasurements(*session_->original()));
    action("export-difference")->setEnabled(session_->difference().has_value());
    action("export-report")->setEnabled((session_->record() || timing_->shownSweep()) && !session_->measuring());
    action("benchmark")->setEnabled(image && !session_->measuring());
    action("next")->setEnabled(currentInput_ + 1 < inputs_.size());
    action("previous")->setEnabled(currentInput_ > 0);
    const PipelineModel& pipeline = session_->pipeline();
    action("undo")->setEnabled(pipeline.canUndo());
    action("redo")->setEnabled(pipeline.canRedo());
    action("undo")->setText(pipeline.canUndo() ? tr("&Undo: %1").arg(pipeline.undoText()) : tr("&Undo"));
    action("redo")->setText(pipeline.canRedo() ? tr("&Redo: %1").arg(pipeline.redoText()) : tr("&Redo"));
}

void MainWindow::showShortcuts() {
    auto* sheet = new ShortcutSheet(*menuBar(), this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void MainWindow::showAbout() {
    auto* about = new AboutDialog(session_->catalog(), this);
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->open();
}

}  // namespace parallax::ui
