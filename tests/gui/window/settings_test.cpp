// SPDX-License-Identifier: GPL-3.0-or-later
// Settings: every one takes effect when it is changed by mouse or keyboard, is kept for the next start, and a damaged file falls back to
// defaults and says so. Also shortcuts for files.
#include <sys/stat.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>

#include "core/engine/backend/backend.hpp"
#include "core/engine/backend/rank_launcher.hpp"
#include "core/engine/backend/resource_limits.hpp"
#include "core/engine/run/run_context.hpp"
#include "core/image/host/memory_use.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/models/benchmark/history_store.hpp"
#include "ui/models/document/formatting.hpp"
#include "ui/models/document/metadata_model.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/window/recent/recent_files.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

Settings& settings() { return Settings::instance(); }

void restoreDefaults() {
    for (const SettingInfo& info : Settings::all()) settings().set(QLatin1String(info.key), info.fallback);
}

/// Permissions; -1 if there is no such file.
int modeOf(const QString& path) {
    struct stat info {};
    return ::stat(path.toUtf8().constData(), &info) == 0 ? static_cast<int>(info.st_mode & 0777) : -1;
}

int differingPixels(const QString& first, const QString& second) {
    const QImage a(first), b(second);
    if (a.isNull() || a.size() != b.size()) return 1 << 30;
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
    return count;
}

/// The dialog, opened by its shortcut.
QDialog* openSettings(MainWindow& window) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // an earlier one
    window.activateWindow();                                              // after an earlier dialog
    if (!waitForActive(window)) return nullptr;
    QTest::keyClick(&window, Qt::Key_Comma, Qt::ControlModifier);
    auto* dialog = window.findChild<QDialog*>("settingsDialog");
    return dialog && waitForActive(*dialog) ? dialog : nullptr;
}

/// The control of a key, on a page that is in front.
template <class Control>
Control* controlOf(QDialog& dialog, const char* key) {
    auto* control = dialog.findChild<Control*>(QLatin1String(key));
    auto* pages = dialog.findChild<QTabWidget*>("settingsPages");
    for (int page = 0; control && page < pages->count(); ++page)
        if (pages->widget(page)->isAncestorOf(control)) pages->setCurrentIndex(page);
    return control;
}

/// Chooses by the keyboard.
void choose(QComboBox& box, const QVariant& value) {
    box.setFocus();
    QTest::keyClick(&box, Qt::Key_Home);
    for (int i = 0; i < box.count() && box.currentData() != value; ++i) QTest::keyClick(&box, Qt::Key_Down);
}

void type(QSpinBox& box, const QString& text) {
    box.setFocus();
    box.selectAll();
    QTest::keyClicks(&box, text);
    QTest::keyClick(&box, Qt::Key_Return);
}

void click(QCheckBox& box) { QTest::mouseClick(&box, Qt::LeftButton, {}, QPoint(8, box.height() / 2)); }

}  // namespace

