// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures of every view and dialog, the empty window and an error, for review. gallery.sh runs it for every theme and scale.
// gui_gallery FOLDER light|dark [device]   device: only the charts of runs on a GPU, if there is one.
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <functional>

#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/help/manual.hpp"
#include "ui/help/manual_window.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/session/lab.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/dialogs/raw_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// Runs `action`, saves a picture of the dialog or popup that it opens, and closes it. A timer takes the picture, since modal dialogs
/// run their own event loop.
void saveDialogAfter(MainWindow& window, const QString& name, const std::function<void()>& action) {
    int tries = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, [&] {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (widget == &window || !widget->isVisible() || widget->inherits("QTipLabel") || qobject_cast<QMenu*>(widget)) continue;
            savePicture(*widget, "dialog-" + name);
            widget->close();
        }
        ++tries;
    });
    timer.start(250);
    action();
    while (tries < 2) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    waitForIdle(window);
}

/// A head phantom in all views of volumes: from a file with orientation, and generated without.
void saveVolumes(MainWindow& window) {
    window.resetLayout();
    window.findChild<QDockWidget*>(QStringLiteral("timingDock"))->hide();
    window.findChild<QAction*>(QStringLiteral("original"))->setChecked(false);
    setSteps(window, {"convolve:kernel=gaussian,size=5"});
    Image phantom = makeSynthetic(parseSynthetic("synthetic:shepp-logan:192x224x160"));
    std::erase_if(phantom.metadata, [](const MetadataEntry& e) { return e.name == kOrientationEntry; });
    QTemporaryDir files;
    const QString placed = files.filePath("head-phantom.nii.gz");
    (void)saveImage(phantom, placed.toStdString());
    if (!openAndWait(window, placed)) {
        ++failures;
        return;
    }
    VolumeState& volume = window.volume();
    volume.setCrosshair({70, 96, 68});
    const DisplaySettings soft = withWindow(window.view().display(), 0.2, 0.5);
    window.view().setDisplay(soft);
    for (const QString& view : MainWindow::viewNames()) {
        window.setViewName(view);
        waitForIdle(window);
        savePicture(window, "volume-" + view);
    }
    // A small window without panels, and a single pane.
    window.setViewName(QStringLiteral("compare"));
    window.resize(800, 600);
    window.findChild<QAction*>(QStringLiteral("hide-panels"))->trigger();
    QTest::qWait(200);
    waitForIdle(window);
    savePicture(window, "volume-small");
    QTest::mouseDClick(&window.volumeView().pane(PaneRole::a, PlaneKind::axial), Qt::LeftButton);
    waitForIdle(window);
    savePicture(window, "volume-alone");
    window.setViewName(QStringLiteral("wipe"));
    waitForIdle(window);
    window.findChild<QAction*>(QStringLiteral("hide-panels"))->trigger();
    QTest::qWait(200);
    waitForIdle(window);
    savePicture(window, "volume-wipe-small");
    window.resize(gallerySize({1600, 1000}));
    window.setViewName(QStringLiteral("single"));
    volume.setSlabMode(SlabMode::maximum);
    volume.setSlabThickness(40);
    volume.setRadiological(false);
    waitForIdle(window);
    savePicture(window, "volume-mip");
    volume.setSlabMode(SlabMode::slice);
    volume.setRadiological(true);
    window.setViewName(QStringLiteral("side-by-side"));
    volume.setPlanes(PlaneChoice::coronal);
    volume.setSmooth(false);
    volume.setScale(9);
    DisplaySettings colours = soft;
    colours.falseColour = FalseColour::evenRamp;
    window.view().setDisplay(colours);
    waitForIdle(window);
    savePicture(window, "volume-voxels");
    volume.setSmooth(true);
    volume.setPlanes(PlaneChoice::all);
    volume.fit();
    window.setViewName(QStringLiteral("single"));
    if (!openAndWait(window, QStringLiteral("synthetic:shepp-logan:192x224x160"))) ++failures;
    savePicture(window, "volume-unplaced");
}

/// The dialog for raw samples with entries that fit, and with others.
void saveRawDialog(MainWindow& window) {
    const Image image = makeSynthetic(parseSynthetic("synthetic:shepp-logan:192x224x160"));
    QTemporaryDir samples;
    const QString described = samples.filePath("head-192x224x160-float.raw");
    (void)saveImage(image, described.toStdString());
    QFile::remove(described + ".json");
    window.openInputs({described});
    RawDialog* dialog = nullptr;
    const auto settled = [&] {
        dialog = window.findChild<RawDialog*>();
        return dialog && dialog->settled();
    };
    if (!QTest::qWaitFor(settled, kPatience)) {
        ++failures;
        return;
    }
    savePicture(*dialog, "dialog-raw");
    RawRequest request = dialog->request();
    request.shape.width = 180;
    request.geometry.spacing = {0.78125, 0.78125, 5};
    request.geometry.unit = "HU";
    dialog->setRequest(request);
    if (!QTest::qWaitFor(settled, kPatience)) ++failures;
    savePicture(*dialog, "dialog-raw-unfit");
    dialog->reject();
    waitForIdle(window);
}

