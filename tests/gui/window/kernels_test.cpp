// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of users in the window, as someone works with them: write one, break it, read what is wrong, mend it, compare it.
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTableWidget>

#include "core/kernels/cuda/devices.hpp"
#include "core/kernels/kernel_text.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/gui/short_measurements.hpp"
#include "ui/models/kernels/line_changes.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/kernels/kernels.hpp"
#include "ui/window/kernels/kernel_window.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void write(const QString& path, const QString& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.write(text.toUtf8());
}

}  // namespace

class KernelsTest : public QObject {
    Q_OBJECT
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<QTemporaryDir> folder_;
    QString path_;

    KernelWindow& dialog() { return *window_->findChild<KernelWindow*>(); }
    QString verdict() { return dialog().findChild<QLabel*>("kernelVerdict")->text(); }
    QString messages() { return dialog().findChild<QPlainTextEdit*>("kernelMessages")->toPlainText(); }
    bool waitFor(const QString& part) {
        return QTest::qWaitFor([&] { return verdict().contains(part); }, kPatience);
    }
    QPushButton& button(const QString& text) {
        for (QPushButton* b : dialog().findChildren<QPushButton*>())
            if (b->text().remove(QLatin1Char('&')) == text) return *b;
        qFatal("no such button");
    }
    /// Accepts the file dialog that is open.
    bool chooseFile(const QString& path) {
        QFileDialog* ask = nullptr;
        const bool open = QTest::qWaitFor(
            [&] {
                for (QFileDialog* d : window_->findChildren<QFileDialog*>())
                    if (d->isVisible()) ask = d;
                return ask != nullptr;
            },
            kPatience);
        if (!open) return false;
        ask->selectFile(path);
        static_cast<QDialog*>(ask)->accept();
        return true;
    }
    QString naive() { return QString::fromStdString(user::newKernel(processCatalog().operation("convolve"), {})); }
    /// The same for few problems, so that they are checked soon.
    QString naiveForSmallImages() {
        return naive() + QStringLiteral(
                             "\nconst char* parallax_refuses(const parallax_input* in, const parallax_convolve*) {\n"
                             "    return in->width > 5 && in->width != 2048 ? \"the image is too wide\" : nullptr;\n}\n");
    }

private slots:
    void init() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        path_ = folder_->filePath("mine.cpp");
        window_ = shownWindow();
        QVERIFY(openAndWait(*window_, "synthetic:noise:64x48"));
    }
    void cleanup() { window_.reset(); }

    void saysWhatIsWrongAgainAndAgainUntilItIsRight() {
        write(path_, naive());
        window_->findChild<QAction*>("kernels")->trigger();
        QVERIFY(verdict().contains("No kernel"));
        dialog().open(path_);
        QVERIFY(waitFor("Version 1 agrees with the reference on all"));
        QCOMPARE(messages(), QString());

        // Saving is enough.
        write(path_, naive().replace("to[x] = sum", "to[x] = sum sum"));
        QVERIFY(waitFor("Version 2: Cannot compile"));
        QVERIFY2(messages().contains("mine.cpp:"), qPrintable(messages()));
        QVERIFY(messages().contains("error"));
        write(path_, naive().replace("to[x] = sum", "to[x] = 2 * sum"));
        QVERIFY(waitFor("Version 3 disagrees"));
        QVERIFY2(messages().contains("instead of"), qPrintable(messages()));
        QVERIFY(messages().contains("convolve:border=wrap"));
        write(path_, naive().replace("to[x] = sum", "to[x + (1 << 20)] = sum"));
        QVERIFY(waitFor("Version 4 disagrees"));
        QVERIFY2(messages().contains("beyond the last sample"), qPrintable(messages()));
        write(path_, naive() + QStringLiteral("\n"));
        QVERIFY(waitFor("Version 5 agrees"));
    }

    void keepsVersionsWithTheirTimes() {
        write(path_, naive());
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(path_);
        QVERIFY(waitFor("Version 1 agrees"));
        auto* versions = dialog().findChild<QTableWidget*>("kernelVersions");
        const auto cell = [&](int row, int column) { return versions->item(row, column)->text(); };
        QVERIFY(QTest::qWaitFor([&] { return cell(0, 3).contains(QRegularExpression("[0-9]+ .?s$")); }, kPatience));
        QCOMPARE(cell(0, 4), QString());

        // It is slower, whatever else the machine does.
        const QString slow =
            naive().replace("to[x] = sum + (float)p->offset;",
                            "for (int i = 0; i < 400; ++i) { volatile float copy = sum + (float)p->offset; to[x] = copy; }");
        QVERIFY(slow != naive());
        write(path_, slow);
        QVERIFY(waitFor("Version 2 agrees"));
        QVERIFY(QTest::qWaitFor([&] { return cell(0, 4).contains("slower"); }, kPatience));
        QVERIFY2(cell(0, 4).contains("v1"), qPrintable(cell(0, 4)));
        auto* changes = dialog().findChild<QPlainTextEdit*>("kernelChanges");
        QVERIFY2(changes->toPlainText().contains("+ ") && changes->toPlainText().contains("volatile"), qPrintable(changes->toPlainText()));
        QVERIFY2(cell(0, 5).contains("GFLOP/s, ") && cell(0, 5).contains("GB/s"), qPrintable(cell(0, 5)));
        auto* tabs = dialog().findChild<QTabWidget*>();
        tabs->setCurrentIndex(1);
        write(path_, naive() + QStringLiteral("error"));
        QVERIFY(waitFor("Version 3: Cannot compile"));
        QCOMPARE(cell(0, 2), QString("does not compile"));
        QCOMPARE(cell(0, 5), QString());
        QCOMPARE(tabs->currentIndex(), 0);  // its messages

        // A version comes back as a new one.
        QVERIFY(!button("Restore").isEnabled());
        versions->selectRow(2);
        QTest::mouseClick(&button("Restore"), Qt::LeftButton);
        QVERIFY(waitFor("Version 4 agrees"));
        QFile file(path_);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QString::fromUtf8(file.readAll()), naive());
        QCOMPARE(versions->rowCount(), 4);
        QVERIFY(QTest::qWaitFor([&] { return cell(0, 4).contains("v2, faster"); }, kPatience));
    }

    void saysWhatChangedInAText() {
        QCOMPARE(lineChanges("a\nb\nc", "a\nb\nc"), QString());
        QCOMPARE(lineChanges("a\nb\nc", "a\nc"), QString("  a\n- b\n  c"));
        QCOMPARE(lineChanges("", "a"), QString("- \n+ a"));
        QCOMPARE(lineChanges("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nx\n6\n7\n8\n9"),
                 QString("  …\n  2\n  3\n  4\n- 5\n+ x\n  6\n  7\n  8\n  …"));
        QCOMPARE(lineChanges("a\nb\na\nb\nc", "b\na\nc\nd"), QString("- a\n  b\n  a\n- b\n  c\n+ d"));
    }

    void namesTheLineOfACommentInCudaThatIsWrong() {
        const QString cuda = folder_->filePath("mine.cu");
        QString text = QString::fromStdString(user::newKernel(processCatalog().operation("convolve"), {}, user::KernelLanguage::cuda));
        const auto line = text.left(text.indexOf("// launch:")).count(QLatin1Char('\n')) + 1;
        write(cuda, text.replace("// launch: block(32, 8)", "// launch: blocks(32, 8)"));
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(cuda);
        QVERIFY2(waitFor(QStringLiteral("mine.cu:%1: error").arg(line)), qPrintable(verdict()));
        QVERIFY2(messages().contains("'blocks(32, 8)"), qPrintable(messages()));
    }

    void isABackendOfThePanes() {
        window_->findChild<QAction*>("kernels")->trigger();
        QVERIFY(!button("Use as B").isEnabled());
        write(path_, naive().replace("to[x] = sum", "to[x] = 2 * sum"));
        dialog().open(path_);
        QVERIFY(waitFor("disagrees"));
        setSteps(*window_, {"tonemap"});
        QTest::mouseClick(&button("Use as B"), Qt::LeftButton);
        QVERIFY(waitForIdle(*window_));
        Session& session = window_->session();
        QCOMPARE(toText(session.pipeline().pipeline().steps.front()), std::string("convolve"));
        QCOMPARE(session.side(Side::b).target.label(), std::string("user.mine"));
        QVERIFY(session.side(Side::b).result);
        QVERIFY(session.comparison().difference());
        QVERIFY(session.comparison().difference()->maxAbs > 0.1);

        // The panes follow a new version.
        write(path_, naive());
        QVERIFY(waitFor("Version 2 agrees"));
        QVERIFY(waitForIdle(*window_));
        QVERIFY(session.comparison().difference());
        QVERIFY2(session.comparison().difference()->maxAbs < 1e-5, qPrintable(QString::number(session.comparison().difference()->maxAbs)));
        auto* box = window_->findChild<QComboBox*>("target B");
        if (box) QVERIFY(box->findText("user.mine", Qt::MatchContains) >= 0);
    }

    void useAsBIsAnEditOfB() {
        window_->findChild<QAction*>("kernels")->trigger();
        write(path_, naiveForSmallImages());
        dialog().open(path_);
        QVERIFY(waitFor("agrees"));
        PipelineModel& model = window_->session().pipeline();
        setSteps(*window_, {"tonemap"});
        duplicatePane(model, Side::a);
        setOwnSteps(model, Side::b, true);
        setOwnSteps(model, Side::c, true);
        const Target before = model.setup().pane(Side::b).target;
        QTest::mouseClick(&button("Use as B"), Qt::LeftButton);
        const auto stepOf = [&](Side side) { return model.setup().stepsOf(side).steps.at(0).operation->id(); };
        QCOMPARE(stepOf(Side::b), std::string("convolve"));
        QCOMPARE(stepOf(Side::a), std::string("tonemap"));
        QCOMPARE(stepOf(Side::c), std::string("tonemap"));
        QVERIFY(model.setup().pane(Side::c).steps);
        QCOMPARE(model.setup().pane(Side::b).target.label(), std::string("user.mine"));
        QCOMPARE(model.undoText(), QString("Use user.mine as B"));
        model.undo();
        QCOMPARE(stepOf(Side::b), std::string("tonemap"));
        QVERIFY(model.setup().pane(Side::b).target == before);
        QVERIFY(model.canUndo());
        QVERIFY(waitForIdle(*window_));
    }

    void theWindowLivesOnAfterACrash() {
        write(path_, naive().replace("to[x] = sum", "*(volatile int *)0 = 1; to[x] = sum"));
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(path_);
        QVERIFY(waitFor("disagrees"));
        QVERIFY2(messages().contains("null pointer"), qPrintable(messages()));
        QTest::mouseClick(&button("Use as B"), Qt::LeftButton);
        QVERIFY(waitForIdle(*window_));
        QVERIFY(window_->session().side(Side::b).error);
        QVERIFY(window_->session().side(Side::b).error->why.contains("null pointer"));
        write(path_, naive());
        QVERIFY(waitFor("Version 2 agrees"));
        QVERIFY(waitForIdle(*window_));
        QVERIFY(!window_->session().side(Side::b).error);
    }

    void anEndlessLoopIsCancelledAndTheNextVersionWorks() {
        write(path_, naive().replace("to[x] = sum", "for (volatile int i = 0;; i = i + 1) {} to[x] = sum"));
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(path_);
        QVERIFY(waitFor("is compared with the reference"));
        QTest::qWait(300);  // in the loop
        window_->session().cancel();
        QVERIFY2(waitFor("was not compared"), qPrintable(verdict()));
        write(path_, naiveForSmallImages());
        QVERIFY2(waitFor("Version 2 agrees"), qPrintable(verdict()));
    }

    void aKernelThatExitsIsNamedAndTheNextVersionWorks() {
        write(path_, "#include <stdlib.h>\n" + naive().replace("to[x] = sum", "exit(3); to[x] = sum"));
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(path_);
        QVERIFY(waitFor("disagrees"));
        QVERIFY2(messages().contains("it ended its process by exit(3)"), qPrintable(messages()));
        write(path_, naiveForSmallImages());
        QVERIFY2(waitFor("Version 2 agrees"), qPrintable(verdict()));
    }

    void withoutACompilerItSaysWhatToDo() {
        write(path_, naiveForSmallImages());
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", "/nowhere");
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(path_);
        const bool said = waitFor("Kernels cannot be compiled");
        qputenv("PATH", path);
        QVERIFY2(said, qPrintable(verdict()));
        QVERIFY2(messages().contains("Install g++"), qPrintable(messages()));
        QTest::mouseClick(&button("Compile again"), Qt::LeftButton);
        QVERIFY2(waitFor("Version 2 agrees"), qPrintable(verdict()));
    }

    void namesTheLineOfAMemoryErrorWithASanitizer() {
        auto* shown = window_->findChild<QAction*>("kernels");
        shown->trigger();
        auto* box = dialog().findChild<QCheckBox*>("kernelSanitizer");
        QVERIFY(box && !box->isChecked() && !box->toolTip().isEmpty());
        // Reads behind memory of its own, which changes nothing and which only a sanitizer notices.
        const QString line =
            QStringLiteral("float* volatile own = (float*)malloc(40); volatile float behind = own[10]; (void)behind; free(own);");
        const QString wrong = QStringLiteral("#include <stdlib.h>\n") + naiveForSmallImages().replace("to[x] = sum", line + " to[x] = sum");
        const auto number = wrong.left(wrong.indexOf(line)).count(QLatin1Char('\n')) + 1;
        write(path_, wrong);
        dialog().open(path_);
        QVERIFY(waitFor("Version 1 agrees"));
        auto* versions = dialog().findChild<QTableWidget*>("kernelVersions");
        const auto cell = [&](int column) { return versions->item(0, column)->text(); };
        QCOMPARE(cell(2), QString("agrees"));

        // It is found in the version that is there, and names its line.
        QTest::mouseClick(box, Qt::LeftButton, {}, QPoint(8, box->height() / 2));
        QVERIFY(box->isChecked());
        QVERIFY2(waitFor("Memory errors found"), qPrintable(verdict()));
        QVERIFY2(messages().contains(QStringLiteral("it read 4 bytes outside of what it has at mine.cpp:%1 (AddressSanitizer").arg(number)),
                 qPrintable(messages()));
        QCOMPARE(cell(2), QString("memory error"));
        QVERIFY(QTest::qWaitFor([&] { return cell(3).contains(QRegularExpression("[0-9]+ .?s$")); }, kPatience));

        // The next version is right, and its time is that of the kernel without a sanitizer.
        write(path_, naiveForSmallImages());
        QVERIFY2(waitFor("No memory errors"), qPrintable(verdict()));
        QVERIFY(verdict().contains("Version 2 agrees"));
        QCOMPARE(messages(), QString());
        QVERIFY(QTest::qWaitFor([&] { return cell(3).contains(QRegularExpression("[0-9]+ .?s$")); }, kPatience));
        QCOMPARE(cell(2), QString("agrees"));
        const OpenKernelState* kernel = window_->session().kernels().find(path_);
        QVERIFY(kernel->compiled && !QString::fromStdString(kernel->compiled->command).contains("sanitize"));

        // Without a sanitizer it says so, and all else goes on.
        qputenv("PARALLAX_KERNEL_CXX", folder_->filePath("plain").toUtf8());
        write(folder_->filePath("plain"), "#!/bin/sh\ncase \"$1\" in -print-file-name=*) echo libasan.so;; *) exec c++ \"$@\";; esac\n");
        QFile::setPermissions(folder_->filePath("plain"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        write(path_, naiveForSmallImages() + QStringLiteral("\n"));
        const bool said = waitFor("Kernels cannot be compiled with a sanitizer");
        qunsetenv("PARALLAX_KERNEL_CXX");
        QVERIFY2(said && verdict().contains("Version 3 agrees"), qPrintable(verdict()));
        QVERIFY2(messages().contains("Install it"), qPrintable(messages()));
    }

    void aCancelledCheckCanBeStartedAgain() {
        write(path_, naiveForSmallImages());
        window_->findChild<QAction*>("kernels")->trigger();
        dialog().open(path_);
        QVERIFY(!button("Compile again").isEnabled());
        window_->session().cancel();
        QVERIFY2(verdict().contains("Cancelled"), qPrintable(verdict()));
        QTest::mouseClick(&button("Compile again"), Qt::LeftButton);
        QVERIFY(waitFor("Version 2 agrees"));
    }

    void menuWritesOne() {
        auto* create = window_->findChild<QAction*>("new-kernel-convolve");
        QVERIFY(create && !create->toolTip().isEmpty());
        create->trigger();
        QVERIFY(chooseFile(path_));
        QVERIFY(QTest::qWaitFor([&] { return window_->findChild<KernelWindow*>() != nullptr; }, kPatience));
        QVERIFY(waitFor("Version 1 agrees"));
        QVERIFY(QFile::exists(path_));
    }

    void goesTheWayOfANewUser_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("input");  // as large as a faster kernel needs
        QTest::addColumn<QString>("faster");
        QTest::addColumn<QString>("summary");
        QTest::newRow("C++") << "mine.cpp"
                             << "synthetic:noise:64x48"
                             << "blocked"
                             << "blocked in registers along both axes";
        QTest::newRow("CUDA") << "mine.cu"
                              << "synthetic:noise:2048x2048"
                              << "tiled"
                              << "A block of 32 x 8 threads loads the samples";
    }
    void goesTheWayOfANewUser() {
        QFETCH(QString, file);
        QFETCH(QString, input);
        QFETCH(QString, faster);
        QFETCH(QString, summary);
        path_ = folder_->filePath(file);
        const bool cuda = file.endsWith(".cu");
        if (cuda && user::cudaDevices({}).devices.empty()) QSKIP("there is no device of CUDA");
        QVERIFY(openAndWait(*window_, input));
        // Write one.
        window_->findChild<QAction*>("new-kernel-convolve")->trigger();
        QVERIFY(chooseFile(path_));
        QVERIFY(QTest::qWaitFor([&] { return window_->findChild<KernelWindow*>() != nullptr; }, kPatience));
        QVERIFY(waitFor("Version 1 agrees"));
        const QString text = QString::fromUtf8(readFile(path_)), right = cuda ? "x + u - (int)p.left, " : "x + u - p->left, ";
        const QString wrong = QString(right).replace(", ", " + 1, ");
        QVERIFY(text.contains(right));

        // Edit one line wrong, and see where it differs: in the messages and between the panes.
        write(path_, QString(text).replace(right, wrong));
        QVERIFY(waitFor("Version 2 disagrees"));
        QVERIFY2(messages().contains(QRegularExpression("x = [0-9]+, y = [0-9]+.*: .+ instead of .+")), qPrintable(messages()));
        QTest::mouseClick(&button("Use as B"), Qt::LeftButton);
        QVERIFY(waitForIdle(*window_));
        Session& session = window_->session();
        const auto difference = [&] { return session.comparison().difference(); };
        QVERIFY(difference() && difference()->maxAbs > 0.01 && !difference()->worst.empty());
        QVERIFY(dialog().findChild<QPlainTextEdit*>("kernelChanges")->toPlainText().contains(wrong));

        // Mend it.
        write(path_, text);
        QVERIFY(waitFor("Version 3 agrees"));
        QVERIFY(waitForIdle(*window_));
        QVERIFY(difference() && difference()->maxAbs < 1e-5);

        // Make it faster.
        auto* versions = dialog().findChild<QTableWidget*>("kernelVersions");
        const auto cell = [&](int column) { return versions->item(0, column)->text(); };
        QVERIFY(QTest::qWaitFor([&] { return cell(3).contains(QRegularExpression("[0-9]+ .?s$")); }, kPatience));
        write(path_, QString::fromStdString(user::newKernel(processCatalog().operation("convolve"), faster.toStdString(),
                                                            cuda ? user::KernelLanguage::cuda : user::KernelLanguage::cpp)));
        QVERIFY(waitFor("Version 4 agrees"));
        QVERIFY(QTest::qWaitFor([&] { return cell(4).contains("v3, faster"); }, kPatience));
        QVERIFY(waitForIdle(*window_));

        // Measure it beside others, and export the report.
        const ShortMeasurements brief;
        window_->findChild<QAction*>("benchmark")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return session.record() && !session.measuring() && window_->settled(); }, 4 * kPatience));
        window_->findChild<QAction*>("export-report")->trigger();
        const QString report = folder_->filePath("report.html");
        QVERIFY(chooseFile(report));
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(report) && window_->settled(); }, kPatience));
        const QByteArray html = readFile(report);
        QVERIFY(html.contains(cuda ? "user-cuda.mine" : "user.mine"));
        QVERIFY(html.contains(summary.toUtf8()));  // from its source
    }

    void looksRight() {
        const QString folder = qEnvironmentVariable("PARALLAX_KERNEL_PICTURES");
        if (folder.isEmpty()) QSKIP("for pictures");
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            const QString name = folder + (theme == ThemeChoice::light ? "/light" : "/dark");
            write(path_, naive().replace("to[x] = sum", "to[x] = 2 * sum"));
            window_->findChild<QAction*>("kernels")->trigger();
            QTest::qWait(200);
            dialog().grab().save(name + "-empty.png");
            dialog().open(path_);
            QVERIFY(waitFor("disagrees"));
            auto* versions = dialog().findChild<QTableWidget*>("kernelVersions");
            QVERIFY(QTest::qWaitFor([&] { return versions->item(0, 3)->text().endsWith("s"); }, kPatience));
            dialog().grab().save(name + "-wrong.png");
            write(path_, naive());
            QVERIFY(waitFor(" agrees"));
            QVERIFY(QTest::qWaitFor([&] { return !versions->item(0, 4)->text().isEmpty(); }, kPatience));
            dialog().findChild<QTabWidget*>()->setCurrentIndex(1);
            dialog().grab().save(name + "-versions.png");
            QTest::mouseClick(&button("Use as B"), Qt::LeftButton);
            QVERIFY(waitForIdle(*window_));
            window_->grab().save(name + "-window.png");
            write(path_, "#include <parallax/convolve.h>\nint x = y;\n");
            QVERIFY(waitFor("Cannot compile"));
            dialog().grab().save(name + "-error.png");
            write(path_, naive());
            QVERIFY(waitFor("agrees with"));
            dialog().grab().save(name + "-right.png");
        }
    }

    void sanitizerLooksRight() {
        const QString folder = qEnvironmentVariable("PARALLAX_KERNEL_PICTURES");
        if (folder.isEmpty()) QSKIP("for pictures");
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            applyTheme(theme);
            const QString name = folder + (theme == ThemeChoice::light ? "/light" : "/dark");
            window_->findChild<QAction*>("kernels")->trigger();
            auto* box = dialog().findChild<QCheckBox*>("kernelSanitizer");
            box->setChecked(true);
            write(path_, naiveForSmallImages());
            dialog().open(path_);
            QVERIFY(waitFor("No memory errors"));
            dialog().grab().save(name + "-sanitized.png");
            write(path_,
                  "#include <stdlib.h>\n" + naiveForSmallImages().replace("to[x] = sum",
                                                                          "float* volatile own = (float*)malloc(40); "
                                                                          "volatile float behind = own[10]; (void)behind; to[x] = sum"));
            QVERIFY(waitFor("errors found"));
            dialog().findChild<QTabWidget*>()->setCurrentIndex(0);
            dialog().grab().save(name + "-memory.png");
            box->setChecked(false);
        }
    }
};

QTEST_MAIN(KernelsTest)
#include "kernels_test.moc"
