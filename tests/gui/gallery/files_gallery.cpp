// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of contact sheets, the filmstrip, the zones for dropped files and up to nine panes, to be looked at.
//   gui_files_gallery FOLDER light|dark|high-contrast [FILE...]
#include <QAction>
#include <QComboBox>

#include "tests/gui/gallery/gallery_support.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/session/document.hpp"
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

}  // namespace

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    if (const auto code = beginGallery()) return *code;
    QStringList files = QApplication::arguments().mid(3);
    if (files.isEmpty()) files << defaultSample();
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
