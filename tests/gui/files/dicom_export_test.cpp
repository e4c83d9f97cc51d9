// SPDX-License-Identifier: GPL-3.0-or-later
// A CT series in the window: filtered in three dimensions, rendered, saved as DICOM, NIfTI and picture, and opened again.
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <cmath>

#include "core/io/formats/dicom/dicom_header.hpp"
#include "core/io/loader.hpp"
#include "tests/gui/gui_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/export/export_folder.hpp"
#include "ui/export/save_data_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

class DicomExportTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    QString file(const QString& name) const { return folder_->filePath(name); }

    static SaveDataDialog* opened(MainWindow& window) {
        window.findChild<QAction*>(QStringLiteral("save-result"))->trigger();
        for (SaveDataDialog* dialog : window.findChildren<SaveDataDialog*>())
            if (dialog->isVisible()) return dialog;  // others are being deleted
        return nullptr;
    }
    static QPushButton* saveButton(const SaveDataDialog& dialog) {
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->isDefault()) return button;
        return nullptr;
    }
    /// Saves result A. Returns what the message bar says.
    static QString save(MainWindow& window, const QString& format, const QString& path, bool patient = false) {
        SaveDataDialog* dialog = opened(window);
        if (!dialog) return {};
        auto* formats = dialog->findChild<QComboBox*>(QStringLiteral("format"));
        const int index = formats->findData(format);
        if (index < 0) return {};
        formats->setCurrentIndex(index);
        dialog->findChild<QCheckBox*>(QStringLiteral("keepPatient"))->setChecked(patient);
        dialog->findChild<QLineEdit*>(QStringLiteral("path"))->setText(path);
        QSignalSpy saved(&window.session().saver(), &FileSaver::saved);
        saveButton(*dialog)->click();
        if (saved.isEmpty() && !saved.wait(kPatience)) return {};
        return window.messageBar().message().plainText();
    }

private slots:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init() {
        QSettings().clear();
        folder_ = std::make_unique<QTemporaryDir>();
        setExportFolder(folder_->path());
        QVERIFY(QDir(folder_->path()).mkdir("ct"));
        for (int z = 0; z < 6; ++z) {
            test::MadeDicom d;
            d.width = 15;
            d.height = 12;
            d.instance = z + 1;
            d.position = {-20, -30, 2.5 * z};
            d.orientation = {1, 0, 0, 0, 0.8, -0.6};  // a tilted gantry
            d.sample = [z](int x, int y) {
                return static_cast<std::uint32_t>((x - 7) * (x - 7) + (y - 5) * (y - 5) + z * z < 20 ? 1700 : 30 + x);
            };
            d.texts[0x00100010] = {"PN", "Mustermann^Erika"};
            d.write(file(QStringLiteral("ct/%1").arg(z)).toStdString());
        }
    }
    void cleanupTestCase() { QSettings().clear(); }

    void aFilteredSeriesIsSavedAndOpenedAgain() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=5,axes=xyz"});
        QVERIFY(openAndWait(*window, file("ct")));
        const ImagePtr result = window->session().imageOf(PaneRole::a);
        QVERIFY(result && result->isVolume());
        SaveDataDialog* dialog = opened(*window);
        QVERIFY(dialog && dialog->findChild<QComboBox*>("format")->findData("png") < 0);
        dialog->reject();

        QVERIFY(save(*window, "/", file("derived")).contains("the largest error is"));
        const Image derived = loadImage(file("derived").toStdString());
        QCOMPARE(derived.shape(), result->shape());
        QVERIFY(sameGeometry(*derived.geometry, *window->session().original()->geometry, 15, 12, 6));
        const SampleStatistics range = computeStatistics(*result);
        const double step = (range.max - range.min) / 65535;
        for (std::int64_t i = 0; i < derived.shape().samples(); ++i)
            QVERIFY(std::fabs(static_cast<double>(derived.view().data[i] - result->view().data[i])) <= 0.51 * step);
        const std::string first = file("derived/image_0001.dcm").toStdString();
        QVERIFY(DicomHeader::read(first, {}).text(0x00100010).empty());

        QVERIFY(!save(*window, "nii.gz", file("derived.nii.gz")).isEmpty());
        const Image nifti = loadImage(file("derived.nii.gz").toStdString());
        QVERIFY(std::equal(result->view().data, result->view().data + result->shape().samples(), nifti.view().data));

        // Replaced after the dialog has said so, and with the patient.
        SaveDataDialog* again = opened(*window);
        again->findChild<QComboBox*>("format")->setCurrentIndex(again->findChild<QComboBox*>("format")->findData("/"));
        again->findChild<QLineEdit*>("path")->setText(file("derived"));
        QCOMPARE(saveButton(*again)->text(), QStringLiteral("&Replace"));
        QVERIFY(again->findChild<QCheckBox*>("keepPatient")->isVisible());
        again->reject();
        QVERIFY(!save(*window, "/", file("derived"), true).isEmpty());
        QCOMPARE(DicomHeader::read(first, {}).text(0x00100010), std::string("Mustermann^Erika"));
    }
    void aRenderingIsSavedAsAPicture() {
        auto window = shownWindow();
        setSteps(*window, {"convolve:kernel=gaussian,size=5,axes=xyz", "render:mode=surface,threshold=100,width=40,height=30"});
        QVERIFY(openAndWait(*window, file("ct")));
        const ImagePtr result = window->session().imageOf(PaneRole::a);
        QVERIFY(result && result->shape().depth == 1);
        QVERIFY(!save(*window, "dcm", file("skin.dcm")).isEmpty());
        QVERIFY(!save(*window, "png", file("skin.png")).isEmpty());
        const Image dicom = loadImage(file("skin.dcm").toStdString()), png = loadImage(file("skin.png").toStdString());
        QCOMPARE(dicom.shape(), (Shape{40, 30, 1, 3}));
        for (std::int64_t i = 0; i < dicom.shape().samples(); ++i) QVERIFY(std::fabs(dicom.view().data[i] - png.view().data[i]) < 0.01F);
    }
    void imagesOfOtherFormatsHaveNoPatientToCopy() {
        auto window = shownWindow();
        QVERIFY(openAndWait(*window, "synthetic:noise:20x16x8"));
        SaveDataDialog* dialog = opened(*window);
        auto* formats = dialog->findChild<QComboBox*>("format");
        formats->setCurrentIndex(formats->findData("/"));
        QVERIFY(!dialog->findChild<QCheckBox*>("keepPatient")->isVisible());
        QVERIFY(!dialog->findChild<QComboBox*>("encoding")->isVisible());
        QCOMPARE(dialog->paths().front().back(), QLatin1Char('/'));
    }
};

QTEST_MAIN(DicomExportTest)
#include "dicom_export_test.moc"