class SettingsTest : public QObject {
    Q_OBJECT
    /// Runs the program with the settings in home/config. Returns its exit code, or -1 if it does not end.
    static int runWithSettings(const QTemporaryDir& home, const QStringList& arguments) {
        QProcess program;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", home.filePath("config"));
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        program.setProcessEnvironment(environment);
        program.start(PARALLAX_PROGRAM, arguments);
        return program.waitForFinished(kPatience) ? program.exitCode() : -1;
    }

private slots:
    void init() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
        restoreDefaults();
    }
    void cleanup() {
        restoreDefaults();
        applyTheme(ThemeChoice::light);
    }
    void everySettingHasAControlAndIsInTheManual() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        QVERIFY(dialog);
        const QByteArray manual = readFile(QStringLiteral(PARALLAX_MANUAL "/settings.md"));
        for (const SettingInfo& info : Settings::all()) {
            QVERIFY2(dialog->findChild<QWidget*>(QLatin1String(info.key)), info.key);
            QVERIFY2(manual.contains(QByteArray("`") + info.key + "`"), info.key);
            if (info.high > 0)
                QVERIFY2(
                    manual.contains(QStringLiteral("%1 to %2").arg(info.low).arg(QLocale(QLocale::English).toString(info.high)).toUtf8()),
                    info.key);
        }
        QVERIFY(readFile(QStringLiteral(PARALLAX_MANUAL "/index.md")).contains("(settings.md)"));
    }
    void themeChangesAtOnceAndIsKept() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        choose(*controlOf<QComboBox>(*dialog, "appearance/theme"), "high-contrast");
        QCOMPARE(currentThemeChoice(), ThemeChoice::highContrast);
        QVERIFY(currentTheme().highContrast);
        QVERIFY(window->findChild<QAction*>("theme-high-contrast")->isChecked());
        QCOMPARE(QSettings().value("appearance/theme").toString(), QStringLiteral("high-contrast"));
        dialog->close();
        window->findChild<QAction*>("theme-dark")->trigger();
        QCOMPARE(settings().theme(), ThemeChoice::dark);
    }
    void themeFollowsTheDesktopWhileRunning() {
        auto window = shownWindow();
        window->findChild<QAction*>("theme-system")->trigger();
        const bool dark = currentTheme().dark;
        setSystemDark(!dark);
        QCOMPARE(currentTheme().dark, !dark);
        window->findChild<QAction*>("theme-light")->trigger();
        setSystemDark(true);
        QVERIFY(!currentTheme().dark);  // a choice of the user stays
        setSystemDark(dark);
    }
    void digitsChangeSamples() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        type(*controlOf<QSpinBox>(*dialog, "appearance/digits"), "4");
        QCOMPARE(formatSample(1.23456789), QLocale().toString(1.235));
        QCOMPARE(QSettings().value("appearance/digits").toInt(), 4);
    }
    void backendIsThatOfANewWindow() {
        auto window = shownWindow();
        QVERIFY(window->session().side(Side::a).target.backend != "reference");
        QDialog* dialog = openSettings(*window);
        choose(*controlOf<QComboBox>(*dialog, "compute/backend"), "reference");
        QVERIFY(!controlOf<QComboBox>(*dialog, "compute/device")->isEnabled());  // there is one only
        window.reset();
        window = shownWindow();
        QCOMPARE(window->session().side(Side::a).target.backend, std::string("reference"));
        settings().set("compute/backend", "no-such-backend");
        window = shownWindow();
        QVERIFY(window->session().side(Side::a).target.backend != "no-such-backend");
        window->checkSettings();
        QVERIFY(window->messageBar().message().plainText().contains("no-such-backend"));
    }
    void threadsLimitRuns() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        type(*controlOf<QSpinBox>(*dialog, "compute/threads"), "1");
        QCOMPARE(effectiveThreads({}), 1);
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QCOMPARE(window->session().side(Side::a).result->threads, 1);
    }
    void aLauncherOfRanksIsSavedOnceItIsComplete() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        auto* words = controlOf<QLineEdit>(*dialog, "compute/mpi-launcher");
        QCOMPARE(words->placeholderText(), QStringLiteral("mpiexec -n {ranks}"));
        words->setText("srun -n {ranks}");
        QCOMPARE(mpiLauncher(), std::string("srun -n {ranks}"));
        words->setText("srun -n 4");
        QCOMPARE(mpiLauncher(), std::string("srun -n {ranks}"));
        words->clear();
        QCOMPARE(mpiLauncher(), std::string("mpiexec -n {ranks}"));
    }
    void memoryLimitMovesRunsToScratchFiles() {
        setScratchFolder("/var/tmp");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:2048x1024"));
        QVERIFY(window->session().side(Side::a).result);
        QDialog* dialog = openSettings(*window);
        type(*controlOf<QSpinBox>(*dialog, "compute/memory-limit"), "1");
        dialog->close();
        window->session().releaseSpareMemory();
        setSteps(*window, {"convolve:size=9"});
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().side(Side::a).error);
        QVERIFY(window->session().side(Side::a).result->memory.scratch >= std::uint64_t{8} << 20);
        // Without them it is refused.
        setScratchFolder(kNoScratch);
        setSteps(*window, {"convolve:size=7"});
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->session().side(Side::a).error);
        setScratchFolder("");
        dialog = openSettings(*window);
        type(*controlOf<QSpinBox>(*dialog, "compute/memory-limit"), "0");
        type(*controlOf<QSpinBox>(*dialog, "compute/device-memory-limit"), "512");
        QCOMPARE(resourceLimits().deviceBytes, std::uint64_t{512} << 20);
        setSteps(*window, {"convolve:size=11"});
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().side(Side::a).error);
    }
    void saveFolderIsWhereDialogsStart() {
        QTemporaryDir folder;
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        auto* path = controlOf<QLineEdit>(*dialog, "files/save-folder");
        path->setFocus();
        QTest::keyClicks(path, folder.path());
        QCOMPARE(exportFolder(), folder.path());
        QTest::keyClicks(path, "/none");
        QCOMPARE(settings().saveFolder(), folder.path());  // an unusable folder is not saved
    }
    void saveFormatIsThatOfTheDialog() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:60x40"));
        QDialog* dialog = openSettings(*window);
        choose(*controlOf<QComboBox>(*dialog, "files/save-format"), "tif");
        dialog->close();
        window->findChild<QAction*>("save-result")->trigger();
        auto* save = window->findChild<QDialog*>("saveDialog");
        QVERIFY(save);
        QCOMPARE(save->findChild<QComboBox*>("format")->currentData().toString(), QStringLiteral("tif"));
        save->close();
    }
    void recentFilesCanBeOff() {
        QTemporaryDir folder;
        auto window = shownWindow();
        window->recentFiles().add(folder.filePath("a.png"));
        QCOMPARE(window->recentFiles().files().size(), 1);
        QDialog* dialog = openSettings(*window);
        click(*controlOf<QCheckBox>(*dialog, "privacy/recent-files"));
        QVERIFY(window->recentFiles().files().isEmpty());
        window->recentFiles().add(folder.filePath("b.png"));
        QVERIFY(window->recentFiles().files().isEmpty());
        click(*controlOf<QCheckBox>(*dialog, "privacy/recent-files"));
        window->recentFiles().add(folder.filePath("b.png"));
        QCOMPARE(window->recentFiles().files().size(), 1);
        QTest::mouseClick(dialog->findChild<QPushButton*>("clearRecent"), Qt::LeftButton);
        QVERIFY(window->recentFiles().files().isEmpty());
    }
    void autoReloadFollowsTheMenu() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        click(*controlOf<QCheckBox>(*dialog, "files/auto-reload"));
        QVERIFY(window->findChild<QAction*>("auto-reload")->isChecked());
        click(*controlOf<QCheckBox>(*dialog, "session/restore"));
        QVERIFY(settings().restoresSession());
    }
    void historyKeepsWhatTheSettingsSay() {
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        type(*controlOf<QSpinBox>(*dialog, "history/max-runs"), "2");
        type(*controlOf<QSpinBox>(*dialog, "history/max-days"), "30");
        click(*controlOf<QCheckBox>(*dialog, "history/keep"));
        QVERIFY(!controlOf<QSpinBox>(*dialog, "history/max-runs")->isEnabled());
        QVERIFY(!settings().keepsHistory());
        QCOMPARE(settings().historyRuns(), 2);
        QCOMPARE(settings().historyDays(), 30);
        RunRecord record;
        record.entries.emplace_back();
        QTemporaryDir folder;
        HistoryStore store(folder.path());
        store.setLimits({.keeps = true, .runs = 2, .days = 30});
        for (int i = 0; i < 3; ++i) QVERIFY(!store.add({record}).isEmpty());
        QCOMPARE(store.list().size(), 2);
        const QString oldest = store.list().back().id;
        QFile file(folder.filePath(oldest + ".json"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-40), QFileDevice::FileModificationTime));
        file.close();
        store.trim();
        QCOMPARE(store.list().size(), 1);
        store.setLimits({.keeps = false});
        QVERIFY(store.add({record}).isEmpty());
        QCOMPARE(store.list().size(), 1);
    }
    void patientDataAreHiddenUnlessWanted() {
        auto image = std::make_shared<Image>(Buffer(Shape{4, 4, 1, 1}));
        image->source.path = "/scans/Doe_Jane/1.dcm";
        image->source.medical = true;
        image->source.personal.push_back({"PatientName", "string", "Doe^Jane", {}});
        const auto textOf = [&] {
            MetadataModel model;
            model.setImage(image);
            QString text;
            for (int row = 0; row < model.rowCount(); ++row)
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) text += model.index(row, 1).data(role).toString() + "\n";
            return text;
        };
        QVERIFY(!textOf().contains("Doe"));
        auto window = shownWindow();
        QDialog* dialog = openSettings(*window);
        click(*controlOf<QCheckBox>(*dialog, "privacy/hide-patient-data"));
        QVERIFY(textOf().contains("Doe^Jane"));
        QVERIFY(textOf().contains("/scans/Doe_Jane/1.dcm"));
    }
    void theFileIsReadableByItsOwnerOnly() {
        const mode_t before = ::umask(022);
        const auto mode = [] {
            QSettings().sync();
            return modeOf(Settings::filePath());
        };
        QSettings().sync();
        QVERIFY(!QFile::exists(Settings::filePath()) || QFile::remove(Settings::filePath()));
        settings().remember("open/recent", QStringList{"/data/a.png"});
        QCOMPARE(mode(), 0600);
        QVERIFY(readFile(Settings::filePath()).contains("a.png"));
        // A file of an earlier version, or saved by an editor.
        QVERIFY(QFile::setPermissions(Settings::filePath(), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther));
        QCOMPARE(mode(), 0644);
        settings().set("appearance/digits", 4);
        QCOMPARE(mode(), 0600);
        QVERIFY(readFile(Settings::filePath()).contains("digits=4"));
        ::umask(before);
    }
    void languageIsUsedAtTheNextStart() {
        {
            auto window = shownWindow();
            auto* box = controlOf<QComboBox>(*openSettings(*window), "appearance/language");
            QVERIFY(box->findData("en") > 0);
            choose(*box, "en");
            QCOMPARE(settings().language(), QStringLiteral("en"));
        }
        // A start with another language in the file.
        QTemporaryDir home;
        QVERIFY(QDir(home.path()).mkpath("config/parallax"));
        const QString conf = home.filePath("config/parallax/parallax.conf");
        QVERIFY(writeFile(conf, "[appearance]\nlanguage=de\ntheme=dark\n"));
        QVERIFY(QFile::setPermissions(conf, QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther));
        QStringList pictures;
        for (const QStringList& language : {QStringList{}, {"--language", "de"}, {"--language", "en"}}) {
            pictures << home.filePath(QString::number(pictures.size()) + ".png");
            QCOMPARE(runWithSettings(home, QStringList{"--screenshot", pictures.back(), "--view", "empty", "--size", "900x600"} + language),
                     0);
        }
        QCOMPARE(modeOf(conf), 0600);  // since the first start
        // Focus frames may differ on a busy machine; words differ in far more pixels.
        QVERIFY(10 * differingPixels(pictures[0], pictures[1]) < differingPixels(pictures[0], pictures[2]));
    }
    void aScreenshotDoesNotWaitForAMeasurementThatFailed() {
        QTemporaryDir home;
        QVERIFY(QDir(home.path()).mkpath("config/parallax"));
        QVERIFY(writeFile(home.filePath("config/parallax/parallax.conf"), "[compute]\nmemory-limit=1\n"));
        const QString picture = home.filePath("picture.png");
        QCOMPARE(runWithSettings(home, {"--screenshot", picture, "--size", "900x600", "synthetic:gradient:640x480"}), 0);
        QVERIFY(QFile::exists(picture));
    }
    void defaultsCanBeRestored() {
        auto window = shownWindow();
        settings().set("appearance/digits", 9);
        settings().set("compute/threads", 1);
        QDialog* dialog = openSettings(*window);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults), Qt::LeftButton);
        for (const SettingInfo& info : Settings::all()) QCOMPARE(settings().value(QLatin1String(info.key)), info.fallback);
        QCOMPARE(dialog->findChild<QSpinBox*>("appearance/digits")->value(), 6);
    }
    void damagedValuesFallBackAndAreReported() {
        QSettings file;
        file.setValue("appearance/theme", "pink");
        file.setValue("appearance/digits", 99);
        file.setValue("compute/threads", "many");
        file.setValue("privacy/hide-patient-data", "perhaps");
        QCOMPARE(settings().theme(), ThemeChoice::system);
        QCOMPARE(settings().digits(), 9);
        QCOMPARE(settings().threads(), 0);
        QVERIFY(settings().hidesPatientData());
        auto window = shownWindow();
        window->checkSettings();
        const QString said = window->messageBar().message().plainText();
        for (const char* part : {"pink", "appearance/digits", "compute/threads", "perhaps"}) QVERIFY2(said.contains(part), part);
        file.clear();
        QVERIFY(settings().problems().isEmpty());
    }
    void filesAreClosedOneByOne() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        window->openInputs({"synthetic:gradient:60x40", "synthetic:noise:64x32"});
        QVERIFY(waitForIdle(*window));
        QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier);
        QVERIFY(QTest::qWaitFor([&] { return window->session().inputName() == "synthetic:noise:64x32"; }, kPatience));
        QVERIFY(waitForIdle(*window));
        QTest::keyClick(window.get(), Qt::Key_W, Qt::ControlModifier);
        QVERIFY(QTest::qWaitFor([&] { return !window->session().original(); }, kPatience));
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->isVisible());
        QCOMPARE(window->windowTitle(), QStringLiteral("Parallax"));
        QVERIFY(!window->compareView().isVisible());
        QVERIFY(!window->findChild<QAction*>("close-file")->isEnabled());
        // It can be opened again, and closed while it is computed.
        window->openInputs({"synthetic:noise:600x400"});
        QVERIFY(QTest::qWaitFor([&] { return window->session().original() != nullptr; }, kPatience));
        window->findChild<QAction*>("close-file")->trigger();
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().side(Side::a).result);
    }
    void f5ReloadsAndCtrlBMeasures() {
        auto window = shownWindow();
        QVERIFY(waitForActive(*window));
        QTemporaryDir folder;
        const QString path = folder.filePath("a.png");
        QImage picture(32, 24, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(path));
        QVERIFY(openAndWait(*window, path));
        QVERIFY(QImage(40, 30, QImage::Format_RGB32).save(path));
        QTest::keyClick(window.get(), Qt::Key_F5);
        QVERIFY(QTest::qWaitFor([&] { return window->session().original()->shape().width == 40; }, kPatience));
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().record());
        QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
        QVERIFY(window->session().measuring());
        window->session().cancel();
        QVERIFY(waitForIdle(*window));
    }
};

QTEST_MAIN(SettingsTest)
#include "settings_test.moc"