/// Charts of runs on a GPU, at once and in overlapping strips.
void saveDevice(MainWindow& window) {
    window.resetLayout();
    window.session().setTarget(Side::a, QStringLiteral("cuda+overlapped+pinned"));
    window.session().setTarget(Side::b, QStringLiteral("cuda.direct"));
    if (!openAndWait(window, QStringLiteral("synthetic:noise:4096x4096"))) ++failures;
    window.session().benchmark().measure(QStringLiteral("quick"));
    if (!QTest::qWaitFor([&] { return window.settled(); }, 4 * kPatience)) ++failures;
    for (const char* preset : {"compare", "measure"}) {
        window.applyPreset(QLatin1String(preset));
        for (int page = TimingPanel::stagesPage; page <= TimingPanel::historyPage; ++page) {
            window.timingPanel().showPage(static_cast<TimingPanel::Page>(page));
            waitForIdle(window);
            QTest::qWait(100);
            savePicture(window, QStringLiteral("device-%1-%2").arg(QLatin1String(preset)).arg(page));
        }
    }
    window.timingPanel().showPage(TimingPanel::stagesPage);
    window.session().setTarget(Side::b, QString::fromLatin1(kReferenceBackend));
}

void saveManual() {
    ManualWindow manual(Manual::instance());
    for (const char* address : {"index.md", "charts.md#speedup", "convolution.md", "command_line.md#recipes", "glossary.md"}) {
        manual.open(QLatin1String(address));
        QTest::qWait(150);
        savePicture(manual, "manual-" + QString(QLatin1String(address)).section('.', 0, 0));
    }
    manual.findChild<QLineEdit*>()->setText(QStringLiteral("interval"));
    QTest::qWait(150);
    savePicture(manual, "manual-search");
}

/// Every page of the settings.
void saveSettings(MainWindow& window) {
    window.findChild<QAction*>(QStringLiteral("settings"))->trigger();
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("settingsDialog"));
    auto* pages = dialog->findChild<QTabWidget*>();
    for (int page = 0; page < pages->count(); ++page) {
        pages->setCurrentIndex(page);
        savePicture(*dialog, QStringLiteral("dialog-settings-%1").arg(page + 1));
    }
    dialog->close();
}

