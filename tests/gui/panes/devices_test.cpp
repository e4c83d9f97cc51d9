// SPDX-License-Identifier: GPL-3.0-or-later
// A backend with two devices: the default in the settings, the box beside the backend, and the device that computes.
#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QSettings>
#include <algorithm>
#include <atomic>

#include "core/engine/backend/backend.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/operations/catalog.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/pipeline/pane_settings.hpp"
#include "ui/pipeline/pipeline_panel.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

class CopyRows final : public Implementation {
public:
    std::string operation() const override { return "convolve"; }
    std::string variant() const override { return "copy"; }
    std::string summary() const override { return "Copies the input"; }
    Support supports(const Problem&) const override { return {}; }
    MemoryEstimate estimate(const Problem&) const override { return {}; }
    std::unique_ptr<Execution> prepare(const Problem&, RunContext&) const override { return std::make_unique<Copy>(); }

private:
    class Copy final : public Execution {
    public:
        void run(std::span<const View<const float>> inputs, std::span<const View<float>> outputs, RunContext&) override {
            for (std::int64_t y = 0; y < inputs[0].shape.height; ++y)
                std::copy_n(inputs[0].row(y, 0, 0), inputs[0].shape.width, outputs[0].row(y, 0, 0));
        }
    };
};

class TwinBackend final : public Backend {
public:
    std::string id() const override { return "twin"; }
    std::string title() const override { return "Twin"; }
    std::vector<DeviceInfo> devices() const override {
        DeviceInfo first = hostDevice(), second = hostDevice();
        first.name = "First card";
        second.name = "Second card";
        second.index = 1;
        return {first, second};
    }
    std::vector<const Implementation*> implementations() const override { return {&implementation_}; }
    std::unique_ptr<BackendSession> open(const RunContext& context) const override {
        opened_ = context.device;
        return makeHostSession();
    }
    int opened() const { return opened_; }

private:
    CopyRows implementation_;
    mutable std::atomic<int> opened_ = -1;
};

}  // namespace

class DevicesTest : public QObject {
    Q_OBJECT
    std::shared_ptr<TwinBackend> twin_ = std::make_shared<TwinBackend>();
    Catalog catalog_{makeOperations(), {processCatalog().backends().front(), twin_}};

    std::unique_ptr<MainWindow> newWindow() {
        auto window = std::make_unique<MainWindow>(catalog_);
        window->resize(1300, 850);
        window->show();
        Pipeline steps;
        steps.steps.push_back(parseStep(catalog_, "convolve:size=3"));
        window->session().pipeline().setPipeline(steps);
        return window;
    }
    /// The device that computed A.
    QString computed(MainWindow& window) const {
        const auto& result = window.session().side(Side::a).result;
        return result ? QStringLiteral("%1: %2").arg(twin_->opened()).arg(result->device) : QString();
    }

private slots:
    void init() {
        QStandardPaths::setTestModeEnabled(true);
        applyTheme(ThemeChoice::light);
        QSettings().clear();
        Settings::instance().set("compute/backend", "twin");
    }
    void cleanupTestCase() { QSettings().clear(); }

    void theSettingChoosesTheDevice_data() {
        QTest::addColumn<int>("setting");
        QTest::addColumn<QString>("device");
        QTest::newRow("first") << 0 << "0: First card";
        QTest::newRow("second") << 1 << "1: Second card";
        QTest::newRow("one that is gone") << 2 << "0: First card";
    }
    void theSettingChoosesTheDevice() {
        QFETCH(const int, setting);
        Settings::instance().set("compute/device", setting);
        auto window = newWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:32x24"));
        QTEST(computed(*window), "device");
    }
    void theSettingsListTheDevices() {
        auto window = newWindow();
        window->findChild<QAction*>("settings")->trigger();
        auto* dialog = window->findChild<QDialog*>("settingsDialog");
        QVERIFY(dialog);
        auto* box = dialog->findChild<QComboBox*>("compute/device");
        QVERIFY(box && box->isEnabled());
        QCOMPARE(box->count(), 2);
        QCOMPARE(box->itemText(1), QStringLiteral("Second card"));
        box->setCurrentIndex(1);
        emit box->activated(1);
        QCOMPARE(Settings::instance().device(), 1);
    }
    void theDeviceIsChosenBesideTheBackend() {
        auto window = newWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:32x24"));
        QCOMPARE(computed(*window), QStringLiteral("0: First card"));
        QComboBox& box = window->pipelinePanel().panes().resourceBox(Side::a);
        QVERIFY(box.isVisible());
        QCOMPARE(box.accessibleName(), QStringLiteral("Device of A"));
        QCOMPARE(box.count(), 2);
        QCOMPARE(box.itemText(1), QStringLiteral("1: Second card"));
        box.setCurrentIndex(1);
        emit box.activated(1);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().side(Side::a).target.device, 1);
        QCOMPARE(computed(*window), QStringLiteral("1: Second card"));
        window->session().pipeline().undo();
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().side(Side::a).result->device, QStringLiteral("First card"));
        QCOMPARE(box.currentData().toInt(), 0);
    }
};

QTEST_MAIN(DevicesTest)
#include "devices_test.moc"
