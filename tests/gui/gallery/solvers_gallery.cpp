// SPDX-License-Identifier: GPL-3.0-or-later
// Saves pictures of steps that iterate: first pictures in every layout, and the convergence of several backends.
// gui_solvers_gallery FOLDER light|dark|high-contrast
#include <QAction>

#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/session/lab.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// Moves a slider and saves the window with the first pictures of both panes.
void saveFirstPictures(const QString& input, const QStringList& views) {
    auto window = shownWindow(gallerySize({1300, 850}));
    applyTheme(galleryTheme);
    Session& session = window->session();
    for (const Side side : {Side::a, Side::b}) session.setTarget(side, QStringLiteral("openmp"));
    setSteps(*window, {"diffuse:lambda=2,tolerance=1e-12"});
    if (!openAndWait(*window, input)) ++failures;
    double lambda = 2;
    for (const QString& view : views) {
        window->setViewName(view);
        waitForIdle(*window);
        // On a busy machine the times may say that a first picture is not worthwhile.
        for (int moves = 0; moves < 10 && !session.side(Side::a).first; ++moves) {
            waitForIdle(*window);
            session.pipeline().setParameter(0, "lambda", ParameterValue(lambda += 1));
            (void)QTest::qWaitFor([&] { return !session.side(Side::a).pending || session.side(Side::a).first; }, kPatience);
        }
        QTest::qWait(100);  // tiles
        if (!session.side(Side::a).first) ++failures;
        savePicture(*window, QStringLiteral("first-picture-%1-%2").arg(input.section(':', 1, 1), view));
        session.cancel();
        waitForIdle(*window);
        savePicture(*window, QStringLiteral("cancelled-%1-%2").arg(input.section(':', 1, 1), view));
    }
}

/// The whole window with the Convergence page: two methods over each other.
void saveConvergence() {
    auto window = shownWindow(gallerySize({1600, 1000}));
    applyTheme(galleryTheme);
    window->resetLayout();
    Session& session = window->session();
    session.lab().ignoreHistory();
    session.setTarget(Side::a, QStringLiteral("openmp.multigrid"));
    session.setTarget(Side::b, QStringLiteral("openmp.cg"));
    setSteps(*window, {"poisson"});
    window->findChild<QAction*>(QStringLiteral("original"))->setChecked(false);  // is black where the solution is white
    if (!openAndWait(*window, QStringLiteral("synthetic:shepp-logan:384x384"))) ++failures;
    window->showTiming();
    window->timingPanel().showPage(TimingPanel::convergencePage);
    savePicture(*window, QStringLiteral("window-convergence-runs"));
    session.benchmark().measure(QStringLiteral("quick"));
    if (!QTest::qWaitFor([&] { return window->settled() && session.record(); }, 4 * kPatience)) ++failures;
    window->timingPanel().showPage(TimingPanel::convergencePage);
    QTest::qWait(200);
    waitForIdle(*window);
    savePicture(*window, QStringLiteral("window-convergence"));
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    saveConvergence();
    saveFirstPictures(QStringLiteral("synthetic:hdr-ramp:900x600"), {"compare", "wipe", "single"});
    saveFirstPictures(QStringLiteral("synthetic:shepp-logan:64x56x48"), {"single"});
    return failures == 0 ? 0 : 4;
}
