// SPDX-License-Identifier: GPL-3.0-or-later
// The window "Batch", as someone works with it: add files, name the outputs, start, see what failed.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTableView>

#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/window/batch/batch_window.hpp"
#include "ui/window/dialogs/quit_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

class BatchWindowTest : public QObject {
    Q_OBJECT
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<QTemporaryDir> folder_;

    QString path(const QString& name) { return folder_->filePath(name); }
    BatchWindow& dialog() { return *window_->findChild<BatchWindow*>(); }
    template <class Widget>
    Widget& part(const char* name) {
        return *dialog().findChild<Widget*>(QLatin1String(name));
    }
    QString state() { return part<QLabel>("batchState").text(); }
    QString error() { return part<QLabel>("batchError").isVisible() ? part<QLabel>("batchError").text() : QString(); }
    QString cell(int row, int column) {
        const QAbstractItemModel& model = *part<QTableView>("batchFiles").model();
        return model.index(row, column).data().toString();
    }
    int rows() { return part<QTableView>("batchFiles").model()->rowCount(); }
    void click(const char* name) { QTest::mouseClick(&part<QPushButton>(name), Qt::LeftButton); }
    bool waitForRows(int count) {
        return QTest::qWaitFor([&] { return rows() == count; }, kPatience);
    }
    bool waitForState(const QString& text) {
        return QTest::qWaitFor([&] { return !dialog().running() && state().contains(text); }, kPatience);
    }
    QStringList made() { return QDir(path("out")).entryList(QDir::Files, QDir::Name); }

private slots:
    void init() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(folder_->path()).mkpath("in"));
        for (int i = 1; i <= 3; ++i)
            saveImage(openInput("synthetic:hdr-ramp:64x48,channels=3,seed=" + std::to_string(i)),
                      path(QStringLiteral("in/shot%1.exr").arg(i)).toStdString());
        window_ = shownWindow();
        QVERIFY(openAndWait(*window_, "synthetic:noise:64x48"));
        setSteps(*window_, {"tonemap"});
        window_->session().setTarget(Side::a, "reference");
        window_->findChild<QAction*>("batch")->trigger();
        QVERIFY(dialog().isVisible());
        part<QLineEdit>("batchFolder").setText(path("out"));
    }
    void cleanup() { window_.reset(); }

    void savesWhatPaneAShows() {
        QVERIFY(state().contains("Add files or folders"));
        QVERIFY(!part<QPushButton>("batchStart").isEnabled());
        dialog().add({path("in")});
        QVERIFY(waitForRows(3));
        QCOMPARE(cell(0, 0), QString("shot1.exr"));
        QCOMPARE(cell(2, 1), QString("shot3_tonemap.png"));
        QVERIFY(part<QComboBox>("batchWork").currentText().contains("tonemap, on reference"));
        click("batchStart");
        QVERIFY(waitForState("3 of 3 done"));
        QCOMPARE(error(), QString());
        QCOMPARE(made(), QStringList({"shot1_tonemap.png", "shot2_tonemap.png", "shot3_tonemap.png"}));
        QCOMPARE(cell(1, 3), QString("done"));
        QVERIFY(cell(1, 2).startsWith("64"));
        QVERIFY(!cell(1, 4).isEmpty());
        // The file has the bytes of a result that is saved alone.
        QVERIFY(openAndWait(*window_, path("in/shot2.exr")));
        saveImage(*window_->session().imageOf(roleOf(Side::a)), path("alone.png").toStdString());
        QCOMPARE(readFile(path("out/shot2_tonemap.png")), readFile(path("alone.png")));
    }

    void namesWhatFailedAndGoesOn() {
        QVERIFY(writeFile(path("in/shot2.exr"), readFile(path("in/shot2.exr")).first(200)));
        dialog().add({path("in/shot*.exr")});
        QVERIFY(waitForRows(3));
        click("batchStart");
        QVERIFY(waitForState("2 of 3 done, 1 failed"));
        QCOMPARE(cell(1, 3), QString("failed"));
        QVERIFY2(cell(1, 5).contains("truncated"), qPrintable(cell(1, 5)));
        QCOMPARE(made(), QStringList({"shot1_tonemap.png", "shot3_tonemap.png"}));
        part<QCheckBox>("batchResume").setChecked(true);
        part<QCheckBox>("batchKeepGoing").setChecked(false);
        part<QSpinBox>("batchJobs").setValue(1);
        click("batchStart");
        QVERIFY(waitForState("1 failed, 1 up to date, 1 not run"));
    }

    void convertsAndRefusesToOverwrite() {
        part<QComboBox>("batchWork").setCurrentIndex(1);
        QComboBox& format = part<QComboBox>("batchFormat");
        format.setCurrentIndex(format.findData("pfm"));
        part<QLineEdit>("batchPattern").setText("{number}-{name}");
        dialog().add({path("in/shot1.exr"), path("in/shot3.exr")});
        QVERIFY(waitForRows(2));
        click("batchStart");
        QVERIFY(waitForState("2 of 2 done"));
        QCOMPARE(made(), QStringList({"1-shot1.pfm", "2-shot3.pfm"}));
        click("batchStart");
        QVERIFY2(error().contains("2 outputs exist"), qPrintable(error()));
        QVERIFY2(error().contains("skip up-to-date files"), qPrintable(error()));
        QVERIFY(!dialog().running());
        part<QCheckBox>("batchReplace").setChecked(true);
        click("batchStart");
        QVERIFY(waitForState("2 of 2 done"));
    }

    void saysWhatIsWrongWithNames() {
        dialog().add({path("in")});
        QVERIFY(waitForRows(3));
        for (const auto& [pattern, words] : {std::pair("same", "have the same output"), {"{nam}", "{nam} stands for nothing"}}) {
            part<QLineEdit>("batchPattern").setText(pattern);
            QTRY_VERIFY2_WITH_TIMEOUT(error().contains(words), qPrintable(error()), kPatience);
            QVERIFY(!part<QPushButton>("batchStart").isEnabled());
        }
        part<QLineEdit>("batchPattern").setText("{name}");
        QTRY_COMPARE_WITH_TIMEOUT(error(), QString(), kPatience);
        part<QLineEdit>("batchFolder").clear();
        QTRY_VERIFY_WITH_TIMEOUT(error().contains("Choose the folder"), kPatience);
        QVERIFY(QDir(folder_->path()).mkpath("empty"));
        part<QLineEdit>("batchFolder").setText(path("out"));
        dialog().add({path("empty")});
        QVERIFY(QTest::qWaitFor([&] { return error().contains("has no image"); }, kPatience));
        QCOMPARE(rows(), 3);
    }

    void takesDroppedFilesAndRemovesThem() {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path("in/shot1.exr")), QUrl::fromLocalFile(path("in/shot2.exr"))});
        QVERIFY(drop(dialog(), mime));
        QVERIFY(waitForRows(2));
        QVERIFY(drop(dialog(), mime));
        QVERIFY(QTest::qWaitFor([&] { return state().contains("2 files"); }, kPatience));
        part<QTableView>("batchFiles").selectRow(0);
        click("batchRemove");
        QCOMPARE(rows(), 1);
        QCOMPARE(cell(0, 0), QString("shot2.exr"));
        part<QTableView>("batchFiles").clearSelection();
        click("batchRemove");
        QCOMPARE(rows(), 0);
    }

    void stopsAndOutlivesItsWindow() {
        setSteps(*window_, {"convolve:size=63,kernel=gaussian"});
        QStringList names;
        for (int i = 0; i < 12; ++i) {
            const QString name = path(QStringLiteral("large%1.exr").arg(i));
            saveImage(openInput("synthetic:noise:1200x1200"), name.toStdString());
            names << name;
        }
        dialog().add(names);
        QVERIFY(waitForRows(12));
        click("batchStart");
        QVERIFY(dialog().running());
        QVERIFY(!part<QPushButton>("batchAddFiles").isEnabled());
        QTest::keyClick(&dialog(), Qt::Key_Escape);
        QVERIFY(!dialog().isVisible());
        QVERIFY(dialog().running());
        auto* note = window_->findChild<QLabel*>("batchNote");
        QVERIFY(note->isVisible());
        QVERIFY2(note->text().contains("of 12 done"), qPrintable(note->text()));
        window_->findChild<QAction*>("batch")->trigger();
        QVERIFY(!note->isVisible());
        click("batchStop");
        QVERIFY(waitForState("not run"));
        for (const QString& name : made()) QVERIFY(!name.startsWith('.'));
        // The window may also close while a batch runs.
        part<QCheckBox>("batchReplace").setChecked(true);
        click("batchStart");
        QVERIFY(dialog().running());
    }

    void quittingDuringABatchAsksAndWaits() {
        setSteps(*window_, {"convolve:size=63,kernel=gaussian"});
        saveImage(openInput("synthetic:noise:1500x1500"), path("large.exr").toStdString());
        dialog().add({path("large.exr")});
        QVERIFY(waitForRows(1));
        click("batchStart");
        QTest::keyClick(&dialog(), Qt::Key_Escape);
        QVERIFY(dialog().running());
        QVERIFY(!window_->close());
        auto* question = window_->findChild<QuitDialog*>();
        QVERIFY(question && question->isVisible());
        QCOMPARE(question->text(), QString("A batch is running."));
        QVERIFY(QTest::qWaitFor([&] { return !window_->isVisible(); }, kPatience));
        QVERIFY(!dialog().running());
        QCOMPARE(made().size(), 1);
    }

    void editsOfTheStepsKeepTheOutcome() {
        dialog().add({path("in")});
        QVERIFY(waitForRows(3));
        click("batchStart");
        QVERIFY(waitForState("3 of 3 done"));
        setSteps(*window_, {"convolve"});
        QTest::qWait(500);
        QVERIFY2(state().contains("3 of 3 done"), qPrintable(state()));
        QCOMPARE(cell(0, 1), QString("shot1_tonemap.png"));
        QVERIFY(part<QComboBox>("batchWork").itemText(0).contains("convolve"));
        // Start uses the new steps, and other names make it another batch.
        part<QLineEdit>("batchPattern").setText("{op}-{name}");
        QTRY_COMPARE_WITH_TIMEOUT(cell(0, 1), QString("convolve-shot1.png"), kPatience);
        QVERIFY2(state().contains("3 files"), qPrintable(state()));
    }
};

QTEST_MAIN(BatchWindowTest)
#include "batch_test.moc"