/// The window after a crash.
void saveRestoreOffer() {
    QTemporaryDir home;
    KeptSession kept;
    kept.inputs << "/home/me/pictures/atrium.exr";
    if (!writeFile(home.filePath("1-a.json"), toJson(kept))) ++failures;
    auto window = shownWindow();
    applyTheme(galleryTheme);
    window->keepSession(home.path());
    QTest::qWait(100);
    savePicture(*window, "window-restore");
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    const bool onlyDevice = QApplication::arguments().value(3) == "device";
    auto window = shownWindow(gallerySize({1600, 1000}));
    applyTheme(galleryTheme);
    if (processCatalog().backend("cuda").availability().yes) saveDevice(*window);
    if (onlyDevice) return failures == 0 ? 0 : 4;
    window->resetLayout();
    savePicture(*window, "window-empty");
    window->openInputs({"/nonexistent/photo.exr"});
    waitForIdle(*window);
    savePicture(*window, "window-error");
    window->session().setTarget(Side::b, QString::fromLatin1(kReferenceBackend));
    if (!openAndWait(*window, defaultSample())) return 1;
    window->session().benchmark().measure(QStringLiteral("quick"));
    waitForIdle(*window);
    for (const QString& view : MainWindow::viewNames()) {
        window->setViewName(view);
        waitForIdle(*window);
        savePicture(*window, "window-" + view);
    }
    // Without the Timing panel, to leave room for the images.
    window->findChild<QDockWidget*>(QStringLiteral("timingDock"))->hide();
    window->findChild<QAction*>(QStringLiteral("original"))->setChecked(false);
    window->setViewName(QStringLiteral("wipe"));
    waitForIdle(*window);
    savePicture(*window, "window-wipe-large");
    // False colours with marks, the selection, single pixels.
    ViewState& view = window->view();
    window->setViewName(QStringLiteral("side-by-side"));
    view.setSelection(QRect(180, 120, 160, 110));
    view.setDisplay({.exposure = 0.5, .falseColour = FalseColour::evenRamp, .clippingMarks = true});
    QTest::qWait(200);
    waitForIdle(*window);
    savePicture(*window, "window-false-colours");
    view.resetDisplay();
    view.setScale(72 * window->devicePixelRatioF());
    QTest::qWait(200);
    waitForIdle(*window);
    savePicture(*window, "window-pixels");
    view.setSelection({});
    view.fit();
    window->setViewName(QStringLiteral("compare"));
    for (const char* preset : {"view", "measure", "compare"}) {
        window->applyPreset(QLatin1String(preset));
        waitForIdle(*window);
        savePicture(*window, QLatin1String("layout-") + QLatin1String(preset));
    }
    // Tone mapping: curve, previews of presets, picking a pixel, the scales of the local operator.
    const Pipeline before = window->session().pipeline().pipeline();
    const auto toneMap = [&](const char* step, const char* name) {
        setSteps(*window, {step});
        waitForIdle(*window);
        savePicture(*window, QLatin1String(name));
    };
    window->applyPreset(QStringLiteral("compare"));
    window->setViewName(QStringLiteral("single"));
    // After a blur the tolerance allows any result: steps are checked one by one.
    setSteps(*window, {"convolve:size=5", "tonemap"});
    waitForIdle(*window);
    savePicture(*window, "window-steps");
    toneMap("tonemap:white=1.5", "tone-mapping-global");
    window->findChild<QToolButton*>(QStringLiteral("pick-white"))->click();
    savePicture(*window, "tone-mapping-picking");
    window->view().setPicking(false);
    toneMap("tonemap:operator=photoreceptor", "tone-mapping-photoreceptor");
    toneMap("tonemap:operator=histogram", "tone-mapping-histogram");
    toneMap("tonemap:operator=local", "tone-mapping-local");
    toneMap("tonemap:operator=gradient", "tone-mapping-gradient");
    view.setDisplay({.falseColour = FalseColour::evenRamp});
    toneMap("tonemap:operator=local,output=scale", "tone-mapping-scales");
    view.resetDisplay();
    window->session().pipeline().setPipeline(before);
    waitForIdle(*window);
    // Every page of the charts, in the initial dock and in a large one; sweeps are short.
    for (const char* text : {"threads=1,2", "size=64,128,256,512"}) {
        window->session().lab().sweep(QLatin1String(text), QStringLiteral("quick"));
        if (!QTest::qWaitFor([&] { return !window->session().lab().sweeping(); }, 4 * kPatience)) return 1;
        waitForIdle(*window);
    }
    for (const char* preset : {"small", "measure"}) {
        window->resetLayout();
        window->showTiming();
        if (qstrcmp(preset, "measure") == 0) window->applyPreset(QLatin1String(preset));
        for (int page = TimingPanel::stagesPage; page <= TimingPanel::historyPage; ++page) {
            window->timingPanel().showPage(static_cast<TimingPanel::Page>(page));
            waitForIdle(*window);
            QTest::qWait(100);
            savePicture(*window, QStringLiteral("charts-%1-%2").arg(QLatin1String(preset)).arg(page));
        }
    }
    window->timingPanel().showPage(TimingPanel::stagesPage);
    saveVolumes(*window);
    saveRawDialog(*window);
    if (!openAndWait(*window, defaultSample())) return 1;
    window->applyPreset(QStringLiteral("compare"));
    // The dialog had the focus.
    window->activateWindow();
    if (!QTest::qWaitForWindowActive(window.get())) return 1;
    // The palette is inside the window.
    window->findChild<QAction*>(QStringLiteral("palette"))->trigger();
    QTest::qWait(100);
    savePicture(*window, "window-palette");
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    // The kernel editor opens from a parameter.
    setSteps(*window, {"convolve:kernel=custom,weights=1 4 6 4 1;4 16 24 16 4;6 24 36 24 6;4 16 24 16 4;1 4 6 4 1"});
    waitForIdle(*window);
    for (auto* button : window->findChildren<QPushButton*>())
        if (button->isVisible() && button->objectName() == QLatin1String("editKernel"))
            saveDialogAfter(*window, "kernel-editor", [button] { button->click(); });
    for (const char* name : {"generate", "shortcuts", "about", "messages", "save-result", "export-all"})
        if (auto* action = window->findChild<QAction*>(QLatin1String(name)))
            saveDialogAfter(*window, action->objectName(), [action] { action->trigger(); });
    saveSettings(*window);
    saveManual();
    saveRestoreOffer();
    return failures == 0 ? 0 : 4;
}
