// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for raw samples: proposals, checks against the file size, preview, remembered entries.
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QUrl>
#include <cstring>

#include "core/image/synthetic.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gui_support.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/window/dialogs/raw_dialog.hpp"
#include "ui/window/dialogs/raw_entries.hpp"
#include "ui/window/recent/recent_files.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr int kWidth = 20, kHeight = 16, kSlices = 6;

std::int16_t sampleAt(int x, int y, int z) { return static_cast<std::int16_t>(1000 * z + 40 * y + x - 1024); }

/// Samples as above after a header, as int16 of either order.
QByteArray samples(bool bigEndian = false, int header = 0) {
    QByteArray bytes(header, 'h');
    for (int z = 0; z < kSlices; ++z)
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const auto v = static_cast<std::uint16_t>(sampleAt(x, y, z));
                const char low = static_cast<char>(v & 0xff), high = static_cast<char>(v >> 8);
                bytes += bigEndian ? high : low;
                bytes += bigEndian ? low : high;
            }
    return bytes;
}

RawDialog* dialogOf(MainWindow& window) { return window.findChild<RawDialog*>(); }

RawDialog* waitForDialog(MainWindow& window) {
    (void)QTest::qWaitFor([&] { return dialogOf(window) != nullptr; }, kPatience);
    return dialogOf(window);
}

bool waitForPicture(RawDialog& dialog) {
    return QTest::qWaitFor([&] { return dialog.settled(); }, kPatience);
}

QPushButton& openButton(RawDialog& dialog) { return *dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open); }

void closeDialog(MainWindow& window) {
    if (RawDialog* dialog = dialogOf(window)) dialog->reject();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

QString text(const RawDialog& dialog) { return QString::fromStdString(toText(dialog.request())).section(QLatin1Char(':'), 1, 1); }

bool isOpen(MainWindow& window) {
    const ImagePtr image = window.session().original();
    if (!image || !(image->shape() == Shape{kWidth, kHeight, kSlices, 1})) return false;
    for (int z = 0; z < kSlices; ++z)
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
                if (image->view().at(x, y, z) != static_cast<float>(sampleAt(x, y, z))) return false;
    return true;
}

}  // namespace

class RawDialogTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;
    QString write(const QString& name, const QByteArray& bytes) const {
        const QString path = folder_->filePath(name);
        return writeFile(path, bytes) ? path : QString();
    }
    std::unique_ptr<MainWindow> window_;
    MainWindow& window() { return *window_; }

