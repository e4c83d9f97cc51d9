// SPDX-License-Identifier: GPL-3.0-or-later
// The browser of sub-bands: what it shows is what the library computes, mouse and keyboard reach all of it, and it follows the sliders.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <QToolButton>
#include <cmath>

#include "tests/gui/gui_support.hpp"
#include "ui/charts/chart_page.hpp"
#include "ui/charts/plot.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/models/benchmark/chart_table.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/subbands/energy_chart.hpp"
#include "ui/subbands/region_mosaic.hpp"
#include "ui/subbands/region_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

class SubbandsTest : public QObject {
    Q_OBJECT

    static Image compute(const ImagePtr& input, const std::vector<std::string>& steps, const Target& target) {
        RunContext context;
        return Engine(processCatalog()).run(pipelineOf(steps), input, target, context).image;
    }
    static void show(MainWindow& window) { window.findChild<QAction*>("show-regionsDock")->trigger(); }
    static bool ready(MainWindow& window) {
        return QTest::qWaitFor([&] { return window.settled() && !window.regionPanel().study().pending(); }, kPatience);
    }
    /// A shown window with this input and pipeline, and the browser in front.
    static std::unique_ptr<MainWindow> browser(const QString& input, const std::vector<std::string>& steps) {
        auto window = shownWindow();
        setSteps(*window, steps);
        show(*window);
        if (!openAndWait(*window, input) || !ready(*window)) return nullptr;
        return window;
    }
    static const ChartTable& table(MainWindow& window) { return window.regionPanel().page().model().table(); }
    static QVariant cell(MainWindow& window, int row, const QString& key) {
        const ChartTable& t = table(window);
        for (int c = 0; c < t.columns.size(); ++c)
            if (t.columns[c].key == key) return t.rows[row].cells[c].raw;
        return {};
    }
    static double energy(const View<const float>& v, const Region& r) {
        double sum = 0;
        for (std::int64_t z = 0; z < r.extent[2]; ++z)
            for (std::int64_t y = 0; y < r.extent[1]; ++y)
                for (std::int64_t x = 0; x < r.extent[0]; ++x) {
                    const double c = static_cast<double>(v.at(r.origin[0] + x, r.origin[1] + y, r.origin[2] + z));
                    sum += c * c;
                }
        return sum;
    }

private slots:
    void figuresOfKnownSamples() {
        Image image{Buffer(Shape{4, 2, 1, 1})};
        const float samples[] = {3, -4, 0, 100, 0, std::nanf(""), 12, 100};
        for (int i = 0; i < 8; ++i) image.view().at(i % 4, i / 4) = samples[i];
        const Region region{.key = "d1.x", .title = "", .level = 1, .origin = {0, 0, 0}, .extent = {3, 2, 1}};
        const RegionFigures f = figuresOf(std::as_const(image).view(), region);
        QCOMPARE(f.finite, 5);
        QCOMPARE(f.zero, 2);
        QCOMPARE(f.energy, 9.0 + 16 + 144);
        QCOMPARE(f.mean, 11.0 / 5);
        QCOMPARE(f.low, -4.0);
        QCOMPARE(f.high, 12.0);
        QCOMPARE(f.largest(), 12.0);
        QCOMPARE(f.middle, 0.0);
        QCOMPARE(f.typical, 12.0);
        QCOMPARE(f.reach(), 12.0);
        // What lies far from 0 is shown around its median.
        const RegionFigures high =
            figuresOf(std::as_const(image).view(), {.key = "a1", .title = "", .level = 1, .origin = {3, 0, 0}, .extent = {1, 2, 1}});
        QCOMPARE(high.middle, 100.0);
        QCOMPARE(high.typical, 0.0);
        QCOMPARE(automaticGains({f, high}), (std::vector<double>{1, 1}));
        // A light that outshines everything does not hide the rest.
        Image lights{Buffer(Shape{101, 1, 1, 1})};
        for (int i = 0; i < 101; ++i) lights.view().at(i, 0) = i == 50 ? 1000.0F : static_cast<float>(i % 5 - 2);
        const RegionFigures details =
            figuresOf(std::as_const(lights).view(), {.key = "d1.x", .title = "", .level = 1, .origin = {0, 0, 0}, .extent = {101, 1, 1}});
        QCOMPARE(details.typical, 2.0);
        QCOMPARE(automaticGains({details}), std::vector<double>{500});
        std::stop_source stop;
        stop.request_stop();
        bool stopped = false;
        try {
            (void)figuresOf(std::as_const(image).view(), region, stop.get_token());
        } catch (const Error& e) {
            stopped = e.code() == ErrorCode::cancelled;
        }
        QVERIFY(stopped);
    }

