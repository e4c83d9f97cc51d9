// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of volumes: positions, orientation, slices and slabs against plain loops, and their pixels.
#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/gui/volume/volume_support.hpp"
#include "ui/models/volume/side_slices.hpp"
#include "ui/models/volume/volume_state.hpp"
#include "ui/volume/plane_renderer.hpp"
#include "ui/volume/volume_pane.hpp"

using namespace parallax;
using namespace parallax::ui;

class VolumeSlicesTest : public QObject {
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
};

QTEST_MAIN(VolumeSlicesTest)
#include "volume_slices_test.moc"
