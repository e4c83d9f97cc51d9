// SPDX-License-Identifier: GPL-3.0-or-later
// Tone mapping in the window: the image beside its result, live sliders, the histogram with the curve, presets as pictures, the white
// point from a pixel, the scales of the local operator, and files of the result.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <cmath>
#include <set>

#include "core/engine/backend/backend.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/image/synthetic.hpp"
#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "core/operations/catalog.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/view/small_version.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/pipeline/preset_bar.hpp"
#include "ui/pipeline/preset_gallery.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// A backend that implements no operation.
class EmptyBackend final : public Backend {
public:
    std::string id() const override { return "empty"; }
    std::string title() const override { return "Empty"; }
    std::vector<DeviceInfo> devices() const override { return {hostDevice()}; }
    std::vector<const Implementation*> implementations() const override { return {}; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return makeHostSession(); }
};

}  // namespace

class ToneMappingTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString scene_;  // a file with light over many powers of two, metadata, a black and a NaN pixel

    std::unique_ptr<MainWindow> toneMapping(const std::string& step = "tonemap") const {
        auto window = shownWindow({1500, 950});
        window->session().setTarget(Side::a, "reference");
        window->session().setTarget(Side::b, "reference");
        PresetBar& bar = window->pipelinePanel().presets();
        const Operation& operation = processCatalog().operation("tonemap");
        for (const QString& name : bar.store().names(operation)) bar.store().remove(operation, name);
        setSteps(*window, {step});
        window->activateWindow();
        const bool ready = openAndWait(*window, scene_) && waitForActive(*window);
        return ready ? std::move(window) : nullptr;
    }
    static double number(const MainWindow& window, const char* key) {
        return std::get<double>(const_cast<MainWindow&>(window).session().pipeline().step(0).parameters.get(key));
    }
    static QToolButton* picker(MainWindow& window) { return window.pipelinePanel().form().findChild<QToolButton*>("pick-white"); }
    static QPoint placeOf(const ImagePane& pane, PixelPosition pixel) {
        for (int y = 0; y < pane.height(); ++y)
            for (int x = 0; x < pane.width(); ++x)
                if (pane.pixelAt(QPointF(x, y)) == pixel) return {x, y};
        return {-1, -1};
    }
    static double luminance(const Image& image, std::int64_t x, std::int64_t y) {
        const auto at = [&](int c) { return static_cast<double>(image.view().at(x, y, 0, c)); };
        return 0.2126 * at(0) + 0.7152 * at(1) + 0.0722 * at(2);
    }

