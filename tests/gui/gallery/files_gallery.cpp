// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of contact sheets, the filmstrip, the zones for dropped files, up to nine panes, the choice of a DICOM series and batches, to be
// looked at.
//   gui_files_gallery FOLDER light|dark|high-contrast [FILE...]
#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <cmath>
#include <string>

#include "core/io/loader.hpp"
#include "core/io/saver.hpp"
#include "tests/gui/gallery/gallery_support.hpp"
#include "tests/support/dicom_writer.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/document.hpp"
#include "ui/window/batch/batch_window.hpp"
#include "ui/window/dialogs/series_dialog.hpp"
#include "ui/window/sheet/contact_sheet_dialog.hpp"

using namespace parallax;
using namespace parallax::ui;

namespace {

void save(MainWindow& window, const QString& name) {
    if (!waitForIdle(window)) ++failures;
    QTest::qWait(300);  // thumbnails
    savePicture(window, name);
}

void saveDrop(MainWindow& window, const QStringList& files, const QString& name) {
    QMimeData mime;
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    mime.setUrls(urls);
    const QPoint at = window.compareView().mapTo(&window, window.compareView().rect().center() / 2);
    QDragEnterEvent enter(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    QDragMoveEvent move(at, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &move);
    save(window, name);
    QDragLeaveEvent leave;
    QApplication::sendEvent(&window, &leave);
}

/// A sphere in slices; `missing` is left out.
void writeSeries(const QString& folder, int number, const std::string& description, int slices, int missing = -1) {
    for (int z = 0; z < slices; ++z) {
        if (z == missing) continue;
        test::MadeDicom d;
        d.width = 128, d.height = 96;
        d.series = number;
        d.seriesUid = "1.2.3.4." + std::to_string(number);
        d.instance = z + 1;
        d.position = {0, 0, 2.5 * z};
        d.texts[0x0008103e] = {"LO", description};
        const double radius = 40 * std::sqrt(1 - std::pow((z + 0.5) / slices * 2 - 1, 2));
        d.sample = [radius, number](int x, int y) {
            const double r = std::hypot(x - 64, y - 48);
            return static_cast<std::uint32_t>(r > radius ? 0 : r > 0.85 * radius ? 2000 : 1000 + 10 * number + 4 * ((x / 8 + y / 8) % 2));
        };
        d.write((folder + QStringLiteral("/%1_%2.dcm").arg(number).arg(z)).toStdString());
    }
}

void saveSeriesDialog() {
    const QTemporaryDir folder;
    writeSeries(folder.path(), 1, "Scout", 1);
    writeSeries(folder.path(), 2, "Head 2.5 soft tissue", 24);
    writeSeries(folder.path(), 3, "Head 2.5 bone, contrast medium, second reconstruction", 12, 4);
    SeriesDialog dialog(listSeries(folder.path().toStdString()), nullptr);
    dialog.show();
    QTest::qWait(500);  // thumbnails
    savePicture(dialog, QStringLiteral("dialog-series"));
}

void saveSheet(MainWindow& window, const QString& name) {
    window.findChild<QAction*>("contact-sheet")->trigger();
    auto* dialog = window.findChild<ContactSheetDialog*>();
    auto* parameter = dialog->findChild<QComboBox*>("sheetParameter");
    parameter->setCurrentIndex(parameter->findData(QStringLiteral("border")));
    savePicture(*dialog, "dialog-contact-sheet-choices-" + name);
    parameter->setCurrentIndex(parameter->findData(QStringLiteral("sigma")));
    savePicture(*dialog, "dialog-contact-sheet-" + name);
    dialog->accept();
    save(window, "contact-sheet-" + name);
    closeSheet(window.session().pipeline());
}

/// Three to nine panes with names, steps and backends of their own.
void savePanes(MainWindow& window, const QString& name) {
    window.setViewName(QStringLiteral("all"));
    for (int count = 3; count <= 9; ++count) {
        addPane(window.session().pipeline());
        const auto added = static_cast<Side>(count - 1);
        window.session().setTarget(added, count % 2 == 0 ? QStringLiteral("openmp.separable") : QStringLiteral("reference"));
        save(window, QStringLiteral("panes-%1-%2").arg(count).arg(name));
    }
    window.findChild<QAction*>("pane-headers")->trigger();
    save(window, "panes-no-headers-" + name);
    window.findChild<QAction*>("pane-headers")->trigger();
}

/// A batch before it begins, with a mistake, and at its end.
void saveBatch() {
    QTemporaryDir folder;
    const auto path = [&](const QString& name) { return folder.filePath(name); };
    (void)QDir(folder.path()).mkpath(QStringLiteral("renders"));
    for (int i = 1; i <= 6; ++i)
        (void)saveImage(openInput("synthetic:hdr-ramp:320x200,channels=3"),
                        path(QStringLiteral("renders/shot%1.exr").arg(i)).toStdString());
    if (!writeFile(path("renders/shot4.exr"), readFile(path("renders/shot4.exr")).first(3000))) ++failures;
    auto window = shownWindow();
    applyTheme(galleryTheme);
    setSteps(*window, {"tonemap"});
    if (!openAndWait(*window, path("renders/shot1.exr"))) ++failures;
    window->findChild<QAction*>("batch")->trigger();
    auto& dialog = *window->findChild<BatchWindow*>();
    savePicture(dialog, "batch-empty");
    dialog.findChild<QLineEdit*>("batchFolder")->setText(path("out"));
    dialog.add({path("renders")});
    if (!QTest::qWaitFor([&] { return dialog.findChild<QPushButton*>("batchStart")->isEnabled(); }, kPatience)) ++failures;
    auto& pattern = *dialog.findChild<QLineEdit*>("batchPattern");
    pattern.setText(QStringLiteral("same"));
    savePicture(dialog, "batch-mistake");
    pattern.setText(QStringLiteral("{name}_{op}"));
    savePicture(dialog, "batch-ready");
    dialog.findChild<QPushButton*>("batchStart")->click();
    if (!QTest::qWaitFor([&] { return !dialog.running(); }, kPatience)) ++failures;
    QTest::qWait(100);
    savePicture(dialog, "batch-ended");
}

/// The bar above the images with the layers of an OpenEXR file, and its list.
void saveParts() {
    const Image sample = openInput(defaultSample().toStdString());
    const Shape& s = sample.shape();
    Buffer samples(Shape{s.width, s.height, 1, 7});
    const auto to = samples.view<float>();
    for (std::int64_t y = 0; y < s.height; ++y)
        for (std::int64_t x = 0; x < s.width; ++x)
            for (std::int64_t c = 0; c < 7; ++c)
                to.at(x, y, 0, c) = c == 6 ? static_cast<float>(y) : sample.view().at(x, y, 0, c % 3) * (c < 3 ? 1.0F : 0.4F);
    QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("shot.exr"));
    const std::vector<std::string> names{"R", "G", "B", "diffuse.R", "diffuse.G", "diffuse.B", "depth.Z"};
    (void)saveImage(Image(std::move(samples), names), file.toStdString());
    auto window = shownWindow({1100, 700});
    applyTheme(galleryTheme);
    setSteps(*window, {"convolve:kernel=gaussian,size=9"});
    if (!openAndWait(*window, file + QStringLiteral("#diffuse"))) ++failures;
    save(*window, "parts");
    auto& box = *window->findChild<QComboBox*>("partOfFile");
    box.showPopup();
    savePicture(*box.view()->window(), "parts-list");
    box.hidePopup();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    QStringList files = QApplication::arguments().mid(3);
    if (files.isEmpty()) files << defaultSample();
    saveSeriesDialog();
    saveBatch();
    saveParts();
    for (const QSize size : {QSize(1000, 650), QSize(1600, 1000)}) {
        const QString name = QString::number(size.width());
        auto window = shownWindow(size);
        applyTheme(galleryTheme);
        setSteps(*window, {"convolve:kernel=gaussian,size=15,sigma=2"});
        if (!openAndWait(*window, files.front())) return 1;
        saveSheet(*window, name);
        saveDrop(*window, {files.front()}, "drop-" + name);
        window->openInputs(files + files);
        save(*window, "filmstrip-" + name);
        saveDrop(*window, files + files, "drop-several-" + name);
        savePanes(*window, name);
    }
    return failures == 0 ? 0 : 4;
}
