// SPDX-License-Identifier: GPL-3.0-or-later
// Notifications and the block of suspension, with services that the test registers on a session bus. Only ctest (gui.desktop_test.bus)
// gives it one; the last tests need none.
#include <QDBusConnection>
#include <QDBusObjectPath>
#include <QDir>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSettings>
#include <chrono>

#include "core/measure/sampling/statistics.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/short_measurements.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/desktop/long_work.hpp"
#include "ui/desktop/notification.hpp"
#include "ui/desktop/suspend_block.hpp"
#include "ui/models/document/settings.hpp"
#include "ui/session/lab.hpp"

using namespace parallax;
using namespace parallax::ui;
using namespace std::chrono_literals;

namespace {

const QString kServices = QStringLiteral("services");  // name of the second connection to the bus

struct Shown {
    QString title, text;
    QVariantMap hints;
};

}  // namespace

class Notifications : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")
public:
    QList<Shown> shown;
    QStringList titles() const {
        QStringList list;
        for (const Shown& each : shown) list << each.title;
        return list;
    }
public slots:
    uint Notify(const QString& program, uint, const QString&, const QString& title, const QString& text, const QStringList&,
                const QVariantMap& hints, int) {
        if (program == QLatin1String("Parallax")) shown.append({title, text, hints});
        return static_cast<uint>(shown.size());
    }
};

/// A service that gives cookies.
class Inhibitor : public QObject {
    Q_OBJECT
public:
    QList<uint> asked, released;
    QStringList reasons;

protected:
    uint take(const QString& reason) {
        reasons << reason;
        asked << 40U + static_cast<uint>(asked.size());
        return asked.back();
    }
};

class PowerManagement : public Inhibitor {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.PowerManagement.Inhibit")
public slots:
    uint Inhibit(const QString&, const QString& reason) { return take(reason); }
    void UnInhibit(uint cookie) { released << cookie; }
};

class ScreenSaver : public Inhibitor {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.ScreenSaver")
public slots:
    uint Inhibit(const QString&, const QString& reason) { return take(reason); }
    void UnInhibit(uint cookie) { released << cookie; }
};

class SessionManager : public Inhibitor {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.gnome.SessionManager")
public:
    uint flags = 0;
public slots:
    uint Inhibit(const QString&, uint, const QString& reason, uint what) {
        flags = what;
        return take(reason);
    }
    void Uninhibit(uint cookie) { released << cookie; }
};

/// The object that the portal makes for a request.
class Request : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Request")
public:
    int closed = 0;
public slots:
    void Close() { ++closed; }
};

class Portal : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Inhibit")
public:
    int asked = 0;
    uint flags = 0;
    QString reason;
    Request request;
public slots:
    QDBusObjectPath Inhibit(const QString&, uint what, const QVariantMap& options) {
        ++asked;
        flags = what;
        reason = options.value(QStringLiteral("reason")).toString();
        const QString path = QStringLiteral("/org/freedesktop/portal/desktop/request/1_1/t");
        QDBusConnection(kServices).registerObject(path, &request, QDBusConnection::ExportAllSlots);
        return QDBusObjectPath(path);
    }
};