    void picturesOfPlanes() {
        // Two regions behind each other, one beside them, and a gap.
        Image image{Buffer(Shape{4, 2, 2, 1})};
        for (std::int64_t z = 0; z < 2; ++z)
            for (std::int64_t y = 0; y < 2; ++y)
                for (std::int64_t x = 0; x < 4; ++x) image.view().at(x, y, z) = x < 2 ? (z == 0 ? 1.0F : -2.0F) : 4.0F;
        const std::vector<Region> regions{
            {"a", "", 1, {0, 0, 0}, {2, 2, 1}}, {"b", "", 1, {0, 0, 1}, {2, 2, 1}}, {"c", "", 1, {2, 0, 0}, {2, 1, 2}}};
        std::vector<RegionFigures> figures(3);
        for (RegionFigures& f : figures) f = {.finite = 1, .zero = 0, .energy = 16, .mean = 0, .low = -4, .high = 4};
        const auto view = std::as_const(image).view();
        RegionView all = viewOf(image.shape(), regions, {.plane = RegionPlane::xy, .slice = 7});
        QCOMPARE(all.slice, 1);
        auto pixels = drawRegions(view, regions, figures, {1, 1, 1}, all, 4, 2);
        QCOMPARE(static_cast<int>(pixels[0].grey), 64);                      // -2 of 4 below the middle
        QCOMPARE(static_cast<int>(pixels[3].grey), 255);                     // 4 of 4
        QCOMPARE(pixels[7].kind, RegionPixel::Kind::gap);                    // no region has the second row there
        pixels = drawRegions(view, regions, figures, {1, 2, 1}, all, 4, 2);  // twice as strong
        QCOMPARE(static_cast<int>(pixels[0].grey), 0);
        QCOMPARE(static_cast<int>(pixels[3].grey), 255);
        const RegionView side = viewOf(image.shape(), regions, {.plane = RegionPlane::xz, .slice = 0});
        pixels = drawRegions(view, regions, figures, {1, 1, 1}, side, 4, 2);
        QCOMPARE(static_cast<int>(pixels[0].grey), 159);  // 1 of 4 above it, in the first slice
        QCOMPARE(static_cast<int>(pixels[4].grey), 64);
        const RegionView alone = viewOf(image.shape(), regions, {.plane = RegionPlane::xy, .slice = 0, .alone = 1});
        QCOMPARE(alone.slice, 1);
        QCOMPARE(regionAt(regions, sampleAt(alone, 0.9, 0.9)), 1);
        QCOMPARE(regionAt(regions, {3, 1, 0}), -1);
    }

