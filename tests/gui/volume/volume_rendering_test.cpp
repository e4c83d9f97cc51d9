// SPDX-License-Identifier: GPL-3.0-or-later
// Renderings beside the planes of a volume: the picture, mouse and keyboard, the crosshair, and the step that gives the same picture.
#include <QAction>
#include <QDoubleSpinBox>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/io/saver.hpp"
#include "tests/gui/volume/volume_support.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/volume/coarse_volume.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

const QString kPhantom = QStringLiteral("synthetic:shepp-logan:31x41x27");

/// A window that shows result A of a volume, its planes and its rendering.
std::unique_ptr<MainWindow> renderingWindow(const QString& volume = kPhantom) {
    auto window = volumeWindow();
    window->setViewName("single");
    window->findChild<QAction*>("original")->setChecked(false);
    if (!openAndWait(*window, volume)) return nullptr;
    window->findChild<QAction*>("rendering")->trigger();
    return waitForIdle(*window) ? std::move(window) : nullptr;
}

RenderPane& paneOf(MainWindow& window, PaneRole role = PaneRole::a) { return window.volumeView().renderings().pane(role); }
RenderState& stateOf(MainWindow& window) { return window.volumeView().renderings().state(); }

double number(const ParameterBlock& parameters, const char* key) { return std::get<double>(parameters.get(key)); }

/// Renders the open volume through the engine, by the backend of the pane.
Image rendered(MainWindow& window, const ParameterBlock& parameters) {
    Pipeline pipeline;
    pipeline.steps.push_back({&processCatalog().operation("render"), parameters, true});
    RunContext context;
    return Engine(processCatalog()).run(pipeline, window.session().original(), parseTarget(paneOf(window).backend()), context).image;
}

bool sameBits(const Image& a, const Image& b) {
    return a.shape() == b.shape() &&
           std::memcmp(a.view().data, b.view().data, static_cast<std::size_t>(a.shape().samples()) * sizeof(float)) == 0;
}

double brightness(const QImage& picture) {
    double sum = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) sum += qGray(picture.pixel(x, y));
    return sum / picture.width() / picture.height();
}

}  // namespace

