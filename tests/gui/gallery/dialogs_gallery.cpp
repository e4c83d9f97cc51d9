// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of menus, questions, file dialogs, messages, running work, empty charts, the whole inspector, and every view in a small window,
// to be looked at; with names of parts (charts, menus, views, ...) those alone.   gui_dialogs_gallery FOLDER light|dark|high-contrast
// [PART]...
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QToolTip>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "core/kernels/kernel_text.hpp"
#include "tests/gui/gallery/gallery_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/canvas/pane_header.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/save_data_dialog.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/session/lab.hpp"
#include "ui/theme/collapsible_section.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"
#include "ui/window/kernels/kernel_window.hpp"
#include "ui/window/shell/large_file_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void save(MainWindow& window, const QString& name) {
    if (!waitForIdle(window)) ++failures;
    QTest::qWait(150);
    savePicture(window, name);
}

/// Waits for a dialog of a type, saves a picture of it and returns it.
template <class Dialog>
Dialog* savedDialog(const QString& name) {
    Dialog* found = nullptr;
    const auto shown = [&] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<Dialog*>(widget); dialog && dialog->isVisible()) found = dialog;
        return found != nullptr;
    };
    if (!QTest::qWaitFor(shown, kPatience)) {
        ++failures;
        return nullptr;
    }
    QTest::qWait(200);
    savePicture(*found, "dialog-" + name);
    return found;
}

