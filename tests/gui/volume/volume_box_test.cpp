// SPDX-License-Identifier: GPL-3.0-or-later
// A box of voxels: drawn, moved and resized in the planes, with the statistics of the voxels in it.
#include <QAction>
#include <QClipboard>
#include <QToolButton>
#include <cmath>
#include <limits>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/inspector/selection_panel.hpp"
#include "ui/models/volume/box_edit.hpp"
#include "ui/session/session.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr SampleBox kBox{.first = {6, 8, 5}, .extent = {25, 14, 9}};

/// The volumes of tests/oracles/make_box_statistics.py.
Image formulaVolume(bool second) {
    Buffer buffer(Shape{40, 30, 20, 1});
    const View<float> view = buffer.view<float>();
    for (int z = 0; z < 20; ++z)
        for (int y = 0; y < 30; ++y)
            for (int x = 0; x < 40; ++x) {
                const float a = static_cast<float>((x * 7 + y * 13 + z * 29) % 101) * 1.5F - 40;
                view.at(x, y, z) = second ? a + static_cast<float>((x * 3 + y * 5 + z * 11) % 17 - 8) * 0.25F : a;
            }
    if (!second) view.at(9, 12, 7) = kNan;
    return Image(std::move(buffer));
}

/// As make_box_statistics.py prints them: mean, standard deviation, minimum, the percentiles, maximum.
void compare(const ChannelStatistics& s, std::uint64_t finite, const std::array<double, 11>& numpy) {
    QCOMPARE(s.finite, finite);
    QCOMPARE(s.finite + s.notFinite, static_cast<std::uint64_t>(kBox.samples()));
    std::array<double, 11> ours{s.mean, s.deviation, s.minimum};
    std::copy(s.percentiles.begin(), s.percentiles.end(), ours.begin() + 3);
    ours.back() = s.maximum;
    for (std::size_t i = 0; i < ours.size(); ++i)
        QVERIFY2(std::abs(ours[i] - numpy[i]) < 1e-9,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(i).arg(ours[i], 0, 'g', 12).arg(numpy[i], 0, 'g', 12)));
}

}  // namespace

