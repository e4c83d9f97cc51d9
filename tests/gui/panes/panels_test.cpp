// SPDX-License-Identifier: GPL-3.0-or-later
// Panels of the Inspector with several panes: histogram, transfer curves, automatic exposure and results follow the active pane.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QSettings>
#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/gui/gui_support.hpp"
#include "ui/charts/plot.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/models/view/auto_display.hpp"
#include "ui/models/view/display_curve.hpp"
#include "ui/models/view/histogram.hpp"
#include "ui/models/volume/volume_state.hpp"

using namespace parallax;
using namespace parallax::ui;

class PanelsTest : public QObject {
    Q_OBJECT

    static QComboBox& source(const MainWindow& window) { return *window.findChild<QComboBox*>("histogramSource"); }
    static void choose(const MainWindow& window, PaneRole role) {
        source(window).setCurrentIndex(source(window).findData(static_cast<int>(role)));
    }
    static QStringList sources(const MainWindow& window) {
        QStringList texts;
        for (int i = 0; i < source(window).count(); ++i) texts << source(window).itemText(i);
        return texts;
    }
    static std::uint64_t counted(MainWindow& window) {
        const auto& histogram = window.session().panes().histogram();
        return histogram ? histogram->samples : 0;
    }
    /// The letters at the curves of the histogram.
    static QStringList curves(const MainWindow& window) {
        QStringList letters;
        const auto& plot = *window.findChild<QCustomPlot*>("histogramPlot");
        for (int i = 0; i < plot.itemCount(); ++i) {
            const auto* text = qobject_cast<const QCPItemText*>(plot.item(i));
            static const QRegularExpression pattern(QStringLiteral("^[A-I]( [A-I])*$"));
            if (text && pattern.match(text->text()).hasMatch()) letters << text->text();
        }
        letters.sort();
        return letters;
    }
    static QString curveText(const MainWindow& window) {
        const auto& label = *window.findChild<QLabel*>("curveText");
        return label.isHidden() ? QString() : label.text();
    }

private slots:
    void initTestCase() { QSettings().clear(); }

