// SPDX-License-Identifier: GPL-3.0-or-later
// Window and level of volumes: presets, drag, numbers, small values.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <cmath>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/volume/plane_renderer.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

class VolumeWindowTest : public QObject {
    Q_OBJECT
private slots:
    void windowPresetsAreThoseOfTheTable() {
        const std::vector<std::tuple<QString, double, double>> table{{"abdomen", 350, 40}, {"bone", 1500, 300},      {"brain", 100, 50},
                                                                     {"lung", 1400, -500}, {"mediastinum", 350, 50}, {"liver", 150, 30}};
        Image image(Buffer(Shape{2, 2, 2, 1}));
        image.source.windows = {{"SOFT", 60, 400}, {"", 1, 0}};  // the second one is invalid
        const auto presets = windowPresets(&image);
        QCOMPARE(presets.size(), table.size() + 2);
        QCOMPARE(presets[1].id, QStringLiteral("values"));
        QCOMPARE(presets[0].centre, 60.0);
        for (std::size_t i = 0; i < table.size(); ++i) {
            const auto& [id, width, centre] = table[i];
            QCOMPARE(presets[i + 2].id, id);
            QCOMPARE(presets[i + 2].width, width);
            QCOMPARE(presets[i + 2].centre, centre);
            const DisplaySettings s = withWindow({}, centre, width);
            QVERIFY(std::fabs(windowCentre(s) - centre) < 1e-9 && std::fabs(windowWidth(s) - width) < 1e-9);
        }
        QVERIFY(std::fabs(windowWidth(firstDisplay(image)) - 400) < 1e-9);
    }
    void thePresetBoxNamesTheWindow() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        auto* preset = window->findChild<QComboBox*>("windowPreset");
        QVERIFY2(preset->currentText().startsWith("Automatic (data range)"), qPrintable(preset->currentText()));
        window->view().setDisplay(withWindow(window->view().display(), 3, 5));
        QCOMPARE(preset->currentText(), QStringLiteral("Custom"));
        window->findChild<QAction*>("reset-view")->trigger();
        QVERIFY2(preset->currentText().startsWith("Automatic (data range)"), qPrintable(preset->currentText()));
    }
    void windowByDragNumbersAndPresets() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        VolumePane& axial = window->volumeView().pane(PaneRole::a, PlaneKind::axial);
        const auto before = bytesOf(*window->session().original());
        auto* preset = window->findChild<QComboBox*>("windowPreset");
        auto* level = window->findChild<QDoubleSpinBox*>("windowLevel");
        auto* width = window->findChild<QDoubleSpinBox*>("windowWidth");
        QVERIFY(preset && level && width && level->isVisible());
        const int bone = preset->findText(QStringLiteral("Bone"), Qt::MatchStartsWith);
        preset->setCurrentIndex(bone);
        emit preset->activated(bone);
        QCOMPARE(level->value(), 300.0);
        QCOMPARE(width->value(), 1500.0);
        QVERIFY(window->findChild<QAction*>("window-lung"));
        window->findChild<QAction*>("window-lung")->trigger();
        QCOMPARE(level->value(), -500.0);
        QCOMPARE(width->value(), 1400.0);
        QVERIFY(preset->currentText().startsWith(QStringLiteral("Lung")));
        width->setValue(100);
        QVERIFY(std::fabs(windowWidth(window->view().display()) - 100) < 1e-6);
        QCOMPARE(preset->currentIndex(), 0);
        // To the right: wider. Down: a higher level, darker.
        const QPoint middle = axial.rect().center();
        drag(axial, middle, middle + QPoint(50, 0), {}, Qt::RightButton);
        QVERIFY(width->value() > 110);
        QCOMPARE(level->value(), -500.0);
        const double wide = width->value();
        drag(axial, middle, middle + QPoint(0, 50), Qt::ShiftModifier);
        QVERIFY(level->value() > -500);
        QCOMPARE(width->value(), wide);
        window->findChild<QAction*>("reset-view")->trigger();
        QVERIFY(width->value() < 2 && width->value() > 0.5);  // noise from 0 to 1
        window->findChild<QAction*>("invert")->trigger();
        QVERIFY(window->volume().inverted());
        window->volume().setSlabMode(SlabMode::mean);
        QVERIFY(waitForIdle(*window));
        QVERIFY(bytesOf(*window->session().original()) == before);
    }
    void windowsOfSmallNumbersAndNone() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        ViewState& view = window->view();
        auto* level = window->findChild<QDoubleSpinBox*>(QStringLiteral("windowLevel"));
        auto* width = window->findChild<QDoubleSpinBox*>(QStringLiteral("windowWidth"));
        QVERIFY(level && width);
        // Small values, as in a probability map: changing the level keeps the width.
        view.setDisplay(withWindow(view.display(), 0.0012, 0.0003));
        level->setValue(0.0013);
        QVERIFY(std::fabs(windowCentre(view.display()) - 0.0013) < 1e-9);
        QVERIFY(std::fabs(windowWidth(view.display()) - 0.0003) < 1e-9);
        // A width of 0 is refused.
        width->setValue(0);
        QVERIFY(std::fabs(windowWidth(view.display()) - 0.0003) < 1e-9);
        QVERIFY(width->value() > 0);
        view.setDisplay(withWindow(view.display(), 40, 0));
        QVERIFY(windowWidth(view.display()) > 0);
        view.setExposure(1e9);
        QVERIFY(std::isfinite(windowWidth(view.display())));
        QVERIFY(waitForIdle(*window));
        // Infinity is white, and NaN keeps its colour.
        const PlaneColours colours({.display = view.display()}, false);
        const float samples[] = {0, 1, -1, std::numeric_limits<float>::max(), kNan};
        QRgb out[5];
        colours.row(samples, 5, out);
        QCOMPARE(qRed(out[3]), 255);
        QCOMPARE(qRed(out[2]), 0);
    }
};

QTEST_MAIN(VolumeWindowTest)
#include "volume_window_test.moc"