class VolumeBoxTest : public QObject {
    Q_OBJECT
private slots:
    void statisticsAgreeWithNumpy() {
        const Image a = formulaVolume(false), b = formulaVolume(true);
        compare(channelStatistics(a, kBox, {})[0], 3149,
                {35.22483328040648, 43.71940364793473, -40.0, -38.5, -32.5, -2.5, 35.0, 72.5, 103.39999999999986, 110.0, 110.0});
        compare(channelStatistics(b, kBox, {})[0], 3150,
                {35.20880952380952, 43.738958127812964, -42.0, -39.0, -33.0, -2.75, 35.125, 73.0, 103.0, 109.5, 112.0});
        compare(differenceStatistics(a, b, kBox, {})[0], 3149,
                {-0.000952683391552874, 1.2246958834626707, -2.0, -2.0, -2.0, -1.0, 0.0, 1.0, 2.0, 2.0, 2.0});
        // A single voxel, and no finite one.
        const ChannelStatistics one = channelStatistics(b, SampleBox{.first = {39, 29, 19}, .extent = {1, 1, 1}}, {})[0];
        for (const double percentile : one.percentiles) QCOMPARE(percentile, static_cast<double>(b.view().at(39, 29, 19)));
        const ChannelStatistics none = channelStatistics(a, SampleBox{.first = {9, 12, 7}, .extent = {1, 1, 1}}, {})[0];
        QCOMPARE(none.finite, std::uint64_t{0});
        QCOMPARE(none.notFinite, std::uint64_t{1});
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(channelStatistics(a, kBox, stop.get_token()), Error);
    }
    void volumesInCubicMillimetres() {
        Geometry geometry = straight({0.5, 2, 3});
        const Shape shape{40, 30, 20, 1};
        QVERIFY(std::abs(volumeOf(kBox, VolumeFrame(shape, geometry)) - 25 * 0.5 * 14 * 2 * 9 * 3) < 1e-9);
        QVERIFY(std::abs(volumeOf(kBox, VolumeFrame(shape, std::nullopt)) - static_cast<double>(kBox.samples())) < 1e-9);
        // Axes at 60 degrees.
        geometry.direction = {1, 0, 0, 0, 1, 0.5, 0, 0, std::sqrt(0.75)};
        QVERIFY(std::abs(volumeOf(kBox, VolumeFrame(shape, geometry)) - std::sqrt(0.75) * 25 * 0.5 * 14 * 2 * 9 * 3) < 1e-6);
        // Slices of unequal distances, whose edges are midway between them.
        geometry = straight({1, 1, 1});
        geometry.slicePositions = {0, 1, 3, 7};
        const SampleBox middle{.first = {0, 0, 1}, .extent = {1, 1, 2}};
        QVERIFY(std::abs(volumeOf(middle, VolumeFrame(Shape{2, 2, 4, 1}, geometry)) - 4.5) < 1e-9);
    }
    void boxesStayInTheVolume() {
        const VolumeFrame frame(Shape{40, 30, 20, 1}, std::nullopt);
        const PlaneAxes axes = frame.plane(PlaneKind::axial, true);
        // As deep as the shorter side, around the slice.
        const SampleBox drawn = boxBetween(frame, axes, 10, {8.5, 20.5}, {2.5, 10.5});
        QCOMPARE(drawn, (SampleBox{.first = {2, 10, 7}, .extent = {7, 11, 7}}));
        QCOMPARE(boxBetween(frame, axes, 1, {2.5, 10.5}, {30.5, 28.5}).first[2], std::int64_t{0});
        QCOMPARE(boxBetween(frame, axes, 10, {5.5, 5.5}, {5.6, 5.6}), (SampleBox{.first = {5, 5, 10}, .extent = {1, 1, 1}}));
        // Sides: not through each other, and not out of the volume.
        QCOMPARE(dragged(drawn, {.u = 1}, frame, axes, {9, 15}, {15.2, 15}).extent[0], std::int64_t{13});
        QCOMPARE(dragged(drawn, {.u = 1}, frame, axes, {9, 15}, {-7, 15}), (SampleBox{.first = {2, 10, 7}, .extent = {1, 11, 7}}));
        QCOMPARE(dragged(drawn, {.u = -1, .v = 1}, frame, axes, {2, 21}, {-50, 90}),
                 (SampleBox{.first = {0, 10, 7}, .extent = {9, 20, 7}}));
        QCOMPARE(dragged(drawn, {}, frame, axes, {5, 15}, {-90, 17}), (SampleBox{.first = {0, 12, 7}, .extent = {7, 11, 7}}));
        // The mouse holds a corner, a side, the whole, nothing.
        const QRectF edges(2, 10, 7, 11);
        QCOMPARE(edgesOf(drawn, frame, axes), edges);
        QVERIFY((gripAt(edges, {2.3, 10.2}, 0.5) == BoxGrip{-1, -1}));
        QVERIFY((gripAt(edges, {9.2, 15}, 0.5) == BoxGrip{1, 0}));
        QVERIFY(gripAt(edges, {5, 15}, 0.5)->holdsWhole());
        QVERIFY(!gripAt(edges, {1.4, 15}, 0.5));
    }
    void isDrawnAndChangedInThePlanes() {
        auto window = volumeWindow();
        QVERIFY(openAndWait(*window, kVolume));
        VolumeState& state = window->volume();
        VolumePane& axial = window->volumeView().pane(PaneRole::a, PlaneKind::axial);
        VolumePane& coronal = window->volumeView().pane(PaneRole::a, PlaneKind::coronal);
        const Voxel middle = state.crosshair();
        const auto at = [](const VolumePane& pane, Voxel voxel) { return pane.placeOf(voxel).toPoint(); };
        // Without the tool a drag moves the crosshair.
        drag(axial, at(axial, {10, 10, middle[2]}), at(axial, {20, 20, middle[2]}));
        QVERIFY(!state.box());
        state.setCrosshair(middle);
        auto* tool = window->findChild<QAction*>("select");
        QVERIFY(tool->isEnabled());
        tool->trigger();
        drag(axial, at(axial, {10, 8, middle[2]}), at(axial, {21, 17, middle[2]}));
        const SampleBox drawn = state.box().value();
        QCOMPARE(drawn.first, (std::array<std::int64_t, 3>{10, 8, drawn.first[2]}));
        QCOMPARE(drawn.extent[0], std::int64_t{12});
        QCOMPARE(drawn.extent[1], std::int64_t{10});
        QVERIFY(crosses(drawn, state.axes(PlaneKind::axial), middle[2]));
        QVERIFY(drawn.extent[2] > 1);
        QCOMPARE(state.crosshair(), middle);
        // Another plane has its sides, too: the upper one moves by two slices.
        const QRectF place = coronal.boxPlace();
        QVERIFY(!place.isEmpty());
        const QPointF slice = coronal.placeOf(Voxel{0, 0, 1}) - coronal.placeOf(Voxel{0, 0, 0});
        const QPoint side(qRound(place.center().x()), qRound(slice.y() > 0 ? place.bottom() : place.top()));
        drag(coronal, side, side + QPoint(0, qRound(2 * slice.y())));
        QCOMPARE(state.box()->extent[2], drawn.extent[2] + 2);
        QCOMPARE(state.box()->first, drawn.first);
        // Inside, it moves as a whole.
        const SampleBox before = *state.box();
        const QPoint within = axial.boxPlace().center().toPoint();
        const QPointF voxel = axial.placeOf(Voxel{1, 1, 0}) - axial.placeOf(Voxel{0, 0, 0});
        drag(axial, within, within + QPoint(qRound(3 * voxel.x()), qRound(-2 * voxel.y())));
        QCOMPARE(state.box()->extent, before.extent);
        QCOMPARE(state.box()->first, (std::array<std::int64_t, 3>{before.first[0] + 3, before.first[1] - 2, before.first[2]}));
        // A click beside it removes it.
        QTest::mouseClick(&axial, Qt::LeftButton, {}, at(axial, {38, 28, middle[2]}));
        QVERIFY(!state.box());
        // By the keyboard.
        window->findChild<QAction*>("select-all")->trigger();
        QCOMPARE(*state.box(), (SampleBox{.first = {}, .extent = {40, 30, 20}}));
        window->findChild<QAction*>("deselect")->trigger();
        QVERIFY(!state.box());
        // Only one tool at a time.
        window->findChild<QAction*>("ruler")->trigger();
        QVERIFY(state.measuring() && !tool->isChecked());
        tool->trigger();
        QVERIFY(!state.measuring() && tool->isChecked());
        // Another volume has no box.
        state.setBox(kBox);
        QVERIFY(openAndWait(*window, "synthetic:noise:30x30x30"));
        QVERIFY(!state.box());
    }
    void theInspectorShowsAndCopiesStatistics() {
        auto window = shownWindow({1300, 900});
        QVERIFY(openAndWait(*window, kVolume));
        setSteps(*window, {"convolve:kernel=box,size=3"});
        QVERIFY(waitForIdle(*window));
        auto* panel = window->findChild<SelectionPanel*>();
        QVERIFY2(panel->text().contains("No selection"), qPrintable(panel->text()));
        QVERIFY(panel->table().isEmpty());
        window->volume().setBox(kBox);
        const auto& region = window->session().panes().region();
        QTRY_VERIFY_WITH_TIMEOUT(region && region->box == kBox && region->difference, kPatience);
        QVERIFY2(panel->text().contains("3,150 voxels"), qPrintable(panel->text()));
        for (const char* title : {"mean", "σ", "min", "median", "95 %", "max"})
            QVERIFY2(panel->text().contains(QLatin1String(">") + QString::fromUtf8(title) + "<"), title);
        // Results and their difference.
        const ImagePtr a = window->session().imageOf(PaneRole::a);
        const ChannelStatistics expected = channelStatistics(*a, kBox, {})[0];
        QCOMPARE(region->a[0].mean, expected.mean);
        QCOMPARE(region->a[0].percentiles, expected.percentiles);
        QCOMPARE(region->bMinusA.size(), std::size_t{1});
        QVERIFY(std::abs(region->bMinusA[0].mean - (region->b[0].mean - region->a[0].mean)) < 1e-7);
        window->findChild<QToolButton*>("copySelection")->click();
        const QStringList rows = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QVERIFY2(rows.contains("x\t6\t30") && rows.contains("z\t5\t13"), qPrintable(rows.join('\n')));
        const QString mean = QStringLiteral("mean\t") + QString::number(expected.mean, 'g', 9) + QLatin1Char('\t');
        QVERIFY2(rows.filter(mean).size() == 1, qPrintable(rows.join('\n')));
        window->volume().setBox({});
        QTRY_VERIFY_WITH_TIMEOUT(!region, kPatience);
    }
};

QTEST_MAIN(VolumeBoxTest)
#include "volume_box_test.moc"
