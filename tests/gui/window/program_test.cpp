// SPDX-License-Identifier: GPL-3.0-or-later
// The program as it starts: version, pictures without traces, the size of its window on the screen, its name for the desktop.
#include <QDataStream>
#include <QDir>
#include <QDirIterator>
#include <QGuiApplication>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

#include "core/engine/run/build_info.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/window/program.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

QString configFile(const QTemporaryDir& home) { return home.filePath(QStringLiteral("config/parallax/parallax.conf")); }

QStringList filesBelow(const QString& folder) {
    QStringList files;
    for (QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); it.hasNext();) files << it.next();
    return files;
}

/// Returns the output of a command of X11.
QString answerOf(const QStringList& command) {
    QProcess process;
    process.start(command.front(), command.mid(1));
    (void)process.waitForFinished(kPatience);
    return QString::fromUtf8(process.readAllStandardOutput());
}

/// WM_CLASS of the first window of a process; empty without one.
QString classOfWindow(qint64 process) {
    static const QRegularExpression id(QStringLiteral("0x[0-9a-f]+"));
    for (auto it = id.globalMatch(answerOf({"xprop", "-root", "_NET_CLIENT_LIST"})); it.hasNext();) {
        const QString about = answerOf({"xprop", "-id", it.next().captured(), "_NET_WM_PID", "WM_CLASS"});
        if (about.contains(QStringLiteral("_NET_WM_PID(CARDINAL) = %1\n").arg(process))) return about.section("WM_CLASS(STRING) = ", 1);
    }
    return {};
}

}  // namespace

class ProgramTest : public QObject {
    Q_OBJECT
private slots:
    void theVersionNamesBuildAndBackends() {
        const QTemporaryDir home;
        Program program(home, {"--version"});
        QCOMPARE(program.finish(), 0);
        const QString text = program.output();
        const BuildInfo& build = buildInfo();
        QVERIFY2(text.startsWith(QStringLiteral("parallax %1 (").arg(QString::fromStdString(build.version))), qPrintable(text));
        QVERIFY2(text.contains(QString::fromStdString(build.compiler)) && text.contains("\nlibraries: "), qPrintable(text));
        for (const auto& backend : processCatalog().backends())
            QVERIFY2(text.contains(QLatin1String("\n  ") + QString::fromStdString(backend->id()) + QLatin1Char(' ')), qPrintable(text));
    }
    void screenshotsLeaveNoTrace() {
        const QTemporaryDir home, folder;
        const QString input = folder.filePath("photo.png"), shot = folder.filePath("shot.png");
        QImage picture(48, 32, QImage::Format_RGB32);
        picture.fill(Qt::darkCyan);
        QVERIFY(picture.save(input));
        // Settings with a layout that a picture must not change, and with recent files, to which it must not be added.
        {
            QSettings settings(configFile(home), QSettings::IniFormat);
            settings.setValue("open/recent", QStringList{"/data/other.png"});
            settings.setValue("window/view", "wipe");
        }
        const QByteArray before = readFile(configFile(home));
        QVERIFY(!before.isEmpty());
        // Without inputs of its own kind a picture also measures: no run may appear in the history.
        Program program(home, {"--screenshot", shot, "--size", "900x600", input});
        QCOMPARE(program.finish(), 0);
        QCOMPARE(QImage(shot).size(), QSize(900, 600));
        QCOMPARE(readFile(configFile(home)), before);
        QStringList left = filesBelow(home.path());
        left.removeIf([&](const QString& file) { return file == configFile(home) || file.startsWith(home.filePath("cache/fontconfig/")); });
        QVERIFY2(left.isEmpty(), qPrintable(left.join('\n')));
    }
    void theWindowFitsOnTheScreen_data() {
        QTest::addColumn<QString>("factor");
        QTest::addColumn<QSize>("screen");
        QTest::newRow("1x") << "1" << QSize(1100, 800);
        QTest::newRow("2x") << "2" << QSize(1920, 1400);
    }
    void theWindowFitsOnTheScreen() {
        QFETCH(const QString, factor);
        QFETCH(const QSize, screen);
        const QTemporaryDir home;
        const QString screens = home.filePath("screens.json");
        QVERIFY(writeFile(screens, QStringLiteral(R"({"screens": [{"name": "one", "x": 0, "y": 0, "width": %1, "height": %2,
                                                      "logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1}]})")
                                       .arg(screen.width())
                                       .arg(screen.height())
                                       .toUtf8()));
        Program program(home, {"synthetic:gradient:40x30"},
                        {{"QT_QPA_PLATFORM", "offscreen:configfile=" + screens}, {"QT_SCALE_FACTOR", factor}});
        const auto running = [&] { return !QDir(home.filePath("state/parallax/sessions")).isEmpty(QDir::Files); };
        QVERIFY(QTest::qWaitFor(running, kPatience));
        QVERIFY(program.waitUntilItHandles(SIGTERM));
        program.send(SIGTERM);
        QCOMPARE(program.finish(), 128 + SIGTERM);
        // QWidget::saveGeometry(): a number, two versions, the frame, and the window without it.
        const QSettings settings(configFile(home), QSettings::IniFormat);
        QDataStream stream(settings.value("window/geometry").toByteArray());
        quint32 magic = 0;
        quint16 major = 0, minor = 0;
        QRect frame, normal;
        stream >> magic >> major >> minor >> frame >> normal;
        QCOMPARE(magic, quint32{0x1D9D0CB});
        const QSize room = screen / factor.toInt();
        const QString size = QStringLiteral("%1 x %2").arg(normal.width()).arg(normal.height());
        QVERIFY2(normal.width() > 600 && normal.width() <= room.width(), qPrintable(size));
        QVERIFY2(normal.height() > 400 && normal.height() <= room.height() - 40, qPrintable(size));
    }
    void theDesktopFindsItsWindow() {
        if (QGuiApplication::platformName() != "xcb") QSKIP("needs an X server");
        if (QStandardPaths::findExecutable("xprop").isEmpty()) QSKIP("there is no xprop (package x11-utils)");
        QString wanted;
        for (const QString& line : QString::fromUtf8(readFile(PARALLAX_DESKTOP_ENTRY)).split('\n'))
            if (line.startsWith("StartupWMClass=")) wanted = line.section('=', 1);
        QVERIFY(!wanted.isEmpty());
        const QTemporaryDir home;
        Program program(home, {"--view", "single"}, {{"QT_QPA_PLATFORM", "xcb"}});
        QString found;
        QVERIFY(QTest::qWaitFor([&] { return !(found = classOfWindow(program.id())).isEmpty(); }, kPatience));
        QVERIFY2(found.contains(QLatin1Char('"') + wanted + QLatin1Char('"')), qPrintable(found));
    }
};

QTEST_MAIN(ProgramTest)
#include "program_test.moc"