class VolumeRenderingTest : public QObject {
    Q_OBJECT
private slots:
    void aRenderingStandsBesideThePlanes() {
        auto window = renderingWindow();
        QVERIFY(window);
        VolumeView& view = window->volumeView();
        RenderPane& pane = paneOf(*window);
        QVERIFY(pane.isVisible() && pane.picture());
        for (const PlaneKind kind : kAllPlanes) {
            QVERIFY(view.pane(PaneRole::a, kind).isVisible());
            QVERIFY(!view.pane(PaneRole::a, kind).geometry().intersects(pane.geometry()));
            QCOMPARE(view.pane(PaneRole::a, kind).size(), pane.size());
        }
        QVERIFY(brightness(pane.pictureShown()) > 5);
        // Enter shows it alone, and all panes again.
        pane.setFocus();
        QTest::keyClick(&pane, Qt::Key_Return);
        QVERIFY(view.alone() && pane.isVisible() && !view.pane(PaneRole::a, PlaneKind::axial).isVisible());
        QTest::keyClick(&pane, Qt::Key_Return);
        QVERIFY(!view.alone() && view.pane(PaneRole::a, PlaneKind::axial).isVisible());
        QVERIFY(waitForIdle(*window));
        window->findChild<QAction*>("rendering")->trigger();
        QVERIFY(!pane.isVisible());
    }
    void theFullPictureHasTheBitsOfTheOperation() {
        auto window = renderingWindow();
        QVERIFY(window);
        RenderPane& pane = paneOf(*window);
        const QSize size = (QSizeF(pane.size()) * pane.devicePixelRatioF()).toSize();
        for (const char* mode : {"maximum", "minimum", "mean", "surface", "transfer"}) {
            pane.bar().findChild<QAction*>(QStringLiteral("render-") + mode)->trigger();
            stateOf(*window).turn(ParameterBlock(stateOf(*window).parameters()), 7, -4);
            QVERIFY(waitForIdle(*window));
            const ParameterBlock& made = pane.pictureParameters();
            QCOMPARE(made.text("mode"), mode);
            QVERIFY(made == pane.fullParameters());
            QCOMPARE(QSize(static_cast<int>(pane.picture()->shape().width), static_cast<int>(pane.picture()->shape().height)), size);
            QVERIFY2(sameBits(*pane.picture(), rendered(*window, made)), mode);
        }
        QVERIFY(brightness(pane.pictureShown()) > 1);
    }
    void theMenuFitsASmallScreen() {
        auto window = renderingWindow();
        QVERIFY(window);
        RenderPane& pane = paneOf(*window);
        QMenu& menu = pane.bar().menu();
        // 800 x 800 pixels at a scale of 2.
        constexpr int kHeight = 400;
        for (const char* mode : {"maximum", "minimum", "mean", "surface", "transfer"}) {
            pane.bar().findChild<QAction*>(QStringLiteral("render-") + mode)->trigger();
            QVERIFY2(menu.sizeHint().height() < kHeight, mode);
        }
        for (const char* entry : {"render-bone", "render-xz", "render-reset", "render-cpu"}) {
            const auto* group = qobject_cast<QMenu*>(pane.bar().findChild<QAction*>(QLatin1String(entry))->parent());
            QVERIFY2(group && group != &menu && group->toolTipsVisible() && group->sizeHint().height() < kHeight, entry);
        }
    }
    void mouseAndKeysMoveTheCamera() {
        auto window = renderingWindow();
        QVERIFY(window && waitForActive(*window));
        RenderPane& pane = paneOf(*window);
        const RenderState& state = stateOf(*window);
        const ParameterBlock start = state.parameters();
        const QImage first = pane.pictureShown();
        const QPoint middle = pane.rect().center();
        drag(pane, middle, middle + QPoint(60, 25));
        QVERIFY(number(state.parameters(), "azimuth") < number(start, "azimuth") - 5);
        QVERIFY(number(state.parameters(), "elevation") > number(start, "elevation") + 2);
        QVERIFY(waitForIdle(*window));
        QVERIFY(pane.pictureShown() != first);
        // The elevation ends at a quarter turn.
        drag(pane, middle, middle + QPoint(0, 5 * pane.height()));
        QCOMPARE(number(state.parameters(), "elevation"), 90.0);
        drag(pane, middle, middle + QPoint(pane.width() / 4, 0), Qt::ShiftModifier);
        QVERIFY(std::fabs(number(state.parameters(), "pan-x") - 0.25) < 0.01);
        drag(pane, middle, middle + QPoint(0, pane.height() / 4), {}, Qt::MiddleButton);
        QVERIFY(std::fabs(number(state.parameters(), "pan-y") - 0.25) < 0.01);
        wheel(pane, 120);
        QVERIFY(number(state.parameters(), "zoom") > 1.2 * number(start, "zoom"));
        QTest::mouseDClick(&pane, Qt::LeftButton, {}, middle);
        QVERIFY(state.parameters() == start);
        // The place under the mouse stays when it zooms.
        QVERIFY(waitForIdle(*window));
        const QPointF corner = *pane.placeOf(Voxel{0, 0, 0});
        wheel(pane, corner, 240);
        QVERIFY(waitForIdle(*window));
        const QPointF moved = *pane.placeOf(Voxel{0, 0, 0}) - corner;
        QVERIFY2(moved.manhattanLength() < 2, qPrintable(QStringLiteral("%1, %2").arg(moved.x()).arg(moved.y())));
        pane.setFocus();
        QTest::keyClick(&pane, Qt::Key_Home);
        QVERIFY(state.parameters() == start);
        QTest::keyClick(&pane, Qt::Key_Left);
        QTest::keyClick(&pane, Qt::Key_Up);
        QCOMPARE(number(state.parameters(), "azimuth"), number(start, "azimuth") + 5);
        QCOMPARE(number(state.parameters(), "elevation"), number(start, "elevation") - 5);
        QTest::keyClick(&pane, Qt::Key_Plus);
        QVERIFY(number(state.parameters(), "zoom") > number(start, "zoom"));
        QVERIFY(waitForIdle(*window));
    }
    void picturesAreCoarseWhileItMoves() {
        auto window = renderingWindow();
        QVERIFY(window);
        RenderPane& pane = paneOf(*window);
        pane.setShare(1e-5);  // no picture is quick enough, as the first drag shows
        drag(pane, {50, 50}, {90, 60});
        QVERIFY(waitForIdle(*window));
        std::vector<std::int64_t> widths;
        connect(&pane, &RenderPane::pictureChanged, &pane, [&] { widths.push_back(pane.picture()->shape().width); });
        drag(pane, {50, 50}, {90, 60});
        QVERIFY(waitForIdle(*window));
        QVERIFY(widths.size() >= 2);
        QVERIFY(2 * widths.front() < widths.back());
        QCOMPARE(widths.back(), static_cast<std::int64_t>(std::llround(pane.width() * pane.devicePixelRatioF())));
    }
    void coarseVolumesLookLikeTheVolume() {
        // The same place, size and brightness, for odd numbers of samples and any spacing.
        Buffer samples(Shape{301, 187, 151, 1});
        const View<float> view = samples.view<float>();
        for (std::int64_t z = 0; z < 151; ++z)
            for (std::int64_t y = 0; y < 187; ++y)
                for (std::int64_t x = 0; x < 301; ++x)
                    view.at(x, y, z) = x > 60 && x < 200 && y > 30 && y < 90 && z > 50 && z < 120 ? 1 : 0;
        Image image(std::move(samples));
        image.geometry = straight({0.5, 1, 1.2});
        const ImagePtr coarse = coarseVolume(image);
        QCOMPARE(coarse->shape(), (Shape{76, 187, 151, 1}));
        RenderState state(processCatalog().operation("render"));
        state.set("width", std::int64_t{160});
        state.set("height", std::int64_t{120});
        state.set("curve", std::string("0:0:#000000 1:0.02:#ffffff"));
        const Engine engine(processCatalog());
        const auto picture = [&](const ImagePtr& of, const ParameterBlock& parameters) {
            Pipeline pipeline;
            pipeline.steps.push_back({&state.operation(), parameters, true});
            RunContext context;
            return engine.run(pipeline, of, parseTarget("openmp"), context).image;
        };
        const ImagePtr whole = std::make_shared<const Image>(std::move(image));
        for (const char* mode : {"maximum", "mean", "surface", "transfer"}) {
            state.setMode(mode, 0.5);
            const Image full = picture(whole, state.parameters());
            const Image quick = picture(coarse, coarseParameters(*whole, *coarse, state.parameters()));
            double difference = 0, sum = 0;
            for (std::int64_t i = 0; i < full.shape().samples(); ++i) {
                difference += std::fabs(static_cast<double>(full.view().data[i]) - static_cast<double>(quick.view().data[i]));
                sum += static_cast<double>(full.view().data[i]);
            }
            // Light on faces follows the distance of the samples.
            const double limit = qstrcmp(mode, "transfer") == 0 ? 0.2 : 0.1;
            QVERIFY2(sum > 0 && difference < limit * sum,
                     qPrintable(QStringLiteral("%1: %2 of %3").arg(QLatin1String(mode)).arg(difference).arg(sum)));
        }
    }
    void theCrosshairIsWhereTheOperationShowsTheVoxel() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("point.nii"));
        const Voxel point{5, 28, 9};
        Buffer samples(Shape{31, 41, 27, 1});
        std::fill_n(samples.view<float>().data, samples.shape().samples(), 0.0F);
        samples.view<float>().at(point[0], point[1], point[2]) = 1;
        Image image(std::move(samples));
        image.geometry = straight({1, 0.7, 2});
        (void)saveImage(image, file.toStdString());
        auto window = renderingWindow(file);
        QVERIFY(window);
        RenderPane& pane = paneOf(*window);
        for (const double turned : {0.0, 50.0, 171.0}) {
            stateOf(*window).turn(ParameterBlock(stateOf(*window).parameters()), turned, turned / 10);
            stateOf(*window).zoom(0.9, {0.1, 0.05});
            QVERIFY(waitForIdle(*window));
            const View<const float> picture = pane.picture()->view();
            double sum = 0;
            QPointF mean;
            for (std::int64_t y = 0; y < picture.shape.height; ++y)
                for (std::int64_t x = 0; x < picture.shape.width; ++x) {
                    const auto value = static_cast<double>(picture.at(x, y, 0));
                    sum += value;
                    mean += value * QPointF(static_cast<double>(x) + 0.5, static_cast<double>(y) + 0.5);
                }
            QVERIFY(sum > 0);
            const QPointF shown = *pane.placeOf(point) * pane.devicePixelRatioF(), off = mean / sum - shown;
            QVERIFY2(off.manhattanLength() < 1.5, qPrintable(QStringLiteral("%1, %2").arg(off.x()).arg(off.y())));
        }
        // It moves with the planes, and is drawn there.
        VolumeState& volume = window->volume();
        const QPointF before = *pane.placeOf(volume.crosshair());
        const QImage withMark = pane.pictureShown();
        volume.setCrosshair({2, 3, 4});
        QVERIFY((*pane.placeOf(volume.crosshair()) - before).manhattanLength() > 10);
        QVERIFY(pane.pictureShown() != withMark);
        volume.setCrosshairShown(false);
        const QImage without = pane.pictureShown();
        volume.setCrosshairShown(true);
        QVERIFY(pane.pictureShown() != without);
    }
    void addsItsPictureAsAStep() {
        auto window = renderingWindow();
        QVERIFY(window);
        RenderPane& pane = paneOf(*window);
        pane.bar().findChild<QAction*>("render-surface")->trigger();
        auto* threshold = pane.bar().findChild<QDoubleSpinBox*>("renderThreshold");
        QVERIFY(threshold->isVisible());
        threshold->setValue(0.15);
        drag(pane, {50, 50}, {90, 60});
        QVERIFY(waitForIdle(*window));
        const ImagePtr picture = pane.picture();
        const Step expected{&processCatalog().operation("render"), pane.fullParameters(), true};
        pane.bar().findChild<QToolButton*>("renderAddStep")->click();
        PipelineModel& pipeline = window->session().pipeline();
        const std::string text = toText(pipeline.step(pipeline.rowCount() - 1));
        QCOMPARE(text, toText(expected));
        for (const char* part : {"mode=surface", "threshold=0.15", "view=xz", "azimuth=", "elevation=", "zoom=0.85", "width=", "height="})
            QVERIFY2(text.find(part) != text.npos, text.c_str());
        QVERIFY(waitForIdle(*window));
        window->session().setTarget(Side::a, QString::fromStdString(pane.backend()));
        QVERIFY(waitForIdle(*window));
        const ImagePtr result = window->session().imageOf(PaneRole::a);
        QVERIFY(result && sameBits(*result, *picture));
        pipeline.undo();
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->volumeView().isVisible() && pane.isVisible());
    }
    void everyComparedVolumeHasOne() {
        auto window = renderingWindow();
        QVERIFY(window);
        window->setViewName("compare");
        window->findChild<QAction*>("original")->setChecked(true);
        QVERIFY(waitForIdle(*window));
        for (const PaneRole role : {PaneRole::a, PaneRole::b, PaneRole::original})
            QVERIFY(paneOf(*window, role).isVisible() && paneOf(*window, role).picture());
        QVERIFY(sameBits(*paneOf(*window, PaneRole::a).picture(), *paneOf(*window, PaneRole::original).picture()));
        QVERIFY(paneOf(*window, PaneRole::difference).isVisible() && !paneOf(*window, PaneRole::difference).picture());
        // They share the camera.
        drag(paneOf(*window, PaneRole::b), {30, 60}, {60, 60});
        QVERIFY(waitForIdle(*window));
        for (const PaneRole role : {PaneRole::a, PaneRole::b})
            QVERIFY(number(paneOf(*window, role).pictureParameters(), "azimuth") == number(stateOf(*window).parameters(), "azimuth"));
        // A result that changes is rendered again.
        const ImagePtr before = paneOf(*window).picture();
        window->session().pipeline().setEnabled(0, true);
        QVERIFY(waitForIdle(*window));
        QVERIFY(!sameBits(*paneOf(*window).picture(), *before));
    }
    void thePatientIsSeenFromTheFront() {
        QTemporaryDir folder;
        const std::pair<const char*, Geometry> scans[] = {{"straight", straight({1, 1, 1})}, {"sagittal", sagittal()}};
        auto window = renderingWindow();
        QVERIFY(window);
        for (const auto& [name, geometry] : scans) {
            const QString file = folder.filePath(QLatin1String(name) + QStringLiteral(".nii"));
            Buffer samples(Shape{20, 24, 16, 1});
            std::fill_n(samples.view<float>().data, samples.shape().samples(), 1.0F);
            Image image(std::move(samples));
            image.geometry = geometry;
            (void)saveImage(image, file.toStdString());
            QVERIFY(openAndWait(*window, file));
            const RenderPane& pane = paneOf(*window);
            QVERIFY(pane.picture());
            const PlaneAxes coronal = window->volume().axes(PlaneKind::coronal);
            const Voxel middle{10, 12, 8};
            const auto moved = [&](int axis, int by) {
                Voxel to = middle;
                to[static_cast<std::size_t>(axis)] += by;
                return *pane.placeOf(to) - *pane.placeOf(middle);
            };
            // As in the coronal plane: the same axes point right and down, although the view is oblique.
            QVERIFY2(moved(coronal.v, coronal.flipV ? -4 : 4).y() > 1, name);
            QVERIFY2(moved(coronal.u, coronal.flipU ? -4 : 4).x() > 1, name);
        }
    }
    void sessionsKeepTheCamera() {
        RenderState state(processCatalog().operation("render")), restored(processCatalog().operation("render"));
        KeptSession session;
        session.inputs << kPhantom;
        session.setup.shared = pipelineOf({"convolve"});
        session.setup.panes = {{.input = {}, .steps = {}, .target = parseTarget("openmp")},
                               {.input = {}, .steps = {}, .target = parseTarget("reference")}};
        session.view = QStringLiteral("single");
        session.volume = KeptVolumeView{.rendering = state.kept()};
        const auto reopen = [&] {
            session = sessionFromJson(processCatalog(), toJson(session), QStringLiteral("x.parallax"));
            restored.restore(processCatalog(), session.volume->rendering);
        };
        reopen();
        QVERIFY(!restored.shown());
        state.setShown(true);
        state.turn(ParameterBlock(state.parameters()), 33.3, -7);
        state.setMode("surface", 0.3);
        session.volume->rendering = state.kept();
        reopen();
        QVERIFY(restored.shown() && restored.parameters() == state.parameters());
        // Texts of other programs change nothing.
        restored.restore(processCatalog(), QStringLiteral("render:mode=holographic"));
        restored.restore(processCatalog(), QStringLiteral("convolve"));
        QVERIFY(restored.shown() && restored.parameters() == state.parameters());
    }
    void closingDoesNotWaitForThePicture() {
        Promptness prompt(1000);
        while (prompt.again()) {
            auto window = renderingWindow(QStringLiteral("synthetic:noise:96x96x96"));
            QVERIFY(window);
            stateOf(*window).setMode("transfer", 0);
            stateOf(*window).set("step", 0.05);
            QTest::qWait(700);  // the coarse picture is there, and the full one takes many seconds
            const bool renders = !window->volumeView().settled();
            prompt.start();
            window->session().close();
            QVERIFY(waitForIdle(*window));
            window.reset();
            if (renders) prompt.stop();
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
    }
};

QTEST_MAIN(VolumeRenderingTest)
#include "volume_rendering_test.moc"