    void theHistogramFollowsTheActivePane() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:size=3"});
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        PipelineModel& model = window->session().pipeline();
        setInput(model, Side::b, QStringLiteral("synthetic:noise:100x80"));
        QCOMPARE(sources(*window), (QStringList{"Active pane (A)", "Original", "A", "B"}));
        QTRY_COMPARE_WITH_TIMEOUT(counted(*window), std::uint64_t{64 * 48}, kPatience);
        duplicatePane(model, Side::b);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(sources(*window), (QStringList{"Active pane (C)", "Original", "A", "B", "C"}));
        QTRY_COMPARE_WITH_TIMEOUT(counted(*window), std::uint64_t{100 * 80}, kPatience);
        model.setActive(Side::a);
        QCOMPARE(source(*window).currentText(), QStringLiteral("Active pane (A)"));
        QTRY_COMPARE_WITH_TIMEOUT(counted(*window), std::uint64_t{64 * 48}, kPatience);
        // Another choice stays until its pane is removed.
        choose(*window, PaneRole::c);
        QTRY_COMPARE_WITH_TIMEOUT(counted(*window), std::uint64_t{100 * 80}, kPatience);
        model.setActive(Side::b);
        QCOMPARE(source(*window).currentText(), QStringLiteral("C"));
        model.setActive(Side::a);
        removePane(model, Side::c);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(source(*window).currentText(), QStringLiteral("Active pane (A)"));
        QTRY_COMPARE_WITH_TIMEOUT(counted(*window), std::uint64_t{64 * 48}, kPatience);
        model.undo();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(source(*window).count(), 5);
    }
    void theHistogramCountsTheNewResult() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=3"});
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48"));
        const auto spread = [&] {
            const ChannelHistogram& channel = window->session().panes().histogram()->channels.front();
            return channel.maximum - channel.minimum;
        };
        const double before = spread();
        setSteps(*window, {"convolve:kernel=gaussian,size=31,sigma=8"});
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(spread() < before / 2, kPatience);
    }
    void curvesAreThoseOfPanesWithTheCountedInput() {
        auto window = shownWindow();
        setSteps(*window, {"tonemap:white=1"});
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        PipelineModel& model = window->session().pipeline();
        // One curve for panes with the same steps, over their input.
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), QStringList{"A B"}, kPatience);
        QCOMPARE(source(*window).currentText(), QStringLiteral("Active pane (input of A)"));
        QVERIFY2(curveText(*window).contains("Curve of A B"), qPrintable(curveText(*window)));
        setInput(model, Side::b, QStringLiteral("synthetic:noise:100x80"));
        QVERIFY(waitForIdle(*window));
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), QStringList{"A"}, kPatience);
        duplicatePane(model, Side::a);
        setOwnSteps(model, Side::c, true);
        model.setParameter(0, "key", ParameterValue(0.72));
        QVERIFY(waitForIdle(*window));
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), (QStringList{"A", "C"}), kPatience);
        QVERIFY2(curveText(*window).contains("Curve of C"), qPrintable(curveText(*window)));
        // B has another input, and so another curve.
        model.setActive(Side::b);
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), QStringList{"B"}, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(counted(*window), std::uint64_t{100 * 80}, kPatience);
        choose(*window, PaneRole::original);
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), (QStringList{"A", "C"}), kPatience);
        QVERIFY2(curveText(*window).contains("Curve of A"), qPrintable(curveText(*window)));
        // Results have other values.
        choose(*window, PaneRole::a);
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(curves(*window).isEmpty(), kPatience);
        QVERIFY(curveText(*window).isEmpty());
    }
    void contactSheetsHaveACurveForEachPicture() {
        auto window = shownWindow();
        setSteps(*window, {"tonemap"});
        QVERIFY(openAndWait(*window, "synthetic:hdr-ramp:200x50"));
        PipelineModel& model = window->session().pipeline();
        showSheet(model, {pipelineOf({"tonemap:key=0.1"}), pipelineOf({"tonemap:key=0.2"}), pipelineOf({"tonemap:key=0.4"})},
                  QStringLiteral("Key"));
        QVERIFY(waitForIdle(*window));
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), (QStringList{"A", "B", "C"}), kPatience);
        QCOMPARE(sources(*window).mid(2), (QStringList{"A", "B", "C"}));
        closeSheet(model);
        QVERIFY(waitForIdle(*window));
        QTRY_COMPARE_WITH_TIMEOUT(curves(*window), QStringList{"A B"}, kPatience);
        QCOMPARE(sources(*window).mid(2), (QStringList{"A", "B"}));
    }
    void automaticExposureIsThatOfTheActivePane() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:size=3"});
        QVERIFY(openAndWait(*window, "synthetic:gradient:64x48"));
        Session& session = window->session();
        setInput(session.pipeline(), Side::b, QStringLiteral("synthetic:hdr-ramp:200x50"));
        duplicatePane(session.pipeline(), Side::b);
        QVERIFY(waitForIdle(*window));
        const auto expected = [&](Side side) {
            return automaticDisplay(*session.side(side).result->image, {}, window->view().display()).exposure;
        };
        QVERIFY(std::fabs(expected(Side::a) - expected(Side::c)) > 0.5);
        for (const Side side : {Side::c, Side::a, Side::b}) {
            session.pipeline().setActive(side);
            const double exposure = expected(side);
            window->findChild<QAction*>("auto-exposure")->trigger();
            QCOMPARE(window->view().display().exposure, exposure);
        }
    }
    void anotherQuantityIsShownByItsOwnRange() {
        auto window = shownWindow();
        setSteps(*window, {"poisson"});
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        Session& session = window->session();
        ViewState& view = window->view();
        const auto result = [&] { return session.side(Side::a).result->image; };
        QVERIFY(session.side(Side::a).result->changesQuantity);
        QCOMPARE(view.display(), quantityDisplay(*result()));
        // Few samples are black or white.
        std::vector<float> values;
        for (int c = 0; c < 3; ++c)
            for (int y = 0; y < 48; ++y)
                for (int x = 0; x < 64; ++x) values.push_back(result()->view().at(x, y, c));
        const auto clipped = std::count_if(values.begin(), values.end(), [&](float v) {
            return static_cast<double>(v) > whiteOf(view.display()) || static_cast<double>(v) < blackOf(view.display());
        });
        QVERIFY2(clipped < 0.03 * static_cast<double>(values.size()), qPrintable(QString::number(clipped)));
        // It follows the parameters until the settings are changed; how differences are shown is another choice.
        const DisplaySettings before = view.display();
        view.setDifferenceMode(DifferenceMode::absolute);
        session.pipeline().setParameter(0, "screening", ParameterValue(0.5));
        QVERIFY(waitForIdle(*window));
        QVERIFY(whiteOf(view.display()) < whiteOf(before) / 2);
        QCOMPARE(view.display().differenceMode, DifferenceMode::absolute);
        // A picture is shown as before.
        setSteps(*window, {"convolve:size=3"});
        QVERIFY(waitForIdle(*window));
        QCOMPARE(view.display(), DisplaySettings{.differenceMode = DifferenceMode::absolute});
        view.setExposure(1);
        setSteps(*window, {"poisson"});
        QVERIFY(waitForIdle(*window));
        QCOMPARE(view.display().exposure, 1.0);
        view.resetDisplay();
        QCOMPARE(view.display(), quantityDisplay(*result()));
    }
    void resultsAreThoseOfTheActivePaneAndTheReference() {
        auto window = shownWindow();
        setSteps(*window, {"wavelet-denoise:rule=manual,threshold=0.05,levels=2"});
        QVERIFY(openAndWait(*window, "synthetic:noise:96x96"));
        Session& session = window->session();
        PipelineModel& model = session.pipeline();
        duplicatePane(model, Side::a);
        setOwnSteps(model, Side::c, true);
        model.setParameter(0, "threshold", ParameterValue(0.5));
        QVERIFY(waitForIdle(*window));
        const auto& numbers = *window->findChild<QLabel*>("resultNumbers");
        const auto shows = [&](Side side) {
            const auto& metrics = session.side(side).result->againstOriginal;
            return numbers.text().contains(QStringLiteral(">%1<").arg(letterOf(side))) && metrics &&
                   numbers.text().contains(formatError(metrics->rmse).toHtmlEscaped());
        };
        QTRY_VERIFY_WITH_TIMEOUT(shows(Side::a) && shows(Side::c), kPatience);
        QVERIFY(!numbers.text().contains(">B<"));
        model.setActive(Side::b);
        QTRY_VERIFY_WITH_TIMEOUT(shows(Side::a) && shows(Side::b), kPatience);
        QVERIFY(!numbers.text().contains(">C<"));
        setReference(model, Side::c);
        QVERIFY(waitForIdle(*window));
        QTRY_VERIFY_WITH_TIMEOUT(shows(Side::b) && shows(Side::c), kPatience);
    }
};

QTEST_MAIN(PanelsTest)
#include "panels_test.moc"
