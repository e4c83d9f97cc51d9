// SPDX-License-Identifier: GPL-3.0-or-later
// Panes with their own input, steps, backend and position: edits, the tabs of the Pipeline panel, images and volumes beside each other.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QSettings>
#include <QTabBar>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/image/difference.hpp"
#include "core/image/encoded_light.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/pipeline_panel.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

bool has(const CompareSetup& setup, Side side, const char* step) { return sameSteps(setup.stepsOf(side), pipelineOf({step})); }

void choose(QComboBox& box, int row) {
    box.setCurrentIndex(row);
    emit box.activated(row);
}

}  // namespace

class PanesTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QSettings().clear(); }

    void swappedAndRemovedPanesKeepTheirSteps() {
        PipelineModel model(processCatalog());
        model.setPipeline(pipelineOf({"convolve"}));
        duplicatePane(model, Side::b);
        model.setActive(Side::b);
        setOwnSteps(model, Side::b, true);
        model.replacePipeline(pipelineOf({"tonemap"}), QStringLiteral("B"));
        QVERIFY(has(model.setup(), Side::a, "convolve") && has(model.setup(), Side::b, "tonemap") &&
                has(model.setup(), Side::c, "convolve"));
        const CompareSetup before = model.setup();
        swapPanes(model, Side::a, Side::b);
        QVERIFY(has(model.setup(), Side::a, "tonemap") && has(model.setup(), Side::b, "convolve") &&
                has(model.setup(), Side::c, "convolve"));
        // "Same steps as A" means what it says.
        setOwnSteps(model, Side::b, false);
        QVERIFY(has(model.setup(), Side::b, "tonemap") && has(model.setup(), Side::c, "convolve"));
        model.undo();
        model.undo();
        QVERIFY(sameSetup(model.setup(), before));
        removePane(model, Side::a);
        QVERIFY(has(model.setup(), Side::a, "tonemap") && has(model.setup(), Side::b, "convolve"));
        QVERIFY(!model.setup().pane(Side::a).steps);
    }
    void thePairHasTwoPanesWhenTheActiveOneGoes() {
        PipelineModel model(processCatalog());
        duplicatePane(model, Side::b);
        model.setActive(Side::c);
        QCOMPARE(model.subject(), Side::c);
        const auto exists = [&] { QVERIFY(model.setup().has(model.subject()) && model.subject() != model.reference()); };
        connect(&model, &PipelineModel::activeChanged, this, exists);
        connect(&model, &PipelineModel::modelReset, this, exists);
        removePane(model, Side::c);
        QCOMPARE(model.subject(), Side::b);
        // The wipe shows both panes of the pair.
        auto window = shownWindow();
        window->setViewName(QStringLiteral("wipe"));
        QVERIFY(openAndWait(*window, "synthetic:gradient:40x30"));
        PipelineModel& shown = window->session().pipeline();
        duplicatePane(shown, Side::b);
        shown.setActive(Side::c);
        QVERIFY(waitForIdle(*window));
        removePane(shown, Side::c);
        QVERIFY(waitForIdle(*window));
    }
    void unlinkedPanesPanAndZoomOnTheirOwn() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:400x300"));
        window->setViewName(QStringLiteral("side-by-side"));
        setInput(window->session().pipeline(), Side::b, QStringLiteral("synthetic:noise:100x80"));
        QVERIFY(waitForIdle(*window));
        ImagePane &a = window->compareView().pane(PaneRole::a), &b = window->compareView().pane(PaneRole::b);
        QAction* link = window->findChild<QAction*>("link-panes");
        QVERIFY(link->isChecked());
        const auto corner = [](const ImagePane& pane) { return pane.pixelAt({0, 0}); };
        const auto middle = [](const ImagePane& pane) { return pane.pixelAt(QPointF(pane.width(), pane.height()) / 2); };
        wheel(a, a.rect().center(), 240);
        QCOMPARE(corner(a), corner(b));
        window->view().fit();
        QCOMPARE(middle(b), (PixelPosition{200, 150}));
        link->trigger();
        QVERIFY(!window->view().linked());
        // Each now fits its own image.
        QCOMPARE(middle(a), (PixelPosition{200, 150}));
        QCOMPARE(middle(b), (PixelPosition{50, 40}));
        const PixelPosition still = corner(b);
        wheel(a, a.rect().center(), 240);
        drag(a, {50, 50}, {20, 60});
        QCOMPARE(corner(b), still);
        // Keys act on the active pane.
        const double before = window->view().viewport(1).scale;
        window->session().pipeline().setActive(Side::b);
        window->findChild<QAction*>("zoom-in")->trigger();
        QVERIFY(window->view().viewport(1).scale > before);
        // Linked again, all show the position of the active one.
        const PixelPosition chosen = middle(b);
        link->trigger();
        QCOMPARE(middle(a), chosen);
        QCOMPARE(corner(a), corner(b));
    }
    void imagesAndVolumesDoNotMix_data() {
        QTest::addColumn<QString>("open");
        QTest::addColumn<QString>("other");
        QTest::newRow("image beside a volume") << "synthetic:noise:40x30x20"
                                               << "synthetic:noise:64x48,channels=3";
        QTest::newRow("volume beside an image") << "synthetic:noise:64x48,channels=3"
                                                << "synthetic:noise:40x30x20";
        QTest::newRow("smaller volume") << "synthetic:noise:40x30x20"
                                        << "synthetic:noise:12x10x6";
        QTest::newRow("smaller image") << "synthetic:noise:64x48"
                                       << "synthetic:noise:20x30";
    }
    void imagesAndVolumesDoNotMix() {
        QFETCH(const QString, open);
        QFETCH(const QString, other);
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, open));
        Session& session = window->session();
        setInput(session.pipeline(), Side::b, other);
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.side(Side::b).result);
        const bool mixed = session.side(Side::b).result->image->isVolume() != session.original()->isVolume();
        const PaneLabel& label = window->compareView().pane(PaneRole::b).label();
        QCOMPARE(!label.notice.isEmpty(), mixed);
        QCOMPARE(!window->compareView().pane(PaneRole::b).pyramid(), mixed);
        QVERIFY(!session.comparison().difference());
        const QString why = window->compareView().pane(PaneRole::difference).label().notice;
        QVERIFY2(why.contains("A is ") && why.contains("B is "), qPrintable(why));
        // Every layout, selections, and the other way round.
        window->view().setSelection(QRect(10, 10, 30, 20));
        for (const QString& view : MainWindow::viewNames()) {
            window->setViewName(view);
            QVERIFY(waitForIdle(*window));
            window->grab();
        }
        swapPanes(session.pipeline(), Side::a, Side::b);
        setReference(session.pipeline(), Side::b);
        QVERIFY(waitForIdle(*window));
        window->grab();
        // Opening the other file as the document shows it.
        QVERIFY(openAndWait(*window, other));
        QVERIFY(window->compareView().pane(PaneRole::a).label().notice.isEmpty());
        window->grab();
    }
    void tabsChooseThePaneThatThePanelEdits() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48"));
        PipelineModel& model = window->session().pipeline();
        PaneSettings& panes = window->pipelinePanel().panes();
        QCOMPARE(panes.tabs().count(), 2);
        // The everyday case: both backends are at hand.
        QVERIFY(panes.targetBox(Side::a).isVisible() && panes.targetBox(Side::b).isVisible());
        for (int i = 2; i < kMaxSides; ++i) window->findChild<QAction*>("add-pane")->trigger();
        QCOMPARE(panes.tabs().count(), kMaxSides);
        QVERIFY(!window->findChild<QAction*>("add-pane")->isEnabled());
        for (int i = 0; i < kMaxSides; ++i) {
            panes.tabs().setCurrentIndex(i);
            QCOMPARE(model.active(), static_cast<Side>(i));
            for (int other = 0; other < kMaxSides; ++other) QCOMPARE(panes.targetBox(static_cast<Side>(other)).isVisible(), other == i);
        }
        QVERIFY(waitForIdle(*window));
        for (int i = 2; i < kMaxSides; ++i) window->findChild<QAction*>("remove-pane")->trigger();
        QCOMPARE(panes.tabs().count(), 2);
        QVERIFY(!window->findChild<QAction*>("remove-pane")->isEnabled());
        QVERIFY(panes.targetBox(Side::a).isVisible() && panes.targetBox(Side::b).isVisible());
        QVERIFY(waitForIdle(*window));
    }
    void threadsAreChosenBesideTheBackend() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48"));
        Session& session = window->session();
        PaneSettings& panes = window->pipelinePanel().panes();
        session.setTarget(Side::b, QStringLiteral("reference"));
        QVERIFY(waitForIdle(*window));
        QVERIFY(!panes.resourceBox(Side::b).isVisible());  // serial
        session.setTarget(Side::b, QStringLiteral("openmp"));
        QVERIFY(panes.resourceBox(Side::b).isVisible());
        QComboBox& threads = panes.resourceBox(Side::b);
        QCOMPARE(threads.currentData().toInt(), 0);
        choose(threads, threads.findData(1));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::b).result->threads, 1);
        QVERIFY(window->compareView().pane(PaneRole::b).label().title.contains("1 thread"));
        QCOMPARE(session.pipeline().undoText(), QStringLiteral("Backend of B → openmp:1t"));
        session.pipeline().undo();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::b).result->threads, effectiveThreads({}));
        QCOMPARE(threads.currentData().toInt(), 0);
    }
    void aPaneWorksOnEncodedValues() {
        auto window = shownWindow();
        Session& session = window->session();
        session.setTarget(Side::a, "reference");
        session.setTarget(Side::b, "reference");
        QVERIFY(openAndWait(*window, "synthetic:checker:40x30,channels=3"));
        setSteps(*window, {"convolve:kernel=box,size=5"});
        QVERIFY(waitForIdle(*window));
        QComboBox& light = window->pipelinePanel().panes().lightBox();
        QVERIFY(light.isEnabled() && light.currentIndex() == 0);
        session.pipeline().setActive(Side::b);
        choose(light, 1);
        QVERIFY(waitForIdle(*window));
        // The filter of the codes, decoded again.
        const ImagePtr original = session.original();
        RunContext context;
        Image expected = Engine(session.catalog())
                             .run(pipelineOf({"convolve:kernel=box,size=5"}), std::make_shared<const Image>(withEncodedColours(*original)),
                                  parseTarget("reference"), context)
                             .image;
        expected = withLinearColours(expected);
        const auto same = [](const Image& a, const Image& b) { return compareViews(a.view(), b.view(), {.worstCount = 0}).maxAbs < 1e-6; };
        QVERIFY(same(*session.side(Side::b).result->image, expected));
        QVERIFY(!same(*session.side(Side::a).result->image, expected));
        QVERIFY(!session.side(Side::b).result->image->source.encoded);
        QVERIFY2(window->compareView().pane(PaneRole::b).label().title.contains("encoded values"),
                 qPrintable(window->compareView().pane(PaneRole::b).label().title));
        // The reference checks what was computed.
        QVERIFY(
            QTest::qWaitFor([&] { return session.comparison().referenceCheck(Side::b).state == ReferenceCheck::State::known; }, kPatience));
        // An edit like others.
        session.pipeline().undo();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(light.currentIndex(), 0);
        QVERIFY(same(*session.side(Side::b).result->image, *session.side(Side::a).result->image));
        session.pipeline().redo();
        QVERIFY(waitForIdle(*window));
        QVERIFY(same(*session.side(Side::b).result->image, expected));
        // Another backend agrees on encoded values as well.
        if (session.catalog().backend("openmp").availability().yes) {
            session.setTarget(Side::b, "openmp");
            QVERIFY(QTest::qWaitFor(
                [&] {
                    const ReferenceCheck& check = session.comparison().referenceCheck(Side::b);
                    return check.state == ReferenceCheck::State::known && check.metrics && waitForIdle(*window);
                },
                kPatience));
            QCOMPARE(session.comparison().referenceCheck(Side::b).verification(), Verification::agrees);
        }
        // Volumes have no colours.
        session.pipeline().setActive(Side::a);
        QVERIFY(openAndWait(*window, "synthetic:noise:8x8x4"));
        QVERIFY(!light.isEnabled());
        QVERIFY(session.side(Side::b).error && session.side(Side::b).error->plainText().contains("encoded"));
    }
    void namesOfInputsFollowThePrivacySetting() {
        QTemporaryDir folder;
        QVERIFY(writeFile(folder.filePath("scan"), "may be DICOM"));
        auto window = shownWindow();
        window->openInputs({"synthetic:noise:64x48", folder.filePath("scan")});
        QVERIFY(waitForIdle(*window));
        const QComboBox& box = window->pipelinePanel().panes().inputBox();
        QCOMPARE(box.itemText(2), QString("medical data"));
        Settings::instance().set("privacy/hide-patient-data", false);
        QCOMPARE(box.itemText(2), QString("scan"));
        Settings::instance().set("privacy/hide-patient-data", true);
        QCOMPARE(box.itemText(2), QString("medical data"));
    }
    void aNewReferenceIsNamedInTheHeader() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:64x48"));
        PipelineModel& model = window->session().pipeline();
        const auto hint = [&](PaneRole role) { return window->compareView().pane(role).label().hint; };
        QVERIFY(hint(PaneRole::a).isEmpty() && hint(PaneRole::b).isEmpty());
        model.setActive(Side::b);
        window->findChild<QAction*>("use-reference")->trigger();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(hint(PaneRole::b), QStringLiteral("reference pane"));
        QCOMPARE(window->compareView().pane(PaneRole::difference).label().badge, QStringLiteral("A − B"));
        QCOMPARE(window->findChild<QAction*>("export-difference")->text().remove('&'), QStringLiteral("Save difference A − B …"));
        QVERIFY(window->findChild<QAction*>("export-difference")->toolTip().contains("A − B"));
        QVERIFY(!window->findChild<QAction*>("use-reference")->isEnabled());
        QCOMPARE(window->findChild<QAction*>("view-side-by-side")->text().remove('&'), QStringLiteral("B and A"));
        model.undo();
        QVERIFY(waitForIdle(*window));
        QVERIFY(hint(PaneRole::b).isEmpty());
    }
};

QTEST_MAIN(PanesTest)
#include "panes_test.moc"