private slots:
    void init() {
        QStandardPaths::setTestModeEnabled(true);
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        window_ = shownWindow();
        window_->session().pipeline().setEnabled(0, false);
    }
    void cleanup() { window_.reset(); }

    void theFileNameProposesTheLayout() {
        window().openInputs({write("head_20x16x6_int16.raw", samples())});
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog && !window().session().original());
        QCOMPARE(text(*dialog), QStringLiteral("20x16x6,type=int16"));
        QVERIFY(openButton(*dialog).isEnabled());
        QVERIFY(dialog->findChild<QLabel*>("rawCheck")->text().startsWith(QStringLiteral("✓")));
        for (std::size_t a = 0; a < 3; ++a)
            dialog->findChild<QDoubleSpinBox*>(QStringLiteral("rawSpacing%1").arg(a))->setValue(0.5 + 0.25 * static_cast<double>(a));
        dialog->findChild<QComboBox*>("rawUnit")->setCurrentText("HU");
        openButton(*dialog).click();
        QVERIFY(waitForIdle(window()));
        QVERIFY(isOpen(window()));
        const Geometry geometry = *window().session().original()->geometry;
        QCOMPARE(geometry.spacing, (std::array<double, 3>{0.5, 0.75, 1.0}));
        QCOMPARE(geometry.unit, std::string("HU"));
        QVERIFY(window().showsVolume());
        QVERIFY2(window().windowTitle().startsWith("head_20x16x6_int16.raw"), qPrintable(window().windowTitle()));
        // Reloading uses the same layout.
        window().findChild<QAction*>("reload")->trigger();
        QVERIFY(waitForIdle(window()) && isOpen(window()) && !dialogOf(window()));
    }
    void entriesAreCheckedAgainstTheFileSize() {
        window().openInputs({write("20x16x6_int16.raw", samples())});
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog);
        auto* check = dialog->findChild<QLabel*>("rawCheck");
        auto* remedies = dialog->findChild<QLabel*>("rawRemedies");
        auto* depth = dialog->findChild<QSpinBox*>("rawDepth");
        depth->setValue(7);  // 640 bytes per slice
        QVERIFY(!openButton(*dialog).isEnabled());
        QVERIFY2(check->text().contains("640") && check->text().contains("short"), qPrintable(check->text()));
        depth->setValue(4);
        QVERIFY2(check->text().contains(QLocale().toString(1280)) && check->text().contains("more"), qPrintable(check->text()));
        QVERIFY(!openButton(*dialog).isEnabled());
        // Each suggested change fits the file.
        const auto count = remedies->text().count("<a ");
        QVERIFY2(count >= 2 && remedies->text().contains("6 slice"), qPrintable(remedies->text()));
        const RawRequest before = dialog->request();
        for (qsizetype i = 0; i < count; ++i) {
            dialog->setRequest(before);
            QVERIFY(!openButton(*dialog).isEnabled());
            emit remedies->linkActivated(QString::number(i));
            QVERIFY2(openButton(*dialog).isEnabled(), qPrintable(text(*dialog)));
            QVERIFY(remedies->text().isEmpty());
        }
        for (const char* side : {"rawWidth", "rawHeight", "rawDepth"}) dialog->findChild<QSpinBox*>(QLatin1String(side))->setValue(1 << 20);
        QVERIFY(!openButton(*dialog).isEnabled());
        QVERIFY(waitForPicture(*dialog));
        QVERIFY(dialog->findChild<QLabel*>("rawPicture")->pixmap().isNull());
        closeDialog(window());
        QVERIFY(!window().session().original());
    }
    void thePreviewShowsTheMiddleSlice() {
        window().openInputs({write("20x16x6_int16.raw", samples())});
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog && waitForPicture(*dialog));
        const QImage picture = dialog->findChild<QLabel*>("rawPicture")->pixmap().toImage();
        QVERIFY(!picture.isNull());
        // True aspect, and brighter to the right and down.
        QVERIFY(std::abs(picture.width() * kHeight - picture.height() * kWidth) <= kWidth);
        const auto grey = [&](double x, double y) {
            return qGray(picture.pixel(static_cast<int>(x * (picture.width() - 1)), static_cast<int>(y * (picture.height() - 1))));
        };
        QVERIFY(grey(0.1, 0.1) < grey(0.1, 0.5) && grey(0.1, 0.5) < grey(0.1, 0.9) && grey(0.05, 0.5) < grey(0.95, 0.5));
        auto* values = dialog->findChild<QLabel*>("rawPictureText");
        QVERIFY2(values->text().contains(QLocale().toString(sampleAt(0, 0, 3))) &&
                     values->text().contains(QLocale().toString(sampleAt(kWidth - 1, kHeight - 1, 3))),
                 qPrintable(values->text()));
        // Twice as wide as high in mm.
        dialog->findChild<QDoubleSpinBox*>("rawSpacing0")->setValue(2);
        QVERIFY(!dialog->settled() && waitForPicture(*dialog));
        const QImage wide = dialog->findChild<QLabel*>("rawPicture")->pixmap().toImage();
        QVERIFY(std::abs(wide.width() * kHeight - 2 * wide.height() * kWidth) <= 2 * kWidth);
        // The other byte order gives other values.
        const QString before = values->text();
        auto* endian = dialog->findChild<QComboBox*>("rawEndian");
        endian->setCurrentIndex(1);
        QVERIFY(waitForPicture(*dialog));
        QVERIFY(values->text() != before);
    }
    void byteOrderAndOffsetAreUsed() {
        window().openInputs({write("20x16x6_s16be.raw", samples(true, 352))});
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog);
        QCOMPARE(text(*dialog), QStringLiteral("20x16x6,type=int16,endian=big,offset=352"));
        QCOMPARE(dialog->findChild<QDoubleSpinBox*>("rawOffset")->value(), 352.0);
        dialog->accept();
        QVERIFY(waitForIdle(window()) && isOpen(window()));
    }
    void theFlatFloatFile() {
        QByteArray bytes;
        for (int i = 0; i < 12 * 10 * 4; ++i) {
            const auto v = static_cast<float>(i);
            bytes.append(reinterpret_cast<const char*>(&v), 4);
        }
        window().openInputs({write("volume.raw", bytes)});
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog);
        dialog->findChild<QSpinBox*>("rawWidth")->setValue(12);
        dialog->findChild<QSpinBox*>("rawHeight")->setValue(10);
        auto* proposals = dialog->findChild<QComboBox*>("rawProposals");
        const int flat = proposals->findText("depth*rows*cols + row*cols + col", Qt::MatchContains);
        QVERIFY(flat >= 0);
        emit proposals->activated(flat);
        QCOMPARE(text(*dialog), QStringLiteral("12x10x4,type=float"));
        dialog->accept();
        QVERIFY(waitForIdle(window()));
        QCOMPARE(window().session().original()->view().at(5, 7, 3), static_cast<float>(3 * 120 + 7 * 12 + 5));
    }
    void entriesAreRemembered() {
        const QString path = write("volume.raw", samples());
        window().openInputs({path});
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog && text(*dialog) != QStringLiteral("20x16x6,type=int16"));
        dialog->setRequest(parseRaw("raw:20x16x6,type=int16,spacing=1x1x5:" + path.toStdString()));
        dialog->accept();
        QVERIFY(waitForIdle(window()) && isOpen(window()));
        // Recent files keep the entries and open without the dialog.
        const RecentFile recent = window().recentFiles().files().front();
        QCOMPARE(recent.path, QStringLiteral("raw:20x16x6,type=int16,spacing=1x1x5:") + path);
        QCOMPARE(longNameOf(recent.path), QStringLiteral("volume.raw (20 × 16 × 6, int16)"));
        QVERIFY(openAndWait(window(), "synthetic:gradient:8x8"));
        QVERIFY(openAndWait(window(), recent.path));
        QVERIFY(isOpen(window()) && !dialogOf(window()));
        window().recentFiles().refresh();
        QTest::qWait(100);
        QVERIFY2(window().recentFiles().files().front().problem.isEmpty(), qPrintable(window().recentFiles().files().front().problem));
        // The same file, and another one of the same size.
        for (const QString& again : {path, write("other.raw", samples())}) {
            window().openInputs({again});
            dialog = waitForDialog(window());
            QVERIFY(dialog);
            QCOMPARE(text(*dialog), QStringLiteral("20x16x6,type=int16,spacing=1x1x5"));
            closeDialog(window());
        }
        // One entry for each file; clearing the list clears the entries.
        window().openInputs({path});
        dialog = waitForDialog(window());
        QVERIFY(dialog);
        dialog->setRequest(parseRaw("raw:40x8x6,type=int16:" + path.toStdString()));
        dialog->accept();
        QVERIFY(waitForIdle(window()));
        QCOMPARE(window().recentFiles().files().size(), qsizetype{1});
        QCOMPARE(rememberedRaw().size(), std::size_t{1});
        window().findChild<QAction*>("clear-recent")->trigger();
        QVERIFY(rememberedRaw().empty());
    }
    void aDescriptionReplacesTheDialog() {
        Image image = makeSynthetic(parseSynthetic("synthetic:noise:9x8x7"));
        const QString path = folder_->filePath("described.raw");
        (void)saveImage(image, path.toStdString());
        QVERIFY(openAndWait(window(), path));
        QVERIFY(!dialogOf(window()) && window().session().original());
        QCOMPARE(window().session().original()->shape(), (Shape{9, 8, 7, 1}));
        // Open raw samples asks anyway, with the description as the first proposal; unchanged, it is used as it is.
        window().findChild<QAction*>("open-raw")->trigger();
        auto* files = window().findChild<QFileDialog*>();
        QVERIFY(files);
        emit files->filesSelected({path});
        files->close();
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog);
        QCOMPARE(text(*dialog), QStringLiteral("9x8x7,type=float"));
        dialog->accept();
        QVERIFY(waitForIdle(window()));
        QCOMPARE(window().session().inputName(), path);
    }
    void cancellingChangesNothing() {
        QVERIFY(openAndWait(window(), "synthetic:gradient:8x8"));
        const ImagePtr before = window().session().original();
        window().openInputs({write("a.raw", samples()), write("b.raw", samples())});
        QVERIFY(waitForDialog(window()));
        closeDialog(window());
        QVERIFY(waitForIdle(window()));
        QVERIFY(window().session().original() == before && !window().findChild<QAction*>("next")->isEnabled());
        QVERIFY(rememberedRaw().empty());
        // An input opened meanwhile wins.
        window().openInputs({folder_->filePath("a.raw")});
        window().openInputs({"synthetic:gradient:7x7"});
        QVERIFY(waitForIdle(window()));
        QTest::qWait(200);
        QVERIFY(!dialogOf(window()));
        QCOMPARE(window().session().original()->shape().width, std::int64_t{7});
    }
    void dropsAndTheMenuOpenTheDialog() {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(write("20x16x6.raw", samples()))});
        QVERIFY(drop(window(), mime));
        QVERIFY(waitForDialog(window()));
        closeDialog(window());
        // The menu accepts any file name.
        window().findChild<QAction*>("open-raw")->trigger();
        auto* files = window().findChild<QFileDialog*>();
        QVERIFY(files);
        emit files->filesSelected({write("20x16x6.dat", samples())});
        files->close();
        RawDialog* dialog = waitForDialog(window());
        QVERIFY(dialog);
        QCOMPARE(text(*dialog), QStringLiteral("20x16x6,type=int16"));
        dialog->accept();
        QVERIFY(waitForIdle(window()) && isOpen(window()));
    }
    void unattendedWindowsAskNothing() {
        window().setUnattended();
        Message error;
        connect(&window().session().tasks(), &Tasks::messageRaised, this, [&](const Message& m) { error = m; });
        window().openInputs({write("20x16x6.raw", samples())});
        QVERIFY(waitForIdle(window()));
        QVERIFY(!dialogOf(window()));
        QVERIFY2(error.whatToDo.contains("raw:20x16x6,type=int16"), qPrintable(error.plainText()));
    }
    void missingFilesOpenNoDialog() {
        Message error;
        connect(&window().session().tasks(), &Tasks::messageRaised, this, [&](const Message& m) { error = m; });
        for (const QString& path : {folder_->filePath("none.raw"), write("empty.raw", {})}) {
            error = {};
            window().openInputs({path});
            QVERIFY(waitForIdle(window()));
            QVERIFY(!dialogOf(window()));
            QCOMPARE(error.kind, Message::Kind::error);
        }
    }
};

QTEST_MAIN(RawDialogTest)
#include "raw_dialog_test.moc"
