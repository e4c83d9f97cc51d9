// SPDX-License-Identifier: GPL-3.0-or-later
// Display of values (encodings, channels, false colours, marks, grid) and statistics of the selection.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/image/synthetic.hpp"
#include "core/image/transfer.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/canvas/display_transform.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/inspector/selection_panel.hpp"
#include "ui/models/regions/region_statistics.hpp"
#include "ui/models/view/auto_display.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/pixel_model.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// An image of one row; `values` holds one channel after another.
ImagePtr rowImage(std::vector<float> values, std::vector<std::string> names) {
    const auto channels = static_cast<std::int64_t>(names.size());
    const auto width = static_cast<std::int64_t>(values.size()) / channels;
    Buffer buffer(Shape{width, 1, 1, channels});
    for (std::int64_t c = 0; c < channels; ++c) std::copy_n(values.begin() + c * width, width, buffer.view<float>().row(0, 0, c));
    return std::make_shared<const Image>(std::move(buffer), std::move(names));
}

QImage shown(const ImagePtr& image, const DisplaySettings& display) {
    const QRect all(0, 0, static_cast<int>(image->shape().width), static_cast<int>(image->shape().height));
    return renderTile(Pyramid(image), 0, all, {.display = display});
}

}  // namespace

class ViewTest : public QObject {
    Q_OBJECT
private slots:
    void encodingsFollowTheirFormulas() {
        std::vector<float> values;
        for (int i = 0; i < 3000; ++i) values.push_back(static_cast<float>(std::pow(2.0, -27 + i * 0.01)));
        const ImagePtr image = rowImage(values, {"Y"});
        for (const DisplayEncoding encoding : {DisplayEncoding::srgb, DisplayEncoding::gamma, DisplayEncoding::linear}) {
            for (const double gamma : {0.5, 1.0, 2.2, 4.0}) {
                const QImage picture = shown(image, {.exposure = -1.5, .offset = 0.01, .encoding = encoding, .gamma = gamma});
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const double scaled = std::min(1.0, static_cast<double>(values[i]) * std::exp2(-1.5) + 0.01);
                    const double exact = 255 * (encoding == DisplayEncoding::srgb    ? linearToSrgb(scaled)
                                                : encoding == DisplayEncoding::gamma ? std::pow(scaled, 1 / gamma)
                                                                                     : scaled);
                    QVERIFY2(std::fabs(qRed(picture.pixel(static_cast<int>(i), 0)) - exact) <= 1,
                             qPrintable(QString::number(values[i]) + " " + QString::number(gamma)));
                }
            }
        }
    }
    void darkValuesSurviveASteepGamma() {
        const QImage picture = shown(rowImage({0, 0x1p-30F, 0x1p-20F}, {"Y"}), {.encoding = DisplayEncoding::gamma, .gamma = 8});
        QCOMPARE(qRed(picture.pixel(0, 0)), 0);
        QVERIFY(std::abs(qRed(picture.pixel(2, 0)) - std::lround(255 * std::pow(2.0, -2.5))) <= 1);
    }
    void channelsLuminanceAndMaps() {
        const ImagePtr image = rowImage({1, 0, 0, 0.5F, 0, 1, 0, 0.5F, 0, 0, 1, 0.5F, 0.25F, 0.5F, 0.75F, 1}, {"R", "G", "B", "Z"});
        const DisplaySettings linear{.encoding = DisplayEncoding::linear};
        const auto greys = [&](DisplaySettings s) {
            const QImage picture = shown(image, s);
            std::array<int, 4> g{};
            for (int x = 0; x < 4; ++x) {
                const QRgb c = picture.pixel(x, 0);
                g[static_cast<std::size_t>(x)] = qRed(c) == qGreen(c) && qGreen(c) == qBlue(c) ? qRed(c) : -1;
            }
            return g;
        };
        DisplaySettings s = linear;
        s.channel = 1;
        QCOMPARE(greys(s), (std::array{0, 255, 0, 128}));
        s.channel = 3;  // not part of the colour picture
        QCOMPARE(greys(s), (std::array{64, 128, 191, 255}));
        s.channel = DisplaySettings::kLuminance;
        QCOMPARE(greys(s), (std::array{54, 182, 18, 128}));
        s.channel = 17;  // from an image with more channels
        QCOMPARE(qRgb(255, 0, 0), shown(image, s).pixel(0, 0));
        for (const FalseColour map : {FalseColour::evenRamp, FalseColour::heat, FalseColour::diverging}) {
            s.channel = 3;
            s.falseColour = map;
            for (int x = 0; x < 4; ++x) QCOMPARE(shown(image, s).pixel(x, 0), falseColour(map, 0.25 * (x + 1)));
        }
    }
    void marksShowClippedValues() {
        const ImagePtr image = rowImage({0.5F, 1, 1.001F, -0.001F, kNan, kInf, -kInf, 0}, {"Y"});
        const QImage plain = shown(image, {}), marked = shown(image, {.clippingMarks = true});
        const std::array expected{plain.pixel(0, 0), plain.pixel(1, 0), kOverColour,  kUnderColour,
                                  kNanColour,        kOverColour,       kUnderColour, plain.pixel(7, 0)};
        for (int x = 0; x < 8; ++x) QCOMPARE(marked.pixel(x, 0), expected[static_cast<std::size_t>(x)]);
        const QImage ramp = shown(image, {.falseColour = FalseColour::heat, .clippingMarks = true});
        QCOMPARE(ramp.pixel(2, 0), kOverColour);
        QCOMPARE(ramp.pixel(4, 0), kNanColour);
        const ImagePtr colour = rowImage({0.5F, 0.5F, 0.5F, 2, -1, 0.5F}, {"R", "G", "B"});
        QCOMPARE(shown(colour, {.clippingMarks = true}).pixel(0, 0), kUnderColour);
        QCOMPARE(shown(colour, {.clippingMarks = true}).pixel(1, 0), kOverColour);
    }
    void levelsAndTheirInverse() {
        const DisplaySettings s = withLevels({}, -200, 600);
        QVERIFY(std::fabs(blackOf(s) + 200) < 1e-9);
        QVERIFY(std::fabs(whiteOf(s) - 600) < 1e-9);
        QCOMPARE(blackOf({}), 0.0);
        QCOMPARE(whiteOf({}), 1.0);
    }
    void automaticExposureIsAPercentile() {
        // 1 ... 1000: 99 % lie at or below 990.
        std::vector<float> values(1000);
        std::iota(values.begin(), values.end(), 1.0F);
        const ImagePtr image = rowImage(values, {"Y"});
        const DisplaySettings s = automaticDisplay(*image, {}, {});
        const double above = static_cast<double>(std::count_if(values.begin(), values.end(), [&](float v) { return v > whiteOf(s); }));
        QVERIFY(above <= 10);
        QVERIFY(whiteOf(s) < 1100);  // a tenth of a stop is 7 %
        QCOMPARE(s.offset, 0.0);
        const DisplaySettings levels = automaticDisplay(*image, {}, {.falseColour = FalseColour::heat});
        QVERIFY(std::fabs(blackOf(levels) - 10) < 2 && std::fabs(whiteOf(levels) - 990) < 2);
        QVERIFY(whiteOf(automaticDisplay(*image, QRect(0, 0, 100, 1), {})) < 110);  // of a rectangle
        // Values without a natural zero have both ends.
        const DisplaySettings own = automaticDisplay(*image, {}, {}, true);
        QVERIFY(std::fabs(blackOf(own) - 10) < 2 && std::fabs(whiteOf(own) - 990) < 2);
        // No finite samples: unchanged.
        QCOMPARE(automaticDisplay(*rowImage({kNan, kInf}, {"Y"}), {}, {}), DisplaySettings{});
        QCOMPARE(automaticDisplay(*rowImage({0, 0}, {"Y"}), {}, {}), DisplaySettings{});
    }
    void statisticsOfARectangle() {
        const Image image = makeSynthetic(parseSynthetic("synthetic:noise:37x23,channels=3"));
        const QRect part(5, 7, 11, 9);
        const auto statistics = channelStatistics(image, part, {});
        QCOMPARE(statistics.size(), std::size_t{3});
        for (std::int64_t c = 0; c < 3; ++c) {
            std::vector<double> v;
            for (int y = part.top(); y <= part.bottom(); ++y)
                for (int x = part.left(); x <= part.right(); ++x) v.push_back(static_cast<double>(image.view().at(x, y, 0, c)));
            const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
            double squares = 0;
            for (const double value : v) squares += (value - mean) * (value - mean);
            const ChannelStatistics& s = statistics[static_cast<std::size_t>(c)];
            QCOMPARE(s.minimum, *std::min_element(v.begin(), v.end()));
            QCOMPARE(s.maximum, *std::max_element(v.begin(), v.end()));
            QVERIFY(std::fabs(s.mean - mean) < 1e-12);
            QVERIFY(std::fabs(s.deviation - std::sqrt(squares / static_cast<double>(v.size()))) < 1e-12);
        }
        const auto special = channelStatistics(*rowImage({kNan, 2, kInf, 4}, {"Y"}), QRect(), {});
        QCOMPARE(special[0].finite, std::uint64_t{2});
        QCOMPARE(special[0].notFinite, std::uint64_t{2});
        QCOMPARE(special[0].mean, 3.0);
        QCOMPARE(special[0].deviation, 1.0);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(channelStatistics(image, QRect(), stop.get_token()), Error);
    }
    void samplesAsDisplayLevels() {
        PixelModel model;
        model.setImages(nullptr, rowImage({0.5F, kNan}, {"Y"}), rowImage({1.5F, 1}, {"Y"}));
        model.setPosition(PixelPosition{0, 0});
        const auto text = [&](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(text(PixelModel::aColumn), QStringLiteral("0.5"));
        model.setFormat(SampleFormat::display);
        QCOMPARE(text(PixelModel::aColumn), QStringLiteral("188"));
        QCOMPARE(text(PixelModel::bColumn), QStringLiteral("255"));
        QCOMPARE(text(PixelModel::differenceColumn), QStringLiteral("67"));
        QCOMPARE(text(PixelModel::originalColumn), QStringLiteral("–"));
        model.setFormat(SampleFormat::hexadecimal);
        QCOMPARE(text(PixelModel::aColumn), QStringLiteral("BC"));
        model.setDisplay({.exposure = 1});
        QCOMPARE(text(PixelModel::aColumn), QStringLiteral("FF"));
        model.setPosition(PixelPosition{1, 0});
        QCOMPARE(text(PixelModel::aColumn), QStringLiteral("NaN"));
        QCOMPARE(text(PixelModel::differenceColumn), QStringLiteral("NaN"));
    }
    void draggingSelectsAndTheInspectorCounts() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:300x200,channels=3"));
        ImagePane& pane = window->compareView().pane(PaneRole::a);
        ViewState& view = window->view();
        const QPoint from(60, 80), to(120, 130);
        const QPointF before = view.centre();
        drag(pane, to, from, Qt::ShiftModifier);  // backwards, too
        QCOMPARE(view.centre(), before);
        const PixelPosition a = pane.pixelAt(from), b = pane.pixelAt(to);
        QCOMPARE(view.selection(),
                 QRect(QPoint(static_cast<int>(a.x), static_cast<int>(a.y)), QPoint(static_cast<int>(b.x), static_cast<int>(b.y))));
        auto* panel = window->findChild<SelectionPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(panel->text().contains(QStringLiteral("RMSE")), kPatience);
        QCOMPARE(window->session().panes().region()->box, boxOf(view.selection()));
        // With the selection tool, dragging selects and Shift+drag pans.
        auto* tool = window->findChild<QAction*>("select");
        tool->trigger();
        QVERIFY(tool->isChecked() && view.selecting());
        drag(pane, QPoint(-50, -50), QPoint(9000, 9000));
        QCOMPARE(view.selection(), QRect(0, 0, 300, 200));  // kept inside
        drag(pane, from, to, Qt::ShiftModifier);
        QVERIFY(view.centre() != before);
        QTest::mouseClick(&pane, Qt::LeftButton, {}, from);
        QVERIFY(view.selection().isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(!window->session().panes().region(), kPatience);
        // By the keyboard.
        window->findChild<QAction*>("select-all")->trigger();
        QCOMPARE(view.selection(), QRect(0, 0, 300, 200));
        view.setScale(8);
        window->findChild<QAction*>("select-visible")->trigger();
        QVERIFY(!view.selection().isEmpty() && view.selection() != QRect(0, 0, 300, 200));
        QVERIFY(QRect(0, 0, 300, 200).contains(view.selection()));
        // Another image has no selection.
        QVERIFY(openAndWait(*window, "synthetic:noise:90x70"));
        QVERIFY(view.selection().isEmpty());
    }
    void histogramOfTheSelection() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:200x100"));
        QCOMPARE(window->session().panes().histogram()->samples, std::uint64_t{20000});
        auto* part = window->findChild<QComboBox*>("histogramPart");
        part->setCurrentIndex(2);
        window->view().setSelection(QRect(10, 10, 20, 5));
        QTRY_COMPARE_WITH_TIMEOUT(window->session().panes().histogram()->samples, std::uint64_t{100}, kPatience);
        part->setCurrentIndex(1);
        window->view().setScale(16);
        const QRect seen = window->view().visiblePixels();
        QTRY_COMPARE_WITH_TIMEOUT(window->session().panes().histogram()->samples, static_cast<std::uint64_t>(seen.width() * seen.height()),
                                  kPatience);
    }
    void controlsFollowAndChangeTheView() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        ViewState& view = window->view();
        auto* channel = window->findChild<QComboBox*>("channel");
        QCOMPARE(channel->count(), 5);  // colour, luminance, R, G, B
        channel->setCurrentIndex(3);
        emit channel->activated(3);
        QCOMPARE(view.display().channel, 1);
        auto* map = window->findChild<QComboBox*>("falseColour");
        map->setCurrentIndex(2);
        emit map->activated(2);
        QCOMPARE(view.display().falseColour, FalseColour::heat);
        QTest::keyClick(window.get(), Qt::Key_M);
        QVERIFY(view.display().clippingMarks);
        QVERIFY(window->findChild<QAction*>("marks")->isChecked());
        QTest::keyClick(window.get(), Qt::Key_A);
        QVERIFY(view.display().exposure != 0);
        QVERIFY(waitForIdle(*window));
        // A channel that the next image lacks.
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48"));
        QCOMPARE(view.display().channel, DisplaySettings::kColour);
        QTest::keyClick(window.get(), Qt::Key_R);
        QCOMPARE(view.display(), DisplaySettings{});
        QCOMPARE(map->currentIndex(), 0);
    }
    void largePixelsHaveLinesAndValues() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:40x30,channels=3"));
        ImagePane& pane = window->compareView().pane(PaneRole::original);
        ViewState& view = window->view();
        const auto different = [&](double scale) {
            view.setScale(scale);
            view.setPixelGrid(true);
            (void)waitForIdle(*window);
            const QImage with = pane.grab().toImage();
            view.setPixelGrid(false);
            (void)waitForIdle(*window);
            const QImage without = pane.grab().toImage();
            int count = 0;
            for (int y = 0; y < with.height(); ++y)
                for (int x = 0; x < with.width(); ++x) count += with.pixel(x, y) != without.pixel(x, y);
            return static_cast<double>(count) / (with.width() * with.height());
        };
        QCOMPARE(different(4), 0.0);                   // too small for lines
        QVERIFY(different(20) > 0.03);                 // lines
        QVERIFY(different(96) > 2 * 2.0 / 96 + 0.02);  // lines and numbers
        window->findChild<QAction*>("pixel-grid")->trigger();
        QVERIFY(view.pixelGrid());
    }
};

QTEST_MAIN(ViewTest)
#include "view_test.moc"
