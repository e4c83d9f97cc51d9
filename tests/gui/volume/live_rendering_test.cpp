// SPDX-License-Identifier: GPL-3.0-or-later
// Renderings beside the planes on a fake device: what it draws, what stays in its memory, and the CPU in its place.
#include <QAction>
#include <QSettings>
#include <cstring>

#include "core/operations/catalog.hpp"
#include "tests/gui/volume/volume_support.hpp"
#include "tests/support/fake_device.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/volume/volume_view.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

const QString kPhantom = QStringLiteral("synthetic:shepp-logan:31x41x27");

struct Counters : test::FakeCounters {
    std::atomic<int> pictures{0};
    std::atomic<bool> fails{false};  ///< as a device that is lost
};

/// Renders with the code of openmp, or fails.
class DeviceRender final : public Implementation {
public:
    DeviceRender(const Implementation& own, std::shared_ptr<Counters> counters) : own_(own), counters_(std::move(counters)) {}
    std::string operation() const override { return "render"; }
    std::string variant() const override { return "fake"; }
    std::string summary() const override { return "Renders in the memory of a fake device"; }
    Support supports(const Problem& problem) const override { return own_.supports(problem); }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem& problem, RunContext& context) const override {
        struct Run final : Execution {
            Run(std::unique_ptr<Execution> e, std::shared_ptr<Counters> c) : execution(std::move(e)), counters(std::move(c)) {}
            void run(std::span<const View<const float>> in, std::span<const View<float>> out, RunContext& given) override {
                if (counters->fails) throw Error(ErrorCode::failed, "The fake device was lost", "it fell off the bus");
                ++counters->pictures;
                execution->run(in, out, given);
            }
            std::unique_ptr<Execution> execution;
            std::shared_ptr<Counters> counters;
        };
        return std::make_unique<Run>(own_.prepare(problem, context), counters_);
    }

private:
    const Implementation& own_;
    std::shared_ptr<Counters> counters_;
};

class DeviceBackend final : public test::FakeBackend {
public:
    DeviceBackend(const std::shared_ptr<Counters>& counters, std::uint64_t freeMemory)
        : test::FakeBackend("device", {{.name = "Fake device", .memoryTotal = 1 << 30, .memoryFree = freeMemory}},
                            [counters] { return std::make_unique<test::FakeSession>(counters); }),
          render_(*processCatalog().implementations("render", "openmp").front(), counters) {
        implementations_ = {&render_};
    }

private:
    DeviceRender render_;
};

/// A machine with a fake device, and its window.
struct Machine {
    explicit Machine(std::uint64_t freeMemory = 1 << 30) : device(std::make_shared<DeviceBackend>(counters, freeMemory)) {}
    std::shared_ptr<Counters> counters = std::make_shared<Counters>();
    std::shared_ptr<DeviceBackend> device;
    Catalog catalog{makeOperations(), {processCatalog().backends().at(0), processCatalog().backends().at(1), device}};
    MainWindow window{catalog};

    /// Shows result A of a volume, its planes and its rendering.
    bool open(const QString& volume = kPhantom) {
        window.resize(1300, 900);
        window.show();
        window.session().pipeline().setEnabled(0, false);
        window.setViewName("single");
        window.findChild<QAction*>("original")->setChecked(false);
        if (!openAndWait(window, volume)) return false;
        window.findChild<QAction*>("rendering")->trigger();
        return waitForIdle(window);
    }
    RenderPane& pane() { return window.volumeView().renderings().pane(PaneRole::a); }
    bool turn() {
        RenderState& state = window.volumeView().renderings().state();
        state.turn(ParameterBlock(state.parameters()), 7, -4);
        return waitForIdle(window);
    }
    void choose(const char* action) { pane().bar().findChild<QAction*>(QLatin1String(action))->trigger(); }
    /// Does the pane show the picture that the CPU makes of its parameters?
    bool showsThePicture() {
        Pipeline pipeline;
        pipeline.steps.push_back({&catalog.operation("render"), pane().fullParameters(), true});
        RunContext context;
        const Image expected = Engine(catalog).run(pipeline, window.session().original(), parseTarget("openmp"), context).image;
        const ImagePtr& shown = pane().picture();
        return shown && shown->shape() == expected.shape() &&
               std::memcmp(shown->view().data, expected.view().data, shown->samples().bytes()) == 0;
    }
};

}  // namespace

