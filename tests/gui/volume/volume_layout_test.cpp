// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes among the views of the window: comparisons, a single pane, panels, and images beside volumes.
#include <QAction>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QSlider>
#include <cmath>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

class VolumeLayoutTest : public QObject {
    Q_OBJECT
private slots:
    void comparisonsWorkAsForImages() {
        auto window = shownWindow({1300, 900});
        QVERIFY(waitForActive(*window));
        window->session().setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, kVolume));
        VolumeView& view = window->volumeView();
        const auto shown = [&] {
            QString text;
            for (const PaneRole role : kAllPanes)
                for (const PlaneKind kind : kAllPlanes)
                    if (view.pane(role, kind).isVisible()) text += view.pane(role, kind).label().badge + QLatin1Char(' ');
            return text;
        };
        window->findChild<QAction*>("original")->setChecked(false);
        const std::vector<std::pair<const char*, const char*>> views{{"single", "A A A "},
                                                                     {"side-by-side", "A A A B B B "},
                                                                     {"compare", "A A A B B B B − A B − A B − A "},
                                                                     {"difference", "B − A B − A B − A "},
                                                                     {"wipe", "A A A "}};
        for (const auto& [name, expected] : views) {
            QVERIFY(window->setViewName(QLatin1String(name)));
            QVERIFY(waitForIdle(*window));
            QCOMPARE(shown(), QString::fromUtf8(expected));
            for (const PlaneKind kind : kAllPlanes) QCOMPARE(view.pane(PaneRole::a, kind).wiping(), qstrcmp(name, "wipe") == 0);
        }
        // Dragging the wipe line in one plane moves it in all.
        VolumePane& axial = view.pane(PaneRole::a, PlaneKind::axial);
        drag(axial, QPoint(axial.width() / 2, 40), QPoint(axial.width() / 4, 40));
        QVERIFY(std::fabs(window->compareView().pane(PaneRole::a).wipePosition() - 0.25) < 0.02);
        // The key B flips A and B.
        QTest::keyClick(window.get(), Qt::Key_B);
        QVERIFY(view.pane(PaneRole::b, PlaneKind::axial).isVisible() && !axial.isVisible());
        // A click in the list of largest differences moves the crosshair.
        const auto& worst = window->session().comparison().difference()->worst;
        QVERIFY(!worst.empty());
        window->view().goTo({worst.front().x, worst.front().y, worst.front().z});
        QCOMPARE(window->volume().crosshair(), (Voxel{worst.front().x, worst.front().y, worst.front().z}));
        // The picture of the difference has all slices.
        Session& session = window->session();
        const Image& apart = *session.panes().pyramid(PaneRole::difference)->image();
        QCOMPARE(apart.shape().pixels(), session.original()->shape().pixels());
        QVERIFY(apart.geometry.has_value() == session.original()->geometry.has_value());
        const auto valueOf = [&](Side side) {
            return session.side(side).result->image->view().at(worst.front().x, worst.front().y, worst.front().z);
        };
        const float there = apart.view().at(worst.front().x, worst.front().y, worst.front().z);
        QVERIFY(there != 0);
        QCOMPARE(there, valueOf(Side::b) - valueOf(Side::a));
        // Values of A, B and their difference at one place.
        const QString probe = view.probeText();
        for (const char* part : {"Original", "A ", "B ", "B − A"}) QVERIFY2(probe.contains(QString::fromUtf8(part)), qPrintable(probe));
    }
    void theFocusFollowsTheActivePane() {
        auto window = shownWindow({1300, 900});
        QVERIFY(waitForActive(*window));
        QVERIFY(openAndWait(*window, kVolume));
        duplicatePane(window->session().pipeline(), Side::a);
        QVERIFY(window->setViewName("side-by-side"));
        QVERIFY(waitForIdle(*window));
        VolumeView& view = window->volumeView();
        VolumePane& first = view.pane(PaneRole::a, PlaneKind::coronal);
        QTest::mouseClick(&first, Qt::LeftButton);
        QVERIFY(first.hasFocus());
        const auto framed = [&](PaneRole role) {
            const QImage picture = view.pane(role, PlaneKind::coronal).grab().toImage();
            return picture.pixelColor(picture.width() / 2, 0) == currentTheme().accent;
        };
        QVERIFY(framed(PaneRole::a) && !framed(PaneRole::b));
        window->findChild<QAction*>("next-pane")->trigger();
        QVERIFY(view.pane(PaneRole::b, PlaneKind::coronal).hasFocus());
        QVERIFY(!framed(PaneRole::a) && framed(PaneRole::b));
        QVERIFY(waitForIdle(*window));
    }
    void aSinglePaneCanBeShown() {
        auto window = volumeWindow();
        window->resize(800, 600);
        QVERIFY(openAndWait(*window, kVolume));
        window->setViewName("compare");
        QVERIFY(waitForIdle(*window));
        VolumeView& view = window->volumeView();
        const auto shown = [&] {
            int count = 0;
            for (const PaneRole role : kAllPanes)
                for (const PlaneKind kind : kAllPlanes) count += view.pane(role, kind).isVisible() ? 1 : 0;
            return count;
        };
        QCOMPARE(shown(), 12);
        VolumePane& pane = view.pane(PaneRole::b, PlaneKind::coronal);
        const QSize small = pane.size();
        const Voxel crosshair = window->volume().crosshair();
        QTest::mouseDClick(&pane, Qt::LeftButton, {}, pane.placeOf(crosshair).toPoint());
        QVERIFY(view.alone());
        QCOMPARE(shown(), 1);
        QVERIFY(pane.isVisible() && pane.width() == view.width() && pane.height() > 2 * small.height());
        QVERIFY(!view.slider(PlaneKind::axial).isVisible() && view.slider(PlaneKind::coronal).isVisible());
        // The whole plane fits into it.
        QVERIFY(window->volume().fitting());
        pane.setFocus();
        QTest::keyClick(&pane, Qt::Key_Return);
        QCOMPARE(shown(), 12);
        QVERIFY(!view.alone() && pane.size() == small);
        window->setViewName("single");
        window->findChild<QAction*>("original")->setChecked(false);
        VolumePane& a = view.pane(PaneRole::a, PlaneKind::sagittal);
        QTest::mouseDClick(&a, Qt::LeftButton);
        QCOMPARE(shown(), 1);
        // The key B flips A and B, and back.
        QTest::keyClick(window.get(), Qt::Key_B);
        QCOMPARE(shown(), 1);
        QVERIFY(view.pane(PaneRole::b, PlaneKind::sagittal).isVisible());
        QTest::keyClick(window.get(), Qt::Key_B);
        QVERIFY(a.isVisible() && shown() == 1);
        // Another layout or other planes show all panes again.
        window->setViewName("difference");
        QCOMPARE(shown(), 3);
        QTest::mouseDClick(&view.pane(PaneRole::difference, PlaneKind::axial), Qt::LeftButton);
        QCOMPARE(shown(), 1);
        window->volume().setPlanes(PlaneChoice::coronal);
        QVERIFY(!view.alone());
        QVERIFY(view.pane(PaneRole::difference, PlaneKind::coronal).isVisible());
    }
    void panelsCanBeHidden() {
        auto window = volumeWindow();
        window->resize(800, 600);
        QVERIFY(openAndWait(*window, kVolume));
        auto* hide = window->findChild<QAction*>("hide-panels");
        const auto panels = [&] {
            QStringList names;
            for (const auto* dock : window->findChildren<QDockWidget*>())
                if (dock->isVisible()) names << dock->objectName();
            names.sort();
            return names;
        };
        window->findChild<QDockWidget*>("timingDock")->hide();
        const QStringList before = panels();
        QCOMPARE(before, (QStringList{"inspectorDock", "pipelineDock"}));
        QVERIFY(window->volumeView().width() < window->width());
        hide->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(hide->isChecked() && panels().isEmpty());
        QTRY_COMPARE_WITH_TIMEOUT(window->volumeView().width(), window->width(), kPatience);
        hide->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(panels(), before);
        // A layout shows its own panels, and the next window starts with panels.
        hide->trigger();
        window->applyPreset("view");
        QVERIFY(!hide->isChecked());
        QCOMPARE(panels(), QStringList{"inspectorDock"});
        hide->trigger();
        window->close();
        auto next = shownWindow({800, 600});
        next->restoreLayout();
        QVERIFY(!next->findChild<QDockWidget*>("inspectorDock")->isHidden());
    }
    void theDocumentDecidesWhichViewIsShown() {
        auto window = volumeWindow();
        const auto visible = [&](bool volume) {
            return window->volumeView().isVisible() == volume && window->compareView().isVisible() != volume &&
                   window->findChild<QAction*>("planes-axial")->isEnabled() == volume &&
                   window->findChild<QAction*>("select-visible")->isEnabled() != volume &&
                   window->findChild<QDoubleSpinBox*>("windowLevel")->isVisible() == volume;
        };
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QVERIFY(visible(false));
        window->view().setExposure(1.5);
        const DisplaySettings ofImages = window->view().display();
        QVERIFY(openAndWait(*window, kVolume));
        QVERIFY(visible(true));
        QCOMPARE(window->view().display().encoding, DisplayEncoding::linear);
        window->view().setDisplay(withWindow(window->view().display(), 3, 5));
        // Reloading keeps the settings; another volume starts with its own.
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(std::fabs(windowWidth(window->view().display()) - 5) < 1e-6);
        QVERIFY(openAndWait(*window, "synthetic:noise:10x12x14"));
        QVERIFY(windowWidth(window->view().display()) < 2);
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QVERIFY(visible(false));
        QCOMPARE(window->view().display(), ofImages);
        window->findChild<QAction*>("reset-view")->trigger();
        QCOMPARE(window->view().display(), DisplaySettings{});
    }
};

QTEST_MAIN(VolumeLayoutTest)
#include "volume_layout_test.moc"
