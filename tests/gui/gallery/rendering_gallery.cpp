// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures of volumes with their renderings, for review and for the manual.
// gui_rendering_gallery FOLDER light|dark|high-contrast
#include <QAction>
#include <QDockWidget>
#include <QToolButton>

#include "core/image/orientation.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/transfer/transfer_dialog.hpp"
#include "ui/transfer/transfer_plot.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// Three time points of which each is brighter.
void saveSeries(MainWindow& window, const QString& folder, const Image& phantom) {
    const Shape& s = phantom.shape();
    QByteArray samples;
    for (int time = 1; time <= 3; ++time)
        for (std::int64_t i = 0; i < s.samples(); ++i) {
            const float value = phantom.view().data[i] * static_cast<float>(time) / 3;
            samples.append(reinterpret_cast<const char*>(&value), sizeof(value));
        }
    const QString header = QStringLiteral(
                               "NRRD0004\ntype: float\ndimension: 4\nsizes: %1 %2 %3 3\nencoding: raw\nendian: little\n"
                               "spacings: 1 1 1 nan\ndata file: series.raw\n")
                               .arg(s.width)
                               .arg(s.height)
                               .arg(s.depth);
    const QString file = folder + QStringLiteral("/series.nhdr");
    const bool written = writeFile(folder + QStringLiteral("/series.raw"), samples) && writeFile(file, header.toLatin1());
    if (!written || !openAndWait(window, file + QStringLiteral("#1"))) ++failures;
    window.view().setDisplay(withWindow(window.view().display(), 0.2, 0.5));
    if (!waitForIdle(window)) ++failures;
    savePicture(window, "series");
}

void saveRenderings(MainWindow& window) {
    for (const char* dock : {"timingDock", "inspectorDock"}) window.findChild<QDockWidget*>(QLatin1String(dock))->hide();
    window.findChild<QAction*>(QStringLiteral("original"))->setChecked(false);
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
    window.volume().setCrosshair({60, 80, 66});
    window.view().setDisplay(withWindow(window.view().display(), 0.2, 0.5));
    window.findChild<QAction*>(QStringLiteral("rendering"))->trigger();
    RenderState& state = window.volumeView().renderings().state();
    const auto save = [&](const QString& name) {
        if (!waitForIdle(window)) ++failures;
        savePicture(window, name);
    };
    save("maximum");
    state.set("curve", std::string("0.08:0:#4f86c6 0.16:0.02:#6fa8dc 0.22:0.004:#c0504d 0.26:0.3:#e46c5a 0.45:0:#f0d8a8 0.8:0.5:#f5e6c8"));
    state.set("clip-y0", 0.42);
    state.setMode("transfer", 0);
    save("four-panes");
    RenderPane& pane = window.volumeView().renderings().pane(PaneRole::a);
    pane.bar().findChild<QToolButton*>(QStringLiteral("renderCurve"))->click();
    auto& editor = *window.findChild<TransferDialog*>();
    if (!QTest::qWaitFor([&] { return !editor.counting(); }, kPatience)) ++failures;
    editor.plot().select(4);
    savePicture(editor, "curve");
    editor.close();
    saveSeries(window, files.path(), phantom);
    if (!openAndWait(window, placed)) ++failures;
    state.setMode("surface", 0.15);
    pane.setFocus();
    save("surface");
    QMenu& menu = pane.bar().menu();
    menu.popup(pane.mapToGlobal(QPoint(20, 40)));
    savePicture(menu, "menu");
    menu.hide();
    window.setViewName(QStringLiteral("compare"));
    save("compare");
    window.resize(800, 600);
    QTest::qWait(200);
    save("small");
}

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    auto window = shownWindow(gallerySize({1400, 900}));
    applyTheme(galleryTheme);
    saveRenderings(*window);
    return failures == 0 ? 0 : 4;
}
