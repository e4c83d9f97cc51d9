// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics, maps and range of the difference in the window. Values are those of tests/oracles/metrics.txt, made by other programs.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTableWidget>
#include <QtTest>
#include <cmath>
#include <fstream>

#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/support/golden_metrics.hpp"
#include "ui/canvas/display_transform.hpp"
#include "ui/inspector/inspector_panel.hpp"
#include "ui/inspector/worst_pixels_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"

namespace parallax::ui {
namespace {

/// Two files of the golden images of a name.
struct GoldenPair {
    QTemporaryDir folder;
    QString a, b;

    explicit GoldenPair(const std::string& name) : a(folder.filePath("a.exr")), b(folder.filePath("b.exr")) {
        std::ifstream file(PARALLAX_GOLDEN_FOLDER "/metrics.txt");
        for (std::string line; std::getline(file, line);) {
            const std::vector<std::string> golden = goldenFields(line);
            if (golden.size() < 5 || golden[0] != "image" || golden[1] != name) continue;
            saveImage(goldenImage(golden[2], golden[3]), a.toStdString());
            saveImage(goldenImage(golden[2], golden[4]), b.toStdString());
        }
    }
};

/// Fields of a metric in the golden file, such as "flip" of "odd".
std::vector<std::string> goldenLine(const std::string& metric, const std::string& name, const std::string& kind = {}) {
    std::ifstream file(PARALLAX_GOLDEN_FOLDER "/metrics.txt");
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> golden = goldenFields(line);
        if (golden.size() == 5 && golden[0] == metric && golden[1] == name && golden[2].starts_with(kind)) return golden;
    }
    return {};
}
double goldenValue(const std::string& metric, const std::string& name, const std::string& kind = {}) {
    return std::stod(goldenLine(metric, name, kind).at(3));
}

bool openPair(MainWindow& window, const GoldenPair& pair) {
    setSteps(window, {});
    setInput(window.session().pipeline(), Side::b, pair.b);
    return openAndWait(window, pair.a);
}

QLabel& label(MainWindow& window, const char* name) { return *window.inspectorPanel().findChild<QLabel*>(name); }

double number(MainWindow& window, const char* name) { return QLocale().toDouble(label(window, name).text()); }

void choose(MainWindow& window, const char* name, const QVariant& value) {
    auto* box = window.findChild<QComboBox*>(name);
    box->setCurrentIndex(box->findData(value));
    emit box->activated(box->currentIndex());
}

void typeRange(MainWindow& window, const char* text) {
    QLineEdit* edit = window.findChild<QComboBox*>("differenceScale")->lineEdit();
    edit->selectAll();
    QTest::keyClick(edit, Qt::Key_Delete);
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
}

}  // namespace