    void numbersAreThoseOfTheLibrary() {
        const auto window = browser("synthetic:shepp-logan:97x80x21", {"dwt:wavelet=db2,levels=2"});
        QVERIFY(window);
        RegionPanel& panel = window->regionPanel();
        const auto result = panel.study().result();
        QVERIFY(result);
        QCOMPARE(result->regions.size(), std::size_t{15});
        const Target target = window->session().side(Side::a).result->target;
        const ImagePtr original = window->session().original();
        const Image coefficients = compute(original, {"dwt:wavelet=db2,levels=2"}, target);
        QCOMPARE(table(*window).rows.size(), 15);
        double total = 0;
        for (const Region& r : result->regions) total += energy(coefficients.view(), r);
        for (int i = 0; i < 15; ++i) {
            const Region& r = result->regions[static_cast<std::size_t>(i)];
            const double expected = energy(coefficients.view(), r), shown = cell(*window, i, "energy").toDouble();
            QVERIFY2(std::fabs(shown - expected) <= 1e-9 * expected, r.key.c_str());
            QVERIFY(std::fabs(cell(*window, i, "share").toDouble() - expected / total) < 1e-9);
            QCOMPARE(cell(*window, i, "band").toString(), QString::fromStdString(r.key));
        }
        // All coefficients belong to some band, but for the gaps, which are 0.
        const Region everything{"", "", 0, {}, {coefficients.shape().width, coefficients.shape().height, coefficients.shape().depth}};
        QVERIFY(std::fabs(energy(coefficients.view(), everything) - total) <= 1e-9 * total);

        QVERIFY(result->roundTrip);
        QVERIFY(result->error);
        const Image back = compute(original, {"dwt:wavelet=db2,levels=2", "idwt"}, target);
        const DifferenceMetrics m = compareViews(original->view(), back.view());
        QCOMPARE(result->error->maxAbs, m.maxAbs);
        QCOMPARE(result->error->rmse, m.rmse);
        const QString text = panel.findChild<QLabel*>("regionError")->text();
        QVERIFY2(text.contains(formatError(m.maxAbs)) && text.contains(formatError(m.rmse)), qPrintable(text));
    }

