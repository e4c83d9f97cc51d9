// SPDX-License-Identifier: GPL-3.0-or-later
// The store of past runs.
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "core/image/error.hpp"
#include "tests/gui/charts/lab_sample.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/benchmark/history_store.hpp"

using namespace parallax;
using namespace parallax::ui;

class HistoryTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }

    void runsOfTheOldFolderMove() {
        const QString old = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + "/history";
        QDir(HistoryStore::standardFolder()).removeRecursively();
        const QString id = HistoryStore(old).add({sampleRecordOf(2, 1e6)});
        HistoryStore::moveOldFolder();
        const QVector<HistoryItem> items = HistoryStore(HistoryStore::standardFolder()).list();
        QCOMPARE(items.size(), 1);
        QCOMPARE(items.front().id, id);
        QVERIFY(!QDir(old).exists());
        QVERIFY2(HistoryStore::standardFolder().endsWith("/parallax/history"), qPrintable(HistoryStore::standardFolder()));
        HistoryStore::moveOldFolder();  // nothing to do
        QDir(HistoryStore::standardFolder()).removeRecursively();
    }
    void historyKeepsListsAndForgets() {
        QTemporaryDir folder;
        const HistoryStore store(folder.path() + "/new/history");
        QVERIFY(store.list().isEmpty());
        const QString first = store.add({sampleRecordOf(2, 1e6)});
        const QString second = store.add(sampleSweep("size", 2, 1e6), "elsewhere.json");
        QVector<HistoryItem> items = store.list();
        QCOMPARE(items.size(), 2);
        QCOMPARE(items[0].id, second);  // the newest first
        QCOMPARE(items[0].sweep, QStringLiteral("size"));
        QCOMPARE(items[0].points, 6);
        QCOMPARE(items[0].importedFrom, QStringLiteral("elsewhere.json"));
        QCOMPARE(items[1].recipe, QStringList{"convolve:size=7"});
        QCOMPARE(items[1].input, QStringLiteral("photo of a cat.png"));
        QCOMPARE(items[1].when.toUTC(), QDateTime(QDate(2026, 1, 31), QTime(12, 0), Qt::UTC));
        QCOMPARE(store.load(second).size(), std::size_t{6});
        QCOMPARE(store.load(second)[2].sweep.value, std::string("512"));
        // Two of the same millisecond.
        const QString at = folder.path() + "/new/history/", twin = "20190101-000000-000";
        QVERIFY(QFile::copy(at + first + ".json", at + twin + ".json"));
        QVERIFY(QFile::copy(at + first + ".json", at + twin + "-2.json"));
        QCOMPARE(store.list()[2].id, twin + "-2");
        QCOMPARE(store.list()[3].id, twin);
        store.remove(twin);
        store.remove(twin + "-2");
        // The facts are found again.
        QVERIFY(QFile::remove(folder.path() + "/new/history/" + first + ".facts"));
        QCOMPARE(store.list()[1].recipe, QStringList{"convolve:size=7"});
        // A damaged file hides nothing else and is told when it is asked for.
        QVERIFY(writeFile(folder.path() + "/new/history/20200101-000000-000.json", "{\"schema\": "));
        QCOMPARE(store.list().size(), 2);
        QVERIFY_EXCEPTION_THROWN(store.load("20200101-000000-000"), Error);
        store.remove(second);
        QCOMPARE(store.list().size(), 1);
        for (int i = 0; i < HistoryLimits{}.runs + 5; ++i) (void)store.add({sampleRecordOf(1, 1e6)});
        items = store.list();
        QCOMPARE(items.size(), HistoryLimits{}.runs);
        for (const HistoryItem& item : items) QVERIFY(item.id != first);  // the oldest went
        // An unwritable folder gives an error.
        QFile file(folder.path() + "/file");
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY_EXCEPTION_THROWN(HistoryStore(folder.path() + "/file/history").add({sampleRecordOf(1, 1e6)}), Error);
    }
};

QTEST_MAIN(HistoryTest)
#include "history_test.moc"