class DifferenceTest : public QObject {
    Q_OBJECT

private slots:
    void metricsOfColoursAgreeWithOtherPrograms() {
        const GoldenPair pair("odd");
        auto window = shownWindow();
        QVERIFY(openPair(*window, pair));
        QVERIFY(std::abs(number(*window, "metricSsim") - goldenValue("ssim", "odd", "display")) < 2e-6);
        QVERIFY(std::abs(number(*window, "metricFlip") - goldenValue("flip", "odd")) < 1e-4);
        QVERIFY(label(*window, "metricFlip").toolTip().contains("67 pixels per degree"));
        QVERIFY(label(*window, "metricSsim").toolTip().contains("Wang"));
        QVERIFY(number(*window, "metricUlp") > 1000);
        QVERIFY(!label(*window, "metricSsimLinear").isVisible());
    }
    void highDynamicRangeHasBothSsims() {
        const GoldenPair pair("bright");
        auto window = shownWindow();
        QVERIFY(openPair(*window, pair));
        QVERIFY(std::abs(number(*window, "metricSsim") - goldenValue("ssim", "bright", "display")) < 2e-6);
        QVERIFY(std::abs(number(*window, "metricSsimLinear") - goldenValue("ssim", "bright", "linear")) < 2e-6);
        QVERIFY(std::abs(number(*window, "metricFlip") - goldenValue("hdr-flip", "bright")) < 1e-4);
        QVERIFY2(label(*window, "metricFlip").toolTip().contains("2021"), qPrintable(label(*window, "metricFlip").toolTip()));
    }
    void volumesHaveNoFlipAndSayWhy() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x24x8"));
        QCOMPARE(label(*window, "metricFlip").text(), QStringLiteral("–"));
        QVERIFY(label(*window, "metricFlip").toolTip().contains("measurements"));
        QVERIFY(number(*window, "metricSsimLinear") > 0.9);
        QVERIFY(!label(*window, "metricSsim").isVisible());
    }
    void metricsFollowTheResults() {
        auto window = shownWindow();
        Session& session = window->session();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        session.setTarget(Side::b, "reference");
        setSteps(*window, {"convolve:size=5"});
        QVERIFY(waitForIdle(*window));
        QVERIFY(number(*window, "metricSsim") > 0.99);
        // Different steps give a different result.
        CompareSetup setup = session.pipeline().setup();
        setup.pane(Side::b).steps = Pipeline();
        session.pipeline().replaceSetup(std::move(setup), QStringLiteral("Steps of B"));
        QVERIFY(waitForIdle(*window));
        QVERIFY(number(*window, "metricSsim") < 0.99);
    }
    void cancellingLeavesNoValues() {
        auto window = shownWindow();
        Session& session = window->session();
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:2000x1000"));
        session.pipeline().setParameter(0, "sigma", ParameterValue(2.5));
        const PairMetrics& metrics = session.comparison().metrics();
        QVERIFY(QTest::qWaitFor(
            [&] { return metrics.state() == PairMetrics::State::waiting || metrics.state() == PairMetrics::State::running; }, kPatience));
        QCOMPARE(label(*window, "metricFlip").text(), QStringLiteral("computing …"));
        session.cancel();
        QVERIFY(waitForIdle(*window));
        QVERIFY(metrics.state() == PairMetrics::State::failed);
        QCOMPARE(label(*window, "metricFlip").text(), QStringLiteral("–"));
        QCOMPARE(label(*window, "metricFlip").toolTip(), QStringLiteral("Cancelled"));
    }
    void numbersOfThePreviousResultAreDimmed() {
        auto window = shownWindow();
        Session& session = window->session();
        session.setTarget(Side::a, "reference");
        session.setTarget(Side::b, "openmp");
        setSteps(*window, {"convolve:size=5"});
        QVERIFY(openAndWait(*window, "synthetic:noise:700x700,channels=3"));
        QLabel &largest = label(*window, "metricLargest"), &notice = label(*window, "differenceNotice");
        QTableWidget& worst = window->findChild<WorstPixelsPanel*>()->table();
        const QString before = largest.text();
        QVERIFY(largest.isEnabled() && worst.isEnabled() && !notice.isVisible());
        // 15 billion multiplications.
        session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{101}));
        QVERIFY(QTest::qWaitFor([&] { return !largest.isEnabled() || window->settled(); }, kPatience));
        QVERIFY(!largest.isEnabled());
        QCOMPARE(largest.text(), before);
        QVERIFY(!worst.isEnabled());
        QVERIFY2(notice.isVisible() && notice.text().contains("Previous result"), qPrintable(notice.text()));
        session.pipeline().setParameter(0, "size", ParameterValue(std::int64_t{3}));
        QVERIFY(waitForIdle(*window));
        QVERIFY(QTest::qWaitFor([&] { return largest.isEnabled() && worst.isEnabled(); }, kPatience));
        QVERIFY(!notice.isVisible());
    }
    void mapsOfFlipAndSsimAgreeWithOtherPrograms() {
        const GoldenPair pair("odd");
        auto window = shownWindow();
        QVERIFY(openPair(*window, pair));
        const ShownDifference& shown = window->session().comparison().shown();
        for (const auto& [mode, metric] : {std::pair{DifferenceMode::flip, "flip"}, {DifferenceMode::ssim, "ssim"}}) {
            choose(*window, "differenceMode", static_cast<int>(mode));
            QVERIFY(waitForIdle(*window));
            QVERIFY(shown.content() == mode && window->compareView().differenceMode() == mode);
            const std::vector<double> map = goldenNumbers(goldenLine(metric, "odd").at(4));
            QCOMPARE(static_cast<std::size_t>(shown.image()->shape().pixels()), map.size());
            for (std::size_t i = 0; i < map.size(); ++i)
                QVERIFY(std::abs(static_cast<double>(shown.image()->view().data[i]) - map[i]) < 2e-4);
            // The readout has the value of the map.
            window->view().setCursor(PixelPosition{3, 2});
            const QString value = formatSample(static_cast<double>(shown.image()->view().at(3, 2)));
            QVERIFY2(label(*window, "pixelPosition").text().contains(value), qPrintable(label(*window, "pixelPosition").text()));
        }
        choose(*window, "differenceMode", static_cast<int>(DifferenceMode::flip));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->compareView().differenceScale(), 1.0);
        const auto legend = window->compareView().pane(PaneRole::difference).legend();
        QVERIFY(legend && legend->high == "1" && legend->colour(0.5) == falseColour(FalseColour::magma, 0.5));
    }
    void flipIsNotOfferedForVolumes() {
        const GoldenPair pair("odd");
        auto window = shownWindow();
        QVERIFY(openPair(*window, pair));
        auto* box = window->findChild<QComboBox*>("differenceMode");
        const auto* items = qobject_cast<QStandardItemModel*>(box->model());
        const int row = box->findData(static_cast<int>(DifferenceMode::flip));
        QVERIFY(items->item(row)->isEnabled());
        choose(*window, "differenceMode", static_cast<int>(DifferenceMode::flip));
        QVERIFY(waitForIdle(*window));
        setInput(window->session().pipeline(), Side::b, {});
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x24x8"));
        QVERIFY(!items->item(row)->isEnabled());
        QVERIFY(window->view().display().differenceMode == DifferenceMode::signedValue);
    }
    void theRangeIsAutomaticFullOrTyped() {
        const GoldenPair pair("odd");
        auto window = shownWindow();
        QVERIFY(openPair(*window, pair));
        const Comparison& comparison = window->session().comparison();
        CompareView& view = window->compareView();
        QLabel& beyond = label(*window, "beyondRange");
        QCOMPARE(view.differenceScale(), comparison.shown().range().typical);
        QVERIFY(beyond.isVisible());
        choose(*window, "differenceScale", DisplaySettings::kFullRange);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(view.differenceScale(), comparison.difference()->maxAbs);
        QVERIFY(!beyond.isVisible());
        typeRange(*window, "0.013");
        QVERIFY(waitForIdle(*window));
        QCOMPARE(view.differenceScale(), 0.013);
        std::int64_t larger = 0;
        const Image& difference = *comparison.differenceImage();
        for (std::int64_t i = 0; i < difference.shape().pixels(); ++i) larger += std::fabs(difference.view().data[i]) > 0.013F ? 1 : 0;
        QVERIFY(larger > 10);
        QCOMPARE(beyond.text(), QStringLiteral("%1 samples beyond the range").arg(larger));
        QVERIFY(view.pane(PaneRole::difference).label().details.contains(beyond.text()));
        // Texts that are no range change nothing.
        for (const char* text : {"-1", "0", "many", ""}) {
            typeRange(*window, text);
            QCOMPARE(view.differenceScale(), 0.013);
            QCOMPARE(window->findChild<QComboBox*>("differenceScale")->currentText(), formatSample(0.013));
        }
        // In units of the mode.
        choose(*window, "differenceMode", static_cast<int>(DifferenceMode::squared));
        typeRange(*window, "0.000169");
        QVERIFY(waitForIdle(*window));
        QCOMPARE(beyond.text(), QStringLiteral("%1 samples beyond the range").arg(larger));
    }
};

}  // namespace parallax::ui

QTEST_MAIN(parallax::ui::DifferenceTest)
#include "difference_test.moc"
