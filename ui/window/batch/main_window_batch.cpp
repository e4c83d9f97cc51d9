// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the window that opens batches.
#include <QLabel>
#include <QStatusBar>

#include "ui/window/batch/batch_window.hpp"
#include "ui/window/shell/main_window.hpp"

namespace parallax::ui {

void MainWindow::makeBatchCommand() {
    makeCommand("batch", tr("&Batch …"), {}, {}, tr("Apply the steps of result A to many files, or convert files"), [this] {
        if (!batch_) {
            batch_ = new BatchWindow(*session_, imageFilter(), this);
            auto* note = new QLabel;
            note->setObjectName(QStringLiteral("batchNote"));
            statusBar()->addPermanentWidget(note);
            note->hide();
            connect(batch_, &BatchWindow::stateChanged, note, [this, note] {
                note->setText(tr("Batch: %1").arg(batch_->stateText()));
                note->setVisible(batch_->running() && !batch_->isVisible());
            });
            connect(batch_, &BatchWindow::ended, this, &MainWindow::closeWhenIdle);
        }
        batch_->show();
        batch_->raise();
        batch_->activateWindow();
    });
}

}  // namespace parallax::ui