private slots:
    void initTestCase() {
        Image image(Buffer(Shape{96, 64, 1, 3}, SampleType::float32));
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 96; ++x)
                for (int c = 0; c < 3; ++c)
                    image.view().at(x, y, 0, c) = static_cast<float>(std::exp2(-4 + x / 8.0) * (1 + 0.3 * c * y / 64.0));
        for (int c = 0; c < 3; ++c) image.view().at(10, 20, 0, c) = 0;
        image.view().at(20, 20, 0, 1) = std::nanf("");
        image.metadata.push_back({"artist", "string", "A. Person", {}});
        image.metadata.push_back({"comments", "string", "a made scene", {}});
        scene_ = folder_.filePath("scene.exr");
        (void)saveImage(image, scene_.toStdString(), {.depth = StoredDepth::float32});
    }

    void theImageBesideItsResultIsOneActionAway() {
        auto window = toneMapping();
        QVERIFY(window);
        window->findChild<QAction*>("view-single")->trigger();
        for (const PaneRole role : kAllPanes)
            QCOMPARE(window->compareView().pane(role).isVisible(), role == PaneRole::a || role == PaneRole::original);
        // Linked: they look at the same place.
        const auto& panes = window->compareView();
        QCOMPARE(const_cast<CompareView&>(panes).pane(PaneRole::a).size(), const_cast<CompareView&>(panes).pane(PaneRole::original).size());
    }

    void slidersAreLive() {
        auto window = toneMapping();
        QVERIFY(window);
        Session& session = window->session();
        const ImagePtr before = session.side(Side::a).result->image;
        auto* slider = window->pipelinePanel().form().editor("key")->findChild<QSlider*>();
        QVERIFY(slider);
        slider->setFocus();
        const double key = number(*window, "key");
        QTest::keyClick(slider, Qt::Key_PageUp);
        QVERIFY(number(*window, "key") > key);
        QVERIFY(waitForIdle(*window));
        const ImagePtr after = session.side(Side::a).result->image;
        QVERIFY(after != before);
        QVERIFY(after->view().at(40, 30) > before->view().at(40, 30));
    }

    void histogramWithTheCurve() {
        auto window = toneMapping("tonemap:white=1");
        QVERIFY(window);
        Session& session = window->session();
        // The histogram of the luminance, on a logarithmic axis.
        QVERIFY(session.panes().histogram());
        QCOMPARE(session.panes().histogram()->channels.size(), std::size_t{1});
        QVERIFY(session.panes().histogram()->logarithmic);
        const ChannelHistogram& counted = session.panes().histogram()->channels.front();
        std::uint64_t all = counted.below + counted.nan + counted.infinite;
        for (const std::uint64_t n : counted.counts) all += n;
        QCOMPARE(all, std::uint64_t{96 * 64});
        QCOMPARE(counted.nan, std::uint64_t{1});
        QVERIFY(std::fabs(counted.maximum - luminance(*session.original(), 95, 63)) < 1e-3);
        // The curve is the formula with what the run found.
        const auto kept = session.side(Side::a).result;  // the next one takes its place
        const SideResult& result = *kept;
        QCOMPARE(result.transfers.size(), std::size_t{1});
        const TransferCurve& curve = result.transfers.front().curve;
        QVERIFY(curve.input.size() > 100 && curve.input.size() == curve.output.size());
        double average = 0;
        for (const StatisticRecord& f : result.statistics)
            if (f.key == "log-average") average = f.value;
        QVERIFY(average > 0);
        for (std::size_t i = 0; i < curve.input.size(); ++i) {
            const double l = curve.input[i] * 0.18 / average, white = 0.18 / average;
            QVERIFY(std::fabs(curve.output[i] - l * (1 + l / (white * white)) / (1 + l)) < 1e-9 * std::max(1.0, curve.output[i]));
            if (i > 0) QVERIFY(curve.input[i] > curve.input[i - 1]);
        }
        QVERIFY(curve.output.back() > 1);  // 1 is white, and there is brighter light
        auto* text = window->findChild<QLabel*>("curveText");
        QVERIFY(text && !text->isHidden());
        QVERIFY2(text->text().contains("Luminance") && text->text().contains("Clipped: "), qPrintable(text->text()));
        // It follows the parameters; what is counted does not.
        const auto histogram = session.panes().histogram();
        window->session().pipeline().setParameter(0, "key", ParameterValue(0.72));
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.panes().histogram() == histogram);
        QVERIFY(session.side(Side::a).result->transfers.front().curve.output.front() > 3 * curve.output.front());
        // Other quantities on demand.
        auto* what = window->findChild<QComboBox*>("histogramWhat");
        QVERIFY(what);
        what->setCurrentIndex(1);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.panes().histogram()->channels.size(), std::size_t{3});
        what->setCurrentIndex(0);
        // Without the step no curve, and each channel again.
        setSteps(*window, {"convolve:size=3"});
        QVERIFY(waitForIdle(*window));
        QVERIFY(text->isHidden());
        QCOMPARE(session.panes().histogram()->channels.size(), std::size_t{3});
    }

    void everyOperatorHasItsCurve() {
        auto window = toneMapping();
        QVERIFY(window);
        for (const char* op : {"global", "local", "photoreceptor", "histogram"}) {
            setSteps(*window, {std::string("tonemap:operator=") + op});
            QVERIFY(waitForIdle(*window));
            const SideResult& result = *window->session().side(Side::a).result;
            QVERIFY2(result.transfers.size() == 1, op);
            const TransferCurve& curve = result.transfers.front().curve;
            for (std::size_t i = 1; i < curve.output.size(); ++i) QVERIFY2(curve.output[i] >= curve.output[i - 1] - 1e-12, op);
            QVERIFY2(curve.output.back() > 0.5 && curve.output.back() < 1.5, op);
            QVERIFY(window->pipelinePanel().form().editor("key"));
        }
        // A later step's axis would not be that of the original.
        setSteps(*window, {"convolve:size=3,kernel=box", "tonemap"});
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().side(Side::a).result->transfers.front().step, 1);
        QVERIFY(window->findChild<QLabel*>("curveText")->isHidden());
    }

    void presetsAsPictures() {
        auto window = toneMapping("tonemap:operator=photoreceptor,intensity=2");
        QVERIFY(window);
        PresetGallery& gallery = window->pipelinePanel().gallery();
        const auto presets = presetsOf(processCatalog().operation("tonemap"));
        QCOMPARE(gallery.buttons().size(), presets.size());
        QVERIFY(gallery.isVisible());
        std::set<QByteArray> pictures;
        for (const QToolButton* button : gallery.buttons()) {
            QVERIFY(!button->icon().isNull());
            QVERIFY(!button->toolTip().isEmpty() && !button->accessibleName().isEmpty());
            const QImage picture = button->icon().pixmap(96, 64).toImage();
            pictures.insert(QByteArray(reinterpret_cast<const char*>(picture.constBits()), picture.sizeInBytes()));
        }
        QVERIFY2(pictures.size() >= 2, "pfstools adapts to colour, the paper does not");
        PipelineModel& pipeline = window->session().pipeline();
        std::size_t pfstools = 0;
        while (presets[pfstools].key != "pfstools") ++pfstools;
        QTest::mouseClick(gallery.buttons()[pfstools], Qt::LeftButton);
        QCOMPARE(number(*window, "chromatic"), 0.5);
        QCOMPARE(number(*window, "intensity"), 0.0);
        QCOMPARE(pipeline.undoText(), QStringLiteral("Preset As pfstools"));
        QVERIFY(gallery.buttons()[pfstools]->isChecked());
        pipeline.undo();
        QVERIFY(!gallery.buttons()[pfstools]->isChecked());
        QVERIFY(waitForIdle(*window));
        // One's own are there, too, by the keyboard as by the mouse.
        PresetBar& bar = window->pipelinePanel().presets();
        ParameterBlock mine(pipeline.step(0).operation->parameters());
        mine.set("key", ParameterValue(1.5));
        bar.store().save(*pipeline.step(0).operation, "mine", mine, true);
        bar.setRow(0);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(gallery.buttons().size(), presets.size() + 1);
        QVERIFY(!gallery.buttons().back()->icon().isNull());
        gallery.buttons().back()->setFocus();
        QTest::keyClick(gallery.buttons().back(), Qt::Key_Space);
        QCOMPARE(number(*window, "key"), 1.5);
        bar.store().remove(*pipeline.step(0).operation, "mine");
        // Without presets, or without an image, none are shown.
        setSteps(*window, {"convolve:size=3"});
        QVERIFY(gallery.isHidden() || presetsOf(processCatalog().operation("convolve")).size() == gallery.buttons().size());
        QVERIFY(waitForIdle(*window));
    }

    void presetsOfAStepThatIsOffHaveTheSamePictures() {
        auto window = toneMapping();
        QVERIFY(window);
        const auto pictures = [&] {
            QList<QImage> list;
            for (const QToolButton* button : window->pipelinePanel().gallery().buttons()) list << button->icon().pixmap(96, 64).toImage();
            return list;
        };
        const QList<QImage> on = pictures();
        QCOMPARE(on.size(), static_cast<qsizetype>(presetsOf(processCatalog().operation("tonemap")).size()));
        for (const QImage& picture : on) QVERIFY(!picture.isNull());
        window->session().pipeline().setEnabled(0, false);
        QVERIFY(waitForIdle(*window));
        QVERIFY(pictures() == on);
        // Also if it is off from the start.
        window->session().close();
        setSteps(*window, {});
        setSteps(*window, {"tonemap"});
        window->session().pipeline().setEnabled(0, false);
        QVERIFY(openAndWait(*window, scene_));
        QVERIFY(pictures() == on);
    }

    void smallVersions() {
        const Image large = makeSynthetic({.kind = SyntheticKind::hdrRamp, .shape = {1000, 333, 1, 3}});
        const Image small = smallVersion(large, 128, {});
        QCOMPARE(small.shape().width, std::int64_t{128});
        QCOMPARE(small.shape().height, std::int64_t{43});
        QCOMPARE(small.shape().channels, std::int64_t{3});
        const SampleStatistics a = computeStatistics(large), b = computeStatistics(small);
        QVERIFY2(std::fabs(a.mean - b.mean) < 0.1 * a.mean, qPrintable(QStringLiteral("%1 %2").arg(a.mean).arg(b.mean)));
        const Image tiny = smallVersion(makeSynthetic({.kind = SyntheticKind::noise, .shape = {1, 5000, 1, 1}}), 128, {});
        QCOMPARE(tiny.shape().width, std::int64_t{1});
        const Image same = makeSynthetic({.kind = SyntheticKind::noise, .shape = {7, 5, 1, 1}});
        QVERIFY(compareViews(same.view(), smallVersion(same, 128, {}).view(), {}).maxAbs == 0);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN((void)smallVersion(large, 128, stop.get_token()), Error);
    }

    void previewsAreThoseOfTheWholeImage() {
        auto window = toneMapping();
        QVERIFY(window);
        Session& session = window->session();
        // One bright pixel decides over the white point: in a picture made small first it would be a part of what it is.
        for (const char* step : {"tonemap:operator=global", "tonemap:operator=local"}) {
            const Pipeline pipeline = pipelineOf({step});
            session.pipeline().setPipeline(pipeline);
            QVERIFY(waitForIdle(*window));
            session.previews().request({pipeline});
            QVERIFY(QTest::qWaitFor([&] { return session.previews().list().size() == 1 && session.previews().list().front().image; },
                                    kPatience));
            QVERIFY(waitForIdle(*window));
            const Preview& preview = session.previews().list().front();
            QVERIFY(!preview.reduced);
            const Image expected = smallVersion(*session.side(Side::a).result->image, Previews::kSize, {});
            const double apart = compareViews(expected.view(), preview.image->view(), {}).maxAbs;
            QVERIFY2(apart < 1e-3, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(step)).arg(apart)));
        }
    }

    void previewsWorkOnEncodedValuesAsThePaneDoes() {
        auto window = toneMapping();
        QVERIFY(window);
        Session& session = window->session();
        const Pipeline pipeline = pipelineOf({"tonemap:operator=global"});
        session.pipeline().setPipeline(pipeline);
        QVERIFY(waitForIdle(*window));
        const auto gallery = [&] {
            const std::size_t buttons = window->findChild<PresetGallery*>()->buttons().size();
            QSignalSpy changed(&session.previews(), &Previews::changed);
            return changed.wait(kPatience) && waitForIdle(*window) && session.previews().list().size() == buttons
                       ? session.previews().list().front().image
                       : nullptr;
        };
        setEncoded(session.pipeline(), Side::a, true);
        const ImagePtr encoded = gallery();
        setEncoded(session.pipeline(), Side::a, false);
        const ImagePtr linear = gallery();
        QVERIFY(encoded && linear);
        QVERIFY(compareViews(linear->view(), encoded->view(), {}).maxAbs > 0.01);

        setEncoded(session.pipeline(), Side::a, true);
        QVERIFY(gallery());
        session.previews().request({pipeline}, true);
        QVERIFY(QTest::qWaitFor([&] { return session.previews().list().size() == 1; }, kPatience));
        const Preview& preview = session.previews().list().front();
        QVERIFY2(preview.image, qPrintable(preview.error));
        const Image expected = smallVersion(*session.side(Side::a).result->image, Previews::kSize, {});
        const double apart = compareViews(expected.view(), preview.image->view(), {}).maxAbs;
        QVERIFY2(apart < 1e-3, qPrintable(QString::number(apart)));
    }

    void previewsNameABackendThatReplacesAnother() {
        const auto previewsOf = [](MainWindow& window) {
            Session& session = window.session();
            Pipeline pipeline;
            pipeline.steps.push_back(parseStep(session.catalog(), "tonemap"));
            session.pipeline().setPipeline(std::move(pipeline));
            return openAndWait(window, "synthetic:noise:64x48,channels=3") &&
                   QTest::qWaitFor([&] { return !session.previews().list().empty(); }, kPatience);
        };
        const auto strip = [](const QToolButton& button) {
            const QImage picture = button.icon().pixmap(QSize(64, 48)).toImage();
            return picture.pixelColor(0, picture.height() - 1);
        };
        const QColor kStrip(18, 18, 20);
        {
            std::vector<std::shared_ptr<Backend>> backends{std::make_shared<EmptyBackend>()};
            for (const auto& backend : processCatalog().backends())
                if (backend->id() == kReferenceBackend) backends.push_back(backend);
            const Catalog catalog(makeOperations(), std::move(backends));
            MainWindow window(catalog);
            window.resize(1500, 950);
            window.show();
            QVERIFY(previewsOf(window));
            for (const Preview& preview : window.session().previews().list()) {
                QVERIFY2(preview.image, qPrintable(preview.error));
                QVERIFY(preview.otherBackend && preview.reason.contains("empty"));
                QCOMPARE(preview.backend, std::string(kReferenceBackend));
            }
            const auto& buttons = window.findChild<PresetGallery*>()->buttons();
            QVERIFY(!buttons.empty());
            for (const QToolButton* button : buttons) {
                QVERIFY2(button->toolTip().contains("reference"), qPrintable(button->toolTip()));
                QVERIFY(std::abs(strip(*button).red() - kStrip.red()) < 60);
            }
        }
        auto window = shownWindow({1500, 950});
        QVERIFY(previewsOf(*window));
        for (const Preview& preview : window->session().previews().list()) QVERIFY(preview.image && !preview.otherBackend);
        for (const QToolButton* button : window->findChild<PresetGallery*>()->buttons())
            QVERIFY2(!button->toolTip().contains("Computed by"), qPrintable(button->toolTip()));
    }

    void theWhitePointIsPicked() {
        auto window = toneMapping();
        QVERIFY(window);
        QToolButton* button = picker(*window);
        QVERIFY(button && button->isVisible());
        QVERIFY(!button->toolTip().isEmpty() && !button->accessibleName().isEmpty() && button->focusPolicy() != Qt::NoFocus);
        ImagePane& original = window->compareView().pane(PaneRole::original);
        // Esc leaves, and nothing has changed.
        button->click();
        QVERIFY(window->view().picking());
        QVERIFY(window->messageBar().isVisible());
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!window->view().picking() && !button->isChecked());
        QCOMPARE(number(*window, "white"), 0.0);
        // The same button leaves, too.
        button->click();
        button->click();
        QVERIFY(!window->view().picking());
        // A pixel of the original is its luminance, and one edit.
        button->click();
        QVERIFY(button->isChecked());
        const PixelPosition pixel{70, 30};
        const QPoint place = placeOf(original, pixel);
        QVERIFY(place.x() >= 0);
        const QPointF centre = window->view().centre();
        QTest::mouseClick(&original, Qt::LeftButton, {}, place);
        const double expected = luminance(*window->session().original(), pixel.x, pixel.y);
        QVERIFY2(std::fabs(number(*window, "white") - expected) < 2e-5 * expected, qPrintable(QString::number(number(*window, "white"))));
        QVERIFY(!window->view().picking() && !button->isChecked());
        QCOMPARE(window->view().centre(), centre);
        QVERIFY(waitForIdle(*window));
        for (const StatisticRecord& f : window->session().side(Side::a).result->statistics)
            if (f.key == "white") QVERIFY(std::fabs(f.value - expected) < 2e-5 * expected);
        window->session().pipeline().undo();
        QCOMPARE(number(*window, "white"), 0.0);
        // Black would mean "largest", and NaN nothing: another pixel is asked for.
        for (const PixelPosition& bad : {PixelPosition{10, 20}, PixelPosition{20, 20}}) {
            button->click();
            QTest::mouseClick(&original, Qt::LeftButton, {}, placeOf(original, bad));
            QVERIFY(window->view().picking());
            QCOMPARE(number(*window, "white"), 0.0);
            QVERIFY(window->messageBar().message().plainText().contains("White point"));
            QTest::keyClick(window.get(), Qt::Key_Escape);
        }
        // By the keyboard: the pixel in the middle of a pane.
        button->click();
        original.setFocus();
        QTest::keyClick(&original, Qt::Key_Return);
        QVERIFY(number(*window, "white") > 0);
        QVERIFY(!window->view().picking());
        // Another operator has no white point: its button goes with it.
        window->session().pipeline().setParameter(0, "operator", ParameterValue(std::string("histogram")));
        QVERIFY(!picker(*window)->isVisible());
        QVERIFY(waitForIdle(*window));
    }

    void aResultMayBeLargerThanWhatIsPickedFrom() {
        auto window = toneMapping();
        QVERIFY(window);
        PipelineModel& pipeline = window->session().pipeline();
        Pipeline larger = pipeline.pipeline();
        larger.steps.push_back(parseStep(processCatalog(), "dwt:wavelet=db20,levels=2"));
        pipeline.setPipeline(larger);
        QVERIFY(waitForIdle(*window));
        const Shape shape = window->session().side(Side::a).result->image->shape();
        QVERIFY(shape.width > 96 && shape.height > 64);
        auto* list = window->pipelinePanel().findChild<QListView*>(QStringLiteral("steps"));
        list->setCurrentIndex(pipeline.index(0));
        QVERIFY(picker(*window));
        const double before = number(*window, "white");
        picker(*window)->click();
        window->view().pick({shape.width - 1, shape.height - 1});
        QCOMPARE(number(*window, "white"), before);
        QCOMPARE(window->messageBar().message().kind, Message::Kind::warning);
        window->view().pick({30, 20});
        QVERIFY(number(*window, "white") != before);
    }
    void nothingToPickFrom() {
        auto window = shownWindow();
        setSteps(*window, {"tonemap"});
        picker(*window)->click();
        QVERIFY(!window->view().picking() && !picker(*window)->isChecked());
        QVERIFY(window->messageBar().isVisible());
    }

    void theScalesOfTheLocalOperator() {
        auto window = toneMapping("tonemap:operator=local,scales=5,epsilon=0.01");
        QVERIFY(window);
        QVERIFY(!window->session().side(Side::a).result->transfers.empty());
        auto* output = window->pipelinePanel().form().editor("output")->findChild<QComboBox*>();
        QVERIFY(output && output->isVisible());
        output->setCurrentIndex(output->findData(QStringLiteral("scale")));
        QVERIFY(waitForIdle(*window));
        const SideResult& result = *window->session().side(Side::a).result;
        QVERIFY2(result.transfers.empty(), "scales are no light");
        std::set<float> scales;
        const View<const float> view = result.image->view();
        for (std::int64_t y = 0; y < view.shape.height; ++y)
            for (std::int64_t x = 0; x < view.shape.width; ++x)
                if (!std::isnan(view.at(x, y))) scales.insert(view.at(x, y));
        QVERIFY(scales.size() >= 2 && scales.size() <= 5);
        for (const float s : scales) QVERIFY(std::fabs(s * 4 - std::round(s * 4)) < 1e-6F && s >= 0 && s <= 1);
    }

    void filesOfTheResult() {
        auto window = toneMapping("tonemap:white=4,saturation=0.9");
        QVERIFY(window);
        const ImagePtr result = window->session().side(Side::a).result->image;
        struct Case {
            const char* name;
            StoredDepth depth;
            double step;  // of the stored samples; of those in floating point relative to what is stored
            bool encoded;
        };
        for (const Case& c : {Case{"8.png", StoredDepth::uint8, 1 / 255.0, true}, Case{"16.png", StoredDepth::uint16, 1 / 65535.0, true},
                              Case{"half.exr", StoredDepth::half, 1 / 1024.0, false}, Case{"float.exr", StoredDepth::float32, 0, false}}) {
            const QString path = folder_.filePath(QString::fromLatin1(c.name));
            window->session().saveImage(PaneRole::a, path, {.overwrite = true, .depth = c.depth});
            QVERIFY(waitForIdle(*window));
            const Image read = loadImage(path.toStdString());
            QCOMPARE(read.source.transfer, c.encoded ? TransferFunction::sRgb : TransferFunction::linear);
            const auto encoded = [&](double x) {
                x = std::clamp(x, 0.0, 1.0);
                return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
            };
            double worst = 0;
            for (std::int64_t ch = 0; ch < 3; ++ch)
                for (std::int64_t y = 0; y < 64; ++y)
                    for (std::int64_t x = 0; x < 96; ++x) {
                        const double made = static_cast<double>(result->view().at(x, y, 0, ch));
                        const double kept = static_cast<double>(read.view().at(x, y, 0, ch));
                        if (std::isnan(made)) continue;
                        worst = std::max(worst, c.encoded ? std::fabs(encoded(made) - encoded(kept))
                                                          : std::fabs(made - kept) / std::max(std::fabs(made), 6.2e-5));
                    }
            QVERIFY2(worst <= 0.51 * c.step, qPrintable(QStringLiteral("%1: %2").arg(path).arg(worst)));
            for (const char* name : {"artist", "comments"}) {
                bool found = false;
                for (const MetadataEntry& e : read.metadata)
                    for (const MetadataEntry& written : result->metadata)
                        found = found || (e.name == name && written.name == name && e.text == written.text && !e.text.empty());
                QVERIFY2(found, qPrintable(path + QLatin1Char(' ') + QLatin1String(name)));
            }
        }
    }
};

QTEST_MAIN(ToneMappingTest)
#include "tone_mapping_test.moc"
