// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures come first: areas of the window, headers of panes, messages that leave the picture where it is, the toolbar in narrow windows.
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStyleOptionTab>
#include <QTabBar>
#include <QToolBar>
#include <QToolButton>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/canvas/pane_header.hpp"
#include "ui/charts/timing_panel.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/pipeline/parameter_form.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/theme/elided_label.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/shell/language.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QRect placeIn(const QWidget& window, const QWidget& widget) { return {widget.mapTo(&window, QPoint(0, 0)), widget.size()}; }

double area(const QSize& size) { return static_cast<double>(size.width()) * size.height(); }

QToolButton* overflowArrow(const MainWindow& window) { return window.findChild<QToolButton*>(QStringLiteral("qt_toolbar_ext_button")); }

}  // namespace

class LayoutTest : public QObject {
    Q_OBJECT
private slots:
    void picturesHaveMostOfTheWindow_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("share");
        QTest::newRow("1000 x 650") << QSize(1000, 650) << 0.55;
        QTest::newRow("1100 x 700") << QSize(1100, 700) << 0.60;
        QTest::newRow("1600 x 1000") << QSize(1600, 1000) << 0.65;
    }
    void picturesHaveMostOfTheWindow() {
        QFETCH(QSize, size);
        QFETCH(double, share);
        auto window = shownWindow(size);
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        QTRY_VERIFY_WITH_TIMEOUT(area(window->compareView().size()) >= share * area(window->size()), kPatience);
        QCOMPARE(window->size(), size);
        // Panels are still there.
        QVERIFY(window->findChild<QDockWidget*>("pipelineDock")->isVisible());
        QVERIFY(!window->findChild<QDockWidget*>("inspectorDock")->isHidden());
        // A benchmark opens the charts.
        QVERIFY(window->findChild<QWidget*>("timingStrip")->isVisible());
        window->findChild<QAction*>("benchmark")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(window->findChild<QDockWidget*>("timingDock")->isVisible(), kPatience);
        QVERIFY(!window->findChild<QWidget*>("timingStrip")->isVisible());
        window->session().cancel();
        QVERIFY(waitForIdle(*window));
    }
    void threePanesLeaveNoEmptyQuarter() {
        auto window = shownWindow({1500, 1000});
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80"));
        window->findChild<QAction*>("original")->setChecked(false);
        CompareView& view = window->compareView();
        QSet<int> columns;
        for (int height = 250; height <= 1250; height += 50) {
            view.resize(800, height);
            QSet<int> lefts, tops;
            int panes = 0;
            for (const PaneRole role : kAllPanes) {
                if (!view.pane(role).isVisible()) continue;
                ++panes;
                lefts << view.pane(role).x();
                tops << view.pane(role).y();
            }
            QCOMPARE(panes, 3);
            QVERIFY2(lefts.size() * tops.size() == 3, qPrintable(QString::number(height)));
            columns << static_cast<int>(lefts.size());
        }
        QCOMPARE(columns, (QSet<int>{1, 3}));  // some sizes between them would fit two columns best
    }
    void parametersFitIntoASmallWindow() {
        auto window = shownWindow({1000, 650});
        setSteps(*window, {"convolve:kernel=gaussian,size=15"});
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        int areas = 0;
        for (const QScrollArea* form : window->pipelinePanel().findChildren<QScrollArea*>()) {
            if (!form->isVisible()) continue;
            ++areas;
            QVERIFY(!form->horizontalScrollBar()->isVisible());
        }
        QVERIFY(areas >= 1);
    }
    void theWindowFitsIntoASmallScreen_data() {
        QTest::addColumn<QString>("language");
        for (const QString& language : QStringList{"en"} + builtInLanguages()) QTest::newRow(qPrintable(language)) << language;
    }
    void theWindowFitsIntoASmallScreen() {
        QFETCH(const QString, language);
        QVERIFY(useLanguage(language));
        const auto english = qScopeGuard([] { (void)useLanguage(QStringLiteral("en")); });
        auto window = shownWindow({1400, 900});
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        window->resize(800, 500);
        QTRY_COMPARE_WITH_TIMEOUT(window->size(), QSize(800, 500), kPatience);
        // With the charts and for volumes too.
        window->showTiming();
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x20x16"));
        window->resize(800, 500);
        QTRY_COMPARE_WITH_TIMEOUT(window->size(), QSize(800, 500), kPatience);
    }
    void controlsOfChartsAreNotCrushed_data() { theWindowFitsIntoASmallScreen_data(); }
    void controlsOfChartsAreNotCrushed() {
        QFETCH(const QString, language);
        QVERIFY(useLanguage(language));
        const auto english = qScopeGuard([] { (void)useLanguage(QStringLiteral("en")); });
        auto window = shownWindow({1000, 650});
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        window->showTiming();
        TimingPanel& timing = window->timingPanel();
        int seen = 0;
        for (int page = TimingPanel::stagesPage; page <= TimingPanel::historyPage; ++page) {
            timing.showPage(static_cast<TimingPanel::Page>(page));
            QTest::qWait(50);
            for (const QWidget* control : timing.findChildren<QWidget*>()) {
                if (!control->isVisible() || !(qobject_cast<const QPushButton*>(control) || qobject_cast<const QComboBox*>(control)))
                    continue;
                ++seen;
                const QSize least = control->minimumSizeHint();
                QVERIFY2(control->width() >= least.width() && control->height() >= least.height() && !control->visibleRegion().isEmpty() &&
                             control->visibleRegion().boundingRect() == control->rect(),
                         qPrintable(control->objectName() + control->accessibleName()));
            }
        }
        QVERIFY(seen > 20);
    }
    void theSmallestWindowSqueezesNoControl() {
        auto window = shownWindow({505, 424});
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        window->resize(1, 1);
        QTest::qWait(50);
        const PipelinePanel& panel = window->pipelinePanel();
        for (const QComboBox* box : panel.findChildren<QComboBox*>())
            if (box->isVisible()) QVERIFY2(box->height() >= box->minimumSizeHint().height(), qPrintable(box->accessibleName()));
        QVERIFY2(window->height() <= 500, qPrintable(QString::number(window->height())));
    }
    void theStateOfTimingHasRoom() {
        auto window = shownWindow({1000, 650});
        const auto* run = window->timingPanel().findChild<QPushButton*>("runBenchmark");
        QVERIFY(!run->isEnabled());  // there is no image yet
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        window->showTiming();
        QVERIFY(run->isEnabled());
        const auto* state = window->findChild<QLabel*>("timingState");
        QTRY_VERIFY_WITH_TIMEOUT(state->isVisible() && state->width() >= 120, kPatience);
        window->resize(1900, 900);
        QTRY_VERIFY_WITH_TIMEOUT(state->width() >= 120 && state->parentWidget() == &window->timingPanel(), kPatience);
        window->resize(1000, 650);
        QTRY_VERIFY_WITH_TIMEOUT(state->width() >= 120 && state->parentWidget() != &window->timingPanel(), kPatience);
    }
    void nineTabsOfPanesFit() {
        auto window = shownWindow({1000, 650});
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        while (window->session().sides().size() < kMaxSides) addPane(window->session().pipeline());
        QVERIFY(waitForIdle(*window));
        const auto* tabs = window->findChild<QTabBar*>("panes");
        QCOMPARE(tabs->count(), kMaxSides);
        for (int tab = 0; tab < tabs->count(); ++tab) {
            QVERIFY(tabs->rect().contains(tabs->tabRect(tab)));
            QStyleOptionTab option;
            option.initFrom(tabs);
            option.rect = tabs->tabRect(tab);
            option.text = tabs->tabText(tab);
            const int room = tabs->style()->subElementRect(QStyle::SE_TabBarTabText, &option, tabs).width();
            QVERIFY2(room >= tabs->fontMetrics().horizontalAdvance(option.text), qPrintable(option.text));
        }
        for (const QToolButton* arrow : tabs->findChildren<QToolButton*>()) QVERIFY(!arrow->isVisible());
    }
    void rowsOfListsHaveRoom() {
        auto window = shownWindow({1600, 1000});
        setSteps(*window, {"convolve:size=5", "tonemap"});
        auto* steps = window->findChild<QListView*>("steps");
        QVERIFY(steps->sizeHintForRow(0) >= steps->fontMetrics().height() + 6);
        // Three of them are seen, and beneath them several parameters.
        QVERIFY(steps->viewport()->height() >= 2 * steps->sizeHintForRow(0));
        QVERIFY(window->findChild<QDockWidget*>("pipelineDock")->height() > window->findChild<QDockWidget*>("inspectorDock")->height());
    }
    void fieldsOfParametersEndAtTheSamePlace() {
        auto window = shownWindow({1000, 650});
        setSteps(*window, {"convolve:kernel=gaussian,size=15"});
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48,channels=3"));
        QSet<int> ends;
        for (const auto* form : window->pipelinePanel().findChildren<ParameterForm*>())
            for (const QWidget* field : form->findChildren<QWidget*>())
                if (field->isVisible() && (qobject_cast<const QComboBox*>(field) || qobject_cast<const QDoubleSpinBox*>(field)))
                    ends << field->mapTo(form, QPoint(field->width(), 0)).x();
        const auto [first, last] = std::minmax_element(ends.begin(), ends.end());
        QVERIFY2(!ends.isEmpty() && *first == *last, qPrintable(QStringLiteral("%1 to %2").arg(*first).arg(*last)));
    }
    void aLabelDropsWholeParts() {
        ElidedLabel label;
        label.setText(QStringLiteral("openmp · CPU, 2 threads"));
        const QFontMetrics metrics = label.fontMetrics();
        label.resize(metrics.horizontalAdvance(label.text()) + 2, 20);
        QCOMPARE(label.shownText(), label.text());
        label.resize(metrics.horizontalAdvance(QStringLiteral("openmp · CPU, 2 …")), 20);
        QCOMPARE(label.shownText(), QStringLiteral("openmp · CPU …"));
        label.resize(metrics.horizontalAdvance(QStringLiteral("openmp · CP …")), 20);
        QCOMPARE(label.shownText(), QStringLiteral("openmp …"));
        label.resize(metrics.horizontalAdvance(QStringLiteral("ope…")) + 1, 20);
        QCOMPARE(label.shownText(), QStringLiteral("ope…"));
    }
    void theNumberOfADifferenceIsNeverCut() {
        QTemporaryDir folder;
        const QString other = folder.filePath("other.exr");
        (void)saveImage(makeSynthetic(parseSynthetic("synthetic:hdr-ramp:96x64,channels=3")), other.toStdString());
        auto window = shownWindow({1000, 650});
        QVERIFY(openAndWait(*window, "synthetic:noise:96x64,channels=3"));
        setInput(window->session().pipeline(), Side::b, other);
        QVERIFY(waitForIdle(*window));
        const QString shown = window->compareView().header(PaneRole::difference).shownText();
        QVERIFY2(
            !shown.contains(QStringLiteral("…")) && shown.contains(ui::formatError(window->session().comparison().difference()->maxAbs)),
            qPrintable(shown));
    }
    void theTimingStripOpensThePanel() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        auto* dock = window->findChild<QDockWidget*>("timingDock");
        QVERIFY(dock->isHidden());
        window->findChild<QToolButton*>("expandTiming")->click();
        QVERIFY(!dock->isHidden());
        dock->close();
        QVERIFY(window->findChild<QWidget*>("timingStrip")->isVisible());
        window->findChild<QAction*>("hide-panels")->trigger();
        QVERIFY(!window->findChild<QWidget*>("timingStrip")->isVisible());
        window->findChild<QAction*>("hide-panels")->trigger();
        QVERIFY(window->findChild<QWidget*>("timingStrip")->isVisible());
    }
    void theTimingStripTellsConditions() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        RunRecord record = sampleRecordOf(2, 1e6);
        record.warnings = {"CPU load 97 %"};
        window->session().benchmark().show(summariseTimings(record), false);
        auto* headline = window->findChild<QLabel*>("timingHeadline");
        QVERIFY2(headline->text().startsWith(QStringLiteral("⚠ ")), qPrintable(headline->text()));
        QVERIFY(headline->toolTip().contains("CPU load 97 %"));
    }
    void headersAreAboveThePictures() {
        auto window = shownWindow({1100, 700});
        window->session().setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        CompareView& compare = window->compareView();
        for (const PaneRole role : {PaneRole::a, PaneRole::b, PaneRole::original, PaneRole::difference}) {
            const QRect header = compare.header(role).geometry(), pane = compare.pane(role).geometry();
            QVERIFY(compare.header(role).isVisible());
            QVERIFY(!header.intersects(pane) && header.bottom() + 1 == pane.top() && header.width() == pane.width());
        }
        const QString shown = compare.header(PaneRole::a).shownText();
        QVERIFY2(shown.startsWith("A ") && shown.contains(QStringLiteral("✓")), qPrintable(shown));
        QVERIFY(compare.header(PaneRole::a).tipAt(0).contains("end to end"));
        const int before = compare.pane(PaneRole::a).height();
        QTest::keyClick(window.get(), Qt::Key_L);
        QVERIFY(!compare.header(PaneRole::a).isVisible());
        QVERIFY(compare.pane(PaneRole::a).height() > before);
        QTest::keyClick(window.get(), Qt::Key_L);
        QCOMPARE(compare.pane(PaneRole::a).height(), before);
    }
    void aVolumeHasOneHeader() {
        auto window = shownWindow({1100, 700});
        QVERIFY(openAndWait(*window, "synthetic:shepp-logan:24x20x16"));
        VolumeView& view = window->volumeView();
        int headers = 0;
        for (const PaneHeader* header : view.findChildren<PaneHeader*>()) {
            if (!header->isVisible()) continue;
            ++headers;
            for (const VolumePane* pane : view.findChildren<VolumePane*>())
                QVERIFY(!pane->isVisible() || !pane->geometry().intersects(header->geometry()));
        }
        QCOMPARE(headers, 4);
        // Sliders fill from the left, whichever way the axis goes.
        for (const PlaneKind kind : kAllPlanes) QVERIFY(!view.slider(kind).invertedAppearance());
        // The background is black.
        VolumePane& pane = view.pane(PaneRole::a, PlaneKind::axial);
        pane.setAnnotated(false);
        window->volume().setCrosshairShown(false);
        QCOMPARE(pane.grab().toImage().pixel(3, 3), qRgb(0, 0, 0));  // inside the frame of the active pane
    }
    void messagesLeaveThePictureWhereItIs() {
        auto window = shownWindow({1100, 700});
        QVERIFY(openAndWait(*window, "synthetic:noise:120x80,channels=3"));
        const QRect before = placeIn(*window, window->compareView().pane(PaneRole::a));
        const double scale = window->view().scale();
        window->openInputs({"/nonexistent/one.exr"});
        QTRY_VERIFY_WITH_TIMEOUT(window->messageBar().isVisible(), kPatience);
        QCOMPARE(placeIn(*window, window->compareView().pane(PaneRole::a)), before);
        QCOMPARE(window->view().scale(), scale);
        QVERIFY(placeIn(*window, window->compareView()).contains(placeIn(*window, window->messageBar())));
        // Messages of several sources are above each other; each has its own button to close it.
        window->messageBar().showMessage({Message::Kind::information, "Saved a.png.", {}, {}, "save"});
        const auto closing = [&] {
            QList<QToolButton*> buttons;
            for (auto* button : window->messageBar().findChildren<QToolButton*>("closeToast"))
                if (button->isVisible()) buttons << button;
            return buttons;
        };
        QCOMPARE(closing().size(), 2);
        QCOMPARE(window->messageBar().message().kind, Message::Kind::error);
        for (const auto* label : window->messageBar().findChildren<QLabel*>())
            QVERIFY2(!label->text().contains(".</b>."), qPrintable(label->text()));
        closing().front()->click();
        QCOMPARE(closing().size(), 1);
        QCOMPARE(window->messageBar().message().source, QStringLiteral("save"));
        QTest::keyClick(window.get(), Qt::Key_Escape);
        QVERIFY(!window->messageBar().isVisible());
        QCOMPARE(placeIn(*window, window->compareView().pane(PaneRole::a)), before);
    }
    void sentencesEndWithOneStop() {
        const Message message{Message::Kind::information, "B shows openmp.", "That run used another image.", "Undo reverts this.", {}};
        QCOMPARE(message.plainText(), QStringLiteral("B shows openmp: That run used another image. Undo reverts this."));
    }
    void theToolbarOverflowsWithAnArrow() {
        auto window = shownWindow({1500, 800});
        auto* bar = window->findChild<QToolBar*>("toolBar");
        const auto button = [&](const char* name) {
            return qobject_cast<QToolButton*>(bar->widgetForAction(window->findChild<QAction*>(QLatin1String(name))));
        };
        QCOMPARE(button("open")->toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        QVERIFY(button("export-menu")->isVisible());
        for (const int width : {1070, 900, 800}) {
            window->resize(width, 650);
            QTRY_VERIFY_WITH_TIMEOUT(
                window->width() == width && (button("export-menu")->isVisible() || overflowArrow(*window)->isVisible()), kPatience);
        }
        window->resize(1000, 650);
        QTRY_VERIFY_WITH_TIMEOUT(button("export-menu")->isVisible(), kPatience);
        QVERIFY(placeIn(*window, *bar).contains(placeIn(*window, *button("export-menu"))));
        window->resize(500, 600);
        QTRY_VERIFY_WITH_TIMEOUT(overflowArrow(*window)->isVisible(), kPatience);
        // It has room for its arrow.
        const QImage arrow = overflowArrow(*window)->grab().toImage();
        int drawn = 0;
        for (int x = 0; x < arrow.width(); ++x)
            for (int y = 0; y < arrow.height(); ++y) drawn += arrow.pixelColor(x, y).lightness() < 128 ? 1 : 0;
        QVERIFY2(drawn >= 8, qPrintable(QString::number(drawn)));
    }
};

QTEST_MAIN(LayoutTest)
#include "layout_test.moc"
