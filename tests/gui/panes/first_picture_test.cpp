// SPDX-License-Identifier: GPL-3.0-or-later
// Steps that iterate: a first picture after a few iterations, then the result.
#include <QSettings>

#include "core/image/difference.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/compare/first_picture.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// A solve that takes longer than FirstPicturePace::kQuick.
constexpr const char* kInput = "synthetic:noise:512x512";
const std::vector<std::string> kSteps{"diffuse:tolerance=1e-11"};

std::unique_ptr<MainWindow> windowWith(const char* input, const std::vector<std::string>& steps) {
    auto window = shownWindow({1300, 850});
    // With one thread it takes long enough on large machines too.
    for (const Side side : {Side::a, Side::b}) setTarget(window->session().pipeline(), side, Target{.backend = "openmp", .threads = 1});
    setSteps(*window, steps);
    if (!openAndWait(*window, QLatin1String(input))) qFatal("the image was not opened");
    return window;
}

void setLambda(MainWindow& window, double lambda) { window.session().pipeline().setParameter(0, "lambda", ParameterValue(lambda)); }

const SideState& sideA(MainWindow& window) { return window.session().side(Side::a); }

/// Waits until A shows a first picture of the present parameters; false if the result comes without one.
bool waitForFirst(MainWindow& window) {
    (void)QTest::qWaitFor([&] { return !sideA(window).pending || (sideA(window).first && sideA(window).first->current); }, kPatience);
    return sideA(window).first && sideA(window).first->current;
}

/// Moves lambda until A shows a first picture: times on a busy machine may say that it is not worthwhile. Returns the last value.
double moveUntilFirst(MainWindow& window, double lambda) {
    for (int moves = 0; moves < 20; ++moves) {
        setLambda(window, lambda);
        if (waitForFirst(window)) return lambda;
        (void)waitForIdle(window);
        lambda += 0.125;
    }
    return 0;
}

std::string stepOf(double lambda) { return toText(pipelineOf({"diffuse:tolerance=1e-11,lambda=" + std::to_string(lambda)}).steps[0]); }

ImagePtr shown(MainWindow& window) { return window.compareView().pane(PaneRole::a).pyramid()->image(); }
QString tag(MainWindow& window) { return window.compareView().pane(PaneRole::a).label().tag; }

}  // namespace

class FirstPictureTest : public QObject {
    Q_OBJECT

private slots:
    void init() { QSettings().clear(); }

    void aParameterShowsItBeforeTheResult() {
        auto window = windowWith(kInput, kSteps);
        Session& session = window->session();
        const double lambda = moveUntilFirst(*window, 3);
        QVERIFY(lambda > 0);
        const auto before = sideA(*window).result;
        const auto metrics = session.comparison().difference();
        QVERIFY(before && before->plan.front().step != stepOf(lambda));
        QVERIFY(metrics);
        const FirstPicture first = *sideA(*window).first;
        QVERIFY(first.residual && *first.residual > 1e-11 && *first.residual < 1);
        QCOMPARE(shown(*window), first.image);
        QCOMPARE(tag(*window), QStringLiteral("First picture, residual %1, refining …").arg(formatError(*first.residual)));
        QVERIFY(window->compareView().header(PaneRole::a).shownText().contains(QStringLiteral("refining …")));
        QVERIFY(!window->compareView().outdated(PaneRole::a));
        QVERIFY(window->compareView().outdated(PaneRole::difference));
        // Whatever takes results still has the complete ones.
        QCOMPARE(session.imageOf(PaneRole::a), before->image);
        QCOMPARE(session.comparison().difference()->rmse, metrics->rmse);
        QVERIFY(session.comparison().comparing());

        QVERIFY(waitForIdle(*window));
        QVERIFY(!sideA(*window).first);
        QCOMPARE(tag(*window), QString());
        const ImagePtr result = sideA(*window).result->image;
        QCOMPARE(shown(*window), result);
        QVERIFY(compareViews(first.image->view(), result->view(), {}).maxAbs > 0);
        // The same as without a first picture.
        RunContext context;
        const RunResult expected =
            session.engine().run(session.pipeline().setup().stepsOf(Side::a), session.original(), session.side(Side::a).target, context);
        QCOMPARE(compareViews(expected.image.view(), result->view(), {}).maxAbs, 0.0);
        QVERIFY(!sideA(*window).result->series.empty());
        QCOMPARE(sideA(*window).result->series.front().end, std::string("converged"));
        QCOMPARE(sideA(*window).result->plan.front().step, stepOf(lambda));
    }

    void aNewerValueReplacesBoth() {
        auto window = windowWith(kInput, kSteps);
        QVERIFY(moveUntilFirst(*window, 3) > 0);
        const ImagePtr older = sideA(*window).first->image;
        setLambda(*window, 9);
        QVERIFY(sideA(*window).pending);
        QVERIFY(!sideA(*window).first->current);
        QCOMPARE(shown(*window), older);  // until there is a newer one
        const double last = moveUntilFirst(*window, 10);
        QVERIFY(last > 0);
        QVERIFY(shown(*window) != older);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(sideA(*window).result->plan.front().step, stepOf(last));
        QCOMPARE(shown(*window), sideA(*window).result->image);
    }

    void cancellingShowsTheLastResultAgain() {
        auto window = windowWith(kInput, kSteps);
        QVERIFY(moveUntilFirst(*window, 3) > 0);
        const ImagePtr last = sideA(*window).result->image;
        QVERIFY(shown(*window) != last);
        window->session().cancel();
        QVERIFY(!sideA(*window).pending && !sideA(*window).first);
        QVERIFY(sideA(*window).error);
        QCOMPARE(shown(*window), last);
        QCOMPARE(tag(*window), QString());
    }

    void quickResultsAndTheReferenceHaveNone() {
        auto window = windowWith("synthetic:noise:40x30", {"diffuse"});
        setLambda(*window, 3);
        QVERIFY(!waitForFirst(*window));
        window->session().setTarget(Side::a, "reference");
        QVERIFY(!waitForFirst(*window));
        setSteps(*window, {"convolve:size=3"});  // no step iterates
        window->session().setTarget(Side::a, "openmp");
        QVERIFY(!waitForFirst(*window));
        QVERIFY(waitForIdle(*window));
        QVERIFY(sideA(*window).result && !sideA(*window).error);
    }

    void onePaysOnlyIfItSavesTime() {
        FirstPicturePace pace;
        QVERIFY(pace.worthwhile("a"));  // unknown
        pace.noteFirst(FirstPicturePace::kQuick);
        pace.noteResult(4 * FirstPicturePace::kQuick);
        QVERIFY(pace.worthwhile("a"));
        pace.noteResult(FirstPicturePace::kQuick);
        QVERIFY(!pace.worthwhile("a"));  // quick anyway
        pace.noteResult(4 * FirstPicturePace::kQuick);
        pace.noteFirst(3 * FirstPicturePace::kQuick);
        QVERIFY(!pace.worthwhile("a"));  // as a direct method, which does not end early
        QVERIFY(pace.worthwhile("b"));
    }
};

QTEST_MAIN(FirstPictureTest)
#include "first_picture_test.moc"