class LiveRenderingTest : public QObject {
    Q_OBJECT
private slots:
    void init() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::light);
        for (const SettingInfo& info : Settings::all()) Settings::instance().set(QLatin1String(info.key), info.fallback);
    }
    void cleanupTestCase() { QSettings().clear(); }

    void theVolumeStaysOnTheDevice() {
        Machine machine;
        QVERIFY(machine.open());
        QCOMPARE(machine.pane().backend(), std::string("device"));
        QVERIFY(machine.showsThePicture());
        QCOMPARE(machine.counters->uploads.load(), 1);
        const int before = machine.counters->pictures;
        for (const char* mode : {"render-mean", "render-surface", "render-transfer"}) {
            machine.choose(mode);
            QVERIFY(machine.turn() && machine.showsThePicture());
        }
        QVERIFY(machine.counters->pictures >= before + 3);
        QCOMPARE(machine.counters->uploads.load(), 1);
        QVERIFY(machine.pane().toolTip().contains("by device."));
        QCOMPARE(machine.pane().accessibleDescription(), QStringLiteral("device"));
        // Another volume takes its place.
        QVERIFY(openAndWait(machine.window, QStringLiteral("synthetic:shepp-logan:21x22x23")));
        QVERIFY(machine.showsThePicture());
        QCOMPARE(machine.counters->uploads.load(), 2);
    }
    void aHiddenPaneKeepsNoMemoryOfTheDevice() {
        Machine machine;
        QVERIFY(machine.open());
        QVERIFY(machine.counters->live > 0);
        machine.window.findChild<QAction*>("rendering")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(machine.counters->live.load(), 0, kPatience);
        machine.window.findChild<QAction*>("rendering")->trigger();
        QVERIFY(waitForIdle(machine.window) && machine.turn() && machine.showsThePicture());
        machine.pane().setPaused(true);  // as during a measurement
        QTRY_COMPARE_WITH_TIMEOUT(machine.counters->live.load(), 0, kPatience);
    }
    void theCpuTakesThePlaceOfADeviceThatFails() {
        Machine machine;
        QVERIFY(machine.open());
        machine.counters->fails = true;
        const int shown = machine.window.messageBar().findChildren<QWidget*>().size();
        QVERIFY(machine.turn() && machine.showsThePicture());
        QCOMPARE(machine.pane().backend(), std::string("openmp"));
        QVERIFY(machine.pane().settled());
        QCOMPARE(machine.pane().accessibleDescription(), QStringLiteral("openmp, the GPU failed"));
        QVERIFY2(machine.pane().toolTip().contains("it fell off the bus"), qPrintable(machine.pane().toolTip()));
        QCOMPARE(machine.window.messageBar().findChildren<QWidget*>().size(), shown);
        QTRY_COMPARE_WITH_TIMEOUT(machine.counters->live.load(), 0, kPatience);
        // It is not asked again for each picture, but for the next volume.
        machine.counters->fails = false;
        const int before = machine.counters->pictures;
        QVERIFY(machine.turn());
        QCOMPARE(machine.counters->pictures.load(), before);
        QVERIFY(openAndWait(machine.window, QStringLiteral("synthetic:shepp-logan:21x22x23")));
        QCOMPARE(machine.pane().backend(), std::string("device"));
        QVERIFY(!machine.pane().toolTip().contains("bus"));
    }
    void theCpuTakesThePlaceOfADeviceWithoutRoom_data() {
        QTest::addColumn<int>("freeMemory");
        QTest::addColumn<bool>("refuses");
        QTest::newRow("less than it needs") << 100'000 << false;
        QTest::newRow("less than twice as much") << 300'000 << false;
        QTest::newRow("taken by others meanwhile") << (1 << 30) << true;
    }
    void theCpuTakesThePlaceOfADeviceWithoutRoom() {
        QFETCH(const int, freeMemory);
        QFETCH(const bool, refuses);
        Machine machine(static_cast<std::uint64_t>(freeMemory));
        machine.counters->refuseMemory = refuses;
        QVERIFY(machine.open());
        QCOMPARE(machine.pane().backend(), std::string("openmp"));
        QVERIFY(machine.showsThePicture());
        QCOMPARE(machine.pane().accessibleDescription(), QStringLiteral("openmp, GPU memory is short"));
        QVERIFY2(machine.pane().toolTip().contains("memory on"), qPrintable(machine.pane().toolTip()));
        QCOMPARE(machine.counters->live.load(), 0);
    }
    void theMenuLeavesItToTheCpu() {
        Machine machine;
        QVERIFY(machine.open());
        QVERIFY(machine.pane().bar().findChild<QAction*>("render-automatic")->isChecked());
        machine.choose("render-cpu");
        QVERIFY(waitForIdle(machine.window));
        QCOMPARE(machine.pane().backend(), std::string("openmp"));
        QCOMPARE(machine.pane().accessibleDescription(), QStringLiteral("openmp"));
        QVERIFY(machine.pane().bar().findChild<QAction*>("render-cpu")->isChecked() && machine.showsThePicture());
        QTRY_COMPARE_WITH_TIMEOUT(machine.counters->live.load(), 0, kPatience);
        QVERIFY(Settings::instance().rendersOnProcessor());
        machine.choose("render-automatic");
        QVERIFY(waitForIdle(machine.window));
        QCOMPARE(machine.pane().backend(), std::string("device"));
    }
    void aDragIsFollowedByFullPicturesThatAreFast() {
        Machine machine;
        QVERIFY(machine.open());
        RenderPane& pane = machine.pane();
        // Events come faster than pictures.
        int shown = 0;
        connect(&pane, &RenderPane::pictureChanged, this, [&] { ++shown; });
        QElapsedTimer clock;
        clock.start();
        const QPoint middle = pane.rect().center();
        QTest::mousePress(&pane, Qt::LeftButton, {}, middle);
        for (int i = 0; shown < 10 && clock.elapsed() < kPatience; ++i) {
            const QPointF to = middle + QPointF(i % 100, i % 37);
            QMouseEvent move(QEvent::MouseMove, to, pane.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&pane, &move);
            QCoreApplication::processEvents();
        }
        QTest::mouseRelease(&pane, Qt::LeftButton, {}, middle);
        QVERIFY(shown >= 10);
        QVERIFY(waitForIdle(machine.window) && machine.showsThePicture());
    }
};

QTEST_MAIN(LiveRenderingTest)
#include "live_rendering_test.moc"
