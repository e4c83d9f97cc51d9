// SPDX-License-Identifier: GPL-3.0-or-later
// Files of several volumes, such as time points: the slider below the panes, and playing.
#include <QAction>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QSlider& sliderOf(MainWindow& window) { return *window.findChild<QSlider*>("seriesSlider"); }

std::int64_t shownVolume(MainWindow& window) { return window.session().original()->source.volume; }

/// Sample (1, 1, 1) of result A, which is that of the original without steps.
float resultOf(MainWindow& window) { return window.session().side(Side::a).result->image->view().at(1, 1, 1); }

}  // namespace

class VolumeSeriesTest : public QObject {
    Q_OBJECT
private slots:
    void aSliderChoosesAVolume() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.nii"));
        QVERIFY(writeSeries(path, 3));
        auto window = volumeWindow();
        QVERIFY(!sliderOf(*window).isVisible());
        QVERIFY(openAndWait(*window, path));
        QSlider& slider = sliderOf(*window);
        QVERIFY(slider.isVisible());
        QCOMPARE(slider.maximum(), 2);
        QCOMPARE(slider.value(), 0);
        window->volume().setCrosshair({1, 1, 1});
        slider.setValue(2);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(shownVolume(*window), 2);
        QCOMPARE(resultOf(*window), 200.0F + 17);
        QCOMPARE(window->findChild<QLabel*>("seriesNumber")->text(), QStringLiteral("3 / 3 · 4 s"));
        QCOMPARE(window->findChild<QSpinBox*>("volumeOfFile")->value(), 3);
        QCOMPARE(window->volume().crosshair(), (Voxel{1, 1, 1}));
        // Only one volume is in memory.
        QCOMPARE(window->session().original()->shape(), (Shape{4, 3, 2, 1}));
        // Values that follow each other quickly: the last one counts.
        for (const int volume : {1, 0, 1}) slider.setValue(volume);
        QTRY_COMPARE_WITH_TIMEOUT(shownVolume(*window), std::int64_t{1}, kPatience);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(shownVolume(*window), 1);
        QCOMPARE(slider.value(), 1);
        window->findChild<QAction*>("next-part")->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(shownVolume(*window), 2);
        QVERIFY(!window->findChild<QAction*>("next-part")->isEnabled());
        // A single volume has none.
        QVERIFY(openAndWait(*window, kVolume));
        QVERIFY(!slider.isVisible());
        QVERIFY(!window->findChild<QAction*>("play-series")->isEnabled());
    }
    void playingShowsOneAfterAnother() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.nii"));
        QVERIFY(writeSeries(path, 3));
        auto window = volumeWindow();
        window->session().pipeline().setEnabled(0, true);
        QVERIFY(openAndWait(*window, path));
        window->findChild<QSpinBox*>("framesPerSecond")->setValue(60);
        QList<std::int64_t> shown;
        bool kept = true;
        connect(&window->session(), &Session::originalChanged, this, [&] {
            shown << shownVolume(*window);
            // The result of the volume before stays in view until that of this one is there.
            kept = kept && window->session().side(Side::a).result != nullptr;
        });
        QAction* play = window->findChild<QAction*>("play-series");
        play->trigger();
        QVERIFY(play->isChecked() && window->findChild<QToolButton*>("playSeries")->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(shown.size() >= 5, kPatience);
        play->trigger();
        QVERIFY(!play->isChecked());
        QVERIFY(waitForIdle(*window));
        for (qsizetype i = 0; i < shown.size(); ++i) QCOMPARE(shown[i], (i + 1) % 3);  // and the first after the last
        QVERIFY(kept);
        // The result is that of the volume that is shown.
        const SideState& a = window->session().side(Side::a);
        QVERIFY(a.result && a.result->input == window->session().original() && !a.pending);
        const qsizetype count = shown.size();
        QTest::qWait(100);
        QCOMPARE(shown.size(), count);
        window->session().disconnect(this);
    }
    void playingEndsWhereAVolumeCannotBeRead() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.nii"));
        QVERIFY(writeSeries(path, 3));
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, path + QStringLiteral("#1")));
        QVERIFY(QFile::resize(path, 352 + 2 * 24 * 4));  // without the last one
        QAction* play = window->findChild<QAction*>("play-series");
        play->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!play->isChecked(), kPatience);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(shownVolume(*window), 1);
        QCOMPARE(sliderOf(*window).value(), 1);
        QVERIFY(window->messageBar().isVisible());
        // By the slider, too.
        sliderOf(*window).setValue(2);
        QVERIFY(waitForIdle(*window));
        QTRY_COMPARE_WITH_TIMEOUT(sliderOf(*window).value(), 1, kPatience);
    }
    void movingTheSliderEndsPlaying() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.nii"));
        QVERIFY(writeSeries(path, 5));
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, path));
        window->findChild<QSpinBox*>("framesPerSecond")->setValue(1);
        QAction* play = window->findChild<QAction*>("play-series");
        play->trigger();
        sliderOf(*window).setValue(3);
        QVERIFY(!play->isChecked());
        QVERIFY(waitForIdle(*window));
        QCOMPARE(shownVolume(*window), 3);
        // The rate is kept for the next window.
        auto other = volumeWindow();
        QCOMPARE(other->findChild<QSpinBox*>("framesPerSecond")->value(), 1);
    }
};

QTEST_MAIN(VolumeSeriesTest)
#include "volume_series_test.moc"
