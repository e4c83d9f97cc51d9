// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the browser of sub-bands, to be looked at; the README shows one of them.   gui_subbands_gallery FOLDER light|dark
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <cstdio>

#include "tests/gui/gui_support.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/subbands/region_mosaic.hpp"
#include "ui/subbands/region_panel.hpp"
#include "ui/window/shell/language.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QDir folder;
bool failed = false;

void save(MainWindow& window, const QString& name) {
    failed = !QTest::qWaitFor([&] { return window.settled() && !window.regionPanel().study().pending(); }, kPatience) || failed;
    QTest::qWait(100);
    failed = !window.grab().save(folder.filePath(name + ".png")) || failed;
}

void setSteps(MainWindow& window, const std::vector<std::string>& steps) {
    Pipeline pipeline;
    for (const std::string& text : steps) pipeline.steps.push_back(parseStep(processCatalog(), text));
    window.session().pipeline().setPipeline(std::move(pipeline));
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    (void)useLanguage(qEnvironmentVariable("GALLERY_LANGUAGE"));
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() != 3 || (arguments[2] != "light" && arguments[2] != "dark")) {
        std::fputs("usage: gui_subbands_gallery FOLDER light|dark\n", stderr);
        return 2;
    }
    folder = QDir(arguments[1]);
    if (!folder.mkpath(".")) return 4;
    auto window = shownWindow({1600, 1000});
    applyTheme(arguments[2] == "dark" ? ThemeChoice::dark : ThemeChoice::light);
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
    return failed ? 4 : 0;
}