void finish(QDialog* dialog, int result) {
    if (dialog) dialog->done(result);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

QAction& action(MainWindow& window, const char* name) { return *window.findChild<QAction*>(QLatin1String(name)); }

void saveMenus(MainWindow& window) {
    int number = 0;
    for (const QAction* entry : window.menuBar()->actions()) {
        entry->menu()->popup({});
        savePicture(*entry->menu(), QStringLiteral("menu-%1").arg(++number));
        entry->menu()->hide();
    }
}

void saveQuestions(MainWindow& window) {
    for (const auto& [saving, measuring] : {std::pair{true, false}, std::pair{false, true}, std::pair{true, true}}) {
        QuitDialog dialog(saving, measuring, measuring, &window);
        dialog.show();
        savePicture(dialog, QStringLiteral("dialog-quit-%1%2").arg(saving).arg(measuring));
    }
    LargeFileDialog large(QStringLiteral("scan.nii.gz"), std::uint64_t{3} << 30, &window);
    large.show();
    savePicture(large, "dialog-large-file");
    large.hide();
    // A preset is saved, saved again, renamed and deleted.
    PipelinePanel& panel = window.pipelinePanel();
    const auto ask = [&](const char* name) { panel.findChild<QAction*>(QLatin1String(name))->trigger(); };
    ask("preset-save");
    if (auto* dialog = savedDialog<QInputDialog>("preset-save")) {
        dialog->setTextValue(QStringLiteral("Soft edges"));
        finish(dialog, QDialog::Accepted);
    }
    ask("preset-save");
    if (auto* dialog = savedDialog<QInputDialog>("preset-save-again")) finish(dialog, QDialog::Accepted);
    finish(savedDialog<QMessageBox>("preset-replace"), QDialog::Rejected);
    ask("preset-rename");
    finish(savedDialog<QInputDialog>("preset-rename"), QDialog::Rejected);
    ask("preset-remove");
    if (auto* dialog = savedDialog<QMessageBox>("preset-remove"))
        for (QAbstractButton* button : dialog->buttons())
            if (dialog->buttonRole(button) == QMessageBox::DestructiveRole) button->click();
    // A session with changes is left for another one.
    QTemporaryDir folder;
    KeptSession kept;
    kept.inputs << defaultSample();
    const QString session = folder.filePath("blur.parallax");
    if (!writeFile(session, toJson(kept))) ++failures;
    if (!openAndWait(window, session)) ++failures;
    setSteps(window, {"convolve:size=9"});
    if (!QTest::qWaitFor([&] { return window.isWindowModified(); }, kPatience)) ++failures;
    window.openInputs({session});
    finish(savedDialog<QMessageBox>("session-changed"), QDialog::Rejected);
    for (const char* name : {"open", "open-recipe", "export-report", "save-view"}) {
        if (!action(window, name).isEnabled()) continue;
        action(window, name).trigger();
        finish(savedDialog<QFileDialog>(QLatin1String(name)), QDialog::Rejected);
    }
}

void saveMessages(MainWindow& window) {
    using Kind = Message::Kind;
    window.messageBar().showMessage({Kind::information, "atrium-openmp.exr", {}, {}, "save", "/tmp/atrium-openmp.exr"});
    window.openInputs({"/nonexistent/photo.exr"});
    save(window, "messages");
    while (window.messageBar().isVisible()) window.messageBar().closeNewest();
    setSteps(window, {"convolve:size=99"});
    if (!openAndWait(window, "synthetic:noise:1200x800,channels=3")) ++failures;
    window.session().setTarget(Side::b, QString::fromLatin1(kReferenceBackend));
    setSteps(window, {"convolve:size=9,sigma=3"});
    QTest::qWait(400);
    savePicture(window, "computing");
    window.session().cancel();
    save(window, "cancelled");
    while (window.messageBar().isVisible()) window.messageBar().closeNewest();
}

/// Everything that the inspector can show, at its full height.
void saveInspector(MainWindow& window, const QString& name) {
    InspectorPanel& inspector = window.inspectorPanel();
    for (CollapsibleSection* section : inspector.findChildren<CollapsibleSection*>()) section->setOpen(true);
    if (!waitForIdle(window)) ++failures;
    QTest::qWait(200);
    savePicture(*inspector.findChild<QScrollArea*>()->widget(), "inspector-" + name);
}

void saveInspectors(MainWindow& window) {
    window.applyPreset(QStringLiteral("compare"));
    window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->raise();
    setSteps(window, {"convolve:kernel=gaussian,size=15,sigma=2"});
    if (!openAndWait(window, defaultSample())) ++failures;
    window.view().setSelection(QRect(180, 120, 160, 110));
    saveInspector(window, "image");
    save(window, "inspector-in-window");
    // Another input, whose differences are large.
    QTemporaryDir folder;
    const QString other = folder.filePath("noise.exr");
    (void)saveImage(makeSynthetic(parseSynthetic("synthetic:noise:768x512,channels=3")), other.toStdString());
    setInput(window.session().pipeline(), Side::b, other);
    saveInspector(window, "inputs");
    window.findChild<QDockWidget*>(QStringLiteral("pipelineDock"))->raise();
    save(window, "inputs");
    setInput(window.session().pipeline(), Side::b, {});
    window.view().setSelection({});
    window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->raise();
    setSteps(window, {"wavelet-denoise:levels=3"});
    saveInspector(window, "denoise");
    setSteps(window, {"convolve:size=5"});
    if (!openAndWait(window, "synthetic:shepp-logan:64x72x48")) ++failures;
    saveInspector(window, "volume");
    if (!openAndWait(window, defaultSample())) ++failures;
}

/// Steps of B on encoded values, and solvers, whose parameters depend on each other.
void saveColoursAndSolvers(MainWindow& window) {
    window.findChild<QDockWidget*>(QStringLiteral("pipelineDock"))->raise();
    setSteps(window, {"convolve:size=9"});
    setEncoded(window.session().pipeline(), Side::b, true);
    save(window, "colours-encoded");
    setEncoded(window.session().pipeline(), Side::b, false);
    for (const char* step : {"diffuse", "diffuse:weights=perona-malik", "poisson", "fill:missing=fireflies"}) {
        setSteps(window, {step});
        save(window, QStringLiteral("solver-") + QString::fromLatin1(step).section(QLatin1Char('='), -1));
    }
}

/// The dialog that saves slices of unequal distances.
void saveUnevenSlices(MainWindow& window) {
    QTemporaryDir folder;
    const QString path = folder.filePath("uneven.raw");
    Image volume = makeSynthetic(parseSynthetic("synthetic:shepp-logan:64x72x4"));
    volume.geometry.emplace().slicePositions = {0, 1, 3, 4};
    (void)saveImage(volume, path.toStdString());
    setSteps(window, {"convolve:size=3"});
    if (!openAndWait(window, path)) ++failures;
    action(window, "save-result").trigger();
    if (auto* dialog = savedDialog<SaveDataDialog>("save-uneven")) {
        auto* formats = dialog->findChild<QComboBox*>("format");
        formats->setCurrentIndex(formats->findData("nii"));
        savePicture(*dialog, "dialog-save-uneven");
        finish(dialog, QDialog::Rejected);
    }
    if (!openAndWait(window, defaultSample())) ++failures;
}

/// The dialog that saves a CT series as DICOM: a new folder, one that is replaced, a slice as a picture, and all images.
void saveDicom(MainWindow& window) {
    QTemporaryDir folder;
    const QString series = folder.filePath("ct");
    if (!QDir().mkpath(series)) ++failures;
    for (int z = 0; z < 6; ++z) {
        test::MadeDicom d;
        d.width = d.height = 64;
        d.instance = z + 1;
        d.position = {0, 0, 2.5 * z};
        d.sample = [](int x, int y) { return static_cast<std::uint32_t>((x - 30) * (x - 30) + (y - 34) * (y - 34) < 500 ? 1100 : 24); };
        d.write((series + QStringLiteral("/%1").arg(z)).toStdString());
    }
    setExportFolder(folder.path());
    setSteps(window, {"convolve:kernel=gaussian,size=3"});
    if (!openAndWait(window, series)) ++failures;
    if (!QDir().mkpath(folder.filePath("volume-openmp")) || !writeFile(folder.filePath("volume-openmp/image_0001.dcm"), "x")) ++failures;
    action(window, "save-result").trigger();
    if (auto* dialog = savedDialog<SaveDataDialog>("save-volume")) {
        auto* formats = dialog->findChild<QComboBox*>("format");
        formats->setCurrentIndex(formats->findData("/"));
        QTest::qWait(50);
        savePicture(*dialog, "dialog-save-dicom-replace");
        dialog->findChild<QLineEdit*>("path")->setText(folder.filePath("smooth"));
        dialog->findChild<QCheckBox*>("keepPatient")->setChecked(true);
        QTest::qWait(50);
        savePicture(*dialog, "dialog-save-dicom");
        auto* images = dialog->findChild<QComboBox*>("image");
        images->setCurrentIndex(images->count() - 1);
        QTest::qWait(50);
        savePicture(*dialog, "dialog-save-dicom-all");
        finish(dialog, QDialog::Rejected);
    }
    setExportFolder(QDir::homePath());
    if (!openAndWait(window, defaultSample())) ++failures;
}

/// Every page of the settings.
void saveSettings(MainWindow& window) {
    action(window, "settings").trigger();
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("settingsDialog"));
    auto* pages = dialog ? dialog->findChild<QTabWidget*>() : nullptr;
    if (!pages) {
        ++failures;
        return;
    }
    for (int page = 0; page < pages->count(); ++page) {
        pages->setCurrentIndex(page);
        QTest::qWait(50);
        savePicture(*dialog, QStringLiteral("dialog-settings-%1").arg(page + 1));
    }
    dialog->close();
}

