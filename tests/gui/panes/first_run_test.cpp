// SPDX-License-Identifier: GPL-3.0-or-later
// The time that a pane shows: that of a warm run, or marked as the first.
#include <atomic>
#include <chrono>
#include <thread>

#include "core/engine/backend/backend.hpp"
#include "core/operations/catalog.hpp"
#include "tests/gui/gui_support.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

/// Copies its input. The first run of the implementation takes longer, like one that loads a library.
class SlowStart final : public Implementation {
public:
    explicit SlowStart(std::chrono::milliseconds delay) : delay_(delay) {}
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "copy"; }
    std::string summary() const override { return "Copies the input"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override { return std::make_unique<Copy>(*this); }
    int runs() const { return runs_; }

private:
    class Copy final : public Execution {
    public:
        explicit Copy(const SlowStart& start) : start_(start) {}
        void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext&) override {
            if (start_.runs_++ == 0) std::this_thread::sleep_for(start_.delay_);
            for (std::int64_t y = 0; y < inputs[0].shape.height; ++y)
                std::copy_n(inputs[0].row(y, 0, 0), inputs[0].shape.width, outputs[0].row(y, 0, 0));
        }

    private:
        const SlowStart& start_;
    };
    std::chrono::milliseconds delay_;
    mutable std::atomic<int> runs_ = 0;
};

class SlowStartBackend final : public Backend {
public:
    explicit SlowStartBackend(std::chrono::milliseconds delay) : implementation_(delay) {}
    std::string id() const override { return "slow-start"; }
    std::string title() const override { return "Slow start"; }
    std::vector<DeviceInfo> devices() const override { return {hostDevice()}; }
    std::vector<const Implementation*> implementations() const override { return {&implementation_}; }
    std::unique_ptr<BackendSession> open(const RunContext&) const override { return makeHostSession(); }
    int runs() const { return implementation_.runs(); }

private:
    SlowStart implementation_;
};

/// A window whose pane A uses a backend with a slow first run.
struct Fixture {
    explicit Fixture(std::chrono::milliseconds delay)
        : backend(std::make_shared<SlowStartBackend>(delay)), catalog(makeOperations(), {processCatalog().backends().front(), backend}) {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::light);
        window = std::make_unique<MainWindow>(catalog);
        window->resize(1300, 850);
        window->show();
        window->session().setTarget(Side::a, "slow-start");
        window->session().setTarget(Side::b, "reference");
        Pipeline steps;
        steps.steps.push_back(parseStep(catalog, "convolve:size=3"));
        window->session().pipeline().setPipeline(steps);
    }
    const SideResult& a() { return *window->session().side(Side::a).result; }
    QString header() { return window->compareView().pane(PaneRole::a).label().figure; }

    std::shared_ptr<SlowStartBackend> backend;
    Catalog catalog;
    std::unique_ptr<MainWindow> window;
};

}  // namespace

class FirstRunTest : public QObject {
    Q_OBJECT
private slots:
    void shortFirstRunIsRepeated() {
        Fixture f(std::chrono::milliseconds(100));
        QVERIFY(openAndWait(*f.window, "synthetic:noise:32x32x1"));
        QCOMPARE(f.backend->runs(), 2);
        QVERIFY(!f.a().firstRun);
        // Later runs of the same kind are warm, also with other parameters.
        f.window->session().pipeline().setParameter(0, "size", ParameterValue(std::int64_t{5}));
        QVERIFY(waitForIdle(*f.window));
        QCOMPARE(f.backend->runs(), 3);
        // Another size needs other memory.
        QVERIFY(openAndWait(*f.window, "synthetic:noise:48x32x1"));
        QCOMPARE(f.backend->runs(), 5);
    }

    void longFirstRunIsMarked() {
        Fixture f(std::chrono::milliseconds(700));
        QVERIFY(openAndWait(*f.window, "synthetic:noise:32x32x1"));
        QCOMPARE(f.backend->runs(), 1);
        QVERIFY(f.a().firstRun);
        QVERIFY2(f.header().contains("(first run)"), qPrintable(f.header()));
        f.window->session().pipeline().setParameter(0, "size", ParameterValue(std::int64_t{5}));
        QVERIFY(waitForIdle(*f.window));
        QCOMPARE(f.backend->runs(), 2);
        QVERIFY(!f.a().firstRun);
        QVERIFY2(!f.header().contains("(first run)"), qPrintable(f.header()));
    }
};

QTEST_MAIN(FirstRunTest)
#include "first_run_test.moc"
