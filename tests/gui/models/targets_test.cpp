// SPDX-License-Identifier: GPL-3.0-or-later
// The default of B: a backend that can run the pipeline.
#include <QAction>
#include <QSettings>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/ranks_target.hpp"
#include "core/engine/operation/capabilities.hpp"
#include "core/image/error.hpp"
#include "core/image/synthetic.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/pipeline/reference_cost.hpp"
#include "ui/models/pipeline/target_choice.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// A step that the first candidate for B cannot run but another backend besides `a` can; empty if there is none.
std::string unsupportedStep(const Image& image, const std::string& a) {
    const Catalog& catalog = processCatalog();
    const Target usual = comparisonTarget(catalog, {}, nullptr, {.backend = a});
    for (const auto& operation : catalog.operations()) {
        const Pipeline pipeline = pipelineOf({operation->id()});
        if (!canRun(catalog, pipeline, image, usual) && comparisonTarget(catalog, pipeline, &image, {.backend = a}) != usual)
            return operation->id();
    }
    return {};
}

}  // namespace

class TargetsTest : public QObject {
    Q_OBJECT
    Image image_ = makeSynthetic(parseSynthetic("synthetic:noise:64x48"));
    static constexpr const char* kInput = "synthetic:noise:64x48";

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
    }
    void theDefaultCanRunEveryOperation() {
        const Catalog& catalog = processCatalog();
        for (const auto& a : catalog.backends()) {
            if (!a->availability().yes || runsOnlyWhenNamed(a->id())) continue;
            for (const auto& operation : catalog.operations()) {
                const Pipeline pipeline = pipelineOf({operation->id()});
                const Target b = comparisonTarget(catalog, pipeline, &image_, {.backend = a->id()});
                QVERIFY(b.backend != a->id());
                QVERIFY(catalog.backend(b.backend).availability().yes);
                // The first that can, and the engine agrees.
                bool earlier = false, any = false;
                for (const auto& other : catalog.backends()) {
                    if (!other->availability().yes || other->id() == a->id() || other->id() == kReferenceBackend ||
                        runsOnlyWhenNamed(other->id()))
                        continue;
                    const bool can = canRun(catalog, pipeline, image_, {.backend = other->id()});
                    any = any || can;
                    if (other->id() == b.backend) break;
                    earlier = earlier || can;
                }
                QVERIFY2(!earlier, operation->id().c_str());
                const auto runs = [&](const Target& target) {
                    RunContext context;
                    try {
                        (void)Engine(catalog).prepare(pipeline, std::make_shared<const Image>(makeSynthetic(parseSynthetic(kInput))),
                                                      target, context);
                        return true;
                    } catch (const Error&) {
                        return false;
                    }
                };
                // Images that no backend accepts, such as for the inverse of a transform.
                if (!runs({.backend = kReferenceBackend})) continue;
                if (b.backend == kReferenceBackend) QVERIFY2(!any, operation->id().c_str());
                else QVERIFY2(runs(b), operation->id().c_str());
            }
        }
    }
    void aSlowReferenceIsNoDefault() {
        const Catalog& catalog = processCatalog();
        const Image large = makeSynthetic(parseSynthetic("synthetic:noise:1024x768,channels=3"));
        int slow = 0;
        QStringList slowOperations;
        for (const auto& operation : catalog.operations()) {
            if (!capability<EstimatesReference>(*operation)) continue;
            const Pipeline pipeline = pipelineOf({operation->id()});
            if (referenceFlops(pipeline, large) <= kUncheckedFlops) continue;  // fast with these parameters
            slowOperations << QString::fromStdString(operation->id());
            // Its work alone would pass for fast.
            QVERIFY(operation->work(makeProblem(large, pipeline.steps[0].parameters, {})).flops < kUncheckedFlops);
            QVERIFY2(referenceFlops(pipeline, image_) < kUncheckedFlops, operation->id().c_str());
            for (const auto& a : catalog.backends()) {
                if (!a->availability().yes || a->id() == kReferenceBackend || runsOnlyWhenNamed(a->id()) ||
                    !canRun(catalog, pipeline, large, {.backend = a->id()}))
                    continue;
                const Target b = comparisonTarget(catalog, pipeline, &large, {.backend = a->id()});
                QVERIFY2(b.backend != kReferenceBackend, operation->id().c_str());
                QVERIFY(canRun(catalog, pipeline, large, b));
                if (b.backend != a->id()) continue;
                // Another variant than the one that A takes, also if A takes that one.
                QVERIFY(!b.variant.empty());
                QVERIFY(comparisonTarget(catalog, pipeline, &large, b).variant != b.variant);
                ++slow;
            }
        }
        QCOMPARE(slowOperations, (QStringList{"diffuse", "poisson"}));
        if (slow == 0) QSKIP("another backend than the reference does every operation");
    }
    void disabledStepsDoNotCount() {
        Pipeline pipeline = pipelineOf({processCatalog().operations().front()->id()});
        const Target unknown{.backend = "unknown"};
        QVERIFY(!canRun(processCatalog(), pipeline, image_, unknown));
        pipeline.steps.front().enabled = false;
        QVERIFY(canRun(processCatalog(), pipeline, image_, unknown));
    }
    void anotherDefaultIsChosenForUnsupportedPipelines() {
        auto window = shownWindow();
        Session& session = window->session();
        const std::string usual = session.side(Side::b).target.backend, a = session.side(Side::a).target.backend;
        QVERIFY(usual != a);
        const std::string step = unsupportedStep(image_, a);
        if (step.empty()) QSKIP("every backend does every operation");
        bool failed = false;
        connect(&session.tasks(), &Tasks::messageRaised, this,
                [&](const Message& m) { failed = failed || m.kind == Message::Kind::error; });
        session.pipeline().setPipeline(pipelineOf({step}));
        QVERIFY(openAndWait(*window, kInput));
        QVERIFY(!failed && !session.side(Side::b).error && session.side(Side::b).result);
        QVERIFY(session.side(Side::b).target.backend != usual && session.side(Side::b).target.backend != a);
        QVERIFY(!window->messageBar().isVisible());
        // For a supported pipeline, the first candidate is back.
        session.pipeline().setPipeline(pipelineOf({processCatalog().operations().front()->id()}));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::b).target.backend, usual);
        // A backend that becomes A is not compared with itself.
        session.setTarget(Side::a, QString::fromStdString(usual));
        QVERIFY(waitForIdle(*window));
        QVERIFY(session.side(Side::b).target.backend != usual);
    }
    void aChosenBackendStaysAndReportsItsError() {
        auto window = shownWindow();
        Session& session = window->session();
        const std::string usual = session.side(Side::b).target.backend, a = session.side(Side::a).target.backend;
        const std::string step = unsupportedStep(image_, a);
        if (step.empty()) QSKIP("every backend does every operation");
        // Choosing the current default counts as a choice.
        session.setTarget(Side::b, QString::fromStdString(usual));
        session.pipeline().setPipeline(pipelineOf({step}));
        QVERIFY(openAndWait(*window, kInput));
        QCOMPARE(session.side(Side::b).target.backend, usual);
        QVERIFY(session.side(Side::b).error.has_value());
        QVERIFY(session.side(Side::b).error->plainText().contains(QString::fromStdString(usual)));
        QVERIFY(window->messageBar().isVisible());
        QVERIFY(session.side(Side::a).result && !session.side(Side::a).error);
        session.setTarget(Side::a, QString::fromStdString(usual));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(session.side(Side::b).target.backend, usual);
    }
};

QTEST_MAIN(TargetsTest)
#include "targets_test.moc"
