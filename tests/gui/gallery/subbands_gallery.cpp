// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the browser of sub-bands, to be looked at; the README shows one of them.   gui_subbands_gallery FOLDER light|dark
#include <QDockWidget>

#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/subbands/region_mosaic.hpp"
#include "ui/subbands/region_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void save(MainWindow& window, const QString& name) {
    if (!QTest::qWaitFor([&] { return window.settled() && !window.regionPanel().study().pending(); }, kPatience)) ++failures;
    QTest::qWait(100);
    savePicture(window, name);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    auto window = shownWindow(gallerySize({1600, 1000}));
    applyTheme(galleryTheme);
    window->resetLayout();
    window->session().setTarget(Side::b, QString::fromLatin1(kReferenceBackend));  // not every backend transforms
    window->setViewName(QStringLiteral("single"));
    window->findChild<QAction*>(QStringLiteral("show-regionsDock"))->trigger();
    save(*window, "subbands-empty");
    if (!openAndWait(*window, defaultSample())) return 1;
    save(*window, "subbands-none");
    setSteps(*window, {"dwt:wavelet=db4,levels=3"});
    save(*window, "subbands-image");
    RegionMosaic& mosaic = window->regionPanel().mosaic();
    mosaic.setSelected(5);
    mosaic.setAlone(true);
    save(*window, "subbands-alone");
    mosaic.setAlone(false);
    setSteps(*window, {"wavelet-denoise:rule=universal,strength=0.5,levels=3"});
    save(*window, "subbands-denoise");
    setSteps(*window, {"dwt:wavelet=db4,levels=2"});
    if (!openAndWait(*window, "synthetic:shepp-logan:192x192x96")) return 1;
    save(*window, "subbands-volume");
    return failures == 0 ? 0 : 4;
}
