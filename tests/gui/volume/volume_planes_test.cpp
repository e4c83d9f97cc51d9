// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of a volume in the window: linked crosshair, orientation, mouse and keyboard, slabs, letters.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <cmath>
#include <map>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/volume/volume_support.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

class VolumePlanesTest : public QObject {
    Q_OBJECT
private slots:
    void oneCrosshairLinksThePlanes() {
        auto window = volumeWindow();
        // A generated volume has no orientation: add one.
        QTemporaryDir folder;
        const QString described = folder.filePath(QStringLiteral("lies.raw"));
        Image lies = makeSynthetic(parseSynthetic(kVolume.toStdString()));
        lies.metadata.clear();
        (void)saveImage(lies, described.toStdString());
        QVERIFY(openAndWait(*window, described));
        VolumeView& view = window->volumeView();
        QVERIFY(view.isVisible() && !window->compareView().isVisible());
        VolumeState& state = window->volume();
        QVERIFY(state.frame().placed());
        QCOMPARE(state.crosshair(), (Voxel{20, 15, 10}));
        VolumePane& axial = view.pane(PaneRole::a, PlaneKind::axial);
        VolumePane& coronal = view.pane(PaneRole::original, PlaneKind::coronal);
        for (const Voxel& voxel : {Voxel{3, 4, 10}, Voxel{39, 29, 10}, Voxel{0, 0, 10}}) {
            QTest::mouseClick(&axial, Qt::LeftButton, {}, axial.placeOf(voxel).toPoint());
            QCOMPARE(state.crosshair(), voxel);
            // The other planes pass through it, and the mark is at the voxel.
            QCOMPARE(coronal.voxelAt(coronal.placeOf(state.crosshair())), std::optional(voxel));
        }
        QTest::mouseClick(&coronal, Qt::LeftButton, {}, coronal.placeOf({7, 0, 2}).toPoint());
        QCOMPARE(state.crosshair(), (Voxel{7, 0, 2}));
        // Radiological: more to the left of the patient is more to the right on the screen; the head is up, the back down.
        QVERIFY(axial.placeOf({8, 0, 2}).x() > axial.placeOf({7, 0, 2}).x());
        QVERIFY(axial.placeOf({7, 1, 2}).y() > axial.placeOf({7, 0, 2}).y());
        QVERIFY(coronal.placeOf({7, 0, 3}).y() < coronal.placeOf({7, 0, 2}).y());
        state.setRadiological(false);
        QVERIFY(axial.placeOf({8, 0, 2}).x() < axial.placeOf({7, 0, 2}).x());
        QTest::mouseClick(&axial, Qt::LeftButton, {}, axial.placeOf({30, 20, 2}).toPoint());
        QCOMPARE(state.crosshair(), (Voxel{30, 20, 2}));
    }
    void aRulerMeasuresLengthsAndAngles() {
        // 40 x 30 x 20 voxels of 0.5 x 0.5 x 2 mm.
        auto window = volumeWindow();
        QTemporaryDir folder;
        const QString raw = folder.filePath(QStringLiteral("v.bin"));
        const Image noise = makeSynthetic(parseSynthetic(kVolume.toStdString()));
        QVERIFY(writeFile(raw, {reinterpret_cast<const char*>(noise.samples().data()), static_cast<qsizetype>(noise.samples().bytes())}));
        QVERIFY(openAndWait(*window, QStringLiteral("raw:40x30x20,spacing=0.5x0.5x2:") + raw));
        VolumeState& state = window->volume();
        QAction* ruler = window->findChild<QAction*>("ruler");
        ruler->trigger();
        QVERIFY(state.measuring());
        const Voxel before = state.crosshair();
        VolumePane& axial = window->volumeView().pane(PaneRole::a, PlaneKind::axial);
        VolumePane& other = window->volumeView().pane(PaneRole::original, PlaneKind::axial);
        VolumePane& coronal = window->volumeView().pane(PaneRole::a, PlaneKind::coronal);
        const auto length = [](const QString& text) { return QLocale().toDouble(text.section(QLatin1Char(' '), 0, 0)); };
        const auto at = [&](VolumePane& pane, std::int64_t x, std::int64_t y, std::int64_t z) { return pane.placeOf({x, y, z}).toPoint(); };
        // A screen pixel is as exact as a mouse can be.
        const double pixel = 1 / state.scale();
        drag(axial, at(axial, 10, 5, before[2]), at(axial, 30, 5, before[2]));
        QCOMPARE(state.crosshair(), before);
        QCOMPARE(axial.measurementTexts().size(), 1);
        QVERIFY2(std::abs(length(axial.measurementTexts()[0]) - 10) <= 2 * pixel, qPrintable(axial.measurementTexts()[0]));
        QCOMPARE(other.measurementTexts(), axial.measurementTexts());
        QVERIFY(coronal.measurementTexts().isEmpty());
        // From its end, downwards: a right angle.
        drag(axial, at(axial, 30, 5, before[2]), at(axial, 30, 25, before[2]));
        QCOMPARE(axial.measurementTexts().size(), 3);
        QVERIFY2(std::abs(length(axial.measurementTexts()[1]) - 10) <= 2 * pixel, qPrintable(axial.measurementTexts()[1]));
        QVERIFY2(std::abs(length(axial.measurementTexts()[2].chopped(1)) - 90) < 2, qPrintable(axial.measurementTexts()[2]));
        // It lies on its slice only.
        state.scroll(PlaneKind::axial, 1);
        QVERIFY(axial.measurementTexts().isEmpty());
        state.scroll(PlaneKind::axial, -1);
        QCOMPARE(axial.measurementTexts().size(), 3);
        // Another plane has the spacing of its own axes.
        drag(coronal, at(coronal, 20, before[1], 2), at(coronal, 20, before[1], 12));
        QVERIFY2(std::abs(length(coronal.measurementTexts().value(0)) - 20) <= 2 * pixel, qPrintable(coronal.measurementTexts().value(0)));
        QTest::mouseClick(&coronal, Qt::LeftButton, {}, at(coronal, 5, before[1], 5));
        QVERIFY(!state.measurement());
        ruler->trigger();
        QTest::mouseClick(&axial, Qt::LeftButton, {}, at(axial, 7, 8, before[2]));
        QCOMPARE(state.crosshair(), (Voxel{7, 8, before[2]}));
    }
    void anglesOfATiltedSeriesAreThoseOfThePatient() {
        Geometry tilted;
        // The third axis leans by 30 degrees towards the second.
        tilted.direction = {1, 0, 0, 0, 1, 0.5, 0, 0, std::sqrt(0.75)};
        const VolumeFrame frame(Shape{10, 10, 10, 1}, tilted);
        const PlaneAxes axes = frame.plane(PlaneKind::sagittal, true);
        QVERIFY(axes.u == 1 && axes.v == 2);
        Measurement measured{PlaneKind::sagittal, 0, {{4, 0}, {0, 0}, {0, 4}}};
        QVERIFY(std::abs(angleOf(measured, frame) - 60) < 1e-9);
        QVERIFY(std::abs(lengthsOf(measured, frame)[1] - 4) < 1e-12);
        measured.points = {{3, 0}, {0, 3}};
        QVERIFY(std::abs(lengthsOf(measured, frame)[0] - 3) < 1e-12);  // an equilateral triangle
    }
    void theScaleBarIsAsLongAsItSays() {
        for (const auto& [longest, expected] :
             std::map<double, double>{{1, 1}, {1.9, 1}, {2, 2}, {49, 20}, {0.7, 0.5}, {0.03, 0.02}, {600, 500}})
            QVERIFY2(std::abs(roundLength(longest) - expected) < 1e-12 * expected, qPrintable(QString::number(longest)));
        auto window = volumeWindow();
        QTemporaryDir folder;
        const QString raw = folder.filePath(QStringLiteral("v.bin"));
        const Image noise = makeSynthetic(parseSynthetic(kVolume.toStdString()));
        QVERIFY(writeFile(raw, {reinterpret_cast<const char*>(noise.samples().data()), static_cast<qsizetype>(noise.samples().bytes())}));
        QVERIFY(openAndWait(*window, QStringLiteral("raw:40x30x20,spacing=0.5x0.5x2:") + raw));
        window->volume().setPlanes(PlaneChoice::axial);
        window->setViewName("single");
        VolumePane& pane = window->volumeView().pane(PaneRole::a, PlaneKind::axial);
        QTRY_VERIFY_WITH_TIMEOUT(pane.isVisible() && pane.scaleBar(), kPatience);
        for (const double factor : {1.0, 3.3, 10.0}) {
            window->volume().setScale(window->volume().scale() * factor);
            const auto bar = pane.scaleBar();
            QVERIFY(bar && pane.rect().contains(bar->place) && bar->place.width() > 20);
            const QPointF a = pane.placeOf({0, 0, 10}), b = pane.placeOf({2, 0, 10});  // 1 mm
            QVERIFY(std::abs(bar->place.width() - bar->length * (b - a).x()) <= 1);
            QCOMPARE(bar->text, QLocale().toString(bar->length, 'g', 6) + QStringLiteral(" mm"));
        }
    }
    void unknownOrientationStaysUnknown() {
        auto window = volumeWindow();
        QTemporaryDir folder;
        // Raw samples, a generated volume, and NIfTI without orientation: spacing only.
        const QString raw = folder.filePath(QStringLiteral("plain.bin")), nifti = folder.filePath(QStringLiteral("unknown.nii"));
        const Image noise = makeSynthetic(parseSynthetic(kVolume.toStdString()));
        QVERIFY(writeFile(raw, {reinterpret_cast<const char*>(noise.samples().data()), static_cast<qsizetype>(noise.samples().bytes())}));
        (void)saveImage(noise, nifti.toStdString());
        QFile header(nifti);
        QVERIFY(header.open(QIODevice::ReadWrite) && header.seek(252));
        header.write(QByteArray(4, '\0'));  // qform_code and sform_code
        header.close();
        auto* radiological = window->findChild<QCheckBox*>("radiological");
        auto* planes = window->findChild<QComboBox*>("planes");
        for (const QString& input : {kVolume, QStringLiteral("raw:40x30x20,spacing=1x1x2:") + raw, nifti}) {
            QVERIFY2(openAndWait(*window, input), qPrintable(input));
            const VolumeFrame& frame = window->volume().frame();
            QVERIFY2(!frame.placed(), qPrintable(input));
            QVERIFY(letters(frame, PlaneKind::axial, true).isEmpty());
            // x points right and y down in both modes, and there are no patient positions.
            for (const bool chosen : {true, false}) {
                window->volume().setRadiological(chosen);
                const PlaneAxes axes = window->volume().axes(PlaneKind::axial);
                QVERIFY(axes.u == 0 && axes.v == 1 && !axes.flipU && !axes.flipV);
            }
            window->volume().setRadiological(true);
            QVERIFY2(!window->volumeView().probeText().contains("mm"), qPrintable(window->volumeView().probeText()));
            QVERIFY(!radiological->isEnabled() && radiological->toolTip().contains("no patient orientation"));
            QCOMPARE(planes->itemText(1), QStringLiteral("x, y"));
        }
        QCOMPARE(window->volume().frame().axis(2).extent(), 20.0);
        // It stays unknown after saving as raw samples.
        const QString again = folder.filePath(QStringLiteral("again.raw"));
        (void)saveImage(*window->session().original(), again.toStdString());
        QVERIFY(openAndWait(*window, again));
        QVERIFY(!window->volume().frame().placed());
    }
    void aFileOfSeveralVolumesHasAChooser() {
        auto window = volumeWindow();
        auto* chooser = window->findChild<QSpinBox*>("volumeOfFile");
        QVERIFY(openAndWait(*window, kVolume));
        QVERIFY(!chooser->isVisible());
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.nii"));
        QVERIFY(writeSeries(path, 3));
        QVERIFY(openAndWait(*window, path));
        QVERIFY(chooser->isVisible());
        QCOMPARE(chooser->text(), QStringLiteral("1 / 3"));  // counted from 1
        QVERIFY(chooser->toolTip().contains("FILE#0"));
        const QString text = window->messageBar().message().plainText();
        QVERIFY2(text.contains("Choose another one under Volume in the Inspector") && !text.contains('#'), qPrintable(text));
        window->volume().setCrosshair({1, 1, 1});
        const DisplaySettings shown = withWindow(window->view().display(), 120, 300);
        window->view().setDisplay(shown);
        chooser->setValue(3);
        QVERIFY(waitForIdle(*window));
        const ImagePtr& now = window->session().original();
        QCOMPARE(now->source.volume, std::int64_t{2});
        QCOMPARE(now->view().at(1, 1, 1), 200.0F + 17);
        QCOMPARE(chooser->value(), 3);
        // Position and display settings stay.
        QCOMPARE(window->volume().crosshair(), (Voxel{1, 1, 1}));
        QCOMPARE(window->view().display(), shown);
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().original()->source.volume, std::int64_t{2});
    }
    void aFileOfSeveralPagesHasAChooser() {
        auto window = shownWindow({1300, 900});
        auto* chooser = window->findChild<QSpinBox*>("volumeOfFile");
        QVERIFY(openAndWait(*window, PARALLAX_GOLDEN_FOLDER "/tiff/pages.tif"));
        QVERIFY(chooser->isVisible());
        QCOMPARE(chooser->maximum(), 3);
        const auto label = [&] {
            for (const QLabel* each : window->inspectorPanel().findChildren<QLabel*>())
                if (each->buddy() == chooser) return each->text();
            return QString();
        };
        QCOMPARE(label(), QStringLiteral("Page"));
        // The message counts as the chooser does, and names it.
        const QString text = window->messageBar().message().plainText();
        QVERIFY2(text.contains("holds 3 pages; the first was opened") && text.contains("under Page") && !text.contains('#'),
                 qPrintable(text));
        // A picture has no window of values.
        QVERIFY(!window->findChild<QComboBox*>("windowPreset")->isVisible());
        chooser->setValue(2);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().original()->source.volume, std::int64_t{1});
        QCOMPARE(window->session().original()->shape().channels, std::int64_t{3});
        QVERIFY(chooser->isVisible());
        QCOMPARE(chooser->value(), 2);
        QVERIFY(openAndWait(*window, "synthetic:gradient:30x20"));
        QVERIFY(!chooser->isVisible());
    }
    void wheelSliderAndKeysMoveSlices() {
        auto window = volumeWindow();
        QVERIFY(waitForActive(*window));
        QVERIFY(openAndWait(*window, kVolume));
        VolumeState& state = window->volume();
        VolumeView& view = window->volumeView();
        VolumePane& axial = view.pane(PaneRole::a, PlaneKind::axial);
        VolumePane& coronal = view.pane(PaneRole::a, PlaneKind::coronal);
        wheel(axial, 120);
        QCOMPARE(state.crosshair(), (Voxel{20, 15, 11}));  // up: to the head
        wheel(axial, -240);
        QCOMPARE(state.crosshair(), (Voxel{20, 15, 9}));
        wheel(axial, 60);
        QCOMPARE(state.crosshair(), (Voxel{20, 15, 9}));
        wheel(axial, 60);
        QCOMPARE(state.crosshair(), (Voxel{20, 15, 10}));
        wheel(coronal, 120);
        QCOMPARE(state.crosshair(), (Voxel{20, 14, 10}));  // to the front: against y, which goes to the back
        wheel(axial, 120, Qt::ShiftModifier);
        QCOMPARE(state.crosshair()[2], std::int64_t{19});  // ten, clamped to the volume
        const double scale = state.scale();
        wheel(axial, 120, Qt::ControlModifier);
        QVERIFY(state.scale() > scale && !state.fitting());
        window->findChild<QAction*>("fit")->trigger();
        QCOMPARE(state.scale(), scale);
        QCOMPARE(view.slider(PlaneKind::axial).value(), 19);
        view.slider(PlaneKind::axial).setValue(4);
        // Right is the same as wheel up, and the slider fills from the left: to the patient's right, against x.
        view.slider(PlaneKind::sagittal).setValue(view.slider(PlaneKind::sagittal).maximum() - 33);
        QCOMPARE(state.crosshair(), (Voxel{33, 14, 4}));
        QTest::keyClick(&axial, Qt::Key_Up);
        QTest::keyClick(&axial, Qt::Key_Right);
        QTest::keyClick(&axial, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(state.crosshair(), (Voxel{34, 15, 5}));
        QTest::keyClick(&axial, Qt::Key_Home);
        QCOMPARE(state.crosshair()[2], std::int64_t{19});
        QTest::keyClick(&axial, Qt::Key_End);
        QTest::keyClick(&axial, Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(state.crosshair()[2], std::int64_t{10});
        // Planes and crosshair have keys of the window.
        QTest::keyClick(window.get(), Qt::Key_3, Qt::AltModifier);
        QVERIFY(coronal.isVisible() && !axial.isVisible() && !view.slider(PlaneKind::axial).isVisible());
        QTest::keyClick(window.get(), Qt::Key_1, Qt::AltModifier);
        QVERIFY(coronal.isVisible() && axial.isVisible());
        QTest::keyClick(window.get(), Qt::Key_H);
        QVERIFY(!state.crosshairShown());
    }
    void panesShowTheSliceOrSlab() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        VolumeState& state = window->volume();
        state.setCrosshairShown(false);
        state.setSmooth(false);
        window->view().setDisplay(withWindow(window->view().display(), 0.5, 1));
        VolumePane& pane = window->volumeView().pane(PaneRole::a, PlaneKind::sagittal);
        const Image& image = *window->session().original();
        for (const SlabMode mode : {SlabMode::slice, SlabMode::maximum, SlabMode::minimum, SlabMode::mean}) {
            state.setSlabMode(mode);
            state.setSlabThickness(6);
            state.setCrosshair({17, 11, 9});
            QVERIFY(waitForIdle(*window));
            const QImage picture = pane.grab().toImage();
            int compared = 0;
            const std::vector<std::pair<int, int>> places{{8, 6}, {12, 12}, {20, 5}, {6, 14}, {22, 12}};
            for (const auto& [y, z] : places) {
                double expected = 0;
                const auto [first, last] = state.slab(0);
                QCOMPARE(last - first, std::int64_t{mode == SlabMode::slice ? 0 : 6});
                for (std::int64_t x = first; x <= last; ++x) {
                    const auto v = static_cast<double>(image.view().at(x, y, z));
                    if (x == first) expected = v;
                    else if (mode == SlabMode::mean) expected += v;
                    else expected = mode == SlabMode::maximum ? std::max(expected, v) : std::min(expected, v);
                }
                if (mode == SlabMode::mean) expected /= 7;
                const QPoint at = (pane.placeOf({17, y, z}) * picture.devicePixelRatio()).toPoint();
                if (qRed(picture.pixel(at)) != qBlue(picture.pixel(at))) continue;  // covered by a letter
                QVERIFY2(std::fabs(qRed(picture.pixel(at)) - 255 * expected) <= 1.5,
                         qPrintable(QStringLiteral("%1, %2: %3, not %4").arg(y).arg(z).arg(qRed(picture.pixel(at))).arg(255 * expected)));
                ++compared;
            }
            QVERIFY(compared >= 3);
        }
    }
    void slicesAndSlabsTellTheirPosition() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        VolumeState& state = window->volume();
        state.setCrosshair({17, 11, 9});
        state.setSlabThickness(6);
        const VolumePane& pane = window->volumeView().pane(PaneRole::a, PlaneKind::sagittal);
        // The longest that fits is shown; each tells the position.
        const QList<std::pair<SlabMode, QStringList>> expected{
            {SlabMode::slice, {"Plane y, z · Slice 18 / 40", "Slice 18 / 40", "18 / 40", "18"}},
            {SlabMode::maximum,
             {"Plane y, z · MIP 6 mm · 7 slices around 18", "MIP 6 mm · 7 slices around 18", "MIP · 18 / 40", "18 / 40", "18"}},
            {SlabMode::minimum,
             {"Plane y, z · MinIP 6 mm · 7 slices around 18", "MinIP 6 mm · 7 slices around 18", "MinIP · 18 / 40", "18 / 40", "18"}},
            {SlabMode::mean,
             {"Plane y, z · Mean 6 mm · 7 slices around 18", "Mean 6 mm · 7 slices around 18", "Mean · 18 / 40", "18 / 40", "18"}}};
        for (const auto& [mode, texts] : expected) {
            state.setSlabMode(mode);
            QCOMPARE(pane.sliceTexts(), texts);
        }
    }
    void lettersDoNotLookLikeNamesOfPanes() {
        // Letters of the patient's sides are yellow and bare; names of panes are white in a box with the colour of the pane.
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        window->volume().setCrosshairShown(false);
        window->view().setDisplay(withWindow(window->view().display(), 100, 1));  // black
        QVERIFY(waitForIdle(*window));
        VolumePane& pane = window->volumeView().pane(PaneRole::a, PlaneKind::axial);
        const QImage picture = pane.grab().toImage();
        const auto letters = pane.letters();
        QVERIFY(!letters.empty());
        for (const VolumePane::Letter& letter : letters) {
            int yellow = 0, blue = 0;
            for (int y = letter.box.top(); y <= letter.box.bottom(); ++y)
                for (int x = letter.box.left(); x <= letter.box.right(); ++x) {
                    const QRgb at = picture.pixel(x, y);
                    yellow += qRed(at) > qBlue(at) + 60 ? 1 : 0;
                    blue += qBlue(at) > qRed(at) + 20 ? 1 : 0;
                }
            QVERIFY2(yellow > 3 && blue == 0, qPrintable(letter.text));
        }
    }
    void largeSlabsAreComputedInTheBackground() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:256x256x256"));
        window->volume().setSlabMode(SlabMode::mean);
        window->volume().setSlabThickness(1000);
        VolumePane& pane = window->volumeView().pane(PaneRole::a, PlaneKind::sagittal);
        (void)pane.grab();
        QVERIFY(!pane.settled());  // 16 million samples are too many for a frame
        QVERIFY(waitForIdle(*window));
        const QImage picture = pane.grab().toImage();
        // The mean of 0 to 1 along x, everywhere.
        const double black = windowCentre(window->view().display()) - 0.5 * windowWidth(window->view().display());
        const double expected = 255 * (0.5 - black) / windowWidth(window->view().display());
        const QPoint at = (pane.placeOf({128, 100, 100}) * picture.devicePixelRatio()).toPoint();
        QVERIFY(std::fabs(qRed(picture.pixel(at)) - expected) <= 1.5);
    }
    void lettersDoNotOverlapTheSlice() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        VolumeView& view = window->volumeView();
        int letters = 0;
        for (const QSize& size : {QSize(1300, 900), QSize(900, 700), QSize(760, 620)}) {
            window->resize(size);
            for (const SlabMode mode : {SlabMode::slice, SlabMode::maximum}) {
                window->volume().setSlabMode(mode);
                QVERIFY(waitForIdle(*window));
                for (const PlaneKind kind : kAllPlanes) {
                    const VolumePane& pane = view.pane(PaneRole::a, kind);
                    for (const VolumePane::Letter& letter : pane.letters()) {
                        QVERIFY(pane.rect().contains(letter.box));
                        QVERIFY2(!pane.slicePlace().intersects(letter.box), qPrintable(letter.text));
                        ++letters;
                    }
                }
            }
        }
        QVERIFY(letters > 20);
    }
};

QTEST_MAIN(VolumePlanesTest)
#include "volume_planes_test.moc"
