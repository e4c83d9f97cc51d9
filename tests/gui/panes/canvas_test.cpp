// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, tiles and the mouse.
#include <QAction>
#include <QComboBox>
#include <QCursor>
#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "core/image/synthetic.hpp"
#include "core/image/transfer.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/canvas/display_transform.hpp"
#include "ui/canvas/pane_overlays.hpp"
#include "ui/canvas/tile_cache.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/session/compare/signed_difference.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

ImagePtr row(std::vector<float> values) {
    Buffer buffer(Shape{static_cast<std::int64_t>(values.size()), 1, 1, 1});
    std::copy(values.begin(), values.end(), buffer.view<float>().row(0));
    return std::make_shared<const Image>(std::move(buffer));
}

}  // namespace

class CanvasTest : public QObject {
    Q_OBJECT
private slots:
    void valuesInPixelsHaveTheSignOfTheLanguage() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:8x6"));
        window->view().setScale(120 * window->devicePixelRatioF());
        QVERIFY(waitForIdle(*window));
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        const auto restored = qScopeGuard([locale = QLocale()] { QLocale::setDefault(locale); });
        const auto drawnIn = [&](QLocale::Language language) {
            QLocale::setDefault(language);
            // Values that are drawn stay until the view changes.
            for (const bool shown : {false, true}) {
                window->view().setPixelGrid(shown);
                do pane.grab();
                while (!pane.settled());
            }
            return pane.grab().toImage();
        };
        const QImage english = drawnIn(QLocale::English), german = drawnIn(QLocale::German);
        QVERIFY(english != german);
        QCOMPARE(drawnIn(QLocale::English), english);
    }
    void coloursAreSrgb() {
        std::vector<float> values;
        for (int i = 0; i < 2000; ++i) values.push_back(static_cast<float>(std::pow(2.0, -15 + i * 0.0075)));
        const Pyramid pyramid(row(values));
        const QImage image = renderTile(pyramid, 0, QRect(0, 0, static_cast<int>(values.size()), 1), {});
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double exact = 255 * std::min(1.0, linearToSrgb(static_cast<double>(values[i])));
            const int shown = qRed(image.pixel(static_cast<int>(i), 0));
            QVERIFY2(std::fabs(shown - exact) <= 1.0, qPrintable(QString::number(values[i])));
        }
    }
    void specialValues() {
        constexpr float inf = std::numeric_limits<float>::infinity();
        const Pyramid pyramid(row({std::nanf(""), inf, -inf, -1, 0.5F, 100}));
        const QImage image = renderTile(pyramid, 0, QRect(0, 0, 6, 1), {.display = {.exposure = 1}});
        QCOMPARE(image.pixel(0, 0), kNanColour);
        QCOMPARE(qRed(image.pixel(1, 0)), 255);
        QCOMPARE(qRed(image.pixel(2, 0)), 0);
        QCOMPARE(qRed(image.pixel(3, 0)), 0);
        QCOMPARE(qRed(image.pixel(4, 0)), 255);  // one stop up
        const QImage difference = renderTile(pyramid, 0, QRect(0, 0, 6, 1), {.difference = true, .display = {.differenceScale = 1}});
        QCOMPARE(difference.pixel(0, 0), kNanColour);
        // Beyond the range; -1 is its end.
        QCOMPARE(difference.pixel(1, 0), beyondColours(DifferenceMode::signedValue).above);
        QCOMPARE(difference.pixel(2, 0), beyondColours(DifferenceMode::signedValue).below);
        QCOMPARE(difference.pixel(3, 0), divergingColour(-1));
    }
    void ditheringKeepsTheMeanBetweenTwoLevels() {
        // 64 ramps between levels 100 and 101 of a linear display, and the same in sRGB.
        const Colouring rounded{.display = {.encoding = DisplayEncoding::linear}};
        Colouring dithered = rounded;
        dithered.dithered = true;
        Buffer buffer(Shape{64, 64, 1, 3});
        for (int c = 0; c < 3; ++c)
            for (int y = 0; y < 64; ++y)
                for (int x = 0; x < 64; ++x) buffer.view<float>().at(x, y, 0, c) = (100 + (x / 8 + 0.5F) / 8) / 255;
        const Pyramid pyramid(std::make_shared<const Image>(std::move(buffer)));
        const QRect whole(0, 0, 64, 64);
        const QImage steps = renderTile(pyramid, 0, whole, rounded), mixed = renderTile(pyramid, 0, whole, dithered);
        for (int column = 0; column < 8; ++column) {
            double mean = 0;
            for (int y = 0; y < 64; ++y)
                for (int x = 8 * column; x < 8 * column + 8; ++x) {
                    const QRgb pixel = mixed.pixel(x, y);
                    QVERIFY(qRed(pixel) == 100 || qRed(pixel) == 101);
                    QVERIFY(qRed(pixel) == qGreen(pixel) && qRed(pixel) == qBlue(pixel));  // grey stays grey
                    QCOMPARE(qRed(steps.pixel(x, y)), column < 4 ? 100 : 101);
                    mean += qRed(pixel) / 512.0;
                }
            QVERIFY2(std::abs(mean - (100 + (column + 0.5) / 8)) < 0.01, qPrintable(QString::number(mean)));
        }
        QCOMPARE(renderTile(pyramid, 0, whole, dithered), mixed);  // deterministic
        // A part has the pattern of the whole.
        QCOMPARE(renderTile(pyramid, 0, QRect(13, 21, 30, 20), dithered), mixed.copy(13, 21, 30, 20));
        // Exact levels, black and white have no pattern; NaN and marks keep their colours.
        const Pyramid exact(row({0, 1, 200.0F / 255, std::nanf(""), 2}));
        dithered.display.clippingMarks = true;
        for (int i = 0; i < 8; ++i) {
            const QImage image = renderTile(exact, 0, QRect(0, 0, 5, 1), dithered);
            QCOMPARE(qRed(image.pixel(0, 0)), 0);
            QCOMPARE(qRed(image.pixel(1, 0)), 255);
            QVERIFY(std::abs(qRed(image.pixel(2, 0)) - 200) <= 1);
            QCOMPARE(image.pixel(3, 0), kNanColour);
            QCOMPARE(image.pixel(4, 0), kOverColour);
        }
        // Every level of the curves agrees with the rounded one.
        for (const DisplayEncoding encoding : {DisplayEncoding::srgb, DisplayEncoding::linear, DisplayEncoding::gamma}) {
            const DisplayCurve curve({.encoding = encoding});
            for (float v = 1e-9F; v < 1.2F; v = v * 1.003F)
                QVERIFY2(std::abs(curve.dithered(v, 0.5F) - curve.encoded(v)) <= 1, qPrintable(QString::number(static_cast<double>(v))));
        }
        // Each threshold once.
        std::vector<int> counts(64, 0);
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x) ++counts[static_cast<std::size_t>(ditherThreshold(x + 8, y - 8) * 64)];
        QVERIFY(std::all_of(counts.begin(), counts.end(), [](int n) { return n == 1; }));
    }
    void ditheringIsAChoiceForTheScreen() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:300x200"));
        QAction* dither = window->findChild<QAction*>("dither");
        QVERIFY(dither && !dither->isChecked());
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        const QImage before = pane.grab().toImage();
        dither->trigger();
        QVERIFY(Settings::instance().dithers());
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(pane.grab().toImage() != before, kPatience);
        window->findChild<QAction*>("reset-view")->trigger();
        QVERIFY(dither->isChecked());  // of the screen, not of the image
        dither->trigger();
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(pane.grab().toImage() == before, kPatience);
    }
    void magnitudesOfADifference() {
        constexpr float inf = std::numeric_limits<float>::infinity();
        const Pyramid pyramid(row({std::nanf(""), -inf, -0.5F, 0.5F, 0}));
        const auto shown = [&](DifferenceMode mode) {
            return renderTile(pyramid, 0, QRect(0, 0, 5, 1),
                              {.difference = true, .display = {.differenceScale = 1, .differenceMode = mode}});
        };
        const QImage absolute = shown(DifferenceMode::absolute), squared = shown(DifferenceMode::squared);
        QCOMPARE(absolute.pixel(0, 0), kNanColour);
        QCOMPARE(absolute.pixel(1, 0), beyondColours(DifferenceMode::absolute).above);
        QCOMPARE(absolute.pixel(2, 0), sequentialColour(0.5));
        QCOMPARE(absolute.pixel(3, 0), sequentialColour(0.5));
        QCOMPARE(squared.pixel(3, 0), sequentialColour(0.25));
        QCOMPARE(squared.pixel(4, 0), sequentialColour(0));
    }
    void sequentialMapRisesInLightness() {
        double before = -1;
        for (int i = 0; i <= 100; ++i) {
            const QRgb c = sequentialColour(i / 100.0);
            const auto linear = [](int v) { return srgbToLinear(v / 255.0); };
            const double luminance = 0.2126 * linear(qRed(c)) + 0.7152 * linear(qGreen(c)) + 0.0722 * linear(qBlue(c));
            QVERIFY2(luminance > before - 0.002, qPrintable(QString::number(i)));
            before = luminance;
        }
        QVERIFY(before > 0.7);
    }
    void relativeDifferenceOfSamples() {
        constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
        const ImagePtr a = row({1, 0, -2, inf, nan, 1, 0}), b = row({1, 3, 2, inf, nan, inf, nan});
        const Image d = relativeDifference(*a, *b, {});
        const float* v = d.view().row(0);
        const std::array expected{0.0F, 1.0F, 2.0F, 0.0F, 0.0F, inf};
        for (std::size_t i = 0; i < expected.size(); ++i) QCOMPARE(v[i], expected[i]);
        QVERIFY(std::isnan(v[6]));
    }
    void differenceModesAreChosenInTheInspector() {
        auto window = shownWindow();
        window->session().setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:150x100,channels=3"));
        auto* box = window->findChild<QComboBox*>("differenceMode");
        const ImagePtr signedImage = window->session().panes().pyramid(PaneRole::difference)->image();
        ImagePane& pane = window->compareView().pane(PaneRole::difference);
        for (int row = 0; row < box->count(); ++row) {
            box->setCurrentIndex(row);
            emit box->activated(row);
            QVERIFY(waitForIdle(*window));
            const DifferenceMode mode = window->view().display().differenceMode;
            const bool map = mode == DifferenceMode::relative || mode == DifferenceMode::flip || mode == DifferenceMode::ssim;
            QCOMPARE(window->session().comparison().shown().content(), map ? mode : DifferenceMode::signedValue);
            QCOMPARE(window->session().panes().pyramid(PaneRole::difference)->image() == signedImage, !map);
            for (const int width : {90, 140, 400}) {
                pane.resize(width, 200);
                QVERIFY(!pane.grab().isNull());
            }
        }
        window->view().resetDisplay();
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().comparison().shown().isMap());
        QCOMPARE(pane.label().badge, QStringLiteral("B − A"));
    }
    void pannedPicturesAreThoseDrawnAtOnce() {
        const auto image = std::make_shared<const Image>(makeSynthetic({SyntheticKind::noise, {1500, 1100, 1, 3}, 7}));
        const auto pyramid = std::make_shared<const Pyramid>(image, Reduction::mean, std::stop_token());
        const QRect pane(0, 0, 320, 200);
        const auto paint = [&](TileCache& tiles, const QRect& part, const TileCache::Placement& placement) {
            QImage shown(pane.size(), QImage::Format_RGB32);
            shown.fill(Qt::black);
            QPainter painter(&shown);
            // Marks on every second pixel of the diagonals.
            const auto notes = [&](QPainter& on, const QRect& within) {
                for (int n = 0; n < 1100; n += 2) {
                    const QRect mark(placement.origin + (QPointF(n, n / 2) * placement.scale).toPoint(), QSize(9, 9));
                    if (within.intersects(mark)) on.fillRect(mark, Qt::red);
                }
            };
            while (!tiles.paint(painter, part, placement, placement.grid ? TileCache::Notes(notes) : nullptr)) continue;
            return shown;
        };
        TileCache panned;
        panned.setPyramid(pyramid);
        std::mt19937 random(3);
        const auto upTo = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        TileCache::Placement placement{pane.size(), {0, 0}, 1, Qt::blue};
        for (int i = 0; i < 200; ++i) {
            if (i % 20 == 0) placement.scale = std::array{1.0, 0.7, 0.31, 3.0, 17.3}[static_cast<std::size_t>(upTo(5))];
            if (i % 13 == 0) placement.grid = !placement.grid;
            placement.origin += QPoint(upTo(121) - 60, upTo(121) - 60);
            if (i % 50 == 49) placement.origin = {-upTo(400), -upTo(300)};
            if (i % 33 == 32) panned.setColouring({.display = {.exposure = 0.1 * upTo(5)}});
            // The sides of a wipe: only a part is painted, and the rest later.
            const QRect part = i % 7 == 6 ? QRect(upTo(200), 0, 1 + upTo(120), 200) : pane;
            TileCache fresh;
            fresh.setPyramid(pyramid);
            fresh.setColouring(panned.colouring());
            const QImage a = paint(panned, part, placement), b = paint(fresh, part, placement);
            int largest = 0;
            for (int y = 0; y < a.height(); ++y)
                for (int x = 0; x < a.width(); ++x)
                    largest = std::max({largest, std::abs(qRed(a.pixel(x, y)) - qRed(b.pixel(x, y))),
                                        std::abs(qBlue(a.pixel(x, y)) - qBlue(b.pixel(x, y)))});
            // Smooth scaling rounds by where a row starts.
            QVERIFY2(largest <= (placement.scale == 1 ? 0 : 2),
                     qPrintable(QStringLiteral("%1: %2, scale %3, grid %4").arg(i).arg(largest).arg(placement.scale).arg(placement.grid)));
        }
    }
    void oneToOneIsExact() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:300x200,channels=3"));
        window->view().setScale(1);
        QVERIFY(waitForIdle(*window));
        ImagePane& pane = window->compareView().pane(PaneRole::original);
        pane.setLabel({});
        const QImage shown = pane.grab().toImage();
        const Image& image = *window->session().original();
        int checked = 0;
        for (int y = 2; y < shown.height() - 2; y += 7) {
            for (int x = 2; x < shown.width() - 2; x += 7) {
                const PixelPosition p = pane.pixelAt(QPointF(x + 0.5, y + 0.5));
                if (p.x < 0 || p.y < 0 || p.x >= image.shape().width || p.y >= image.shape().height) continue;
                const double exact = 255 * linearToSrgb(static_cast<double>(image.view().at(p.x, p.y, 0, 1)));
                QVERIFY(std::fabs(qGreen(shown.pixel(x, y)) - exact) <= 1.0);
                ++checked;
            }
        }
        QVERIFY(checked > 100);
    }
    void wheelKeepsThePixelUnderTheCursor() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:zone-plate:1500x1100"));
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        const QPoint at(pane.width() / 3, pane.height() / 4 * 3);
        const PixelPosition before = pane.pixelAt(at);
        const double scale = window->view().scale();
        for (int i = 0; i < 6; ++i) wheel(pane, at, 120);
        QVERIFY(window->view().scale() > 2 * scale);
        const PixelPosition after = pane.pixelAt(at);
        const double slack = 1 + 1 / scale;  // the origin is rounded to whole screen pixels
        QVERIFY(std::abs(after.x - before.x) <= slack && std::abs(after.y - before.y) <= slack);
        // The panes are linked: same position.
        QCOMPARE(window->compareView().pane(PaneRole::b).pixelAt(at), after);
    }
    void dragPansAndKeysZoom() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:checker:2000x2000"));
        window->view().setScale(1);
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        const QPoint from = pane.rect().center();
        const PixelPosition before = pane.pixelAt(from);
        QTest::mousePress(&pane, Qt::LeftButton, {}, from);
        QTest::mouseMove(&pane, from + QPoint(40, 25));
        QTest::mouseRelease(&pane, Qt::LeftButton, {}, from + QPoint(40, 25));
        const PixelPosition after = pane.pixelAt(from + QPoint(40, 25));
        QVERIFY(std::abs(after.x - before.x) <= 1 && std::abs(after.y - before.y) <= 1);
        QVERIFY(!window->view().fitting());
        window->findChild<QAction*>("fit")->trigger();
        QVERIFY(window->view().fitting());
        window->findChild<QAction*>("actual")->trigger();
        QCOMPARE(window->view().scale(), 1.0);
    }
    void wipeShowsBothAtTheSamePlace() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:300x200,channels=3"));
        QVERIFY(window->setViewName("wipe"));
        window->view().setScale(4);
        CompareView& compare = window->compareView();
        compare.setOriginalShown(false);
        QVERIFY(waitForIdle(*window));
        ImagePane& pane = compare.pane(PaneRole::a);
        QVERIFY(pane.isVisible() && pane.wiping());
        QVERIFY(!compare.pane(PaneRole::b).isVisible());
        // B shows the original, so that the sides differ: each shows its own pixels.
        pane.setRightSide(window->session().panes().pyramid(PaneRole::original), {});
        pane.setLabel({});
        QVERIFY(waitForIdle(*window));
        const QImage shown = pane.grab().toImage();
        const int y = shown.height() / 4;
        for (const auto& [x, image] : {std::pair{shown.width() / 4, window->session().side(Side::a).result->image},
                                       std::pair{shown.width() * 3 / 4, window->session().original()}}) {
            const PixelPosition p = pane.pixelAt(QPointF(x + 0.5, y + 0.5));
            const double exact = 255 * linearToSrgb(static_cast<double>(image->view().at(p.x, p.y, 0, 1)));
            QVERIFY(std::fabs(qGreen(shown.pixel(x, y)) - exact) <= 1.0);
        }
        // Dragging the line moves it; dragging beside it pans.
        const QPoint line(pane.width() / 2, pane.height() / 4), target(pane.width() / 4, pane.height() / 4);
        const QPointF centre = window->view().centre();
        QTest::mousePress(&pane, Qt::LeftButton, {}, line);
        QTest::mouseMove(&pane, target);
        QTest::mouseRelease(&pane, Qt::LeftButton, {}, target);
        QVERIFY(std::fabs(pane.wipePosition() - 0.25) < 0.01);
        QCOMPARE(window->view().centre(), centre);
        window->findChild<QAction*>("wipe-right")->trigger();
        QVERIFY(pane.wipePosition() > 0.26);
        const double before = pane.wipePosition();
        QTest::keyClick(&pane, Qt::Key_Left, Qt::ControlModifier);
        QVERIFY(pane.wipePosition() < before);
        pane.setWipePosition(-3);
        QCOMPARE(pane.wipePosition(), 0.0);
        QVERIFY(!pane.grab().isNull());
        window->setViewName("compare");
        QVERIFY(!pane.wiping());
    }
    void flickerSwapsAAndBInPlace() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:120x90"));
        CompareView& compare = window->compareView();
        auto* flicker = window->findChild<QAction*>("flicker");
        flicker->trigger();
        QCOMPARE(compare.layoutKind(), ui::Layout::single);
        ImagePane &a = compare.pane(PaneRole::a), &b = compare.pane(PaneRole::b);
        QVERIFY(b.isVisible() && !a.isVisible());
        QVERIFY(flicker->isChecked());
        QCOMPARE(b.label().badge, QStringLiteral("B"));
        const QRect place = b.geometry();
        flicker->trigger();
        QVERIFY(a.isVisible() && !b.isVisible());
        QCOMPARE(a.geometry(), place);
        // "A alone" shows A after a flip too.
        flicker->trigger();
        window->setViewName("single");
        QVERIFY(a.isVisible() && !flicker->isChecked());
    }
    void theCursorOutlinesItsPixel_data() {
        QTest::addColumn<QString>("input");
        QTest::newRow("image") << "synthetic:gradient:40x30";
        QTest::newRow("volume") << "synthetic:gradient:40x30x20";
    }
    void theCursorOutlinesItsPixel() {
        QFETCH(const QString, input);
        constexpr double kSide = 24;
        auto window = shownWindow();
        window->session().pipeline().setEnabled(0, false);
        QVERIFY(openAndWait(*window, input));
        ViewState& view = window->view();
        view.setPixelGrid(false);
        view.setScale(kSide);
        view.lookAt({20, 15});
        window->volume().setCrosshairShown(false);
        window->volume().setScale(kSide);  // voxels of 1 mm
        window->volume().setCrosshair({20, 15, 10});
        QVERIFY(waitForIdle(*window));
        QWidget& pane = window->showsVolume() ? static_cast<QWidget&>(window->volumeView().pane(PaneRole::a, PlaneKind::axial))
                                              : window->compareView().pane(PaneRole::a);
        QCursor::setPos(window->mapToGlobal(QPoint(2, 2)));
        QTRY_VERIFY_WITH_TIMEOUT(!pane.underMouse(), kPatience);  // the pane under the mouse has its own cursor
        const QImage without = pane.grab().toImage();
        view.setCursor(PixelPosition{20, 15, window->showsVolume() ? 10 : 0});
        QVERIFY(waitForIdle(*window));
        const QImage with = pane.grab().toImage();
        QRegion changed;
        for (int y = 0; y < with.height(); ++y)
            for (int x = 0; x < with.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y)) changed += QRect(x, y, 1, 1);
        // A frame around the pixel, which itself stays visible.
        const QRect frame = changed.boundingRect();
        QVERIFY2(std::abs(frame.width() - kSide) <= 5 && std::abs(frame.height() - kSide) <= 5,
                 qPrintable(QStringLiteral("%1 x %2").arg(frame.width()).arg(frame.height())));
        QVERIFY(!changed.intersects(frame.adjusted(6, 6, -6, -6)));
    }
    void aCursorInASmallPixelPointsAtIt() {
        QImage picture(41, 41, QImage::Format_RGB32);
        picture.fill(Qt::gray);
        {
            QPainter painter(&picture);
            paintCursor(painter, QRectF(20, 20, 1, 1));
        }
        const QRgb grey = QColor(Qt::gray).rgb();
        for (int y = 18; y <= 22; ++y)
            for (int x = 18; x <= 22; ++x) QCOMPARE(picture.pixel(x, y), grey);
        for (const QPoint& arm : {QPoint(27, 20), QPoint(13, 20), QPoint(20, 27), QPoint(20, 13)}) QVERIFY(picture.pixel(arm) != grey);
    }
    void cursorShowsSamples() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:400x300,channels=3"));
        ImagePane& pane = window->compareView().pane(PaneRole::b);
        QTest::mouseMove(&pane, pane.rect().center() + QPoint(3, 4));
        QTest::mouseMove(&pane, pane.rect().center());
        QTRY_VERIFY_WITH_TIMEOUT(window->view().cursor().has_value(), kPatience);
    }
    void largeImagesDoNotBlockTheWindow() {
        Promptness prompt(1500);
        while (prompt.again()) {
            auto window = shownWindow();
            window->session().pipeline().setEnabled(0, false);
            window->openInputs({"synthetic:checker:6000x6000"});
            // Measures the longest pause between two turns of the event loop.
            QElapsedTimer turn;
            qint64 longest = 0;
            turn.start();
            QElapsedTimer total;
            total.start();
            while (!window->settled() && total.elapsed() < kPatience) {
                QCoreApplication::processEvents(QEventLoop::AllEvents);
                longest = std::max(longest, turn.restart());
            }
            QVERIFY(window->settled());
            qInfo("longest turn of the event loop: %lld ms", static_cast<long long>(longest));
            prompt.note(static_cast<double>(longest));
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
};

QTEST_MAIN(CanvasTest)
#include "canvas_test.moc"
