// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes in the window: orientation, slices and slabs, linked planes, window and level, keyboard, and known facts of real CT series.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QTemporaryDir>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/view/pixel_model.hpp"
#include "ui/models/volume/side_slices.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
// Odd sizes and unequal spacing reveal swapped axes.
const QString kVolume = QStringLiteral("synthetic:noise:40x30x20");

/// Rows to the left, columns to the back, slices to the head.
Geometry straight(std::array<double, 3> spacing) {
    return {.spacing = spacing, .origin = {-10, -20, 30}, .direction = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .unit = "HU", .slicePositions = {}};
}

/// As sagittal MR: rows to the back, columns to the feet, slices to the right.
Geometry sagittal() {
    return {.spacing = {1, 2, 3}, .origin = {0, 0, 0}, .direction = {0, 0, -1, 1, 0, 0, 0, -1, 0}, .unit = "", .slicePositions = {}};
}

ImagePtr randomVolume(Shape shape, bool withNan = false) {
    Buffer buffer(shape);
    std::mt19937 random(7);
    std::uniform_real_distribution<float> values(-1000, 1000);
    for (std::int64_t i = 0; i < shape.samples(); ++i) buffer.view<float>().data[i] = values(random);
    if (withNan) buffer.view<float>().at(1, 2, 3) = kNan;
    return std::make_shared<const Image>(std::move(buffer));
}

std::vector<float> bytesOf(const Image& image) { return {image.view().data, image.view().data + image.shape().samples()}; }

QString letters(const VolumeFrame& frame, PlaneKind kind, bool radiological) {
    const PlaneAxes axes = frame.plane(kind, radiological);
    return frame.letters(axes.u, axes.flipU) + frame.letters(axes.u, !axes.flipU) + frame.letters(axes.v, axes.flipV) +
           frame.letters(axes.v, !axes.flipV);
}

void wheel(QWidget& widget, int delta, Qt::KeyboardModifiers modifiers = {}) {
    ui::wheel(widget, widget.rect().center(), delta, modifiers);
}

/// A window that shows volumes without processing, A and the original.
std::unique_ptr<MainWindow> volumeWindow() {
    auto window = shownWindow({1300, 900});
    window->session().pipeline().setEnabled(0, false);
    return window;
}

QString dataFolder() { return qEnvironmentVariable("PARALLAX_TEST_DATA", PARALLAX_TEST_DATA_DEFAULT); }

}  // namespace

