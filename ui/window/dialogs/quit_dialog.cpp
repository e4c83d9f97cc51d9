// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dialogs/quit_dialog.hpp"

#include <QPushButton>

#include "ui/window/dialogs/wide_question.hpp"

namespace parallax::ui {

QuitDialog::QuitDialog(bool saving, bool measuring, QWidget* parent) : QMessageBox(parent) {
    setObjectName(QStringLiteral("quitDialog"));
    setIcon(QMessageBox::Warning);
    setWindowTitle(tr("Quit Parallax"));
    setText(saving && measuring ? tr("A file is being saved and a measurement is running.")
            : saving            ? tr("A file is being saved.")
                                : tr("A measurement is running."));
    const QString loss = saving ? tr("Quitting now discards the unfinished file.") : tr("Quitting now discards its results.");
    setInformativeText(loss + QLatin1Char('\n') + tr("Parallax quits automatically when the work is finished."));
    widen(*this);
    QPushButton* quit = addButton(tr("&Quit anyway"), QMessageBox::AcceptRole);
    quit->setToolTip(tr("Stop the work and quit"));
    QPushButton* stay = addButton(tr("&Keep running"), QMessageBox::RejectRole);
    stay->setToolTip(tr("Keep the window open (Esc)"));
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(this, &QDialog::finished, this, [this, quit] { clickedButton() == quit ? emit quitChosen() : emit stayChosen(); });
}

}  // namespace parallax::ui