namespace {

/// Offers an object on the bus while it exists.
class Offer {
public:
    Offer(const QString& service, const QString& path, QObject& object) : service_(service), path_(path) {
        QDBusConnection bus(kServices);
        works = bus.registerObject(path, &object, QDBusConnection::ExportAllSlots) && bus.registerService(service);
    }
    ~Offer() {
        QDBusConnection bus(kServices);
        bus.unregisterService(service_);
        bus.unregisterObject(path_);
    }
    Offer(const Offer&) = delete;
    Offer& operator=(const Offer&) = delete;
    bool works = false;

private:
    QString service_, path_;
};

struct NotificationOffer : Notifications {
    Offer offer{QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("/org/freedesktop/Notifications"), *this};
};
struct PowerOffer : PowerManagement {
    Offer offer{QStringLiteral("org.freedesktop.PowerManagement"), QStringLiteral("/org/freedesktop/PowerManagement/Inhibit"), *this};
};
struct ScreenSaverOffer : ScreenSaver {
    Offer offer{QStringLiteral("org.freedesktop.ScreenSaver"), QStringLiteral("/org/freedesktop/ScreenSaver"), *this};
};
struct GnomeOffer : SessionManager {
    Offer offer{QStringLiteral("org.gnome.SessionManager"), QStringLiteral("/org/gnome/SessionManager"), *this};
};
struct PortalOffer : Portal {
    Offer offer{QStringLiteral("org.freedesktop.portal.Desktop"), QStringLiteral("/org/freedesktop/portal/desktop"), *this};
};

bool idle(Session& session) {
    return QTest::qWaitFor([&] { return session.idle(); }, kPatience);
}

/// Opens an input without a window, and waits for the results.
bool open(Session& session, const QString& input) {
    session.open(input);
    return QTest::qWaitFor([&] { return session.original() && session.idle(); }, kPatience);
}

bool over(const LongWork& work) {
    return QTest::qWaitFor([&] { return !work.following(); }, kPatience);
}

/// Waits until everything that was sent before has arrived; returns what was shown.
QStringList shownUntilNow(NotificationOffer& desktop, const LongWork& work) {
    if (!over(work)) return {QStringLiteral("work does not end")};
    notifyDesktop(QStringLiteral("mark"), {});
    if (!QTest::qWaitFor([&] { return desktop.titles().contains("mark"); }, kPatience)) return {QStringLiteral("nothing arrives")};
    QStringList titles = desktop.titles();
    titles.removeAll(QStringLiteral("mark"));
    desktop.shown.clear();
    return titles;
}

SummaryRow rowOf(const char* label, double ratio, Verdict verdict) {
    SummaryRow row;
    row.label = label;
    row.isBaseline = ratio == 0;
    if (!row.isBaseline) row.computeSpeedup = Speedup{ratio, {ratio, ratio}, verdict};
    return row;
}

}  // namespace

class DesktopTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    /// Not on the bus of the user's desktop.
    static bool bus() { return qEnvironmentVariableIsSet("PARALLAX_TEST_BUS") && hasSessionBus(); }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QGuiApplication::setApplicationDisplayName(QStringLiteral("Parallax"));
        QGuiApplication::setDesktopFileName(QStringLiteral("io.github.parallax.Parallax"));
        if (bus()) QVERIFY(QDBusConnection::connectToBus(QDBusConnection::SessionBus, kServices).isConnected());
    }
    void init() { QSettings().clear(); }

    void theEndOfABenchmarkIsNotified() {
        if (!bus()) QSKIP("The test has no session bus of its own");
        NotificationOffer desktop;
        QVERIFY(desktop.offer.works);
        Session session(processCatalog());
        LongWork work(session, 0ms);
        QVERIFY(open(session, QStringLiteral("synthetic:noise:256x256")));
        QCOMPARE(shownUntilNow(desktop, work), QStringList{QStringLiteral("Computation finished")});
        const ShortMeasurements shortly;
        session.benchmark().measure(QStringLiteral("quick"));
        QVERIFY(idle(session));
        QVERIFY(session.record());
        QVERIFY(QTest::qWaitFor([&] { return !desktop.shown.isEmpty(); }, kPatience));
        QCOMPARE(desktop.shown[0].title, QStringLiteral("Benchmark finished"));
        QCOMPARE(desktop.shown[0].text, verdictOf(*session.benchmark().summary()));
        QVERIFY(!desktop.shown[0].text.isEmpty());
        QCOMPARE(desktop.shown[0].hints.value("desktop-entry").toString(), QStringLiteral("io.github.parallax.Parallax"));
        (void)shownUntilNow(desktop, work);
        session.lab().sweep(QStringLiteral("size=32,64"), QStringLiteral("quick"));
        QVERIFY(idle(session));
        QCOMPARE(shownUntilNow(desktop, work), QStringList{QStringLiteral("Sweep finished")});
        // A cancelled benchmark says nothing.
        session.benchmark().measure(QStringLiteral("thorough"));
        session.cancel();
        QVERIFY(idle(session));
        QCOMPARE(shownUntilNow(desktop, work), QStringList());
    }
    void savingIsNotifiedWithoutNames() {
        if (!bus()) QSKIP("The test has no session bus of its own");
        const QString series = folder_.filePath(QStringLiteral("Doeling_Jane"));
        QVERIFY(QDir().mkpath(series));
        test::MadeDicom().write((series + QStringLiteral("/Doeling.dcm")).toStdString());
        NotificationOffer desktop;
        Session session(processCatalog());
        LongWork work(session, 0ms);
        QVERIFY(open(session, series + QStringLiteral("/Doeling.dcm")) && over(work));
        session.saveImage(PaneRole::original, series + QStringLiteral("/Doeling.exr"));
        QVERIFY(idle(session) && over(work));
        session.saveImage(PaneRole::original, folder_.filePath(QStringLiteral("absent/Doeling.exr")));
        QVERIFY(idle(session) && over(work));
        session.open(series + QStringLiteral("/absent.dcm"));
        QVERIFY(idle(session) && over(work));
        QVERIFY(QTest::qWaitFor([&] { return desktop.shown.size() >= 4; }, kPatience));
        for (const Shown& each : desktop.shown) QVERIFY2(!(each.title + each.text).contains("Doeling"), qPrintable(each.text));
        QCOMPARE(shownUntilNow(desktop, work), (QStringList{QStringLiteral("Computation finished"), QStringLiteral("Saving finished"),
                                                            QStringLiteral("Saving failed"), QStringLiteral("Opening failed")}));
    }
    void nothingIsNotifiedToUsersWhoSeeIt() {
        if (!bus()) QSKIP("The test has no session bus of its own");
        NotificationOffer desktop;
        Session session(processCatalog());
        {
            LongWork work(session, 1h);  // all work is short
            QVERIFY(open(session, QStringLiteral("synthetic:noise:256x256")));
            QCOMPARE(shownUntilNow(desktop, work), QStringList());
        }
        LongWork work(session, 0ms);
        {
            QWidget window;
            window.show();
            QVERIFY(waitForActive(window));
            QVERIFY(open(session, QStringLiteral("synthetic:noise:250x250")));
            QCOMPARE(shownUntilNow(desktop, work), QStringList());
        }
        Settings::instance().set("compute/notify", false);
        QVERIFY(open(session, QStringLiteral("synthetic:noise:240x240")));
        QCOMPARE(shownUntilNow(desktop, work), QStringList());
        Settings::instance().set("compute/notify", true);
        QVERIFY(open(session, QStringLiteral("synthetic:noise:230x230")));
        QCOMPARE(shownUntilNow(desktop, work), QStringList{QStringLiteral("Computation finished")});
    }
    void theMachineStaysAwakeDuringABenchmark() {
        if (!bus()) QSKIP("The test has no session bus of its own");
        PowerOffer power;
        QVERIFY(power.offer.works);
        Session session(processCatalog());
        LongWork work(session, 20ms);
        QVERIFY(open(session, QStringLiteral("synthetic:noise:512x512")));
        QTRY_COMPARE_WITH_TIMEOUT(power.asked, power.released, kPatience);
        const qsizetype before = power.asked.size();
        session.benchmark().measure(QStringLiteral("thorough"));
        QTRY_COMPARE_WITH_TIMEOUT(power.asked.size(), before + 1, kPatience);
        QCOMPARE(power.released.size(), before);
        QVERIFY(!power.reasons.back().isEmpty());
        session.cancel();
        QVERIFY(idle(session));
        QTRY_COMPARE_WITH_TIMEOUT(power.asked, power.released, kPatience);
    }
    void servicesAreAskedInOrder() {
        if (!bus()) QSKIP("The test has no session bus of its own");
        ScreenSaverOffer saver;
        QVERIFY(saver.offer.works);
        {
            const SuspendBlock block(QStringLiteral("work"));
            QTRY_COMPARE_WITH_TIMEOUT(saver.reasons, QStringList{QStringLiteral("work")}, kPatience);
            QVERIFY(saver.released.isEmpty());
        }
        QTRY_COMPARE_WITH_TIMEOUT(saver.released, saver.asked, kPatience);
        GnomeOffer gnome;
        {
            const SuspendBlock block(QStringLiteral("work"));
            QTRY_COMPARE_WITH_TIMEOUT(gnome.reasons, QStringList{QStringLiteral("work")}, kPatience);
            QCOMPARE(gnome.flags, 4U);  // suspension only
        }
        QTRY_COMPARE_WITH_TIMEOUT(gnome.released, gnome.asked, kPatience);
        PowerOffer power;
        {
            const SuspendBlock block(QStringLiteral("work"));
            QTRY_COMPARE_WITH_TIMEOUT(power.reasons, QStringList{QStringLiteral("work")}, kPatience);
        }
        QTRY_COMPARE_WITH_TIMEOUT(power.released, power.asked, kPatience);
        PortalOffer portal;
        {
            const SuspendBlock block(QStringLiteral("work"));
            QTRY_COMPARE_WITH_TIMEOUT(portal.asked, 1, kPatience);
            QCOMPARE(portal.flags, 4U);
            QCOMPARE(portal.reason, QStringLiteral("work"));
        }
        QTRY_COMPARE_WITH_TIMEOUT(portal.request.closed, 1, kPatience);
        QCOMPARE(saver.asked.size() + gnome.asked.size() + power.asked.size(), 3);
    }
    void aBlockThatEndsBeforeTheAnswerIsReleased() {
        if (!bus()) QSKIP("The test has no session bus of its own");
        PortalOffer portal;  // the first that is asked
        { const SuspendBlock block(QStringLiteral("short")); }
        QTRY_COMPARE_WITH_TIMEOUT(portal.asked, 1, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(portal.request.closed, 1, kPatience);
    }
    void theVerdictIsOneSentence() {
        TimingSummary summary;
        QCOMPARE(verdictOf(summary), QString());
        summary.rows = {rowOf("openmp.scalar", 0, {}), rowOf("openmp.simd", 2.1, Verdict::faster), rowOf("opencv", 1.4, Verdict::faster)};
        QCOMPARE(verdictOf(summary), QStringLiteral("openmp.simd is 2.10× faster than openmp.scalar"));
        summary.rows = {rowOf("openmp", 0, {}), rowOf("reference", 0.1, Verdict::slower), rowOf("opencv", 1.01, Verdict::same)};
        QCOMPARE(verdictOf(summary), QStringLiteral("No backend is faster than openmp"));
        summary.rows = {rowOf("openmp", 0, {}), rowOf("opencv", 1.1, Verdict::undecided)};
        QCOMPARE(verdictOf(summary), QStringLiteral("No difference from openmp can be shown"));
        summary.rows[1].verification = Verification::disagrees;
        QCOMPARE(verdictOf(summary), QStringLiteral("opencv disagrees with the reference"));
    }
    void nothingHappensWithoutABus() {
        const QByteArray address = qgetenv("DBUS_SESSION_BUS_ADDRESS"), runtime = qgetenv("XDG_RUNTIME_DIR");
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qputenv("XDG_RUNTIME_DIR", QFile::encodeName(folder_.path()));
        QTest::failOnWarning(QRegularExpression(QStringLiteral(".")));
        Promptness prompt(200);
        while (prompt.again()) {
            prompt.start();
            QVERIFY(!hasSessionBus());
            notifyDesktop(QStringLiteral("title"), QStringLiteral("text"));
            { const SuspendBlock block(QStringLiteral("work")); }
            prompt.stop();
        }
        QVERIFY2(prompt.held(), prompt.text().c_str());
        qputenv("XDG_RUNTIME_DIR", runtime);
        if (!address.isEmpty()) qputenv("DBUS_SESSION_BUS_ADDRESS", address);
    }
};

QTEST_MAIN(DesktopTest)
#include "desktop_test.moc"