class VolumeTest : public QObject {
    Q_OBJECT
private slots:
    void positionsAlongAnAxis() {
        for (const AxisMap& axis : {AxisMap(5, 2.5), AxisMap(std::vector<double>{0, 5, 10, 20, 21})}) {
            QCOMPARE(axis.count(), std::int64_t{5});
            for (double i = -1; i <= 5.5; i += 0.25) QVERIFY(std::fabs(axis.indexOf(axis.mmOf(i)) - i) < 1e-9);
            for (std::int64_t i = 0; i < 5; ++i) QCOMPARE(axis.nearest(axis.mmOf(static_cast<double>(i))), i);
            QCOMPARE(axis.nearest(-100), std::int64_t{0});
            QCOMPARE(axis.nearest(1000), std::int64_t{4});
            QVERIFY(axis.holds(0) && !axis.holds(axis.extent()) && !axis.holds(-0.01));
        }
        // From half of the first distance before the first slice to half of the last one behind the last.
        QCOMPARE(AxisMap(std::vector<double>{0, 5, 10, 20, 21}).extent(), 2.5 + 21 + 0.5);
        QCOMPARE(AxisMap(std::vector<double>{0, 5, 10, 20, 21}).mmOf(3), 2.5 + 20);
        QCOMPARE(AxisMap(7, 0).extent(), 7.0);  // no spacing: 1
    }
    void planesFollowTheOrientation() {
        const VolumeFrame axial({40, 30, 20, 1}, straight({1, 1, 5}));
        QCOMPARE(letters(axial, PlaneKind::axial, true), QStringLiteral("RLAP"));
        QCOMPARE(letters(axial, PlaneKind::coronal, true), QStringLiteral("RLSI"));
        QCOMPARE(letters(axial, PlaneKind::sagittal, true), QStringLiteral("APSI"));
        QCOMPARE(letters(axial, PlaneKind::axial, false), QStringLiteral("LRAP"));
        QCOMPARE(letters(axial, PlaneKind::coronal, false), QStringLiteral("LRSI"));
        QCOMPARE(letters(axial, PlaneKind::sagittal, false), QStringLiteral("APSI"));
        QCOMPARE(axial.plane(PlaneKind::axial, true).n, 2);
        QCOMPARE(axial.obliqueness(), 0.0);
        // The planes do not depend on the acquisition.
        const VolumeFrame mr({40, 30, 20, 1}, sagittal());
        for (const PlaneKind kind : kAllPlanes)
            for (const bool radiological : {true, false}) QCOMPARE(letters(mr, kind, radiological), letters(axial, kind, radiological));
        QCOMPARE(mr.plane(PlaneKind::sagittal, true).n, 2);
        QCOMPARE(mr.plane(PlaneKind::axial, true).n, 1);
        QCOMPARE(mr.plane(PlaneKind::coronal, true).n, 0);
        // Wheel up moves to the head: here against the index.
        QCOMPARE(mr.plane(PlaneKind::axial, true).towards, -1);
        QCOMPARE(mr.plane(PlaneKind::sagittal, true).towards, 1);
        // Tilted by 30 degrees about the patient's x axis: both letters, the stronger first.
        Geometry tilted = straight({1, 1, 1});
        const double c = std::cos(M_PI / 6), s = 0.5;
        tilted.direction = {1, 0, 0, 0, c, -s, 0, s, c};
        const VolumeFrame oblique({10, 10, 10, 1}, tilted);
        QCOMPARE(letters(oblique, PlaneKind::axial, true), QStringLiteral("RLAIPS"));
        QVERIFY(std::fabs(oblique.obliqueness() - 30) < 1e-9);
        QCOMPARE(letters(VolumeFrame({4, 4, 4, 1}, std::nullopt), PlaneKind::axial, true), QString());
        QCOMPARE(patientText({-12.34, 0, 100}), QStringLiteral("R 12.3 · P 0.0 · S 100.0 mm"));
        QCOMPARE(axial.patientOf({3, 4, 5}), (std::array<double, 3>{-7, -16, 55}));
    }
    void cachedSlicesEqualExtractedOnes() {
        // Moves across edges of groups and volume, with other planes, sizes, modes and volumes in between.
        const ImagePtr volumes[] = {randomVolume({83, 21, 6, 1}, true), randomVolume({83, 21, 6, 1}, false),
                                    randomVolume({5, 1, 40, 1}, true)};
        std::mt19937 random(7);
        SideSlices side;
        PlaneSlice kept, plain;
        const ImagePtr* volume = &volumes[0];
        std::int64_t first = 0, thickness = 0;
        int u = 1, v = 2, n = 0;
        SlabMode mode = SlabMode::slice;
        for (int i = 0; i < 3000; ++i) {
            const unsigned what = random() % 100;
            if (what < 40) ++first;
            else if (what < 70) --first;
            else if (what < 80) first += static_cast<std::int64_t>(random() % 41) - 20;
            else if (what < 84) first = static_cast<std::int64_t>(random() % 83);
            else if (what < 90) thickness = static_cast<std::int64_t>(random() % 40);
            else if (what < 94) mode = std::array{SlabMode::slice, SlabMode::maximum, SlabMode::minimum, SlabMode::mean}[random() % 4];
            else if (what < 96) std::swap(u, v);
            else if (what < 97) std::swap(n, random() % 2 == 0 ? u : v);
            else if (what < 98) volume = &volumes[random() % 3];
            else if (what < 99) side.clear();
            const std::array<std::int64_t, 3> counts{(*volume)->shape().width, (*volume)->shape().height, (*volume)->shape().depth};
            first = std::clamp<std::int64_t>(first, 0, counts[static_cast<std::size_t>(n)] - 1);
            const SliceRequest request{u, v, n, first, first + thickness, mode, random() % 2 == 0};
            side.extract((*volume)->view(), request, kept);
            extractSlice((*volume)->view(), request, plain);
            QCOMPARE(kept.width, plain.width);
            QCOMPARE(kept.height, plain.height);
            QVERIFY2(std::memcmp(kept.samples.data(), plain.samples.data(), plain.samples.size() * sizeof(float)) == 0,
                     qPrintable(QStringLiteral("step %1, slices %2 to %3").arg(i).arg(first).arg(first + thickness)));
        }
    }
    void slicesAndSlabsEqualPlainLoops() {
        const ImagePtr volume = randomVolume({9, 7, 6, 1}, true);
        const View<const float> view = volume->view();
        const std::array<std::int64_t, 3> n{9, 7, 6};
        const auto axis = [&](int a) { return n[static_cast<std::size_t>(a)]; };
        const std::vector<std::array<int, 3>> orders{{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
        for (const auto& [u, v, w] : orders)
            for (const SlabMode mode : {SlabMode::slice, SlabMode::maximum, SlabMode::minimum, SlabMode::mean})
                for (const bool magnitude : {false, true})
                    for (std::int64_t first = 0; first < axis(w); ++first)
                        for (std::int64_t last = first; last < axis(w); ++last) {
                            if (mode == SlabMode::slice && last > first) break;
                            PlaneSlice out;
                            const SliceRequest request{u, v, w, first, last, mode, magnitude};
                            extractSlice(view, request, out);
                            QCOMPARE(out.width, axis(u));
                            QCOMPARE(out.height, axis(v));
                            for (std::int64_t y = 0; y < out.height; ++y)
                                for (std::int64_t x = 0; x < out.width; ++x) {
                                    double expected = 0;
                                    bool nan = false;
                                    for (std::int64_t k = first; k <= last; ++k) {
                                        Voxel at{};
                                        at[static_cast<std::size_t>(u)] = x;
                                        at[static_cast<std::size_t>(v)] = y;
                                        at[static_cast<std::size_t>(w)] = k;
                                        const double s = static_cast<double>(view.at(at[0], at[1], at[2]));
                                        nan = nan || std::isnan(s);
                                        if (k == first) expected = s;
                                        else if (mode == SlabMode::mean) expected += s;
                                        else if (magnitude) expected = std::fabs(s) > std::fabs(expected) ? s : expected;
                                        else if (mode == SlabMode::maximum) expected = std::max(expected, s);
                                        else expected = std::min(expected, s);
                                    }
                                    if (mode == SlabMode::mean) expected /= static_cast<double>(last - first + 1);
                                    const auto got = static_cast<double>(out.row(y)[x]);
                                    QVERIFY(nan ? std::isnan(got) : std::fabs(got - expected) <= 1e-3);
                                }
                        }
    }
    void slabsCoverTheirThickness() {
        VolumeState state;
        state.setFrame(VolumeFrame({40, 30, 20, 1}, straight({1, 1, 5})));
        state.setCrosshair({20, 15, 10});
        QCOMPARE(state.slab(2), (std::pair<std::int64_t, std::int64_t>(10, 10)));
        state.setSlabMode(SlabMode::maximum);
        const std::vector<std::pair<double, int>> thicknesses{{0.0, 0}, {9.9, 0}, {10.0, 1}, {20.0, 2}, {29.0, 2}};
        for (const auto& [mm, expected] : thicknesses) {
            state.setSlabThickness(mm);
            QCOMPARE(state.slab(2), (std::pair<std::int64_t, std::int64_t>(10 - expected, 10 + expected)));
        }
        state.setCrosshair({20, 15, 1});
        QCOMPARE(state.slab(2), (std::pair<std::int64_t, std::int64_t>(0, 3)));
        state.setSlabThickness(1000);
        QCOMPARE(state.slab(0), (std::pair<std::int64_t, std::int64_t>(0, 39)));
    }
    void pixelsShowTheVoxelsUnderThem() {
        const ImagePtr volume = randomVolume({9, 7, 6, 1});
        const AxisMap x(9, 0.7), y(std::vector<double>{0, 1, 2, 4, 5, 9, 10});
        PlaneSlice slice;
        extractSlice(volume->view(), {0, 1, 2, 3, 3, SlabMode::slice, false}, slice);
        DisplaySettings display = withWindow({}, 0, 2000);
        const PlaneColours colours({.display = display}, false);
        const auto grey = [&](float v) { return std::lround(255 * std::clamp((static_cast<double>(v) + 1000) / 2000, 0.0, 1.0)); };
        // Enlarged, straight and mirrored.
        for (const bool mirrored : {false, true}) {
            const int w = 63, h = 110;
            const double sx = x.extent() / w, sy = y.extent() / h;
            const AxisTaps columns(x, mirrored ? x.extent() : 0, mirrored ? -sx : sx, w, PlaneFilter::voxels);
            const AxisTaps rows(y, 0, sy, h, PlaneFilter::voxels);
            const QImage picture = renderPlane(slice, columns, rows, PlaneFilter::voxels, colours);
            QCOMPARE(picture.size(), QSize(w, h));
            for (int py = 0; py < h; ++py)
                for (int px = 0; px < w; ++px) {
                    const double mm = mirrored ? x.extent() - (px + 0.5) * sx : (px + 0.5) * sx;
                    const float v = slice.row(y.nearest((py + 0.5) * sy))[x.nearest(mm)];
                    QVERIFY(std::labs(qRed(picture.pixel(px, py)) - grey(v)) <= 1);
                }
        }
        // Reduced: means whose weights add up to 1, and the strongest sample for differences.
        for (const PlaneFilter filter : {PlaneFilter::smooth, PlaneFilter::voxels, PlaneFilter::strongest}) {
            for (const int pixels : {1, 2, 4, 6, 30}) {
                const AxisTaps taps(y, 0, y.extent() / pixels, pixels, filter);
                for (const AxisTaps::Pixel& p : taps.pixels()) {
                    float sum = 0;
                    for (int k = 0; k < p.count; ++k) sum += taps.weights(p)[k];
                    QVERIFY(std::fabs(sum - 1) < 1e-6F);
                    QVERIFY(p.first >= 0 && p.first + p.count <= y.count());
                }
            }
        }
        float strongest = 0;
        for (const float v : slice.samples) strongest = std::fabs(v) > std::fabs(strongest) ? v : strongest;
        const QImage one = renderPlane(slice, AxisTaps(x, 0, x.extent(), 1, PlaneFilter::strongest),
                                       AxisTaps(y, 0, y.extent(), 1, PlaneFilter::strongest), PlaneFilter::strongest, colours);
        QVERIFY(std::labs(qRed(one.pixel(0, 0)) - grey(strongest)) <= 1);
        // Between two centres in the middle: their mean.
        const AxisTaps smooth(x, 0.35, 0.7, 8, PlaneFilter::smooth);
        QCOMPARE(smooth.pixels()[2].count, 2);
        QVERIFY(std::fabs(smooth.weights(smooth.pixels()[2])[0] - 0.5F) < 1e-5F);
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
        // Three volumes of 4 x 3 x 2: values 0 to 23, 100 to 123, 200 to 223.
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("series.nii"));
        Buffer samples(Shape{4, 3, 2, 1});
        for (std::int64_t i = 0; i < 24; ++i) samples.view<float>().data[i] = static_cast<float>(i);
        Image one(std::move(samples));
        one.geometry = straight({1, 1, 1});
        (void)saveImage(one, path.toStdString());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(40));
        const std::int16_t dims[] = {4, 4, 3, 2, 3};
        file.write(reinterpret_cast<const char*>(dims), sizeof(dims));
        file.seek(file.size());
        for (int volume = 1; volume < 3; ++volume)
            for (int i = 0; i < 24; ++i) {
                const auto value = static_cast<float>(100 * volume + i);
                file.write(reinterpret_cast<const char*>(&value), sizeof(value));
            }
        file.close();
        QVERIFY(openAndWait(*window, path));
        QVERIFY(chooser->isVisible());
        QCOMPARE(chooser->maximum(), 3);  // counted from 1
        QVERIFY(chooser->toolTip().contains("FILE#0"));
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
    void theDocumentDecidesWhichViewIsShown() {
        auto window = volumeWindow();
        const auto visible = [&](bool volume) {
            return window->volumeView().isVisible() == volume && window->compareView().isVisible() != volume &&
                   window->findChild<QAction*>("planes-axial")->isEnabled() == volume &&
                   window->findChild<QAction*>("select-all")->isEnabled() != volume &&
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
    void trueAspect() {
        VolumeState state;
        ViewState view;
        Background slabs;
        // A common check of 3D viewers: voxels of 0.5 x 0.5 x 5 mm.
        state.setFrame(VolumeFrame({64, 64, 12, 1}, straight({0.5, 0.5, 5})));
        VolumePane pane(state, view, slabs, PlaneKind::coronal);
        pane.resize(400, 400);
        state.setPaneSize(QSizeF(400, 400));
        const QPointF a = pane.placeOf({10, 10, 5}), b = pane.placeOf({20, 10, 6});
        QVERIFY(std::fabs((b.x() - a.x()) - (a.y() - b.y())) < 1e-9);  // 10 x 0.5 mm as 1 x 5 mm
        QVERIFY(std::fabs((b.x() - a.x()) - 5 * 400.0 / 60) < 1e-9);   // 12 x 5 mm fill the height
    }
    void factsOfRealSeries() {
        if (qEnvironmentVariable("PARALLAX_DATA_TESTS") == "apart") QSKIP("it is a test of its own");
        QFile facts(dataFolder() + "/facts.json");
        if (!facts.open(QIODevice::ReadOnly)) QSKIP(qPrintable("The test data are absent: no facts.json in " + dataFolder()));
        auto window = volumeWindow();
        VolumeState& state = window->volume();
        int volumes = 0, voxels = 0;
        for (const QJsonValue& value : QJsonDocument::fromJson(facts.readAll()).object().value("entries").toArray()) {
            const QJsonObject entry = value.toObject();
            const QString path = dataFolder() + '/' + entry.value("path").toString();
            const QJsonArray series = entry.value("facts").toObject().value("series").toArray();
            if (entry.value("kind").toString() != "dicom_series" || series.size() != 1 || !QFileInfo::exists(path)) continue;
            const QJsonObject fact = series[0].toObject();
            const QJsonArray dims = fact.value("volume_dims_xyz").toArray(), spacing = fact.value("spacing_zyx").toArray();
            if (dims.size() != 3 || dims[2].toInt() < 2) continue;
            QVERIFY2(openAndWait(*window, path) && window->session().inputName() == path, qPrintable(path));
            ++volumes;
            QVERIFY(window->volumeView().isVisible());
            // The title never shows the folder's name.
            QVERIFY(!window->windowTitle().contains(QFileInfo(path).fileName().isEmpty() ? "S2010" : QFileInfo(path).fileName()));
            QVERIFY(window->windowTitle().contains(fact.value("modality").toString()));
            for (const PlaneKind kind : kAllPlanes)
                QVERIFY(state.frame().letters(state.axes(kind).v, state.axes(kind).flipV).startsWith(kind == PlaneKind::axial ? 'A' : 'S'));
            QCOMPARE(state.frame().letters(state.axes(PlaneKind::axial).u, state.axes(PlaneKind::axial).flipU), QStringLiteral("R"));
            for (int a = 0; a < 3; ++a) {
                QCOMPARE(state.frame().counts()[static_cast<std::size_t>(a)], std::int64_t{dims[a].toInt()});
                // For tilted slices the expected spacing is along the normal.
                if (fact.value("even_spacing").toBool() && std::fabs(fact.value("tilt_deg").toDouble()) < 0.1)
                    QVERIFY(std::fabs(state.frame().axis(a).extent() / dims[a].toInt() - spacing[2 - a].toDouble()) <
                            1e-4 * spacing[2 - a].toDouble());
            }
            const QJsonArray origin = fact.value("origin").toArray();
            const auto corner = state.frame().patientOf({0, 0, 0});
            for (int a = 0; a < 3; ++a) QVERIFY(std::fabs(corner[static_cast<std::size_t>(a)] - origin[a].toDouble()) < 1e-3);
            for (const QJsonValue& each : fact.value("voxels").toArray()) {
                const QJsonObject voxel = each.toObject();
                const Voxel at{voxel.value("x").toInt(), voxel.value("y").toInt(), voxel.value("z").toInt()};
                state.setCrosshair(at);
                window->view().setCursor(std::nullopt);
                const QString probe = window->volumeView().probeText();
                const QString shown = QStringLiteral(" A %1 ").arg(formatSample(voxel.value("hu").toDouble()));
                QVERIFY2(probe.contains(shown), qPrintable(probe + " | " + shown));
                QVERIFY(probe.contains(QStringLiteral("x %1, y %2, z %3").arg(at[0]).arg(at[1]).arg(at[2])));
                // The Inspector's table shows the value under the mouse in every plane.
                for (const PlaneKind kind : kAllPlanes) {
                    VolumePane& pane = window->volumeView().pane(PaneRole::a, kind);
                    state.setScale(8 / state.frame().finestSpacing());  // voxels large enough to hit
                    state.panBy(kind, QPointF(pane.rect().center()) - pane.placeOf(at));
                    const QPointF place = pane.placeOf(at);
                    QMouseEvent move(QEvent::MouseMove, place, pane.mapToGlobal(place), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
                    QApplication::sendEvent(&pane, &move);
                    if (!pane.rect().contains(place.toPoint())) continue;  // pans stop at the edge
                    const auto sample = window->inspectorPanel().pixels().sample(0, PixelModel::aColumn);
                    QVERIFY(sample.has_value());
                    QCOMPARE(*sample, voxel.value("hu").toDouble());
                    ++voxels;
                }
                state.fit();
            }
            if (path.contains("philips_S21570")) {
                state.setCrosshair({255, 255, 13});
                window->view().setCursor(std::nullopt);
                QVERIFY2(window->volumeView().probeText().contains(QStringLiteral("S 761.2 mm")),
                         qPrintable(window->volumeView().probeText()));
                QVERIFY(window->findChild<QComboBox*>("windowPreset")->count() >= 7);
            }
        }
        qInfo("%d series, %d voxels under the mouse", volumes, voxels);
        QVERIFY(volumes >= 4 && voxels >= 50);
    }
};

QTEST_MAIN(VolumeTest)
#include "volume_test.moc"