/// The tip of a pane, which names what ran and its memory.
void saveTip(MainWindow& window) {
    setSteps(window, {"convolve:kernel=gaussian,size=15,sigma=2", "tonemap"});
    if (!waitForIdle(window)) ++failures;
    PaneHeader* header = nullptr;
    for (auto* each : window.findChildren<PaneHeader*>())
        if (each->isVisible() && !header) header = each;
    if (!header) {
        ++failures;
        return;
    }
    QHelpEvent ask(QEvent::ToolTip, header->rect().center(), header->mapToGlobal(header->rect().center()));
    QApplication::sendEvent(header, &ask);
    QTest::qWait(50);
    for (QWidget* tip : QApplication::topLevelWidgets())
        if (tip->inherits("QTipLabel") && tip->isVisible()) savePicture(*tip, "tip-pane");
    QToolTip::hideText();
}

/// Versions of a kernel: a slow one, a wrong one and a fast one.
void saveKernels(MainWindow& window) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("blur.cpp"));
    action(window, "kernels").trigger();
    auto* kernels = window.findChild<KernelWindow*>();
    const auto* versions = kernels ? kernels->findChild<QTableWidget*>(QStringLiteral("kernelVersions")) : nullptr;
    if (!versions) {
        ++failures;
        return;
    }
    int version = 0;
    for (const char* sample : {"naive", "off_by_one", "blocked"}) {
        if (!writeFile(path, QByteArray::fromStdString(user::newKernel(processCatalog().operation("convolve"), sample)))) ++failures;
        if (++version == 1) kernels->open(path);
        if (!QTest::qWaitFor([&] { return versions->rowCount() == version && window.settled(); }, kPatience)) ++failures;
        QTest::qWait(200);
        savePicture(*kernels, QStringLiteral("kernels-%1").arg(version));
    }
    kernels->close();
}

/// Dithering: a smooth gradient without and with it.
void saveDithering(MainWindow& window) {
    setSteps(window, {"convolve:size=3"});
    if (!openAndWait(window, "synthetic:gradient:768x512")) ++failures;
    for (const bool on : {false, true}) {
        if (action(window, "dither").isChecked() != on) action(window, "dither").trigger();
        save(window, QStringLiteral("dither-%1").arg(on ? "on" : "off"));
    }
    action(window, "dither").trigger();
    if (!openAndWait(window, defaultSample())) ++failures;
}

void savePalette(MainWindow& window) {
    for (const char* text : {"gau", "zzzz"}) {
        window.activateWindow();
        if (!waitForActive(window)) ++failures;
        action(window, "palette").trigger();
        QTest::keyClicks(QApplication::focusWidget(), QLatin1String(text));
        QTest::qWait(100);
        savePicture(window, QStringLiteral("palette-") + QLatin1String(text));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    }
}

