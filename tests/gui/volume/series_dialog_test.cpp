// SPDX-License-Identifier: GPL-3.0-or-later
// The choice among the DICOM series of a folder: what the table says of each, thumbnails, sorting, mouse and keyboard, privacy.
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QIcon>
#include <QPointer>
#include <QPushButton>
#include <QScrollBar>
#include <QTableWidget>
#include <QTemporaryDir>
#include <string>

#include "tests/gui/volume/volume_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/window/dialogs/series_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

constexpr int kScout = 1, kHead = 2, kGap = 3;
constexpr std::uint32_t kDescription = 0x0008103e, kName = 0x00100010;

/// Slices 5 mm apart. In the middle one the right half is bright; the others are dark.
void writeSeries(const QString& folder, int number, const std::string& description, int slices, int missing = -1) {
    for (int i = 0; i < slices; ++i) {
        if (i == missing) continue;
        test::MadeDicom d;
        d.width = 32, d.height = 24;
        d.series = number;
        d.seriesUid = "1.2.3.4." + std::to_string(number);
        d.instance = i + 1;
        d.position = {0, 0, 5.0 * i};
        d.sample = [middle = i == slices / 2](int x, int) { return middle && x >= 16 ? 2000U : 0U; };
        d.texts[kName] = {"PN", "Doe^Jane"};
        if (!description.empty()) d.texts[kDescription] = {"LO", description};
        d.write(folder.toStdString() + "/" + std::to_string(number) + "_" + std::to_string(i) + ".dcm");
    }
}

}  // namespace

class SeriesDialogTest : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString doe_;

    /// Opens the folder and returns the dialog that asks for a series.
    SeriesDialog* ask(MainWindow& window) const {
        window.openInputs({doe_});
        SeriesDialog* dialog = nullptr;
        (void)QTest::qWaitFor([&] { return (dialog = window.findChild<SeriesDialog*>()) != nullptr; }, kPatience);
        return dialog;
    }
    static QTableWidget& tableOf(SeriesDialog& dialog) { return *dialog.findChild<QTableWidget*>(); }
    static int rowOf(QTableWidget& table, int number) {
        for (int row = 0; row < table.rowCount(); ++row)
            if (table.item(row, SeriesDialog::numberColumn)->text() == QString::number(number)) return row;
        return -1;
    }
    static QColor pixel(const QTableWidgetItem& item, double across) {
        const QImage picture = item.icon().pixmap(64, 52).toImage();
        return picture.pixelColor(static_cast<int>(across * picture.width()), picture.height() / 2);
    }
    static bool waitForThumbnails(QTableWidget& table) {
        return QTest::qWaitFor(
            [&] {
                for (int row = 0; row < table.rowCount(); ++row)
                    if (pixel(*table.item(row, SeriesDialog::seriesColumn), 0.25).alpha() == 0) return false;
                return true;
            },
            kPatience);
    }