    void mouse() {
        const auto window = browser("synthetic:shepp-logan:128x96", {"dwt:wavelet=haar,levels=2"});
        QVERIFY(window);
        RegionMosaic& mosaic = window->regionPanel().mosaic();
        const auto regions = window->regionPanel().study().result()->regions;
        for (const int region : {3, 6, 0}) {
            const QRect place = mosaic.regionRect(region);
            QVERIFY(!place.isEmpty());
            QTest::mouseClick(&mosaic, Qt::LeftButton, {}, place.center());
            QCOMPARE(mosaic.selected(), region);
            QVERIFY(mosaic.alone());
            QVERIFY(window->findChild<QCheckBox*>("regionAlone")->isChecked());
            QCOMPARE(mosaic.regionRect(region), mosaic.pictureRect());
            QCOMPARE(window->regionPanel().page().view().currentIndex().row(), region);
            QTest::mouseClick(&mosaic, Qt::LeftButton, {}, mosaic.pictureRect().center());
            QVERIFY(!mosaic.alone());
        }
        // A row of the table, too.
        QTableView& view = window->regionPanel().page().view();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(view.model()->index(1, 0)).center());
        QCOMPARE(mosaic.selected(), 1);
    }

    void keyboard() {
        const auto window = browser("synthetic:shepp-logan:64x48x33", {"dwt:wavelet=haar,levels=2"});
        QVERIFY(window);
        window->activateWindow();
        QVERIFY(waitForActive(*window));
        RegionMosaic& mosaic = window->regionPanel().mosaic();
        mosaic.setFocus();
        QVERIFY(mosaic.hasFocus());
        QTest::keyClick(&mosaic, Qt::Key_Right);
        QCOMPARE(mosaic.selected(), 1);
        QTest::keyClick(&mosaic, Qt::Key_End);
        const int count = static_cast<int>(window->regionPanel().study().result()->regions.size());
        QCOMPARE(count, 15);
        QCOMPARE(mosaic.selected(), count - 1);
        // A band that lies deeper: the slice follows, so that it is seen.
        QVERIFY(!mosaic.regionRect(count - 1).isEmpty());
        QTest::keyClick(&mosaic, Qt::Key_Return);
        QVERIFY(mosaic.alone());
        const std::int64_t slice = mosaic.regionView().slice;
        QTest::keyClick(&mosaic, Qt::Key_PageUp);
        QCOMPARE(mosaic.regionView().slice, slice - 1);
        QCOMPARE(window->findChild<QSlider*>("regionSlice")->value(), static_cast<int>(slice - 1));
        QTest::keyClick(&mosaic, Qt::Key_Return);
        QVERIFY(!mosaic.alone());

        auto* gain = window->findChild<QDoubleSpinBox*>("regionGain");
        const double before = cell(*window, count - 1, "gain").toDouble(), other = cell(*window, 0, "gain").toDouble();
        QTest::keyClick(&mosaic, Qt::Key_Plus);
        QVERIFY(std::fabs(cell(*window, count - 1, "gain").toDouble() / before - 1.25) < 0.01);
        QCOMPARE(cell(*window, 0, "gain").toDouble(), other);
        gain->setFocus();
        gain->selectAll();
        QTest::keyClicks(gain, "7");
        QTest::keyClick(gain, Qt::Key_Return);
        QCOMPARE(cell(*window, count - 1, "gain").toDouble(), 7.0);
        auto* automatic = window->findChild<QToolButton*>("regionGainsAutomatic");
        automatic->setFocus();
        QTest::keyClick(automatic, Qt::Key_Space);
        QCOMPARE(cell(*window, count - 1, "gain").toDouble(), before);

        // Another plane: the third axis is gone through.
        auto* plane = window->findChild<QComboBox*>("regionPlane");
        QVERIFY(plane->isVisible());
        plane->setFocus();
        QTest::keyClick(plane, Qt::Key_Down);
        QCOMPARE(static_cast<int>(mosaic.regionView().plane), static_cast<int>(RegionPlane::xz));
        QVERIFY(window->findChild<QSlider*>("regionSlice")->maximum() >= 47);
    }

    void markLeavesTheNumbersOfTheChart() {
        for (const char* step : {"dwt:wavelet=haar,levels=2", "wavelet-denoise:rule=manual,threshold=0.05,levels=2"}) {
            const auto window = browser("synthetic:shepp-logan:128x96", {step});
            QVERIFY(window);
            auto* chart = window->findChild<EnergyChart*>();
            const QCustomPlot& plot = chart->plot();
            for (int row = 0; row < chart->table().rows.size(); ++row) {
                chart->highlight(row);
                int marks = 0, numbers = 0;
                for (int i = 0; i < plot.itemCount(); ++i) {
                    const auto* const mark = plot.item(i);
                    if (!mark->property("ring").toBool()) continue;
                    ++marks;
                    const auto* const box = qobject_cast<const QCPItemRect*>(mark);
                    const auto* const circle = qobject_cast<const QCPItemTracer*>(mark);
                    QVERIFY(box || circle);
                    QRectF place;
                    if (box) {
                        place = QRectF(box->topLeft->pixelPosition(), box->bottomRight->pixelPosition());
                        place.adjust(-box->pen().widthF() / 2, -box->pen().widthF() / 2, box->pen().widthF() / 2, box->pen().widthF() / 2);
                    } else {
                        const double radius = (circle->size() + circle->pen().widthF()) / 2;
                        place = QRectF(circle->position->pixelPosition(), QSizeF()).adjusted(-radius, -radius, radius, radius);
                    }
                    for (int k = 0; k < plot.itemCount(); ++k) {
                        const auto* const text = qobject_cast<const QCPItemText*>(plot.item(k));
                        if (!text || text->text().isEmpty()) continue;
                        ++numbers;
                        const QRectF area(text->topLeft->pixelPosition(), text->bottomRight->pixelPosition());
                        QVERIFY2(!place.intersects(area.marginsRemoved(QMarginsF(text->padding()))), qPrintable(text->text()));
                    }
                }
                QCOMPARE(marks, 1);
                QVERIFY(numbers >= chart->table().rows.size());
            }
        }
    }

    void theMarkSurroundsItsBar() {
        // The legend of two series takes height after the mark was drawn.
        const auto window = browser("synthetic:shepp-logan:128x96", {"wavelet-denoise:rule=manual,threshold=0.05,levels=2"});
        QVERIFY(window);
        window->regionPanel().findChild<QTableView*>()->selectRow(3);
        window->session().pipeline().setParameter(0, "threshold", ParameterValue(0.1));
        QVERIFY(ready(*window));
        QCustomPlot& plot = window->findChild<EnergyChart*>()->plot();
        const double category = static_cast<double>(table(*window).rows.size()) - 3;
        const auto surrounds = [&] {
            for (int i = 0; i < plot.itemCount(); ++i) {
                const auto* box = qobject_cast<const QCPItemRect*>(plot.item(i));
                if (!box || !box->property("ring").toBool()) continue;
                const auto* bars = qobject_cast<const QCPBars*>(plot.plottable(0));
                const QCPAxis& axis = *bars->keyAxis();
                for (const QCPBarsData& bar : *bars->data()) {
                    if (std::fabs(bar.key - category) > 0.5) continue;
                    const double half = bars->width() / 2;
                    const double top = std::min(axis.coordToPixel(bar.key - half), axis.coordToPixel(bar.key + half));
                    return std::fabs(box->topLeft->pixelPosition().y() - top) < 4;
                }
            }
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(surrounds(), kPatience);
    }

    void thresholdsActLive() {
        const auto window = browser("synthetic:noise:96x96", {"wavelet-denoise:rule=manual,threshold=0.05,levels=2"});
        QVERIFY(window);
        RegionPanel& panel = window->regionPanel();
        const auto first = panel.study().result();
        QVERIFY(first && !first->roundTrip && first->error);
        QVERIFY(first->seenThrough.startsWith("dwt:"));
        QCOMPARE(first->before.size(), first->figures.size());
        window->session().pipeline().setParameter(0, "threshold", ParameterValue(0.5));
        QVERIFY(ready(*window));
        const auto second = panel.study().result();
        QVERIFY(second != first);
        QVERIFY(second->error->rmse > 1.5 * first->error->rmse);
        for (std::size_t i = 1; i < second->regions.size(); ++i) {
            QVERIFY2(second->figures[0][i].energy < first->figures[0][i].energy, second->regions[i].key.c_str());
            QCOMPARE(second->before[0][i].energy, first->before[0][i].energy);
        }
        const ImagePtr original = window->session().original();
        const Image expected =
            compute(original, {"wavelet-denoise:rule=manual,threshold=0.5,levels=2"}, window->session().side(Side::a).result->target);
        QCOMPARE(second->error->rmse, compareViews(original->view(), expected.view()).rmse);
        QVERIFY(table(*window).columns[3].key == "energy_original");
        // The same numbers stand in the inspector.
        const auto* numbers = window->findChild<QLabel*>("resultNumbers");
        QVERIFY2(numbers->text().contains(formatError(second->error->rmse)), qPrintable(numbers->text()));
    }

    void theActivePaneIsStudied() {
        const auto window = browser("synthetic:noise:64x48", {"dwt:wavelet=haar,levels=1"});
        QVERIFY(window);
        PipelineModel& model = window->session().pipeline();
        const RegionStudy& study = window->regionPanel().study();
        const auto* error = window->findChild<QLabel*>("regionError");
        QCOMPARE(study.result()->regions.size(), std::size_t{4});
        QVERIFY2(error->text().contains("of A"), qPrintable(error->text()));
        duplicatePane(model, Side::a);
        setOwnSteps(model, Side::c, true);
        model.replacePipeline(pipelineOf({"dwt:wavelet=haar,levels=2"}), QStringLiteral("C"));
        QVERIFY(ready(*window));
        QVERIFY(study.result());
        QCOMPARE(study.result()->side, Side::c);
        QCOMPARE(study.result()->regions.size(), std::size_t{7});
        QVERIFY2(error->text().contains("of C"), qPrintable(error->text()));
        model.setActive(Side::a);
        QVERIFY(ready(*window));
        QVERIFY(study.result());
        QCOMPARE(study.result()->regions.size(), std::size_t{4});
        // An input of its own is what the round trip is compared with.
        setInput(model, Side::b, QStringLiteral("synthetic:zone-plate:32x32"));
        model.setActive(Side::b);
        QVERIFY(ready(*window));
        QVERIFY(study.result() && study.result()->error);
        QCOMPARE(study.result()->side, Side::b);
        QCOMPARE(study.result()->mosaic->shape().width, std::int64_t{32});
        QVERIFY(study.result()->error->maxAbs < 1e-4);
        // A pane without sub-bands does not keep those of another.
        setOwnSteps(model, Side::b, true);
        model.replacePipeline(pipelineOf({"convolve:size=3"}), QStringLiteral("B"));
        QVERIFY(ready(*window));
        QVERIFY(!study.result());
        model.setActive(Side::c);
        QVERIFY(ready(*window));
        QVERIFY(study.result());
        model.setActive(Side::b);
        QVERIFY(!study.result());
        QVERIFY(!window->findChild<QPushButton*>("lookIntoRegions")->isVisible());
    }
    void saysThatItWasCancelled() {
        auto window = browser("synthetic:noise:64x48", {"dwt:wavelet=haar,levels=2"});
        QVERIFY(window);
        RegionStudy& study = window->regionPanel().study();
        setSteps(*window, {"dwt:wavelet=haar,levels=1"});
        QVERIFY(study.pending());
        window->session().cancel();
        QVERIFY(!study.pending());
        QVERIFY(study.failure().contains("Cancel"));
    }
    void saysWhatIsMissing() {
        const auto window = shownWindow();
        show(*window);
        QVERIFY(openAndWait(*window, "synthetic:gradient:40x30"));
        QVERIFY(ready(*window));
        RegionPanel& panel = window->regionPanel();
        QVERIFY(!panel.study().result());
        QVERIFY(panel.study().suitable().size() >= 3);
        QVERIFY(!window->findChild<QDoubleSpinBox*>("regionGain")->isEnabled());
        // A step that makes them, after one that changes the picture: bands, but no error.
        setSteps(*window, {"convolve:kernel=gaussian,size=3", "dwt:levels=1"});
        QVERIFY(ready(*window));
        QVERIFY(panel.study().result());
        QVERIFY(!panel.study().result()->error);
        QVERIFY(!panel.findChild<QLabel*>("regionError")->text().isEmpty());
        // And gone again.
        setSteps(*window, {"convolve:kernel=gaussian,size=3"});
        QVERIFY(ready(*window));
        QVERIFY(!panel.study().result());
        QCOMPARE(table(*window).rows.size(), 0);
    }

    void computesNothingWhileHidden() {
        const auto window = shownWindow();
        setSteps(*window, {"dwt:levels=1"});
        QVERIFY(openAndWait(*window, "synthetic:noise:64x64,channels=3"));
        QVERIFY(!window->regionPanel().study().result());
        // The inspector leads there.
        auto* button = window->findChild<QPushButton*>("lookIntoRegions");
        QVERIFY(button->isVisible());
        button->click();
        QVERIFY(ready(*window));
        QVERIFY(window->regionPanel().isVisible());
        const auto result = window->regionPanel().study().result();
        QVERIFY(result);
        QCOMPARE(result->figures.size(), std::size_t{3});
        auto* channel = window->findChild<QComboBox*>("regionChannel");
        QVERIFY(channel->isVisible());
        channel->setCurrentIndex(2);
        QCOMPARE(cell(*window, 0, "energy").toDouble(), result->figures[2][0].energy);
    }
};

QTEST_MAIN(SubbandsTest)
#include "subbands_test.moc"
