// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures of a box of voxels with its statistics, of window presets, and of the message about NaN and infinity, for review and for
// the manual. gui_selections_gallery FOLDER light|dark|high-contrast
#include <QAction>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <limits>

#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/inspector/selection_panel.hpp"
#include "ui/models/volume/own_windows.hpp"
#include "ui/session/session.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void save(MainWindow& window, const QString& name) {
    if (!waitForIdle(window)) ++failures;
    QTest::qWait(150);
    savePicture(window, name);
}

/// Scrolls the inspector to a widget.
void reveal(QWidget& widget) {
    for (QWidget* parent = widget.parentWidget(); parent; parent = parent->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(parent)) area->ensureWidgetVisible(&widget, 0, 30);
}

void saveBox(MainWindow& window) {
    window.findChild<QDockWidget*>(QStringLiteral("timingDock"))->hide();
    window.findChild<QDockWidget*>(QStringLiteral("pipelineDock"))->hide();
    setSteps(window, {"convolve:kernel=gaussian,size=5"});
    Image phantom = makeSynthetic(parseSynthetic("synthetic:shepp-logan:160x192x140"));
    std::erase_if(phantom.metadata, [](const MetadataEntry& e) { return e.name == kOrientationEntry; });
    QTemporaryDir files;
    const QString placed = files.filePath("head-phantom.nii.gz");
    (void)saveImage(phantom, placed.toStdString());
    window.setViewName(QStringLiteral("single"));
    if (!openAndWait(window, placed)) {
        ++failures;
        return;
    }
    window.volume().setCrosshair({80, 96, 70});
    window.view().setDisplay(withWindow(window.view().display(), 0.2, 0.5));
    window.findChild<QAction*>(QStringLiteral("select"))->setChecked(true);
    window.view().setSelecting(true);
    window.volume().setBox(SampleBox{.first = {58, 40, 62}, .extent = {48, 36, 22}});
    if (!QTest::qWaitFor([&] { return window.session().panes().region() != nullptr; }, kPatience)) ++failures;
    QTest::qWait(300);  // the panel gets its height
    reveal(*window.findChild<SelectionPanel*>());
    save(window, "box");
    window.volume().setCrosshair({80, 120, 100});
    save(window, "box-beside");
    OwnWindows::instance().save({"Ventricles", 0.2, 0.5, 2});
    OwnWindows::instance().save({"Skull", 0.8, 0.6, 3});
    reveal(*window.findChild<QWidget*>(QStringLiteral("windowPreset")));
    save(window, "presets");
    window.findChild<QAction*>(QStringLiteral("window-preset-edit"))->trigger();
    auto* dialog = window.findChild<QDialog*>(QStringLiteral("windowPresetDialog"));
    if (!dialog) return void(++failures);
    dialog->findChild<QLineEdit*>(QStringLiteral("presetName"))->setText(QStringLiteral("Skull"));
    savePicture(*dialog, "preset-dialog");
    dialog->reject();
    for (const OwnWindow& own : OwnWindows::instance().all()) OwnWindows::instance().remove(own.name);
    window.view().setSelecting(false);
    window.volume().setBox({});
}

void saveNonFinite(MainWindow& window) {
    Image image = makeSynthetic(parseSynthetic("synthetic:hdr-ramp:320x200,channels=3"));
    for (int i = 0; i < 40; ++i) image.view().row(60 + i, 0, 0)[80 + 2 * i] = std::numeric_limits<float>::quiet_NaN();
    image.view().row(150, 0, 1)[200] = std::numeric_limits<float>::infinity();
    QTemporaryDir files;
    const QString path = files.filePath("damaged.exr");
    (void)saveImage(image, path.toStdString());
    if (!openAndWait(window, path)) ++failures;
    save(window, "non-finite");
    QMenu& menu = *window.findChild<QAction*>(QStringLiteral("replace-non-finite"))->menu();
    menu.popup(window.mapToGlobal(window.rect().center()));
    savePicture(menu, "non-finite-menu");
    menu.hide();
    window.findChild<QDockWidget*>(QStringLiteral("pipelineDock"))->show();
    window.findChild<QAction*>(QStringLiteral("non-finite-clamp"))->trigger();
    QTest::qWait(300);
    save(window, "non-finite-clamped");
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    auto window = shownWindow(gallerySize({1400, 900}));
    applyTheme(galleryTheme);
    saveBox(*window);
    saveNonFinite(*window);
    return failures == 0 ? 0 : 4;
}
