// SPDX-License-Identifier: GPL-3.0-or-later
// Recent files, files that change, clipboard, drag and drop.
#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/image/synthetic.hpp"
#include "core/io/atomic_file.hpp"
#include "core/io/codec/gzip.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/window/bars/toast.hpp"
#include "ui/window/recent/empty_state.hpp"
#include "ui/window/recent/recent_files.hpp"
#include "ui/window/shell/large_file_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

class SourcesTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString file(const QString& name) const { return folder_.filePath(name); }
    QString make(const QString& name, int width = 80) const {
        SaveOptions options;
        options.overwrite = true;
        const std::string request = "synthetic:zone-plate:" + std::to_string(width) + "x60,channels=3";
        saveImage(makeSynthetic(parseSynthetic(request)), file(name).toStdString(), options);
        return file(name);
    }
    static bool becomes(MainWindow& window, std::int64_t width) {
        return QTest::qWaitFor([&] { return window.session().original() && window.session().original()->shape().width == width; },
                               kPatience);
    }
    static bool raised(MainWindow& window, const QString& part) {
        return QTest::qWaitFor([&] { return window.messageBar().isVisible() && window.messageBar().message().plainText().contains(part); },
                               kPatience);
    }

private slots:
    void init() { QSettings().clear(); }

    void recentFilesAreKeptAndMarkMissingOnes() {
        const QString first = make("first.png"), second = make("second & more.png");
        {
            auto window = shownWindow();
            QVERIFY(openAndWait(*window, first));
            QVERIFY(openAndWait(*window, second));
            QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));  // no file
            QCOMPARE(window->recentFiles().files().size(), 2);
        }
        QVERIFY(QFile::remove(first));
        auto window = shownWindow();
        const RecentFiles& recent = window->recentFiles();
        QCOMPARE(recent.files().size(), 2);
        QCOMPARE(recent.files()[0].path, second);
        QVERIFY(QTest::qWaitFor([&] { return !recent.files()[1].problem.isEmpty(); }, kPatience));
        const auto offered = [&] {
            QList<const QPushButton*> list;
            for (const QPushButton* button : window->findChild<EmptyState*>()->findChildren<QPushButton*>())
                if (button->isFlat() && !button->isHidden()) list << button;
            return list;
        };
        QTRY_COMPARE_WITH_TIMEOUT(offered().size(), 2, kPatience);  // a layout shows new widgets with later events
        for (const QPushButton* button : offered())
            QTRY_COMPARE_WITH_TIMEOUT(button->isEnabled(), button->text().contains("second && more.png"), kPatience);
        for (QAction* action : window->findChildren<QAction*>())
            if (action->statusTip().contains("second & more.png")) {
                action->trigger();
                break;
            }
        QVERIFY(becomes(*window, 80));
        window->findChild<QAction*>("clear-recent")->trigger();
        QVERIFY(recent.files().isEmpty());
        QVERIFY(!window->findChild<QAction*>("clear-recent")->isEnabled());
    }
    void nanAndInfinityAreCountedAndVisited_data() {
        QTest::addColumn<QString>("shape");
        QTest::addColumn<QString>("ending");
        QTest::newRow("image") << "40x30,channels=3"
                               << ".exr";
        QTest::newRow("volume") << "40x30x5"
                                << ".nii";
    }
    void nanAndInfinityAreCountedAndVisited() {
        QFETCH(const QString, shape);
        QFETCH(const QString, ending);
        Image image = makeSynthetic(parseSynthetic("synthetic:gradient:" + shape.toStdString()));
        const bool volume = image.shape().depth > 1;
        const std::int64_t last = volume ? 4 : 0;
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
        image.view().row(3, 0, 0)[7] = kNan;
        image.view().row(3, 0, volume ? 0 : 2)[12] = -kInfinity;
        image.view().row(29, last, 0)[39] = kNan;
        saveImage(image, file("special" + ending).toStdString());

        auto window = shownWindow();
        QVERIFY(openAndWait(*window, file("special" + ending)));
        // A backend that refuses such samples may have said so since.
        const auto toasts = window->messageBar().findChildren<Toast*>();
        QVERIFY(std::any_of(toasts.begin(), toasts.end(),
                            [](const Toast* toast) { return toast->message().plainText().contains("2 NaN, 1 infinite"); }));
        QAction* next = window->findChild<QAction*>("next-non-finite");
        const std::vector<PixelPosition> places{{7, 3, 0}, {12, 3, 0}, {39, 29, last}};
        const auto place = [&] {
            const Voxel& voxel = window->volume().crosshair();
            return volume ? PixelPosition{voxel[0], voxel[1], voxel[2]} : window->view().mark().value_or(PixelPosition{-1, -1, -1});
        };
        // A volume begins at its middle, an image at its first row; after the last one comes the first.
        for (std::size_t i = 0; i < 4; ++i) {
            const PixelPosition& expected = places[(i + (volume ? 2 : 0)) % 3];
            next->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(place() == expected, kPatience);
        }
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        QVERIFY(!next->isEnabled());
        QVERIFY(!window->messageBar().isVisible());
    }
    void nanAndInfinityAreReplacedByAPolicy() {
        Image image = makeSynthetic(parseSynthetic("synthetic:gradient:40x30,channels=3"));
        constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
        for (float& sample : std::span(image.view().data, static_cast<std::size_t>(image.shape().samples()))) sample = 3 * sample + 2;
        image.view().row(3, 0, 0)[7] = kNan;
        image.view().row(3, 0, 2)[12] = -kInfinity;
        image.view().row(5, 0, 1)[13] = kInfinity;
        saveImage(image, file("policy.exr").toStdString());
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, file("policy.exr")));
        PipelineModel& pipeline = window->session().pipeline();
        setSteps(*window, {"convolve:kernel=box,size=1"});
        setOwnSteps(pipeline, Side::b, true);
        QVERIFY(waitForIdle(*window));
        const auto choose = [&](const char* name) {
            window->findChild<QAction*>(name)->trigger();
            return waitForIdle(*window);
        };
        const auto first = [&](Side side) { return QString::fromStdString(toText(pipeline.setup().stepsOf(side).steps.front())); };
        const auto sample = [&](int x, int y, int c) {
            return static_cast<double>(window->session().imageOf(PaneRole::a)->view().row(y, 0, c)[x]);
        };
        QVERIFY(window->findChild<QAction*>("non-finite-keep")->isChecked());
        QVERIFY(std::isnan(sample(7, 3, 0)));
        // In all panes, as one edit.
        QVERIFY(choose("non-finite-zero"));
        QCOMPARE(pipeline.rowCount(), 2);
        QVERIFY2(first(Side::a).startsWith("repair") && first(Side::b) == first(Side::a), qPrintable(first(Side::b)));
        QVERIFY(sample(7, 3, 0) == 0 && sample(12, 3, 2) == 0 && sample(13, 5, 1) == 0);
        // Another policy takes its place.
        QVERIFY(choose("non-finite-clamp"));
        QTRY_COMPARE_WITH_TIMEOUT(first(Side::a).contains("low="), true, kPatience);
        QVERIFY(waitForIdle(*window));
        QCOMPARE(pipeline.rowCount(), 2);
        double least = 1e9, most = -1e9;
        for (const float v : std::span(image.view().data, static_cast<std::size_t>(image.shape().samples())))
            if (std::isfinite(v)) least = std::min(least, static_cast<double>(v)), most = std::max(most, static_cast<double>(v));
        QVERIFY(least > 0);
        QCOMPARE(sample(7, 3, 0), least);  // the nearest to 0
        QCOMPARE(sample(12, 3, 2), least);
        QCOMPARE(sample(13, 5, 1), most);
        QVERIFY(window->findChild<QAction*>("non-finite-clamp")->isChecked());
        QVERIFY(choose("non-finite-fill"));
        QCOMPARE(first(Side::a).section(':', 0, 0), QStringLiteral("fill"));
        QVERIFY(std::isfinite(sample(7, 3, 0)) && std::isfinite(sample(13, 5, 1)));
        QVERIFY(choose("non-finite-keep"));
        QCOMPARE(pipeline.rowCount(), 1);
        QVERIFY(std::isnan(sample(7, 3, 0)));
        pipeline.undo();
        QCOMPARE(first(Side::b).section(':', 0, 0), QStringLiteral("fill"));
        QVERIFY(window->findChild<QAction*>("non-finite-fill")->isChecked());
        // The message has a button for it.
        bool offered = false;
        for (const Toast* toast : window->messageBar().findChildren<Toast*>())
            for (const QToolButton* button : toast->findChildren<QToolButton*>())
                offered = offered || button->defaultAction() == window->findChild<QAction*>("replace-non-finite");
        QVERIFY(offered);
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        QVERIFY(!window->findChild<QAction*>("non-finite-zero")->isEnabled());
    }
    void aChangedFileCanBeReloaded() {
        const QString path = make("changing.png");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, path));
        QVERIFY(!window->messageBar().isVisible());
        make("changing.png", 96);
        QVERIFY(raised(*window, "changing.png was changed"));
        QVERIFY(becomes(*window, 80));  // only on request
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(becomes(*window, 96));
        QVERIFY(!window->messageBar().isVisible());
        window->findChild<QAction*>("auto-reload")->setChecked(true);
        QVERIFY(waitForIdle(*window));
        make("changing.png", 112);
        QVERIFY(becomes(*window, 112));
    }
    void inputsOfPanesAreReloadedToo() {
        const QString path = make("pane.png");
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:60x40"));
        setInput(window->session().pipeline(), Side::b, path);
        const auto wide = [&](std::int64_t width) {
            return QTest::qWaitFor(
                [&] {
                    const ImagePtr image = window->session().comparison().inputOf(Side::b);
                    return image && image->shape().width == width;
                },
                kPatience);
        };
        QVERIFY(wide(80));
        QVERIFY(waitForIdle(*window));
        make("pane.png", 96);
        QVERIFY(raised(*window, "pane.png was changed"));
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(wide(96));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().imageOf(PaneRole::b)->shape().width, std::int64_t(96));
        window->findChild<QAction*>("auto-reload")->setChecked(true);
        make("pane.png", 112);
        QVERIFY(wide(112));
        QVERIFY(waitForIdle(*window));
    }
    void aClosedImageDoesNotStayIfTheNextCannotBeOpened() {
        const QString good = make("good.png"), bad = file("bad.png");
        QVERIFY(writeFile(bad, "\x89PNG\r\n"));
        auto window = shownWindow();
        window->openInputs({good, bad});
        QVERIFY(waitForIdle(*window));
        QVERIFY(window->session().original());
        window->findChild<QAction*>("close-file")->trigger();
        QVERIFY(raised(*window, "bad.png"));
        QVERIFY(!window->session().original());
        QVERIFY(waitForIdle(*window));
    }
    void aHalfWrittenFileKeepsTheOpenImage() {
        const QString path = make("growing.png");
        make("whole.png", 128);
        auto window = shownWindow();
        window->findChild<QAction*>("auto-reload")->setChecked(true);
        QVERIFY(openAndWait(*window, path));
        const ImagePtr open = window->session().original();
        const QByteArray bytes = readFile(file("whole.png"));
        QFile growing(path);
        QVERIFY(growing.open(QIODevice::WriteOnly));
        growing.write(bytes.left(bytes.size() / 2));
        growing.flush();
        // Once it counts as complete, the error is reported and the open image stays.
        QVERIFY(raised(*window, "growing.png"));
        QCOMPARE(window->session().original(), open);
        growing.write(bytes.mid(bytes.size() / 2));
        growing.close();
        QVERIFY(becomes(*window, 128));
        // Deleted and recreated, as editors do.
        QVERIFY(QFile::remove(path));
        QTest::qWait(100);
        QCOMPARE(window->session().original()->shape().width, 128);
        make("growing.png", 144);
        QVERIFY(becomes(*window, 144));
    }
    void viewsAndSamplesAreCopied() {
        auto window = shownWindow();
        QAction* copy = window->findChild<QAction*>("copy-view");
        QVERIFY(!copy->isEnabled());
        QVERIFY(openAndWait(*window, "synthetic:gradient:80x60,channels=3"));
        const QSize shown = window->compareView().pane(PaneRole::a).size();
        copy->trigger();
        QCOMPARE(QApplication::clipboard()->image().size(), shown);
        window->findChild<QAction*>("copy-pixel")->trigger();
        QVERIFY(raised(*window, "not over an image"));
        window->view().setCursor(PixelPosition{3, 4});
        window->findChild<QAction*>("copy-pixel")->trigger();
        const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("x 3, y 4\t"));
        const float red = window->session().original()->view().at(3, 4, 0, 0);
        QCOMPARE(lines[1].section('\t', 1, 1).toFloat(), red);
    }
    void imagesAndFilesArePasted() {
        auto window = shownWindow();
        QAction* paste = window->findChild<QAction*>("paste");
        QApplication::clipboard()->setText("no image");
        paste->trigger();
        QVERIFY(raised(*window, "Nothing to open"));
        QImage image(37, 21, QImage::Format_RGB32);
        image.fill(QColor(255, 0, 0));
        QApplication::clipboard()->setImage(image);
        paste->trigger();
        QVERIFY(becomes(*window, 37));
        QCOMPARE(window->session().original()->view().at(5, 5, 0, 0), 1.0F);
        QCOMPARE(window->session().original()->view().at(5, 5, 0, 1), 0.0F);
        QVERIFY(window->recentFiles().files().isEmpty());
        auto* files = new QMimeData;
        files->setUrls({QUrl::fromLocalFile(make("pasted.png", 48))});
        QApplication::clipboard()->setMimeData(files);
        paste->trigger();
        QVERIFY(becomes(*window, 48));
        QVERIFY(waitForIdle(*window));
    }
    void filesAreDroppedAnywhere() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(make("anywhere.png", 72))});
        auto* field = window->findChild<QLineEdit*>();
        QVERIFY(field);
        const QString before = field->text();
        QVERIFY(drop(*field, mime, {4, 4}));
        QVERIFY(becomes(*window, 72));
        QCOMPARE(field->text(), before);
        QMimeData text;
        text.setText("3 4 5");
        QVERIFY(!drop(*window, text, {4, 4}));
        QVERIFY(waitForIdle(*window));
    }
    void aFileThatUnpacksToFarMoreIsOpenedOnRequestOnly() {
        // 64 samples behind 1,152 MiB to skip, in a file of 1.2 MB.
        const QString path = file("large.nrrd");
        {
            AtomicFile member(file("zeros.gz").toStdString(), true);
            const std::vector<std::uint8_t> zeros(std::size_t{64} << 20);
            writeGzip(member, {}, zeros, {});
            member.commit();
        }
        const QByteArray header = "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 4 4\nencoding: gzip\nbyte skip: 1207959552\n\n";
        QVERIFY(writeFile(path, header + readFile(file("zeros.gz")).repeated(19)));
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:gradient:20x20"));
        const auto answer = [&](const char* button) {
            LargeFileDialog* dialog = nullptr;
            if (!QTest::qWaitFor([&] { return (dialog = window->findChild<LargeFileDialog*>()) != nullptr; }, kPatience)) return false;
            if (!dialog->text().contains("1.1 GiB")) return false;
            for (QAbstractButton* each : dialog->buttons())
                if (each->text().remove('&') == button) each->click();
            return QTest::qWaitFor([&] { return !window->findChild<LargeFileDialog*>(); }, kPatience);
        };
        window->openInputs({path});
        QVERIFY(answer("Cancel"));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().original()->shape().width, 20);
        QVERIFY(!window->messageBar().isVisible());
        window->openInputs({path});
        QVERIFY(answer("Open anyway"));
        QVERIFY(becomes(*window, 4));
        QVERIFY(waitForIdle(*window));
        // Once is enough.
        const ImagePtr before = window->session().original();
        window->findChild<QAction*>("reload")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window->session().original() != before; }, kPatience));
        QVERIFY(waitForIdle(*window));
    }
};

QTEST_MAIN(SourcesTest)
#include "sources_test.moc"
