// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/shell/large_file_dialog.hpp"

#include <QPushButton>

#include "ui/models/document/formatting.hpp"
#include "ui/window/dialogs/wide_question.hpp"

namespace parallax::ui {

LargeFileDialog::LargeFileDialog(const QString& name, std::uint64_t unpacked, QWidget* parent) : QMessageBox(parent) {
    setObjectName(QStringLiteral("largeFileDialog"));
    setIcon(QMessageBox::Warning);
    setWindowTitle(tr("Large file"));
    setText(tr("%1 unpacks to %2 or more.").arg(name, formatBytes(static_cast<double>(unpacked))));
    setInformativeText(tr("That is more than 100 times its size. Open it only if you know where it comes from."));
    widen(*this);
    QPushButton* open = addButton(tr("&Open anyway"), QMessageBox::AcceptRole);
    open->setToolTip(tr("Open the file if there is enough memory"));
    QPushButton* cancel = addButton(QMessageBox::Cancel);
    setDefaultButton(cancel);
    setEscapeButton(cancel);
    connect(open, &QPushButton::clicked, this, &LargeFileDialog::openChosen);
}

}  // namespace parallax::ui