private slots:
    void initTestCase() {
        doe_ = folder_.filePath(QStringLiteral("Doe_Jane"));
        QVERIFY(QDir().mkpath(doe_));
        writeSeries(doe_, kScout, "Jane scout", 1);
        writeSeries(doe_, kHead, "Head 5.0", 7);
        writeSeries(doe_, kGap, {}, 6, 1);
    }

    void theTableDescribesEachSeries() {
        auto window = volumeWindow();
        SeriesDialog* dialog = ask(*window);
        QVERIFY(dialog);
        QTableWidget& table = tableOf(*dialog);
        QCOMPARE(table.rowCount(), 3);
        const auto text = [&](int number, int column) { return table.item(rowOf(table, number), column)->text(); };
        // The longest series is first, and is selected.
        QCOMPARE(table.currentRow(), 0);
        QCOMPARE(table.selectedItems().size(), SeriesDialog::columns);
        QCOMPARE(table.horizontalScrollBar()->maximum(), 0);
        QCOMPARE(rowOf(table, kHead), 0);
        QCOMPARE(text(kHead, SeriesDialog::seriesColumn), QStringLiteral("CT, Head 5.0"));
        QCOMPARE(text(kHead, SeriesDialog::slicesColumn), QStringLiteral("7"));
        QCOMPARE(text(kHead, SeriesDialog::sizeColumn), QStringLiteral("32 × 24"));
        QCOMPARE(text(kHead, SeriesDialog::spacingColumn), QStringLiteral("0.7 × 0.5 × 5 mm"));
        QCOMPARE(text(kHead, SeriesDialog::remarksColumn), QString());
        QCOMPARE(text(kGap, SeriesDialog::seriesColumn), QStringLiteral("CT"));
        QCOMPARE(text(kGap, SeriesDialog::slicesColumn), QStringLiteral("5"));
        QCOMPARE(text(kScout, SeriesDialog::spacingColumn), QStringLiteral("0.7 × 0.5 mm"));
        // Problems in words.
        const QTableWidgetItem& remark = *table.item(rowOf(table, kGap), SeriesDialog::remarksColumn);
        QVERIFY2(remark.text().startsWith(QStringLiteral("1 slice is missing")), qPrintable(remark.text()));
        QVERIFY(remark.toolTip().contains(remark.text()));
        dialog->reject();
    }
    void thumbnailsShowTheMiddleSlice() {
        auto window = volumeWindow();
        SeriesDialog* dialog = ask(*window);
        QVERIFY(dialog);
        QTableWidget& table = tableOf(*dialog);
        QVERIFY(waitForThumbnails(table));
        for (const int number : {kScout, kHead}) {
            const QTableWidgetItem& item = *table.item(rowOf(table, number), SeriesDialog::seriesColumn);
            QVERIFY2(pixel(item, 0.25).lightness() < 80 && pixel(item, 0.75).lightness() > 180,
                     qPrintable(pixel(item, 0.25).name() + pixel(item, 0.75).name()));
        }
        // Not tinted in the selected row.
        const QIcon icon = table.item(table.currentRow(), SeriesDialog::seriesColumn)->icon();
        QCOMPARE(icon.pixmap(QSize(64, 52), QIcon::Selected).toImage(), icon.pixmap(QSize(64, 52)).toImage());
        dialog->reject();
    }
    void aSliceThatCannotBeShownSaysSo() {
        QTemporaryDir folder;
        writeSeries(folder.path(), kHead, "Head", 3);
        writeSeries(folder.path(), kGap, "Damaged", 1);
        QFile file(folder.filePath(QStringLiteral("3_0.dcm")));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() - 100));
        file.close();
        SeriesDialog dialog(listSeries(folder.path().toStdString()), nullptr);
        QTableWidget& table = tableOf(dialog);
        const QTableWidgetItem& item = *table.item(rowOf(table, kGap), SeriesDialog::seriesColumn);
        QVERIFY(QTest::qWaitFor([&] { return !item.toolTip().isEmpty(); }, kPatience));
        QCOMPARE(item.toolTip(), QStringLiteral("The slice in the middle cannot be shown"));
        QCOMPARE(pixel(item, 0.25).alpha(), 0);
    }
    void doubleClickAndEnterOpenARow_data() {
        QTest::addColumn<QString>("by");
        for (const char* by : {"double click", "Enter", "Open"}) QTest::newRow(by) << QString::fromLatin1(by);
    }
    void doubleClickAndEnterOpenARow() {
        QFETCH(const QString, by);
        auto window = volumeWindow();
        QVERIFY(waitForActive(*window));
        QPointer<SeriesDialog> dialog = ask(*window);
        QVERIFY(dialog && waitForActive(*dialog));
        QTableWidget& table = tableOf(*dialog);
        QVERIFY(table.hasFocus());
        const QRect place = table.visualItemRect(table.item(rowOf(table, kGap), SeriesDialog::slicesColumn));
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place.center());
        QVERIFY(dialog->isVisible());
        if (by == "double click") QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place.center());
        else if (by == "Enter") QTest::keyClick(&table, Qt::Key_Return);
        else dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->click();
        QVERIFY(QTest::qWaitFor([&] { return !dialog && window->session().original(); }, kPatience));
        QVERIFY(waitForIdle(*window));
        QCOMPARE(window->session().original()->shape().depth, std::int64_t{5});
        QCOMPARE(window->session().inputName(), doe_ + QStringLiteral("#3"));
    }
    void aClickOnATitleSorts() {
        auto window = volumeWindow();
        SeriesDialog* dialog = ask(*window);
        QVERIFY(dialog);
        QTableWidget& table = tableOf(*dialog);
        const auto click = [&](int column) {
            const QHeaderView& header = *table.horizontalHeader();
            QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                              QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) / 2, header.height() / 2));
        };
        click(SeriesDialog::numberColumn);
        QVERIFY(rowOf(table, kScout) < rowOf(table, kHead) && rowOf(table, kHead) < rowOf(table, kGap));
        click(SeriesDialog::numberColumn);
        QVERIFY(rowOf(table, kScout) > rowOf(table, kHead) && rowOf(table, kHead) > rowOf(table, kGap));
        // The selection stays with its series, and rows lead to theirs.
        QCOMPARE(dialog->chosen(), doe_ + QStringLiteral("#2"));
        table.setCurrentCell(rowOf(table, kScout), 0);
        QCOMPARE(dialog->chosen(), doe_ + QStringLiteral("#1"));
        dialog->reject();
    }
    void nothingNamesThePatient() {
        auto window = volumeWindow();
        SeriesDialog* dialog = ask(*window);
        QVERIFY(dialog);
        QTableWidget& table = tableOf(*dialog);
        QVERIFY(waitForThumbnails(table));
        QStringList texts;
        for (int row = 0; row < table.rowCount(); ++row)
            for (int column = 0; column < table.columnCount(); ++column)
                texts << table.item(row, column)->text() << table.item(row, column)->toolTip();
        for (const QWidget* widget : dialog->findChildren<QWidget*>()) texts << widget->toolTip() << widget->accessibleName();
        texts << dialog->windowTitle();
        for (const char* name : {"Doe", "Jane"}) QVERIFY2(!texts.join('\n').contains(QLatin1String(name)), qPrintable(texts.join('\n')));
        dialog->reject();
    }
    void cancellingOpensNothing() {
        auto window = volumeWindow();
        QPointer<SeriesDialog> dialog = ask(*window);
        QVERIFY(dialog);
        dialog->reject();  // thumbnails may still be made
        QVERIFY(QTest::qWaitFor([&] { return !dialog; }, kPatience));
        QVERIFY(waitForIdle(*window));
        QVERIFY(!window->session().original());
    }
};

QTEST_MAIN(SeriesDialogTest)
#include "series_dialog_test.moc"