/// Pages of the charts without data, and a comparison of two runs.
void saveCharts(MainWindow& window, bool empty) {
    window.showTiming();
    TimingPanel& timing = window.timingPanel();
    if (empty) {
        for (int page = TimingPanel::stagesPage; page <= TimingPanel::historyPage; ++page) {
            timing.showPage(static_cast<TimingPanel::Page>(page));
            save(window, QStringLiteral("charts-empty-%1").arg(page));
        }
        timing.showPage(TimingPanel::stagesPage);
        window.findChild<QDockWidget*>(QStringLiteral("timingDock"))->hide();
        return;
    }
    for (int run = 0; run < 2; ++run) {
        window.session().benchmark().measure(QStringLiteral("quick"));
        QTest::qWait(300);
        if (run == 0) savePicture(window, "measuring");
        if (!QTest::qWaitFor([&] { return window.settled(); }, 4 * kPatience)) ++failures;
    }
    for (int page = TimingPanel::stagesPage; page <= TimingPanel::historyPage; ++page) {
        timing.showPage(static_cast<TimingPanel::Page>(page));
        save(window, QStringLiteral("charts-%1").arg(page));
    }
    timing.showPage(TimingPanel::stagesPage);
    const QSize size = window.size();
    window.resize(2000, 800);  // every column of the results
    save(window, "charts-wide");
    window.resize(size);
    timing.showPage(TimingPanel::historyPage);
    if (const auto& past = window.session().lab().history(); past.size() > 1) window.session().lab().compareWith(past[1].id);
    save(window, "charts-compared");
    window.findChild<QTabWidget*>(QStringLiteral("historyTabs"))->setCurrentIndex(1);
    auto& baselines = *window.findChild<QListWidget*>(QStringLiteral("baselines"));
    for (const char* name : {"release 1.0", "before the change"}) window.session().lab().saveBaseline(QLatin1String(name), {});
    if (!QTest::qWaitFor([&] { return baselines.count() == 2; }, kPatience)) ++failures;
    for (int i = 0; i < baselines.count(); ++i) baselines.item(i)->setCheckState(Qt::Checked);
    if (!QTest::qWaitFor([&] { return window.settled(); }, kPatience)) ++failures;
    save(window, "charts-baselines");
    window.findChild<QTabWidget*>(QStringLiteral("historyTabs"))->setCurrentIndex(2);
    save(window, "charts-baselines-numbers");
    for (const char* name : {"release 1.0", "before the change"}) window.session().lab().removeBaseline(QLatin1String(name));
    timing.showPage(TimingPanel::rooflinePage);
    window.findChild<QComboBox*>(QStringLiteral("rooflineQuantity"))->setCurrentIndex(2);
    save(window, "charts-roofline-samples");
    timing.showPage(TimingPanel::stagesPage);
    window.findChild<QDockWidget*>(QStringLiteral("timingDock"))->hide();
}

void saveViews(MainWindow& window) {
    window.applyPreset(QStringLiteral("compare"));
    const QString size = QStringLiteral("%1x%2").arg(window.width()).arg(window.height());
    for (const QString& input : {defaultSample(), QStringLiteral("synthetic:shepp-logan:96x112x80")}) {
        if (!openAndWait(window, input)) ++failures;
        for (const QString& view : MainWindow::viewNames()) {
            window.setViewName(view);
            save(window, QStringLiteral("view-%1-%2-%3").arg(size, window.showsVolume() ? "volume" : "image", view));
        }
    }
    if (!openAndWait(window, defaultSample())) ++failures;
    window.setViewName(QStringLiteral("compare"));
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    auto window = shownWindow(gallerySize({1000, 650}));
    applyTheme(galleryTheme);
    window->resetLayout();
    window->setViewName(QStringLiteral("compare"));
    const QStringList parts = QApplication::arguments().mid(3);
    const auto wants = [&](const char* part) { return parts.isEmpty() || parts.contains(QLatin1String(part)); };
    save(*window, "empty");
    if (wants("charts")) saveCharts(*window, true);
    if (!openAndWait(*window, defaultSample())) return 1;
    if (wants("menus")) saveMenus(*window);
    if (wants("views")) saveViews(*window);
    if (wants("inspectors")) saveInspectors(*window);
    if (wants("charts")) saveCharts(*window, false);
    if (wants("questions")) saveQuestions(*window);
    if (wants("solvers")) saveColoursAndSolvers(*window);
    if (wants("saving")) saveUnevenSlices(*window);
    if (wants("saving")) saveDicom(*window);
    if (wants("settings")) saveSettings(*window);
    if (wants("tips")) saveTip(*window);
    if (wants("kernels")) saveKernels(*window);
    if (wants("dithering")) saveDithering(*window);
    if (wants("palette")) savePalette(*window);
    if (wants("messages")) saveMessages(*window);
    if (!parts.isEmpty()) return failures == 0 ? 0 : 4;
    // A screen of 1600 x 1000 pixels at 2x.
    window->resize(800, 500);
    window->resetLayout();
    saveViews(*window);
    window->showTiming();
    save(*window, "charts-800");
    return failures == 0 ? 0 : 4;
}
