// SPDX-License-Identifier: GPL-3.0-or-later
// Window and level of volumes: presets, drag, numbers, small values.
#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <cmath>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/volume/own_windows.hpp"
#include "ui/volume/plane_renderer.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void forgetOwnWindows() {
    for (const OwnWindow& own : OwnWindows::instance().all()) OwnWindows::instance().remove(own.name);
}

QPushButton* buttonOf(const QDialog& dialog, const QString& text) {
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->text().remove(QLatin1Char('&')) == text) return button;
    return nullptr;
}

/// The open dialog for a preset.
QDialog* presetDialog(MainWindow& window) {
    QDialog* dialog = nullptr;
    (void)QTest::qWaitFor([&] { return (dialog = window.findChild<QDialog*>("windowPresetDialog")) != nullptr; }, kPatience);
    return dialog;
}

}  // namespace

class VolumeWindowTest : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { forgetOwnWindows(); }
    void ownPresetsAreKeptInTheSettings() {
        OwnWindows& own = OwnWindows::instance();
        forgetOwnWindows();
        own.save({"Stone", 1100, 900.5, 0});
        own.save({"  Soft   tissue ", 45, 380, 3});
        QCOMPARE(own.all(), (std::vector<OwnWindow>{{"Soft tissue", 45, 380, 3}, {"Stone", 1100, 900.5, 0}}));
        // A key belongs to one, a name to one.
        own.save({"Stone", 1200, 800, 3});
        QCOMPARE(own.all(), (std::vector<OwnWindow>{{"Stone", 1200, 800, 3}, {"Soft tissue", 45, 380, 0}}));
        own.save({"Kidney", 30, 300, 2}, "Soft tissue");
        QCOMPARE(own.all(), (std::vector<OwnWindow>{{"Kidney", 30, 300, 2}, {"Stone", 1200, 800, 3}}));
        for (const OwnWindow& bad : {OwnWindow{" ", 0, 1, 2}, OwnWindow{"a", 0, 0, 2}, OwnWindow{"a", kNan, 1, 2}, OwnWindow{"a", 0, 1, 1},
                                     OwnWindow{QString(41, 'a'), 0, 1, 2}})
            QVERIFY_EXCEPTION_THROWN(own.save(bad), Error);
        QCOMPARE(own.all().size(), std::size_t{2});
        // Damaged entries are left out.
        Settings::instance().remember("windows/own", R"([{"name":"A","level":1,"width":2,"key":5},{"name":"B","level":1,"width":-2},7,)"
                                                     R"({"name":"C","level":3,"width":4,"key":5},{"name":"A","level":9,"width":9}])");
        QCOMPARE(own.all(), (std::vector<OwnWindow>{{"A", 1, 2, 5}, {"C", 3, 4, 0}}));
        Settings::instance().remember("windows/own", "nonsense");
        QVERIFY(own.all().empty());
    }
    void ownPresetsOnNumberKeys() {
        forgetOwnWindows();
        auto window = volumeWindow();
        QVERIFY(waitForActive(*window));
        QVERIFY(openAndWait(*window, kVolume));
        auto* preset = window->findChild<QComboBox*>("windowPreset");
        auto* save = window->findChild<QAction*>("window-preset-save");
        auto* edit = window->findChild<QAction*>("window-preset-edit");
        auto* remove = window->findChild<QAction*>("window-preset-remove");
        QVERIFY(preset && save && edit && remove && !edit->isEnabled() && !remove->isEnabled());
        const int before = preset->count();
        window->view().setDisplay(withWindow(window->view().display(), 46.03125, 380.0625));
        save->trigger();
        QDialog* dialog = presetDialog(*window);
        QVERIFY(dialog);
        QVERIFY(!buttonOf(*dialog, "Save")->isEnabled());
        // The first free key is proposed; 1 is not offered.
        auto* key = dialog->findChild<QComboBox*>("presetKey");
        QCOMPARE(key->currentData().toInt(), 2);
        QCOMPARE(key->findData(1), -1);
        dialog->findChild<QLineEdit*>("presetName")->setText("Kidney & liver");
        key->setCurrentIndex(key->findData(4));
        buttonOf(*dialog, "Save")->click();
        // With all digits, though the boxes show two decimals.
        const std::vector<OwnWindow> saved = OwnWindows::instance().all();
        QVERIFY(saved.size() == 1 && saved[0].name == "Kidney & liver" && saved[0].key == 4);
        QVERIFY(std::fabs(saved[0].centre - 46.03125) < 1e-9 && std::fabs(saved[0].width - 380.0625) < 1e-9);
        QCOMPARE(preset->count(), before + 2);  // and a separator
        QVERIFY2(preset->currentText().startsWith("Kidney & liver") && preset->currentText().endsWith("[4]"),
                 qPrintable(preset->currentText()));
        // The key shows it again, in volumes and single slices, with the focus anywhere but in a text.
        const auto shows = [&](double level, double width) {
            return std::fabs(windowCentre(window->view().display()) - level) < 1e-6 &&
                   std::fabs(windowWidth(window->view().display()) - width) < 1e-6;
        };
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<QDialog*>("windowPresetDialog"), kPatience);
        window->activateWindow();
        QVERIFY(waitForActive(*window));
        window->findChild<QAction*>("window-bone")->trigger();
        QVERIFY(shows(300, 1500));
        QVERIFY(!edit->isEnabled());
        window->volumeView().pane(PaneRole::a, PlaneKind::axial).setFocus();
        QTest::keyClick(window.get(), Qt::Key_4);
        QVERIFY(shows(46.03125, 380.0625));
        QTest::keyClick(window.get(), Qt::Key_5);
        QVERIFY(shows(46.03125, 380.0625));
        // Edited: another key, another width. The list follows.
        QVERIFY(edit->isEnabled());
        edit->trigger();
        dialog = presetDialog(*window);
        QVERIFY(dialog);
        dialog->findChild<QLineEdit*>("presetName")->setText("Kidney");
        dialog->findChild<QComboBox*>("presetKey")->setCurrentIndex(dialog->findChild<QComboBox*>("presetKey")->findData(9));
        dialog->findChild<QDoubleSpinBox*>("presetWidth")->setValue(400);
        buttonOf(*dialog, "Save")->click();
        const std::vector<OwnWindow> edited = OwnWindows::instance().all();
        QVERIFY(edited.size() == 1 && edited[0].name == "Kidney" && edited[0].key == 9);
        QVERIFY(std::fabs(edited[0].centre - 46.03125) < 1e-9 && edited[0].width == 400);
        QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<QDialog*>("windowPresetDialog"), kPatience);
        window->activateWindow();
        QVERIFY(waitForActive(*window));
        QTest::keyClick(window.get(), Qt::Key_4);
        QVERIFY(shows(46.03125, 380.0625));
        QTest::keyClick(window.get(), Qt::Key_9);
        QVERIFY(shows(46.03125, 400));
        QVERIFY(window->findChild<QAction*>("window-own-Kidney"));
        // Not of pictures.
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        const DisplaySettings ofImage = window->view().display();
        QTest::keyClick(window.get(), Qt::Key_9);
        QCOMPARE(window->view().display(), ofImage);
        QVERIFY(!window->findChild<QAction*>("save-window-preset")->isEnabled());
        QVERIFY(openAndWait(*window, kVolume));
        QTest::keyClick(window.get(), Qt::Key_9);
        QVERIFY(shows(46.03125, 400));
        remove->trigger();
        QMessageBox* question = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((question = window->findChild<QMessageBox*>()) != nullptr, kPatience);
        buttonOf(*question, "Delete")->click();
        QVERIFY(OwnWindows::instance().all().empty());
        QCOMPARE(preset->count(), before);
        QVERIFY(!window->findChild<QAction*>("window-own-Kidney"));
    }
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
