// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/quit_dialog.hpp"

#include <QPushButton>

#include "ui/window/dialogs/wide_question.hpp"

namespace parallax::ui {

QuitDialog::QuitDialog(bool saving, bool measuring, bool batch, QWidget* parent) : QMessageBox(parent) {
    setObjectName(QStringLiteral("quitDialog"));
    setIcon(QMessageBox::Warning);
    setWindowTitle(tr("Quit Parallax"));
    QStringList work, loss;
    const auto add = [&](const QString& running, const QString& lost) {
        work << running;
        loss << lost;
    };
    if (saving) add(tr("A file is being saved."), tr("Quitting now discards the unfinished file."));
    if (measuring) add(tr("A measurement is running."), tr("Quitting now discards the results of the measurement."));
    if (batch) add(tr("A batch is running."), tr("Quitting now stops the batch; files that are already saved are kept."));
    setText(work.join(QLatin1Char(' ')));
    loss << tr("Parallax quits automatically when the work is finished.");
    setInformativeText(loss.join(QLatin1Char('\n')));
    widen(*this);
    QPushButton* quit = addButton(tr("&Quit anyway"), QMessageBox::AcceptRole);
    quit->setToolTip(tr("Stop the work and quit"));
    QPushButton* stay = addButton(tr("&Stay open"), QMessageBox::RejectRole);
    stay->setToolTip(tr("Let the work continue and keep the window open afterwards (Esc)"));
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(this, &QDialog::finished, this, [this, quit] { clickedButton() == quit ? emit quitChosen() : emit stayChosen(); });
}

}  // namespace parallax::ui
