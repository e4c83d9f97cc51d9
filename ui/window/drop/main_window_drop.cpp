// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that takes files and images that are dropped or pasted.
#include <QDragLeaveEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>
#include <QUrl>
#include <algorithm>

#include "core/io/loader.hpp"
#include "ui/compare/compare_view.hpp"
#include "ui/models/document/input_name.hpp"
#include "ui/models/document/kept_session.hpp"
#include "ui/models/pipeline/pane_edits.hpp"
#include "ui/volume/volume_view.hpp"
#include "ui/window/drop/drop_overlay.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {
namespace {

constexpr int kStripWidth = 110, kStripShare = 7;  // pixels; part of a narrow window
constexpr char kSource[] = "drop", kRawExtension[] = "raw";

QStringList localFiles(const QMimeData& mime) {
    QStringList files;
    for (const QUrl& url : mime.urls())
        if (url.isLocalFile()) files << url.toLocalFile();
    return files;
}

/// Do these open as a whole instead of as inputs of panes?
bool opensAlone(const QStringList& files) {
    return std::any_of(files.begin(), files.end(), [](const QString& file) { return isReport(file) || isSessionFile(file); });
}

}  // namespace

bool MainWindow::canTake(const QMimeData& mime) { return mime.hasImage() || !localFiles(mime).isEmpty(); }

bool MainWindow::take(const QMimeData& mime) {
    if (const QStringList files = localFiles(mime); !files.isEmpty()) {
        openInputs(files);
        return true;
    }
    const QImage image = mime.hasImage() ? qvariant_cast<QImage>(mime.imageData()) : QImage();
    if (image.isNull()) {
        tell({Message::Kind::information, tr("Nothing to open"), tr("neither an image nor a file was found"),
              tr("Copy an image or a file first"), QStringLiteral("paste")});
        return false;
    }
    // Saved as a file, which reports and command lines can name while the window is open.
    if (!pasted_) pasted_ = std::make_unique<QTemporaryDir>();
    const QString path = pasted_->filePath(tr("pasted-%1.png").arg(++pastedCount_));
    cancelPendingOpen();
    inputs_ = {path};
    currentInput_ = 0;
    session_->openPicture(image, path);
    updateActions();
    return true;
}

void MainWindow::showDropZones(const QMimeData& mime) {
    const QStringList files = localFiles(mime);
    if (!session_->original() || files.isEmpty() || opensAlone(files)) return;
    const CompareSetup& setup = session_->pipeline().setup();
    if (!setup.beforeSheet.empty()) return;  // its pictures have one input
    const QRect all = stack_->rect();
    const int strip = std::min(kStripWidth, all.width() / kStripShare);
    std::vector<DropZone> zones{{DropZone::Kind::open, 0, tr("Open"), {QRect(all.left(), all.top(), strip, all.height())}}};
    if (setup.panes.size() < static_cast<std::size_t>(kMaxSides))
        zones.push_back({DropZone::Kind::newPane,
                         static_cast<int>(setup.panes.size()),
                         files.size() > 1 ? tr("New panes") : tr("New pane"),
                         {QRect(all.right() + 1 - strip, all.top(), strip, all.height())}});
    const QRect middle = all.adjusted(strip, 0, -strip, 0);
    for (const auto& [side, area] : showsVolume() ? volumeView_->sideAreas() : compare_->sideAreas()) {
        const int index = static_cast<int>(side);
        auto zone = std::find_if(zones.begin(), zones.end(),
                                 [&](const DropZone& each) { return each.kind == DropZone::Kind::pane && each.pane == index; });
        if (zone == zones.end()) {
            const QString text = files.size() > 1 ? tr("Inputs of %1 and the next panes") : tr("Input of %1");
            zone = zones.insert(zones.end(), {DropZone::Kind::pane, index, text.arg(letterOf(side)), {}});
        }
        if (const QRect part = area & middle; !part.isEmpty()) zone->areas.push_back(part);
    }
    dropOverlay_->showZones(std::move(zones));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (!canTake(*event->mimeData())) return;
    showDropZones(*event->mimeData());
    event->acceptProposedAction();
}

void MainWindow::dragMoveEvent(QDragMoveEvent* event) {
    dropOverlay_->pointAt(dropOverlay_->mapFrom(this, event->position().toPoint()));
    event->acceptProposedAction();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { dropOverlay_->hide(); }

void MainWindow::dropEvent(QDropEvent* event) {
    std::optional<DropZone> zone;
    if (dropOverlay_->isVisible()) zone = dropOverlay_->zoneAt(dropOverlay_->mapFrom(this, event->position().toPoint()));
    dropOverlay_->hide();
    const QStringList files = localFiles(*event->mimeData());
    if (zone && zone->kind != DropZone::Kind::open) {
        compareFiles(zone->pane, files);
        return event->acceptProposedAction();
    }
    if (take(*event->mimeData())) event->acceptProposedAction();
    else event->ignore();
}

void MainWindow::compareFiles(int firstPane, const QStringList& files) {
    const auto place = [this, firstPane](const QStringList& inputs) { placeInputs(firstPane, inputs); };
    ++opening_;
    if (std::any_of(files.begin(), files.end(), [](const QString& file) { return QFileInfo(file).isDir(); }))
        return openFolders(files, place);
    if (files.size() == 1 && lowerExtension(files.front().toStdString()) == kRawExtension)
        return askRaw(
            files.front(), false, [place](const QString& entered) { place({entered}); }, [] {});
    place(files);
}

void MainWindow::placeInputs(int firstPane, const QStringList& inputs) {
    PipelineModel& model = session_->pipeline();
    closeSheet(model);
    const std::size_t panes = model.setup().panes.size();
    const int placed = setInputs(model, firstPane, inputs);
    // New panes are seen with all others.
    if (placed > 2 || model.setup().panes.size() > panes) setViewName(QStringLiteral("all"));
    if (placed < inputs.size())
        tell({Message::Kind::information,
              tr("%1 of %2 files are compared").arg(placed).arg(inputs.size()),
              tr("there are at most %1 panes").arg(kMaxSides),
              {},
              QLatin1String(kSource)});
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // Files can be dropped anywhere: a text field would otherwise insert the name.
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove || event->type() == QEvent::Drop;
    if (!drag || watched == this) return QMainWindow::eventFilter(watched, event);
    const auto* widget = qobject_cast<const QWidget*>(watched);
    auto* drop = static_cast<QDropEvent*>(event);
    if (!widget || widget->window() != this || localFiles(*drop->mimeData()).isEmpty()) return QMainWindow::eventFilter(watched, event);
    drop->acceptProposedAction();
    if (event->type() == QEvent::Drop) take(*drop->mimeData());
    return true;
}

}  // namespace parallax::ui
